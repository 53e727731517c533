//! The state of a run behind a chunk, so that a later run can go on there.

use serde::{Deserialize, Serialize};

use super::answers::AnswerCounts;
use super::outcome::{SolveOutcome, SolvedInput, WrongAnswer};
use super::{Results, Watch};
use crate::engine::Work;
use crate::error::Error;
use crate::figures::{Points, Slow, TallyCounts};
use crate::input::records::MalformedRecord;
use crate::input::source::Source;
use crate::input::{AnswerFault, LineError};
use crate::output::Sink;
use crate::pipeline::Part;
use crate::pipeline::crosscheck::CrosscheckCounts;

/// Where a run was in its inputs, and what it had counted. Serialised, it is a line of JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunState {
    /// The sources that were read to their end.
    finished: Vec<Read>,
    /// The source that was being read.
    current: Option<Current>,
    /// Whether the output has its header.
    has_header: bool,
    tally: TallyCounts,
    answers: AnswerCounts,
    /// Records that were printed, if not all of them were.
    printed: Option<u64>,
    /// Fields of the input that have no column in the output.
    lost_fields: u64,
    /// Solutions that were printed, if all of them were.
    listed: Option<u64>,
    /// Puzzles, rounds, busy lanes, sweeps.
    work: Option<[u64; 4]>,
    /// Puzzles, and those undecided.
    crosscheck: Option<[u64; 2]>,
    slowest: Vec<Slow>,
    points: Points,
    /// Indices of sources, lines, errors.
    malformed: Vec<(usize, u64, LineError)>,
    /// Indices of sources, lines, columns, faults.
    wrong_answers: Vec<(usize, u64, u32, AnswerFault)>,
}

/// What was read of a source.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Read {
    bytes: u64,
    lines: u64,
    records: u64,
    /// Whether its format is known.
    pub(super) is_recognised: bool,
}

/// A place in a source.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Current {
    pub(super) read: Read,
    /// The first byte that was not answered.
    pub(super) offset: u64,
    /// Lines before it.
    pub(super) lines: u64,
}

impl Read {
    pub(super) fn of(input: &SolvedInput) -> Read {
        let is_recognised = !input.format.is_empty();
        Read { bytes: input.bytes, lines: input.lines, records: input.records, is_recognised }
    }

    pub(super) fn give_to(self, input: &mut SolvedInput) {
        (input.bytes, input.lines, input.records) = (self.bytes, self.lines, self.records);
    }
}

/// The sources of an earlier run, which this one continues.
#[derive(Clone, Debug, Default)]
pub(super) struct Continued {
    finished: Vec<Read>,
    current: Option<Current>,
}

impl Continued {
    /// What is left of `part` of the source `index`, and what was read of it before.
    pub(super) fn rest_of(&self, index: usize, part: Part) -> (Part, Option<Current>) {
        if let Some(&read) = self.finished.get(index) {
            return (Part::NOTHING, Some(Current { read, ..Current::default() }));
        }
        match self.current.filter(|_| index == self.finished.len()) {
            Some(current) if current.offset >= part.to => (Part::NOTHING, Some(current)),
            Some(current) => {
                let rest = Part { from: current.offset, lines_before: Some(current.lines), ..part };
                (rest, Some(current))
            }
            None => (part, None),
        }
    }

    /// Whether the earlier run finished the source `index`. While this run passes over it, the output and the counts are
    /// ahead of its place, so the state must not be kept.
    pub(super) fn has_finished(&self, index: usize) -> bool {
        index < self.finished.len()
    }
}

/// Keeps the state of a run while it goes on.
pub trait Keeper {
    /// Whether it is time to keep the state.
    fn is_due(&self) -> bool;

    /// Keeps the state, which is that behind everything that was written so far.
    ///
    /// # Errors
    /// [`ErrorKind::Write`](crate::ErrorKind::Write) if it cannot be kept.
    fn keep(&mut self, state: &RunState) -> Result<(), Error>;
}

impl Keeper for Box<dyn Sink> {
    fn is_due(&self) -> bool {
        Sink::is_due(&**self)
    }

    fn keep(&mut self, state: &RunState) -> Result<(), Error> {
        Sink::keep(&mut **self, &state.to_string())
    }
}

impl std::fmt::Display for RunState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| std::fmt::Error)?)
    }
}

impl std::str::FromStr for RunState {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<RunState, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// The state of a run whose source number `finished.len()` was answered up to `current`.
pub(super) fn state_of(results: &Results, has_header: bool, current: Option<Current>) -> RunState {
    let outcome = &results.outcome;
    // A source may be named twice. Then its errors are those of the first of them, which has the same name.
    let index = |path: &std::path::Path| {
        outcome.inputs.iter().position(|input| input.name == path).unwrap_or(outcome.inputs.len())
    };
    let mut tally = TallyCounts::default();
    outcome.tally.clone().take(&mut tally);
    RunState {
        finished: outcome.inputs.iter().map(Read::of).collect(),
        current,
        has_header,
        tally,
        answers: outcome.answers,
        printed: outcome.printed,
        lost_fields: outcome.lost_fields,
        listed: outcome.listed,
        work: outcome.work.map(|work| [work.puzzles, work.rounds, work.busy, work.sweeps]),
        crosscheck: outcome.crosscheck.map(|counts| [counts.puzzles, counts.undecided]),
        slowest: results.slowest.all().cloned().collect(),
        points: results.points.clone(),
        malformed: outcome
            .malformed
            .iter()
            .map(|record| (index(&record.path), record.line, record.error))
            .collect(),
        wrong_answers: outcome
            .wrong_answers
            .iter()
            .map(|wrong| (index(&wrong.path), wrong.line, wrong.column, wrong.fault))
            .collect(),
    }
}

/// Gives `results` the counts of `state`, and tells `watch` what the earlier run told. `work` and `crosscheck` are those of a
/// new worker.
pub(super) fn restore(
    state: RunState,
    results: &mut Results,
    (work, crosscheck): (Option<Work>, Option<CrosscheckCounts>),
    sources: &[Source],
    watch: &mut dyn Watch,
) -> Continued {
    let name = |index: usize| sources.get(index).map(|source| source.name().to_owned()).unwrap_or_default();
    let Results { header, outcome, slowest, points, records, .. } = results;
    let SolveOutcome { tally, answers, .. } = outcome;
    tally.add_counts(&state.tally);
    *answers += state.answers;
    outcome.lost_fields += state.lost_fields;
    (outcome.printed, outcome.listed) = (state.printed, state.listed);
    *records = tally.records();
    outcome.work = work.zip(state.work).map(|(work, [puzzles, rounds, busy, sweeps])| Work {
        puzzles,
        rounds,
        busy,
        sweeps,
        ..work
    });
    outcome.crosscheck = crosscheck
        .zip(state.crosscheck)
        .map(|(counts, [puzzles, undecided])| CrosscheckCounts { puzzles, undecided, ..counts });
    state.slowest.into_iter().for_each(|slow| slowest.offer(slow));
    *points = state.points;
    for (index, line, error) in state.malformed {
        let malformed = MalformedRecord { path: name(index), line, error };
        watch.malformed(&malformed);
        outcome.malformed.push(malformed);
    }
    for (index, line, column, fault) in state.wrong_answers {
        let wrong = WrongAnswer { path: name(index), line, column, fault };
        watch.wrong_answer(&wrong);
        outcome.wrong_answers.push(wrong);
    }
    if state.has_header {
        header.leave_out();
    }
    Continued { finished: state.finished, current: state.current }
}

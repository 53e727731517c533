//! What a run has counted at a checkpoint, so that a later run can go on there.

use serde::{Deserialize, Serialize};

use super::SolveTask;
use super::answers::AnswerCounts;
use super::outcome::SolveOutcome;
use crate::engine::Work;
use crate::figures::{Points, Slow, TallyCounts};
use crate::input::AnswerFault;
use crate::input::source::Source;
use crate::pipeline::crosscheck::CrosscheckCounts;
use crate::pipeline::run::{Totals, name_of};
use crate::pipeline::watch::{Watch, WrongAnswer};

/// What a run has counted.
#[derive(Serialize, Deserialize)]
pub(super) struct SolveSums {
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
    /// Indices of sources, lines, columns, faults.
    wrong_answers: Vec<(usize, u64, u32, AnswerFault)>,
}

impl SolveSums {
    pub(super) fn of(task: &SolveTask, totals: &Totals) -> SolveSums {
        let outcome = &task.outcome;
        let mut tally = TallyCounts::default();
        outcome.tally.clone().take(&mut tally);
        SolveSums {
            tally,
            answers: outcome.answers,
            printed: outcome.printed,
            lost_fields: outcome.lost_fields,
            listed: outcome.listed,
            work: outcome.work.map(|work| [work.puzzles, work.rounds, work.busy, work.sweeps]),
            crosscheck: outcome.crosscheck.map(|counts| [counts.puzzles, counts.undecided]),
            slowest: task.slowest.all().cloned().collect(),
            points: task.points.clone(),
            wrong_answers: outcome
                .wrong_answers
                .iter()
                .map(|wrong| (totals.index_of(&wrong.path), wrong.line, wrong.column, wrong.fault))
                .collect(),
        }
    }
}

impl SolveTask {
    /// Takes over the counts of an earlier run, and tells `watch` its wrong answers. `work` and `crosscheck` are the
    /// counts of a new worker.
    pub(super) fn restore(
        &mut self,
        sums: SolveSums,
        (work, crosscheck): (Option<Work>, Option<CrosscheckCounts>),
        sources: &[Source],
        watch: &mut dyn Watch,
    ) {
        let SolveTask { outcome, slowest, points, .. } = self;
        let SolveOutcome { tally, answers, .. } = outcome;
        tally.add_counts(&sums.tally);
        *answers += sums.answers;
        outcome.lost_fields += sums.lost_fields;
        (outcome.printed, outcome.listed) = (sums.printed, sums.listed);
        outcome.work = work.zip(sums.work).map(|(work, [puzzles, rounds, busy, sweeps])| Work {
            puzzles,
            rounds,
            busy,
            sweeps,
            ..work
        });
        outcome.crosscheck = crosscheck
            .zip(sums.crosscheck)
            .map(|(counts, [puzzles, undecided])| CrosscheckCounts { puzzles, undecided, ..counts });
        sums.slowest.into_iter().for_each(|slow| slowest.offer(slow));
        *points = sums.points;
        for (index, line, column, fault) in sums.wrong_answers {
            let wrong = WrongAnswer { path: name_of(sources, index), line, column, fault };
            watch.wrong_answer(&wrong);
            outcome.wrong_answers.push(wrong);
        }
    }
}

//! The kind that puzzles may be if none of them has a solution as the kind that they were solved as.

use std::fs;

use galop::{SolveError, Solver};
use galop_batch::figures::{Tally, group_digits};
use galop_batch::input::{RecordReader, Source};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_engines::Rules;
use galop_engines::grid::KINDS;
use galop_engines::puzzle::Status;

use super::args::InputArgs;
use super::{input, messages, plan};

/// Puzzles from which it is no chance that none has a solution.
const FEW: u64 = 10;

/// Puzzles that are tried as other kinds.
const TRIED: usize = 100;

/// Guesses after which a try gives a puzzle up.
const MAX_GUESSES: u64 = 1_000;

/// Warns if none of many puzzles has a solution. Names the kind as which most of the first ones have one, if the first
/// of `sources` is a file, which is read again.
pub(super) fn warn_without_solutions(typed: &InputArgs, rules: &Rules, tally: &Tally, sources: &[Source]) {
    if rules.choices().is_some() {
        return;
    }
    let puzzles = tally.records() - tally.of(Status::Malformed);
    if puzzles < FEW || tally.of(Status::None) < puzzles {
        return;
    }
    let kind = kind_of(rules);
    let what = format!("none of {} puzzles has a solution as `{kind}`", group_digits(puzzles));
    let first = sources.first().and_then(|source| first_puzzles(typed, source, rules)).unwrap_or_default();
    match best_kind(rules, &first) {
        Some((other, solved)) => {
            let tried = first.len();
            let of = if solved < tried { format!("{solved} of ") } else { String::new() };
            messages::warn(format_args!(
                "{what}; as `{other}`, {of}the first {tried} have one: --kind {other}"
            ));
        }
        None if typed.grids.kind.kind.is_some() => {
            messages::warn(format_args!("{what}; is this --kind the right one?"));
        }
        None => {}
    }
}

/// The name of the kind, without the size.
fn kind_of(rules: &Rules) -> &str {
    rules.name().split(' ').next().unwrap_or_default()
}

/// The first puzzles of `source`, if it is a file.
fn first_puzzles(typed: &InputArgs, source: &Source, rules: &Rules) -> Option<Vec<String>> {
    // A pipe that has a name cannot be read again.
    fs::metadata(source.name()).ok().filter(fs::Metadata::is_file)?;
    let mut sources = input::open_each(source.name(), false).ok()?;
    sources.iter_mut().for_each(|source| plan::prepare(typed, source));
    let mut reader = RecordReader::new(sources.first_mut()?, CHUNK_BYTES, rules);
    let mut puzzles = Vec::new();
    while puzzles.len() < TRIED
        && let Ok(Some(records)) = reader.next_chunk()
    {
        let cells = records.iter().filter_map(|record| Some(record.puzzle.ok()?.cells));
        let text =
            |cells: &[u8]| cells.iter().map(|&cell| char::from(rules.alphabet().character(cell))).collect();
        puzzles.extend(cells.map(text).take(TRIED - puzzles.len()));
    }
    Some(puzzles)
}

/// The other kind as which most `puzzles` have exactly one solution, or else any, and how many have any.
fn best_kind(rules: &Rules, puzzles: &[String]) -> Option<(&'static str, usize)> {
    let side = rules.grid().cells().isqrt();
    let mut best: Option<(&'static str, [usize; 2])> = None;
    for kind in KINDS.iter().filter(|kind| kind.name != kind_of(rules)) {
        let Ok(other) = Rules::new(kind, side, None) else { continue };
        let Ok(other) = other.written_in(rules.alphabet().clone()) else { continue };
        let builder = Solver::builder().rules(other).unique(true).max_guesses(MAX_GUESSES);
        let Ok(mut solver) = builder.build() else { continue };
        let results = solver.solve_many(puzzles);
        let count = |is_counted: fn(&Result<_, SolveError>) -> bool| {
            results.iter().filter(|&one| is_counted(one)).count()
        };
        let only = count(|result| result.is_ok());
        let solved = [only, only + count(|result| matches!(result, Err(SolveError::Multiple)))];
        if solved[1] > 0 && best.is_none_or(|(_, best)| solved > best) {
            best = Some((kind.name, solved));
        }
    }
    best.map(|(name, [_, solved])| (name, solved))
}

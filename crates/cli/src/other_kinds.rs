//! The alphabet or the kind that puzzles may have if they were solved in another one.

use std::fs;

use galop::Solver;
use galop_batch::figures::{Tally, group_digits};
use galop_batch::input::{RecordReader, Source};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_engines::Rules;
use galop_engines::grid::{Alphabet, KINDS, Kind};
use galop_engines::puzzle::Status;

use super::args::InputArgs;
use super::{input, messages, plan};

/// Puzzles from which it is no chance that none has a solution.
const FEW: u64 = 10;

/// Puzzles that are tried as other kinds.
const TRIED: usize = 100;

/// Guesses after which a try gives a puzzle up.
const MAX_GUESSES: u64 = 1_000;

/// Warns if most puzzles have no solution or several, and names the alphabet in which most of the first ones have
/// exactly one. Otherwise warns if none of many puzzles has a solution, and names the kind as which most of the first
/// ones have exactly one: under weaker rules, puzzles with a fault in them have solutions too. Both are searched for if
/// the first of `sources` is a file, which is read again.
pub(super) fn warn_without_solutions(typed: &InputArgs, rules: &Rules, tally: &Tally, sources: &[Source]) {
    if rules.choices().is_some() {
        return;
    }
    let puzzles = tally.records() - tally.of(Status::Malformed);
    let unsolved = tally.of(Status::None) + tally.of(Status::Multiple);
    let source = sources.first();
    if 2 * unsolved > puzzles
        && let Some((name, solved, tried)) = source.and_then(|source| best_alphabet(typed, source, rules))
    {
        let (unsolved, puzzles) = (group_digits(unsolved), group_digits(puzzles));
        return messages::warn(format_args!(
            "{unsolved} of {puzzles} puzzles have no solution or several; in the alphabet {name}, {solved} of the first {tried} \
             have one: --alphabet {name}"
        ));
    }
    if puzzles < FEW || tally.of(Status::None) < puzzles {
        return;
    }
    let kind = kind_of(rules);
    let what = format!("none of {} puzzles has a solution as `{kind}`", group_digits(puzzles));
    let first = source.and_then(|source| first_puzzles(typed, source, rules)).unwrap_or_default();
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

/// The other alphabet in which the first puzzles of `source` are written and more than half of them have exactly one
/// solution: its name, how many have one, and how many were tried.
fn best_alphabet(typed: &InputArgs, source: &Source, rules: &Rules) -> Option<(String, usize, usize)> {
    let known = rules.alphabet().name();
    let others =
        Alphabet::all(rules.alphabet().symbols()).into_iter().filter(|alphabet| alphabet.name() != known);
    others.into_iter().find_map(|alphabet| {
        let name = alphabet.name().to_string();
        let other = rules.clone().written_in(alphabet).ok()?;
        let puzzles = first_puzzles(typed, source, &other)?;
        let is_written_so = puzzles.len() == first_puzzles(typed, source, rules)?.len();
        let solved = count_solved(other, &puzzles).filter(|_| is_written_so)?;
        (2 * solved > puzzles.len()).then_some((name, solved, puzzles.len()))
    })
}

/// How many `puzzles` have exactly one solution.
fn count_solved(rules: Rules, puzzles: &[String]) -> Option<usize> {
    let builder = Solver::builder().rules(rules).unique(true).max_guesses(MAX_GUESSES);
    let results = builder.build().ok()?.solve_many(puzzles);
    Some(results.iter().filter(|result| result.is_ok()).count())
}

/// The other kind as which most `puzzles` have exactly one solution, and how many have.
fn best_kind(rules: &Rules, puzzles: &[String]) -> Option<(&'static str, usize)> {
    let side = rules.grid().cells().isqrt();
    let solved_as = |kind: &'static Kind| {
        let other = Rules::new(kind, side, None).ok()?.written_in(rules.alphabet().clone()).ok()?;
        Some((kind.name, count_solved(other, puzzles)?))
    };
    let others = KINDS.iter().filter(|kind| kind.name != kind_of(rules)).filter_map(solved_as);
    // The first of equals: sudoku is the first of the kinds.
    let best = others.rev().max_by_key(|(_, solved)| *solved);
    best.filter(|(_, solved)| 2 * solved > puzzles.len())
}

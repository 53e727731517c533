//! The explanation of a puzzle, as the page shows it.

use std::time::{Duration, Instant};

use galop_explain::{Candidate, End, Explanation, Options, explain};
use serde::Serialize;

use super::limits::{EXPLAIN_STEPS, FIRST_EXPLAIN_WORK, MORE_WORK, SEARCH_TIME};
use super::message::{Refusal, Status};
use super::puzzle::Puzzle;
use super::search::Places;
use galop_engines::grid::{Cell, Impossible, Rules, UnitName};

/// An explanation. Cells count from 0, symbols from 1.
#[derive(Debug, Serialize)]
pub(super) struct Explained {
    /// Clues, level and techniques in words.
    summary: String,
    steps: Vec<StepView>,
    is_solved: bool,
    /// How it ends, in words.
    end: String,
    /// The cells of a contradiction at the end.
    bad: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct StepView {
    technique: &'static str,
    text: String,
    /// A cell and a symbol each.
    places: Vec<(u16, u8)>,
    eliminates: Vec<(u16, u8)>,
    because: Vec<(u16, u8)>,
}

/// Explains the puzzle. `unique`: it is known to have one solution.
pub(super) fn explained(puzzle: &Puzzle, unique: bool, searches: &Places) -> Result<Explained, Refusal> {
    let Puzzle { rules, cells, .. } = puzzle;
    let with = |max_work| {
        let options = Options::default().unique(unique).max_steps(EXPLAIN_STEPS).max_work(max_work);
        explain(rules, cells, &options).map_err(|error| Refusal::new(Status::UNREADABLE, error.to_string()))
    };
    // As a search: with little work, and with more as long as that is not enough and time is left.
    let mut work = FIRST_EXPLAIN_WORK;
    let (mut spent, mut place) = (Duration::ZERO, None);
    let found = loop {
        let before = Instant::now();
        let found = with(work)?;
        let last = before.elapsed();
        spent += last;
        if found.end != End::Limit || spent + MORE_WORK * last > SEARCH_TIME {
            break found;
        }
        work = work.saturating_mul(MORE_WORK.into());
        if place.is_none() {
            place = Some(searches.take()?);
        }
    };
    let pairs = |candidates: &[Candidate]| candidates.iter().map(|one| (one.cell, one.symbol)).collect();
    let steps = found.steps.iter().map(|step| StepView {
        technique: step.technique.name,
        text: step.text(rules),
        places: pairs(&step.places),
        eliminates: pairs(&step.eliminates),
        because: pairs(&step.because),
    });
    Ok(Explained {
        summary: summary(&found),
        steps: steps.collect(),
        is_solved: found.end == End::Solved,
        end: end(found.end, rules),
        bad: match found.end {
            End::Contradiction(reason) => cells_of(reason, rules),
            _ => Vec::new(),
        },
    })
}

/// `23 clues, 2 singles at the start; hard (3.0): hidden single 40, naked pair 3.`
fn summary(found: &Explanation) -> String {
    let plural =
        |count: usize, word: &str| galop_batch::figures::pluralize(count as u64, word, &format!("{word}s"));
    let start = format!("{}, {} at the start", plural(found.clues, "clue"), plural(found.singles, "single"));
    let Some(level) = found.level() else { return format!("{start}.") };
    let counts: Vec<String> =
        found.counts().iter().map(|(technique, count)| format!("{} {count}", technique.name)).collect();
    let score = f64::from(found.score()) / 10.0;
    format!("{start}; {} ({score:.1}): {}.", level.name(), counts.join(", "))
}

/// How it ends.
fn end(end: End, rules: &Rules) -> String {
    let written = |symbol| char::from(rules.alphabet().character(symbol)).to_string();
    match end {
        End::Solved => "Solved: the last step fills the last cell.".to_owned(),
        End::Contradiction(reason) => format!("No solution: {}.", reason.in_words(written)),
        End::Several => "The puzzle has several solutions, so there is no further step.".to_owned(),
        End::Stuck => "The techniques find nothing more. The puzzle may have several solutions.".to_owned(),
        _ => "The explanation takes more work than a request may take.".to_owned(),
    }
}

/// The cells of a contradiction.
fn cells_of(reason: Impossible, rules: &Rules) -> Vec<usize> {
    let grid = rules.grid();
    let side = grid.side();
    let number = |cell: Cell| (cell.row - 1) * side + cell.column - 1;
    let in_unit = |unit: UnitName| -> Vec<usize> {
        // The units are rows, columns, then blocks or regions, then extra units.
        let blocks = if grid.units().len() >= 3 * side { side } else { 0 };
        let at = match unit {
            UnitName::Row(row) => row,
            UnitName::Column(column) => side + column,
            UnitName::Block(block) => 2 * side + block,
            UnitName::Extra(extra) => 2 * side + blocks + extra,
        };
        grid.units().get(at - 1).cloned().unwrap_or_default()
    };
    match reason {
        Impossible::Twice { cells, .. } => cells.map(number).to_vec(),
        Impossible::Symbol { cell, .. } | Impossible::NoCandidate { cell, .. } => vec![number(cell)],
        Impossible::NoPlace { unit, .. } => in_unit(unit),
        _ => Vec::new(),
    }
}

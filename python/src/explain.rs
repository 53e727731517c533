//! `explain`, `hint`, `techniques`, and drawings of grids.

use galop_batch::output;
use galop_explain::{
    Candidate, End, Explainer, Explanation, Level, Options, Position, Step, TECHNIQUES, Technique, named,
};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::call::{check, in_blocks, over_rows};
use crate::error::{unknown, value_error};
use crate::rules::Rules;

/// Row, column and symbol, counted from 1.
type Placed = (usize, usize, u8);

/// The cells of a node of a chain, each as row and column, its symbol, and whether it is assumed to be there.
type Link = (Vec<(usize, usize)>, u8, bool);

/// Technique, level, score in tenths and text; what is placed, what is eliminated, what proves it; names of units;
/// chains; almost locked sets.
type StepFields = (
    (&'static str, &'static str, u16, String),
    [Vec<Placed>; 3],
    Vec<String>,
    Vec<Vec<Link>>,
    Vec<Vec<(usize, usize)>>,
);

/// The text; how it ends, and why there is no solution; clues and hidden singles at the start; the cells at the end;
/// the steps.
type Fields = (String, (&'static str, Option<String>), [usize; 2], String, Vec<StepFields>);

fn technique(name: &str) -> PyResult<&'static Technique> {
    named(name).ok_or_else(|| unknown("technique", name, TECHNIQUES.iter().map(|technique| technique.name)))
}

/// Explains rows of cells; of each at most `max_steps` steps.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn explain(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    hardest: Option<&str>,
    without: Vec<String>,
    unique: bool,
    max_steps: Option<usize>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Fields>> {
    let mut options = Options::default().unique(unique);
    if let Some(name) = hardest {
        options = options.hardest(technique(name)?);
    }
    for name in &without {
        options = options.without(technique(name)?);
    }
    if let Some(steps) = max_steps {
        options = options.max_steps(steps);
    }
    let make = || Ok(Explainer::new(&rules.rules));
    over_rows(py, rules, &puzzles, progress.as_ref(), |puzzles, control| {
        let puzzles = puzzles.chunks_exact(rules.cells()).collect();
        in_blocks(threads, puzzles, make, |explainer, puzzle: &[u8]| {
            let mut steps = explainer.steps(puzzle, &options).map_err(value_error)?;
            // An explanation may take seconds, so each step looks whether to stop.
            let taken: Vec<Step> = steps.by_ref().take_while(|_| !control.is_stopped()).collect();
            check(control)?;
            control.add(1);
            Ok(fields(&steps.explanation(taken), puzzle, &rules.rules))
        })
    })
}

fn fields(explanation: &Explanation, puzzle: &[u8], rules: &galop_engines::Rules) -> Fields {
    let text = explanation.text(puzzle, rules);
    let written = |symbol: u8| char::from(rules.alphabet().character(symbol));
    let reason = match explanation.end {
        End::Contradiction(reason) => Some(reason.in_words(|symbol| written(symbol).to_string())),
        _ => None,
    };
    let cells = explanation.cells.iter().map(|&symbol| written(symbol)).collect();
    let steps = explanation.steps.iter().map(|step| step_fields(step, rules)).collect();
    (text, (explanation.end.word(), reason), [explanation.clues, explanation.singles], cells, steps)
}

fn step_fields(step: &Step, rules: &galop_engines::Rules) -> StepFields {
    let side = rules.grid().side().max(1);
    let place = |cell: u16| (usize::from(cell) / side + 1, usize::from(cell) % side + 1);
    let places = |cells: &[u16]| cells.iter().map(|&cell| place(cell)).collect::<Vec<_>>();
    let placed = |candidates: &[Candidate]| {
        let of = |one: &Candidate| (place(one.cell).0, place(one.cell).1, one.symbol);
        candidates.iter().map(of).collect::<Vec<_>>()
    };
    let units = step.units.iter().chain(&step.covers);
    let link = |node: &galop_explain::Node| (places(&node.cells), node.symbol, node.is_true);
    (
        (step.technique.name, Level::of(step.score).name(), step.score, step.text(rules)),
        [placed(&step.places), placed(&step.eliminates), placed(&step.because)],
        units.map(|&unit| rules.grid().unit_name(usize::from(unit)).to_string()).collect(),
        step.chains.iter().map(|chain| chain.iter().map(link).collect()).collect(),
        step.sets.iter().map(|set| places(set)).collect(),
    )
}

/// Name, level, score in tenths, group, whether it needs uniqueness, and description of each technique, the easiest
/// first.
#[pyfunction]
pub(crate) fn techniques() -> Vec<(&'static str, &'static str, u16, &'static str, bool, &'static str)> {
    let row = |one: &Technique| {
        (one.name, one.level().name(), one.score, one.group, one.needs_uniqueness, one.description)
    };
    TECHNIQUES.iter().map(row).collect()
}

/// The candidates of each cell that the cells leave: bit `symbol - 1`.
#[pyfunction]
pub(crate) fn candidates(rules: &Rules, cells: Vec<u8>) -> PyResult<Vec<u64>> {
    rules.check(cells.len())?;
    Ok(Position::new(&rules.rules, &cells).marks)
}

/// The number of the block or region of each cell.
#[pyfunction]
pub(crate) fn parts(rules: &Rules) -> Vec<usize> {
    let grid = rules.rules.grid();
    (0..grid.cells()).map(|cell| grid.part(cell)).collect()
}

/// Grids beside each other, in frames, as the tool draws them.
#[pyfunction]
pub(crate) fn framed(rules: &Rules, grids: Vec<Vec<u8>>) -> PyResult<String> {
    grids.iter().try_for_each(|cells| rules.check(cells.len()))?;
    let grids: Vec<&[u8]> = grids.iter().map(Vec::as_slice).collect();
    Ok(output::framed(&grids, &rules.rules))
}

/// The candidates of each cell as text, as the tool draws them.
#[pyfunction]
pub(crate) fn framed_candidates(rules: &Rules, marks: Vec<u64>) -> PyResult<String> {
    rules.check(marks.len())?;
    Ok(output::display(&marks, &rules.rules))
}

//! The techniques: the list, and what one of them is, with an example.

use galop_explain::{Explainer, Options, Position, TECHNIQUES, Technique, named};
use serde::Serialize;

use super::explanation::StepView;
use super::message::{Refusal, Response, Status};
use super::pool;
use super::puzzle::{Puzzle, PuzzleRequest};

/// A line of the list.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    name: &'static str,
    level: &'static str,
    score: String,
    needs_uniqueness: bool,
}

impl Row {
    fn new(technique: &Technique) -> Row {
        Row {
            name: technique.name,
            level: technique.level().name(),
            score: format!("{:.1}", f64::from(technique.score) / 10.0),
            needs_uniqueness: technique.needs_uniqueness,
        }
    }
}

/// All techniques, the easiest first.
pub(super) fn list() -> Vec<Row> {
    TECHNIQUES.iter().map(Row::new).collect()
}

/// What a technique is.
#[derive(Debug, Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    row: Row,
    /// For players: some sentences.
    description: &'static str,
    example: Option<Example<'a>>,
    /// Whether there are new puzzles that need it.
    has_puzzles: bool,
}

/// The first step with the technique in its example, and the position before it.
#[derive(Debug, Serialize)]
struct Example<'a> {
    puzzle: super::puzzle::View<'a>,
    position: Place,
    step: StepView,
}

/// Cells as in a puzzle; candidates of each cell: bit `symbol - 1`.
#[derive(Debug, Serialize)]
struct Place {
    cells: Vec<u8>,
    marks: Vec<u64>,
}

/// The page about the technique called `name`.
pub(super) fn page<'a>(name: &str) -> Result<Response<'a>, Refusal> {
    let Some(technique) = named(name) else {
        let reason = format!("there is no technique `{}`", name.escape_default());
        return Err(Refusal::new(Status::NOT_FOUND, reason));
    };
    let puzzle = PuzzleRequest::of(technique.example.kind, technique.example.puzzle).puzzle()?;
    let example = example(technique, &puzzle);
    let (row, description, has_puzzles) = (Row::new(technique), technique.description, pool::has(technique));
    Ok(Response::json(&Page { row, description, example, has_puzzles }))
}

fn example<'a>(technique: &Technique, puzzle: &'a Puzzle) -> Option<Example<'a>> {
    let Puzzle { rules, cells, .. } = puzzle;
    let explainer = Explainer::new(rules);
    let options = Options::default().unique(technique.needs_uniqueness);
    let mut position = Position::new(rules, cells);
    for step in explainer.steps(cells, &options).ok()? {
        if step.technique == technique {
            let Position { cells, marks } = position;
            let position = Place { cells, marks };
            return Some(Example { puzzle: puzzle.view(), position, step: StepView::new(&step, rules) });
        }
        position.apply(rules, &step);
    }
    None
}

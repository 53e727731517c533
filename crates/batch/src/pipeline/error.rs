//! What ends a run: two engines that contradict each other, tables with different columns.

use std::fmt;

use crate::error::Fact;

impl Fact for ColumnsDiffer {}
impl Fact for Disagreement {}
impl Fact for NotConverted {}

/// The output keeps the columns of the first input, and the columns of another input differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its columns differ from the columns of the first input, which the output keeps")]
pub struct ColumnsDiffer;

/// Records are not converted to this format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("records cannot be converted to the format `{format}`, because it has no puzzles")]
pub struct NotConverted {
    /// The name of the format.
    pub format: &'static str,
}

/// Two answers to one puzzle that cannot both be right: a bug in an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The puzzle as text, one character per cell.
    pub puzzle: String,
    /// The answer of the run's engine, then the second engine's answer.
    pub opinions: [Opinion; 2],
}

/// An engine's answer to a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The engine's name.
    pub engine: String,
    /// Solutions it found.
    pub solutions: u64,
    /// Whether it gave up after those.
    pub gave_up: bool,
    /// The first solution as text, one character per cell.
    pub solution: Option<String>,
}

impl std::error::Error for Disagreement {}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.opinions;
        let width = "puzzle".len().max(first.engine.len()).max(second.engine.len());
        writeln!(f, "two engines contradict each other")?;
        writeln!(f, "  {:<width$} {}", "puzzle", self.puzzle)?;
        for opinion in [first, second] {
            writeln!(f, "  {:<width$} {opinion}", opinion.engine)?;
        }
        write!(f, "this is a bug in galop, in `{}` or `{}`", first.engine, second.engine)
    }
}

impl fmt::Display for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.gave_up {
            f.write_str("gave up after ")?;
        }
        match (&self.solution, self.solutions) {
            (None, _) => f.write_str("no solution"),
            (Some(solution), 1) => write!(f, "1 solution {solution}"),
            (Some(solution), count) => write!(f, "{count} solutions, the first {solution}"),
        }
    }
}

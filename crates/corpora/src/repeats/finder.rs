//! The keys by which records are equal.

use crate::classes::{ClassOptions, Classes};
use crate::engine::Entry;
use crate::error::Error;
use crate::grid::Rules;
use crate::input::Record;
use crate::pipeline::rewrite::{Editor, EditorPage};
use crate::pipeline::{ChunkJob, Failure};
use crate::symmetry::{FormKind, key};

/// What makes two records equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// A symmetry makes one puzzle the other.
    Puzzle,
    /// A symmetry makes the solution of one the solution of the other. Puzzles without a single solution equal no
    /// other.
    Grid,
    /// The cells of the puzzles are the same.
    Text,
}

impl By {
    /// All of them.
    pub const ALL: [By; 3] = [By::Puzzle, By::Grid, By::Text];

    /// The name: `puzzle`, `grid` or `text`.
    pub fn name(self) -> &'static str {
        match self {
            By::Puzzle => "puzzle",
            By::Grid => "grid",
            By::Text => "text",
        }
    }

    /// One line: which records are equal.
    pub fn about(self) -> &'static str {
        match self {
            By::Puzzle => "a symmetry turns one puzzle into the other",
            By::Grid => {
                "a symmetry turns one solution into the other; puzzles without exactly one solution equal no other"
            }
            By::Text => "the cells are the same",
        }
    }

    /// The engine that counts the solutions of puzzles of `rules`, if that is needed.
    pub fn engine(self, rules: &Rules) -> Option<&'static Entry> {
        if self == By::Text { None } else { ClassOptions::default().engine(rules) }
    }
}

/// The keys of a puzzle, as far as it has them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RecordKeys {
    /// By the puzzle, or by its cells.
    pub(super) puzzle: Option<u128>,
    /// By its solution grid.
    pub(super) grid: Option<u128>,
    /// Whether its form is direct.
    pub(super) is_direct: bool,
}

/// Finds the keys of puzzles. Each thread has one.
pub(super) struct KeyFinder {
    /// `None` if only equal cells count.
    classes: Option<Classes>,
}

impl KeyFinder {
    pub(super) fn new(rules: &Rules, by: By, trusts_answers: bool) -> Result<KeyFinder, Error> {
        let options = ClassOptions::default().trusts_answers(trusts_answers);
        let classes = (by != By::Text).then(|| Classes::new(rules, options)).transpose()?;
        Ok(KeyFinder { classes })
    }

    /// To be called before the first record of `chunk`.
    pub(super) fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        self.classes.as_mut().map_or(Ok(()), |classes| classes.begin(chunk))
    }

    /// The keys of a record of `chunk`; `None` if it is malformed.
    pub(super) fn keys(
        &mut self,
        record: &Record<'_>,
        chunk: &ChunkJob<'_>,
    ) -> Result<Option<RecordKeys>, Failure> {
        let Ok(puzzle) = &record.puzzle else { return Ok(None) };
        let Some(classes) = &mut self.classes else {
            return Ok(Some(RecordKeys { puzzle: Some(key(puzzle.cells)), ..RecordKeys::default() }));
        };
        Ok(Some(classes.form(chunk, puzzle.place)?.map_or_else(RecordKeys::default, |form| RecordKeys {
            puzzle: Some(form.key()),
            grid: form.solution_key(),
            is_direct: form.kind == FormKind::Direct,
        })))
    }
}

/// Notes the keys of records, and writes nothing.
impl Editor for KeyFinder {
    type Note = Option<RecordKeys>;
    type Counts = ();

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        KeyFinder::begin(self, chunk)
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, Self::Note>) -> Result<(), Failure> {
        let keys = self.keys(record, out.chunk)?;
        out.note(record, keys);
        Ok(())
    }
}

impl RecordKeys {
    /// The key that `by` asks for, if the puzzle has it.
    pub(super) fn of(&self, by: By) -> Option<u128> {
        match by {
            By::Puzzle | By::Text => self.puzzle,
            By::Grid => self.grid,
        }
    }
}

//! Which column of a table, or which key of an object, holds the puzzles, and which the answers.
//!
//! The user names it, or its name is one of [`PUZZLE`], or the fields of the first rows show it: it is the only column
//! in which all fields are puzzles. A column of full grids holds answers.

use super::Notation;
use crate::input::error::InputError;
use crate::input::notation::{without_marks, without_spaces};
use crate::puzzle::Status;

/// The columns that the user chose, each by its name or its number from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice {
    /// The column of the puzzles; `None`: it is found.
    pub puzzle: Option<String>,
    /// The column of the answers; `None`: it is found, if there is one.
    pub answer: Option<String>,
}

impl ColumnChoice {
    /// Whether no column was chosen.
    pub(super) fn is_empty(&self) -> bool {
        *self == ColumnChoice::default()
    }
}

/// Names of the puzzle column, in lowercase. If a header has several of them, the first of the list counts.
const PUZZLE: &[&str] = &[
    "puzzle",
    "puzzles",
    "question",
    "questions",
    "quiz",
    "quizzes",
    "sudoku",
    "initial_board",
    "sudoku_puzzle",
    "sudoku_puzzles",
];
/// Names that a puzzle column often has, and other columns too: they count if the column holds puzzles.
const LIKELY_PUZZLE: &[&str] = &[
    "board", "boards", "grid", "grids", "unsolved", "input", "inputs", "start", "initial", "problem",
    "problems", "givens",
];
/// Names of the answer column.
const ANSWER: &[&str] = &["solution", "answer", "answers", "solutions"];
/// The name of the column that says why there is no solution, in galop's own output, and what it is if a table has that
/// name already.
const STATUS: [&str; 2] = ["status", "galop_status"];
const PREFIX: &str = "galop_";

/// The columns that are read, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ColumnPlaces {
    pub(super) puzzle: usize,
    pub(super) answer: Option<usize>,
    /// The column that says why there is no answer.
    pub(super) status: Option<usize>,
}

/// The columns of a source and the fields of its first rows.
pub(super) struct Columns<'a> {
    /// Their names, as they are written.
    pub(super) names: Vec<String>,
    /// A row each. Fields that a row lacks are empty.
    pub(super) rows: Vec<Vec<Vec<u8>>>,
    /// Whether the names may be taken for names if none of them is known.
    pub(super) are_named: bool,
    pub(super) notation: &'a Notation,
}

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// A grid with blanks.
    Puzzle,
    /// A grid without blanks.
    Full,
    /// Anything else.
    Other,
}

impl Content {
    pub(super) fn of(field: &[u8], notation: &Notation) -> Content {
        if notation.choices.is_some() {
            // Any text may be choices: only names show the columns.
            return Content::Other;
        }
        let (mut cells, field) = (Vec::new(), &*without_spaces(without_marks(field)));
        match field.len() == notation.cells && notation.push_cells(field, &mut cells) {
            false => Content::Other,
            true if cells.contains(&0) => Content::Puzzle,
            true => Content::Full,
        }
    }
}

impl Columns<'_> {
    /// The columns to read. `None` if nothing shows that these are columns at all.
    ///
    /// # Errors
    /// [`InputError::UnknownColumn`], [`InputError::UnclearColumn`] or [`InputError::PuzzleColumns`].
    pub(super) fn find(&self, choice: &ColumnChoice) -> Result<Option<ColumnPlaces>, InputError> {
        let puzzle = match &choice.puzzle {
            Some(name) => Some(self.chosen(name)?),
            None => self.puzzle()?,
        };
        let Some(puzzle) = puzzle else {
            return if choice.is_empty() { Ok(None) } else { Err(self.unclear()) };
        };
        let answer = match &choice.answer {
            Some(name) => Some(self.chosen(name)?),
            None => self.answer(puzzle),
        };
        let is_prefixed = answer.is_some_and(|answer| self.name(answer).starts_with(PREFIX));
        let [usual, prefixed] = STATUS.map(|name| self.named(&[name], puzzle));
        let status = if is_prefixed { prefixed.or(usual) } else { usual };
        Ok(Some(ColumnPlaces { puzzle, answer, status }))
    }

    /// The name of a column, as it is compared.
    fn name(&self, column: usize) -> String {
        self.names[column].trim().to_ascii_lowercase()
    }

    /// Whether the name of a column says that it holds answers.
    pub(super) fn is_answer(&self, column: usize) -> bool {
        ANSWER.contains(&&*self.name(column))
    }

    /// The first column but `other` with the first name of a list that any has.
    fn named(&self, names: &[&str], other: usize) -> Option<usize> {
        let column = |wanted: &&str| {
            (0..self.names.len()).find(|&column| column != other && self.name(column) == **wanted)
        };
        names.iter().find_map(column)
    }

    /// The column that the user calls `name`: the column of that name, or else of that number.
    fn chosen(&self, name: &str) -> Result<usize, InputError> {
        let wanted = name.trim().to_ascii_lowercase();
        let number = || wanted.parse().ok().filter(|number| (1..=self.names.len()).contains(number));
        let column = self.named(&[&wanted], usize::MAX).or_else(|| Some(number()? - 1));
        column.ok_or_else(|| InputError::UnknownColumn { name: name.to_owned(), columns: self.names.clone() })
    }

    fn puzzle(&self) -> Result<Option<usize>, InputError> {
        if let Some(puzzle) = self.named(PUZZLE, usize::MAX) {
            let name = self.name(puzzle);
            let again = (puzzle + 1..self.names.len()).find(|&column| self.name(column) == name);
            return match again {
                Some(second) => Err(InputError::PuzzleColumns { name, columns: [puzzle + 1, second + 1] }),
                None => Ok(Some(puzzle)),
            };
        }
        let has_puzzle = |column: &usize| self.contents(*column).any(|content| content == Content::Puzzle);
        let likely = |column: &usize| LIKELY_PUZZLE.contains(&&*self.name(*column)) && has_puzzle(column);
        if let Some(puzzle) = only((0..self.names.len()).filter(likely)) {
            return Ok(Some(puzzle));
        }
        if !self.are_named {
            return Ok(None);
        }
        let is_full = |column: &usize| self.contents(*column).all(|content| content != Content::Other);
        let with_puzzles: Vec<usize> = (0..self.names.len()).filter(has_puzzle).collect();
        match only(with_puzzles.iter().copied().filter(is_full)) {
            None if !with_puzzles.is_empty() => Err(self.unclear()),
            puzzle => Ok(puzzle),
        }
    }

    fn answer(&self, puzzle: usize) -> Option<usize> {
        let is_full = |column: &usize| {
            let mut contents = self.contents(*column).peekable();
            contents.peek().is_some() && contents.all(|content| content == Content::Full)
        };
        let others = (0..self.names.len()).filter(|&column| column != puzzle);
        self.named(ANSWER, puzzle).or_else(|| only(others.filter(is_full)))
    }

    /// What the fields of a column hold, without those that are empty or lacking.
    fn contents(&self, column: usize) -> impl Iterator<Item = Content> {
        let fields =
            self.rows.iter().filter_map(move |row| row.get(column)).filter(|field| !field.is_empty());
        fields.map(|field| Content::of(field, self.notation))
    }

    /// The error that nothing shows which column holds the puzzles.
    pub(super) fn unclear(&self) -> InputError {
        InputError::UnclearColumn { columns: self.names.clone() }
    }
}

/// The only item.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

/// The columns that are read, by their names.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TakenColumns {
    /// The column of the puzzles.
    pub puzzle: String,
    /// The column of the answers, if there is one.
    pub answer: Option<String>,
}

impl std::fmt::Display for TakenColumns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "puzzles in `{}`", self.puzzle.escape_debug())?;
        match &self.answer {
            Some(answer) => write!(f, ", answers in `{}`", answer.escape_debug()),
            None => write!(f, ", no answers"),
        }
    }
}

/// The status whose word is `text`.
pub(crate) fn status_of(text: &[u8]) -> Option<Status> {
    Status::ALL.into_iter().find(|status| status.word().as_bytes() == text)
}

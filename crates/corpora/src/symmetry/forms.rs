//! Canonical forms and what belongs to them.

use super::key::key;
use super::transformation::Symmetry;

/// What the canonical form of a record is the least of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormKind {
    /// The images of its solution grid; the clues go with it.
    Solution,
    /// The images of its clues.
    Direct,
}

impl FormKind {
    /// The name in outputs: `solution` or `direct`.
    pub fn name(self) -> &'static str {
        match self {
            FormKind::Solution => "solution",
            FormKind::Direct => "direct",
        }
    }
}

/// Why a record has no canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoForm {
    /// A row, column or block of the solution lacks a symbol.
    #[error("the solution is not a solution grid: a row, column or block lacks a symbol")]
    NotAGrid,
    /// The solution differs from a clue.
    #[error("the solution differs from a clue")]
    Clue,
    /// A cell of the puzzle holds a number above the symbols of the rules.
    #[error("{found} is not a symbol of the rules (1 to {largest}, and 0 for a blank)")]
    Symbol {
        /// The largest number in the puzzle.
        found: u8,
        /// The largest symbol.
        largest: u8,
    },
}

/// The canonical form of one record.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// What it is the least of.
    pub kind: FormKind,
    /// Its cells, row-major, 0 for a blank: of the puzzle, or of the solution grid if the records are grids.
    pub cells: &'a [u8],
    /// The canonical solution grid; `None` in forms of grids, and in direct forms.
    pub solution: Option<&'a [u8]>,
    /// A symmetry that leads from the record to the form.
    pub symmetry: Symmetry,
    /// Automorphisms of the record: the symmetries that move cells (the one that moves none among them) and that, with
    /// some names of the symbols, make it itself. They are as many for all records of a class.
    pub automorphisms: u32,
    /// Automorphisms of the solution grid; `None` in direct forms.
    pub solution_automorphisms: Option<u32>,
}

impl Form<'_> {
    /// The [`key`](super::key()) of the cells.
    pub fn key(&self) -> u128 {
        key(self.cells)
    }

    /// The [`key`](super::key()) of the canonical solution grid; `None` in direct forms.
    pub fn solution_key(&self) -> Option<u128> {
        match self.kind {
            FormKind::Solution => Some(key(self.solution.unwrap_or(self.cells))),
            FormKind::Direct => None,
        }
    }
}

/// The canonical forms of a batch, in the order of its records. Used again for the next batch, it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    stride: usize,
    pub(super) cells: Vec<u8>,
    pub(super) solutions: Vec<u8>,
    pub(super) entries: Vec<Result<Entry, NoForm>>,
    has_puzzles: bool,
}

/// A form without its cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) kind: FormKind,
    pub(super) symmetry: Symmetry,
    pub(super) automorphisms: u32,
    pub(super) solution_automorphisms: u32,
}

impl Forms {
    /// Makes places for the forms of `count` records of `stride` cells.
    pub(super) fn start(&mut self, stride: usize, count: usize, has_puzzles: bool) {
        (self.stride, self.has_puzzles) = (stride, has_puzzles);
        self.cells.resize(stride * count, 0);
        self.solutions.resize(stride * count, 0);
        self.entries.clear();
        self.entries.reserve(count);
    }

    /// The form of the record at `place`, or why it has none; `None` past the end.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<Result<Form<'_>, NoForm>> {
        let entry = self.entries.get(place)?;
        Some(entry.map(|Entry { kind, symmetry, automorphisms, solution_automorphisms }| {
            let of = |cells| -> &[u8] { self.part(cells, place) };
            let is_solved = kind == FormKind::Solution;
            Form {
                kind,
                cells: of(&self.cells),
                solution: (is_solved && self.has_puzzles).then(|| of(&self.solutions)),
                symmetry,
                automorphisms,
                solution_automorphisms: is_solved.then_some(solution_automorphisms),
            }
        }))
    }

    /// The forms in order.
    pub fn iter(&self) -> impl Iterator<Item = Result<Form<'_>, NoForm>> {
        (0..self.entries.len()).filter_map(|place| self.get(place))
    }

    fn part<'a>(&self, cells: &'a [u8], place: usize) -> &'a [u8] {
        cells.get(place * self.stride..).and_then(|rest| rest.get(..self.stride)).unwrap_or(&[])
    }
}

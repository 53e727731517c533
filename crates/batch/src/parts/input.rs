//! What a run read of a source.

use std::path::PathBuf;

use crate::input::TakenColumns;
use crate::input::source::Source;

/// A source, and what was read of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolvedInput {
    /// Its path, or `<stdin>`.
    pub name: PathBuf,
    /// The name of its format: `lines`, `csv`, `json` or `grids`.
    pub format: &'static str,
    /// The columns or keys that were read, if it has columns or keys.
    pub columns: Option<TakenColumns>,
    /// The names of arrays in an archive that became no columns of the output, though it has columns for others.
    pub left_out: Vec<String>,
    /// Whether its puzzles have eliminated candidates, as in lines of `HoDoKu`, which are not used.
    pub has_eliminations: bool,
    /// Bytes read.
    pub bytes: u64,
    /// Lines read, and the lines before the first record that was asked for.
    pub lines: u64,
    /// Records among them.
    pub records: u64,
    /// Whether it was mapped into memory.
    pub mapped: bool,
}

impl SolvedInput {
    /// A source of which nothing was read yet.
    pub(crate) fn of(source: &mut Source) -> SolvedInput {
        let (name, mapped) = (source.name().to_owned(), source.is_mapped());
        SolvedInput { name, mapped, ..SolvedInput::default() }
    }
}

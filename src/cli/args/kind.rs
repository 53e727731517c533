//! What kind of puzzles the files hold, and how they are written.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use galop::grid::{Alphabet, KINDS, Kind, kind};

/// What kind of puzzles the files hold, and how they are written.
#[derive(ClapArgs, Clone, Debug, Default)]
pub(crate) struct KindArgs {
    /// The kind of puzzle [default: sudoku; jigsaw where --regions is given]
    ///
    /// How large a puzzle is follows from the length of the first record: 16 characters are 4x4, 36 6x6, 81 9x9, 144
    /// 12x12, 256 16x16, 625 25x25; a Latin square or a jigsaw may have any side from 4 to 25. All records of a run are
    /// of one size.
    #[arg(long, value_name = "KIND", value_parser = kind_parser(), help_heading = "Kinds of puzzles")]
    pub(crate) kind: Option<&'static Kind>,

    /// The regions of a jigsaw: a file with a character a cell, the same for all cells of a region
    #[arg(long, value_name = "FILE", help_heading = "Kinds of puzzles")]
    pub(crate) regions: Option<PathBuf>,

    /// How more than nine symbols are written: 1-9A-G, 0-9A-F, A-P of sixteen [default: what the characters tell]
    ///
    /// G is no symbol of 0-9A-F, a digit none of A-P, and 0 beside another blank is no blank. A file that is mapped is
    /// looked through until one alphabet is left, a stream as far as its first 32 KiB. Where several are left, that is
    /// an error. Small letters are read as large ones. Where nothing is read, 1-9 and letters from A.
    #[arg(long, value_name = "NAME", value_parser = alphabet, help_heading = "Kinds of puzzles")]
    pub(crate) alphabet: Option<Alphabet>,
}

/// The table of kinds: name and line.
fn kind_parser() -> impl TypedValueParser<Value = &'static Kind> {
    let values = KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.about));
    PossibleValuesParser::new(values).map(|name| kind(&name).unwrap_or(&KINDS[0]))
}

fn alphabet(name: &str) -> Result<Alphabet, String> {
    Alphabet::named(name).ok_or_else(|| {
        format!("`{name}` is no alphabet: 1-9A-G, 0-9A-F, A-P for sixteen symbols, likewise for others")
    })
}

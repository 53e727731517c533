//! The kind of the puzzles, and how they are written.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::TypedValueParser;
use galop_engines::grid::{Alphabet, KINDS, Kind};

use super::values::{table_parser, value};

/// The kind of the puzzles, and how they are written.
#[derive(ClapArgs, Clone, Debug, Default)]
pub(crate) struct KindArgs {
    /// The kind of puzzle [default: sudoku, or jigsaw with --regions]
    ///
    /// Where puzzles are read, the length of the first record gives the size of all: 16 characters are 4x4, 36 are 6x6,
    /// 81 are 9x9, 144 are 12x12, 256 are 16x16, 625 are 25x25. Latin squares and jigsaws have any side from 4 to 25.
    #[arg(long, value_name = "KIND", value_parser = kind_parser(), help_heading = "Input")]
    pub(crate) kind: Option<&'static Kind>,

    /// The file with the regions of a jigsaw: one character per cell, the same for all cells of a region
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) regions: Option<PathBuf>,

    /// How more than nine symbols are written; for 16 symbols 1-9A-G, 0-9A-F or A-P [default: from the puzzles]
    ///
    /// Without this option, the characters of the puzzles decide: G is not in 0-9A-F, digits are not in A-P, and 0 is
    /// a symbol if the puzzles have another blank. Mapped files are read until one alphabet is left, streams up to
    /// their first 32 KiB. It is an error if several alphabets are left. Letters may be small. Commands without input
    /// use 1-9 and letters from A.
    #[arg(long, value_name = "NAME", value_parser = alphabet, help_heading = "Input")]
    pub(crate) alphabet: Option<Alphabet>,
}

/// The table of kinds: name and description.
fn kind_parser() -> impl TypedValueParser<Value = &'static Kind> {
    table_parser(KINDS, |kind| value(kind.name, kind.about))
}

fn alphabet(name: &str) -> Result<Alphabet, String> {
    Alphabet::named(name).ok_or_else(|| {
        format!(
            "`{name}` is not an alphabet; 16 symbols have 1-9A-G, 0-9A-F and A-P, other numbers similar ones"
        )
    })
}

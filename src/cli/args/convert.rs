//! The options of `galop convert`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop::output;

use super::values::{converted_format_parser, format_or, threads};
use super::{InputArgs, PartArgs, When};

/// Write the puzzles of files in another format, without solving them
///
/// Reads the same files as `solve`, compressed or not, on all cores. A puzzle keeps its characters where the output is text,
/// and the answer beside it is kept as it is; nothing is checked. For example, galop convert sudoku.csv -o sudoku.npz, or
/// galop convert puzzles.npy -f csv | head.
///
/// csv and json keep all other columns. A column of a table whose first fields are numbers becomes numbers in json, and an
/// empty field null. A key that the first objects of a JSON file lack has no column in csv: such fields are counted. pair
/// and npz hold puzzles and answers, grid and npy only puzzles; what is left out is named on standard error. Lines that stay
/// lines keep all of their text, but comments and blank lines are left out. Arrays have the names puzzle and solution, 0 for
/// a blank, and 1 to n for the symbols, whatever the input has.
///
/// A malformed record is named on standard error. Its text is in the place of the puzzle and the word `malformed` in that of
/// the answer; in arrays it is a row of zeros.
///
/// Exit codes: 0 complete; 1 complete, but some records were malformed or some fields had no column; 2 usage or I/O error,
/// the output is not complete; 128 and the number of the signal after a signal; 141 if the reader of standard output closed
/// it before the end.
#[derive(ClapArgs, Debug)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// Write the records to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed, on as many threads as --threads says, for example
    /// -o puzzles.csv.zst. Standard output is never compressed.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How a record is written [default: by the ending of -o, or else pair]
    ///
    /// The endings are .txt for pair, .csv, .tsv, .json, .jsonl and .ndjson for json, .npy and .npz (.parquet if galop was
    /// built with the feature `parquet`).
    #[arg(short, long, value_name = "FORMAT", value_parser = converted_format_parser())]
    format: Option<&'static output::FormatEntry>,

    /// Number of threads; 0 means one per core; at most 1024
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,

    /// Exit with 0 even if some records were malformed or some fields had no column
    #[arg(long)]
    pub(crate) allow_malformed: bool,

    /// When to show a progress bar; auto: if standard error is a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,

    /// Show no progress bar and no summary, only warnings and errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ConvertArgs {
    /// The format of the output.
    pub(crate) fn format(&self) -> &'static output::FormatEntry {
        format_or(self.format, self.output.as_deref())
    }
}

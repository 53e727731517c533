//! What was typed behind `galop solve`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop::output;

use super::search::{SearchArgs, SecondArgs};
use super::values::format_parser;
use super::{KindArgs, When};

/// Solve every puzzle of the files and print the answers in order
///
/// A puzzle is a character a cell, row by row: 81 of them are a 9x9 sudoku, 1-9, and one of . 0 * _ x X ? for a blank.
/// Other lengths are other sizes, --kind names other kinds, and letters are symbols from the tenth on. Other fields may
/// stand beside a puzzle; blank lines and lines that begin with # are passed over. A CSV file whose header names a
/// puzzle column is read by that column. Grids over several lines, a row on each, in a frame or not, may stand in a
/// file, blank lines between them.
///
/// One record in, one record out, in order. Where there is no solution to print, a status word stands in its
/// place: none, multiple (only with --unique), limit, stuck (engines that never guess), malformed.
///
/// Exit codes: 0 complete; 1 complete, but some records were malformed (or, with --strict, not solved);
/// 2 usage or I/O error, the output is not complete; 3 a solution failed the independent check, or --crosscheck
/// found a difference (a bug); 130 or 143 after an interrupt.
///
/// An engine that solves many puzzles at once has no time for each alone: there, a puzzle's time is its share of
/// its lanes' rounds, and the sum of the times is that of the batches.
#[derive(ClapArgs, Debug)]
pub(crate) struct SolveArgs {
    /// Files of puzzles; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Write the answers to FILE, which gets its name when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What an answer looks like
    #[arg(short, long, value_name = "FORMAT", default_value = output::FORMATS[0].name, value_parser = format_parser())]
    pub(crate) format: &'static output::FormatEntry,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) second: SecondArgs,

    /// Threads that solve; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Also write a report; its form follows the ending: .json, .md, .html, .txt (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    /// How many of the slowest puzzles the report names
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub(crate) slowest: usize,

    /// Do not measure each puzzle's time
    #[arg(long)]
    pub(crate) no_times: bool,

    /// Read files in blocks and do not map them into memory
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// Exit with 1 unless every record was solved
    #[arg(long)]
    pub(crate) strict: bool,

    /// Exit with 0 even if some records were malformed
    #[arg(long, conflicts_with = "strict")]
    pub(crate) allow_malformed: bool,

    /// Whether to show a progress bar; auto: on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,

    /// No progress bar and no summary; errors are still shown
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

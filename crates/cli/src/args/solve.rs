//! The options of `galop solve`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_batch::output;
use galop_batch::pipeline::{Choice, Selection, SolveOptions};
use galop_engines::engine::Entry;

use super::search::{CrosscheckArgs, SearchArgs};
use super::values::{answer_column_parser, choice_parser, format_parser, number_range};
use super::{InputArgs, LongRunArgs, PartArgs, ProblemArgs, RunArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop solve puzzles.txt -o solved.txt
  galop solve -u puzzles.txt -f csv            also show whether each solution is the only one
  galop solve puzzles.txt -f json --guesses 5..
  galop solve 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop solve puzzles.txt -o solved.txt.zst --report run.html";

/// Slowest puzzles that a report lists.
const SLOWEST: usize = 4;

/// Solve the puzzles of files and print the answers in order
///
/// A puzzle is one character per cell, row by row: 81 for a 9x9 sudoku, the digits 1-9, and one of . 0 * _ x X ? for a
/// blank; the first puzzle sets the size of all. Tables, JSON, drawn grids, numpy arrays and compressed files are
/// recognised by what they hold: docs/formats.md describes them.
///
/// Each record gives one record of the output, in the same order. In place of a solution it may have a status word:
/// none, multiple (with --unique), limit, stuck (engines that never guess), malformed. An answer that a table, an object
/// or an archive gives beside the puzzle is compared with the solution.
#[derive(ClapArgs, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// Write the answers to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed. An existing FILE keeps its mode and owner.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// The format of the output (docs/formats.md describes them) [default: from the ending of -o, or else pair]
    ///
    /// The endings are .txt for pair, .csv, .tsv, .json, .jsonl and .ndjson for json, .npy and .npz, and one of a
    /// compressed file behind them. A single puzzle is drawn as a grid on a terminal.
    #[arg(short, long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Output")]
    format: Option<&'static output::FormatEntry>,

    /// The columns of csv, the keys of json, or the arrays of npz, after those of the input; for example
    /// solution,status,clues
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = answer_column_parser(), help_heading = "Output")]
    #[arg(hide_short_help = true)]
    pub(crate) columns: Vec<&'static output::AnswerColumn>,

    /// Write only the records of these kinds; for example none,limit
    ///
    /// csv and json add the column `line`. `unique` and `multiple` need --unique, --limit N or --all.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = choice_parser())]
    #[arg(help_heading = "Output")]
    pub(crate) only: Vec<&'static Choice>,

    /// Write only the records whose search took this many guesses: A..B, A.., ..B or N; for example 10..
    #[arg(long, value_name = "A..B", value_parser = number_range, help_heading = "Output", hide_short_help = true)]
    pub(crate) guesses: Option<RangeInclusive<u64>>,

    #[command(flatten)]
    pub(crate) long_run: LongRunArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) crosscheck: CrosscheckArgs,

    /// Also write a report: FILE.html, .md, .txt or .json (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    /// Do not measure the time of each puzzle
    #[arg(long, help_heading = "Advanced", hide_short_help = true)]
    pub(crate) no_times: bool,

    /// Exit with 1 unless every record was solved and no file was passed over
    #[arg(long, help_heading = "Running", hide_short_help = true)]
    pub(crate) strict: bool,

    /// Exit with 0 even if some records are malformed or give wrong answers
    #[arg(long, conflicts_with = "strict", help_heading = "Running", hide_short_help = true)]
    pub(crate) allow_malformed: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Show a long summary: histograms of times and guesses, the slowest puzzles
    #[arg(short, long, help_heading = "Output", conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl SolveArgs {
    /// The format that -f names, or the ending of the output. `None` if neither does.
    pub(crate) fn named_format(&self) -> Option<&'static output::FormatEntry> {
        self.format.or_else(|| self.output.as_deref().and_then(output::format_of))
    }

    /// Whether the format is named.
    pub(crate) fn names_format(&self) -> bool {
        self.format.is_some()
    }

    /// Which records are written.
    pub(crate) fn selection(&self) -> Selection {
        Selection { only: self.only.clone(), guesses: self.guesses.clone() }
    }

    /// The options for the library: what the typed options mean to `engine`.
    pub(crate) fn options<'a>(
        &'a self,
        engine: &Entry,
        selection: &'a Selection,
        format: &'static output::FormatEntry,
    ) -> SolveOptions<'a> {
        let has_no_reader = self.run.quiet && self.report.is_empty();
        SolveOptions::default()
            .limits(self.search.limits_of(engine))
            .all(self.search.all())
            .selection((!selection.is_all()).then_some(selection))
            .threads(self.run.threads())
            .format(format)
            .columns((!self.columns.is_empty()).then_some(&*self.columns))
            .isa(self.search.isa())
            .crosscheck(self.crosscheck.sample())
            .times(!self.no_times)
            .slowest(if has_no_reader { 0 } else { SLOWEST })
    }
}

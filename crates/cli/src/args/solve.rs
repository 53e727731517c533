//! The options of `galop solve`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_batch::output;
use galop_batch::pipeline::{Choice, Selection, SolveOptions};
use galop_engines::engine::Entry;

use super::search::{CrosscheckArgs, SearchArgs};
use super::values::{choice_parser, column_parser, format_parser, number_range};
use super::{InputArgs, LongRunArgs, PartArgs, ProblemArgs, RunArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop solve puzzles.txt -o solved.txt
  galop solve -u puzzles.txt -f csv            also show whether each solution is the only one
  galop solve puzzles.txt -f json --guesses 5..
  galop solve 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop solve -e singles --all puzzles.txt     every solution, in the order of Sinai's program
  galop solve puzzles.txt -o solved.txt.zst --report run.html";

/// Slowest puzzles that a report lists.
const SLOWEST: usize = 5;

/// Solve the puzzles of files and print the answers in order
///
/// A puzzle is one character per cell, row by row. A 9x9 sudoku has 81 cells: the digits 1-9, and one of . 0 * _ x X ?
/// for each blank. Puzzles of another length have another size, and use letters from the tenth symbol on; --kind names
/// other kinds of puzzles. Other fields may follow the puzzle on its line. Blank lines and lines that start with # are
/// ignored, but a row of a CSV file may start with #.
///
/// A table (CSV, or with tabs or semicolons) is recognised by its header. Its columns are found by their names or by
/// their fields; --column and --answer-column choose them. If a row has fewer fields than the header, --format csv adds
/// empty ones; if it has more, the row is malformed. A field in quotes may hold delimiters and line ends. An unclosed
/// quote makes its line malformed.
///
/// JSON lines are read too: one object per line, with the same names as keys. A grid is a string or an array of
/// numbers. A line that is not an object is a malformed record, even if it is the first.
///
/// If a table, an object or an archive of arrays gives an answer beside the puzzle, it is compared with the solution. A
/// wrong answer is reported on standard error, its status in --format csv and json is `differs`, and the run exits with
/// code 1. A damaged answer (too few or too many cells, some blanks, or other text) is wrong too. An empty field, null, a
/// grid of blanks only, or a status word counts as no answer. (Plain lines `puzzle,solution` are not compared; `galop
/// verify` does that.)
///
/// A file may also hold grids of one line per row, with or without a frame, separated by blank lines. It may hold
/// puzzles copied out of programs: strings in quotes, or lists of numbers, as in Python. It may be a numpy array (.npy)
/// of whole numbers, of shape (n, 81) or (n, 9, 9), in which 0 is a blank. In messages about an array, the line is the
/// row and the column is the cell. In an archive of arrays (.npz), one array holds the puzzles and another may hold the
/// answers; they are found in the same way as the columns of a table.
///
/// Each record of the input gives one record of the output, in the same order. If a puzzle has no solution to print, a
/// status word takes its place: none, multiple (only with --unique), limit, stuck (only engines that never guess),
/// malformed.
///
/// Engines that solve many puzzles at once cannot time each one alone. With them, the time of a puzzle is its share of
/// the time of its batch.
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
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed with --threads threads; for example, -o
    /// solved.txt.zst. Standard output is never compressed.
    ///
    /// An existing FILE keeps its mode, owner, group and extended attributes. If a new file cannot have them, if FILE
    /// has several hard links, or if its folder is write-protected, FILE is written in place. This is not atomic, and a
    /// message says so.
    ///
    /// Until FILE is complete, the answers are in a hidden file `.galop-XXXXXX.part` in the same folder. An error or a
    /// signal removes it; `kill -9` leaves it behind, and you may delete it. With --resume, they are in FILE.partial,
    /// which is kept.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// The format of the output [default: from the ending of -o, or else pair]
    ///
    /// The answer to a single puzzle on the command line is drawn as a grid if standard output is a terminal.
    ///
    /// The endings are .txt for pair, .csv, .tsv, .json, .jsonl and .ndjson for json, .npy and .npz. The ending of a
    /// compressed file may follow, as in solved.csv.gz. Any other ending is refused without --format. csv, tsv and json
    /// keep the fields of tables and of JSON lines. Arrays (npy, npz) hold 1 to 9 for the digits, row by row, even if
    /// the digits of the input are 2 to 10, and a row of zeros where there is no solution. They are not compressed.
    #[arg(short, long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Output")]
    format: Option<&'static output::FormatEntry>,

    /// The columns of --format csv, the keys of json, or the arrays of npz, in this order; for example
    /// solution,status,clues
    ///
    /// All columns of an input table, or all members of an input object, come before them. An added column whose name
    /// is taken gets the prefix galop_.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = column_parser(output::COLUMNS), help_heading = "Output")]
    pub(crate) columns: Vec<&'static output::AnswerColumn>,

    /// Write only the records of these kinds; for example none,limit
    ///
    /// All records are still solved and counted, and the exit code still depends on all of them. --format csv and json
    /// add the column `line`, unless --columns chooses the columns. `unique` and `multiple` need --unique, --limit N or
    /// --all.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = choice_parser())]
    #[arg(help_heading = "Output")]
    pub(crate) only: Vec<&'static Choice>,

    /// Write only the records whose search took this many guesses: A..B, A.., ..B or N, both ends included; for example
    /// 10..
    ///
    /// --format csv and json add the column `line`, as with --only.
    #[arg(long, value_name = "A..B", value_parser = number_range, help_heading = "Output")]
    pub(crate) guesses: Option<RangeInclusive<u64>>,

    #[command(flatten)]
    pub(crate) long_run: LongRunArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) crosscheck: CrosscheckArgs,

    /// Also write a report; the ending selects its format: .json, .md, .html, .txt (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    /// Do not measure the time of each puzzle
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub(crate) no_times: bool,

    /// Exit with 1 unless every record was solved and no file of a folder or an archive was passed over
    #[arg(long, help_heading = "Running")]
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

//! The options of `galop generate`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_batch::output;
use galop_corpora::generate::{ClueSymmetry, Negative};
use galop_explain::Level;

use super::values::{
    clue_range, clue_symmetry_parser, column_parser, converted_format_parser, each_once, format_or,
    level_parser, negative_parser, number_range,
};
use super::{KindArgs, ProblemArgs, RunArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop generate -n 10 --seed 7                ten puzzles; the same seed makes the same puzzles
  galop generate -n 5 --level hard --seed 1    puzzles that need pairs, triples or fish
  galop generate -n 5 --minimal --guesses 3.. --seed 1 -o hard.txt
  galop generate -n 5 --clues 24..26 --symmetric rotate180 --seed 1
  galop generate -n 2 --kind diagonal --seed 1
  galop generate -n 2 --kind diagonal+anti-knight --seed 1
  galop generate -n 2 --regions map.txt --seed 1";

/// Make puzzles of any kind and size, each with one solution
///
/// The same seed gives the same puzzles on every machine and with any number of threads. A shorter run makes the first
/// puzzles of a longer one. 9x9 sudokus are made from uniformly random grids.
///
/// Every puzzle is proved to have one solution. In grids larger than 9x9, a clue stays if it takes more than 1,000
/// guesses (409 in 25x25; 100 without --minimal) to prove whether it is needed. So a minimal 25x25 puzzle may have a
/// few clues that could be removed. Up to 9x9, the limit is 100,000 guesses, which is not reached in practice.
///
/// With --problem, a puzzle begins as a random solution of an exact cover problem. Options are removed from it as long
/// as the rest has one completion; the options that stay are the clues. If a decision diagram of all solutions is
/// small, each solution is equally likely. Otherwise the solutions are found by searches with random restarts, and some
/// are likelier than others. The summary says which method was used.
///
/// If no puzzle is found for a while, a message says what was tried. Without a progress bar, a line after 10, 20, 40,
/// ... seconds says how many puzzles have been made. After a signal, the puzzles found so far are written, in order but
/// possibly with gaps. With -o, FILE gets these puzzles, however long it takes to write them; a second signal ends the
/// run without FILE. With --resume, a later run continues.
#[derive(ClapArgs, Debug)]
pub(crate) struct GenerateArgs {
    /// How many puzzles to make
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) count: u64,

    /// The seed of the random numbers [default: drawn, and named at the end]
    #[arg(short, long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Begin with puzzle I of the seed, counted from 0, so that several machines can share one run
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub(crate) from: u64,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// Cells per row [default: 9, or the size of the maps or blocks]
    #[arg(long, value_name = "N", conflicts_with = "problem", help_heading = "Input")]
    pub(crate) side: Option<usize>,

    /// Number of clues, drawn for each puzzle from A..B, both included; for example 30..36, or 30 [default: 28..36 for
    /// 9x9 sudoku, else a number that nearly every grid allows]
    ///
    /// A 9x9 sudoku with 19 clues takes a second or two. Sudokus with 17 or 18 are rare: the search for each takes
    /// minutes, and after 5,000 grids without one the run ends with an error.
    ///
    /// With --minimal, each number is as frequent as among minimal puzzles, almost all of which have 21 to 28 clues. To
    /// reach fewer or more, clues are exchanged for a while; if that fails, the run ends with an error.
    #[arg(long, value_name = "A..B", value_parser = clue_range)]
    pub(crate) clues: Option<RangeInclusive<usize>>,

    /// Make minimal puzzles, which have more than one solution if any clue is removed
    #[arg(long)]
    pub(crate) minimal: bool,

    /// Place the clues in the cells of a pattern: FILE has a character for each cell, `.` or `0` for a blank and any
    /// other character for a clue
    ///
    /// Line breaks and spaces are skipped, so FILE can be a puzzle on one line or with a line for each row. Grids are
    /// drawn until the puzzle has one solution; after 1,000,000 grids of 9x9, or fewer larger ones, the run ends with
    /// an error.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clues", "minimal", "symmetric"])]
    pub(crate) pattern: Option<PathBuf>,

    /// Place the clues symmetrically, for example by rotate180
    ///
    /// The clues of a cell and of its images are removed together. With --minimal, no such group of clues can be
    /// removed, but a single clue of a group may be unnecessary. With --clues, only the numbers of the range that the
    /// symmetry allows are drawn.
    #[arg(long, value_name = "SYMMETRY", value_parser = clue_symmetry_parser())]
    pub(crate) symmetric: Option<&'static ClueSymmetry>,

    /// Make puzzles with no solution, or with several: each is made as usual and then changed
    ///
    /// none: one clue is changed. multiple: one or more clues are removed. --clues, --minimal and the like apply to the
    /// puzzle before the change. In formats with columns, the column change says what was done, for example `r3c5=7 was
    /// 2` (row 3, column 5) or `r3c5 removed`, and solution has no value. With --pairs, the word `none` or `multiple`
    /// takes the place of the solution, so that `galop verify` can check it.
    #[arg(long, value_name = "STATUS", value_parser = negative_parser())]
    pub(crate) status: Option<Negative>,

    /// Make only puzzles of a level, as `galop rate` rates them; `galop rate --help` describes the levels
    ///
    /// Puzzles of a level above easy are minimal, unless --clues or --pattern is given. After 1,000,000 grids for one
    /// puzzle the run ends with an error. For example, galop generate -n 10 --level hard.
    #[arg(long, value_name = "LEVEL", value_parser = level_parser(), conflicts_with = "status")]
    pub(crate) level: Option<Level>,

    /// Make only puzzles that take the engine this many guesses, as `galop rate --by guesses` counts them: A..B, both included, A..
    /// or N; for example 10..
    ///
    /// The puzzles are minimal, unless --clues or --pattern is given, or A is 0. Minimal 9x9 sudokus of 6 or more
    /// guesses are rare among puzzles made from the top down, so they are found by walks: a few clues of a
    /// puzzle are restored and others removed, and the result is kept if it takes at least as many guesses. Each walk
    /// has its own grid. With 10.., one core of an AMD EPYC (Zen 5) makes about 100 puzzles a second in a run of 500 or
    /// more.
    #[arg(long, value_name = "A..B", value_parser = number_range, conflicts_with = "status")]
    pub(crate) guesses: Option<RangeInclusive<u64>>,

    /// Make minimal puzzles with a column `weight`, which makes them an exact sample of all minimal puzzles; for
    /// example galop generate -n 2000000 --unbiased -o sample.csv
    ///
    /// Puzzles made from the top down have too few clues: 24.4 on average, while all minimal puzzles have 26.58. A mean
    /// over the puzzles, weighted by this column, has no such bias. The mean of the weights themselves is the number of
    /// minimal puzzles of a grid, 4.655e15. The puzzles are those of --minimal with the same seed: 18,000 a second on
    /// one core of an AMD EPYC (Zen 5).
    ///
    /// The weights differ by many orders of magnitude, so the effective size of a sample is far smaller than its number
    /// of puzzles (Kish: the square of the sum of the weights divided by the sum of their squares). 1,500,000 puzzles
    /// gave 26.579 clues, with an effective size of 1,400; 100,000 gave 27.1, with an effective size of 16. Make a
    /// million or more.
    #[arg(long, conflicts_with_all = ["clues", "pattern", "symmetric", "status", "guesses", "level"])]
    pub(crate) unbiased: bool,

    /// Make only puzzles that are equivalent to no puzzle of FILE and to no other puzzle of this run (repeatable)
    ///
    /// FILE is anything that `galop solve` reads: lines, tables, arrays, compressed files. Its puzzles are solved, and
    /// their classes are kept in memory: 16 bytes for each puzzle, and at most 67,108,864 puzzles. For example, galop
    /// generate -n 1000 --minimal --new-to train.csv
    ///
    /// With --resume, two puzzles of the output may be equivalent to each other: `galop dedup` leaves one of them out.
    #[arg(long, value_name = "FILE", conflicts_with = "status")]
    pub(crate) new_to: Vec<PathBuf>,

    /// Write each line as `puzzle,solution`
    #[arg(long)]
    pub(crate) pairs: bool,

    /// The format of the output [default: from the ending of -o, or else one puzzle per line]
    ///
    /// csv, tsv and json have the columns puzzle, solution and clues, and npz has an array for each of these. The
    /// endings are .csv, .tsv, .json, .jsonl and .ndjson for json, .npy and .npz.
    #[arg(short, long, value_name = "FORMAT", value_parser = converted_format_parser(), help_heading = "Output")]
    format: Option<&'static output::FormatEntry>,

    /// Columns to add after the others, in this order; for example guesses,key. Only csv, tsv, json and npz
    /// have them
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = column_parser(galop_corpora::MADE_COLUMNS))]
    #[arg(help_heading = "Output")]
    columns: Vec<&'static galop_corpora::MadeColumn>,

    /// Write the puzzles to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed with --threads threads; for example, -o
    /// solved.txt.zst. Standard output is never compressed.
    ///
    /// An existing FILE keeps its mode, owner, group and extended attributes. If a new file cannot have them, if FILE
    /// has several hard links, or if its folder is write-protected, FILE is written in place. This is not atomic, and a
    /// message says so.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Continue a run that was ended: the same command, run again, makes the missing puzzles
    ///
    /// Until the run is complete, the puzzles are in FILE.partial and the progress is in FILE.progress, which is
    /// written twice a second. The result is the same, byte for byte, as that of an uninterrupted run. Arrays
    /// cannot be continued. Puzzles of the run are not compared with each other.
    #[arg(long, requires = "output", requires = "seed", help_heading = "Running")]
    pub(crate) resume: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

impl GenerateArgs {
    /// The columns that are added, each once.
    pub(crate) fn columns(&self) -> Vec<&'static galop_corpora::MadeColumn> {
        let weight = galop_corpora::MADE_COLUMNS.iter().find(|column| self.unbiased && column.needs.weights);
        each_once(self.columns.iter().copied().chain(weight))
    }

    /// Whether the rating that is asked for needs minimal puzzles: puzzles with many clues are easy and take no guess.
    pub(crate) fn wants_hard(&self) -> bool {
        self.level.is_some_and(|level| level > Level::Easy)
            || self.guesses.as_ref().is_some_and(|guesses| *guesses.start() > 0)
    }

    /// The format of the output.
    pub(crate) fn format(&self) -> &'static output::FormatEntry {
        format_or(self.format, self.output.as_deref())
    }

    /// Whether the format is named.
    pub(crate) fn names_format(&self) -> bool {
        self.format.is_some()
    }
}

//! The options of `galop generate`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_batch::output;
use galop_corpora::generate::{ClueSymmetry, Negative};
use galop_corpora::rating::Tier;
use galop_explain::Level;

use super::values::{
    check_ending, clue_range, clue_symmetry_parser, converted_format_parser, each_once, format_or,
    level_parser, made_column_parser, negative_parser, number_range, threads, tier_parser,
};
use super::{KindArgs, When};

/// Make puzzles of any kind and size that have one solution
///
/// Equal seeds give equal puzzles on every machine and for any number of threads. The puzzles of a shorter run are the
/// first puzzles of a longer one. 9x9 sudokus come from uniform random grids.
///
/// Every puzzle is proved to have one solution. In grids larger than 9x9, a clue stays if the proof that it is needed
/// or not takes more than 1,000 guesses (409 in 25x25; 100 without --minimal). So a minimal puzzle of 25x25 may have a
/// few clues that could be removed. Up to 9x9 the limit is 100,000 guesses, which proofs do not reach in practice.
///
/// With --problem, puzzles are random solutions of an exact cover problem whose options are taken away while the rest has
/// one completion; clues are the options that stay. A small diagram of all solutions makes each equally likely; where it
/// does not stay small, a search begins anew with other random numbers, and some solutions are likelier. The summary says
/// which of both it was.
///
/// If no puzzle is found for a while, a message says what was tried. Without a progress bar, a line says after 10, 20,
/// 40, ... seconds how many puzzles are made. After a signal the puzzles that were found are written, in their order
/// but not always without gaps. With -o, FILE then has these, however long it takes to write them; a second signal ends
/// the run without FILE. With --resume a later run goes on.
#[derive(ClapArgs, Debug)]
pub(crate) struct GenerateArgs {
    /// How many puzzles to make
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) count: u64,

    /// The seed of the random numbers [default: drawn, and named at the end]
    #[arg(short, long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Begin with puzzle I of the seed, from 0: several machines can make parts of one run
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub(crate) from: u64,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Cells of a row [default: 9, or the size of the maps or blocks]
    #[arg(long, value_name = "N", help_heading = "Input")]
    pub(crate) side: Option<usize>,

    /// How many clues a puzzle has: a number drawn for each puzzle from A..B, both included; for example 30..36, or 30
    /// [default: 28..36 for 9x9 sudoku, else a number that nearly every grid allows]
    ///
    /// A 9x9 sudoku with 19 clues takes a second or two. Sudokus with 17 or 18 are rare: the search for each takes
    /// minutes, and after 5,000 grids without one the run ends with an error.
    ///
    /// With --minimal each number is as frequent as it is among minimal puzzles. Almost all of these have 21 to 28
    /// clues; for fewer or more, clues are exchanged for a while, and then the run ends with an error.
    #[arg(long, value_name = "A..B", value_parser = clue_range)]
    pub(crate) clues: Option<RangeInclusive<usize>>,

    /// Make minimal puzzles, which have more than one solution if any clue is removed
    #[arg(long)]
    pub(crate) minimal: bool,

    /// Place the clues in the cells of a pattern: FILE has a character for each cell, `.` or `0` for a blank and any
    /// other one for a clue
    ///
    /// Line breaks and spaces are skipped, so FILE can be a puzzle in one line or in one line for each row. Grids are
    /// drawn until the puzzle has one solution; after 1,000,000 grids of 9x9, or fewer larger ones, the run ends with
    /// an error.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clues", "minimal", "symmetric"])]
    pub(crate) pattern: Option<PathBuf>,

    /// Place the clues symmetrically, for example by rotate180
    ///
    /// The clues of a cell and of its images are removed together. With --minimal no such group of clues can be
    /// removed, but a single clue of a group may be unnecessary. With --clues the numbers are those of the range that
    /// the symmetry allows.
    #[arg(long, value_name = "SYMMETRY", value_parser = clue_symmetry_parser())]
    pub(crate) symmetric: Option<&'static ClueSymmetry>,

    /// Make puzzles that have no solution, or multiple ones: each is made as usual and then changed
    ///
    /// none: one clue is changed. multiple: one or more clues are removed. --clues, --minimal and the like are about
    /// the puzzle before the change. In formats with columns, the column change says what was done, for example
    /// `r3c5=7 was 2` (row 3, column 5) or `r3c5 removed`, and solution has no value. With --pairs the word is in its
    /// place, so that `galop verify` can check it.
    #[arg(long, value_name = "STATUS", value_parser = negative_parser())]
    pub(crate) status: Option<Negative>,

    /// Make only puzzles of a tier, as `galop rate` names them
    ///
    /// Grids are drawn until a puzzle has the tier; after 1,000,000 grids for one puzzle the run ends with an error.
    /// For example, galop generate -n 1000 --tier no-guess. Puzzles of the tier guesses are minimal, unless --clues or
    /// --pattern is given.
    #[arg(long, value_name = "TIER", value_parser = tier_parser(), conflicts_with = "status")]
    pub(crate) tier: Option<Tier>,

    /// Make only puzzles of a level: the hardest technique that a person needs, as `galop rate --by techniques` rates
    ///
    /// easy: singles. medium: locked candidates. hard: pairs, triples and quads. very-hard: fish, wings, colours and
    /// chains. ultra-hard: forcing chains and bifurcation. Puzzles of a level above easy are minimal, unless --clues or
    /// --pattern is given. For example, galop generate -n 10 --level hard.
    #[arg(long, value_name = "LEVEL", value_parser = level_parser(), conflicts_with_all = ["status", "tier"])]
    pub(crate) level: Option<Level>,

    /// Make only puzzles for which the engine guesses that often, as `galop rate` counts: A..B, both included, A.. or
    /// N; for example 10..
    ///
    /// The puzzles are minimal, unless --clues or --pattern is given, or A is 0. Minimal 9x9 sudokus of 6 or more
    /// guesses are rare among those that are made from the top down, so they are found by walks. A few clues of a
    /// puzzle are restored and others removed, and the result is kept if it takes as many guesses or more. Each walk
    /// has a grid of its own. With 10.. one core of an AMD EPYC (Zen 5) makes about 100 a second, if it makes 500 or
    /// more.
    #[arg(long, value_name = "A..B", value_parser = number_range, conflicts_with = "status")]
    pub(crate) guesses: Option<RangeInclusive<u64>>,

    /// Make minimal puzzles that are an exact sample of all minimal puzzles, by a column `weight`; for example
    /// galop generate -n 2000000 --unbiased -o sample.csv
    ///
    /// Puzzles made from the top down have too few clues: 24.4 on average, all minimal puzzles 26.58. A mean of the
    /// values of the puzzles, weighted by this column, has no such bias; the mean of the weights themselves is the
    /// number of minimal puzzles of a grid, 4.655e15. The puzzles are those of --minimal with the same seed: 18,000 a
    /// second on one core of an AMD EPYC (Zen 5).
    ///
    /// The weights differ by many orders of magnitude, so a sample is worth far fewer puzzles than it has (Kish: the
    /// square of the sum of the weights by the sum of their squares). 1,500,000 puzzles gave 26.579 clues and were
    /// worth 1,400; 100,000 gave 27.1 and were worth 16. Make a million or more.
    #[arg(long, conflicts_with_all = ["clues", "pattern", "symmetric", "status", "guesses", "level"])]
    pub(crate) unbiased: bool,

    /// Make only puzzles that are equivalent to none of FILE, and to no other one of this run (repeatable)
    ///
    /// FILE is anything that `galop solve` reads: lines, tables, arrays, compressed files. Its puzzles are solved, and
    /// their classes stay in memory: 16 bytes for each puzzle, at most 67,108,864 of them. For example, galop generate
    /// -n 1000 --minimal --new-to train.csv
    #[arg(long, value_name = "FILE", conflicts_with = "status")]
    pub(crate) new_to: Vec<PathBuf>,

    /// Write the solution beside each puzzle in lines: `puzzle,solution`
    #[arg(long)]
    pub(crate) pairs: bool,

    /// How a record is written [default: by the ending of -o, or else lines with the puzzle]
    ///
    /// csv, tsv, json and parquet have the columns puzzle, solution and clues, and npz has an array for each of these.
    /// The endings are .csv, .tsv, .json, .jsonl and .ndjson for json, .npy and .npz (.parquet if galop was built with
    /// the feature `parquet`).
    #[arg(short, long, value_name = "FORMAT", value_parser = converted_format_parser(), help_heading = "Output")]
    format: Option<&'static output::FormatEntry>,

    /// Columns that are added behind the others, in this order; for example tier,guesses,key. csv, tsv, json, npz and
    /// parquet have them
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = made_column_parser())]
    #[arg(help_heading = "Output")]
    columns: Vec<&'static galop_corpora::MadeColumn>,

    /// Write the puzzles to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed, on as many threads as --threads says, for
    /// example -o solved.txt.zst. Standard output is never compressed.
    ///
    /// A present FILE keeps its mode, owner, group and extended attributes. If a new file cannot have them, if FILE has
    /// several hard links, or if its folder is write-protected, FILE is written in place: this write is not atomic, and
    /// a message says so.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Go on with a run that was ended: the command that began it, typed again, makes the puzzles that are missing
    ///
    /// Until the run is complete, what is written is in FILE.partial, and how far it is in FILE.progress, which is
    /// written twice a second. The result is that of a run that was not ended, byte for byte. Arrays and parquet cannot
    /// be continued. Puzzles of the run are not compared with each other.
    #[arg(long, requires = "output", requires = "seed", help_heading = "Running")]
    pub(crate) resume: bool,

    /// Number of threads; 0 means one per core; at most 1024
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = threads, help_heading = "Running")]
    pub(crate) threads: usize,

    /// When to show a progress bar; auto: if standard error is a terminal
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output",
        hide_short_help = true
    )]
    pub(crate) progress: When,

    /// Show no progress bar and no summary, only warnings and errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl GenerateArgs {
    /// The columns that are added, each once.
    pub(crate) fn columns(&self) -> Vec<&'static galop_corpora::MadeColumn> {
        let weight =
            galop_corpora::MADE_COLUMNS.iter().find(|column| self.unbiased && column.name == "weight");
        each_once(self.columns.iter().copied().chain(weight))
    }

    /// Whether the wish for a rating makes the puzzles minimal: those of many clues are easy and take no guess.
    pub(crate) fn wants_hard(&self) -> bool {
        let is_hard = self.tier == Some(Tier::Guesses) || self.level.is_some_and(|level| level > Level::Easy);
        is_hard || self.guesses.as_ref().is_some_and(|guesses| *guesses.start() > 0)
    }

    /// The format of the output.
    pub(crate) fn format(&self) -> &'static output::FormatEntry {
        format_or(self.format, self.output.as_deref())
    }

    /// Refuses an output whose name has an ending of no format.
    pub(crate) fn check_ending(&self) -> anyhow::Result<()> {
        check_ending(self.format, self.output.as_deref())
    }
}

//! The options of `galop rate`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use galop_corpora::{RATE_COLUMNS, RateColumn, RateOptions, RatedBy};
use galop_engines::engine::Entry;

use super::values::{column_parser, each_once, engine_parser};
use super::{InputArgs, PartArgs, RewriteArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop rate puzzles.txt -o rated.csv          level, score and hardest technique
  galop rate 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop rate --by guesses puzzles.txt          guesses of the fastest engine
  galop rate train.csv --by guesses --symmetries 10 --seed 1";

/// Rate how hard puzzles are, for people or for an engine
///
/// Writes csv with the columns puzzle, level, score and hardest, unless another format is named; all other columns of
/// tables are kept. The score is the score of the hardest step of an explanation, on a scale like Sudoku Explainer's;
/// hardest is the technique of that step. The level is a band of scores: easy (up to 2.5: singles), medium (up to 2.9:
/// locked candidates), hard (up to 4.1: pairs, triples, X-wing, swordfish), very hard (up to 6.4: wings, other fish,
/// colours, rectangles, quads), fiendish (up to 7.9: chains, almost locked sets) and ultra-hard (forcing chains,
/// bifurcation).
///
/// Only a puzzle with exactly one solution has a rating: the level of others is `none` or `multiple`, or `limit` if the
/// techniques would take too long. Only Sudoku Explainer's techniques are used, and some that it rates alike; `galop
/// explain` knows others as well, such as almost locked sets. The rank correlation (Spearman) with the ratings of Sudoku
/// Explainer is 0.969 for the 43,070 puzzles of sets 000 and 001 of Berthier's controlled-bias collection, and 0.827 for
/// the 17,582 of them that Sudoku Explainer rates 6 or more; with --assume-unique 0.974 and 0.841.
///
/// With --by guesses, the column guesses counts the guesses of an engine in the search that proves that there is no
/// second solution. It searches the whole tree, so a lucky first guess does not make a puzzle look easy. The engine
/// `lanes` rates with rounds that are all alike: its guesses depend on the puzzle alone, and may differ from the guesses
/// of `galop solve`, which adapts to the other puzzles. Symmetric images of a puzzle may take more or fewer guesses:
/// --symmetries measures this. Guesses do not measure how hard a puzzle is for people: their rank correlation for the
/// same two samples is 0.861 and 0.437. Name the engine and its version beside them, as the summary and the report do.
///
/// A single puzzle on the command line is rated in one plain line if standard output is a terminal.
///
/// A malformed record is reported on standard error and kept: its text takes the place of the puzzle.
#[derive(ClapArgs, Debug)]
pub(crate) struct RateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// What is rated: the techniques that people need, or the guesses of an engine [default: techniques]
    #[arg(long, value_name = "WHAT", value_enum)]
    by: Option<RateBy>,

    /// Also use techniques that rely on a puzzle having one solution, which all rated puzzles have
    #[arg(long)]
    pub(crate) assume_unique: bool,

    /// The engine whose guesses are counted; `galop engines` describes them [default: lanes up to 15 symbols, else grid]
    #[arg(short, long, value_name = "NAME", value_parser = engine_parser(), hide_possible_values = true)]
    #[arg(help_heading = "Running")]
    engine: Option<&'static Entry>,

    /// With --by guesses, also count the guesses for N random images of each puzzle, at most 100,000
    ///
    /// Adds the columns `mean`, `geometric_mean` and `deviation`, the standard deviation. `geometric_mean` is the
    /// geometric mean of guesses + 1, minus 1. The puzzle itself is not among its images. Sudokus of 9x9, 6x6 and 4x4
    /// have images.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u64).range(0..=100_000))]
    pub(crate) symmetries: u64,

    /// The seed of the images, which depend on it and on the line [default: drawn, and named at the end]
    #[arg(short, long, value_name = "N", requires = "symmetries")]
    pub(crate) seed: Option<u64>,

    /// The columns to add, in this order
    ///
    /// By default these are level, score and hardest; with --by guesses they are guesses, and with --symmetries also the
    /// columns of the images.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = column_parser(RATE_COLUMNS))]
    #[arg(help_heading = "Output")]
    columns: Vec<&'static RateColumn>,

    /// Also write a report, FILE.json: puzzles of each level, or a histogram of guesses, checksums (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}

/// What is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RateBy {
    /// The hardest technique that people need for the puzzle
    Techniques,
    /// The guesses of an engine
    Guesses,
}

impl RateArgs {
    /// The options for the library. `seed` is that of the images.
    pub(crate) fn options(&self, seed: u64) -> RateOptions {
        RateOptions::default()
            .engine(self.engine)
            .by_guesses(self.is_by_guesses())
            .unique(self.assume_unique)
            .images(self.symmetries)
            .seed(seed)
            .columns(each_once(self.columns.iter().copied()))
    }

    /// Whether nothing is typed that is about the columns, the output or the way of rating.
    pub(crate) fn is_plain(&self) -> bool {
        let is_usual = !self.is_by_guesses() && self.columns.is_empty() && self.symmetries == 0;
        is_usual && self.report.is_empty() && !self.rewrite.has_output() && self.part.is_whole()
    }

    /// The engine whose guesses are counted, if one is named.
    pub(crate) fn engine(&self) -> Option<&'static Entry> {
        self.engine
    }

    /// Whether guesses are counted, and techniques are not rated.
    pub(crate) fn is_by_guesses(&self) -> bool {
        self.by == Some(RateBy::Guesses)
    }

    fn is_of_other_rating(&self, column: &RateColumn) -> bool {
        (column.needs == RatedBy::Techniques) == self.is_by_guesses()
    }

    /// The first chosen column that belongs to the other kind of rating.
    pub(crate) fn column_of_other_rating(&self) -> Option<&'static str> {
        self.columns.iter().find(|column| self.is_of_other_rating(column)).map(|column| column.name)
    }

    /// Whether an option is for the other kind of rating.
    pub(crate) fn has_other_option(&self) -> Option<&'static str> {
        match self.is_by_guesses() {
            true => self.assume_unique.then_some("--assume-unique"),
            false => (self.symmetries > 0).then_some("--symmetries"),
        }
    }

    /// The first chosen column that describes images, if no images are made.
    pub(crate) fn column_without_images(&self) -> Option<&'static str> {
        let column =
            self.columns.iter().find(|column| column.needs == RatedBy::Images && self.symmetries == 0);
        column.map(|column| column.name)
    }
}

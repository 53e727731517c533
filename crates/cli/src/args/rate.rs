//! The options of `galop rate`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use galop_corpora::{RATE_COLUMNS, RateColumn, RateOptions, RatedBy};
use galop_engines::engine::Entry;

use super::values::{column_parser, each_once, engine_parser};
use super::{InputArgs, PartArgs, RewriteArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop rate puzzles.txt -o rated.csv
  galop rate puzzles.txt --by techniques       level, score and hardest technique
  galop rate --by techniques 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop rate train.csv --symmetries 10 --seed 1";

/// Rate how hard puzzles are, for an engine or for people
///
/// Writes csv with the columns puzzle, tier, blanks and guesses, unless another format is named; all other columns of
/// tables are kept. The tier is `singles` if naked and hidden singles alone solve the puzzle, `no-guess` if the engine
/// needs no guess, and `guesses` otherwise. Only a puzzle with exactly one solution has a rating: the tier of others is
/// `none` or `multiple`, or `limit` or `stuck` if the engine gave up, and blanks and guesses are empty. For example,
/// galop rate puzzles.txt -o rated.csv.
///
/// Guesses are counted in the search that proves that there is no second solution. It searches the whole tree, so a
/// lucky first guess does not make a puzzle look easy. The engine `lanes` rates with rounds that are all alike: its
/// guesses depend on the puzzle alone, and may differ from the guesses of `galop solve`, which adapts to the other
/// puzzles. Symmetric images of a puzzle may take more or fewer guesses: --symmetries measures this.
///
/// The rating by guesses does not measure how hard a puzzle is for people. The rank correlation (Spearman) of tier,
/// then guesses, then blanks with the ratings of Sudoku Explainer is 0.886 for the 43,070 puzzles of sets 000 and 001
/// of Berthier's controlled-bias collection. It is 0.505 for the 17,582 of them that Sudoku Explainer rates 6 or more
/// (guesses alone: 0.861 and 0.437). Among the hardest puzzles guesses say more about the engine than about the puzzle:
/// name the engine and its version beside a rating. The summary and the report name them.
///
/// With --by techniques, the columns are level (easy, medium, hard, very hard, ultra-hard), score, and the hardest
/// technique of an explanation. The score is the hardest step's, on a scale like Sudoku Explainer's. Only Sudoku
/// Explainer's techniques are used, and some that it rates alike; `galop explain` knows others as well, such as almost
/// locked sets. For the same two samples, the rank correlation with those ratings is 0.969 and 0.827, and with
/// --assume-unique 0.974 and 0.841. For example, galop rate puzzles.txt --by techniques -o levels.csv.
///
/// A single puzzle on the command line is rated in one plain line if standard output is a terminal: its level, score
/// and hardest technique, and the guesses of the engine.
///
/// A malformed record is reported on standard error and kept: its text takes the place of the puzzle.
#[derive(ClapArgs, Debug)]
pub(crate) struct RateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// What is rated: the guesses of an engine, or the techniques that people need [default: guesses]
    #[arg(long, value_name = "WHAT", value_enum)]
    by: Option<RateBy>,

    /// With --by techniques, also use techniques that rely on a puzzle having one solution, which all rated puzzles
    /// have
    #[arg(long)]
    assume_unique: bool,

    /// The engine whose guesses are counted; `galop engines` describes them [default: lanes up to 15 symbols, else grid]
    #[arg(short, long, value_name = "NAME", value_parser = engine_parser(), hide_possible_values = true)]
    #[arg(help_heading = "Running")]
    engine: Option<&'static Entry>,

    /// Count the guesses for N random images of each puzzle as well, at most 100,000
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
    /// By default these are tier, blanks and guesses, and with --symmetries also the columns of the images; with --by
    /// techniques level, score and hardest.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = column_parser(RATE_COLUMNS))]
    #[arg(help_heading = "Output")]
    columns: Vec<&'static RateColumn>,

    /// Also write a report, FILE.json: puzzles of each tier, a histogram of guesses, the engine, checksums (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}

/// What is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RateBy {
    /// Whether singles suffice, or else the guesses of an engine
    Guesses,
    /// The hardest technique that people need for the puzzle
    Techniques,
}

impl RateArgs {
    /// The options for the library. `seed` is that of the images.
    pub(crate) fn options(&self, seed: u64) -> RateOptions {
        let has_images = self.symmetries > 0;
        let mut columns = each_once(self.columns.iter().copied());
        if columns.is_empty() {
            let is_usual = |column: &&RateColumn| {
                (has_images || column.needs != RatedBy::Images) && !self.is_of_other_rating(column)
            };
            columns = RATE_COLUMNS.iter().filter(is_usual).collect();
        }
        RateOptions::default()
            .engine(self.engine)
            .by_techniques(self.is_by_techniques())
            .unique(self.assume_unique)
            .images(self.symmetries)
            .seed(seed)
            .columns(columns)
    }

    /// Whether nothing is typed that is about the columns, the output or the way of rating.
    pub(crate) fn is_plain(&self) -> bool {
        let is_usual = self.by.is_none() && self.columns.is_empty() && self.symmetries == 0;
        is_usual && self.report.is_empty() && !self.rewrite.has_output() && self.part.is_whole()
    }

    /// The engine whose guesses are counted, if one is named.
    pub(crate) fn engine(&self) -> Option<&'static Entry> {
        self.engine
    }

    /// Whether techniques are rated, not guesses.
    pub(crate) fn is_by_techniques(&self) -> bool {
        self.by == Some(RateBy::Techniques)
    }

    fn is_of_other_rating(&self, column: &RateColumn) -> bool {
        (column.needs == RatedBy::Techniques) != self.is_by_techniques()
    }

    /// The first chosen column that belongs to the other kind of rating.
    pub(crate) fn column_of_other_rating(&self) -> Option<&'static str> {
        self.columns.iter().find(|column| self.is_of_other_rating(column)).map(|column| column.name)
    }

    /// Whether an option is for the other kind of rating.
    pub(crate) fn has_other_option(&self) -> Option<&'static str> {
        match self.is_by_techniques() {
            false => self.assume_unique.then_some("--assume-unique"),
            true => (self.symmetries > 0).then_some("--symmetries"),
        }
    }

    /// The first chosen column that describes images, if no images are made.
    pub(crate) fn column_without_images(&self) -> Option<&'static str> {
        let column =
            self.columns.iter().find(|column| column.needs == RatedBy::Images && self.symmetries == 0);
        column.map(|column| column.name)
    }
}

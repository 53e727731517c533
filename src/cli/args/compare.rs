//! What was typed behind `galop compare`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use galop::{Entry, Isa};

use super::values::{at_least_one, engine_parser, engine_values, isa_parser};
use super::{KindArgs, When};

/// Compare engines on the puzzles of the files: which is faster, by how much, on which puzzles
///
/// Every engine answers all puzzles once to warm up: every solution is checked, and no two engines may contradict
/// each other. Then they run in turns, in an order shuffled for every run, on the same puzzles: relabelled,
/// permuted and put in another order for every run, as an engine may be lucky with a puzzle's looks.
///
/// Times are processor time inside the engine. The ratio to the reference is the median of the runs' ratios, with
/// a 95 % bootstrap interval. The table goes to standard output, warnings to standard error.
///
/// Exit codes: 0 complete; 1 complete, but some records were malformed and left out; 2 usage or I/O error, or no
/// puzzles; 3 a solution failed the check, or two engines contradict each other (a bug); 130 or 143 after an
/// interrupt.
#[derive(ClapArgs, Debug)]
pub(crate) struct CompareArgs {
    /// Files of puzzles; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// The engines, or `all` that solve such puzzles (`galop engines` tells more) [default: lanes,bitboard,hybrid,dlx;
    /// grid,dlx for all but 9x9 sudoku]
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', value_parser = chosen_parser())]
    pub(crate) engines: Vec<Chosen>,

    /// The engine that ratios are taken to [default: the first of --engines]
    #[arg(long, value_name = "NAME", value_parser = engine_parser())]
    pub(crate) reference: Option<&'static Entry>,

    /// Stop a puzzle's search after N solutions: 1 any, 2 prove it the only one, more count, 0 all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    solutions: u64,

    /// Ask for the only solution: the same as --solutions 2
    #[arg(short, long, conflicts_with = "solutions")]
    unique: bool,

    /// Measured runs of every engine
    #[arg(short, long, value_name = "R", default_value_t = 10, value_parser = at_least_one)]
    pub(crate) runs: usize,

    /// Draw N of the puzzles, without replacement [default: all of them]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) sample: Option<usize>,

    /// Where samples, permutations and orders are drawn from
    #[arg(short, long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Neither permute the puzzles nor put them in another order: to repeat counts that others published
    #[arg(long)]
    pub(crate) as_is: bool,

    /// Threads that solve, for one engine at a time; 0 is one a core
    ///
    /// On more than one, engines wait for each other's memory and share the clock rate of the processor: what is
    /// measured is then no longer the engine alone.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,

    /// End an engine's run after so much processor time, between two puzzles; 0 is never
    ///
    /// Its figures, and its ratio to the reference, are then those of the puzzles that it came to.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::cli::compare::seconds)]
    pub(crate) budget: std::time::Duration,

    /// Give a puzzle up when it takes more than N guesses [default: each engine's own, far above any real puzzle; 1,000,000
    /// where grids are larger than 9x9]
    #[arg(long, value_name = "N")]
    pub(crate) max_guesses: Option<u64>,

    /// The instruction set of engines that are compiled for several [default: the best of this machine]
    #[arg(long, value_name = "NAME", value_parser = isa_parser())]
    pub(crate) isa: Option<Isa>,

    /// Also write a report; its form follows the ending: .json, .md, .html, .csv, .txt (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    /// Also write a table (CSV) of every puzzle with every engine: time, guesses, status
    #[arg(long, value_name = "FILE")]
    pub(crate) per_puzzle: Option<PathBuf>,

    /// Read files in blocks and do not map them into memory
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// Whether to show a progress bar; auto: on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,

    /// No progress bar and no warnings about the figures; the table and errors are still shown
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl CompareArgs {
    /// Where searches stop, in solutions.
    pub(crate) fn solutions(&self) -> u64 {
        match self.solutions {
            _ if self.unique => 2,
            0 => u64::MAX,
            solutions => solutions,
        }
    }
}

/// Engines as they are named for a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chosen {
    /// Every row of the table.
    All,
    /// One of them.
    One(&'static Entry),
}

/// The same, and `all`.
fn chosen_parser() -> impl TypedValueParser<Value = Chosen> {
    let all = PossibleValue::new("all").help("every one of them");
    PossibleValuesParser::new(engine_values().chain([all]))
        .map(|name| galop::engine(&name).map_or(Chosen::All, Chosen::One))
}

//! How puzzles are searched, and whether a second engine solves them too.

use clap::Args as ClapArgs;
use galop_batch::pipeline::Sample;
use galop_engines::engine::{self, Entry, Isa};

use super::values::{engine_parser, isa_parser, max_guesses_help, share};

/// How puzzles are searched.
#[derive(ClapArgs, Debug)]
pub(crate) struct SearchArgs {
    /// The engine; `galop engines` describes them [default: lanes up to 15 symbols, else grid]
    #[arg(short, long, value_name = "NAME", value_parser = engine_parser(), hide_possible_values = true)]
    #[arg(help_heading = "Running")]
    pub(crate) engine: Option<&'static Entry>,

    #[command(flatten)]
    pub(crate) solutions: SolutionsArgs,

    /// Print every solution of each puzzle, one record per solution
    ///
    /// If a puzzle has more than N solutions (--limit N; at most 1,000,000), N of them are printed, then a record with
    /// the status `limit`, and the exit code is 4. Their order depends on the puzzle alone.
    #[arg(long, conflicts_with = "unique", help_heading = "What to find")]
    all: bool,

    /// Give up a puzzle after N guesses [default: the limit of the engine, which `galop engines` shows]
    #[arg(long, value_name = "N", long_help = max_guesses_help(engine::ENGINES.iter(), ""), help_heading = "Running")]
    pub(crate) max_guesses: Option<u64>,

    /// The instruction set: avx512, avx2 or portable [default: the best of this machine]
    #[arg(long, value_name = "NAME", value_parser = isa_parser(), help_heading = "Advanced", hide_short_help = true)]
    #[arg(hide_possible_values = true)]
    isa: Option<Isa>,
}

/// Solutions of a puzzle that --all prints without --limit, and with any --limit: 160 MB of output for 9x9.
const USUALLY_LISTED: u64 = 1000;
const MOST_LISTED: u64 = 1_000_000;

impl SearchArgs {
    /// Whether all solutions are printed.
    pub(crate) fn all(&self) -> bool {
        self.all
    }

    /// Whether a search looks for two solutions or more.
    pub(crate) fn counts_solutions(&self) -> bool {
        self.all || self.limit() > 1
    }

    /// Solutions at which a search stops; `u64::MAX` for all.
    fn limit(&self) -> u64 {
        match self.solutions.limit {
            None if self.all => USUALLY_LISTED,
            Some(_) if self.all => self.solutions.most().min(MOST_LISTED),
            _ => self.solutions.most(),
        }
    }

    pub(crate) fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(Isa::best)
    }

    /// The limits of `engine`.
    pub(crate) fn limits_of(&self, engine: &Entry) -> galop_engines::puzzle::Limits {
        let guesses = self.max_guesses.unwrap_or(engine.max_guesses);
        galop_engines::puzzle::Limits::count(self.limit()).with_guesses(guesses)
    }
}

/// How many solutions of a puzzle are searched.
#[derive(ClapArgs, Debug)]
pub(crate) struct SolutionsArgs {
    /// Stop the search of a puzzle at N solutions; 2 proves that one is the only one, 0 counts all [default: 1; with
    /// --all: 1000]
    #[arg(long, value_name = "N", help_heading = "What to find")]
    limit: Option<u64>,

    /// Prove that each solution is the only one; short for --limit 2
    #[arg(short, long, conflicts_with = "limit", help_heading = "What to find")]
    unique: bool,
}

impl SolutionsArgs {
    /// The same, if one was typed.
    pub(crate) fn typed(&self) -> Option<u64> {
        (self.limit.is_some() || self.unique).then(|| self.most())
    }

    /// Solutions at which a search stops; `u64::MAX` for all.
    pub(crate) fn most(&self) -> u64 {
        match self.limit {
            _ if self.unique => 2,
            None => 1,
            Some(0) => u64::MAX,
            Some(solutions) => solutions,
        }
    }
}

/// Whether a second engine solves the puzzles too.
#[derive(ClapArgs, Debug)]
pub(crate) struct CrosscheckArgs {
    /// Solve a share of the puzzles, such as 1%, with a second engine too; a contradiction ends the run with exit code 3
    #[arg(long = "crosscheck", value_name = "SHARE", value_parser = share, help_heading = "Advanced")]
    #[arg(hide_short_help = true)]
    share: Option<f64>,

    /// The seed that selects the puzzles for --crosscheck [default: 0]
    #[arg(
        long = "crosscheck-seed",
        value_name = "N",
        default_value_t = 0,
        requires = "share",
        hide_default_value = true
    )]
    #[arg(help_heading = "Advanced", hide_short_help = true)]
    seed: u64,
}

impl CrosscheckArgs {
    pub(crate) fn sample(&self) -> Option<Sample> {
        self.share.map(|share| Sample { share, seed: self.seed })
    }
}

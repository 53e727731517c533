//! How puzzles are searched, and whether another engine is asked as well.

use clap::Args as ClapArgs;
use galop::pipeline::crosscheck::Sample;
use galop::{Entry, Isa};

use super::values::{engine_parser, isa_parser, share};

/// How puzzles are searched.
#[derive(ClapArgs, Debug)]
pub(crate) struct SearchArgs {
    /// How the puzzles are solved (`galop engines` tells more) [default: lanes; grid for all but 9x9 sudoku]
    #[arg(short, long, value_name = "NAME", value_parser = engine_parser())]
    pub(crate) engine: Option<&'static Entry>,

    /// Stop a puzzle's search after N solutions: 1 any, 2 prove it the only one, more count, 0 all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(crate) solutions: u64,

    /// Ask for the only solution: the same as --solutions 2
    #[arg(short, long, conflicts_with = "solutions")]
    pub(crate) unique: bool,

    /// Give a puzzle up when it takes more than N guesses [default: the engine's, far above any real puzzle]
    #[arg(long, value_name = "N")]
    pub(crate) max_guesses: Option<u64>,

    /// The instruction set of an engine that is compiled for several [default: the best of this machine]
    #[arg(long, value_name = "NAME", value_parser = isa_parser())]
    isa: Option<Isa>,
}

impl SearchArgs {
    pub(crate) fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(Isa::best)
    }

    /// Where `engine` stops.
    pub(crate) fn limits_of(&self, engine: &Entry) -> galop::Limits {
        let solutions = match self.solutions {
            _ if self.unique => 2,
            0 => u64::MAX,
            solutions => solutions,
        };
        galop::Limits::count(solutions).with_guesses(self.max_guesses.unwrap_or(engine.max_guesses))
    }
}

/// Whether another engine is asked as well.
#[derive(ClapArgs, Debug)]
pub(crate) struct SecondArgs {
    /// Have a share of the puzzles solved again by another engine: 0.01 or 1%; 1 is all of them
    ///
    /// The other engine is dlx (bitboard, where dlx is the first). The run ends with exit code 3 where the two
    /// cannot both be right. Where one gives up, only what it found is compared.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    crosscheck: Option<f64>,

    /// Which puzzles those are: the same seed draws the same, whatever the threads
    #[arg(long, value_name = "N", default_value_t = 0, requires = "crosscheck")]
    crosscheck_seed: u64,
}

impl SecondArgs {
    pub(crate) fn sample(&self) -> Option<Sample> {
        self.crosscheck.map(|share| Sample { share, seed: self.crosscheck_seed })
    }
}

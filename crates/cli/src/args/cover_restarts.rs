//! How `galop cover` searches for some solutions in any order.

use clap::{Args as ClapArgs, ValueEnum};

/// Restarts of `galop cover`.
#[derive(ClapArgs, Debug)]
pub(crate) struct RestartsArgs {
    /// The seed of random choices [default: 0 with --first; with --sample it is drawn, and named at the end]
    ///
    /// The same seed gives the same sample, and with --first and -j 1 the same solutions.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// With --first: whether a search that is lost in its order starts again with random choices
    ///
    /// If most of the search tree is left after the first nodes, there is little hope that the order of the file leads to a
    /// solution. Then the search restarts again and again with random choices, and learns which items fail. The solutions
    /// are others than those of the order, but all are checked, none is printed twice, and none is missed. --ordered, and
    /// any --engine other than auto, do without restarts.
    #[arg(long, value_name = "WHEN", default_value = "on")]
    restarts: OnOff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnOff {
    /// The engine auto restarts where that helps
    On,
    /// The order of the engine, always
    Off,
}

impl RestartsArgs {
    /// The seed of restarts; `None` without them.
    pub(crate) fn seed_of_restarts(&self) -> Option<u64> {
        (self.restarts == OnOff::On).then_some(self.seed.unwrap_or(0))
    }
}

//! The options of `galop cover` that select solutions, and the items that a search branches on.

use std::num::NonZero;

use clap::Args as ClapArgs;

#[derive(ClapArgs, Debug)]
pub(crate) struct SelectArgs {
    /// Print every N-th solution only: with 100 the solutions 100, 200, ..
    ///
    /// --first counts the solutions that are printed. All others are found and checked, too, so this does not make a
    /// search faster; it shows how solutions change along a long search.
    #[arg(long, value_name = "N", default_value = "1", hide_default_value = true)]
    pub(crate) every: NonZero<u64>,

    /// Branch on items whose names begin with # before all others
    ///
    /// As long as such an item is open, the search branches on the one with the fewest options, and on other items only
    /// if they have at most one option left. The solutions stay the same; their order and the time change. It helps if
    /// these items decide the rest. Only the engine links does this; without such items --sharp changes nothing.
    #[arg(long)]
    pub(crate) sharp: bool,
}

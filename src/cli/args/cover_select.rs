//! The option of `galop cover` for the items that a search branches on.

use clap::Args as ClapArgs;

#[derive(ClapArgs, Debug)]
pub(crate) struct SelectArgs {
    /// Branch on items whose names begin with # before all others
    ///
    /// As long as such an item is open, the search branches on the one with the fewest options, and on other items only
    /// if they have at most one option left. The solutions stay the same; their order and the time change. It helps if
    /// these items decide the rest. Only the engine links does this; without such items --sharp changes nothing.
    #[arg(long)]
    pub(crate) sharp: bool,
}

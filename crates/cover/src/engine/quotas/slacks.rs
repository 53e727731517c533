//! What the search asks of the slacks: how many options each item can lose.

use crate::engine::Contradiction;
use crate::{ExactCover, OptionId};
use galop_simd::Isa;

/// The slacks of all primary items, some of them closed.
pub(super) trait Slacks: Clone + Send + Sync + 'static {
    /// Which items each option covers, in the form that suits.
    type Options: Send + Sync + 'static;

    /// The options of `problem`, in the order given, and these slacks, none of them negative. All items are open.
    fn new(problem: &ExactCover, order: &[OptionId], slacks: &[u32], isa: Isa) -> (Self::Options, Self);

    /// Makes these slacks equal to `other` without allocating.
    fn copy_from(&mut self, other: &Self);

    /// Takes options off the slacks of their items: those whose bits are set in `eliminated`, of the words of options
    /// from `first` on.
    fn subtract(&mut self, options: &Self::Options, eliminated: &[u64], first: usize);

    /// Takes one option off the slack of an item, which is not 0.
    fn decrease(&mut self, item: usize);

    /// Closes an item. From then on its slack says nothing.
    fn close(&mut self, item: usize);

    /// Whether an item is open.
    fn is_open(&self, item: usize) -> bool;

    /// The open item with the least slack, the first of several, and its slack. `None` if no item is open. If the slack is 0,
    /// it may be a later one of these items, and they, or some of them, are added to `settled`.
    ///
    /// # Errors
    /// [`Contradiction`] if the slack of an open item is negative.
    fn least(&mut self, settled: &mut Vec<u32>) -> Result<Option<(usize, u32)>, Contradiction>;
}

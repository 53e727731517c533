//! What seeks some solution instead of all in order.

use super::{Event, Meter};
use crate::{Assumptions, OptionId};

/// A search with restarts.
pub(crate) trait Seeker: Send {
    /// Starts a search for the solutions that fit `assumptions`. What was learnt is forgotten.
    fn start(&mut self, assumptions: &Assumptions, seed: u64);

    /// Searches to the next solution. After a restart it may be one that was found before. A run that has found a
    /// solution goes on for as many nodes as it began with. `End` if a run was complete: it has found every solution.
    fn next(&mut self, meter: &mut Meter<'_>) -> Event;

    /// The options of the last solution found.
    fn solution(&self) -> &[OptionId];

    /// Whether it has given up, for lack of memory: `next` will find nothing more, and proves nothing.
    fn has_given_up(&self) -> bool {
        false
    }
}

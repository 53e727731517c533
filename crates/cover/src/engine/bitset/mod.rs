//! The row filter: no links and no tables; the options that are left are rows of bits, filtered at every choice.
//!
//! The idea: an option is a set of items, a row of bits. To choose one is to go through the rows once, to keep those
//! that have no bit in common with it, and to count on the way in how many of them each item occurs. That tells all
//! there is to know: an item in no row, and the state fails; in one, and that row is forced; otherwise the item in
//! the fewest rows is branched on. What was chosen is undone by going back to the longer list, which is still there.
//!
//! 1. Rows lie in planes of 64-bit words ([`kernel`] draws them): four rows are filtered at a time where the machine
//!    has AVX2.
//! 2. All items are counted at once, in counters of four bits that saturate at 8. Only if every item is in 8 rows or
//!    more the rows are counted one by one.
//! 3. Everything forced is taken in one batch; one filter serves them all.
//! 4. Colours are bits too ([`table`] draws them). Only there does what an option forbids differ from what it uses.
//! 5. The number of an option is carried in spare bits of its row: no list beside the rows.
//! 6. With one item left nothing is filtered: every row that is free is a solution.
//! 7. To count, what was counted is remembered by what is left ([`memo`]): domino tilings are counted ten thousand
//!    times faster than listed. A sample of solutions is shown all the same, for the checker. Boards are filled along
//!    their short side for it ([`order`]).

// The words of several rows are walked side by side; iterators over four arrays at once read worse.
#![allow(clippy::needless_range_loop)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod counting;
mod kernel;
mod memo;
mod order;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::{CoverEngine, CoverEntry, Event, Meter, Unsuitable};
use crate::{Assumptions, ExactCover, Natural, OptionId};
use counting::Policy;
use galop_simd::Isa;
use memo::Memo;
use search::Search;
use table::Table;

/// Its row in the table of engines.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "rows",
    about: "the options left as rows of bits, filtered at every choice; counts equal parts once. Up to 512 bits",
    make: |problem, isa| make(problem, isa, Policy::WhileItPays),
};

/// An engine that only counts, as long as it pays to remember what is left; then its
/// [`count`](CoverEngine::count) is `None`. `Err` if the problem does not suit it.
///
/// It is meant for a try: whether equal parts come again shows after some hundred choices, or two thousand.
pub(crate) fn counter(problem: &ExactCover, isa: Isa) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    make(problem, isa, Policy::OrGiveUp)
}

fn make(problem: &ExactCover, isa: Isa, policy: Policy) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    fn sized<const W: usize>(
        problem: &ExactCover,
        isa: Isa,
        policy: Policy,
    ) -> Result<Box<dyn CoverEngine>, Unsuitable> {
        // What is only counted is handed out in no order, so that it may be searched in any.
        let order = match policy {
            Policy::OrGiveUp => order::near(problem),
            _ => order::as_numbered(problem),
        };
        let mut filter = Filter::<W>::new(problem, isa, &order);
        filter.search.counting.set(policy, Memo::largest());
        Ok(Box::new(filter))
    }
    if !problem.is_simple() {
        return Err(Unsuitable::Bounds);
    }
    Unsuitable::check_size("primary items", problem.primary_count(), 511)?;
    let bits = table::row_bits(problem);
    match bits.div_ceil(64) {
        0 | 1 => sized::<1>(problem, isa, policy),
        2 => sized::<2>(problem, isa, policy),
        3 => sized::<3>(problem, isa, policy),
        4 => sized::<4>(problem, isa, policy),
        5 => sized::<5>(problem, isa, policy),
        6 => sized::<6>(problem, isa, policy),
        7 | 8 => sized::<8>(problem, isa, policy),
        _ => Err(Unsuitable::TooLarge { what: "bits an option", found: bits, most: 512 }),
    }
}

/// The engine: a search, and the code for this machine.
#[derive(Clone, Debug)]
struct Filter<const W: usize> {
    search: Search<W>,
    has_avx2: bool,
}

impl<const W: usize> Filter<W> {
    fn new(problem: &ExactCover, isa: Isa, order: &[u32]) -> Filter<W> {
        let has_avx2 = matches!(isa, Isa::Avx2 | Isa::Avx512) && Isa::Avx2.is_available();
        Filter { search: Search::new(Arc::new(Table::new(problem, order))), has_avx2 }
    }

    fn run(&mut self, meter: &mut Meter<'_>, is_counted: bool) -> Option<Event> {
        self.search.counting.go_on(is_counted);
        let event = match self.has_avx2 {
            #[cfg(target_arch = "x86_64")]
            true => avx2::run(&mut self.search, meter, is_counted),
            _ => self.search.run::<kernel::Plain>(meter, is_counted),
        };
        meter.updates += std::mem::take(&mut self.search.updates);
        event
    }
}

impl<const W: usize> CoverEngine for Filter<W> {
    fn start(&mut self, assumptions: &Assumptions) {
        self.search.start(assumptions);
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        // Only a search that counts gives up.
        self.run(meter, false).unwrap_or(Event::End)
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let event = self.run(meter, true);
        *found += &self.search.counting.take_fresh();
        event
    }

    fn solution(&self) -> &[OptionId] {
        &self.search.trail
    }

    fn split(&mut self) -> Option<Assumptions> {
        self.search.split()
    }

    fn progress(&self) -> f64 {
        self.search.progress()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Filter { search: self.search.fork(), has_avx2: self.has_avx2 })
    }
}

//! Bitsets: no links and no tables. The options that are left are rows of bits, which every choice filters.
//!
//! The idea: an option is a set of items, a row of bits. To choose an option, the search goes through the rows once,
//! keeps those that have no bit in common with it, and counts in how many of them each item occurs. An item in no row
//! is a contradiction; if an item is in one row, that row is forced; otherwise the search branches on the item in the
//! fewest rows. A choice is undone by going back to the longer list, which is still there.
//!
//! 1. Rows are in planes of 64-bit words ([`kernel`] draws them). With AVX2, four rows are filtered at a time
//!    ([`quads`]).
//! 2. All items are counted at once, in counters of four bits that saturate at 8. Rows are counted one by one only if
//!    every item is in 8 rows or more.
//! 3. All forced options are taken in one batch, with one filter.
//! 4. Colours are bits too ([`table`] draws them). Only for colours do the bits that an option forbids differ from
//!    those that it uses.
//! 5. The number of an option is in spare bits of its row, so that no list beside the rows is needed.
//! 6. With one item left, no filter is needed: every row that is free is a solution.
//! 7. Counts are remembered by the rows that are left ([`memo`]): domino tilings are counted ten thousand times
//!    faster than listed. A sample of solutions is still shown, for the checker. For this, boards are filled along
//!    their short side ([`order`]).

// Loops walk the words of several rows side by side; iterators over four arrays at once are harder to read.
#![allow(clippy::needless_range_loop)]

mod counting;
mod kernel;
mod memo;
mod order;
mod quads;
mod record;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;
use std::sync::Arc;

use crate::diagram::{DiagramBuilder, DiagramError, NONE, NodeId};
use crate::engine::{Build, CoverEngine, CoverEntry, Driver, Event, Meter, Stop, Unsuitable};
use crate::{Assumptions, ExactCover, Natural, OptionId};
use counting::Counter;
use galop_simd::{Isa, Job, Kernel, Simd};
use memo::{BYTES, Memo};
use quads::Quads;
use record::Recorder;
use search::Search;
use table::Table;

/// Its row in the table of engines.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "rows",
    about: "only counts: options as rows of bits, equal subproblems counted once. Up to 512 bits an option",
    lists: false,
    holds: |problem| check(problem).map(|_| ()),
    make: |problem, build| Ok(filter(problem, build, false, BYTES)?),
};

/// An engine that gives up when remembering counts does not pay: then its [`count`](CoverEngine::count) is `None`.
/// `Err` if the problem does not suit it.
///
/// It is meant for a try: after some hundred choices, or two thousand, it is known whether equal parts come again. What
/// it remembers takes at most `memory` bytes, and what `build` may reserve.
pub(crate) fn counter(
    problem: &ExactCover,
    build: Build<'_>,
    memory: usize,
) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    Ok(filter(problem, build, true, memory)?)
}

/// The diagram of all solutions and its root, recorded by a counting search in at most `memory` bytes. The outer error
/// says that the problem does not suit the engine.
#[inline(never)]
pub(crate) fn record(
    problem: &ExactCover,
    isa: Isa,
    meter: &mut Meter<'_>,
    memory: usize,
) -> Result<Result<(DiagramBuilder, NodeId), DiagramError>, Unsuitable> {
    /// Nodes between two looks whether recording has failed.
    const SLICE: u64 = 4096;
    let mut engine = filter(problem, isa.into(), false, memory / 4)?;
    engine.start(&Assumptions::default());
    *engine.recorder() = Some(Box::new(Recorder::new(memory)));
    let mut found = Natural::ZERO;
    loop {
        let most = meter.lower_max_nodes(meter.nodes.saturating_add(SLICE));
        let event = engine.count(meter, &mut found);
        meter.set_max_nodes(most);
        if let Some(error) = engine.recorder().as_ref().and_then(|recorder| recorder.error()) {
            return Ok(Err(error.clone()));
        }
        match event {
            Some(Event::Stopped(stop)) if stop != Stop::Nodes || meter.nodes >= most => {
                return Ok(Err(DiagramError::Stopped { end: stop.into() }));
            }
            Some(Event::Solution | Event::Stopped(_)) => {}
            Some(Event::End) | None => break,
        }
    }
    Ok(engine.recorder().take().map_or(Ok((DiagramBuilder::default(), NONE)), |recorder| recorder.finish()))
}

/// An engine that can record a diagram.
trait Records: CoverEngine {
    /// What records, between the start of a search and its end.
    fn recorder(&mut self) -> &mut Option<Box<Recorder>>;
}

/// Bits of an option, if all items are covered once, and the longest rows have room.
fn check(problem: &ExactCover) -> Result<usize, Unsuitable> {
    if !problem.is_simple() {
        return Err(Unsuitable::Bounds);
    }
    Unsuitable::check_size("primary items", problem.primary_count(), 511)?;
    let bits = table::row_bits(problem);
    Unsuitable::check_size("bits an option", bits, 512)?;
    Ok(bits)
}

fn filter(
    problem: &ExactCover,
    build: Build<'_>,
    gives_up: bool,
    memory: usize,
) -> Result<Box<dyn Records>, Unsuitable> {
    let bits = check(problem)?;
    Ok(build.isa.run(Make { problem, bits, build, gives_up, memory })?)
}

/// Makes the engine for the instruction set that was found.
struct Make<'a> {
    problem: &'a ExactCover,
    /// Bits of an option, at most 512.
    bits: usize,
    build: Build<'a>,
    gives_up: bool,
    memory: usize,
}

impl Job for Make<'_> {
    type Output = Box<dyn Records>;

    fn run<S: Simd>(self) -> Self::Output {
        /// The engine with the shortest rows that have room, in words.
        macro_rules! sizes {
            ($($words:literal)*) => {
                match self.bits.div_ceil(64) {
                    $(..=$words => self.sized::<S::Base, $words>(),)*
                    _ => self.sized::<S::Base, 8>(),
                }
            };
        }
        // Every size is a copy of the search to compile. The unit tests have few: the tests from outside have all.
        #[cfg(test)]
        return sizes!(1 2);
        #[cfg(not(test))]
        if S::IS_PORTABLE { sizes!(1 2 4) } else { sizes!(1 2 3 4 5) }
    }
}

impl Make<'_> {
    /// The engine with rows of `W` words.
    fn sized<S: Simd, const W: usize>(self) -> Box<dyn Records> {
        // What is only counted is handed out in no order, so that it may be searched in any.
        let order = order::near(self.problem);
        let counting = Counter::new(Memo::within(self.memory, self.build.growing()), self.gives_up);
        Box::new(Filter::<S, W>::new(self.problem, &order, counting))
    }
}

/// The engine: a search, compiled for `S`.
#[derive(Debug)]
struct Filter<S, const W: usize> {
    search: Search<W>,
    compiled_for: PhantomData<S>,
}

impl<S: Simd, const W: usize> Filter<S, W> {
    fn new(problem: &ExactCover, order: &[u32], counting: Counter<W>) -> Self {
        let search = Search::new(Arc::new(Table::new(problem, order)), counting);
        Filter { search, compiled_for: PhantomData }
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Option<Event> {
        let event = if S::IS_PORTABLE {
            self.search.run::<kernel::Plain>(meter)
        } else {
            S::run(SearchJob(&mut self.search, meter, PhantomData::<S>))
        };
        meter.ticks += std::mem::take(&mut self.search.ticks);
        event
    }
}

/// See [`Search::run`].
struct SearchJob<'a, 'm, S, const W: usize>(&'a mut Search<W>, &'a mut Meter<'m>, PhantomData<S>);

impl<S: Simd, const W: usize> Kernel for SearchJob<'_, '_, S, W> {
    type Output = Option<Event>;

    #[inline(always)]
    fn run(self) -> Option<Event> {
        self.0.run::<Quads<S::Quad>>(self.1)
    }
}

impl<S: Simd, const W: usize> Records for Filter<S, W> {
    fn recorder(&mut self) -> &mut Option<Box<Recorder>> {
        &mut self.search.counting.recorder
    }
}

impl<S: Simd, const W: usize> CoverEngine for Filter<S, W> {
    fn start(&mut self, assumptions: &Assumptions) {
        self.search.start(assumptions);
    }

    /// It only counts. After it has given up, all that is left can be split off.
    fn next(&mut self, _meter: &mut Meter<'_>) -> Event {
        Event::End
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let event = self.run(meter);
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
        Box::new(Filter { search: self.search.fork(), compiled_for: self.compiled_for })
    }

    fn driver(&mut self) -> Option<&mut dyn Driver> {
        Some(self)
    }

    fn as_driver(&self) -> Option<&dyn Driver> {
        Some(self)
    }
}

impl<S: Simd, const W: usize> Driver for Filter<S, W> {
    fn is_forgetting(&self) -> bool {
        self.search.counting.is_forgetting()
    }

    /// Branches that are given away are not counted here, so it no longer matters whether counts come again.
    fn give_away(&mut self) {
        self.search.counting.gives_up = false;
    }
}

//! A short count that shows how a problem is counted.

use super::begin;
use crate::engine::{Driver, Event, Meter};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural};
use galop_simd::Isa;

/// What the first nodes of a count show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstNodes {
    /// They count everything.
    Everything,
    /// A sweep, a memory of subproblems or independent parts count the rest.
    Remembered,
    /// Each solution of the rest has to be met.
    Plain,
}

/// Bytes that a count of the first nodes may remember, on every machine.
const FIRST_MEMORY: u64 = 1 << 26;

/// Counts for `nodes[0]` nodes, to see how a problem is counted, or for `nodes[1]` if the count remembers. It depends
/// on no machine: the instruction set and the memory are fixed.
pub(crate) fn count_first_nodes(
    problem: &ExactCover,
    assumptions: &Assumptions,
    nodes: [u64; 2],
) -> FirstNodes {
    let memory = Memory::new(Some(FIRST_MEMORY));
    let Ok((_, mut engine)) = begin(problem, Isa::Portable.into(), &memory) else {
        return FirstNodes::Plain;
    };
    engine.start(assumptions);
    let (mut meter, mut found) = (Meter::new(nodes[0], None, None), Natural::ZERO);
    loop {
        match engine.count(&mut meter, &mut found) {
            Some(Event::Solution) => {}
            Some(Event::End) | None => return FirstNodes::Everything,
            Some(Event::Stopped(_)) => {
                if !engine.as_driver().is_some_and(Driver::is_remembering) {
                    return FirstNodes::Plain;
                }
                if meter.nodes >= nodes[1] {
                    return FirstNodes::Remembered;
                }
                meter.set_max_nodes(nodes[1]);
            }
        }
    }
}

//! What the tests of every engine do: collect solutions, and leave a search at every node.

use super::{CoverEngine, Event, Meter};
use crate::{Assumptions, Natural, OptionId};

/// A meter without limits.
pub(super) fn meter() -> Meter<'static> {
    Meter::new(u64::MAX, None, None)
}

/// All solutions, each ascending, in the order they are found.
pub(super) fn solutions(engine: &mut dyn CoverEngine, meter: &mut Meter<'_>) -> Vec<Vec<OptionId>> {
    let mut found = Vec::new();
    while engine.next(meter) == Event::Solution {
        let mut solution = engine.solution().to_vec();
        solution.sort_unstable();
        found.push(solution);
    }
    found
}

/// Asserts that a search interrupted at every node finds what an uninterrupted one finds, and that an engine that
/// counts without finding each solution counts as many, interrupted or not.
pub(super) fn assert_continues_where_interrupted(engine: &mut dyn CoverEngine) {
    engine.start(&Assumptions::default());
    let mut whole = meter();
    let expected = solutions(engine, &mut whole);
    engine.start(&Assumptions::default());
    let (mut found, mut done, mut nodes) = (Vec::new(), 0.0, 0);
    loop {
        let mut meter = Meter::new(1, None, None);
        found.extend(solutions(engine, &mut meter));
        assert!(engine.progress() >= done - 1e-12 && engine.progress() <= 1.0 + 1e-12);
        done = engine.progress();
        nodes += meter.nodes;
        if meter.nodes == 0 {
            break;
        }
    }
    assert_eq!(found, expected);
    assert_eq!((nodes, done), (whole.nodes, 1.0));
    for slice in [1, u64::MAX] {
        engine.start(&Assumptions::default());
        let mut number = Natural::ZERO;
        loop {
            let mut meter = Meter::new(slice, None, None);
            match engine.count(&mut meter, &mut number) {
                Some(Event::End) => break,
                Some(_) => {}
                None => return,
            }
        }
        assert!(number == expected.len() as u128);
    }
}

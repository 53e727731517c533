//! Counts by layers equal the counts of brute force, whatever the order, the memory and the pieces of the run.

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::*;
use crate::End;
use crate::diagram::DiagramError;
use crate::engine::Stop;
use crate::memory::Memory;
use crate::tests::made;
use crate::tests::{brute_force_with, problems};

/// A sweep that has begun.
fn begun(plan: &Arc<Plan>, forbidden: &[OptionId], room: Reservation) -> Sweep {
    let mut sweep = Sweep::new(plan, room);
    sweep.start(&Assumptions { chosen: Vec::new(), forbidden: forbidden.to_vec() });
    sweep
}

/// The number of solutions, counted in pieces of `nodes` states.
fn counted(plan: Plan, forbidden: &[OptionId], nodes: u64) -> Natural {
    let mut sweep = begun(&Arc::new(plan), forbidden, Reservation::default());
    let (mut meter, mut found) = (Meter::new(0, None, None), Natural::ZERO);
    let mut progress = 0.0;
    while sweep.count(&mut meter, &mut found).expect("there is no limit on memory") != Event::End {
        meter.set_max_nodes(meter.nodes.saturating_add(nodes));
        assert!(sweep.progress() >= progress);
        progress = sweep.progress();
    }
    assert!(sweep.split().is_none());
    found
}

proptest! {
    #[test]
    fn every_order_counts_what_brute_force_finds(
        problem in problems(),
        forbidden in proptest::collection::vec((0_u32..11).prop_map(OptionId), 0..3),
        nodes in 1_u64..9,
    ) {
        prop_assume!(problem.is_simple());
        let expected = brute_force_with(&problem, &[], &forbidden).len() as u128;
        let plan = Plan::new(&problem, f64::INFINITY, f64::INFINITY).unwrap();
        prop_assert_eq!(counted(plan, &forbidden, nodes).to_u128(), Some(expected));
        let count = problem.primary_count();
        for turn in 0..count {
            let order: Vec<usize> = (0..count).map(|place| (2 * place + turn) % count).collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            sorted.dedup();
            if sorted.len() == count {
                let plan = Plan::with_order(&problem, &order);
                prop_assert_eq!(counted(plan, &forbidden, u64::MAX).to_u128(), Some(expected));
            }
        }
    }
}

/// A sweep ends where the memory or the time ends. If the memory is too small, all it was to count is split off.
#[test]
fn a_sweep_stops_at_limits() {
    let plan = Arc::new(Plan::new(&made("dominoes 10x10"), MOST_STATES, f64::INFINITY).unwrap());
    let without = [OptionId(3)];
    let count = |bytes, meter: &mut Meter<'_>| {
        let mut sweep = begun(&plan, &without, Memory::new(Some(bytes)).growing());
        let mut found = Natural::ZERO;
        let event = sweep.count(meter, &mut found);
        let left = sweep.split().map(|left| (left.chosen.is_empty(), left.forbidden));
        assert!(sweep.progress() == 1.0 && sweep.split().is_none());
        (event, left, found == 0)
    };
    let mut meter = Meter::new(u64::MAX, None, None);
    let all = Some((true, without.to_vec()));
    assert_eq!(count(1 << 14, &mut meter), (None, all.clone(), true));
    assert_eq!(count(1 << 24, &mut meter), (Some(Event::End), None, false));
    let cancel = AtomicBool::new(true);
    let mut meter = Meter::new(u64::MAX, None, Some(&cancel));
    assert_eq!(count(1 << 24, &mut meter), (Some(Event::Stopped(Stop::Cancelled)), all, true));
}

/// Whatever the limit, the tables of all layers never take more than is reserved, however the sweep ends.
#[test]
fn tables_take_what_is_reserved() {
    let plan = Arc::new(Plan::new(&made("dominoes 6x30"), MOST_STATES, f64::INFINITY).unwrap());
    let mut ends = Vec::new();
    for bits in 10..22 {
        let memory = Memory::new(Some(1 << bits));
        let mut sweep = begun(&plan, &[], memory.growing());
        let (mut meter, mut found) = (Meter::new(0, None, None), Natural::ZERO);
        let end = loop {
            meter.set_max_nodes(meter.nodes + 1);
            let end = sweep.count(&mut meter, &mut found);
            let tables = match &sweep.run {
                Some(Width::Narrow(Layers { tables, .. })) => {
                    tables.layers.iter().chain(&tables.spare).map(States::bytes).sum::<usize>()
                }
                Some(Width::Wide(_)) => panic!("a border of a short side is narrow"),
                None => 0,
            };
            // The first table is not counted.
            assert!(tables <= memory.reserved() + (16 << 6) && memory.reserved() <= 1 << bits, "{bits}");
            if !matches!(end, Some(Event::Stopped(_))) {
                break end;
            }
        };
        ends.push(end);
    }
    assert!(ends.first() == Some(&None) && ends.last() == Some(&Some(Event::End)), "{ends:?}");
}

#[test]
fn a_diagram_ends_at_its_limits() {
    let problem = made("dominoes 10x10");
    let plan = Plan::new(&problem, MOST_STATES, f64::INFINITY).unwrap();
    let stopped = record(&plan, &mut Meter::new(100, None, None), usize::MAX).map(|_| ());
    assert_eq!(stopped, Err(DiagramError::Stopped { end: End::Nodes }));
    let mut meter = Meter::new(u64::MAX, None, None);
    assert_eq!(record(&plan, &mut meter, 1 << 16).map(|_| ()), Err(DiagramError::Memory { bytes: 1 << 16 }));
    let (builder, root) = record(&plan, &mut meter, 1 << 24).unwrap();
    assert_eq!(builder.finish(&problem, root).count(), 258_584_046_368);
}

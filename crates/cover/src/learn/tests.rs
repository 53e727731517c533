use galop_testing::exact_cover;
use proptest::prelude::*;

use super::*;
use crate::engine::tests::{meter, sought};
use crate::memory::Memory;
use crate::tests::{assumptions, brute_force_with, problems};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn it_finds_every_solution_once(
        problem in problems(),
        draws in any::<[u32; 2]>(),
        seed in any::<u64>(),
        slice in 1_u64..20,
    ) {
        let assumptions = assumptions(&problem, draws);
        let expected = brute_force_with(&problem, &assumptions.chosen, &assumptions.forbidden);
        let mut learner = Learner::new(Arc::new(problem), Memory::new(None).growing());
        for _ in 0..2 {
            learner.start(&assumptions, seed);
            let (found, is_twice) = sought(&mut learner, slice);
            prop_assert!(!is_twice && found.iter().eq(&expected), "{found:?} {expected:?}");
        }
    }
}

/// Six pigeons, each in one of `holes` holes.
fn pigeons(holes: usize) -> Arc<ExactCover> {
    Arc::new(exact_cover::pigeons(6, holes).parse().unwrap())
}

/// A learner for `problem` in `memory`, started.
fn learner(problem: &Arc<ExactCover>, memory: &Memory) -> Learner {
    let mut learner = Learner::new(Arc::clone(problem), memory.growing());
    learner.start(&Assumptions::default(), 1);
    learner
}

#[test]
fn it_counts_the_nodes_of_a_proof_within_every_slice() {
    for slice in [1, 3, 1000] {
        let mut learner = learner(&pigeons(5), &Memory::new(None));
        let mut meter = Meter::new(0, None, None);
        let mut most = 0;
        while learner.next(&mut meter) != Event::End {
            assert_eq!(meter.nodes, most);
            most += slice;
            meter.set_max_nodes(most);
        }
        assert!(meter.nodes > 10 && meter.nodes <= most && meter.ticks > meter.nodes, "{meter:?}");
    }
}

/// What has no room is given up before it is made, or when it grows; a solution that was found by then is delivered.
#[test]
fn it_gives_up_for_lack_of_memory() {
    let problem = pigeons(6);
    let mut size = Size { variables: 0, clauses: 0, literals: 0 };
    assert!(encode(&problem, &Assumptions::default(), &mut size).is_continue());
    for (bytes, expected) in
        [(0, 0), (size.bytes() - 1, 0), (size.bytes(), 1), (size.bytes() + (2 << 20), 720)]
    {
        let memory = Memory::new(Some(bytes as u64));
        let mut learner = learner(&problem, &memory);
        let (mut meter, mut found) = (meter(), 0);
        while learner.next(&mut meter) == Event::Solution {
            found += 1;
        }
        assert_eq!(
            (found, learner.has_given_up(), memory.reserved()),
            (expected, expected < 720, 0),
            "{bytes}"
        );
        let again = if expected == 720 { Event::End } else { Event::Stopped(Stop::Nodes) };
        assert_eq!(learner.next(&mut meter), again);
        learner.start(&Assumptions { chosen: vec![OptionId(0), OptionId(1)], forbidden: vec![] }, 1);
        assert!(!learner.has_given_up());
    }
}

#[test]
fn it_stops_while_it_builds_and_while_it_searches() {
    let text = "a\n".repeat(5000);
    let large = Arc::new(text.parse::<ExactCover>().unwrap());
    let (flag, memory) = (AtomicBool::new(true), Memory::new(None));
    let mut building = learner(&large, &memory);
    let mut meter = Meter::new(u64::MAX, None, Some(&flag));
    assert!(matches!(building.build(&mut meter), Err(NoClauses::Stopped(Stop::Cancelled))));
    flag.store(false, Ordering::Relaxed);
    assert_eq!((building.next(&mut meter), building.solution().len()), (Event::Solution, 1));
    flag.store(true, Ordering::Relaxed);
    assert_eq!(building.search(&mut meter), Event::Stopped(Stop::Cancelled));
    flag.store(false, Ordering::Relaxed);
    assert_eq!(building.next(&mut meter), Event::Solution);
}

#[test]
fn it_gives_up_if_the_library_panics() {
    let memory = Memory::new(None);
    let mut learner = learner(&pigeons(5), &memory);
    learner.fault = Some(3);
    assert_eq!(learner.next(&mut meter()), Event::Stopped(Stop::Nodes));
    assert!(learner.has_given_up() && memory.reserved() == 0);
}

/// However a search is cut into slices, it finds the same solutions in the same order.
#[test]
fn slices_change_nothing() {
    let found = [1, 7, 1000].map(|slice| {
        let mut learner = learner(&pigeons(7), &Memory::new(None));
        let (mut meter, mut found) = (Meter::new(0, None, None), Vec::new());
        while found.len() < 200 {
            match learner.next(&mut meter) {
                Event::Solution => found.push(learner.solution().to_vec()),
                Event::Stopped(_) => meter.set_max_nodes(meter.nodes + slice),
                Event::End => break,
            }
        }
        (found, meter.ticks)
    });
    assert!(found[0].0.len() == 200 && found.iter().all(|other| *other == found[0]));
}

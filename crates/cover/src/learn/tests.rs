use galop_testing::exact_cover;
use proptest::prelude::*;

use super::*;
use crate::chance::Chance;
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

/// A roster of 20 persons and 14 days that has a solution: early, late and night shifts and days off, no earlier shift
/// on the next day, and everybody and each shift with a number.
fn roster() -> ExactCover {
    const STAFF: usize = 20;
    let mut chance = Chance::new(1);
    let mut below = |most: usize| (chance.word() >> 33) as usize % most;
    let (mut items, mut secondary, mut options) = (String::new(), String::new(), String::new());
    let mut needed = [[0; 3]; 14];
    for person in 0..STAFF {
        let (mut worked, mut before) = (0, 3);
        for (day, needed) in needed.iter_mut().enumerate() {
            let first = before % 3;
            let shift = first + below(4 - first);
            if shift < 3 {
                (needed[shift], worked) = (needed[shift] + 1, worked + 1);
            }
            // The colour of `a` is the number of shifts that the day has ended with, of `b` whether it is a night shift.
            for other in (0..4).filter(|&other| other == 3 || other == shift || below(4) > 0) {
                options += &format!("{person}.{day}");
                if other < 3 {
                    options += &format!(" s{other}.{day} w{person}");
                }
                let [late, night] = [other == 1 || other == 2, other == 2].map(u8::from);
                options += &format!(" a{person}.{day}:{late} b{person}.{day}:{night}");
                if other < 2 && day > 0 {
                    options += &format!(" {}{person}.{}:0", ["a", "b"][other], day - 1);
                }
                options.push('\n');
            }
            items += &format!("{person}.{day} ");
            secondary += &format!(" a{person}.{day} b{person}.{day}");
            before = shift;
        }
        items += &format!("{worked}|w{person} ");
    }
    for (day, needed) in needed.iter().enumerate() {
        for (shift, number) in needed.iter().enumerate() {
            items += &format!("{number}:{}|s{shift}.{day} ", number + 1);
        }
    }
    format!("{items}|{secondary}\n{options}").parse().unwrap()
}

/// Where items have bounds the learner keeps what it had, and does not choose every option first.
#[test]
fn it_finds_a_roster_within_a_few_contradictions() {
    let mut learner = learner(&Arc::new(roster()), &Memory::new(None));
    assert_eq!(learner.next(&mut Meter::new(3000, None, None)), Event::Solution);
}

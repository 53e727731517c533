//! Every engine on every instruction set, against brute force: assumptions, interruptions, splits.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{CoverEngine, CoverEntry, ENGINES, Event, Meter, Seeker, Step, Stepper, Stop};
use crate::tests::made;
use crate::tests::{assumptions, brute_force, brute_force_with, problems};
use crate::{Assumptions, ExactCover, Isa, Natural, OptionId};
use galop_testing::available::isas;

/// A meter without limits.
pub(crate) fn meter() -> Meter<'static> {
    Meter::new(u64::MAX, None, None)
}

pub(crate) fn sorted(options: &[OptionId]) -> Vec<OptionId> {
    let mut options = options.to_vec();
    options.sort_unstable();
    options
}

/// All solutions, each ascending, in the order they are found.
pub(super) fn solutions(engine: &mut dyn CoverEngine, meter: &mut Meter<'_>) -> Vec<Vec<OptionId>> {
    let mut found = Vec::new();
    while engine.next(meter) == Event::Solution {
        found.push(sorted(engine.solution()));
    }
    found
}

/// Assumptions of drawn options: they may repeat options, contradict each other, and name options that do not exist.
pub(crate) fn assumed(problem: &ExactCover, draws: [u32; 4]) -> [Assumptions; 5] {
    let [one, two, three, four] = draws.map(|draw| OptionId(draw % (problem.option_count() as u32 + 1)));
    [
        (&[][..], &[][..]),
        (&[one], &[two]),
        (&[one, two, one], &[]),
        (&[], &[one, three, three]),
        (&[three, four], &[one, two]),
    ]
    .map(|(chosen, forbidden)| Assumptions { chosen: chosen.to_vec(), forbidden: forbidden.to_vec() })
}

/// How a test drives a search. Events are numbered from 1.
#[derive(Clone, Copy)]
pub(crate) struct Drive<'a> {
    /// Nodes after which the search is interrupted.
    pub(crate) slice: u64,
    /// Whether a branch is split off after this event.
    pub(crate) is_split: &'a dyn Fn(u64) -> bool,
    /// The event after which every branch is given away.
    pub(crate) given_away: u64,
    /// Whether solutions are counted; otherwise they are listed.
    pub(crate) is_counted: bool,
}

impl Drive<'_> {
    /// Counts in slices of `slice` nodes.
    pub(crate) fn count(slice: u64) -> Drive<'static> {
        Drive { slice, is_split: &|_| false, given_away: u64::MAX, is_counted: true }
    }

    /// Lists in slices of `slice` nodes.
    pub(crate) fn list(slice: u64) -> Drive<'static> {
        Drive { is_counted: false, ..Drive::count(slice) }
    }
}

/// What a driven search found.
pub(crate) struct DriveOutcome {
    pub(crate) count: Natural,
    /// The solutions that were found or shown, each ascending.
    pub(crate) solutions: Vec<Vec<OptionId>>,
    /// The meter of the last branch.
    pub(crate) meter: Meter<'static>,
}

/// Searches to the end, and then the branches that were split off. Asserts that the progress never falls and ends at 1.
pub(crate) fn drive(
    engine: &mut dyn CoverEngine,
    assumptions: &Assumptions,
    drive: Drive<'_>,
) -> DriveOutcome {
    let mut driven = DriveOutcome { count: Natural::ZERO, solutions: Vec::new(), meter: meter() };
    let (mut tasks, mut turn) = (vec![assumptions.clone()], 0);
    while let Some(task) = tasks.pop() {
        engine.start(&task);
        // (Assumptions may name an option twice.)
        let (mut chosen, mut seen) = (task.chosen.clone(), BTreeSet::new());
        chosen.retain(|&option| seen.insert(option));
        driven.meter = Meter::new(0, None, None);
        let (meter, mut progress) = (&mut driven.meter, 0.0);
        loop {
            let event = match drive.is_counted {
                true => engine.count(meter, &mut driven.count).unwrap(),
                false => engine.next(meter),
            };
            let before = std::mem::replace(&mut progress, engine.progress());
            // Branches that are given away may lower it.
            assert!(turn >= drive.given_away || progress >= before - 1e-12, "{before} falls to {progress}");
            match event {
                Event::Solution => {
                    assert!(drive.is_counted || engine.solution().starts_with(&chosen));
                    driven.count += u64::from(!drive.is_counted);
                    driven.solutions.push(sorted(engine.solution()));
                }
                Event::Stopped(stop) => {
                    assert_eq!(stop, Stop::Nodes);
                    meter.set_max_nodes(meter.nodes.saturating_add(drive.slice));
                }
                Event::End => break,
            }
            turn += 1;
            if turn == drive.given_away {
                engine.driver().unwrap().give_away();
            }
            if turn >= drive.given_away || (drive.is_split)(turn) {
                tasks.extend(engine.split());
            }
        }
        assert!((progress - 1.0).abs() < 1e-9, "it ends at {progress}");
        assert!(drive.is_counted || engine.next(meter) == Event::End);
    }
    driven
}

/// All solutions that a search with restarts finds in slices of `slice` nodes until it ends, and whether it found one
/// twice.
pub(crate) fn sought(seeker: &mut dyn Seeker, slice: u64) -> (BTreeSet<Vec<OptionId>>, bool) {
    let (mut found, mut is_twice, mut meter) = (BTreeSet::new(), false, Meter::new(0, None, None));
    loop {
        match seeker.next(&mut meter) {
            Event::Solution => is_twice |= !found.insert(sorted(seeker.solution())),
            Event::Stopped(_) => meter.set_max_nodes(meter.nodes + slice),
            Event::End => break,
        }
        assert!(!seeker.has_given_up());
    }
    assert_eq!(seeker.next(&mut meter), Event::End);
    (found, is_twice)
}

/// Asserts that a search with restarts finds all solutions, and nothing else, however short its runs are. `set_unit` sets
/// the nodes of the shortest run.
pub(super) fn assert_seeks_all<S: Seeker>(
    seek: &mut S,
    set_unit: impl Fn(&mut S, u64),
    problem: &ExactCover,
    draws: [u32; 2],
    seed: u64,
) {
    let assumptions = assumptions(problem, draws);
    let expected = brute_force_with(problem, &assumptions.chosen, &assumptions.forbidden);
    for (unit, slice) in [(1, 1), (1, 1000), (2, 3), (5, 2), (1000, 1000)] {
        set_unit(seek, unit);
        seek.start(&assumptions, seed);
        let (found, is_twice) = sought(seek, slice);
        assert!(found.iter().eq(&expected), "{unit}: {found:?} {expected:?}");
        assert!(!is_twice || unit < 1000, "a single run finds a solution twice");
    }
}

/// The engines that find solutions one by one.
fn listing() -> impl Iterator<Item = &'static CoverEntry> {
    ENGINES.iter().filter(|entry| entry.lists)
}

/// Every engine that lists on every instruction set of this machine, where it suits the problem.
pub(super) fn engines(problem: &ExactCover) -> Vec<(String, Box<dyn CoverEngine>)> {
    let rows = listing().flat_map(|entry| isas().into_iter().map(move |isa| (entry, isa)));
    let made = rows.filter_map(|(entry, isa)| {
        Some((format!("{} {isa:?}", entry.name), (entry.make)(problem, isa.into()).ok()?))
    });
    made.collect()
}

/// All solutions of a search in parts, in ascending order: after each event `pattern` says whether a branch is given
/// away, to this engine or to a fork.
fn in_parts(engine: &mut dyn CoverEngine, pattern: u64, slice: u64) -> Vec<Vec<OptionId>> {
    let mut fork = engine.fork();
    let mut tasks = vec![(Assumptions::default(), 1.0)];
    let (mut found, mut turn, mut done) = (Vec::new(), 0, 0.0);
    while let Some((task, weight)) = tasks.pop() {
        let worker = if turn % 2 == 0 { &mut *engine } else { &mut *fork };
        worker.start(&task);
        assert_eq!(worker.split(), None, "not begun");
        let mut given = 0.0;
        loop {
            let event = worker.next(&mut Meter::new(slice, None, None));
            match event {
                Event::End => break,
                Event::Solution => found.push(sorted(worker.solution())),
                Event::Stopped(stop) => assert_eq!(stop, Stop::Nodes),
            }
            turn += 1;
            let before = worker.progress();
            if pattern >> (turn % 64) & 1 == 1
                && let Some(task) = worker.split()
            {
                let part = worker.progress() - before;
                assert!(part > 0.0);
                given += part;
                tasks.push((task, weight * part));
            }
        }
        assert_eq!(worker.split(), None, "at the end");
        done += weight * (1.0 - given);
    }
    assert!((done - 1.0_f64).abs() < 1e-9, "{done}");
    found.sort();
    found
}

#[test]
fn no_items_and_an_item_without_options() {
    let none = ExactCover { item_count: 2, ..ExactCover::default() };
    for (problem, expected) in [(none, 1), ("a b\na\n".parse().unwrap(), 0)] {
        assert!(engines(&problem).len() >= listing().count());
        for (name, mut engine) in engines(&problem) {
            let found = drive(engine.as_mut(), &Assumptions::default(), Drive::list(u64::MAX)).solutions;
            assert_eq!(found.len(), expected, "{name}");
        }
    }
}

proptest! {
    /// Assumptions may repeat options, contradict each other, and name options that do not exist. A search that is
    /// interrupted at every node finds the same in as many nodes, and an engine that counts without finding each solution
    /// counts as many.
    #[test]
    fn every_engine_finds_what_brute_force_finds(problem in problems(), draws in any::<[u32; 4]>()) {
        let assumed = assumed(&problem, draws);
        for (name, mut engine) in engines(&problem) {
            for assumptions in &assumed {
                let expected = brute_force_with(&problem, &assumptions.chosen, &assumptions.forbidden);
                let [whole, cut] =
                    [u64::MAX, 1].map(|slice| drive(engine.as_mut(), assumptions, Drive::list(slice)));
                prop_assert_eq!(&cut.solutions, &whole.solutions, "{}", name);
                prop_assert_eq!(cut.meter.nodes, whole.meter.nodes, "{}", name);
                let mut found = whole.solutions;
                found.sort();
                prop_assert_eq!(&found, &expected, "{} {:?}", name, assumptions);
                for slice in [1, u64::MAX] {
                    let counted = drive(engine.as_mut(), assumptions, Drive::count(slice)).count;
                    prop_assert_eq!(counted, expected.len() as u128, "{}", name);
                }
            }
        }
    }

    /// Wherever a search is split, the parts together find all solutions.
    #[test]
    fn splits_divide_the_solutions(problem in problems(), pattern in any::<u64>(), slice in 1_u64..4) {
        let expected = brute_force(&problem);
        for (name, mut engine) in engines(&problem) {
            prop_assert_eq!(&in_parts(engine.as_mut(), pattern, slice), &expected, "{}", name);
        }
    }
}

/// An engine after a whole search, and its guesses.
fn guesses_of(entry: &CoverEntry, problem: &ExactCover) -> Option<(Stepper, u64)> {
    let mut stepper = Stepper::new(problem, entry, Isa::best()).ok()?;
    stepper.start(&Assumptions::default(), u64::MAX);
    while stepper.next(u64::MAX) == Step::Solution {}
    let guesses = stepper.guesses();
    Some((stepper, guesses))
}

#[test]
fn every_engine_counts_guesses_and_stops_at_their_limit() {
    for problem in ["queens 6", "langford 4", "latin 3", "queen-domination 4 2"].map(made) {
        for entry in ENGINES {
            let Some((mut stepper, all)) = guesses_of(entry, &problem) else { continue };
            assert!(all > 0, "{}", entry.name);
            for guesses in 0..=all {
                // A search that is stopped by its nodes, too, counts no guess twice.
                for nodes in [1, 3, u64::MAX] {
                    stepper.start(&Assumptions::default(), guesses);
                    let mut before = None;
                    let last = loop {
                        match stepper.next(nodes) {
                            Step::End => break Step::End,
                            Step::Stopped if before == Some(stepper.nodes()) => break Step::Stopped,
                            _ => before = Some(stepper.nodes()),
                        }
                    };
                    let end = if guesses < all { Step::Stopped } else { Step::End };
                    assert_eq!((last, stepper.guesses()), (end, guesses), "{} {nodes}", entry.name);
                    assert_eq!(stepper.next(u64::MAX), end, "{}: it goes on after its end", entry.name);
                }
            }
        }
    }
}

#[test]
fn forced_choices_are_no_guesses() {
    // The first item has one option; each choice leaves the next item one.
    let forced: ExactCover = "a b c d e f\na b\nb c\nc d\nd e\ne f\nf\n".parse().unwrap();
    for entry in listing() {
        let (mut stepper, all) = guesses_of(entry, &forced).unwrap();
        assert_eq!(all, 0, "{}", entry.name);
        stepper.start(&Assumptions::default(), 0);
        assert_eq!([stepper.next(u64::MAX), stepper.next(u64::MAX)], [Step::Solution, Step::End]);
    }
    // Two options of one item: the first is a guess, the second is not.
    let choice: ExactCover = "a\na\na\n".parse().unwrap();
    assert!(listing().all(|entry| guesses_of(entry, &choice).unwrap().1 == 1));
}

proptest! {
    /// Each guess leaves one more branch, so there is a guess less than there are branches.
    #[test]
    fn there_is_a_guess_for_every_solution_but_one(problem in problems()) {
        let solutions = brute_force(&problem).len() as u64;
        for entry in ENGINES {
            let Some((_, guesses)) = guesses_of(entry, &problem) else { continue };
            prop_assert!(guesses + 1 >= solutions, "{}: {guesses} guesses, {solutions} solutions", entry.name);
        }
    }
}

proptest! {
    /// The solutions in their order, the nodes at each depth, the ticks.
    #[test]
    fn every_machine_searches_the_same_tree(problem in problems()) {
        let mut trees: Vec<(&str, (Vec<Vec<OptionId>>, Vec<u64>, u64))> = Vec::new();
        let names = listing().flat_map(|entry| isas().into_iter().map(move |isa| (entry, isa)));
        for (entry, isa) in names {
            let Ok(mut engine) = (entry.make)(&problem, isa.into()) else { continue };
            engine.start(&Assumptions::default());
            let mut meter = meter();
            let mut found = Vec::new();
            while engine.next(&mut meter) == Event::Solution {
                found.push(engine.solution().to_vec());
            }
            trees.push((entry.name, (found, meter.depths.clone(), meter.ticks)));
            let (_, first) = trees.iter().find(|(name, _)| *name == entry.name).unwrap();
            assert!(trees.last().unwrap().1 == *first, "{} {isa:?}", entry.name);
        }
    }
}

/// Only the nodes are compared. How many options are forced in a node before its contradiction shows depends on the size
/// of the masks, and plain code has other sizes: 2,852 updates on Langford 8 instead of 2,850.
#[test]
fn masks_search_the_same_large_tree_on_every_machine() {
    for problem in ["queens 8", "latin 4", "langford 8"].map(made) {
        for entry in [&super::masks::NARROW, &super::masks::WIDE] {
            let depths = isas().into_iter().map(|isa| {
                let mut engine = (entry.make)(&problem, isa.into()).unwrap();
                engine.start(&Assumptions::default());
                let mut meter = meter();
                while engine.next(&mut meter) == Event::Solution {}
                meter.depths
            });
            let depths: Vec<Vec<u64>> = depths.collect();
            assert!(depths.iter().all(|other| *other == depths[0]), "{}", entry.name);
        }
    }
}

/// Searches that are long enough for many splits.
#[test]
fn splits_divide_long_searches() {
    for words in ["queens 7", "langford 7", "dominoes 4x6", "latin 4", "queen-domination 5 3"] {
        let problem = made(words);
        let mut expected: Option<Vec<Vec<OptionId>>> = None;
        for (name, mut engine) in engines(&problem) {
            for slice in [1, 7, 50] {
                let found = in_parts(engine.as_mut(), u64::MAX, slice);
                assert!(*expected.get_or_insert_with(|| found.clone()) == found, "{words} {name} {slice}");
            }
        }
    }
}

/// What is checked without building is what the building finds, on every machine.
#[test]
fn an_engine_is_built_exactly_for_the_problems_that_its_check_accepts() {
    let items = |primary: usize, options: usize| {
        let all: Vec<u32> = (0..primary as u32).collect();
        ExactCover::from_options(primary, 0, vec![all; options]).unwrap()
    };
    let mut problems: Vec<ExactCover> = ["queens 6", "queen-domination 5 3"].map(made).into();
    let sizes = [(1, 31), (1, 32), (64, 31), (65, 16), (1024, 15), (1025, 15), (512, 2), (1, 40_000)];
    problems.extend(sizes.map(|(primary, options)| items(primary, options)));
    for entry in ENGINES {
        for (number, problem) in problems.iter().enumerate() {
            for isa in isas() {
                let made = (entry.make)(problem, isa.into()).map(|_| ()).and_then(|()| entry.check_lists());
                let checked = entry.check(problem);
                let is_alike = checked == made || !entry.lists && checked.is_err();
                assert!(is_alike, "{} {number}: {checked:?}, {made:?}", entry.name);
                assert_eq!((entry.holds)(problem).is_ok(), (entry.make)(problem, isa.into()).is_ok());
            }
        }
    }
}

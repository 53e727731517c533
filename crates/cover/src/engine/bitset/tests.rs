//! Remembering changes no number, whatever the table's size; nor does the machine, nor where a search is left off.

use galop_testing::available::isas;
use proptest::prelude::*;

use super::*;
use crate::diagram::Diagram;
use crate::engine::LINKS;
use crate::engine::tests::{Drive, assumed, drive};
use crate::tests::{brute_force_with, made, problems};
use crate::text;

/// Makes the engine with a table of 2^`bits` places, which never gives up.
struct Maker<'a>(&'a ExactCover, u32);

impl Job for Maker<'_> {
    type Output = Box<dyn CoverEngine>;

    fn run<S: Simd>(self) -> Box<dyn CoverEngine> {
        let Maker(problem, bits) = self;
        let counting = Counter::new(Memo::new(bits), false);
        Box::new(Filter::<S, 2>::new(problem, &order::near(problem), counting))
    }
}

/// The engine with a table of 2^`bits` places, on an instruction set.
fn filter_on(isa: Isa, problem: &ExactCover, bits: u32) -> Box<dyn CoverEngine> {
    isa.run(Maker(problem, bits)).unwrap()
}

/// The engine with a table of 2^`bits` places, on the best instruction set.
fn filter(problem: &ExactCover, bits: u32) -> Box<dyn CoverEngine> {
    filter_on(Isa::best(), problem, bits)
}

/// The number of solutions, found one by one by another engine.
fn plainly(problem: &ExactCover, assumptions: &Assumptions) -> Natural {
    let mut links = (LINKS.make)(problem, Isa::best().into()).unwrap();
    drive(&mut *links, assumptions, Drive::list(100)).count
}

/// The number of solutions, counted without interruption.
fn counted(engine: &mut dyn CoverEngine, assumptions: &Assumptions) -> Natural {
    drive(engine, assumptions, Drive::count(u64::MAX)).count
}

#[test]
fn any_size_of_the_table_counts_the_same() {
    let problem = made("dominoes 6x6");
    // Clues from which nothing of the first searches may be used.
    let clues = Assumptions { chosen: vec![OptionId(0)], forbidden: vec![OptionId(40)] };
    let expected = plainly(&problem, &clues);
    assert_ne!(expected.to_u128(), Some(6728));
    for bits in [1, 4, 20] {
        for nodes in [1, 7, u64::MAX] {
            let mut filter = filter(&problem, bits);
            // The second search finds a used table.
            for _ in 0..2 {
                let driven = drive(&mut *filter, &Assumptions::default(), Drive::count(nodes));
                assert_eq!(driven.count.to_u128(), Some(6728), "{bits} {nodes}");
                assert!(driven.solutions.len() >= 16, "a sample is shown: {}", driven.solutions.len());
            }
            assert_eq!(counted(&mut *filter, &clues), expected);
        }
    }
}

#[test]
fn a_search_in_which_nothing_is_counted_ends_what_is_remembered_too() {
    let problem = made("dominoes 6x4");
    let without =
        |chosen: &[OptionId], option| Assumptions { chosen: chosen.to_vec(), forbidden: vec![option] };
    let mut engine = filter(&problem, 10);
    for option in 1..problem.option_count() as u32 {
        drive(&mut *engine, &without(&[], OptionId(option - 1)), Drive::count(1));
        engine.start(&without(&[], OptionId(option)));
        let clues = without(&[OptionId(0)], OptionId(option));
        let driven = drive(&mut *engine, &clues, Drive::count(1));
        assert_eq!(driven.count, plainly(&problem, &clues), "{option}");
    }
}

#[test]
fn what_was_given_away_is_not_remembered_as_counted() {
    let problem = made("dominoes 6x6");
    for pace in [1, 2, 3, 50] {
        let is_split = |turn: u64| turn.is_multiple_of(pace) && turn < 2000;
        let course = Drive { is_split: &is_split, ..Drive::count(3) };
        let driven = drive(&mut *filter(&problem, 20), &Assumptions::default(), course);
        assert_eq!(driven.count.to_u128(), Some(6728), "{pace}");
    }
}

#[test]
fn a_try_is_given_up_where_nothing_comes_again() {
    let problem = made("queens 10");
    let mut engine = counter(&problem, Isa::best().into(), BYTES).unwrap();
    engine.start(&Assumptions::default());
    let (mut found, mut meter) = (Natural::ZERO, Meter::new(u64::MAX, None, None));
    while let Some(event) = engine.count(&mut meter, &mut found) {
        assert_eq!(event, Event::Solution);
    }
    assert!((256..2000).contains(&meter.nodes), "{}", meter.nodes);
    // Nothing is lost: neither of what was counted, nor of what is left.
    let mut branches = Vec::new();
    let mut done = engine.progress();
    while let Some(branch) = engine.split() {
        assert!(engine.progress() > done);
        done = engine.progress();
        branches.push(branch);
    }
    assert!((done - 1.0).abs() < 1e-9, "{done}");
    assert_eq!(engine.next(&mut meter), Event::End);
    engine.driver().unwrap().give_away();
    branches.iter().for_each(|branch| found += &counted(&mut *engine, branch));
    assert_eq!(found.to_u128(), Some(724));
}

#[test]
fn branches_of_a_search_remember_what_the_others_counted() {
    let problem = made("dominoes 8x6");
    let mut engine = filter(&problem, 20);
    let mut counts = |chosen: &[OptionId]| {
        let clues = Assumptions { chosen: chosen.to_vec(), forbidden: vec![] };
        let driven = drive(&mut *engine, &clues, Drive::count(u64::MAX));
        (driven.count.to_u128(), driven.meter.nodes)
    };
    let whole = counts(&[]);
    assert_eq!(whole.0, Some(167_089));
    assert_eq!(counts(&[]), whole, "a search of the whole begins anew");
    // The corner is covered in one of two ways.
    let (right, down) = (counts(&[OptionId(0)]), counts(&[OptionId(1)]));
    assert_eq!(right.0.zip(down.0).map(|(right, down)| right + down), Some(167_089));
    assert!(right.1 + down.1 < whole.1 / 4, "{} {}", right.1, down.1);
}

#[test]
fn problems_that_do_not_fit_are_refused() {
    let options =
        |count: u32| ExactCover::from_options(count as usize, 0, (0..count).map(|item| [item])).unwrap();
    // 9 bits for the number, one for the pad.
    assert!((ENTRY.make)(&options(502), Isa::best().into()).is_ok());
    assert!((ENTRY.make)(&options(503), Isa::best().into()).is_err());
    let bounds = text::read(b"2|A\nA\nA\n").unwrap().problem;
    assert!((ENTRY.make)(&bounds, Isa::best().into()).is_err());
}

proptest! {
    /// Whatever the machine, the memory, the assumptions (they may repeat options, contradict each other, and name
    /// options that do not exist), and however the search is interrupted and split. Every machine searches the same tree.
    #[test]
    fn counting_agrees_with_brute_force(
        problem in problems(),
        draws in any::<[u32; 4]>(),
        slice in 1_u64..9,
        pattern in any::<u64>(),
    ) {
        prop_assume!(problem.is_simple());
        for assumptions in assumed(&problem, draws) {
            let Assumptions { chosen, forbidden } = &assumptions;
            let expected = brute_force_with(&problem, chosen, forbidden).len() as u128;
            let mut tree = None;
            for (isa, bits) in isas().into_iter().flat_map(|isa| [(isa, 20), (isa, 1)]) {
                let mut engine = filter_on(isa, &problem, bits);
                let driven = drive(&mut *engine, &assumptions, Drive::count(slice));
                prop_assert_eq!(driven.count.to_u128(), Some(expected));
                let searched = (driven.meter.depths, driven.meter.ticks);
                prop_assert!(bits == 1 || *tree.get_or_insert_with(|| searched.clone()) == searched);
                let is_split = |turn: u64| pattern >> (turn % 64) & 1 == 1;
                let driven = drive(&mut *engine, &assumptions, Drive { is_split: &is_split, ..Drive::count(slice) });
                prop_assert_eq!(driven.count.to_u128(), Some(expected));
            }
        }
    }
}

/// The diagram of all solutions, with a table of `memory / 4` bytes.
fn recorded(problem: &ExactCover, memory: usize) -> Result<Diagram, DiagramError> {
    let (builder, root) =
        record(problem, Isa::best(), &mut Meter::new(u64::MAX, None, None), memory).unwrap()?;
    Ok(builder.finish(problem, root))
}

#[test]
fn a_diagram_loses_nothing_with_a_small_table() {
    let problem = made("dominoes 8x6");
    let (large, small) = (recorded(&problem, 1 << 28).unwrap(), recorded(&problem, 1 << 18).unwrap());
    assert_eq!(large.count(), 167_089);
    assert_eq!(small.count(), 167_089);
    assert_eq!(recorded(&problem, 1 << 12).map(|_| ()), Err(DiagramError::Memory { bytes: 1 << 12 }));
    let stopped = record(&problem, Isa::best(), &mut Meter::new(10, None, None), 1 << 20).unwrap();
    assert_eq!(stopped.map(|_| ()), Err(DiagramError::Stopped { end: crate::End::Nodes }));
}

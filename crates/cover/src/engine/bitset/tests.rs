//! Remembering changes no number, whatever the table's size; nor does the machine, nor where a search is left off.

use proptest::prelude::*;

use super::*;
use crate::diagram::Diagram;
use crate::random::{brute_force, problems};
use crate::tests::made;
use crate::text;

/// Makes the engine with a table of 2^`bits` places, or none.
struct WithTable<'a> {
    problem: &'a ExactCover,
    bits: Option<u32>,
}

impl Job for WithTable<'_> {
    type Output = Box<dyn CoverEngine>;

    fn run<S: Simd>(self) -> Box<dyn CoverEngine> {
        let mut filter = Filter::<S, 2>::new(
            self.problem,
            &order::as_numbered(self.problem),
            Build::from(S::ISA).reserve(0, 0).unwrap(),
        );
        match self.bits {
            Some(bits) => filter.search.counting.set(Policy::WhileItPays, Memo::new(bits)),
            None => filter.search.counting.set(Policy::Never, Memo::new(0)),
        }
        Box::new(filter)
    }
}

/// The engine with a table of 2^`bits` places, or none, on the best instruction set.
fn filter(problem: &ExactCover, bits: Option<u32>) -> Box<dyn CoverEngine> {
    Isa::best().run(WithTable { problem, bits }).unwrap()
}

/// The same in plain code.
fn plain_filter(problem: &ExactCover, bits: Option<u32>) -> Box<dyn CoverEngine> {
    Isa::Portable.run(WithTable { problem, bits }).unwrap()
}

/// How many there are, counted in pieces of `nodes`; and how many of them were shown.
fn counted(filter: &mut dyn CoverEngine, nodes: u64) -> (Natural, u64) {
    let (mut found, mut shown, mut done) = (Natural::ZERO, 0, 0.0);
    let mut meter = Meter::new(0, None, None);
    loop {
        match filter.count(&mut meter, &mut found).unwrap() {
            Event::Solution => shown += 1,
            Event::Stopped(_) => meter.set_max_nodes(meter.nodes + nodes),
            Event::End => return (found, shown),
        }
        // Progress is a sum of fractions, which are rounded.
        assert!(filter.progress() >= done - 1e-12, "{} {done}", filter.progress());
        done = filter.progress();
    }
}

/// Domino tilings of a board.
fn dominoes(rows: u32, columns: u32) -> ExactCover {
    let mut builder = ExactCover::builder();
    for square in 0..rows * columns {
        builder.primary(&square.to_string());
    }
    for square in 0..rows * columns {
        if (square + 1) % columns > 0 {
            builder.option([square, square + 1]);
        }
        if square + columns < rows * columns {
            builder.option([square, square + columns]);
        }
    }
    builder.finish().unwrap()
}

#[test]
fn any_size_of_the_table_counts_the_same() {
    let problem = dominoes(6, 6);
    for bits in [None, Some(1), Some(4), Some(20)] {
        for nodes in [1, 7, u64::MAX >> 1] {
            let mut filter = filter(&problem, bits);
            // The second search finds a used table.
            for _ in 0..2 {
                filter.start(&Assumptions::default());
                let (found, shown) = counted(&mut *filter, nodes);
                assert_eq!(found.to_u128(), Some(6728), "{bits:?} {nodes}");
                assert!(shown >= 16, "a sample is shown: {shown}");
            }
            // Clues from which nothing of the first searches may be used.
            filter.start(&Assumptions { chosen: vec![0], forbidden: vec![40] });
            let expected = counted(&mut *filter, nodes).0;
            let mut plain = self::filter(&problem, None);
            plain.start(&Assumptions { chosen: vec![0], forbidden: vec![40] });
            assert_eq!(counted(&mut *plain, 1).0, expected);
            assert_ne!(expected.to_u128(), Some(6728));
        }
    }
}

/// A counter with a table of 2^`bits` places, which splits states with two parts of `least_items` items.
struct Splitting<'a> {
    problem: &'a ExactCover,
    bits: u32,
    least_items: u32,
}

impl Job for Splitting<'_> {
    type Output = Box<dyn CoverEngine>;

    fn run<S: Simd>(self) -> Box<dyn CoverEngine> {
        let mut filter = Filter::<S, 2>::new(
            self.problem,
            &order::as_numbered(self.problem),
            Build::from(S::ISA).reserve(0, 0).unwrap(),
        );
        filter.search.counting.set(Policy::OrGiveUp, Memo::new(self.bits));
        filter.search.splits.set_least_items(self.least_items);
        Box::new(filter)
    }
}

/// Two boards of dominoes, joined by a square between them, and an item that forbids a domino of each in turn.
fn bridged() -> ExactCover {
    let mut builder = ExactCover::builder();
    builder.primary_items(2 * 12 + 2);
    let (bridge, chooser) = (24, 25);
    let bans = builder.secondary_items(4);
    let mut number = 0;
    for board in [0, 12] {
        for square in 0..12_u32 {
            let right = (square % 4 < 3).then_some(square + 1);
            let below = (square < 8).then_some(square + 4);
            for other in right.into_iter().chain(below) {
                let ban = (number % 9 == 0).then_some(bans.start + number / 9);
                builder.option([board + square, board + other].into_iter().chain(ban));
                number += 1;
            }
        }
    }
    builder.option([bridge]);
    builder.option([bridge, 0]);
    builder.option([bridge, 12, 13]);
    bans.for_each(|ban| {
        builder.option([chooser, ban]);
    });
    builder.finish().unwrap()
}

#[test]
fn states_that_fall_apart_are_counted_part_by_part() {
    let problem = bridged();
    let mut plain = filter(&problem, None);
    plain.start(&Assumptions::default());
    let expected = counted(&mut *plain, 100).0;
    assert!(expected != 0);
    for (bits, least_items) in [(1, 1), (10, 1), (10, 4), (20, 8)] {
        for isa in [Isa::best(), Isa::Portable] {
            let mut engine = isa.run(Splitting { problem: &problem, bits, least_items }).unwrap();
            for nodes in [1, 7, u64::MAX >> 1] {
                engine.start(&Assumptions::default());
                assert_eq!(counted(&mut *engine, nodes).0, expected, "{bits} {least_items} {nodes}");
            }
        }
    }
}

/// Langford pairs of 8 four times, and an item that decides in which of them a pair is not at the left: without parts nothing
/// comes again soon enough for the counter.
#[test]
fn parts_are_searched_one_by_one() {
    let mut builder = ExactCover::builder();
    let (copies, pairs) = (4_u32, 8_u32);
    builder.primary_items((copies * 3 * pairs + 1) as usize);
    let bans = builder.secondary_items(copies as usize);
    for copy in 0..copies {
        let first = copy * 3 * pairs;
        for (pair, place) in
            (1..=pairs).flat_map(|pair| (0..2 * pairs - pair - 1).map(move |place| (pair, place)))
        {
            let items =
                [first + pair - 1, first + pairs + place, first + pairs + place + pair + 1].into_iter();
            let ban = (pair == 1 && place == 0).then_some(bans.start + copy);
            builder.option(items.chain(ban));
        }
    }
    bans.for_each(|ban| {
        builder.option([copies * 3 * pairs, ban]);
    });
    let problem = builder.finish().unwrap();
    for (least_items, count) in [(12, Some(27_648_000_000)), (u32::MAX, None)] {
        let mut engine = Isa::best().run(Splitting { problem: &problem, bits: 16, least_items }).unwrap();
        engine.start(&Assumptions::default());
        let (mut meter, mut found) = (Meter::new(40_000, None, None), Natural::ZERO);
        let end = loop {
            match engine.count(&mut meter, &mut found) {
                Some(Event::Solution) => {}
                event => break event,
            }
        };
        assert_eq!(end, count.map(|_| Event::End), "{least_items}");
        assert!(count.is_none() || found.to_u128() == count);
    }
}

proptest! {
    /// Wherever states fall apart, wherever the count pauses, whatever is given away, and if it goes on as a list.
    #[test]
    fn splitting_changes_no_count(
        one in problems(),
        other in problems(),
        link in any::<[u32; 2]>(),
        nodes in 1_u64..5,
        pattern in prop_oneof![2 => Just(0), 1 => any::<u64>()],
        listed_from in prop_oneof![3 => Just(u64::MAX), 1 => 0_u64..20],
    ) {
        prop_assume!(one.is_simple() && other.is_simple());
        // Both side by side, and an item that forbids an option of each in turn.
        let mut builder = ExactCover::builder();
        let problems = [&one, &other];
        let names = |index: usize, problem: &ExactCover, item: u32| format!("{index}{}", problem.item_name(item));
        for (index, problem) in problems.into_iter().enumerate() {
            (0..problem.primary_count() as u32).for_each(|item| {
                builder.primary(&names(index, problem, item));
            });
        }
        builder.primary("link");
        for (index, problem) in problems.into_iter().enumerate() {
            (problem.primary_count() as u32..problem.item_count() as u32).for_each(|item| {
                builder.secondary(&names(index, problem, item));
            });
            builder.secondary(&format!("ban{index}"));
        }
        for (index, problem) in problems.into_iter().enumerate() {
            let banned = link[index] as usize % problem.option_count().max(1);
            for (number, option) in problem.options().enumerate() {
                let terms = option.iter().map(|term| match term.colour {
                    0 => names(index, problem, term.item),
                    colour => format!("{}:{colour}", names(index, problem, term.item)),
                });
                let ban = (number == banned).then(|| format!("ban{index}"));
                builder.option(terms.chain(ban).collect::<Vec<_>>().iter());
            }
        }
        builder.option(["link", "ban0"]);
        builder.option(["link", "ban1"]);
        let problem = builder.finish().unwrap();
        prop_assume!(table::row_bits(&problem) <= 128);
        let mut plain = filter(&problem, None);
        plain.start(&Assumptions::default());
        let expected = counted(&mut *plain, 100).0;
        let mut engine = Isa::best().run(Splitting { problem: &problem, bits: 8, least_items: 1 }).unwrap();
        for _ in 0..2 {
            let (mut tasks, mut found, mut turn) = (vec![Assumptions::default()], Natural::ZERO, 0);
            while let Some(task) = tasks.pop() {
                engine.start(&task);
                let mut meter = Meter::new(0, None, None);
                loop {
                    let is_listed = turn >= listed_from;
                    let counted = if is_listed { None } else { engine.count(&mut meter, &mut found) };
                    match counted.unwrap_or_else(|| engine.next(&mut meter)) {
                        Event::Solution => found += u64::from(is_listed),
                        Event::Stopped(_) => meter.set_max_nodes(meter.nodes + nodes),
                        Event::End => break,
                    }
                    turn += 1;
                    if pattern >> (turn % 64) & 1 == 1 {
                        tasks.extend(engine.split());
                    }
                }
            }
            prop_assert_eq!(&found, &expected);
        }
    }
}

#[test]
fn a_search_in_which_nothing_is_counted_ends_what_is_remembered_too() {
    let problem = dominoes(4, 6);
    let without = |chosen: &[u32], option| Assumptions { chosen: chosen.to_vec(), forbidden: vec![option] };
    let (mut engine, mut plain) = (filter(&problem, Some(10)), filter(&problem, None));
    for option in 1..problem.option_count() as u32 {
        engine.start(&without(&[], option - 1));
        counted(&mut *engine, 1);
        engine.start(&without(&[], option));
        assert_eq!(engine.next(&mut Meter::new(u64::MAX, None, None)), Event::Solution);
        engine.start(&without(&[0], option));
        plain.start(&without(&[0], option));
        assert_eq!(counted(&mut *engine, 1).0, counted(&mut *plain, 1).0, "{option}");
    }
}

#[test]
fn what_was_given_away_is_not_remembered_as_counted() {
    let problem = dominoes(6, 6);
    for pace in [1, 2, 3, 50] {
        let mut engine = filter(&problem, Some(20));
        let (mut tasks, mut found, mut turn) = (vec![Assumptions::default()], Natural::ZERO, 0);
        while let Some(task) = tasks.pop() {
            engine.start(&task);
            let mut meter = Meter::new(0, None, None);
            loop {
                match engine.count(&mut meter, &mut found).unwrap() {
                    Event::End => break,
                    Event::Stopped(_) => meter.set_max_nodes(meter.nodes + 3),
                    Event::Solution => {}
                }
                turn += 1;
                if turn % pace == 0 && turn < 2000 {
                    tasks.extend(engine.split());
                }
            }
        }
        assert_eq!(found.to_u128(), Some(6728), "{pace}");
    }
}

#[test]
fn a_search_that_counts_can_go_on_to_find() {
    let problem = dominoes(4, 6);
    let mut engine = filter(&problem, Some(20));
    for nodes in 0..60 {
        engine.start(&Assumptions::default());
        let (mut found, mut meter) = (Natural::ZERO, Meter::new(nodes, None, None));
        while let Some(Event::Solution) = engine.count(&mut meter, &mut found) {}
        let mut meter = Meter::new(u64::MAX, None, None);
        while engine.next(&mut meter) == Event::Solution {
            found += 1;
        }
        assert_eq!(found.to_u128(), Some(281), "{nodes}");
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
    for branch in branches {
        engine.start(&branch);
        while engine.next(&mut meter) == Event::Solution {
            found += 1;
        }
    }
    assert_eq!(found.to_u128(), Some(724));
}

#[test]
fn boards_are_counted_along_their_short_side() {
    let counts = |rows, columns| {
        let mut engine = counter(&dominoes(rows, columns), Isa::best().into(), BYTES).unwrap();
        engine.start(&Assumptions::default());
        let (mut found, mut meter) = (Natural::ZERO, Meter::new(100_000, None, None));
        while let Some(Event::Solution) = engine.count(&mut meter, &mut found) {}
        assert!(meter.nodes < 100_000);
        found
    };
    let found = counts(4, 60);
    assert_eq!(found, counts(60, 4));
    assert_eq!(found.to_string(), "843763965412099542781836601");
}

#[test]
fn branches_of_a_search_remember_what_the_others_counted() {
    let problem = dominoes(6, 8);
    let mut engine = filter(&problem, Some(20));
    let mut counts = |chosen: &[OptionId]| {
        engine.start(&Assumptions { chosen: chosen.to_vec(), forbidden: vec![] });
        let (mut found, mut meter) = (Natural::ZERO, Meter::new(u64::MAX, None, None));
        while engine.count(&mut meter, &mut found) != Some(Event::End) {}
        (found.to_u128(), meter.nodes)
    };
    let whole = counts(&[]);
    assert_eq!(whole.0, Some(167_089));
    assert_eq!(counts(&[]), whole, "a search of the whole begins anew");
    // The corner is covered in one of two ways.
    let (right, down) = (counts(&[0]), counts(&[1]));
    assert_eq!(right.0.zip(down.0).map(|(right, down)| right + down), Some(167_089));
    assert!(right.1 + down.1 < whole.1 / 4, "{} {}", right.1, down.1);
}

#[test]
fn problems_that_do_not_fit_are_refused() {
    let options = |count: u32| {
        let mut builder = ExactCover::builder();
        for item in 0..count {
            builder.primary(&item.to_string());
        }
        for item in 0..count {
            builder.option([item]);
        }
        builder.finish().unwrap()
    };
    // 9 bits for the number, one for the pad.
    assert!(make(&options(502), Isa::best().into(), Policy::WhileItPays, BYTES).is_ok());
    assert!(make(&options(503), Isa::best().into(), Policy::WhileItPays, BYTES).is_err());
    let bounds = text::read(b"2|A\nA\nA\n").unwrap().problem;
    assert!(make(&bounds, Isa::best().into(), Policy::WhileItPays, BYTES).is_err());
}

proptest! {
    #[test]
    fn counting_agrees_with_brute_force(problem in problems(), nodes in 1_u64..9) {
        prop_assume!(problem.is_simple());
        let expected = brute_force(&problem).len() as u128;
        let filters = [None, Some(1), Some(20)].map(|bits| filter(&problem, bits));
        for mut filter in filters.into_iter().chain([plain_filter(&problem, Some(20))]) {
            filter.start(&Assumptions::default());
            prop_assert_eq!(counted(&mut *filter, nodes).0.to_u128(), Some(expected));
        }
    }

    /// The instruction set changes nothing, not even the order.
    #[test]
    fn plain_code_finds_the_same(problem in problems()) {
        prop_assume!(problem.is_simple());
        let (mut one, mut other) = (filter(&problem, None), plain_filter(&problem, None));
        one.start(&Assumptions::default());
        other.start(&Assumptions::default());
        let mut meters = [(); 2].map(|()| Meter::new(u64::MAX, None, None));
        loop {
            let event = one.next(&mut meters[0]);
            prop_assert_eq!(other.next(&mut meters[1]), event);
            if event == Event::End {
                break;
            }
            prop_assert_eq!(one.solution(), other.solution());
        }
        prop_assert_eq!(&meters[0].depths, &meters[1].depths);
        prop_assert_eq!(meters[0].updates, meters[1].updates);
    }
}

/// The diagram of all solutions, with a table of `memory / 4` bytes.
fn recorded(problem: &ExactCover, memory: usize) -> Result<Diagram, DiagramError> {
    let (builder, root) =
        record(problem, Isa::best(), &mut Meter::new(u64::MAX, None, None), memory).unwrap()?;
    builder.finish(problem, root)
}

proptest! {
    #[test]
    fn a_diagram_has_the_solutions_of_brute_force(problem in problems()) {
        prop_assume!(problem.is_simple());
        let mut solutions: Vec<Vec<OptionId>> = recorded(&problem, 1 << 24).unwrap().solutions().collect();
        solutions.iter_mut().for_each(|solution| solution.sort_unstable());
        solutions.sort();
        prop_assert_eq!(solutions, brute_force(&problem));
    }
}

#[test]
fn a_diagram_loses_nothing_with_a_small_table() {
    let problem = dominoes(6, 8);
    let (large, small) = (recorded(&problem, 1 << 28).unwrap(), recorded(&problem, 1 << 18).unwrap());
    assert_eq!(large.count(), 167_089);
    assert_eq!(small.count(), 167_089);
    assert_eq!(recorded(&problem, 1 << 12).map(|_| ()), Err(DiagramError::Memory { bytes: 1 << 12 }));
    let latin = made("latin 4");
    assert_eq!(recorded(&latin, 1 << 20).unwrap().count(), 576);
    let stopped = record(&latin, Isa::best(), &mut Meter::new(10, None, None), 1 << 20).unwrap();
    assert_eq!(stopped.map(|_| ()), Err(DiagramError::Stopped { end: crate::End::Nodes }));
}

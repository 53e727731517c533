//! Both engines on every instruction set of this machine: known counts, the obvious search, parts of searches.

use proptest::prelude::*;

use super::{Shape, make};
use crate::engine::{CoverEngine, Event, Meter, Stop};
use crate::shared::{isas, large_set_text};
use crate::{Assumptions, Bounds, ExactCover, OptionId, Term};
use galop_simd::Isa;

/// An option as (item, colour).
type Terms = Vec<(u32, u32)>;

/// The problem of these options.
pub(super) fn problem(primary_count: usize, secondary_count: usize, options: &[Terms]) -> ExactCover {
    let mut problem =
        ExactCover { primary_count, item_count: primary_count + secondary_count, ..ExactCover::default() };
    for option in options {
        problem.terms.extend(option.iter().map(|&(item, colour)| Term { item, colour }));
        problem.starts.push(problem.terms.len() as u32);
    }
    problem
}

fn plain(items: impl IntoIterator<Item = u32>) -> Terms {
    items.into_iter().map(|item| (item, 0)).collect()
}

/// Ranks, then files; diagonals are secondary.
fn queens(n: u32) -> ExactCover {
    let cells = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
    let options: Vec<Terms> = cells
        .map(|(row, column)| plain([row, n + column, 2 * n + row + column, 5 * n - 2 + row - column]))
        .collect();
    problem(2 * n as usize, (4 * n - 2) as usize, &options)
}

/// Two of each number, as many other numbers between them as it says.
fn langford(n: u32) -> ExactCover {
    let places = (1..=n).flat_map(|number| (0..2 * n - number - 1).map(move |place| (number, place)));
    let options: Vec<Terms> =
        places.map(|(number, place)| plain([number - 1, n + place, n + place + number + 1])).collect();
    problem(3 * n as usize, 0, &options)
}

/// Every symbol once in every row and column.
fn latin(n: u32) -> ExactCover {
    let mut options = Vec::new();
    for (row, column, symbol) in (0..n * n * n).map(|at| (at / n / n, at / n % n, at % n)) {
        options.push(plain([row * n + column, n * n + row * n + symbol, 2 * n * n + column * n + symbol]));
    }
    problem(3 * (n * n) as usize, 0, &options)
}

fn dominoes(rows: u32, columns: u32) -> ExactCover {
    let mut options = Vec::new();
    for cell in 0..rows * columns {
        if cell % columns + 1 < columns {
            options.push(plain([cell, cell + 1]));
        }
        if cell / columns + 1 < rows {
            options.push(plain([cell, cell + columns]));
        }
    }
    problem((rows * columns) as usize, 0, &options)
}

/// The 9x9 sudoku: option `81 * row + 9 * column + digit - 1`.
fn sudoku() -> ExactCover {
    let options: Vec<Terms> = (0..729)
        .map(|at| (at / 81, at / 9 % 9, at % 9))
        .map(|(row, column, digit)| {
            let block = row / 3 * 3 + column / 3;
            plain([9 * row + column, 81 + 9 * row + digit, 162 + 9 * column + digit, 243 + 9 * block + digit])
        })
        .collect();
    problem(324, 0, &options)
}

/// Both engines on every instruction set, where they take the problem.
fn engines(problem: &ExactCover) -> impl Iterator<Item = (Shape, Isa, Box<dyn CoverEngine>)> {
    let kinds = isas().into_iter().flat_map(|isa| [(Shape::Narrow, isa), (Shape::Wide, isa)]);
    kinds.filter_map(|(shape, isa)| Some((shape, isa, make(problem, isa.into(), shape).ok()?)))
}

fn count(engine: &mut dyn CoverEngine, assumptions: &Assumptions) -> usize {
    let (mut meter, mut count) = (Meter::new(u64::MAX, None, None), 0);
    engine.start(assumptions);
    while engine.next(&mut meter) == Event::Solution {
        count += 1;
    }
    count
}

/// All solutions, each sorted, in the order they are found.
fn solutions(engine: &mut dyn CoverEngine, assumptions: &Assumptions) -> Vec<Vec<OptionId>> {
    let (mut meter, mut found) = (Meter::new(u64::MAX, None, None), Vec::new());
    engine.start(assumptions);
    while engine.next(&mut meter) == Event::Solution {
        assert!(engine.solution().starts_with(&assumptions.chosen));
        found.push(sorted(engine.solution()));
    }
    assert_eq!(engine.next(&mut meter), Event::End);
    found
}

fn sorted(options: &[OptionId]) -> Vec<OptionId> {
    let mut options = options.to_vec();
    options.sort_unstable();
    options
}

/// Every solution, found in the most obvious way: cover the first uncovered item with what does not clash.
fn obvious(problem: &ExactCover, chosen: &mut Vec<OptionId>, found: &mut Vec<Vec<OptionId>>) {
    let covers = |option: OptionId, item: u32| problem.option(option).iter().any(|term| term.item == item);
    let is_open = |&item: &u32| !chosen.iter().any(|&option| covers(option, item));
    let Some(item) = (0..problem.primary_count() as u32).find(is_open) else {
        found.push(sorted(chosen));
        return;
    };
    for option in 0..problem.option_count() as OptionId {
        if covers(option, item) && !chosen.iter().any(|&other| problem.clash(option, other)) {
            chosen.push(option);
            obvious(problem, chosen, found);
            chosen.pop();
        }
    }
}

fn all_obvious(problem: &ExactCover) -> Vec<Vec<OptionId>> {
    let mut found = Vec::new();
    obvious(problem, &mut Vec::new(), &mut found);
    found.sort();
    found
}

#[test]
fn counts_are_known() {
    let known = [
        ("no items", problem(0, 2, &[]), 1),
        ("an item without options", problem(2, 0, &[plain([0])]), 0),
        ("queens 4", queens(4), 2),
        ("queens 5", queens(5), 10),
        ("queens 6", queens(6), 4),
        ("queens 7", queens(7), 40),
        ("queens 8", queens(8), 92),
        ("queens 9", queens(9), 352),
        ("Langford 3", langford(3), 2),
        ("Langford 4", langford(4), 2),
        ("Langford 5", langford(5), 0),
        ("Langford 7", langford(7), 52),
        ("Langford 8", langford(8), 300),
        ("Latin 4", latin(4), 576),
        ("dominoes 4x4", dominoes(4, 4), 36),
        ("dominoes 6x6", dominoes(6, 6), 6728),
    ];
    for (name, problem, expected) in known {
        let mut made = 0;
        for (shape, isa, mut engine) in engines(&problem) {
            made += 1;
            let found = count(engine.as_mut(), &Assumptions::default());
            assert_eq!(found, expected, "{name} {shape:?} {isa:?}");
        }
        assert!(made >= 4, "{name}");
    }
}

/// An item has more options than a byte can count, so sums of bytes overflow.
#[test]
fn an_item_may_have_thousands_of_options() {
    let mut options = vec![plain([0]); 2100];
    options.extend(vec![plain([1]); 3]);
    for (shape, isa, mut engine) in engines(&problem(2, 0, &options)) {
        assert_eq!(shape, Shape::Wide);
        assert_eq!(count(engine.as_mut(), &Assumptions::default()), 6300, "{isa:?}");
    }
}

#[test]
fn what_does_not_fit_is_not_made() {
    let twice = ExactCover { bounds: vec![Bounds { low: 1, high: 2 }], ..problem(1, 0, &[plain([0])]) };
    assert_eq!(engines(&twice).count(), 0);
    let narrow = |problem: &ExactCover| engines(problem).filter(|made| made.0 == Shape::Narrow).count();
    let items = |count: u32, options: usize| problem(count as usize, 0, &vec![plain(0..count); options]);
    for (count, options) in [(1, 31), (64, 31), (64, 16), (1024, 15)] {
        assert_eq!(narrow(&items(count, options)), isas().len(), "{count} items of {options} options");
    }
    for (count, options) in [(1, 32), (65, 16), (1025, 15)] {
        assert_eq!(narrow(&items(count, options)), 0, "{count} items of {options} options");
    }
    assert!(engines(&items(1025, 1)).count() > 0, "wide");
    // A table of 64 MB.
    assert_eq!(engines(&problem(1, 0, &vec![plain([0]); 130_000])).count(), 0);
}

/// One engine for all: clues are assumed.
#[test]
fn one_matrix_serves_all_sudokus() {
    let Some(text) = large_set_text("17_clue.txt") else { return };
    for (shape, isa, mut engine) in engines(&sudoku()) {
        for line in text.lines().step_by(1000) {
            let clues = line.bytes().zip(0..).filter(|(byte, _)| (b'1'..=b'9').contains(byte));
            let chosen = clues.map(|(byte, cell)| 9 * cell + u32::from(byte - b'1')).collect();
            let assumptions = Assumptions { chosen, forbidden: Vec::new() };
            let found = solutions(engine.as_mut(), &assumptions);
            assert_eq!(found.len(), usize::from(line.len() == 81), "{shape:?} {isa:?} {line}");
            assert!(found.iter().all(|solution| solution.len() == 81));
        }
    }
}

#[test]
fn assumptions_that_contradict_leave_nothing() {
    for (shape, isa, mut engine) in engines(&queens(6)) {
        let mut found = |chosen: &[OptionId], forbidden: &[OptionId]| {
            let assumptions = Assumptions { chosen: chosen.to_vec(), forbidden: forbidden.to_vec() };
            count(engine.as_mut(), &assumptions)
        };
        let all = found(&[], &[]);
        assert_eq!(all, 4, "{shape:?} {isa:?}");
        assert_eq!(found(&[0, 1], &[]), 0, "one rank twice");
        assert_eq!(found(&[0, 7], &[]), 0, "one diagonal twice");
        assert_eq!(found(&[1], &[1]), 0, "chosen and forbidden");
        assert_eq!(found(&[36], &[]), 0, "there is no such option");
        assert_eq!(found(&[], &[36]), all, "there is no such option");
        assert_eq!(found(&[1, 1], &[]), found(&[1], &[]), "said twice");
        assert_eq!(found(&[1], &[]) + found(&[], &[1]), all);
        assert_eq!(found(&[], &[0, 1, 2, 3, 4, 5]), 0, "a rank without options");
    }
}

/// Every piece of the search, as it is given away, on an engine of its own.
fn in_parts(engine: &dyn CoverEngine, patience: u64) -> Vec<Vec<OptionId>> {
    let mut workers = [engine.fork(), engine.fork()];
    let (mut tasks, mut found) = (vec![Assumptions::default()], Vec::new());
    for turn in 0.. {
        let Some(task) = tasks.pop() else { break };
        let worker = &mut workers[turn % 2];
        worker.start(&task);
        assert_eq!(worker.split(), None, "not begun");
        loop {
            match worker.next(&mut Meter::new(patience, None, None)) {
                Event::End => break,
                Event::Solution => found.push(sorted(worker.solution())),
                Event::Stopped(stop) => assert_eq!(stop, Stop::Nodes),
            }
            tasks.extend(worker.split());
        }
        assert_eq!(worker.split(), None, "at the end");
    }
    found.sort();
    found
}

#[test]
fn what_is_given_away_is_found_once() {
    for problem in [queens(7), langford(7), dominoes(4, 6), latin(4)] {
        for (shape, isa, mut engine) in engines(&problem) {
            let mut whole = solutions(engine.as_mut(), &Assumptions::default());
            whole.sort();
            for patience in [1, 2, 7, 50] {
                assert!(in_parts(engine.as_ref(), patience) == whole, "{shape:?} {isa:?} {patience}");
            }
        }
    }
}

#[test]
fn a_stopped_search_goes_on() {
    for (shape, isa, mut engine) in engines(&langford(7)) {
        let mut meter = Meter::new(u64::MAX, None, None);
        let whole = solutions(engine.as_mut(), &Assumptions::default());
        engine.start(&Assumptions::default());
        while engine.next(&mut meter) == Event::Solution {}

        let (mut found, mut nodes, mut progress) = (Vec::new(), 0, 0.0);
        engine.start(&Assumptions::default());
        assert_eq!(engine.progress(), 0.0);
        loop {
            let mut meter = Meter::new(3, None, None);
            let event = engine.next(&mut meter);
            nodes += meter.nodes;
            assert_eq!(meter.depths.iter().sum::<u64>(), meter.nodes);
            assert!(engine.progress() >= progress - 1e-12, "{shape:?} {isa:?}");
            progress = engine.progress();
            match event {
                Event::Solution => found.push(sorted(engine.solution())),
                Event::Stopped(_) => assert_eq!(meter.nodes, 3),
                Event::End => break,
            }
        }
        assert_eq!(engine.progress(), 1.0);
        assert_eq!(found, whole, "{shape:?} {isa:?}");
        assert_eq!(nodes, meter.nodes, "{shape:?} {isa:?}");
        assert_eq!(meter.depths[0], 1);
    }
}

/// All instruction sets search the same tree, and so do both shapes where they agree on ties.
#[test]
fn every_machine_searches_the_same_tree() {
    for problem in [queens(8), latin(4), langford(8)] {
        let trees: Vec<(Shape, Vec<u64>)> = engines(&problem)
            .map(|(shape, _, mut engine)| {
                let mut meter = Meter::new(u64::MAX, None, None);
                while engine.next(&mut meter) == Event::Solution {}
                (shape, meter.depths)
            })
            .collect();
        for (shape, depths) in &trees {
            assert!(trees.iter().all(|(other, others)| other != shape || others == depths));
        }
    }
}

/// Up to five primary and three secondary items, three colours.
fn problems(options: usize) -> impl Strategy<Value = ExactCover> {
    let option = (1_usize..32, proptest::array::uniform3(0_u32..8));
    (1_usize..=5, proptest::collection::vec(option, 0..options)).prop_map(|(primary, options)| {
        let option = |(set, colours): (usize, [u32; 3])| {
            let items = (0..primary as u32).filter(|&item| set >> item & 1 == 1);
            let mut terms = plain(items);
            if terms.is_empty() {
                terms.push((set as u32 % primary as u32, 0));
            }
            // 0..=3: no colour and three colours; the rest leaves the item out.
            let secondary = (primary as u32..).zip(colours).filter(|&(_, colour)| colour < 4);
            terms.extend(secondary);
            terms
        };
        problem(primary, 3, &options.into_iter().map(option).collect::<Vec<_>>())
    })
}

proptest! {
    #[test]
    fn small_problems_have_the_obvious_solutions(problem in problems(20), chosen in 0_u32..20, forbidden in 0_u32..20) {
        let expected = all_obvious(&problem);
        let both = Assumptions { chosen: vec![chosen], forbidden: vec![forbidden] };
        let fits = |solution: &&Vec<OptionId>| solution.contains(&chosen) && !solution.contains(&forbidden);
        let with_both: Vec<_> = expected.iter().filter(fits).cloned().collect();
        for (shape, isa, mut engine) in engines(&problem) {
            let mut found = solutions(engine.as_mut(), &Assumptions::default());
            found.sort();
            prop_assert_eq!(&found, &expected, "{:?} {:?}", shape, isa);
            let mut found = solutions(engine.as_mut(), &both);
            found.sort();
            prop_assert_eq!(&found, &with_both, "{:?} {:?}", shape, isa);
            prop_assert_eq!(in_parts(engine.as_ref(), 1), &expected[..], "{:?} {:?}", shape, isa);
        }
    }

    /// Items of several words, among others.
    #[test]
    fn problems_of_many_options_have_the_obvious_solutions(problem in problems(240)) {
        let expected = all_obvious(&problem);
        for (shape, isa, mut engine) in engines(&problem) {
            let mut found = solutions(engine.as_mut(), &Assumptions::default());
            found.sort();
            prop_assert!(found == expected, "{:?} {:?}", shape, isa);
        }
    }
}

//! Counting without listing: few nodes for many solutions, and numbers that no machine word holds.

use std::num::NonZero;

use galop_cover::engine::{Unsuitable, by_name};
use galop_cover::{Choice, CoverError, CoverLimits, End, ExactCover, Natural, Setup, Solver};

use crate::make;
use galop_testing::literature;

fn solver(problem: &ExactCover) -> Solver<'_> {
    Solver::new(problem, Choice::Engine(by_name("rows").unwrap())).unwrap()
}

/// On any number of threads, again and again, and the engine that counted is named.
#[test]
fn a_chessboard_of_dominoes_takes_thousands_of_nodes() {
    let problem = make("dominoes 8x8");
    let known = u128::from(literature::solutions("dominoes 8x8"));
    for (choice, name) in [(Choice::Auto, "sweep"), (Choice::Engine(by_name("rows").unwrap()), "rows")] {
        for threads in [1, 2, 3, 4].repeat(4) {
            let mut solver = Solver::new(&problem, choice).unwrap();
            solver.set_threads(NonZero::new(threads)).unwrap();
            let outcome = solver.search(&CoverLimits::NONE).count().unwrap();
            assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(known), End::Complete));
            assert!(threads > 1 || outcome.nodes < 10_000, "{}", outcome.nodes);
            assert_eq!(solver.engine().name, name, "{threads} threads");
        }
    }
}

/// The number of ways to cover a board with dominoes, by dynamic programming: square by square, a number for each set
/// of squares beyond the border that are covered already.
fn dominoes_by_border(rows: usize, columns: usize) -> Natural {
    let mut ways = vec![Natural::ZERO; 1 << rows];
    ways[0] += 1;
    for square in 0..rows * columns {
        let row = square % rows;
        let mut next = vec![Natural::ZERO; 1 << rows];
        for (border, number) in ways.iter().enumerate() {
            if border >> row & 1 == 1 {
                next[border & !(1 << row)] += number;
                continue;
            }
            next[border | 1 << row] += number;
            if row + 1 < rows && border >> (row + 1) & 1 == 0 {
                next[border | 1 << (row + 1)] += number;
            }
        }
        ways = next;
    }
    ways[0].clone()
}

#[test]
fn large_numbers_are_exact() {
    assert_eq!(dominoes_by_border(8, 8).to_u128(), Some(12_988_816));
    for (rows, columns, is_beyond) in [(4, 30, false), (3, 90, false), (2, 200, true)] {
        let expected = dominoes_by_border(rows, columns);
        assert_eq!(expected.to_u128().is_none(), is_beyond);
        for threads in [1, 3] {
            // Squares numbered along the short side: the search sweeps along the long side, and few borders occur.
            let problem = make(&format!("dominoes {rows}x{columns}"));
            let mut solver = solver(&problem);
            solver.set_threads(NonZero::new(threads)).unwrap();
            let outcome = solver.search(&CoverLimits::NONE).count().unwrap();
            assert_eq!(outcome.solutions, expected);
        }
    }
    // Eight options for each of a hundred items: 2^300 solutions.
    let mut builder = ExactCover::builder();
    for item in 0..100 {
        builder.primary(&item.to_string());
    }
    for option in 0..800_u32 {
        builder.option([option / 8]);
    }
    let power = "2037035976334486086268445688409378161051468393665936250636140449354381299763336706183397376";
    let problem = builder.finish().unwrap();
    assert_eq!(solver(&problem).search(&CoverLimits::NONE).count().unwrap().solutions.to_string(), power);
}

/// The options of several problems side by side, with no item in common.
fn side_by_side(problems: &[ExactCover]) -> ExactCover {
    let mut builder = ExactCover::builder();
    for (index, problem) in problems.iter().enumerate() {
        (0..problem.primary_count() as u32).for_each(|item| {
            builder.primary(&format!("{index}.{}", problem.item_name(item)));
        });
    }
    for (index, problem) in problems.iter().enumerate() {
        (problem.primary_count() as u32..problem.item_count() as u32).for_each(|item| {
            builder.secondary(&format!("{index}.{}", problem.item_name(item)));
        });
    }
    for (index, problem) in problems.iter().enumerate() {
        for option in problem.options() {
            let names = option.iter().map(|term| format!("{index}.{}", problem.item_name(term.item)));
            builder.option(names.collect::<Vec<_>>().iter());
        }
    }
    builder.finish().unwrap()
}

#[test]
fn independent_parts_are_multiplied() {
    let [queens, langford, dominoes] = ["queens 8", "langford 8", "dominoes 8x8"].map(make);
    let (q, l, d) = (92_u128, 300_u128, 12_988_816_u128);
    for (parts, count) in [
        (vec![langford.clone(), langford.clone(), langford.clone(), langford.clone()], l.pow(4)),
        (vec![queens.clone(), queens.clone(), queens.clone()], q.pow(3)),
        (vec![queens.clone(), langford.clone(), dominoes.clone()], q * l * d),
        (vec![make("queens 3"), langford.clone(), dominoes.clone()], 0),
    ] {
        let problem = side_by_side(&parts);
        for threads in [1, 4] {
            let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
            solver.set_threads(NonZero::new(threads)).unwrap();
            for _ in 0..2 {
                let outcome = solver.search(&CoverLimits::NONE).count().unwrap().clone();
                assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(count), End::Complete));
                assert!(outcome.nodes < 100_000, "{}", outcome.nodes);
            }
        }
        // An option of the first part that is forbidden, and one that is chosen.
        let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
        let mut single = Solver::new(&parts[0], Choice::Auto).unwrap();
        let others =
            count / single.search(&CoverLimits::NONE).count().unwrap().solutions.to_u128().unwrap().max(1);
        solver.assume(&[], &[2]).unwrap();
        single.assume(&[], &[2]).unwrap();
        let without = single.search(&CoverLimits::NONE).count().unwrap().solutions.to_u128().unwrap();
        let outcome = solver.search(&CoverLimits::NONE).count().unwrap().clone();
        assert_eq!(outcome.solutions.to_u128(), Some(without * others));
    }
}

/// The limit holds for all engines that take part in a count: a try, a sweep or an attempt to remember, and another engine.
#[test]
fn a_count_stops_at_its_limits_wherever_it_is() {
    let parts = [make("queens 7"), make("langford 8"), make("queens 8")];
    for (problem, is_small) in [
        (make("langford 8"), true),
        (make("queens 10"), true),
        (make("dominoes 12x12"), false),
        (side_by_side(&parts), false),
    ] {
        // A used solver would begin with the engines that it has.
        let auto = || Solver::new(&problem, Choice::Auto).unwrap();
        let mut solver = auto();
        let whole = solver.search(&CoverLimits::NONE).count().unwrap();
        assert_eq!(solver.depths().iter().sum::<u64>(), whole.nodes);
        let small = if is_small { vec![0, whole.nodes - 1, whole.nodes] } else { vec![] };
        for nodes in [1, 10, 149, 150, 151, 160, 200, 300, 1_000, whole.nodes / 2].into_iter().chain(small) {
            let mut solver = auto();
            let limited = solver.search(&CoverLimits::NONE.with_nodes(nodes)).count().unwrap();
            let end = if nodes >= whole.nodes { End::Complete } else { End::Nodes };
            assert_eq!((limited.nodes, limited.end), (nodes.min(whole.nodes), end));
            assert!(limited.solutions.to_u128() <= whole.solutions.to_u128());
            // A later count is not harmed.
            assert_eq!(solver.search(&CoverLimits::NONE).count().unwrap().solutions, whole.solutions);
        }
        // With a limit on solutions each solution is found.
        let mut solver = auto();
        for solutions in [1, 2, 20, 100, 299, 300] {
            let limited = solver.search(&CoverLimits::first(solutions)).count().unwrap();
            assert_eq!((limited.solutions.to_u128(), limited.end), (Some(solutions.into()), End::Solutions));
        }
    }
}

/// With as little memory as any engine needs, too little for a sweep and for all counts of subproblems, a count is still right.
#[test]
fn counts_are_right_in_little_memory() {
    for (words, count) in [("dominoes 6x6", 6_728), ("matching 10", 945), ("latin 4", 576)] {
        let problem = make(words);
        let within = |memory| Solver::new(&problem, Setup::new().memory(memory));
        // The error names the bytes that the last engine lacks.
        let Err(CoverError::Unsuitable { why: Unsuitable::Memory { bytes, .. }, .. }) = within(0) else {
            panic!("{words}");
        };
        for memory in [bytes as u64, bytes as u64 + 8_000] {
            let mut solver = within(memory).unwrap();
            for _ in 0..2 {
                assert_eq!(
                    solver.search(&CoverLimits::NONE).count().unwrap().solutions,
                    count,
                    "{words} {memory}"
                );
            }
            assert_ne!(solver.engine().name, "sweep", "{words} {memory}");
        }
    }
}

#[test]
fn boards_are_counted_in_any_numbering_of_their_cells() {
    for (rows, columns) in [(6, 20), (20, 6), (9, 9), (16, 16)] {
        let problem = make(&format!("dominoes {rows}x{columns}"));
        let expected = dominoes_by_border(rows.min(columns), rows.max(columns));
        assert_eq!(problem.count().unwrap(), expected, "{rows} {columns}");
    }
}

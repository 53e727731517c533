//! The row filter from outside: counts of the literature, and numbers that no machine word holds.

#![allow(clippy::unwrap_used)]

mod problems;

use std::num::NonZero;
use std::ops::ControlFlow;

use galop_cover::{self as cover, Choice, CoverLimits, CoverOutcome, End, ExactCover, Natural, Solver, text};
use problems::make;

fn solver(problem: &ExactCover) -> Solver<'_> {
    Solver::new(problem, Choice::Engine(cover::engine::by_name("rows").unwrap())).unwrap()
}

fn count(problem: &ExactCover) -> CoverOutcome {
    solver(problem).count(&CoverLimits::NONE).unwrap().clone()
}

/// Counted, counted on two threads, and each found and checked.
#[track_caller]
fn counts(problem: &ExactCover, solutions: u128) {
    let mut solver = solver(problem);
    for threads in [1, 2] {
        solver.set_threads(NonZero::new(threads)).unwrap();
        let outcome = solver.count(&CoverLimits::NONE).unwrap();
        assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(solutions), End::Complete));
        assert_eq!(outcome.depths.iter().sum::<u64>(), outcome.nodes);
        let outcome = solver.for_each(&CoverLimits::NONE, |_| ControlFlow::Continue(())).unwrap();
        assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(solutions), End::Complete));
    }
}

#[test]
fn problems_of_the_books() {
    for (n, solutions) in [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352), (10, 724)] {
        counts(&make(&format!("queens {n}")), solutions);
    }
    for (n, solutions) in [(3, 2), (4, 2), (5, 0), (7, 52), (8, 300)] {
        counts(&make(&format!("langford {n}")), solutions);
    }
    counts(&make("dominoes 6x6"), 6_728);
    counts(&make("dominoes 3x3"), 0);
    counts(&make("latin 4"), 576);
    counts(&make("sudoku 2x2"), 288);
    counts(&make("matching 12"), 10_395);
    counts(&make("soma"), 11_520);
    counts(&make("pentominoes 3x20"), 8);
    counts(&make("pentominoes 8x8"), 520);
}

/// The board is the same for all that follow: OEIS A004003.
#[test]
fn a_chessboard_of_dominoes_takes_thousands_of_nodes_not_millions() {
    for choice in [Choice::Auto, Choice::Engine(cover::engine::by_name("rows").unwrap())] {
        let problem = make("dominoes 8x8");
        let mut solver = Solver::new(&problem, choice).unwrap();
        let outcome = solver.count(&CoverLimits::NONE).unwrap();
        assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(12_988_816), End::Complete));
        assert!(outcome.nodes < 10_000, "{}", outcome.nodes);
        assert_eq!(solver.engine().name, "rows");
    }
}

/// Ways to cover a board with dominoes, square by square: by the squares that stand out over the border so far.
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
            // Numbered along the short side: the search then sweeps over the long one, and few borders come up.
            let problem = make(&format!("dominoes {rows}x{columns}"));
            let mut solver = solver(&problem);
            solver.set_threads(NonZero::new(threads)).unwrap();
            let outcome = solver.count(&CoverLimits::NONE).unwrap();
            assert_eq!(outcome.solutions, expected);
        }
    }
    // Eight ways for each of a hundred items: 2^300.
    let mut builder = ExactCover::builder();
    for item in 0..100 {
        builder.primary(&item.to_string());
    }
    for option in 0..800_u32 {
        builder.option([option / 8]);
    }
    let power = "2037035976334486086268445688409378161051468393665936250636140449354381299763336706183397376";
    assert_eq!(count(&builder.finish().unwrap()).solutions.to_string(), power);
}

/// A problem where nothing comes again is counted by the engine it would have had, on a budget that holds for both.
#[test]
fn a_try_is_part_of_the_budget() {
    let problem = make("queens 10");
    // A solver that was used before begins with what is there.
    let auto = || Solver::new(&problem, Choice::Auto).unwrap();
    let outcome = auto().count(&CoverLimits::NONE).unwrap().clone();
    assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(724), End::Complete));
    assert_eq!(outcome.depths.iter().sum::<u64>(), outcome.nodes);
    for nodes in [0, 1, 1_000, outcome.nodes - 1, outcome.nodes] {
        let mut solver = auto();
        let limited = solver.count(&CoverLimits { nodes: Some(nodes), ..CoverLimits::NONE }).unwrap();
        let end = if nodes == outcome.nodes { End::Complete } else { End::Nodes };
        assert_eq!((limited.nodes, limited.end), (nodes, end));
    }
    // With a limit on solutions each of them is found.
    let mut solver = auto();
    let limited = solver.count(&CoverLimits::first(100)).unwrap();
    assert_eq!((limited.solutions.to_u128(), limited.end), (Some(100), End::Solutions));
}

/// The files of the project's shared folder, where it is there.
#[test]
fn shared_problems() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/cover/");
    for (file, solutions) in [
        ("dom8x8", 12_988_816),
        ("langford12", 216_288),
        ("latin5", 161_280),
        ("match14", 135_135),
        ("pent6x10", 9_356),
        ("pent8x8", 520),
        ("queens12", 14_200),
        ("soma", 11_520),
    ] {
        let Ok(bytes) = std::fs::read(format!("{folder}{file}.dlx")) else { continue };
        assert_eq!(count(&text::read(&bytes).unwrap().problem).solutions, solutions, "{file}");
    }
}

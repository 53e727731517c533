//! Counting without listing: few nodes for many solutions, and numbers that no machine word holds.

use galop_cover::{Choice, CoverLimits, End, ExactCover, Natural, OptionId, text};
use galop_testing::available::is_soaking;
use galop_testing::exact_cover;
use galop_testing::literature;

use crate::{choose, count, make, solver_on};

/// On any number of threads, again and again, and the engine that counted is named.
#[test]
fn a_chessboard_of_dominoes_takes_thousands_of_nodes() {
    let problem = make("dominoes 8x8");
    let known = u128::from(literature::solutions("dominoes 8x8"));
    for (choice, name) in [(Choice::Auto, "sweep"), (choose("rows"), "rows")] {
        for threads in [1, 2, 3, 4].repeat(if is_soaking() { 4 } else { 1 }) {
            let mut solver = solver_on(threads, &problem, choice);
            let (solutions, nodes) = count(&mut solver);
            assert_eq!(solutions.to_u128(), Some(known));
            assert!(threads > 1 || nodes < 10_000, "{nodes}");
            assert_eq!(solver.engine(), name, "{threads} threads");
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

/// In any numbering of the cells.
#[test]
fn large_numbers_are_exact() {
    assert_eq!(dominoes_by_border(8, 8).to_u128(), Some(12_988_816));
    assert!(dominoes_by_border(2, 200).to_u128().is_none());
    for (short, long) in [(2, 200), (3, 90), (4, 60), (6, 20), (9, 9), (16, 16)] {
        let expected = dominoes_by_border(short, long);
        for (width, height) in [(short, long), (long, short)] {
            let problem = make(&format!("dominoes {width}x{height}"));
            for threads in [1, 3] {
                let mut solver = solver_on(threads, &problem, Choice::Auto);
                assert_eq!(count(&mut solver).0, expected, "{width}x{height}");
                assert_eq!(solver.engine(), "sweep", "{width}x{height}");
                // The search that remembers goes along the short side, however the cells are numbered.
                if short <= 4 {
                    assert_eq!(
                        count(&mut solver_on(threads, &problem, choose("rows"))).0,
                        expected,
                        "{width}"
                    );
                }
            }
        }
    }
    // Eight options for each of a hundred items: 2^300 solutions.
    let problem = ExactCover::from_options(100, 0, (0..800).map(|option| [option / 8])).unwrap();
    let power = "2037035976334486086268445688409378161051468393665936250636140449354381299763336706183397376";
    assert_eq!(count(&mut solver_on(1, &problem, choose("rows"))).0.to_string(), power);
}

/// Problems side by side, with no item in common.
fn side_by_side(problems: &[ExactCover]) -> ExactCover {
    let texts: Vec<String> = problems.iter().map(text::to_text).collect();
    exact_cover::side_by_side(&texts).parse().unwrap()
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
            let mut solver = solver_on(threads, &problem, Choice::Auto);
            for _ in 0..2 {
                let (solutions, nodes) = self::count(&mut solver);
                assert_eq!(solutions.to_u128(), Some(count));
                assert!(nodes < 100_000, "{nodes}");
            }
        }
        // An option of the first part is forbidden.
        let count_without = |problem: &ExactCover, forbidden: &[OptionId]| {
            let mut solver = problem.solver().unwrap();
            solver.assume(&[], forbidden).unwrap();
            self::count(&mut solver).0.to_u128().unwrap()
        };
        let others = count / count_without(&parts[0], &[]).max(1);
        assert_eq!(
            count_without(&problem, &[OptionId(2)]),
            count_without(&parts[0], &[OptionId(2)]) * others
        );
    }
}

/// The limit holds for all engines that take part in a count: a try, a sweep or an attempt to remember, and another
/// engine.
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
        let auto = || problem.solver().unwrap();
        let (all, whole) = count(&mut auto());
        let small = if is_small { vec![0, whole - 1, whole] } else { vec![] };
        for nodes in [1, 10, 149, 150, 151, 160, 200, 300, 1_000, whole / 2].into_iter().chain(small) {
            let mut solver = auto();
            let limited = solver.search(&CoverLimits::NONE.with_nodes(nodes)).count().unwrap();
            let end = if nodes >= whole { End::Complete } else { End::Nodes };
            assert_eq!((limited.nodes, limited.end), (nodes.min(whole), end));
            assert!(limited.solutions <= all);
            // A later count is not harmed.
            assert_eq!(count(&mut solver).0, all);
        }
        // With a limit on solutions each solution is found.
        let mut solver = auto();
        for solutions in [1, 2, 20, 100, 299, 300] {
            let limited = solver.search(&CoverLimits::first(solutions)).count().unwrap();
            assert_eq!((limited.solutions.to_u128(), limited.end), (Some(solutions.into()), End::Solutions));
        }
    }
}

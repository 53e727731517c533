//! Exact cover from outside: counts of the literature, limits, threads, and files of the project's shared folder.

#![allow(clippy::unwrap_used)]

mod problems;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use galop::ErrorKind;
use galop::cover::{
    self, Assumptions, Choice, ENGINES, End, Engine, Entry, Event, ExactCover, Fault, Limits, Meter, Outcome,
    Solver, text,
};
use problems::*;

fn suitable(problem: &ExactCover) -> impl Iterator<Item = &'static Entry> {
    ENGINES.iter().filter(|entry| (entry.make)(problem).is_some())
}

fn count(problem: &ExactCover, entry: &'static Entry, threads: usize) -> Outcome {
    let mut solver = Solver::new(problem, Choice::Entry(entry)).unwrap();
    solver.set_threads(threads).unwrap();
    solver.count(&Limits::NONE).unwrap().clone()
}

/// Every engine that can, on one thread and on two.
#[track_caller]
fn counts(problem: &ExactCover, solutions: u128) {
    for entry in suitable(problem) {
        for threads in [1, 2] {
            let outcome = count(problem, entry, threads);
            let found = (outcome.solutions, outcome.end);
            assert_eq!(found, (solutions, End::Complete), "{} on {threads} threads", entry.name);
        }
    }
}

/// Queens, OEIS A000170.
#[test]
fn queens_do_not_see_each_other() {
    for (n, solutions) in
        [(1, 1), (2, 0), (3, 0), (4, 2), (8, 92), (9, 352), (10, 724), (11, 2_680), (12, 14_200)]
    {
        counts(&queens(n), solutions);
    }
}

/// OEIS A014552, doubled.
#[test]
fn langford_pairs() {
    for (n, solutions) in [(3, 2), (4, 2), (5, 0), (7, 52), (8, 300), (11, 35_584)] {
        counts(&langford(n), solutions);
    }
}

/// OEIS A004003.
#[test]
fn domino_tilings() {
    counts(&dominoes(3, 3), 0);
    counts(&dominoes(4, 4), 36);
    counts(&dominoes(6, 6), 6_728);
}

/// OEIS A001147, A002860; the 4x4 sudokus.
#[test]
fn matchings_latin_squares_and_small_sudokus() {
    counts(&matchings(12), 10_395);
    counts(&matchings(14), 135_135);
    counts(&latin(4, None), 576);
    counts(&latin(5, None), 161_280);
    counts(&latin(4, Some(2)), 288);
}

#[test]
fn pentominoes_and_the_soma_cube() {
    counts(&pentominoes([3, 20, 1], &[]), 8);
    counts(&pentominoes([8, 8, 1], &[[3, 3, 0], [3, 4, 0], [4, 3, 0], [4, 4, 0]]), 520);
    counts(&soma(), 11_520);
}

#[test]
fn multiplicities() {
    counts(&domination(5, 3), 186);
    counts(&domination(6, 3), 4);
    counts(&domination(6, 4), 2_744);
    counts(&domination(7, 4), 86);
    counts(&mixed(4, 6, 6, 4), 2_498);
    counts(&mixed(5, 6, 6, 6), 18_245);
}

/// Two solutions of n queens are compared by their cost.
#[test]
fn costs_are_kept() {
    for (n, best) in [(6, 70), (8, 150), (10, 275)] {
        let problem = queens(n);
        let read = text::read(text::to_text(&problem).as_bytes()).unwrap().problem;
        assert_eq!(read, problem);
        let mut solver = Solver::new(&read, Choice::Auto).unwrap();
        let costs = solver
            .solutions(&Limits::NONE)
            .map(|solution| solution.unwrap().iter().map(|&option| read.cost(option)).sum::<u64>());
        assert_eq!(costs.min(), Some(best));
    }
}

/// The files of the project's shared folder, where it is there; the four that take more than a second are left out.
#[test]
fn shared_problems_have_the_counts_they_are_known_for() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/cover/");
    for (file, solutions) in [
        ("dom6x6", 6_728),
        ("langford8", 300),
        ("langford12", 216_288),
        ("latin5", 161_280),
        ("match14", 135_135),
        ("mix4x6_6", 2_498),
        ("mix5x6_6", 18_245),
        ("pent3x20", 8),
        ("pent8x8", 520),
        ("qcost6", 4),
        ("qcost8", 92),
        ("qdom5_3", 186),
        ("queens8", 92),
        ("queens12", 14_200),
        ("queens13", 73_712),
        ("soma", 11_520),
    ] {
        let Ok(bytes) = std::fs::read(format!("{folder}{file}.dlx")) else { continue };
        let text = text::read(&bytes).unwrap();
        assert_eq!(text.dropped.count, 0);
        let problem = text.problem;
        assert_eq!(text::read(text::to_text(&problem).as_bytes()).unwrap().problem, problem);
        let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
        solver.set_threads(2).unwrap();
        assert_eq!(solver.count(&Limits::NONE).unwrap().solutions, solutions, "{file}");
    }
}

/// Far more work than any test waits for.
fn endless() -> ExactCover {
    matchings(30)
}

#[test]
fn a_budget_of_nodes_ends_a_search() {
    let problem = endless();
    for entry in suitable(&problem) {
        let mut solver = Solver::new(&problem, Choice::Entry(entry)).unwrap();
        for threads in 1..=4 {
            solver.set_threads(threads).unwrap();
            for nodes in [0, 1, 1_000, 50_000] {
                let limits = Limits { nodes, ..Limits::NONE };
                let outcome = solver.count(&limits).unwrap();
                assert_eq!(outcome.end, End::Nodes);
                assert!(outcome.nodes <= nodes, "{} of {nodes}", outcome.nodes);
                assert!(threads > 1 || outcome.nodes == nodes, "{} of {nodes}", outcome.nodes);
            }
        }
        solver.set_threads(1).unwrap();
        let mut solutions = solver.solutions(&Limits { nodes: 10_000, ..Limits::NONE });
        let found = solutions.by_ref().count();
        let outcome = solutions.outcome();
        assert_eq!((outcome.end, outcome.nodes, outcome.solutions), (End::Nodes, 10_000, found as u128));
        // A budget that just suffices is no limit.
        let problem = matchings(6);
        let nodes = count(&problem, entry, 1).nodes;
        let mut solver = Solver::new(&problem, Choice::Entry(entry)).unwrap();
        let end =
            |solver: &mut Solver<'_>, nodes| solver.count(&Limits { nodes, ..Limits::NONE }).unwrap().end;
        assert_eq!(end(&mut solver, nodes), End::Complete);
        assert_eq!(end(&mut solver, nodes - 1), End::Nodes);
    }
}

#[test]
fn deadline_and_flag_end_a_search_and_say_so() {
    let problem = endless();
    for entry in suitable(&problem) {
        let mut solver = Solver::new(&problem, Choice::Entry(entry)).unwrap();
        for threads in 1..=3 {
            solver.set_threads(threads).unwrap();
            let deadline = Some(Instant::now() + Duration::from_millis(50));
            let outcome = solver.count(&Limits { deadline, ..Limits::NONE }).unwrap();
            assert_eq!(outcome.end, End::Deadline);
            let cancel = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(30));
                    cancel.store(true, Ordering::Relaxed);
                });
                let limits = Limits { cancel: Some(&cancel), ..Limits::NONE };
                assert_eq!(solver.count(&limits).unwrap().end, End::Cancelled);
            });
            // One that is there from the beginning.
            let limits = Limits { cancel: Some(&cancel), ..Limits::NONE };
            assert_eq!(solver.count(&limits).unwrap().nodes, 0);
            assert_eq!(solver.first(&limits).unwrap(), None);
            assert_eq!(solver.outcome().end, End::Cancelled);
        }
    }
}

#[test]
fn whoever_has_enough_breaks() {
    let problem = endless();
    let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
    for threads in 1..=3 {
        solver.set_threads(threads).unwrap();
        let mut seen = 0;
        let outcome = solver.for_each(&Limits::NONE, |options| {
            assert!(options.is_sorted() && options.len() == 15);
            seen += 1;
            if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let outcome = outcome.unwrap();
        assert_eq!((outcome.solutions, outcome.end), (5, End::Refused));
        assert_eq!(seen, 5);
    }
}

/// One sudoku matrix serves many puzzles: their clues are assumptions.
#[test]
fn clues_are_assumptions() {
    let line = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    let rules = galop::Rules::sudoku();
    for entry in suitable(rules.cover()) {
        let mut solver = Solver::new(rules.cover(), Choice::Entry(entry)).unwrap();
        let clues = |line: &str| -> Vec<u32> {
            let cells = line.bytes().enumerate().filter(|(_, byte)| *byte != b'.');
            cells.map(|(cell, byte)| cell as u32 * 9 + u32::from(byte - b'1')).collect()
        };
        let clues = clues(line);
        for _ in 0..2 {
            solver.assume(&clues, &[]).unwrap();
            let solution = solver.first(&Limits::NONE).unwrap().unwrap().to_vec();
            let digits: String =
                solution[..9].iter().map(|option| char::from(b'1' + (option % 9) as u8)).collect();
            assert_eq!(digits, "417369825");
            // Options that are not of the solution go, one that is is forbidden: nothing is left.
            solver.assume(&clues, &solution[80..]).unwrap();
            assert_eq!(solver.count(&Limits::NONE).unwrap().solutions, 0);
            solver.assume(&[0, 1], &[]).unwrap();
            assert_eq!(solver.count(&Limits::NONE).unwrap().end, End::Complete, "two digits in a cell");
            assert_eq!(solver.outcome().solutions, 0);
        }
        let error = solver.assume(&[728], &[729]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Problem(Fault::UnknownOption { option: 729, count: 729 })));
        assert_eq!(solver.count(&Limits::NONE).unwrap().solutions, 0, "the assumptions are as they were");
    }
}

/// A hundred thousand items and a million options are read, written and solved without a second look at any.
#[test]
fn large_problems_take_linear_time() {
    let pairs = 100_000;
    let mut builder = ExactCover::builder();
    for item in 0..pairs {
        builder.primary(&format!("i{item}"));
    }
    for option in 0..10 * pairs {
        builder.option([option % pairs]);
    }
    let problem = builder.finish().unwrap();
    let read = text::read(text::to_text(&problem).as_bytes()).unwrap().problem;
    assert_eq!(read, problem);
    let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
    let outcome = solver.count(&Limits { nodes: 1, ..Limits::NONE }).unwrap();
    assert_eq!((outcome.nodes, outcome.end), (1, End::Nodes));
}

#[test]
fn engines_have_names_of_their_own() {
    for entry in ENGINES {
        assert_eq!(cover::engine(entry.name).map(|found| found.about), Some(entry.about));
        assert_ne!(entry.name, "auto");
    }
    assert!(cover::engine("auto").is_none());
}

/// Says that option 0 alone is a solution, whatever the problem.
struct Wrong(bool);

impl Engine for Wrong {
    fn start(&mut self, _: &Assumptions) {
        self.0 = true;
    }

    fn next(&mut self, _: &mut Meter<'_>) -> Event {
        if std::mem::take(&mut self.0) { Event::Solution } else { Event::End }
    }

    fn solution(&self) -> &[u32] {
        &[0]
    }

    fn split(&mut self) -> Option<Assumptions> {
        None
    }

    fn progress(&self) -> f64 {
        0.0
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Wrong(true))
    }
}

#[test]
fn a_wrong_solution_is_an_error_and_is_not_handed_out() {
    static WRONG: Entry = Entry { name: "wrong", about: "", make: |_| Some(Box::new(Wrong(true))) };
    static NONE: Entry = Entry { name: "none", about: "", make: |_| None };
    let problem = queens(4);
    let is_wrong = |error: &galop::Error| {
        let text = error.to_string();
        assert!(text.contains("independent check") && text.contains("`wrong`"), "{text}");
        matches!(error.kind(), ErrorKind::WrongCover { engine: "wrong", options, .. } if options[..] == [0])
    };
    let mut solver = Solver::new(&problem, Choice::Entry(&WRONG)).unwrap();
    assert!(is_wrong(&solver.first(&Limits::NONE).unwrap_err()));
    let mut solutions = solver.solutions(&Limits::NONE);
    assert!(is_wrong(&solutions.next().unwrap().unwrap_err()));
    assert!(solutions.next().is_none());
    for threads in [1, 2] {
        solver.set_threads(threads).unwrap();
        assert!(is_wrong(&solver.count(&Limits::NONE).unwrap_err()));
        let mut seen = 0;
        let refused = solver.for_each(&Limits::NONE, |_| {
            seen += 1;
            ControlFlow::Continue(())
        });
        assert!(is_wrong(&refused.unwrap_err()));
        assert_eq!(seen, 0);
    }
    let refused = Solver::new(&problem, Choice::Entry(&NONE)).unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::Unsuitable { engine: "none" }));
}

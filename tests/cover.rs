//! Exact cover from outside: counts of the literature, limits, threads, and files of the project's shared folder.

#![allow(clippy::unwrap_used)]

mod problems;

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use galop_cover::engine::{CoverEngine, CoverEntry, ENGINES, Event, Meter, Unsuitable};
use galop_cover::{
    Assumptions, Choice, CoverError, CoverLimits, CoverOutcome, End, ExactCover, Isa, Setup, Solver, text,
};
use problems::make;

fn suitable(problem: &ExactCover) -> impl Iterator<Item = &'static CoverEntry> {
    ENGINES.iter().filter(|entry| (entry.make)(problem, Isa::best()).is_ok())
}

fn count(problem: &ExactCover, entry: &'static CoverEntry, threads: usize) -> CoverOutcome {
    let mut solver = Solver::new(problem, Choice::Engine(entry)).unwrap();
    solver.set_threads(NonZero::new(threads)).unwrap();
    solver.count(&CoverLimits::NONE).unwrap().clone()
}

/// Every engine that can, on one thread and on two.
#[track_caller]
fn counts(problem: &ExactCover, solutions: u128) {
    for entry in suitable(problem) {
        for threads in [1, 2] {
            let outcome = count(problem, entry, threads);
            let found = (outcome.solutions.to_u128(), outcome.end);
            assert_eq!(found, (Some(solutions), End::Complete), "{} on {threads} threads", entry.name);
        }
    }
}

/// Queens, OEIS A000170.
#[test]
fn queens_do_not_see_each_other() {
    for (n, solutions) in
        [(1, 1), (2, 0), (3, 0), (4, 2), (8, 92), (9, 352), (10, 724), (11, 2_680), (12, 14_200)]
    {
        counts(&make(&format!("queens {n}")), solutions);
    }
}

/// OEIS A014552, doubled.
#[test]
fn langford_pairs() {
    for (n, solutions) in [(3, 2), (4, 2), (5, 0), (7, 52), (8, 300), (11, 35_584)] {
        counts(&make(&format!("langford {n}")), solutions);
    }
}

/// OEIS A004003.
#[test]
fn domino_tilings() {
    counts(&make("dominoes 3x3"), 0);
    counts(&make("dominoes 4x4"), 36);
    counts(&make("dominoes 6x6"), 6_728);
}

/// OEIS A001147, A002860; the 4x4 sudokus.
#[test]
fn matchings_latin_squares_and_small_sudokus() {
    counts(&make("matching 12"), 10_395);
    counts(&make("matching 14"), 135_135);
    counts(&make("latin 4"), 576);
    counts(&make("latin 5"), 161_280);
    counts(&make("sudoku 2x2"), 288);
}

#[test]
fn pentominoes_and_the_soma_cube() {
    counts(&make("pentominoes 3x20"), 8);
    counts(&make("pentominoes 8x8"), 520);
    counts(&make("soma"), 11_520);
}

#[test]
fn multiplicities() {
    counts(&make("queen-domination 5 3"), 186);
    counts(&make("queen-domination 6 3"), 4);
    counts(&make("queen-domination 6 4"), 2_744);
    counts(&make("queen-domination 7 4"), 86);
    counts(&make("mixed 6x4 6"), 2_498);
    counts(&make("mixed 6x5 6"), 18_245);
}

/// What takes every engine in turn too long: with the one that is chosen, plainly and after preprocessing.
#[test]
fn larger_problems_with_the_engine_that_is_chosen() {
    for (words, solutions) in [
        ("queens 13", 73_712),
        ("queens 14", 365_596),
        ("queens 15", 2_279_184),
        ("langford 12", 216_288),
        ("pentominoes 6x10", 9_356),
        ("pentominoes 5x12", 4_040),
        ("pentominoes 4x15", 1_472),
        ("pentominoes 2x5x6", 2_112),
        ("dominoes 8x8", 12_988_816),
        ("queen-domination 8 5", 4_860),
    ] {
        let problem = make(words);
        for has_preprocessing in [false, true] {
            let setup = Setup { has_preprocessing, ..Choice::Auto.into() };
            let mut solver = Solver::new(&problem, setup).unwrap();
            solver.set_threads(NonZero::new(2)).unwrap();
            let outcome = solver.count(&CoverLimits::NONE).unwrap();
            assert_eq!(
                (outcome.solutions.to_u128(), outcome.end),
                (Some(solutions), End::Complete),
                "{words}"
            );
        }
    }
}

/// Any instruction set that is there finds the same, and one that is not there finds no engine that needs it.
#[test]
fn instruction_sets_are_those_that_are_asked_for() {
    let problem = make("langford 8");
    let outcomes = Isa::ALL.map(|isa| {
        ["masks", "wide", "rows"].map(|name| {
            let setup = Setup { isa, ..Choice::Engine(galop_cover::engine::by_name(name).unwrap()).into() };
            Solver::new(&problem, setup).ok().map(|mut solver| {
                let outcome = solver.count(&CoverLimits::NONE).unwrap();
                (outcome.solutions.clone(), outcome.nodes)
            })
        })
    });
    for (isa, [masks, wide, rows]) in Isa::ALL.into_iter().zip(outcomes) {
        assert_eq!((masks.is_some(), wide.is_some()), (isa.is_available(), isa.is_available()), "{isa:?}");
        for outcome in [masks, wide, rows].into_iter().flatten() {
            assert_eq!(outcome.0, 300, "{isa:?}");
        }
    }
}

/// Every puzzle of 17 clues has one solution: the first of the shared folder, where it is there, from one problem.
#[test]
fn puzzles_of_17_clues_have_one_solution() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/17_clue.txt");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let rules = galop::Rules::sudoku();
    let mut solver = Solver::new(rules.cover(), Choice::Auto).unwrap();
    let puzzles = text.lines().map(str::as_bytes).filter(|line| line.len() == 81 && !line.starts_with(b"#"));
    for puzzle in puzzles.take(1_000) {
        let clues = (0_u32..).zip(puzzle).filter(|(_, digit)| digit.is_ascii_digit() && **digit != b'0');
        let clues: Vec<u32> = clues.map(|(cell, digit)| cell * 9 + u32::from(digit - b'1')).collect();
        assert_eq!(clues.len(), 17);
        solver.assume(&clues, &[]).unwrap();
        let outcome = solver.count(&CoverLimits::NONE).unwrap();
        assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(1), End::Complete));
    }
}

/// Two solutions of n queens are compared by their cost.
#[test]
fn costs_are_kept() {
    for (n, best) in [(6, 70), (8, 150), (10, 275)] {
        let problem = make(&format!("queen-costs {n}"));
        let read = text::read(text::to_text(&problem).as_bytes()).unwrap().problem;
        assert_eq!(read, problem);
        let mut solver = Solver::new(&read, Choice::Auto).unwrap();
        let costs = solver
            .solutions(&CoverLimits::NONE)
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
        solver.set_threads(NonZero::new(2)).unwrap();
        assert_eq!(solver.count(&CoverLimits::NONE).unwrap().solutions, solutions, "{file}");
    }
}

/// Far more work than any test waits for.
fn endless() -> ExactCover {
    make("matching 30")
}

#[test]
fn a_budget_of_nodes_ends_a_search() {
    let problem = endless();
    for entry in suitable(&problem) {
        let mut solver = Solver::new(&problem, Choice::Engine(entry)).unwrap();
        for threads in 1..=4 {
            solver.set_threads(NonZero::new(threads)).unwrap();
            for nodes in [0, 1, 1_000, 50_000] {
                let limits = CoverLimits { nodes: Some(nodes), ..CoverLimits::NONE };
                let outcome = solver.count(&limits).unwrap();
                assert_eq!(outcome.end, End::Nodes);
                assert!(outcome.nodes <= nodes, "{} of {nodes}", outcome.nodes);
                assert!(threads > 1 || outcome.nodes == nodes, "{} of {nodes}", outcome.nodes);
            }
        }
        solver.set_threads(NonZero::new(1)).unwrap();
        let mut solutions = solver.solutions(&CoverLimits { nodes: Some(10_000), ..CoverLimits::NONE });
        let found = solutions.by_ref().count();
        let outcome = solutions.outcome();
        assert_eq!(
            (outcome.end, outcome.nodes, outcome.solutions.to_u128()),
            (End::Nodes, 10_000, Some(found as u128))
        );
        // A budget that just suffices is no limit.
        let problem = make("matching 6");
        let nodes = count(&problem, entry, 1).nodes;
        let mut solver = Solver::new(&problem, Choice::Engine(entry)).unwrap();
        let end = |solver: &mut Solver<'_>, nodes| {
            solver.count(&CoverLimits { nodes: Some(nodes), ..CoverLimits::NONE }).unwrap().end
        };
        assert_eq!(end(&mut solver, nodes), End::Complete);
        assert_eq!(end(&mut solver, nodes - 1), End::Nodes);
    }
}

#[test]
fn deadline_and_flag_end_a_search_and_say_so() {
    let problem = endless();
    for choice in suitable(&problem).map(Choice::Engine).chain([Choice::Auto]) {
        let mut solver = Solver::new(&problem, choice).unwrap();
        for threads in 1..=3 {
            solver.set_threads(NonZero::new(threads)).unwrap();
            let deadline = Some(Instant::now() + Duration::from_millis(50));
            let outcome = solver.count(&CoverLimits { deadline, ..CoverLimits::NONE }).unwrap();
            assert_eq!(outcome.end, End::Deadline);
            let cancel = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(30));
                    cancel.store(true, Ordering::Relaxed);
                });
                let limits = CoverLimits { cancel: Some(&cancel), ..CoverLimits::NONE };
                assert_eq!(solver.count(&limits).unwrap().end, End::Cancelled);
            });
            // One that is there from the beginning.
            let limits = CoverLimits { cancel: Some(&cancel), ..CoverLimits::NONE };
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
        solver.set_threads(NonZero::new(threads)).unwrap();
        let mut seen = 0;
        let outcome = solver.for_each(&CoverLimits::NONE, |options| {
            assert!(options.is_sorted() && options.len() == 15);
            seen += 1;
            if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let outcome = outcome.unwrap();
        assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(5), End::Refused));
        assert_eq!(seen, 5);
    }
}

/// One sudoku matrix serves many puzzles: their clues are assumptions.
#[test]
fn clues_are_assumptions() {
    let line = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    let rules = galop::Rules::sudoku();
    for entry in suitable(rules.cover()) {
        let mut solver = Solver::new(rules.cover(), Choice::Engine(entry)).unwrap();
        let clues = |line: &str| -> Vec<u32> {
            let cells = line.bytes().enumerate().filter(|(_, byte)| *byte != b'.');
            cells.map(|(cell, byte)| cell as u32 * 9 + u32::from(byte - b'1')).collect()
        };
        let clues = clues(line);
        for _ in 0..2 {
            solver.assume(&clues, &[]).unwrap();
            let solution = solver.first(&CoverLimits::NONE).unwrap().unwrap().to_vec();
            let digits: String =
                solution[..9].iter().map(|option| char::from(b'1' + (option % 9) as u8)).collect();
            assert_eq!(digits, "417369825");
            // Options that are not of the solution go, one that is is forbidden: nothing is left.
            solver.assume(&clues, &solution[80..]).unwrap();
            assert_eq!(solver.count(&CoverLimits::NONE).unwrap().solutions, 0);
            solver.assume(&[0, 1], &[]).unwrap();
            assert_eq!(solver.count(&CoverLimits::NONE).unwrap().end, End::Complete, "two digits in a cell");
            assert_eq!(solver.outcome().solutions, 0);
        }
        let error = solver.assume(&[728], &[729]).unwrap_err();
        assert!(matches!(error, CoverError::UnknownOption { option: 729, count: 729 }));
        assert_eq!(
            solver.count(&CoverLimits::NONE).unwrap().solutions,
            0,
            "the assumptions are as they were"
        );
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
    // Engines that keep something of every item for each choice would run out of memory here.
    assert_eq!(solver.engine().name, "links");
    let outcome = solver.count(&CoverLimits { nodes: Some(1), ..CoverLimits::NONE }).unwrap();
    assert_eq!((outcome.nodes, outcome.end), (1, End::Nodes));
}

#[test]
fn engines_have_names_of_their_own() {
    for entry in ENGINES {
        assert_eq!(galop_cover::engine::by_name(entry.name).map(|found| found.about), Some(entry.about));
        assert_ne!(entry.name, "auto");
    }
    assert!(galop_cover::engine::by_name("auto").is_none());
}

/// Says that option 0 alone is a solution, whatever the problem.
struct Wrong(bool);

impl CoverEngine for Wrong {
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

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Wrong(true))
    }
}

#[test]
fn a_wrong_solution_is_an_error_and_is_not_handed_out() {
    static WRONG: CoverEntry =
        CoverEntry { name: "wrong", about: "", make: |_, _| Ok(Box::new(Wrong(true))) };
    static NONE: CoverEntry = CoverEntry { name: "none", about: "", make: |_, _| Err(Unsuitable::Bounds) };
    let problem = make("queens 4");
    let is_wrong = |error: &galop_cover::CoverError| {
        let text = error.to_string();
        assert!(text.contains("independent check") && text.contains("`wrong`"), "{text}");
        matches!(error, CoverError::WrongCover { engine: "wrong", options, .. } if options[..] == [0])
    };
    let mut solver = Solver::new(&problem, Choice::Engine(&WRONG)).unwrap();
    assert!(is_wrong(&solver.first(&CoverLimits::NONE).unwrap_err()));
    let mut solutions = solver.solutions(&CoverLimits::NONE);
    assert!(is_wrong(&solutions.next().unwrap().unwrap_err()));
    assert!(solutions.next().is_none());
    for threads in [1, 2] {
        solver.set_threads(NonZero::new(threads)).unwrap();
        assert!(is_wrong(&solver.count(&CoverLimits::NONE).unwrap_err()));
        let mut seen = 0;
        let refused = solver.for_each(&CoverLimits::NONE, |_| {
            seen += 1;
            ControlFlow::Continue(())
        });
        assert!(is_wrong(&refused.unwrap_err()));
        assert_eq!(seen, 0);
    }
    let refused = Solver::new(&problem, Choice::Engine(&NONE)).unwrap_err();
    assert!(matches!(refused, CoverError::Unsuitable { engine: "none", .. }));
}

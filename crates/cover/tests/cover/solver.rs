//! The solver: limits, cancellation, order, assumptions, and engines that lie.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use galop_cover::engine::{
    Build, CoverEngine, CoverEntry, ENGINES, Event, LINKS, Meter, Stop, Unsuitable, by_name,
};
use galop_cover::{
    Assumptions, Choice, CoverError, CoverLimits, End, ExactCover, Isa, OptionId, Setup, Solver, text,
};

use crate::{clues, list, make, sudoku, suitable};

/// A problem that takes longer than any test waits.
fn endless() -> ExactCover {
    make("matching 30")
}

#[test]
fn a_limit_on_nodes_ends_a_search() {
    let problem = endless();
    for choice in suitable(&problem) {
        let mut solver = Solver::new(&problem, choice).unwrap();
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
        let solutions = outcome.solutions.to_u128();
        assert_eq!((outcome.end, outcome.nodes, solutions), (End::Nodes, 10_000, Some(found as u128)));
        // A limit that the search just reaches does not end it.
        let problem = make("matching 6");
        let mut solver = Solver::new(&problem, choice).unwrap();
        let nodes = solver.count(&CoverLimits::NONE).unwrap().nodes;
        let end = |solver: &mut Solver<'_>, nodes| {
            solver.count(&CoverLimits { nodes: Some(nodes), ..CoverLimits::NONE }).unwrap().end
        };
        assert_eq!(end(&mut solver, nodes), End::Complete);
        assert_eq!(end(&mut solver, nodes - 1), End::Nodes);
    }
}

#[test]
fn a_deadline_and_a_flag_end_a_search() {
    let problem = endless();
    for choice in suitable(&problem).chain([Choice::Auto]) {
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
            // A flag that is set before the search.
            let limits = CoverLimits { cancel: Some(&cancel), ..CoverLimits::NONE };
            assert_eq!(solver.count(&limits).unwrap().nodes, 0);
            assert_eq!(solver.first(&limits).unwrap(), None);
            assert_eq!(solver.outcome().end, End::Cancelled);
        }
    }
}

#[test]
fn a_deadline_and_a_flag_end_the_building_of_an_engine() {
    let lists = (0..200_000).map(|option| [option % 20_000, 20_000 + option % 19_999]);
    let problem = ExactCover::from_options(20_000, 20_000, lists.clone()).unwrap();
    let mut coloured = ExactCover::builder();
    coloured.primary_items(20_000);
    coloured.secondary_items(20_000);
    lists.for_each(|[item, secondary]| _ = coloured.option_with_colours([item], [(secondary, 1)]));
    for problem in [problem, coloured.finish().unwrap()] {
        let soon = || Some(Instant::now() + Duration::from_micros(100));
        let made = (LINKS.make)(&problem, Build::new(Isa::best(), soon(), None));
        assert!(matches!(made, Err(Unsuitable::Stopped(Stop::Deadline))));
        for has_preprocessing in [false, true] {
            let setup = Setup { has_preprocessing, ..Choice::Auto.into() };
            let limits = CoverLimits { deadline: soon(), ..CoverLimits::NONE };
            let error = Solver::new_within(&problem, setup, &limits).unwrap_err();
            assert!(matches!(error, CoverError::Stopped { end: End::Deadline }), "{error}");
            let limits = CoverLimits { cancel: Some(&AtomicBool::new(true)), ..CoverLimits::NONE };
            let error = Solver::new_within(&problem, setup, &limits).unwrap_err();
            assert!(matches!(error, CoverError::Stopped { end: End::Cancelled }), "{error}");
        }
    }
}

/// A deadline that is never reached, and one that is reached by a step of `within`.
#[test]
fn the_earlier_deadline_holds() {
    let none = CoverLimits::NONE.within(Duration::MAX);
    assert_eq!(none.deadline, None);
    let hour = none.within(Duration::from_secs(3600));
    assert_eq!(hour.within(Duration::from_secs(7200)).deadline, hour.deadline);
    assert!(hour.within(Duration::ZERO).deadline < hour.deadline);
    let problem = endless();
    let mut solver = problem.solver().unwrap();
    let outcome = solver.count(&CoverLimits::NONE.within(Duration::from_millis(20))).unwrap();
    assert_eq!(outcome.end, End::Deadline);
}

/// Progress with a callback for each search.
#[test]
fn progress_is_reported_to_a_closure() {
    let problem = endless();
    let mut solver = problem.solver().unwrap();
    for threads in [1, 2] {
        solver.set_threads(NonZero::new(threads)).unwrap();
        let (mut reports, mut found) = (Vec::new(), 0_u128);
        let limits = || CoverLimits::NONE.within(Duration::from_millis(300));
        let each = |_: &[OptionId]| {
            found += 1;
            ControlFlow::Continue(())
        };
        let outcome = solver.for_each_and_watch(&limits(), each, |progress| reports.push(*progress)).unwrap();
        assert_eq!((outcome.end, outcome.solutions.to_u128()), (End::Deadline, Some(found)));
        assert!(reports.len() > 1 && reports.is_sorted_by(|one, other| one.solutions <= other.solutions));
        assert_eq!(
            reports.last().map(|progress| (progress.solutions, progress.nodes)),
            Some((found, outcome.nodes))
        );
        let mut nodes = 0;
        let outcome = solver.count_and_watch(&limits(), |progress| nodes = progress.nodes).unwrap();
        assert_eq!(outcome.nodes, nodes);
    }
}

/// Solvers and iterators can be sent to other threads, and an iterator can be left.
#[test]
fn an_iterator_is_sent_and_dropped() {
    let problem = endless();
    let mut solver = problem.solver().unwrap();
    let mut solutions = solver.solutions(&CoverLimits::NONE);
    std::thread::scope(|scope| {
        scope.spawn(move || assert_eq!(solutions.by_ref().take(3).count(), 3));
    });
    assert_eq!(solver.count(&CoverLimits::first(2)).unwrap().solutions, 2);
}

#[test]
fn a_caller_can_break_off_a_search() {
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

/// With `set_ordered` solutions come in the order of one thread, whatever the limit.
#[test]
fn limits_and_order_hold_on_any_number_of_threads() {
    let problem = make("langford 8");
    for choice in suitable(&problem) {
        let mut solver = Solver::new(&problem, choice).unwrap();
        let all = list(&mut solver);
        assert_eq!(all.len(), 300);
        let nodes = solver.outcome().nodes;
        solver.set_ordered(true);
        for threads in 1..=4 {
            solver.set_threads(NonZero::new(threads)).unwrap();
            assert_eq!(list(&mut solver), all, "{choice:?}");
            for (solutions, is_ordered) in
                [0, 1, 17, 299, 300, 301].into_iter().flat_map(|most| [(most, false), (most, true)])
            {
                solver.set_ordered(is_ordered);
                let mut found = Vec::new();
                let limits = CoverLimits::first(solutions);
                let outcome = solver.for_each(&limits, |options| {
                    found.push(options.to_vec());
                    ControlFlow::Continue(())
                });
                let end = if solutions <= 300 { End::Solutions } else { End::Complete };
                let count = solutions.min(300) as usize;
                assert_eq!((outcome.unwrap().end, found.len()), (end, count), "{choice:?}");
                assert!(!is_ordered || found == all[..count], "{choice:?}");
                let counted = solver.count(&limits).unwrap();
                assert_eq!((counted.solutions, counted.end), ((count as u128).into(), end), "{choice:?}");
            }
            let limits = CoverLimits { nodes: Some(nodes / 2), ..CoverLimits::first(1_000) };
            let outcome = solver.count(&limits).unwrap();
            assert!(outcome.end == End::Nodes && outcome.nodes <= nodes / 2, "{choice:?}");
        }
    }
}

#[test]
fn bounds_are_refused_by_engines_without_multiplicities() {
    let problem = make("queen-domination 5 3");
    let sparse = Choice::Engine(by_name("sparse").unwrap());
    assert!(Solver::new(&problem, sparse).is_err());
}

/// One sudoku problem serves many puzzles: their clues are assumptions.
#[test]
fn clues_are_assumptions() {
    let clues = clues("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......");
    let problem = sudoku();
    for choice in suitable(&problem) {
        let mut solver = Solver::new(&problem, choice).unwrap();
        for _ in 0..2 {
            solver.assume(&clues, &[]).unwrap();
            let solution = solver.first(&CoverLimits::NONE).unwrap().unwrap().to_vec();
            let digits: String =
                solution[..9].iter().map(|option| char::from(b'1' + (option % 9) as u8)).collect();
            assert_eq!(digits, "417369825");
            // Without an option of its only solution, the puzzle has no solution.
            solver.assume(&clues, &solution[80..]).unwrap();
            assert_eq!(solver.count(&CoverLimits::NONE).unwrap().solutions, 0);
            solver.assume(&[0, 1], &[]).unwrap();
            assert_eq!(solver.count(&CoverLimits::NONE).unwrap().end, End::Complete, "two digits in a cell");
            assert_eq!(solver.outcome().solutions, 0);
        }
        let error = solver.assume(&[728], &[729]).unwrap_err();
        assert!(matches!(error, CoverError::UnknownOption { option: 729, count: 729 }));
        assert_eq!(solver.count(&CoverLimits::NONE).unwrap().solutions, 0, "the assumptions did not change");
    }
}

/// A problem of a hundred thousand items and a million options is read and written, and its search begins.
#[test]
fn large_problems_take_linear_time() {
    let pairs = 100_000;
    let mut builder = ExactCover::builder();
    for item in 0..pairs {
        builder.primary(&format!("i{item}"));
    }
    for option in 0..10 * pairs {
        // In a ring, so that it does not fall apart.
        builder.option([option % pairs, (option + 1) % pairs]);
    }
    let problem = builder.finish().unwrap();
    let read = text::read(text::to_text(&problem).as_bytes()).unwrap().problem;
    assert_eq!(read, problem);
    let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
    // The sizes of all items at all levels would run out of memory: sparse sets keep a journal.
    assert_eq!(solver.engine().name, "sparse");
    let outcome = solver.count(&CoverLimits { nodes: Some(1), ..CoverLimits::NONE }).unwrap();
    assert_eq!((outcome.nodes, outcome.end), (1, End::Nodes));
}

#[test]
fn engines_have_different_names() {
    for entry in ENGINES {
        assert_eq!(by_name(entry.name).map(|found| found.about), Some(entry.about));
        assert_ne!(entry.name, "auto");
    }
    assert!(by_name("auto").is_none());
}

/// An engine that claims that option 0 alone is a solution of any problem.
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

    fn own_bytes(&self) -> usize {
        0
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Wrong(true))
    }
}

#[test]
fn a_wrong_solution_is_an_error_and_does_not_reach_the_caller() {
    static WRONG: CoverEntry =
        CoverEntry { name: "wrong", about: "", make: |_, _| Ok(Box::new(Wrong(true))) };
    static NONE: CoverEntry = CoverEntry { name: "none", about: "", make: |_, _| Err(Unsuitable::Bounds) };
    let problem = make("queens 4");
    let is_wrong = |error: &CoverError| {
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

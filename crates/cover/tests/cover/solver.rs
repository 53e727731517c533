//! The solver: limits, cancellation, order and assumptions.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use galop_cover::engine::{ENGINES, LINKS, Stepper, Unsuitable, by_name};
use galop_cover::{
    Choice, CoverError, CoverLimits, End, ExactCover, Isa, ItemId, OptionId, Progress, Setup, Solver, text,
};

use crate::{choose, clues, count, list, list_within, listing, make, solver_on, sudoku, suitable};

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
                let limits = CoverLimits::NONE.with_nodes(nodes);
                let outcome = solver.search(&limits).count().unwrap();
                assert_eq!(outcome.end, End::Nodes);
                assert!(outcome.nodes <= nodes, "{} of {nodes}", outcome.nodes);
                assert!(threads > 1 || outcome.nodes == nodes, "{} of {nodes}", outcome.nodes);
            }
        }
        solver.set_threads(NonZero::new(1)).unwrap();
        if choice.lists() {
            let mut solutions = solver.search(&CoverLimits::NONE.with_nodes(10_000)).into_iter();
            let found = solutions.by_ref().count();
            let outcome = solutions.outcome();
            let solutions = outcome.solutions.to_u128();
            assert_eq!((outcome.end, outcome.nodes, solutions), (End::Nodes, 10_000, Some(found as u128)));
        }
        // A limit that the search just reaches does not end it.
        let problem = make("matching 6");
        let mut solver = Solver::new(&problem, choice).unwrap();
        let (_, nodes) = count(&mut solver);
        let end = |solver: &mut Solver<'_>, nodes| {
            solver.search(&CoverLimits::NONE.with_nodes(nodes)).count().unwrap().end
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
            let limits = CoverLimits::NONE.within(Duration::from_millis(5));
            assert_eq!(solver.search(&limits).count().unwrap().end, End::Deadline);
            let cancel = AtomicBool::new(false);
            let limits = CoverLimits::NONE.with_cancel(&cancel);
            // The first report of the progress sets the flag.
            let mut watch = |_: &Progress| cancel.store(true, Ordering::Relaxed);
            let outcome = solver.search(&limits).observe(&mut watch).count().unwrap();
            assert!(outcome.end == End::Cancelled && outcome.nodes > 0);
            // A flag that is set before the search.
            assert_eq!(solver.search(&limits).count().unwrap().nodes, 0);
            if choice.lists() {
                assert_eq!(solver.search(&limits).first().unwrap(), None);
                assert_eq!(solver.outcome().end, End::Cancelled);
            }
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
    lists.for_each(|[item, secondary]| {
        _ = coloured.option_with_colours([ItemId(item)], [(ItemId(secondary), 1)]);
    });
    for problem in [problem, coloured.finish().unwrap()] {
        let soon = || Some(Instant::now() + Duration::from_micros(100));
        for setup in [Setup::new(), Setup::new().preprocess(true), Setup::new().engine(&LINKS)] {
            let limits = CoverLimits::NONE.with_deadline(soon());
            let error = Solver::new_within(&problem, setup, &limits).unwrap_err();
            assert!(matches!(error, CoverError::Stopped { end: End::Deadline }), "{error}");
            let cancel = AtomicBool::new(true);
            let limits = CoverLimits::NONE.with_cancel(&cancel);
            let error = Solver::new_within(&problem, setup, &limits).unwrap_err();
            assert!(matches!(error, CoverError::Stopped { end: End::Cancelled }), "{error}");
        }
    }
}

/// A deadline that is never reached, and two of which one is earlier.
#[test]
fn the_earlier_deadline_holds() {
    let none = CoverLimits::NONE.within(Duration::MAX);
    assert_eq!(none.deadline, None);
    let hour = none.within(Duration::from_secs(3600));
    assert_eq!(hour.within(Duration::from_secs(7200)).deadline, hour.deadline);
    assert!(hour.within(Duration::ZERO).deadline < hour.deadline);
}

/// Progress with a callback for each search. The search ends after some reports.
#[test]
fn progress_is_reported_to_a_closure() {
    let problem = endless();
    for threads in [1, 2] {
        let mut solver = solver_on(threads, &problem, Choice::Auto);
        let cancel = AtomicBool::new(false);
        let limits = CoverLimits::NONE.with_cancel(&cancel);
        let (mut reports, mut found) = (Vec::new(), 0_u128);
        let mut watch = |progress: &Progress| {
            reports.push(*progress);
            cancel.store(reports.len() > 2, Ordering::Relaxed);
        };
        let each = |_: &[OptionId]| {
            found += 1;
            ControlFlow::Continue(())
        };
        let outcome = solver.search(&limits).observe(&mut watch).for_each(each).unwrap();
        assert_eq!((outcome.end, outcome.solutions.to_u128()), (End::Cancelled, Some(found)));
        assert!(reports.is_sorted_by(|one, other| one.solutions <= other.solutions));
        let last = reports.last().map(|progress| (progress.solutions, progress.nodes));
        assert_eq!(last, Some((found, outcome.nodes)));
        cancel.store(false, Ordering::Relaxed);
        let mut nodes = 0;
        let mut watch = |progress: &Progress| {
            nodes = progress.nodes;
            cancel.store(true, Ordering::Relaxed);
        };
        let outcome = solver.search(&limits).observe(&mut watch).count().unwrap();
        assert_eq!(outcome.nodes, nodes);
    }
}

/// Solvers and iterators can be sent to other threads, and an iterator can be left.
#[test]
fn an_iterator_is_sent_and_dropped() {
    let problem = endless();
    let mut solver = problem.solver().unwrap();
    let mut solutions = solver.search(&CoverLimits::NONE).into_iter();
    std::thread::scope(|scope| {
        scope.spawn(move || assert_eq!(solutions.by_ref().take(3).count(), 3));
    });
    assert_eq!(solver.search(&CoverLimits::first(2)).count().unwrap().solutions, 2);
}

#[test]
fn a_caller_can_break_off_a_search() {
    let problem = endless();
    for threads in 1..=3 {
        let mut solver = solver_on(threads, &problem, Choice::Auto);
        let mut seen = 0;
        let outcome = solver.search(&CoverLimits::NONE).for_each(|options| {
            assert!(options.is_sorted() && options.len() == 15);
            seen += 1;
            if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let outcome = outcome.unwrap();
        assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(5), End::Refused));
        assert_eq!(seen, 5);
    }
}

/// With `set_ordered` solutions come in the order of one thread, whatever the limit. The last problems are large enough
/// for many splits.
#[test]
fn limits_and_order_hold_on_any_number_of_threads() {
    for (words, total, limits) in [
        ("langford 8", 300, &[0, 1, 17, 299, 300, 301][..]),
        ("queen-domination 7 4", 86, &[]),
        ("matching 12", 10_395, &[]),
    ] {
        let problem = make(words);
        for choice in listing(&problem) {
            let mut solver = Solver::new(&problem, choice).unwrap();
            let all = list(&mut solver);
            assert_eq!(all.len() as u64, total);
            let nodes = solver.outcome().nodes;
            for threads in 1..=4 {
                solver.set_threads(NonZero::new(threads)).unwrap();
                solver.set_ordered(true);
                assert_eq!(list(&mut solver), all, "{choice:?}");
                for (&solutions, is_ordered) in limits.iter().flat_map(|most| [(most, false), (most, true)]) {
                    solver.set_ordered(is_ordered);
                    let limits = CoverLimits::first(solutions);
                    let (found, outcome) = list_within(&mut solver, &limits);
                    let end = if solutions <= total { End::Solutions } else { End::Complete };
                    let count = solutions.min(total) as usize;
                    assert_eq!((outcome.end, found.len()), (end, count), "{choice:?}");
                    assert!(!is_ordered || found == all[..count], "{choice:?}");
                    let counted = solver.search(&limits).count().unwrap();
                    assert_eq!((counted.solutions, counted.end), ((count as u128).into(), end), "{choice:?}");
                }
                let limits = CoverLimits::first(total + 1).with_nodes(nodes / 2);
                let outcome = solver.search(&limits).count().unwrap();
                assert!(outcome.end == End::Nodes && outcome.nodes <= nodes / 2, "{choice:?}");
            }
        }
    }
}

/// One sudoku problem serves many puzzles: their clues are assumptions.
#[test]
fn clues_are_assumptions() {
    let clues = clues("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......");
    let problem = sudoku();
    for choice in listing(&problem) {
        let mut solver = Solver::new(&problem, choice).unwrap();
        for _ in 0..2 {
            solver.assume(&clues, &[]).unwrap();
            let solution = solver.search(&CoverLimits::NONE).first().unwrap().unwrap().to_vec();
            let digits: String =
                solution[..9].iter().map(|option| char::from(b'1' + (option.0 % 9) as u8)).collect();
            assert_eq!(digits, "417369825");
            // Without an option of its only solution, the puzzle has no solution.
            solver.assume(&clues, &solution[80..]).unwrap();
            assert_eq!(count(&mut solver).0, 0);
            solver.assume(&[OptionId(0), OptionId(1)], &[]).unwrap();
            assert_eq!(count(&mut solver).0, 0, "two digits in a cell");
        }
        let error = solver.assume(&[OptionId(728)], &[OptionId(729)]).unwrap_err();
        assert!(matches!(error, CoverError::UnknownOption { option: OptionId(729), count: 729 }));
        assert_eq!(count(&mut solver).0, 0, "the assumptions did not change");
    }
}

/// A problem of a hundred thousand items and a million options is read and written, and its search begins.
#[test]
fn large_problems_take_linear_time() {
    let pairs = 100_000;
    // In a ring, so that it does not fall apart.
    let options = (0..10 * pairs).map(|option| [option % pairs, (option + 1) % pairs]);
    let problem = ExactCover::from_options(pairs as usize, 0, options).unwrap();
    let read = text::read(text::to_text(&problem).as_bytes()).unwrap().problem;
    assert_eq!(read, problem);
    let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
    // The sizes of all items at all levels would run out of memory: sparse sets keep a journal.
    assert_eq!(solver.engine(), "sparse");
    let outcome = solver.search(&CoverLimits::NONE.with_nodes(1)).count().unwrap();
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

/// An engine that only counts says so, however solutions are asked for.
#[test]
fn an_engine_that_only_counts_lists_nothing() {
    let problem = make("langford 8");
    let is_refused = |error: CoverError| {
        let text = error.to_string();
        assert!(text.contains("`rows`") && text.contains("only counts"), "{text}");
        matches!(error, CoverError::Unsuitable { engine: "rows", why: Unsuitable::OnlyCounts })
    };
    for threads in [1, 2] {
        let mut solver = solver_on(threads, &problem, choose("rows"));
        assert!(is_refused(solver.search(&CoverLimits::NONE).list().unwrap_err()));
        assert!(is_refused(solver.search(&CoverLimits::NONE).first().unwrap_err()));
        assert!(is_refused(solver.search(&CoverLimits::first(3)).count().unwrap_err()));
        let mut solutions = solver.search(&CoverLimits::NONE).into_iter();
        assert!(is_refused(solutions.next().unwrap().unwrap_err()) && solutions.next().is_none());
        assert_eq!(count(&mut solver).0, 300);
    }
    let stepper = Stepper::new(&problem, by_name("rows").unwrap(), Isa::best());
    assert_eq!(stepper.unwrap_err(), Unsuitable::OnlyCounts);
    assert!(ENGINES.iter().all(|entry| entry.lists == (entry.name != "rows")));
}

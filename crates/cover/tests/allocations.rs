//! A solver that is used again for related problems does not allocate, except the solution that `first` returns.
//!
//! A test program of its own, because it replaces the allocator.

#![allow(clippy::unwrap_used, unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;

use galop_cover::engine::ENGINES;
use galop_cover::models;
use galop_cover::{Choice, CoverLimits, OptionId, Setup, Solver};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, and the number of allocations of each thread.
struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged; the counter belongs to the thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller promises what `System.alloc` requires: a layout of non-zero size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller promises what `System.dealloc` requires: a pointer that `alloc` returned for this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

#[test]
fn no_search_allocates_after_the_first() {
    let problem = models::sudoku(3, 3).unwrap();
    // The first row is 1 to 9, the other rows have more solutions than the limit.
    let clues: Vec<OptionId> = (0..9).map(|cell| OptionId(cell * 9 + cell)).collect();
    let limits = CoverLimits::first(100);
    let engines = ENGINES.iter().filter(|entry| entry.lists).map(Choice::Engine);
    let choices = engines.chain([Choice::Auto]);
    for (choice, has_preprocessing) in choices.flat_map(|choice| [(choice, false), (choice, true)]) {
        let setup = Setup::from(choice).preprocess(has_preprocessing);
        let Ok(mut solver) = Solver::new(&problem, setup) else { continue };
        let mut search = || {
            solver.assume(&clues, &[OptionId(100), OptionId(200)]).unwrap();
            let before = allocations();
            let first = solver.search(&limits).first().unwrap().map(|solution| solution.len());
            let of_first = allocations() - before;
            let counted = solver.search(&limits).count().unwrap().solutions.to_u128();
            let listed =
                solver.search(&limits).for_each(|_| ControlFlow::Continue(())).unwrap().solutions.to_u128();
            assert_eq!((first, counted, listed), (Some(81), Some(100), Some(100)), "{setup:?}");
            of_first
        };
        search();
        let before = allocations();
        assert_eq!(search(), 1, "{setup:?}");
        assert_eq!(allocations() - before, 1, "{setup:?}");
    }
}

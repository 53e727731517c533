//! A puzzle of any kind and size: all engines that accept its rules give the answer of dancing links, or give up.
//!
//! The first three bytes choose the rules, the map of a jigsaw and the limit on solutions. The others make the cells.
#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;

use galop_engines::puzzle::Limits;
use galop_fuzz::engines::Engines;
use galop_fuzz::rules::{SMALL, example};
use libfuzzer_sys::fuzz_target;

const SOLUTIONS: [u64; 4] = [2, 1, 3, 100];

/// Guesses in large grids, where one takes longer, and in small ones.
const GUESSES: [u64; 2] = [100, 2_000];

/// Rules whose engines are kept. The engines of more are made again.
const KEPT: usize = 40;

thread_local! {
    static ENGINES: RefCell<HashMap<(String, Vec<Vec<usize>>), Engines>> = RefCell::default();
}

fuzz_target!(|data: &[u8]| {
    let Some((&[choice, map, solutions], bytes)) = data.split_first_chunk() else { return };
    let example = example(choice, map);
    let grid = example.rules.grid();
    let is_small = grid.side() <= SMALL;
    let limits = Limits::count(SOLUTIONS[usize::from(solutions) % SOLUTIONS.len()]);
    let limits = limits.with_guesses(GUESSES[usize::from(is_small)]);
    ENGINES.with_borrow_mut(|engines| {
        if engines.len() == KEPT {
            engines.clear();
        }
        let key = (example.rules.name().to_owned(), grid.units().to_vec());
        // The engines of others are slow on large grids, and were not made for them.
        let is_wanted = |name: &str| is_small || ["grid", "hybrid", "hybrid-links"].contains(&name);
        let engines = engines.entry(key).or_insert_with(|| Engines::new(&example.rules, is_wanted));
        engines.agree(&example.puzzle(bytes), limits);
    });
});

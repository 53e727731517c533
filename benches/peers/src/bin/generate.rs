//! Minimal puzzles made by galop and by crate `sudoku`, in one process and on one thread.
//!
//! `generate` prints the puzzles per second of both, the median of `--reps` (9) and the median of the ratios. galop
//! makes `--count` (20,000) puzzles in a repetition, the crate a quarter of them. Time is the CPU time of the process.
//!
//! Both give minimal puzzles, but not of the same distribution: the crate adds clues to an empty grid before it removes
//! some, so its puzzles have about three clues more. The clues of both are printed.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use cpu_time::ProcessTime;
use galop_corpora::generate::{Recipe, Wish, run};
use galop_peers::median;

fn main() {
    let (mut count, mut reps) = (20_000, 9);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value =
            || words.next().and_then(|word| word.parse().ok()).expect("the option takes a number");
        match word.as_str() {
            "--count" => count = value(),
            "--reps" => reps = value(),
            _ => panic!("{word}: the options are --count and --reps"),
        }
    }
    let (mut own, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut clues = [0; 2];
    for seed in 0..reps {
        let start = ProcessTime::now();
        let recipe = Recipe { threads: NonZero::new(1), ..Recipe::new(seed, Wish::Minimal) };
        run(&recipe, count, &AtomicBool::new(false), &mut |puzzles, _| {
            clues[0] += puzzles.iter().filter(|byte| byte.is_ascii_digit()).count() as u64;
            Ok(())
        })
        .expect("minimal puzzles are always found");
        own.push(count as f64 / start.elapsed().as_secs_f64());
        let start = ProcessTime::now();
        for _ in 0..count / 4 {
            clues[1] += u64::from(sudoku::Sudoku::generate().n_clues());
        }
        theirs.push((count / 4) as f64 / start.elapsed().as_secs_f64());
        ratios.push(own[own.len() - 1] / theirs[theirs.len() - 1]);
    }
    let mean = |clues: u64, count: u64| clues as f64 / (count * reps).max(1) as f64;
    println!("galop: {:.0} a second, {:.2} clues", median(own), mean(clues[0], count));
    println!("crate sudoku: {:.0} a second, {:.2} clues", median(theirs), mean(clues[1], count / 4));
    println!("ratio: {:.2}", median(ratios));
}

//! Counts the ways to place N queens on an N x N board, on every core, with a limit of ten seconds.
//!
//! `cargo run --release -p galop-cover --example queens -- 14`

use std::error::Error;
use std::time::Duration;

use galop_cover::{CoverLimits, End, ExactCover, Progress};

fn main() -> Result<(), Box<dyn Error>> {
    count(std::env::args().nth(1).map_or(Ok(12), |word| word.parse())?)
}

fn count(n: usize) -> Result<(), Box<dyn Error>> {
    let problem = queens(n)?;
    let mut solver = problem.solver()?;
    solver.set_threads(None)?;
    let mut share = |progress: &Progress| eprint!("\r{:.0} %", 100.0 * progress.fraction);
    let outcome =
        solver.search(&CoverLimits::NONE.within(Duration::from_secs(10))).observe(&mut share).count()?;
    eprintln!();
    let more = if outcome.end == End::Complete { "" } else { " at least" };
    println!("{n} queens:{more} {} solutions, {} nodes", outcome.solutions, outcome.nodes);
    Ok(())
}

/// Every row and column holds one queen: primary items. Every diagonal holds at most one: secondary items.
fn queens(n: usize) -> Result<ExactCover, Box<dyn Error>> {
    let mut builder = ExactCover::builder();
    let rows: Vec<_> = (0..n).map(|row| builder.primary(&format!("row{row}"))).collect();
    let columns: Vec<_> = (0..n).map(|column| builder.primary(&format!("column{column}"))).collect();
    let rising: Vec<_> = (0..2 * n).map(|sum| builder.secondary(&format!("rising{sum}"))).collect();
    let falling: Vec<_> =
        (0..2 * n).map(|difference| builder.secondary(&format!("falling{difference}"))).collect();
    for row in 0..n {
        for column in 0..n {
            builder.option([rows[row], columns[column], rising[row + column], falling[n + row - column]]);
        }
    }
    Ok(builder.finish()?)
}

#[test]
fn eight_queens_are_placed_in_92_ways() -> Result<(), Box<dyn Error>> {
    assert_eq!(queens(8)?.count()?, 92);
    count(8)
}

//! Solutions as a stream: threads find them while the program looks at them, until it has seen enough.
//!
//! Langford pairs: the numbers 1, 1, 2, 2, .. n, n in a row, with k numbers between the two k. The first row whose ends
//! add up to n ends the search.
//!
//! `cargo run --release -p galop-cover --example stream -- 16`

use std::error::Error;
use std::time::Duration;

use galop_cover::{Choice, CoverLimits, ExactCover, OptionId, SolutionStream};

fn main() -> Result<(), Box<dyn Error>> {
    search(std::env::args().nth(1).map_or(Ok(12), |word| word.parse())?)
}

fn search(n: u32) -> Result<(), Box<dyn Error>> {
    let (problem, pairs) = langford(n)?;
    // The stream owns its problem and its threads, so it can be returned or sent to another thread.
    let limits = CoverLimits::NONE.within(Duration::from_secs(60));
    let mut stream = SolutionStream::new(problem, Choice::Auto, limits, |solver| solver.set_threads(None));
    for (number, solution) in stream.by_ref().enumerate() {
        let row = row_of(&solution?, &pairs);
        println!("{number:6} {row:?}");
        if row[0] + row[row.len() - 1] == n {
            break;
        }
    }
    // Dropping the stream would end the search, too.
    let outcome = stream.stop().ok_or("the search failed")?;
    println!("{} rows found, {} choices examined: {}", outcome.solutions, outcome.nodes, outcome.end.name());
    Ok(())
}

/// What an option stands for: a number and its two places.
type Pair = (u32, usize, usize);

/// Items are the numbers and the places; an option puts a pair into two places. The problem is a list of lists of
/// items.
fn langford(n: u32) -> Result<(ExactCover, Vec<Pair>), Box<dyn Error>> {
    let places = 2 * n as usize;
    let pairs: Vec<Pair> = (1..=n)
        .flat_map(|k| (0..places).map(move |first| (k, first, first + k as usize + 1)))
        .filter(|pair| pair.2 < places)
        .collect();
    let items = |&(k, first, second): &Pair| [k - 1, n + first as u32, n + second as u32];
    Ok((ExactCover::from_options(n as usize + places, 0, pairs.iter().map(items))?, pairs))
}

fn row_of(solution: &[OptionId], pairs: &[Pair]) -> Vec<u32> {
    let mut row = vec![0; 2 * solution.len()];
    for &option in solution {
        let (k, first, second) = pairs[option.index()];
        (row[first], row[second]) = (k, k);
    }
    row
}

#[test]
fn the_search_ends_early_or_without_a_row() -> Result<(), Box<dyn Error>> {
    assert_eq!(langford(8)?.0.count()?, 300);
    search(8)?;
    search(5)
}

//! Any bytes as the text of an exact cover problem: they are read, or refused with a place inside the text. What is
//! read is written and read back as the same, and all engines that can solve it count the same, plainly and after
//! preprocessing.
#![no_main]

use galop_cover::engine::ENGINES;
use galop_cover::{Choice, CoverLimits, End, ExactCover, Setup, Solver, text};
use libfuzzer_sys::fuzz_target;

/// Terms and items. Larger problems are read and written only.
const TERMS: usize = 300;
/// Nodes of a search. Counts of longer searches are not compared.
const NODES: u64 = 2_000;

/// The number of solutions, if the search ends within the limit.
fn count(problem: &ExactCover, setup: impl Into<Setup>) -> Option<String> {
    // Not every engine can solve every problem.
    let mut solver = Solver::new(problem, setup).ok()?;
    let outcome = solver.search(&CoverLimits::NONE.with_nodes(NODES)).count().expect("right solutions");
    (outcome.end == End::Complete).then(|| outcome.solutions.to_string())
}

fuzz_target!(|data: &[u8]| {
    let problem = match text::read(data) {
        Ok(text) => text.problem,
        Err(error) => {
            let mut lines = data.split(|&byte| byte == b'\n');
            let line = lines.nth(error.line as usize - 1).expect("a line of the text");
            assert!((1..=line.len() as u64 + 1).contains(&error.column), "{error}");
            return;
        }
    };
    let written = text::to_text(&problem);
    let read = text::read(written.as_bytes()).expect("what was written");
    assert!(read.problem == problem && read.dropped.count == 0, "{written}");
    if problem.options().map(|terms| terms.len()).sum::<usize>() > TERMS || problem.item_count() > TERMS {
        return;
    }
    let Some(expected) = count(&problem, Choice::Engine(&ENGINES[0])) else { return };
    for choice in ENGINES.iter().map(Choice::Engine).chain([Choice::Auto]) {
        for has_preprocessing in [false, true] {
            let setup = Setup::from(choice).preprocess(has_preprocessing);
            if let Some(found) = count(&problem, setup) {
                assert_eq!(found, expected, "{setup:?} {written}");
            }
        }
    }
});

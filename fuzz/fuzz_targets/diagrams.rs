//! Any bytes as the text of a diagram: they are read, or refused with a place inside the text. What is read answers
//! every question, is written and read back as the same, and what it lists is what it counts.
#![no_main]

use galop_cover::diagram::{Diagram, text};
use galop_cover::{Bounds, ItemId, Natural, OptionId};
use libfuzzer_sys::fuzz_target;

/// Solutions that are listed. Of a diagram with more of them, only the first ones are.
const LISTED: usize = 200;

fn written(diagram: &Diagram) -> Vec<u8> {
    let mut written = Vec::new();
    text::write(diagram, &mut written).expect("memory");
    written
}

/// Asks everything, and checks that the answers go together.
fn ask(diagram: &Diagram) {
    let count = diagram.count();
    let listed: Vec<Vec<OptionId>> = diagram.solutions().take(LISTED).collect();
    assert_eq!(Natural::from(listed.len() as u128), count.clone().min(Natural::from(LISTED as u128)));
    for (rank, solution) in (0_u128..).zip(&listed) {
        assert_eq!(diagram.nth(&rank.into()).as_ref(), Some(solution));
    }
    assert!(diagram.nth(&count).is_none());
    let marginals = diagram.marginals();
    assert_eq!(diagram.sample(1).take(3).count(), if count == 0 { 0 } else { 3 });
    assert_eq!(diagram.cheapest().take(3).count(), listed.len().min(3));
    // A reader cannot see whether a solution has an option twice, if items may be covered several times.
    let problem = diagram.problem();
    let is_once = |item| problem.bounds(item) == Bounds { low: 1, high: 1 };
    if !(0..problem.primary_count() as u32).map(ItemId).all(is_once) {
        return;
    }
    assert!(marginals.iter().all(|marginal| *marginal <= count));
    if problem.option_count() > 0 {
        let mut sum = diagram.with(&[OptionId(0)], &[]).expect("an option").count();
        sum += &diagram.with(&[], &[OptionId(0)]).expect("an option").count();
        assert_eq!(sum, count);
    }
}

fuzz_target!(|data: &[u8]| {
    let diagram = match text::read(data) {
        Ok(diagram) => diagram,
        Err(error) => {
            // Nodes that lack are missed in the line behind the last one.
            let mut lines = data.split(|&byte| byte == b'\n').chain([&[][..]]);
            let line = lines.nth(error.line as usize - 1).expect("a line of the text");
            assert!((1..=line.len() as u64 + 1).contains(&error.column), "{error}");
            return;
        }
    };
    let text = written(&diagram);
    let again = text::read(&text).expect("what was written");
    assert_eq!(written(&again), text);
    assert!(again.count() == diagram.count() && again.problem() == diagram.problem());
    ask(&diagram);
});

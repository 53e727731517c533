//! The text of a problem, a blank line, and records of it: each record is refused with a column inside it, or read and
//! written back as the same choices, and all engines for records complete it alike.
#![no_main]

use galop_cover::engine::{CoverEntry, ENGINES, Step, Stepper};
use galop_cover::{Assumptions, Isa, text};
use libfuzzer_sys::fuzz_target;

/// Terms and items of a problem.
const TERMS: usize = 300;
/// Nodes of a search. Longer searches are not compared.
const NODES: u64 = 500;

fuzz_target!(|data: &[u8]| {
    let end = data.windows(2).position(|pair| pair == b"\n\n").unwrap_or(data.len());
    let (problem, records) = data.split_at(end);
    let Ok(text::Text { problem, .. }) = text::read(problem) else { return };
    if problem.options().map(|terms| terms.len()).sum::<usize>() > TERMS || problem.item_count() > TERMS {
        return;
    }
    let choices = text::ChoiceText::new(problem.clone().into());
    let engines =
        ENGINES.iter().filter_map(|entry| Some((entry, Stepper::new(&problem, entry, Isa::best()).ok()?)));
    let mut engines: Vec<(&CoverEntry, Stepper)> = engines.collect();
    let (mut assumed, mut again, mut line) = (Assumptions::default(), Assumptions::default(), Vec::new());
    for record in records.split(|&byte| byte == b'\n').take(20) {
        if let Err(error) = choices.read(record, &mut assumed) {
            assert!((1..=record.len()).contains(&error.column), "{error}");
            continue;
        }
        line.clear();
        choices.write(&assumed, &mut line);
        assert!(!line.starts_with(b"#") && !line.is_empty(), "{}", line.escape_ascii());
        choices.read(&line, &mut again).expect("what was written");
        assert_eq!(again, assumed, "{}", line.escape_ascii());
        let mut expected = None;
        for (entry, stepper) in &mut engines {
            if let Some(found) = count(stepper, &assumed) {
                let expected = *expected.get_or_insert(found);
                assert_eq!(found, expected, "{} {}", entry.name, line.escape_ascii());
            }
        }
    }
});

/// The number of solutions, three at most; `None` if the search takes too long.
fn count(stepper: &mut Stepper, assumed: &Assumptions) -> Option<usize> {
    stepper.start(assumed, u64::MAX);
    for found in 0..3 {
        match stepper.next(NODES.saturating_sub(stepper.nodes())) {
            Step::Solution => {}
            Step::End => return Some(found),
            Step::Stopped => return None,
        }
    }
    Some(3)
}

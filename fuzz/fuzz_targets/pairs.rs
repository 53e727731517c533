//! Any bytes through `verify`. Every record gets one verdict, whatever the chunks. A solution is right if and only if
//! the verifier says so of its cells. A puzzle that stands alone and has clues that clash is faulty. A proof that a
//! solution is the only one makes no record better.
//!
//! The first byte chooses the rules.
#![no_main]

use std::num::NonZero;

use galop_batch::pipeline::{VerifyOptions, VerifyOutcome, verify};
use galop_engines::engine::prover_for;
use galop_engines::grid::{Rules, Verifier};
use galop_fuzz::inputs::{Found, Pace, records, source, with_words};
use galop_fuzz::rules::example;
use libfuzzer_sys::fuzz_target;

/// Bytes of a chunk of the reader. The chunks of `verify` are thousands of times larger.
const CHUNK_BYTES: usize = 64;

/// Verifies the records of `data`. Checks what is true of all verdicts and reports.
fn verdicts(
    rules: &Rules,
    data: &[u8],
    found: &Result<Found, String>,
    unique: bool,
) -> Option<VerifyOutcome> {
    let mut places = Vec::new();
    let options = VerifyOptions::default().unique(unique).threads(NonZero::new(1));
    let source = &mut source(data, Pace::Whole);
    let verified = verify(rules, prover_for(rules), source, &options, &mut |faulty| {
        assert!(!faulty.to_string().is_empty());
        places.push((faulty.line, faulty.column));
        Ok(())
    });
    let (verified, found) = match (verified, found) {
        (Ok(verified), Ok(found)) => (verified, found),
        (Err(error), Err(reading)) => {
            assert_eq!(error.to_string(), *reading);
            return None;
        }
        (verified, found) => panic!("{verified:?} {found:?}"),
    };
    let verdicts = verified.verdicts;
    assert_eq!(verdicts.records, found.records.len() as u64);
    assert_eq!(verdicts.counts().map(|(_, count)| count).sum::<u64>(), verdicts.records);
    assert_eq!(verdicts.faulty, places.len() as u64);
    let mut records = found.records.iter();
    for (line, column) in places {
        let record = records.find(|record| record.line == line).expect("a record in this line, in order");
        // A grid has several lines, and a fault in any of them.
        let last = record.text.len() as u32 + 1;
        assert!(
            found.format == "grids" || column.is_none_or(|column| (1..=last).contains(&column)),
            "{column:?}"
        );
    }
    Some(verified)
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let example = example(choice % 224, 0);
    let rules = &example.rules;
    let data = with_words(data, &example);
    let found = records(&mut source(&data, Pace::ByteByByte), CHUNK_BYTES, rules);

    let plain = verdicts(rules, &data, &found, false);
    let proved = verdicts(rules, &data, &found, true);
    let (Ok(found), Some(plain), Some(proved)) = (found, plain, proved) else { return };

    let verifier = Verifier::new(rules);
    let [mut right, mut faulty] = [0; 2];
    for record in &found.records {
        let Ok(puzzle) = &record.puzzle else { continue };
        let clash = rules.grid().check_clues(puzzle).is_err();
        match &record.solution {
            Some(solution) => {
                let is_right = verifier.check(puzzle, solution).is_ok();
                assert!(!(is_right && clash), "{puzzle:?}");
                right += u64::from(is_right);
            }
            None => faulty += u64::from(clash),
        }
    }
    let (plain, proved) = (plain.verdicts, proved.verdicts);
    assert_eq!(plain.right, right, "{found:?}");
    assert!(plain.faulty + plain.unanswered >= faulty, "{found:?}");
    assert!(
        proved.right <= right && proved.faulty >= plain.faulty && proved.solved <= plain.solved,
        "{found:?}"
    );
});

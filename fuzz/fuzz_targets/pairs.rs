//! Any bytes through `verify` and `check`. Every record gets one verdict, whatever the chunks. A solution is right if
//! and only if the verifier says so of its cells. A puzzle with a right solution is never impossible. A proof that a
//! solution is the only one makes no record better.
//!
//! The first byte chooses the rules.
#![no_main]

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use galop_batch::Error;
use galop_batch::pipeline::{FaultyRecord, InspectOptions, InspectOutcome, check_source, verify};
use galop_engines::engine::{Entry, prover_for};
use galop_engines::grid::{Checker, Verifier};
use galop_fuzz::inputs::{Found, Pace, records, source, with_words};
use galop_fuzz::rules::example;
use libfuzzer_sys::fuzz_target;

/// Bytes of a chunk of the reader. The chunks of `verify` and `check` are thousands of times larger.
const CHUNK_BYTES: usize = 64;

static NEVER: AtomicBool = AtomicBool::new(false);

type Report<'r> = &'r mut dyn FnMut(&FaultyRecord<'_>) -> Result<(), Error>;

/// Runs `inspect`. Checks what is true of all verdicts and reports.
fn verdicts(
    found: &Result<Found, String>,
    inspect: impl FnOnce(&InspectOptions<'_>, Report<'_>) -> Result<InspectOutcome, Error>,
) -> Option<InspectOutcome> {
    let mut places = Vec::new();
    let options = InspectOptions::default().threads(NonZero::new(1)).stop(&NEVER);
    let inspected = inspect(&options, &mut |faulty| {
        assert!(!faulty.to_string().is_empty());
        places.push((faulty.line, faulty.column));
        Ok(())
    });
    let (inspected, found) = match (inspected, found) {
        (Ok(inspected), Ok(found)) => (inspected, found),
        (Err(error), Err(reading)) => {
            assert_eq!(error.to_string(), *reading);
            return None;
        }
        (inspected, found) => panic!("{inspected:?} {found:?}"),
    };
    let verdicts = inspected.verdicts;
    assert_eq!(verdicts.records, found.records.len() as u64);
    assert_eq!(verdicts.counts.iter().map(|(_, count)| count).sum::<u64>(), verdicts.records);
    assert_eq!(verdicts.faults, places.len() as u64);
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
    Some(inspected)
}

fn count(inspected: &InspectOutcome, words: &str) -> usize {
    inspected.verdicts.counts.iter().find(|(name, _)| *name == words).expect("a verdict").1 as usize
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let example = example(choice % 224, 0);
    let rules = &example.rules;
    let data = with_words(data, &example);
    let found = records(&mut source(&data, Pace::ByteByByte), CHUNK_BYTES, rules);

    let verified = |prover: Option<&'static Entry>| {
        verdicts(&found, |options, report| {
            verify(rules, prover, &mut source(&data, Pace::Whole), options, report)
        })
    };
    let plain = verified(None);
    let proved = verified(Some(prover_for(rules)));
    let checked = verdicts(&found, |options, report| {
        check_source(rules, &mut source(&data, Pace::Whole), options, report)
    });
    let (Ok(found), Some(plain), Some(proved), Some(checked)) = (found, plain, proved, checked) else {
        return;
    };

    let (verifier, mut checker) = (Verifier::new(rules), Checker::new(rules));
    let [mut right, mut impossible, mut malformed] = [0; 3];
    for record in &found.records {
        let Ok(puzzle) = &record.puzzle else {
            malformed += 1;
            continue;
        };
        let is_right =
            record.solution.as_ref().is_some_and(|solution| verifier.check(puzzle, solution).is_ok());
        let is_impossible = checker.check(puzzle).is_err();
        assert!(!(is_right && is_impossible), "{puzzle:?}");
        right += usize::from(is_right);
        impossible += usize::from(is_impossible);
    }
    assert_eq!(count(&plain, "right"), right, "{found:?}");
    assert!(count(&proved, "right") <= right && proved.verdicts.faults >= plain.verdicts.faults, "{found:?}");
    assert_eq!(count(&checked, "malformed"), malformed, "{found:?}");
    assert_eq!(count(&checked, "impossible"), impossible, "{found:?}");
    assert_eq!((checked.input.lines, proved.input.lines), (plain.input.lines, plain.input.lines));
});

//! Parts of a source: the lines of `--lines`, the first records, and ranges of bytes. They are the same records as in
//! the whole, and parts that follow each other give its output, byte for byte.
//!
//! The first bytes choose the rules, the lines, the number of records and the place where the source is cut.
#![no_main]

use galop_batch::input::Cut;
use galop_batch::output;
use galop_batch::pipeline::{Part, SolveRun, SourceRun};
use galop_engines::Rules;
use galop_engines::engine::prover_for;
use galop_fuzz::inputs::{Pace, options, records, source, with_words};
use galop_fuzz::rules::example;
use libfuzzer_sys::fuzz_target;

const CHUNK_BYTES: [usize; 2] = [64, 700];

const GUESSES: u64 = 1_000;

/// The output of the parts of `data`, one after the other in one run; `None` if `data` is refused.
fn solve(rules: &Rules, data: &[u8], chunk_bytes: usize, parts: &[Part]) -> Option<Vec<u8>> {
    let options = options(chunk_bytes, GUESSES).format(output::CSV);
    let mut run = SolveRun::open(rules, prover_for(rules), options).expect("rules of the engine");
    let mut out = Vec::new();
    for part in parts {
        run.read(&mut source(data, Pace::Whole), *part, &mut [&mut out], &mut ()).ok()?;
    }
    run.finish(&mut out).ok().map(|_| out)
}

fuzz_target!(|data: &[u8]| {
    let Some((&[choice, from, lines, most, place, chunk], data)) = data.split_first_chunk() else { return };
    let example = example(choice % 224, 0);
    let rules = &example.rules;
    let data = with_words(data, &example);
    let chunk_bytes = CHUNK_BYTES[usize::from(chunk) % 2];
    let Ok(whole) = records(&mut source(&data, Pace::Whole), chunk_bytes, rules) else { return };

    let (from, to) = (u64::from(from % 16) + 1, u64::from(from % 16) + 1 + u64::from(lines % 16));
    let range = (lines < 128).then_some(from..=to);
    let most = (most < 128).then_some(u64::from(most % 16) + 1);
    let mut cut = source(&data, Pace::ByteByByte);
    cut.cut(&Cut::new(range.clone(), most));
    let found = records(&mut cut, chunk_bytes, rules).expect("the whole was read");
    let in_lines =
        whole.records.iter().filter(|record| range.as_ref().is_none_or(|range| range.contains(&record.line)));
    let expected: Vec<_> = in_lines.take(most.map_or(usize::MAX, |most| most as usize)).cloned().collect();
    assert_eq!(found.records, expected, "{range:?} {most:?} {chunk_bytes}");

    let middle = u64::from(place) * (data.len() as u64 + 2) / 255;
    let parts = [Part::new(0, middle), Part::new(middle, u64::MAX)];
    assert_eq!(
        solve(rules, &data, chunk_bytes, &parts),
        solve(rules, &data, chunk_bytes, &[Part::WHOLE]),
        "{middle}"
    );
});

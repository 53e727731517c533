//! A table of any bytes through the pipeline, to a table. A reader that is not part of galop (the crate `csv`) must
//! find a row for each record, the same number of columns in every row, and the fields of the input in their columns.
//!
//! The first byte chooses the rules, and whether the table is read a second time behind itself.
#![no_main]

use csv::ByteRecord;
use galop_batch::input::InputError;
use galop_batch::output;
use galop_batch::pipeline::SolveRun;
use galop_engines::engine::prover_for;
use galop_engines::puzzle::Status;
use galop_fuzz::inputs::{Pace, options, records, source, with_words};
use galop_fuzz::rules::{Example, example};
use libfuzzer_sys::fuzz_target;

const CHUNK_BYTES: usize = 64;

/// The columns that are added: solution, status, solutions, guesses, nanos.
const ADDED: usize = 5;

/// The output for `inputs`, or `None` if the first one is refused as a whole.
fn solve(example: &Example, inputs: &[&[u8]]) -> Option<Vec<u8>> {
    let options = options(CHUNK_BYTES, 100).format(output::CSV);
    let rules = &example.rules;
    let mut run = SolveRun::open(rules, prover_for(rules), options).expect("rules of the engine");
    let mut out = Vec::new();
    for (number, data) in inputs.iter().enumerate() {
        if let Err(error) = run.solve(&mut source(data, Pace::Whole), &mut out, &mut ()) {
            // A wrong solution would be another error.
            assert!(error.fact::<InputError>().is_some() && number == 0, "{error}");
            return None;
        }
    }
    run.finish(&mut out).expect("memory can be written");
    Some(out)
}

/// The rows of `text`, the first of which is a header or not.
fn rows(text: &[u8], delimiter: u8) -> Vec<ByteRecord> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text);
    reader.into_byte_records().map(|row| row.expect("memory can be read")).collect()
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let example = example(choice % 128, 0);
    let data = with_words(data, &example);
    let is_twice = choice >= 128;
    let inputs = if is_twice { vec![&data[..]; 2] } else { vec![&data[..]] };
    let found = records(&mut source(&data, Pace::ByteByByte), 1 << 20, &example.rules);
    let Some(out) = solve(&example, &inputs) else {
        assert!(found.is_err());
        return;
    };
    let found = found.expect("the pipeline read it");

    // The last name of the header is `nanos` or `galop_nanos`.
    let header = out.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let names = header.strip_suffix(b"nanos").expect("the last column");
    let delimiter = *names.strip_suffix(b"galop_").unwrap_or(names).last().expect("columns before it");
    let written = rows(&out, delimiter);
    let width = written[0].len();
    assert!(written.iter().all(|row| row.len() == width), "{written:?}");
    assert_eq!(written.len() - 1, inputs.len() * found.records.len(), "{written:?}");

    let kept = width - ADDED;
    assert!(kept == 1 || found.format == "csv");
    for (row, record) in written[1..].iter().zip(found.records.iter().cycle()) {
        let status = &row[kept + 1];
        assert!(Status::ALL.iter().any(|known| known.word().as_bytes() == status), "{row:?}");
        assert_eq!(status == b"malformed", record.puzzle.is_err(), "{row:?}");
        if found.format != "csv" || record.puzzle.is_err() {
            continue;
        }
        // Behind another row: the reader drops a byte-order mark at the start.
        let read = rows(&[b"x\n", &record.text[..]].concat(), delimiter);
        let fields = read.get(1).map_or(Vec::new(), |row| row.iter().collect());
        assert!(read.len() <= 2 && fields.len() + record.missing_fields == kept, "{read:?} {row:?}");
        let padded = fields.into_iter().chain(std::iter::repeat(&b""[..]));
        assert!(row.iter().take(kept).eq(padded.take(kept)), "{read:?} {row:?}");
    }
});

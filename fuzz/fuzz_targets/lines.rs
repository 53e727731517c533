//! Any bytes through the whole pipeline, from source to output: one record in, one record out, in order, and the same
//! bytes for chunks of any size.
#![no_main]

use std::cell::RefCell;
use std::io::{self, Cursor, Write};
use std::num::NonZero;
use std::rc::Rc;

use galop::engine::named;
use galop::input::{InputError, RecordReader, Source};
use galop::pipeline::{SolveOptions, SolveRun, Watch};
use galop::{Limits, Rules};
use libfuzzer_sys::fuzz_target;

/// Not a batched engine: the solution that it finds first of several depends on the chunk.
const ENGINE: &str = "bitboard";
const CHUNK_BYTES: [usize; 3] = [1 << 20, 64, 200];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A buffer that can be read while the pipeline has it to write to.
#[derive(Clone, Default)]
struct Page(Rc<RefCell<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The end of the part of the source that was read.
#[derive(Default)]
struct Reached(u64);

impl Watch for Reached {
    fn advanced(&mut self, offset: u64, _: u64) {
        self.0 = offset;
    }
}

/// A pipeline that takes one input after another, so that threads are started once.
struct Pipeline {
    run: SolveRun<'static, Page>,
    page: Page,
    inputs: u32,
}

impl Pipeline {
    fn new(chunk_bytes: usize) -> Pipeline {
        let limits = Limits::ANY.with_guesses(1_000);
        let options = SolveOptions {
            limits,
            threads: NonZero::new(1),
            chunk_bytes: NonZero::new(chunk_bytes),
            times: false,
            ..SolveOptions::default()
        };
        let page = Page::default();
        let engine = named(ENGINE).expect("a row of ENGINES");
        let run = SolveRun::open(&Rules::sudoku(), engine, options, page.clone()).expect("rules of the engine");
        Pipeline { run, page, inputs: 0 }
    }

    /// The output, and the bytes read. `None` if the input is refused as a whole: it is no text, or the header of its table
    /// is malformed.
    fn solve(&mut self, data: &[u8]) -> Option<(Vec<u8>, u64)> {
        let mut reached = Reached::default();
        let mut source = Source::stream("data", Cursor::new(data.to_vec()));
        let solved = self.run.solve(&mut source, &mut reached);
        self.inputs += 1;
        let out = self.page.0.take();
        match solved {
            Ok(()) => Some((out, reached.0)),
            // A wrong solution would be another error.
            Err(error) => {
                assert!(error.fact::<InputError>().is_some(), "{error}");
                None
            }
        }
    }
}

thread_local! {
    static PIPELINES: RefCell<[Pipeline; 3]> = RefCell::new(CHUNK_BYTES.map(Pipeline::new));
}

/// The name of the format of the records.
fn format(data: &[u8]) -> &'static str {
    let mut source = Source::stream("", Cursor::new(data.to_owned()));
    let mut reader = RecordReader::new(&mut source, 1 << 20, &Rules::sudoku());
    let mut format = "lines";
    while let Some(records) = reader.next_chunk().expect("memory can be read") {
        format = records.format();
    }
    format
}

/// The records by the definition of the documentation: lines that are neither blank nor comments, and in a table all
/// lines behind the header that are not blank.
fn records<'a>(data: &'a [u8], format: &str) -> Vec<&'a [u8]> {
    let text = data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data);
    let first = |line: &[u8]| line.iter().copied().find(|byte| !b" \t\r".contains(byte));
    let mut lines = text.split(|&byte| byte == b'\n');
    if format != "csv" {
        return lines.filter(|line| first(line).is_some_and(|byte| byte != b'#')).collect();
    }
    let header = lines.find(|line| first(line).is_some_and(|byte| byte != b'#')).unwrap_or_default();
    // White space is a row where tabs are between the fields.
    let has_tabs = header.iter().find(|byte| b",;\t".contains(byte)) == Some(&b'\t');
    lines.filter(|line| first(line).is_some() || has_tabs && line.contains(&b'\t')).collect()
}

/// The first bytes of compressed data. They are for the target `compressed`: what is unpacked has another length.
const PACKED: [&[u8]; 4] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh"];

fuzz_target!(|data: &[u8]| {
    if PACKED.iter().any(|start| data.starts_with(start)) {
        return;
    }
    PIPELINES.with_borrow_mut(|pipelines| {
        let [large, small @ ..] = pipelines;
        let Some((out, reached)) = large.solve(data) else {
            assert!(small.iter_mut().all(|pipeline| pipeline.solve(data).is_none()));
            return;
        };
        // A byte-order mark alone makes no chunk.
        assert!(reached == data.len() as u64 || data == BYTE_ORDER_MARK);

        assert!(out.is_empty() || out.ends_with(b"\n"));
        let format = format(data);
        let answers: Vec<&[u8]> = out.split_inclusive(|&byte| byte == b'\n').collect();
        // A record may have several lines, or hold its puzzle in another form. Only the reader of the format knows what a
        // record is then.
        let is_known = format == "lines" || format == "csv" && !data.contains(&b'"');
        let records = if is_known { records(data, format) } else { Vec::new() };
        assert!(answers.len() == records.len() || !is_known);
        for (record, answer) in records.iter().zip(&answers) {
            let at = answer.iter().rposition(|&byte| byte == b',').expect("puzzle,solution");
            let (echo, word) = (&answer[..at], answer[at + 1..].trim_ascii_end());
            match word {
                b"malformed" => {}
                // The echo is a part of its record, so the order is kept.
                b"none" | b"limit" => assert!(record.windows(81).any(|part| part == echo)),
                _ => assert!(word.len() == 81 && record.windows(81).any(|part| part == echo)),
            }
        }

        for pipeline in small {
            assert!(pipeline.solve(data) == Some((out.clone(), reached)));
        }
        // The outcome of a pipeline keeps the name of every source, so it is made anew now and then.
        for (pipeline, chunk_bytes) in pipelines.iter_mut().zip(CHUNK_BYTES) {
            if pipeline.inputs == 10_000 {
                *pipeline = Pipeline::new(chunk_bytes);
            }
        }
    });
});

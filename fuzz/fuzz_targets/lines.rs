//! Any bytes on the whole road, from source to output: one record in, one record out, in order, and the same
//! bytes however small the chunks.
#![no_main]

use std::cell::RefCell;
use std::io::{self, Cursor, Write};
use std::rc::Rc;

use galop::pipeline::solve::{Options, Road, Watch};
use galop::input::format::recognise;
use galop::input::source::Source;
use galop::{Limits, Rules, engine};
use libfuzzer_sys::fuzz_target;

/// It must not be a batched one: their solutions of many-solution puzzles depend on the chunk.
const ENGINE: &str = "bitboard";
const CHUNK_BYTES: [usize; 3] = [1 << 20, 64, 200];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A buffer to write to, and to look into meanwhile.
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

/// Where the source was read to.
#[derive(Default)]
struct Reached(u64);

impl Watch for Reached {
    fn advanced(&mut self, offset: u64, _: u64) {
        self.0 = offset;
    }
}

/// A road that takes one input after the other: threads are not started for each.
struct Way {
    road: Road<'static, Page>,
    page: Page,
    inputs: u32,
}

impl Way {
    fn new(chunk_bytes: usize) -> Way {
        let limits = Limits { solutions: 1, guesses: 1_000 };
        let options = Options { limits, threads: 1, chunk_bytes, times: false, ..Options::default() };
        let page = Page::default();
        let engine = engine(ENGINE).expect("a row of ENGINES");
        let road = Road::open(&Rules::sudoku(), engine, options, page.clone()).expect("a road");
        Way { road, page, inputs: 0 }
    }

    fn solve(&mut self, data: &[u8]) -> (Vec<u8>, u64) {
        let mut reached = Reached::default();
        let mut source = Source::stream("data", Cursor::new(data.to_vec()));
        // A wrong solution would be an error.
        self.road.solve(&mut source, &mut reached).expect("whatever the bytes are");
        self.inputs += 1;
        (self.page.0.take(), reached.0)
    }
}

thread_local! {
    static WAYS: RefCell<[Way; 3]> = RefCell::new(CHUNK_BYTES.map(Way::new));
}

/// Whether records may be more than a line: what they are, only their reader says.
fn has_grids(data: &[u8]) -> bool {
    recognise(data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data), 81).1.record_end().is_some()
}

/// What the documentation says is a record: a line that is neither blank nor a comment, nor the header of a table.
fn records(data: &[u8]) -> Vec<&[u8]> {
    let text = data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data);
    let lines = text.split(|&byte| byte == b'\n');
    let records = lines.filter(|line| {
        let first = line.iter().find(|byte| !b" \t\r".contains(byte));
        first.is_some_and(|&byte| byte != b'#')
    });
    let header = recognise(text, 81).1.has_header();
    records.skip(usize::from(header)).collect()
}

fuzz_target!(|data: &[u8]| {
    WAYS.with_borrow_mut(|ways| {
        let [large, small @ ..] = ways;
        let (out, reached) = large.solve(data);
        // Of a byte-order mark and nothing behind it no chunk is made.
        assert!(reached == data.len() as u64 || data == BYTE_ORDER_MARK);

        assert!(out.is_empty() || out.ends_with(b"\n"));
        let (records, answers) =
            (records(data), out.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>());
        let records = if has_grids(data) { Vec::new() } else { records };
        assert!(answers.len() == records.len() || has_grids(data));
        for (record, answer) in records.iter().zip(&answers) {
            let at = answer.iter().rposition(|&byte| byte == b',').expect("puzzle,solution");
            let (echo, word) = (&answer[..at], answer[at + 1..].trim_ascii_end());
            match word {
                b"malformed" => {}
                // The echo is a piece of its record: the order is kept.
                b"none" | b"limit" => assert!(record.windows(81).any(|piece| piece == echo)),
                _ => assert!(word.len() == 81 && record.windows(81).any(|piece| piece == echo)),
            }
        }

        for way in small {
            assert!(way.solve(data) == (out.clone(), reached));
        }
        // An outcome keeps the name of every source.
        for (way, chunk_bytes) in ways.iter_mut().zip(CHUNK_BYTES) {
            if way.inputs == 10_000 {
                *way = Way::new(chunk_bytes);
            }
        }
    });
});

//! Any bytes through the whole pipeline, from source to output: one record in, one record out, in order. The bytes are
//! the same for chunks of any size and for a source that gives one byte at a time.
//!
//! The first byte chooses the rules: it names them, or the bytes behind it show them.
#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write};
use std::rc::Rc;

use galop::{SolveError, Solver};
use galop_batch::input::{InputError, detect_rules};
use galop_batch::output::Outlet;
use galop_batch::pipeline::{SolveRun, Watch};
use galop_engines::Rules;
use galop_engines::engine::prover_for;
use galop_engines::grid::{KINDS, Verifier};
use galop_fuzz::inputs::{Pace, options, records, source};
use galop_fuzz::rules::example;
use libfuzzer_sys::fuzz_target;

/// The chunks of three pipelines, and how their sources give their bytes.
const PIPELINES: [(usize, Pace); 3] = [(1 << 20, Pace::Whole), (64, Pace::ByteByByte), (200, Pace::Whole)];

const GUESSES: u64 = 1_000;

/// Inputs after which a pipeline is made anew, because its outcome keeps the name of every source.
const MOST_INPUTS: u32 = 10_000;

/// Rules whose pipelines are kept. Each pipeline has a thread.
const KEPT: usize = 20;

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

impl Outlet for Page {}

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
    run: SolveRun<'static>,
    page: Page,
    pace: Pace,
    inputs: u32,
}

impl Pipeline {
    fn new(rules: &Rules, (chunk_bytes, pace): (usize, Pace)) -> Pipeline {
        let (options, page) = (options(chunk_bytes, GUESSES), Page::default());
        // Not a batched engine: the solution that it finds first of several depends on the chunk.
        let run = SolveRun::open(rules, prover_for(rules), options).expect("rules of the engine");
        Pipeline { run, page, pace, inputs: 0 }
    }

    /// The output, and the bytes read. `None` if the input is refused as a whole: it is no text, or the header of its
    /// table is malformed.
    fn solve(&mut self, data: &[u8]) -> Option<(Vec<u8>, u64)> {
        let mut reached = Reached::default();
        let solved = self.run.solve(&mut source(data, self.pace), &mut self.page, &mut reached);
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

/// The rules that `choice` names or that the head of `data` shows. `None` if it shows none.
fn rules(choice: u8, data: &[u8]) -> Option<Rules> {
    if choice.is_multiple_of(2) {
        return Some(example(choice / 2, 0).rules.clone());
    }
    let kind = &KINDS[usize::from(choice / 2) % KINDS.len()];
    let detect = |pace| detect_rules(&mut [source(data, pace)], &kind.into(), None);
    let (whole, slow) = (detect(Pace::Whole), detect(Pace::ByteByByte));
    let text = |rules: &Result<Rules, galop_batch::Error>| match rules {
        Ok(rules) => format!("{} {}", rules.name(), rules.alphabet().name()),
        Err(error) => error.to_string(),
    };
    assert_eq!(text(&whole), text(&slow));
    whole.ok()
}

/// The records by the definition of the documentation: lines that are neither blank nor comments, and in a table all
/// lines behind the header that are not blank.
fn lines<'a>(data: &'a [u8], format: &str) -> Vec<&'a [u8]> {
    let text = data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data);
    let first = |line: &[u8]| line.iter().copied().find(|byte| !b" \t\r".contains(byte));
    let mut lines = text.split(|&byte| byte == b'\n');
    if format != "csv" {
        return lines.filter(|line| first(line).is_some_and(|byte| byte != b'#')).collect();
    }
    let header = lines.find(|line| first(line).is_some_and(|byte| byte != b'#')).unwrap_or_default();
    // White space is a row where tabs are between the fields. The first name may be in quotes.
    let mut is_quoted = false;
    let mut delimiters = header.iter().filter(|byte| {
        is_quoted ^= **byte == b'"' && header.starts_with(b"\"");
        !is_quoted && b",;\t".contains(byte)
    });
    let has_tabs = delimiters.next() == Some(&b'\t');
    lines.filter(|line| first(line).is_some() || has_tabs && line.contains(&b'\t')).collect()
}

/// The first bytes of compressed data. They are for the target `compressed`: what is unpacked has another length.
const PACKED: [&[u8]; 4] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh"];

/// The same bytes as the text of one puzzle: what is wrong is where the error says, and a solution is right.
fn solve_text(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut solver = Solver::builder().max_guesses(GUESSES).build().expect("the default engines");
    match solver.solve(text) {
        Ok(solution) => {
            let rules = Rules::sudoku(solution.cells().len().isqrt()).expect("a size of sudokus");
            let blank = vec![0; solution.cells().len()];
            assert_eq!(Verifier::new(&rules).check(&blank, solution.cells()), Ok(()), "{text}");
        }
        Err(SolveError::Character { line, column, character, .. }) => {
            let found = text.lines().nth(line - 1).and_then(|line| line.chars().nth(column - 1));
            assert_eq!(found, Some(character), "{text}");
        }
        Err(SolveError::WrongSolution { .. } | SolveError::Unanswered) => panic!("{text}"),
        Err(_) => {}
    }
}

thread_local! {
    static KNOWN: RefCell<HashMap<String, [Pipeline; 3]>> = RefCell::default();
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    if PACKED.iter().any(|start| data.starts_with(start)) {
        return;
    }
    let Some(rules) = rules(choice, data) else { return };
    let cells = rules.grid().cells();
    solve_text(data);

    let key = format!("{} {}", rules.name(), rules.alphabet().name());
    KNOWN.with_borrow_mut(|known| {
        if known.len() == KEPT {
            known.clear();
        }
        let pipelines =
            known.entry(key).or_insert_with(|| PIPELINES.map(|pipeline| Pipeline::new(&rules, pipeline)));
        let found =
            PIPELINES.map(|(chunk_bytes, pace)| records(&mut source(data, pace), chunk_bytes, &rules));
        let [whole, slow, small] = &found;
        assert!(slow == whole && small == whole, "{found:?}");

        let [large, small @ ..] = pipelines;
        let Some((out, reached)) = large.solve(data) else {
            assert!(whole.is_err() && small.iter_mut().all(|pipeline| pipeline.solve(data).is_none()));
            return;
        };
        // A byte-order mark alone makes no chunk.
        assert!(reached == data.len() as u64 || data == BYTE_ORDER_MARK);

        assert!(out.is_empty() || out.ends_with(b"\n"));
        let found = whole.as_ref().expect("the pipeline read it");
        let answers: Vec<&[u8]> = out.split_inclusive(|&byte| byte == b'\n').collect();
        assert_eq!(answers.len(), found.records.len());
        // A record may have several lines. Quotes, and brackets around pasted puzzles, may be no record. Only the
        // reader of the format knows what a record is then.
        let is_known = match found.format {
            "lines" => !data.iter().any(|byte| b"[](){}\"'`".contains(byte)),
            format => format == "csv" && !data.contains(&b'"'),
        };
        if is_known {
            let lines =
                lines(data, found.format).into_iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line));
            assert!(lines.eq(found.records.iter().map(|record| &record.text[..])));
        }
        for (record, answer) in found.records.iter().zip(&answers) {
            let at = answer.iter().rposition(|&byte| byte == b',').expect("puzzle,solution");
            let (echo, word) = (&answer[..at], answer[at + 1..].trim_ascii_end());
            assert_eq!(word == b"malformed", record.puzzle.is_err());
            assert!(word.len() == cells || [&b"malformed"[..], b"none", b"limit"].contains(&word));
            if let Ok(puzzle) = &record.puzzle {
                // The echo is the puzzle of its record, so the order is kept.
                let read = echo.iter().filter_map(|&byte| rules.alphabet().cell(byte));
                assert!(read.eq(puzzle.iter().copied()), "{record:?} {answer:?}");
                let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
                let is_plain = found.format == "csv" || record.text.iter().all(is_letter);
                assert!(!is_plain || record.text.windows(cells).any(|part| part == echo));
            }
        }

        for pipeline in small {
            assert!(pipeline.solve(data) == Some((out.clone(), reached)));
        }
        for (pipeline, of) in pipelines.iter_mut().zip(PIPELINES) {
            if pipeline.inputs == MOST_INPUTS {
                *pipeline = Pipeline::new(&rules, of);
            }
        }
    });
});

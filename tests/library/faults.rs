//! Readers and writers that are slow, interrupted, broken or full.
//!
//! A slow one changes nothing: the bytes and the figures are those of the plain run. A broken one ends the run with an
//! error that names it, and what was written before is the beginning of the output.

use std::fmt::Display;
use std::io::{self, Cursor, Read, Write};
use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use galop_batch::input::{RecordReader, Source, detect_rules};
use galop_batch::output::{FORMATS, Outlet};
use galop_batch::pipeline::{FaultyRecord, SolveOptions, SolveOutcome, SolveRun, VerifyOptions, verify};
use galop_batch::{Error, ErrorKind, output};
use galop_compare::Set;
use galop_corpora::generate::{self, Recipe, Wish};
use galop_cover::models;
use galop_cover::text;
use galop_engines::Rules;
use galop_engines::grid::Variant;

use crate::pipeline::figures;
use galop_testing::available::sized;
use galop_testing::chance::Chance;
use galop_testing::engines::named;
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells, contradictory, generated, open_puzzle};

/// Inputs in every format, with records of every kind: their formats and texts.
fn inputs() -> &'static [(&'static str, String); 3] {
    static INPUTS: OnceLock<[(&str, String); 3]> = OnceLock::new();
    INPUTS.get_or_init(|| {
        let wrong = SOLUTION.replacen("41", "14", 1);
        let (twice, open) = (contradictory(), open_puzzle());
        let lines = format!(
            "\u{feff}# comment\r\n{PUZZLE},{SOLUTION}\n\n{PUZZLE},{wrong}\r\nwrong\n{open} none\n{twice},none\n{PUZZLE}"
        );
        let csv = format!(
            "# comment\nid,puzzle,solution\n1,{PUZZLE},{SOLUTION}\n\"a, \"\"b\"\"\",{twice},\n3,{PUZZLE},{wrong}\n4\n"
        );
        let framed = output::framed(&[&cells(PUZZLE)], &Rules::default());
        let row = PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n");
        let grids = format!("# comment\n{framed}\n{}\n{PUZZLE}\n12345678\n\n{framed}", row.collect::<String>());
        [("lines", lines), ("csv", csv), ("grids", grids)]
    })
}

/// Options for a run whose bytes do not depend on the clock, with chunks of few lines.
fn options(format: &'static output::FormatEntry) -> SolveOptions<'static> {
    let (threads, chunk_bytes) = (NonZero::new(1), NonZero::new(64));
    SolveOptions::default().threads(threads).chunk_bytes(chunk_bytes).times(false).format(format)
}

/// Solves a source in this format into `out`.
fn solve_to(
    mut source: Source,
    format: &'static output::FormatEntry,
    out: &mut dyn Outlet,
) -> Result<SolveOutcome, Error> {
    let mut run = SolveRun::open(&Rules::default(), named("bitboard"), options(format))?;
    run.solve(&mut source, out, &mut ())?;
    run.finish(out)
}

/// Everything that reads a source: writes its output, and returns what else it found as text.
type Consumer = fn(&mut dyn Outlet, Source) -> Result<String, Error>;

const CONSUMERS: [(&str, Consumer); 8] = [
    ("pair", |out, source| Ok(figures(&solve_to(source, &FORMATS[0], out)?))),
    ("solution", |out, source| Ok(figures(&solve_to(source, &FORMATS[1], out)?))),
    ("csv", |out, source| Ok(figures(&solve_to(source, &FORMATS[2], out)?))),
    ("json", |out, source| Ok(figures(&solve_to(source, &FORMATS[3], out)?))),
    ("verify", |out, mut source| {
        let report = &mut |record: &FaultyRecord<'_>| print(out, record);
        let options = VerifyOptions::default().threads(NonZero::new(1));
        Ok(format!("{:?}", verify(&Rules::default(), named("bitboard"), &mut source, &options, report)?))
    }),
    ("compare", |_, mut source| {
        let mut set = Set::new(&Rules::default());
        set.read(&mut source, &mut |_| ())?;
        Ok(format!("{set:?}"))
    }),
    ("show", |out, mut source| {
        let rules = Rules::default();
        let mut reader = RecordReader::new(&mut source, 64, &rules);
        while let Some(records) = reader.next_chunk()? {
            for record in records.iter() {
                match &record.puzzle {
                    Ok(puzzle) => writeln!(out, "{:?}", puzzle.cells).unwrap(),
                    Err(error) => writeln!(out, "{}", records.malformed(&record, *error)).unwrap(),
                }
            }
        }
        Ok(String::new())
    }),
    ("detection", |out, source| {
        let rules = detect_rules(&mut [source], &Variant::default(), None)?;
        writeln!(out, "{}", rules.name()).unwrap();
        Ok(String::new())
    }),
];

/// Writes a line, as the tool writes the records with a fault.
fn print(out: &mut dyn Outlet, line: &dyn Display) -> Result<(), Error> {
    Ok(writeln!(out, "{line}").and_then(|()| out.flush()).map_err(ErrorKind::Write)?)
}

/// A reader or writer that takes few bytes at a time, and is interrupted now and then.
struct Slow<T> {
    inner: T,
    chance: Chance,
    /// The most bytes at a time.
    most: usize,
    is_interrupted: bool,
}

impl<T> Slow<T> {
    /// How many bytes of a buffer are moved this time.
    fn count(&mut self, len: usize) -> io::Result<usize> {
        if self.is_interrupted && self.chance.below(2) == 0 {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        Ok(len.min(1 + self.chance.below(self.most)))
    }
}

impl<R: Read> Read for Slow<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.count(buffer.len())?;
        self.inner.read(&mut buffer[..count])
    }
}

impl<W: Write> Outlet for Slow<W> {}

impl<W: Write> Write for Slow<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.count(bytes.len())?;
        self.inner.write(&bytes[..count])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// One byte at a time, then any number; without and with interruptions.
const PACES: [(usize, bool); 4] = [(1, false), (1, true), (100, false), (100, true)];

#[test]
fn a_slow_or_interrupted_reader_changes_nothing() {
    for (input_format, text) in inputs() {
        for (name, consume) in CONSUMERS {
            let run = |reader: Box<dyn Read + Send>| {
                let mut out = Vec::new();
                let said = consume(&mut out, Source::stream("file", reader)).unwrap();
                (said, String::from_utf8(out).unwrap())
            };
            let plain = run(Box::new(Cursor::new(text)));
            assert!(plain.0.len() + plain.1.len() > 5, "{name}");
            if name == "pair" {
                assert!(plain.0.contains(&format!("{input_format:?}")), "{}", plain.0);
            }
            for (seed, (most, is_interrupted)) in PACES.into_iter().enumerate() {
                let chance = Chance::new(seed as u64);
                let slow = Slow { inner: Cursor::new(text), chance, most, is_interrupted };
                assert_eq!(run(Box::new(slow)), plain, "{name} {input_format} {most} {is_interrupted}");
            }
        }
    }
}

#[test]
fn a_slow_or_interrupted_writer_gets_the_same_bytes() {
    for (_, text) in inputs() {
        for format in FORMATS {
            let source = || Source::stream("file", Cursor::new(text));
            let mut plain = Vec::new();
            solve_to(source(), format, &mut plain).unwrap();
            for (seed, (most, is_interrupted)) in PACES.into_iter().enumerate() {
                let mut inner = Vec::new();
                let chance = Chance::new(seed as u64);
                solve_to(source(), format, &mut Slow { inner: &mut inner, chance, most, is_interrupted })
                    .unwrap();
                assert!(inner == plain, "{} {most} {is_interrupted}", format.name);
            }
        }
    }
}

/// A reader that breaks after its text.
struct Unplugged<R>(R);

impl<R: Read> Read for Unplugged<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(io::Error::other("unplugged")),
            count => Ok(count),
        }
    }
}

/// Reading fails at the end and at every byte before.
#[test]
fn a_reader_that_breaks_at_any_byte_is_an_error_with_its_name() {
    for (input_format, text) in inputs() {
        // What looks at the head alone gets the bytes before the fault. The error comes when they are read.
        for (name, consume) in CONSUMERS.into_iter().filter(|(name, _)| *name != "detection") {
            let mut whole = Vec::new();
            consume(&mut whole, Source::stream("cable", Cursor::new(text))).unwrap();
            // A run in another format reads the same. (The end of the text belongs to every step.)
            let step = if ["pair", "verify", "show"].contains(&name) { sized(3, 1) } else { sized(25, 9) };
            for at in (0..=text.len()).rev().step_by(step) {
                let reader = Unplugged(Cursor::new(&text.as_bytes()[..at]));
                let mut out = Vec::new();
                let consumed = consume(&mut out, Source::stream("cable", reader));
                let error = consumed.expect_err(&format!("{name} {input_format} {at}"));
                assert!(matches!(error.kind(), ErrorKind::Read(_)), "{name} {input_format} {at}: {error}");
                assert_eq!(error.to_string(), "cable: cannot read: unplugged", "{name} {input_format} {at}");
                assert!(whole.starts_with(&out), "{name} {input_format} {at}");
                assert!(out.is_empty() || out.ends_with(b"\n"), "{name} {input_format} {at}");
            }
        }
    }
}

/// What a writer does that has no room for all bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Refusal {
    /// It takes the bytes that fit, then it is full.
    Part,
    /// It refuses all bytes of a write that does not fit.
    Whole,
    /// It takes the bytes that fit, then none, without an error.
    Silent,
    /// Its reader is gone.
    Closed,
    /// It takes the bytes that fit, and the rest is lost when it is flushed.
    Late,
}

const REFUSALS: [Refusal; 5] =
    [Refusal::Part, Refusal::Whole, Refusal::Silent, Refusal::Closed, Refusal::Late];

/// A disk with this many bytes left, and the bytes on it.
struct Full {
    left: usize,
    refusal: Refusal,
    taken: Vec<u8>,
    is_lost: bool,
}

impl Full {
    fn new(left: usize, refusal: Refusal) -> Full {
        Full { left, refusal, taken: Vec::new(), is_lost: false }
    }

    /// The kind of the error that its writer gets.
    fn kind(&self) -> io::ErrorKind {
        match self.refusal {
            Refusal::Part | Refusal::Whole | Refusal::Late => io::ErrorKind::StorageFull,
            Refusal::Silent => io::ErrorKind::WriteZero,
            Refusal::Closed => io::ErrorKind::BrokenPipe,
        }
    }
}

impl Outlet for Full {}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fits = bytes.len() <= self.left;
        let count = if fits || self.refusal != Refusal::Whole { bytes.len().min(self.left) } else { 0 };
        self.left -= count;
        self.taken.extend_from_slice(&bytes[..count]);
        match self.refusal {
            _ if fits || count > 0 && self.refusal != Refusal::Late => Ok(count),
            Refusal::Late => {
                self.is_lost = true;
                Ok(bytes.len())
            }
            Refusal::Silent => Ok(0),
            _ => Err(io::Error::from(self.kind())),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_lost { Err(io::Error::from(self.kind())) } else { Ok(()) }
    }
}

/// Asserts that a writer which is full at any byte of `expected` ends `write` with its error, and has the bytes before.
/// If `are_whole`, `write` writes whole lines.
#[track_caller]
fn fills_up(
    expected: &[u8],
    step: usize,
    are_whole: bool,
    write: &mut dyn FnMut(&mut Full) -> Result<(), Error>,
) {
    for refusal in REFUSALS {
        for left in (0..expected.len()).step_by(step) {
            let mut disk = Full::new(left, refusal);
            let error = write(&mut disk).unwrap_err();
            let ErrorKind::Write(fault) = error.kind() else { panic!("{refusal:?} {left}: {error}") };
            assert_eq!(fault.kind(), disk.kind(), "{refusal:?} {left}");
            assert!(error.to_string().contains("the output is not complete"), "{error}");
            assert!(expected.starts_with(&disk.taken), "{refusal:?} {left}");
            match refusal {
                Refusal::Whole => {
                    assert!(!are_whole || disk.taken.is_empty() || disk.taken.ends_with(b"\n"), "{left}");
                }
                _ => assert_eq!(disk.taken.len(), left, "{refusal:?}"),
            }
        }
        let mut disk = Full::new(expected.len(), refusal);
        write(&mut disk).unwrap();
        assert!(disk.taken == expected);
    }
}

#[test]
fn a_writer_that_is_full_at_any_byte_ends_the_run() {
    for (_, text) in inputs() {
        for (name, consume) in &CONSUMERS[..5] {
            let source = || Source::stream("file", Cursor::new(text));
            let mut expected = Vec::new();
            consume(&mut expected, source()).unwrap();
            assert!(expected.len() > 100, "{name}");
            // Lines have 82 bytes or more, so that steps of a prime number reach every part of some line.
            let are_whole = *name != "verify";
            fills_up(&expected, sized(29, 7), are_whole, &mut |disk| consume(disk, source()).map(drop));
        }
    }
}

/// Puzzles that are made, and exact cover problems.
#[test]
fn other_writers_that_are_full_end_the_run() {
    // More puzzles than a chunk of the generator has.
    let recipe = Recipe { threads: NonZero::new(1), ..Recipe::new(1, Wish::Clues(40..=50)) };
    let count = 300;
    let expected = generated(&recipe, count).0;
    fills_up(expected.as_bytes(), 1_999, true, &mut |disk| {
        let mut is_over = false;
        generate::run(&recipe, count, &AtomicBool::new(false), &mut |puzzles, _| {
            assert!(!std::mem::replace(&mut is_over, true), "called after an error");
            disk.write_all(puzzles).and_then(|()| disk.flush()).map_err(ErrorKind::Write)?;
            is_over = false;
            Ok(())
        })
    });

    // A run without a source writes the header of its table at its end.
    let header = b"puzzle,solution,status,count,guesses,nanos\n";
    fills_up(header, 1, true, &mut |disk| {
        let run = SolveRun::open(&Rules::default(), named("bitboard"), options(&FORMATS[2]))?;
        run.finish(disk).map(drop)
    });

    let problem = models::queens(5).unwrap();
    let expected = text::to_text(&problem);
    fills_up(expected.as_bytes(), 1, false, &mut |disk| {
        text::write(&problem, &mut *disk).and_then(|()| disk.flush()).map_err(ErrorKind::Write)?;
        Ok(())
    });
}

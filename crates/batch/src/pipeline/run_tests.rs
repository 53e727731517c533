//! Slots and chunks, as tasks see them that watch the run.

use std::io::{self, Cursor, Read};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use super::super::BATCH_CHUNK_BYTES;
use super::*;
use crate::engine::{Engine, WrongLength};
use crate::options::NEVER;
use crate::puzzle::{Answers, Limits, Puzzles};
use galop_testing::wait;

/// Bytes of a line, and of a chunk: every chunk is one line.
const LINE: usize = 64;

/// A reader that counts the bytes that were read.
struct CountingReader(Cursor<Vec<u8>>, Arc<AtomicUsize>);

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.fetch_add(read, Ordering::Relaxed);
        Ok(read)
    }
}

/// `count` lines of comments, numbered from 0. (A record would have its format searched for, far ahead.)
fn comments(count: usize) -> Vec<u8> {
    (0..count).flat_map(|line| format!("# {line:61}\n").into_bytes()).collect()
}

/// What a thread of a [`Toy`] has, and what it does with a chunk.
struct Tool<W> {
    own: W,
    work: fn(&mut W, &ChunkJob<'_>) -> Result<(), Failure>,
}

/// A task with a closure that gets the places of the pages.
struct Toy<W, D>(D, PhantomData<W>);

impl<W: Send, D: FnMut(&PagePlace) -> Result<(), Error>> Task for Toy<W, D> {
    type Worker = Tool<W>;
    type Page = ();
    type Plan = ();

    fn line_numbers(&self) -> LineNumbers {
        LineNumbers::OfSource
    }

    fn recognised(
        &mut self,
        head: &SourceHead<'_>,
        _: u64,
        _: &mut SolvedInput,
        _: &mut Vec<u8>,
    ) -> Result<(), Error> {
        assert_eq!((head.format.name, head.header.is_none()), ("lines", true));
        Ok(())
    }

    fn work(
        tool: &mut Tool<W>,
        (): (),
        chunk: &ChunkJob<'_>,
        _: &mut (),
        _: &mut MalformedLines,
    ) -> Result<(), Failure> {
        (tool.work)(&mut tool.own, chunk)
    }

    fn deliver(&mut self, _: &mut (), delivery: Delivery<'_, '_>) -> Result<(), Error> {
        (self.0)(delivery.at)
    }

    fn sums(&self, _: &Totals) -> impl Serialize {}
}

/// Reads these bytes in chunks of `chunk_bytes`, with a worker on each of `threads`. Returns what the workers kept.
fn run<W: Send + Clone>(
    (threads, worker): (usize, W),
    (reader, chunk_bytes): (impl Read + Send + 'static, usize),
    work: fn(&mut W, &ChunkJob<'_>) -> Result<(), Failure>,
    deliver: impl FnMut(&PagePlace) -> Result<(), Error>,
    watch: &mut dyn Watch,
) -> (Result<(), Error>, Vec<W>) {
    let worker = || Ok(Tool { own: worker.clone(), work });
    let mut run = Run::start(NonZero::new(threads), worker, 81.into(), |_| chunk_bytes, &NEVER).unwrap();
    assert_eq!(run.threads(), threads);
    let mut toy = Toy(deliver, PhantomData);
    let done = run.read(&mut toy, &mut Source::stream("s", reader), Part::WHOLE, &mut [], watch);
    (done, run.end().1.map(|tool| tool.own).collect())
}

#[test]
fn threads_have_eight_slots_for_small_chunks_and_two_for_large_ones() {
    for (chunk_bytes, slots) in
        [(LINE, 8), (CHUNK_BYTES, 8), (65_536, 4), (131_072, 2), (BATCH_CHUNK_BYTES, 2)]
    {
        assert_eq!(slots_per_thread(chunk_bytes), slots, "{chunk_bytes}");
    }
}

#[test]
fn a_source_is_read_ahead_for_as_many_chunks_as_there_are_slots() {
    for threads in [1, 3] {
        let read = Arc::new(AtomicUsize::new(0));
        let reader = CountingReader(Cursor::new(comments(100)), Arc::clone(&read));
        let mut at_first_page = None;
        let work = |_: &mut (), chunk: &ChunkJob<'_>| {
            assert_eq!((chunk.bytes.len(), chunk.len()), (LINE, 0));
            Ok(())
        };
        let deliver = |_: &PagePlace| {
            at_first_page.get_or_insert(read.load(Ordering::Relaxed));
            Ok(())
        };
        run((threads, ()), (reader, LINE), work, deliver, &mut ()).0.unwrap();
        assert_eq!(at_first_page, Some((8 * threads + 2) * LINE));
        assert_eq!(read.load(Ordering::Relaxed), 100 * LINE);
    }
}

/// The write of the first page fails. The work on all other lines waits until it is stopped, and counts that.
#[test]
fn an_error_stops_the_work_that_still_runs() {
    let work = |stopped: &mut usize, chunk: &ChunkJob<'_>| {
        if chunk.bytes == &comments(1)[..] {
            assert!(!chunk.is_stopped());
            return Ok(());
        }
        wait::until("the work is stopped", || chunk.is_stopped());
        *stopped += 1;
        Err(Failure::stopped())
    };
    let deliver = |at: &PagePlace| {
        assert_eq!((at.lines_before, at.lines, at.records, at.end), (0, 1, 0, LINE as u64));
        Err(Error::at("s", ErrorKind::Write(io::Error::other("the disk is full"))))
    };
    let (done, stopped) = run((2, 0), (Cursor::new(comments(5)), LINE), work, deliver, &mut ());
    assert!(done.unwrap_err().to_string().contains("the disk is full"));
    assert_eq!(stopped.iter().sum::<usize>(), 4);
}

#[test]
fn a_failure_in_a_line_names_the_line_of_the_source() {
    // A page of three comments, and one of three records.
    let text = [comments(3), blanks(3)].concat();
    let work = |_: &mut (), chunk: &ChunkJob<'_>| {
        assert_eq!((chunk.len(), chunk.puzzles().len()), (chunk.records().count(), chunk.len()));
        if chunk.len() > 1 { Err(Failure::in_line(1, ErrorKind::Stopped)) } else { Ok(()) }
    };
    let deliver = |at: &PagePlace| {
        assert_eq!(at.records, 0);
        Ok(())
    };
    let (done, _) = run((2, ()), (Cursor::new(text), 3 * LINE), work, deliver, &mut ());
    let error = done.unwrap_err();
    assert!(error.to_string().starts_with("s:5: "), "{error}");
}

/// Text of `count` puzzles, a line each.
fn blanks(count: usize) -> Vec<u8> {
    format!("{}\n", ".".repeat(81)).repeat(count).into_bytes()
}

/// Keeps the byte up to which the workers have read.
struct Seen(Arc<AtomicU64>);

impl Watch for Seen {
    fn working(&mut self, position: u64, records: u64) {
        // Between two chunks all that is done is delivered.
        let done = position.is_multiple_of(2 * 82) && position == 82 * records;
        assert!(done || records % 2 == 1, "{records} {position}");
        self.0.store(position, Ordering::Relaxed);
    }
}

/// The work counts the first of the two records of a chunk, and does not go on before the run has said so.
#[test]
fn records_are_counted_before_their_chunk_is_done() {
    let work = |seen: &mut Arc<AtomicU64>, chunk: &ChunkJob<'_>| {
        chunk.advance_to(1);
        let wanted = 82 * (chunk.lines_before + 1);
        wait::until("records that are done are counted", || seen.load(Ordering::Relaxed) >= wanted);
        assert_eq!(seen.load(Ordering::Relaxed), wanted);
        Ok(())
    };
    let deliver = |at: &PagePlace| {
        assert_eq!(at.records, 2);
        Ok(())
    };
    let seen = Arc::new(AtomicU64::new(0));
    let mut watch = Seen(Arc::clone(&seen));
    run((1, seen), (Cursor::new(blanks(6)), 2 * 82), work, deliver, &mut watch).0.unwrap();
}

/// Solves nothing, and keeps how many puzzles it got at once.
#[derive(Clone, Default)]
struct Pieces(Vec<usize>);

impl Engine for Pieces {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        _: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        assert_eq!(puzzles.len(), answers.len());
        self.0.push(puzzles.len());
        Ok(())
    }
}

/// An engine for single puzzles gets a chunk in pieces, and so does the work that takes them itself.
#[test]
fn puzzles_that_are_solved_one_by_one_are_counted_in_pieces() {
    let work = |pieces: &mut Pieces, chunk: &ChunkJob<'_>| {
        chunk.each_piece(chunk.len(), 8, |piece| {
            assert!(piece.len() <= 8 && chunk.worked.records.load(Ordering::Relaxed) == piece.start as u64);
            assert_eq!(chunk.worked.bytes.load(Ordering::Relaxed), 82 * piece.start as u64);
            Ok(())
        })?;
        chunk.solve(pieces, Limits::ANY, &mut Vec::new(), &mut Vec::new())
    };
    let text = Cursor::new(blanks(100));
    let (done, pieces) = run((1, Pieces::default()), (text, 1 << 20), work, |_| Ok(()), &mut ());
    done.unwrap();
    // The first puzzle is counted by itself: it may take long.
    assert_eq!((pieces[0].0[0], pieces[0].0.iter().sum::<usize>()), (1, 100));
}

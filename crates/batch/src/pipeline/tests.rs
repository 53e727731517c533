//! Slots and tasks, as stations see them that watch the pipeline.

use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use super::*;
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

/// Runs the station on these bytes, in chunks of `chunk_bytes`.
fn run<S: Station>(
    pipeline: &mut Pipeline<S::Worker, S::Page>,
    reader: impl Read + Send + 'static,
    chunk_bytes: usize,
    station: &mut S,
) -> Result<(), Error> {
    let stop = AtomicBool::new(false);
    let reading = Reading { notation: 81.into(), chunk_bytes, part: Part::WHOLE, stop: &stop };
    pipeline.run(&mut Source::stream("s", reader), reading, station).map(|_| ())
}

#[test]
fn threads_have_eight_slots_for_small_chunks_and_two_for_large_ones() {
    for (chunk_bytes, slots) in
        [(LINE, 8), (CHUNK_BYTES, 8), (65_536, 4), (131_072, 2), (BATCH_CHUNK_BYTES, 2)]
    {
        assert_eq!(slots_per_thread(chunk_bytes), slots, "{chunk_bytes}");
    }
}

/// Keeps how many bytes were read before the first page was delivered.
struct ReadAhead {
    read: Arc<AtomicUsize>,
    at_first_page: Option<usize>,
}

impl Station for ReadAhead {
    type Worker = ();
    type Page = ();
    type Decision = ();

    fn recognised(&mut self, _: &SourceHead<'_>) -> Result<(), Error> {
        panic!("there is no record");
    }

    fn work(_: &mut (), (): (), chunk: &ChunkJob<'_>, _: &mut ()) -> Result<(), Failure> {
        assert_eq!((chunk.bytes.len(), chunk.len()), (LINE, 0));
        Ok(())
    }

    fn deliver(&mut self, _: &mut (), _: &PagePlace) -> Result<(), Error> {
        self.at_first_page.get_or_insert(self.read.load(Ordering::Relaxed));
        Ok(())
    }
}

#[test]
fn a_source_is_read_ahead_for_as_many_chunks_as_there_are_slots() {
    for threads in [1, 3] {
        let read = Arc::new(AtomicUsize::new(0));
        let reader = CountingReader(Cursor::new(comments(100)), Arc::clone(&read));
        let mut pipeline = Pipeline::new(NonZero::new(threads), || Ok(())).unwrap();
        assert_eq!(pipeline.threads(), threads);
        let mut station = ReadAhead { read, at_first_page: None };
        run(&mut pipeline, reader, LINE, &mut station).unwrap();
        assert_eq!(station.at_first_page, Some((8 * threads + 2) * LINE));
        assert_eq!(station.read.load(Ordering::Relaxed), 100 * LINE);
    }
}

/// Fails with the page of line 0. The tasks of all other lines wait until they are stopped.
struct FailsAtOnce;

impl Station for FailsAtOnce {
    /// The tasks that were stopped.
    type Worker = usize;
    type Page = ();
    type Decision = ();

    fn recognised(&mut self, _: &SourceHead<'_>) -> Result<(), Error> {
        panic!("there is no record");
    }

    fn work(stopped: &mut usize, (): (), chunk: &ChunkJob<'_>, _: &mut ()) -> Result<(), Failure> {
        if chunk.bytes == &comments(1)[..] {
            assert!(!chunk.is_stopped());
            return Ok(());
        }
        wait::until("the tasks are stopped", || chunk.is_stopped());
        *stopped += 1;
        Err(Failure::stopped())
    }

    fn deliver(&mut self, _: &mut (), at: &PagePlace) -> Result<(), Error> {
        assert_eq!((at.lines_before, at.lines, at.records, at.end), (0, 1, 0, LINE as u64));
        Err(Error::at("s", ErrorKind::Write(io::Error::other("the disk is full"))))
    }
}

#[test]
fn an_error_stops_the_tasks_that_are_still_running() {
    let mut pipeline = Pipeline::new(NonZero::new(2), || Ok(0)).unwrap();
    let error = run(&mut pipeline, Cursor::new(comments(5)), LINE, &mut FailsAtOnce).unwrap_err();
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(pipeline.into_workers().sum::<usize>(), 4);
}

/// Counts records, and fails in the second line of a page with several records.
struct CountsRecords;

impl Station for CountsRecords {
    type Worker = usize;
    type Page = usize;
    type Decision = ();

    fn recognised(&mut self, head: &SourceHead<'_>) -> Result<(), Error> {
        assert_eq!((head.format.name, head.header.is_none()), ("lines", true));
        Ok(())
    }

    fn work(_: &mut usize, (): (), chunk: &ChunkJob<'_>, page: &mut usize) -> Result<(), Failure> {
        *page = chunk.records().count();
        assert_eq!((chunk.len(), chunk.puzzles().len()), (*page, *page));
        if *page > 1 { Err(Failure::in_line(1, ErrorKind::Stopped)) } else { Ok(()) }
    }

    fn deliver(&mut self, page: &mut usize, at: &PagePlace) -> Result<(), Error> {
        assert_eq!(at.records, *page as u64);
        Ok(())
    }
}

#[test]
fn a_failure_in_a_line_names_the_line_of_the_source() {
    // A page of three comments, and one of three records.
    let text = [comments(3), blanks(3)].concat();
    let mut pipeline = Pipeline::new(NonZero::new(2), || Ok(7)).unwrap();
    assert_eq!(pipeline.first_worker(|worker| *worker), Some(7));
    let error = run(&mut pipeline, Cursor::new(text), 3 * LINE, &mut CountsRecords).unwrap_err();
    assert!(error.to_string().starts_with("s:5: "), "{error}");
}

/// Text of `count` puzzles, a line each.
fn blanks(count: usize) -> Vec<u8> {
    format!("{}\n", ".".repeat(81)).repeat(count).into_bytes()
}

/// Counts the first of the two records of a chunk, and does not go on before the run has said so.
struct Waits(Arc<AtomicU64>);

impl Station for Waits {
    type Worker = Arc<AtomicU64>;
    type Page = ();
    type Decision = ();

    fn numbers_lines(&self) -> bool {
        true
    }

    fn recognised(&mut self, _: &SourceHead<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn work(seen: &mut Arc<AtomicU64>, (): (), chunk: &ChunkJob<'_>, _: &mut ()) -> Result<(), Failure> {
        chunk.advance_to(1);
        let wanted = 82 * (chunk.lines_before + 1);
        wait::until("records that are done are counted", || seen.load(Ordering::Relaxed) >= wanted);
        assert_eq!(seen.load(Ordering::Relaxed), wanted);
        Ok(())
    }

    fn deliver(&mut self, _: &mut (), at: &PagePlace) -> Result<(), Error> {
        assert_eq!(at.records, 2);
        Ok(())
    }

    fn working(&mut self, position: u64, records: u64) {
        // Between two chunks all that is done is delivered.
        assert!(records == 1 || position.is_multiple_of(2 * 82), "{records} {position}");
        self.0.store(position, Ordering::Relaxed);
    }
}

#[test]
fn records_are_counted_before_their_chunk_is_done() {
    let seen = Arc::new(AtomicU64::new(0));
    let mut pipeline = Pipeline::new(NonZero::new(1), || Ok(Arc::clone(&seen))).unwrap();
    run(&mut pipeline, Cursor::new(blanks(6)), 2 * 82, &mut Waits(seen)).unwrap();
}

/// Solves nothing, and keeps how many puzzles it got at once.
#[derive(Default)]
struct Pieces(Vec<usize>);

impl Engine for Pieces {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        _: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), crate::engine::WrongLength> {
        assert_eq!(puzzles.len(), answers.len());
        self.0.push(puzzles.len());
        Ok(())
    }
}

/// Solves chunks with an engine for single puzzles, and takes them in pieces itself.
struct InPieces;

impl Station for InPieces {
    type Worker = Pieces;
    type Page = ();
    type Decision = ();

    fn recognised(&mut self, _: &SourceHead<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn work(pieces: &mut Pieces, (): (), chunk: &ChunkJob<'_>, _: &mut ()) -> Result<(), Failure> {
        chunk.each_piece(chunk.len(), 8, |piece| {
            assert!(piece.len() <= 8 && chunk.worked.records.load(Ordering::Relaxed) == piece.start as u64);
            assert_eq!(chunk.worked.bytes.load(Ordering::Relaxed), 82 * piece.start as u64);
            Ok(())
        })?;
        chunk.solve(pieces, Limits::ANY, &mut Vec::new(), &mut Vec::new())
    }

    fn deliver(&mut self, _: &mut (), _: &PagePlace) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn puzzles_that_are_solved_one_by_one_are_counted_in_pieces() {
    let mut pipeline = Pipeline::new(NonZero::new(1), || Ok(Pieces::default())).unwrap();
    run(&mut pipeline, Cursor::new(blanks(100)), 1 << 20, &mut InPieces).unwrap();
    let pieces = pipeline.into_workers().next().unwrap().0;
    // The first puzzle is counted by itself: it may take long.
    assert_eq!((pieces[0], pieces.iter().sum::<usize>()), (1, 100));
}

//! A run that goes on behind any chunk gives what an uninterrupted one gives.

use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use galop_batch::input::Source;
use galop_batch::output::{Outlet, OutputFile, ResumableFile, ResumeError, RunFact};
use galop_batch::pipeline::{
    Part, RewriteOptions, RewriteRun, Sample, Shard, SolveOptions, SolveOutcome, SolveRun, SourceRun,
    UnknownState, convert,
};
use galop_batch::{Error, ErrorKind, output};
use galop_corpora::{Amount, AugmentOptions, CanonOptions, RateOptions, augment, canonize, draw, rate};
use galop_engines::puzzle::Limits;
use galop_engines::{Rules, engine};
use proptest::prelude::*;

use crate::open;
use crate::shards::{KINDS, file};
use galop_testing::chance::Chance;

/// An output in memory that keeps the state behind every chunk, and how long the output was.
#[derive(Default)]
struct Memory {
    out: Vec<u8>,
    states: Vec<(usize, String)>,
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Outlet for Memory {
    fn is_due(&self) -> bool {
        true
    }

    fn keep(&mut self, state: &str) -> Result<(), Error> {
        self.states.push((self.out.len(), state.to_string()));
        Ok(())
    }
}

/// Solves the sources, from `start` on: an output and a state.
fn solve(
    name: &str,
    options: SolveOptions<'_>,
    sources: &mut [Source],
    shard: Option<Shard>,
    start: Option<(&[u8], &str)>,
) -> (Memory, String, SolveOutcome) {
    let mut memory = Memory::default();
    memory.out.extend(start.map_or(&b""[..], |(out, _)| out));
    let entry = galop_published::named(name).unwrap();
    let mut run = SolveRun::open(&Rules::default(), entry, options).unwrap();
    let parts = match shard {
        Some(shard) => run.cut(shard, sources).unwrap(),
        None => vec![Part::WHOLE; sources.len()],
    };
    if let Some((_, state)) = start {
        run.restore(state, sources, &mut ()).unwrap();
    }
    for (source, part) in sources.iter_mut().zip(parts) {
        run.read(source, part, &mut [&mut memory], &mut ()).unwrap();
    }
    let state = run.state();
    let outcome = run.finish(&mut memory).unwrap();
    (memory, state, outcome)
}

/// The same without anything kept.
fn figures_of(name: &str, options: SolveOptions<'_>, sources: &mut [Source]) -> (Vec<u8>, String) {
    let entry = galop_published::named(name).unwrap();
    let (mut run, mut out) = (SolveRun::open(&Rules::default(), entry, options).unwrap(), Vec::new());
    for source in sources {
        run.solve(source, &mut out, &mut ()).unwrap();
    }
    let outcome = run.finish(&mut out).unwrap();
    (out, format!("{outcome:?}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn a_run_goes_on_behind_every_chunk(
        kind in prop::sample::select(&KINDS[..]),
        files in 1_usize..4,
        most in prop::sample::select(&[0_usize, 5, 100][..]),
        is_packed in any::<bool>(),
        is_sharded in any::<bool>(),
        name in prop::sample::select(&["lanes", "bitboard", "singles"][..]),
        format in prop::sample::select(&["pair", "csv", "json"][..]),
        chunk_bytes in 64_usize..9000,
        map in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut chance = Chance::new(seed);
        let folder = tempfile::tempdir().unwrap();
        let ending = if is_packed { ".gz" } else { "" };
        let paths: Vec<PathBuf> =
            (0..files).map(|index| folder.path().join(format!("{index}{ending}"))).collect();
        for path in &paths {
            let records = if kind == "npy" { most.max(5) } else { chance.below(most + 1) };
            let mut file_of = OutputFile::create(path).unwrap().packed_by(NonZero::new(1)).unwrap();
            file_of.write_all(&file(kind, records, &mut chance)).unwrap();
            file_of.finish().unwrap();
        }
        let sources = || paths.iter().map(|path| open(path, map)).collect::<Vec<_>>();
        let shard = Shard::new(2, 3).filter(|_| is_sharded && !is_packed);
        let options = SolveOptions::default().format(output::format(format).unwrap()).times(false).threads(NonZero::new(2)).chunk_bytes(NonZero::new(chunk_bytes)).crosscheck(Some(Sample { share: 0.1, seed: 0 })).limits(Limits::count(2));
        let (whole, end, outcome) = solve(name, options, &mut sources(), shard, None);
        let outcome = format!("{outcome:?}");
        if shard.is_none() {
            let (out, figures) = figures_of(name, options, &mut sources());
            prop_assert!(out == whole.out);
            prop_assert_eq!(&figures, &outcome);
        }
        let step = whole.states.len() / 8 + 1;
        for (len, state) in whole.states.iter().step_by(step) {
            let start = Some((&whole.out[..*len], &**state));
            let (memory, found_end, found) = solve(name, options, &mut sources(), shard, start);
            prop_assert_eq!(String::from_utf8_lossy(&memory.out), String::from_utf8_lossy(&whole.out));
            prop_assert_eq!(format!("{found:?}"), &*outcome);
            prop_assert_eq!(found_end, &*end);
        }
        // A run that was complete solves nothing again.
        let (memory, _, found) = solve(name, options, &mut sources(), shard, Some((&whole.out, &end)));
        prop_assert!(memory.out == whole.out || end.contains("\"has_header\":false"));
        prop_assert_eq!(format!("{found:?}"), &*outcome);
    }
}

/// Rewrites a share of the sources, from `start` on: an output, a state, and what was counted.
fn rewrite<C: std::fmt::Debug>(
    run: Result<RewriteRun<'_, C>, Error>,
    sources: &mut [Source],
    shard: Option<Shard>,
    start: Option<(&[u8], &str)>,
) -> (Memory, String, String) {
    let (mut run, mut memory) = (run.unwrap(), Memory::default());
    memory.out.extend(start.map_or(&b""[..], |(out, _)| out));
    let parts = match shard {
        Some(shard) => run.cut(shard, sources).unwrap(),
        None => vec![Part::WHOLE; sources.len()],
    };
    if let Some((_, state)) = start {
        run.restore(state, sources, &mut ()).unwrap();
    }
    for (source, part) in sources.iter_mut().zip(parts) {
        run.read(source, part, &mut [&mut memory], &mut ()).unwrap();
    }
    let state = run.state();
    let counted = run.finish(&mut [&mut memory]).unwrap();
    (memory, state, format!("{counted:?}"))
}

/// Runs a command over the sources, as [`rewrite`] does.
type Command =
    fn(RewriteOptions<'_>, &mut [Source], Option<Shard>, Option<(&[u8], &str)>) -> (Memory, String, String);

const COMMANDS: [(&str, Command); 6] = [
    ("convert", |options, sources, shard, start| {
        rewrite(convert(&Rules::default(), options), sources, shard, start)
    }),
    ("canon", |options, sources, shard, start| {
        rewrite(canonize(&Rules::default(), options, &CanonOptions::default()), sources, shard, start)
    }),
    ("augment", |options, sources, shard, start| {
        let images = AugmentOptions::default().times(2).seed(1).are_distinct(true);
        let images = images.with_original(true).with_group(true);
        rewrite(augment(&Rules::default(), options, images), sources, shard, start)
    }),
    ("rate", |options, sources, shard, start| {
        rewrite(rate(&Rules::default(), options, &RateOptions::default()), sources, shard, start)
    }),
    ("rate images", |options, sources, shard, start| {
        let images = RateOptions::default().by_guesses(true).images(2).seed(3);
        rewrite(rate(&Rules::default(), options, &images), sources, shard, start)
    }),
    ("sample", |options, sources, shard, start| {
        rewrite(draw(&Rules::default(), options, Amount::Share(0.5), 7), sources, shard, start)
    }),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    /// A run that rewrites records writes the same for any chunks and threads, and goes on behind every chunk. Its
    /// shards, one after the other, are the whole, but for a sample: what is drawn depends on the number of records
    /// before.
    #[test]
    fn a_run_that_rewrites_records_goes_on_and_has_shards(
        (name, command) in prop::sample::select(&COMMANDS[..]),
        kind in prop::sample::select(&KINDS[..]),
        files in 1_usize..4,
        format in prop::sample::select(&["pair", "csv", "json"][..]),
        chunk_bytes in 64_usize..3000,
        threads in 1_usize..5,
        shards in 1_u64..6,
        seed in any::<u64>(),
    ) {
        let (mut chance, stop) = (Chance::new(seed), AtomicBool::new(false));
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..files).map(|index| folder.path().join(index.to_string())).collect();
        for path in &paths {
            let records = if kind == "npy" { 5 } else { chance.below(20) };
            let mut bytes = file(kind, records, &mut chance);
            if kind != "npy" && chance.below(2) == 0 {
                bytes.pop_if(|byte| *byte == b'\n');
            }
            fs::write(path, bytes).unwrap();
        }
        let sources = || paths.iter().map(|path| open(path, true)).collect::<Vec<_>>();
        let options = RewriteOptions::default().format(output::format(format).unwrap()).stop(&stop);
        let plain = options.threads(NonZero::new(1)).chunk_bytes(NonZero::new(1 << 20));
        let (plain, _, figures) = command(plain, &mut sources(), None, None);
        let options = options.threads(NonZero::new(threads)).chunk_bytes(NonZero::new(chunk_bytes));
        let (whole, end, counted) = command(options, &mut sources(), None, None);
        prop_assert_eq!(String::from_utf8_lossy(&whole.out), String::from_utf8_lossy(&plain.out));
        prop_assert_eq!(&counted, &figures);
        let step = whole.states.len() / 6 + 1;
        let states = whole.states.iter().map(|(len, state)| (*len, &**state)).step_by(step);
        // A run that was complete writes nothing again.
        for (len, state) in states.chain([(whole.out.len(), &*end)]) {
            let start = Some((&whole.out[..len], state));
            let (memory, found_end, found) = command(options, &mut sources(), None, start);
            if len < whole.out.len() || state.contains("\"has_header\":true") {
                prop_assert_eq!(String::from_utf8_lossy(&memory.out), String::from_utf8_lossy(&whole.out));
            }
            prop_assert_eq!(found_end, &*end);
            prop_assert_eq!(found, &*counted);
        }
        let shares = (1..=shards).map(|index| {
            command(options, &mut sources(), Shard::new(index, shards), None).0.out
        });
        let all = shares.collect::<Vec<_>>().concat();
        if name != "sample" {
            prop_assert_eq!(String::from_utf8_lossy(&all), String::from_utf8_lossy(&whole.out));
        }
    }
}

/// The moments of a run at which it may be told to stop: each call of the system that it makes.
#[derive(Debug)]
struct Moments {
    /// Moments before the run is told to stop.
    left: AtomicUsize,
    stop: AtomicBool,
}

impl Moments {
    fn new(left: usize) -> Arc<Moments> {
        Arc::new(Moments { left: AtomicUsize::new(left), stop: AtomicBool::new(false) })
    }

    fn pass(&self) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// An input whose every read is a moment.
struct Input {
    bytes: Cursor<Vec<u8>>,
    moments: Arc<Moments>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.moments.pass();
        let len = buffer.len().min(1000);
        self.bytes.read(&mut buffer[..len])
    }
}

/// An output whose every write is a moment. It keeps states as the tool does: the one that is due, and the last one.
#[derive(Debug)]
struct Output {
    bytes: Vec<u8>,
    moments: Arc<Moments>,
    /// The length of the output and the state there.
    kept: Option<(usize, String)>,
    /// Pages until the next state is due.
    pages: usize,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.moments.pass();
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Outlet for Output {
    fn is_due(&self) -> bool {
        self.moments.pass();
        self.pages == 0
    }

    fn keep(&mut self, state: &str) -> Result<(), Error> {
        self.moments.pass();
        self.kept = Some((self.bytes.len(), state.to_string()));
        self.pages = 5;
        Ok(())
    }
}

/// Inputs of a run, and how they are solved.
struct Inputs {
    files: Vec<Vec<u8>>,
    format: &'static str,
    shard: Option<Shard>,
}

impl Inputs {
    /// Solves the inputs on `threads` threads, from the state `start` on, and stops at moment number `moment`. Returns
    /// the output, and the outcome if the run was not stopped.
    fn solve(&self, threads: usize, start: Option<(&[u8], &str)>, moment: usize) -> (Output, Option<String>) {
        let moments = Moments::new(moment);
        let bytes = start.map_or(Vec::new(), |(bytes, _)| bytes.to_vec());
        let mut output = Output { bytes, moments: Arc::clone(&moments), kept: None, pages: 5 };
        let outcome = self.solve_to(&mut output, threads, start.map(|(_, state)| state), &moments);
        match outcome {
            Ok(outcome) => (output, Some(outcome)),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Stopped), "{error}");
                (output, None)
            }
        }
    }

    fn solve_to(
        &self,
        output: &mut Output,
        threads: usize,
        state: Option<&str>,
        moments: &Arc<Moments>,
    ) -> Result<String, Error> {
        let source = |(index, bytes): (usize, &Vec<u8>)| {
            let input = Input { bytes: Cursor::new(bytes.clone()), moments: Arc::clone(moments) };
            Source::stream(format!("{index}"), input)
        };
        let mut sources: Vec<Source> = self.files.iter().enumerate().map(source).collect();
        let options = SolveOptions::default()
            .format(output::format(self.format).unwrap())
            .times(false)
            .threads(NonZero::new(threads))
            .chunk_bytes(NonZero::new(500))
            .stop(&moments.stop);
        let entry = engine::named("bitboard").unwrap();
        let mut run = SolveRun::open(&Rules::default(), entry, options)?;
        let parts = match self.shard {
            Some(shard) => run.cut(shard, &sources)?,
            None => vec![Part::WHOLE; sources.len()],
        };
        if let Some(state) = state {
            run.restore(state, &sources, &mut ())?;
        }
        for (source, part) in sources.iter_mut().zip(parts) {
            moments.pass();
            run.read(source, part, &mut [output], &mut ())?;
        }
        Ok(format!("{:?}", run.finish(output)?))
    }

    /// Stops a run at every `step`-th moment, and goes on; stops the run that goes on at every moment, and goes on
    /// again. Each time the output and the figures are those of the whole.
    fn stop_at_every_moment(&self, step: usize, chance: &mut Chance) {
        let (whole, figures) = self.solve(1, None, usize::MAX);
        let all = usize::MAX - whole.moments.left.load(Ordering::Relaxed);
        for first in (0..all).step_by(step) {
            let (output, _) = self.solve(1 + chance.below(3), None, first);
            let start = output.kept.as_ref().map(|(len, state)| (&output.bytes[..*len], &**state));
            for second in 0.. {
                let (again, outcome) = self.solve(1 + chance.below(3), start, second);
                let is_stopped = again.moments.stop.load(Ordering::Relaxed);
                let (last, outcome) = match (&again.kept, outcome) {
                    (_, Some(outcome)) => (again, Some(outcome)),
                    (Some((len, state)), None) => {
                        self.solve(1, Some((&again.bytes[..*len], state)), usize::MAX)
                    }
                    (None, None) => self.solve(1, start, usize::MAX),
                };
                let moment = format!("{} {} stopped at {first} and {second}", self.files.len(), self.format);
                assert_eq!(outcome, figures, "{moment}");
                assert!(last.bytes == whole.bytes, "{moment}: {}", String::from_utf8_lossy(&last.bytes));
                if !is_stopped {
                    break;
                }
            }
        }
    }
}

/// A stop just after the start of a run that goes on once kept the place of an input that was passed over, so that the
/// next run wrote its answers again.
#[test]
fn a_run_that_is_stopped_at_any_moment_goes_on() {
    let mut chance = Chance::new(7);
    let files = |kinds: &[&str], chance: &mut Chance| {
        kinds.iter().map(|kind| file(kind, 3 + chance.below(12), chance)).collect::<Vec<_>>()
    };
    let mut of_all_kinds = files(&KINDS, &mut chance);
    of_all_kinds.insert(2, b"# nothing but a comment\n".to_vec());
    of_all_kinds.push(Vec::new());
    Inputs { files: of_all_kinds, format: "pair", shard: None }.stop_at_every_moment(40, &mut chance);
    for (kind, format) in [("csv", "csv"), ("json", "json"), ("quoted", "tsv")] {
        let files = files(&[kind; 4], &mut chance);
        Inputs { files, format, shard: None }.stop_at_every_moment(25, &mut chance);
    }
    // Files packed one by one.
    let packed = files(&["lines", "grids", "lines"], &mut chance).iter().map(|bytes| gzip(bytes)).collect();
    Inputs { files: packed, format: "pair", shard: None }.stop_at_every_moment(25, &mut chance);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What a run must have in common with the one that began.
fn facts(value: &str) -> Vec<RunFact> {
    vec![RunFact { name: "the version of galop".to_owned(), value: Some(value.to_owned()) }]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    /// The members of a compressed output do not depend on where it was left, nor on how often.
    #[test]
    fn an_output_that_is_left_and_continued_has_the_bytes_of_one_that_was_not(
        ending in prop::sample::select(&["txt", "gz", "zst", "xz", "bz2"][..]),
        len in prop::sample::select(&[0_usize, 1, 700_000, 2 << 20][..]),
        cuts in prop::collection::vec(0_usize..2 << 20, 0..4),
        more in 0_usize..1000,
    ) {
        let mut chance = Chance::new(1);
        let text: Vec<u8> = (0..len).map(|_| b"123456789\n"[chance.below(10)]).collect();
        let folder = tempfile::tempdir().unwrap();
        let (path, whole) = (folder.path().join("out.").with_extension(ending), folder.path().join("whole").with_extension(ending));
        let (mut file, earlier) = ResumableFile::open(&whole, NonZero::new(2), facts("1")).unwrap();
        assert!(earlier.is_none());
        file.write_all(&text).unwrap();
        file.finish("").unwrap().settle().unwrap();

        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(len)).collect();
        cuts.sort_unstable();
        for cut in cuts {
            let (mut file, earlier) = ResumableFile::open(&path, NonZero::new(1), facts("1")).unwrap();
            let at: usize = earlier.map_or(0, |earlier| earlier.state.parse().unwrap());
            file.write_all(&text[at..cut]).unwrap();
            file.keep(cut.to_string()).unwrap();
            // What is written behind the last checkpoint is cut off.
            file.write_all(&text[cut..(cut + more).min(len)]).unwrap();
        }
        let (mut file, earlier) = ResumableFile::open(&path, NonZero::new(2), facts("1")).unwrap();
        let at: usize = earlier.map_or(0, |earlier| earlier.state.parse().unwrap());
        file.write_all(&text[at..]).unwrap();
        // The run is ended before the progress is removed, and does the rest later.
        drop(file.finish("the end").unwrap());
        let (mut file, earlier) = ResumableFile::open(&path, None, facts("1")).unwrap();
        assert_eq!(earlier.unwrap().state, "the end");
        file.write_all(b"nothing of this").unwrap();
        file.keep(String::new()).unwrap();
        file.finish("the end").unwrap().settle().unwrap();
        prop_assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap());
        // Two outputs, and the hidden progress of each.
        prop_assert_eq!(folder.path().read_dir().unwrap().count(), 4);
        let mut unpacked = Source::open(&path).unwrap();
        prop_assert!(unpacked.read_all().unwrap() == text);
    }
}

#[test]
fn another_run_does_not_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.txt");
    let refused = |facts| {
        let error = ResumableFile::open(&path, None, facts).unwrap_err();
        error.fact::<ResumeError>().unwrap().clone()
    };
    // A run that has written nothing: the same one goes on, and another one may begin.
    for (value, state) in [("0", None), ("0", Some("nothing")), ("1", None)] {
        let (mut file, earlier) = ResumableFile::open(&path, None, facts(value)).unwrap();
        assert_eq!(earlier.map(|earlier| earlier.state).as_deref(), state);
        file.keep("nothing".to_owned()).unwrap();
        assert!(file.progress().exists());
    }
    let (mut file, _) = ResumableFile::open(&path, None, facts("1")).unwrap();
    file.write_all(b"some text").unwrap();
    file.keep("state".to_owned()).unwrap();
    assert_eq!(refused(facts("1")), ResumeError::Busy);
    drop(file);
    let what = "the version of galop".to_owned();
    let (then, now) = (Some("1".to_owned()), Some("2".to_owned()));
    assert_eq!(refused(facts("2")), ResumeError::Differs { what: what.clone(), then: then.clone(), now });
    assert_eq!(refused(Vec::new()), ResumeError::Differs { what, then, now: None });
    let partial = folder.path().join("out.txt.partial");
    fs::write(&partial, "Some text").unwrap();
    assert_eq!(refused(facts("1")), ResumeError::Altered);
    fs::write(&partial, "some text, and more").unwrap();
    let (file, earlier) = ResumableFile::open(&path, None, facts("1")).unwrap();
    assert_eq!(earlier.unwrap().state, "state");
    drop(file);
    assert_eq!(fs::read(&partial).unwrap(), b"some text");
}

/// What a damaged progress may hold is no reason to panic.
#[test]
fn a_state_that_fits_nothing_is_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.txt");
    fs::write(&path, file("lines", 50, &mut Chance::new(1))).unwrap();
    let options = || SolveOptions::default().times(false).chunk_bytes(NonZero::new(500));
    let (memory, end, _) = solve("bitboard", options(), &mut [open(&path, true)], None, None);
    let state = &memory.states[1].1;
    let count = "\"offset\":";
    let at = state.find(count).unwrap() + count.len();
    let digits = state[at..].find(',').unwrap();
    for offset in ["0", "1", "777", "18446744073709551615"] {
        let other = format!("{}{offset}{}", &state[..at], &state[at + digits..]);
        solve("bitboard", options(), &mut [open(&path, true)], None, Some((b"", &other)));
    }
    solve("bitboard", options(), &mut [], None, Some((b"", &end)));
    let mut run = SolveRun::open(&Rules::default(), engine::BITBOARD, options()).unwrap();
    for text in ["{}", "", "7"] {
        let error = run.restore(text, &[], &mut ()).unwrap_err();
        assert!(error.fact::<UnknownState>().is_some(), "{error}");
    }
}

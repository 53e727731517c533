//! The road from source to ordered output: the same bytes whatever the threads and chunks, and an end, with the
//! right error, whatever fails on the way.
//!
//! (Exit code 3 of the command line, a solution that failed the independent check, cannot be provoked with the
//! engines there are: the error behind it is tested here, with an engine that lies.)

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

use galop::generate::{self, Recipe, Wish};
use galop::input::source::Source;
use galop::pipeline::solve::{Malformed, Options, Outcome, Road, Watch};
use galop::{
    Answer, Answers, Each, Engine, Entry, ErrorKind, Isa, Limits, Puzzles, Rules, Search, Status,
    WrongStride, engine, output,
};
use proptest::prelude::*;

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SOLUTION: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

/// Lines of every kind, and which of them are malformed.
struct Lines {
    text: String,
    lines: Vec<String>,
    malformed: Vec<u64>,
}

/// 400 lines: puzzles with one solution, with several, with none; comments, blank and malformed lines.
fn mixed() -> &'static Lines {
    static MIXED: OnceLock<Lines> = OnceLock::new();
    MIXED.get_or_init(|| {
        let mut puzzles = Vec::new();
        let recipe = Recipe::new(4, Wish::Clues(26..=32));
        let go = AtomicBool::new(false);
        generate::run(&recipe, 300, &go, &mut |some, _| {
            puzzles.extend_from_slice(some);
            Ok(())
        })
        .unwrap();
        let puzzles = String::from_utf8(puzzles).unwrap();
        let mut puzzles = puzzles.lines();
        let lines: Vec<String> = (1..=400)
            .map(|line| match line % 16 {
                0 => "# comment".to_owned(),
                1 => String::new(),
                2 => format!("wrong {line}"),
                3 => PUZZLE.replacen("4.", "44", 1),
                4 => format!("{}{}", ".".repeat(30), &SOLUTION[30..]),
                5 => PUZZLE.to_owned(),
                _ => puzzles.next().unwrap().to_owned(),
            })
            .collect();
        let malformed = (1..=400).filter(|line| line % 16 == 2).collect();
        Lines { text: lines.join("\n") + "\n", lines, malformed }
    })
}

fn stream(text: impl Into<Vec<u8>>) -> Source {
    Source::stream("file", Cursor::new(text.into()))
}

fn solve(source: &mut Source, engine_name: &str, options: Options<'_>) -> (Vec<u8>, Outcome) {
    let mut road = Road::open(&Rules::sudoku(), engine(engine_name).unwrap(), options, Vec::new()).unwrap();
    road.solve(source, &mut ()).unwrap();
    road.close().unwrap()
}

/// No times, two threads, chunks of few lines.
fn options() -> Options<'static> {
    Options { threads: 2, chunk_bytes: 500, times: false, ..Options::default() }
}

/// Everything of an outcome that does not depend on the clock, as text to compare.
fn figures(outcome: &Outcome) -> String {
    let mut text = format!("{:?}\n{:?}\n{:?}\n", outcome.inputs, outcome.malformed, outcome.slowest);
    for status in Status::ALL {
        writeln!(text, "{} {}", status.word(), outcome.tally.of(status)).unwrap();
    }
    writeln!(text, "{:?} {}", outcome.tally.guesses.buckets(), outcome.tally.guesses.sum()).unwrap();
    text
}

/// What the road is to do, without any road: one engine, one puzzle after the other.
fn plain_loop(lines: &[String], entry: &Entry, limits: Limits) -> (String, [u64; Status::ALL.len()], u128) {
    let mut engine = (entry.make)(&Rules::sudoku(), Isa::best()).unwrap();
    let (mut out, mut counts, mut guesses) = (String::new(), [0; Status::ALL.len()], 0);
    for line in lines.iter().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.len() != 81 {
            counts[Status::Malformed as usize] += 1;
            writeln!(out, "{line},malformed").unwrap();
            continue;
        }
        let cells: Vec<u8> = line.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
        let (mut solution, mut answer) = ([0; 81], [Answer::default()]);
        let mut answers = Answers::new(&mut solution, &mut answer, 81);
        engine.solve(Puzzles::new(&cells, 81), limits, &mut answers).unwrap();
        let status = answer[0].status(limits);
        counts[status as usize] += 1;
        guesses += u128::from(answer[0].effort.guesses);
        let solution: String = solution.iter().map(|cell| char::from(b'0' + cell)).collect();
        let solved = status == Status::Solved;
        writeln!(out, "{line},{}", if solved { &solution } else { status.word() }).unwrap();
    }
    (out, counts, guesses)
}

#[test]
fn answers_and_tally_are_those_of_a_plain_loop() {
    let mixed = mixed();
    for name in ["bitboard", "dlx"] {
        for limits in [Limits::ANY, Limits::UNIQUE, Limits::ANY.with_guesses(2)] {
            let (out, outcome) = solve(&mut stream(&*mixed.text), name, Options { limits, ..options() });
            let (expected, counts, guesses) = plain_loop(&mixed.lines, engine(name).unwrap(), limits);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{name} {limits:?}");
            let tally = outcome.tally;
            assert_eq!(Status::ALL.map(|status| tally.of(status)), counts);
            assert_eq!(tally.records(), 350);
            assert_eq!((tally.guesses.count(), tally.guesses.sum()), (tally.puzzles(), guesses));
            assert_eq!(tally.nanos.count(), 0, "no times were wished");
        }
    }
}

#[test]
fn malformed_records_are_told_with_their_lines() {
    struct Heard(Vec<u64>, u64);
    impl Watch for Heard {
        fn malformed(&mut self, malformed: &Malformed) {
            self.0.push(malformed.line);
        }
        fn advanced(&mut self, offset: u64, records: u64) {
            assert!(offset > self.1 && records <= 350);
            self.1 = offset;
        }
    }
    let mut road = Road::open(&Rules::sudoku(), engine("dlx").unwrap(), options(), io::sink()).unwrap();
    let mut heard = Heard(Vec::new(), 0);
    road.solve(&mut stream(&*mixed().text), &mut heard).unwrap();
    let outcome = road.close().unwrap().1;
    let lines: Vec<u64> = outcome.malformed.iter().map(|malformed| malformed.line).collect();
    assert_eq!(lines, mixed().malformed[..10]);
    assert_eq!(heard.0, lines);
    assert_eq!(heard.1, mixed().text.len() as u64);
    assert_eq!(outcome.tally.of(Status::Malformed), 25, "all are counted");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn same_bytes_for_any_threads_and_chunks(
        threads in proptest::sample::select(&[1usize, 2, 3, 8][..]),
        chunk_bytes in 64usize..5000,
        format in proptest::sample::select(&["pair", "solution", "csv", "json"][..]),
        name in proptest::sample::select(&["bitboard", "dlx"][..]),
        skip in 0usize..300,
        limits in proptest::sample::select(&[Limits::ANY, Limits::UNIQUE][..]),
    ) {
        let text = &mixed().text[skip..];
        let format = output::format(format).unwrap();
        let options = Options { format, threads, chunk_bytes, limits, ..options() };
        let one = Options { threads: 1, chunk_bytes: 1 << 20, ..options };
        let (out, outcome) = solve(&mut stream(text), name, options);
        let (expected, of_one) = solve(&mut stream(text), name, one);
        prop_assert_eq!(String::from_utf8(out).unwrap(), String::from_utf8(expected).unwrap());
        prop_assert_eq!(figures(&outcome), figures(&of_one));
    }
}

/// The first record tells the shape of a source, however many chunks of comments stand before it.
/// Puzzles of every number of solutions, thousands of them: what an engine that solves many at once finds first
/// in one, and how often it guesses, depends on the others in its chunk, and on nothing else.
fn many() -> &'static [String] {
    static MANY: OnceLock<Vec<String>> = OnceLock::new();
    MANY.get_or_init(|| {
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            // Xorshift: Marsaglia, "Xorshift RNGs" (2003).
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random as usize
        };
        let puzzle = |next: &mut dyn FnMut() -> usize| {
            let mut cells = SOLUTION.as_bytes().to_vec();
            let blanks = 45 + next() % 90;
            (0..blanks).for_each(|_| cells[next() % 81] = b'.');
            String::from_utf8(cells).unwrap()
        };
        (0..4_000).map(|_| puzzle(&mut next)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6) })]

    #[test]
    fn lanes_give_the_same_bytes_for_any_threads(
        threads in 1_usize..5,
        chunk_bytes in 3_000_usize..200_000,
        solutions in 1_u64..4,
        isa in prop::sample::select(Isa::ALL.to_vec()),
    ) {
        let text = many().join("\n") + "\n";
        let limits = Limits::count(solutions).with_guesses(60);
        // Guesses are columns of csv.
        let format = output::format("csv").unwrap();
        let isa = if isa.is_available() { isa } else { Isa::best() };
        let options = Options { limits, format, chunk_bytes, isa, threads: 1, ..options() };
        let (expected, one) = solve(&mut stream(&*text), "lanes", options);
        let (found, several) = solve(&mut stream(&*text), "lanes", Options { threads, ..options });
        prop_assert!(found == expected);
        prop_assert_eq!(figures(&one), figures(&several));
        prop_assert_eq!(one.work, several.work);

        // With other chunks, and other instruction sets, the counts stay, and what follows from them.
        let options = Options { limits: Limits::count(solutions), ..options };
        let settled = |options| {
            let (bytes, _) = solve(&mut stream(&*text), "lanes", options);
            let lines = String::from_utf8(bytes).unwrap();
            let fields = |line: &str| {
                let fields: Vec<&str> = line.split(',').collect();
                let only = if solutions > 1 && fields[3] == "1" { fields[1] } else { "" };
                (fields[2].to_owned(), fields[3].to_owned(), only.to_owned())
            };
            lines.lines().map(fields).collect::<Vec<_>>()
        };
        let others = Options { chunk_bytes: chunk_bytes / 2 + 20_000, isa: Isa::Portable64, ..options };
        prop_assert!(settled(options) == settled(others));
    }
}

#[test]
fn a_header_is_found_behind_chunks_of_comments() {
    for before in ["# a comment\n".repeat(1_000), " \r\n".repeat(50)] {
        let text = format!("{before}id,puzzle\n7,{PUZZLE}\n");
        for chunk_bytes in [64, 500, 1 << 20] {
            let (out, outcome) = solve(&mut stream(&*text), "bitboard", Options { chunk_bytes, ..options() });
            assert_eq!(String::from_utf8(out).unwrap(), format!("{PUZZLE},{SOLUTION}\n"), "{chunk_bytes}");
            assert_eq!(outcome.inputs[0].shape, "csv");
        }
    }
}

#[test]
fn mapped_read_and_streamed_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for text in [&*mixed().text, mixed().text.trim_end(), "", "\n", "\u{feff}", PUZZLE] {
        fs::write(&path, text).unwrap();
        let mut sources =
            [Source::open(&path, true).unwrap(), Source::open(&path, false).unwrap(), stream(text)];
        assert_eq!((sources[0].is_mapped(), sources[1].is_mapped()), (!text.is_empty(), false));
        assert_eq!(sources[0].size(), Some(text.len() as u64));
        let [mapped, read, streamed] = sources.each_mut().map(|source| {
            let (out, mut outcome) = solve(source, "bitboard", options());
            for input in &mut outcome.inputs {
                (input.name, input.mapped) = ("file".into(), false);
            }
            outcome.malformed.iter_mut().for_each(|malformed| malformed.path = "file".into());
            (String::from_utf8(out).unwrap(), figures(&outcome))
        });
        assert_eq!(mapped, read);
        assert_eq!(mapped, streamed);
    }
}

#[test]
fn several_sources_are_one_run() {
    let format = output::format("csv").unwrap();
    let mut road = Road::open(
        &Rules::sudoku(),
        engine("bitboard").unwrap(),
        Options { format, ..options() },
        Vec::new(),
    )
    .unwrap();
    for name in ["one", "two"] {
        let text = format!("{PUZZLE}\nwrong\n");
        road.solve(&mut Source::stream(name, Cursor::new(text)), &mut ()).unwrap();
    }
    let (out, outcome) = road.close().unwrap();
    assert!(out.starts_with(b"puzzle,solution,status,solutions,guesses,nanos\n"));
    assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 5, "one header");
    let places: Vec<String> = outcome.malformed.iter().map(ToString::to_string).collect();
    assert!(places[0].starts_with("one:2:1: ") && places[1].starts_with("two:2:1: "), "{places:?}");
    assert_eq!((outcome.inputs.len(), outcome.tally.records()), (2, 4));
    assert_eq!(
        outcome.slowest.iter().map(|slow| (slow.input, slow.line)).collect::<Vec<_>>(),
        [(0, 1), (1, 1)]
    );
}

#[test]
fn times_are_taken_if_wished() {
    let options = Options { times: true, slowest: 3, ..options() };
    let outcome = solve(&mut stream(&*mixed().text), "bitboard", options).1;
    assert_eq!(outcome.tally.nanos.count(), outcome.tally.puzzles());
    assert_eq!(outcome.slowest.len(), 3);
    assert!(outcome.slowest.is_sorted_by(|one, next| one.nanos >= next.nanos));
    assert_eq!(outcome.slowest[0].nanos, outcome.tally.nanos.max());
    let slow = &outcome.slowest[0];
    assert_eq!(mixed().lines[slow.line as usize - 1], slow.puzzle);
}

/// Everything of a run but its end: what was written, and the error.
fn fail(
    source: &mut Source,
    entry: &Entry,
    options: Options<'_>,
    watch: &mut dyn Watch,
) -> (String, galop::Error) {
    let mut out = Vec::new();
    let mut road = Road::open(&Rules::sudoku(), entry, options, &mut out).unwrap();
    let error = road.solve(source, watch).unwrap_err();
    drop(road);
    (String::from_utf8(out).unwrap(), error)
}

/// Lines of puzzles without end.
fn endless() -> Source {
    struct Endless(usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let line = format!("{PUZZLE}\n");
            let count = buffer.len().min(line.len() - self.0);
            buffer[..count].copy_from_slice(&line.as_bytes()[self.0..self.0 + count]);
            self.0 = (self.0 + count) % line.len();
            Ok(count)
        }
    }
    Source::stream("endless", Endless(0))
}

#[test]
fn a_stop_ends_the_run() {
    let stop = AtomicBool::new(true);
    let (out, error) =
        fail(&mut endless(), engine("bitboard").unwrap(), Options { stop: &stop, ..options() }, &mut ());
    assert!(matches!(error.kind(), ErrorKind::Stopped), "{error}");
    assert_eq!(out, "");

    struct Stop<'a>(&'a AtomicBool);
    impl Watch for Stop<'_> {
        fn advanced(&mut self, _: u64, records: u64) {
            self.0.store(records > 100, Ordering::Relaxed);
        }
    }
    stop.store(false, Ordering::Relaxed);
    let options = Options { stop: &stop, ..options() };
    let (out, error) = fail(&mut endless(), engine("bitboard").unwrap(), options, &mut Stop(&stop));
    assert!(matches!(error.kind(), ErrorKind::Stopped), "{error}");
    let line = format!("{PUZZLE},{SOLUTION}\n");
    assert!(out.len() > 100 * line.len());
    assert_eq!(out, line.repeat(out.len() / line.len()), "a beginning, in whole lines");
}

/// Also one whose puzzles would take until the end of time.
#[test]
fn a_stop_ends_a_batch_of_many_puzzles() {
    let stop = AtomicBool::new(false);
    let text = format!("{}\n", ".".repeat(81)).repeat(3_000);
    let limits = Limits::ALL;
    let options = Options { limits, stop: &stop, chunk_bytes: 1 << 20, ..options() };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let (_, error) = fail(&mut stream(text), engine("lanes").unwrap(), options, &mut ());
        assert!(matches!(error.kind(), ErrorKind::Stopped), "{error}");
    });
}

/// The bitboard engine, but for one puzzle: there it lies.
struct Liar(Box<dyn Engine>);

impl Search for Liar {
    fn cells(&self) -> usize {
        81
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let mut answer = [Answer::default()];
        let mut places = Answers::new(solution, &mut answer, 81);
        self.0.solve(Puzzles::new(puzzle, 81), limits, &mut places).unwrap();
        if puzzle.starts_with(&[4, 0, 0, 0, 0, 0, 8]) {
            solution.swap(1, 2);
        }
        answer[0]
    }
}

const LIAR: Entry = Entry {
    about: "lies",
    max_guesses: 1_000_000,
    ..Entry::new("liar", |rules, isa| {
        let honest = (engine("bitboard").unwrap().make)(rules, isa)?;
        Ok(Box::new(Each(Liar(honest))))
    })
};

/// The most puzzles that [`COMPANY`] got in one call.
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The bitboard engine as one that solves many puzzles at once.
struct Company(Box<dyn Engine>);

impl Engine for Company {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongStride> {
        MOST.fetch_max(puzzles.len(), Ordering::Relaxed);
        self.0.solve(puzzles, limits, answers)?;
        answers.iter_mut().for_each(|(_, answer)| answer.effort.cost = 1);
        Ok(())
    }

    fn is_batched(&self) -> bool {
        true
    }
}

const COMPANY: Entry = Entry {
    about: "solves in company",
    max_guesses: 1_000_000,
    ..Entry::new("company", |rules, isa| {
        Ok(Box::new(Company((engine("bitboard").unwrap().make)(rules, isa)?)))
    })
};

#[test]
fn an_engine_for_many_puzzles_gets_thousands_of_them() {
    let text = mixed().text.repeat(50);
    let expected = solve(&mut stream(&*text), "bitboard", options()).0;
    for threads in [1, 3] {
        let options = Options { threads, chunk_bytes: 0, times: true, ..Options::default() };
        let mut road = Road::open(&Rules::sudoku(), &COMPANY, options, Vec::new()).unwrap();
        road.solve(&mut stream(&*text), &mut ()).unwrap();
        let (out, outcome) = road.close().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), String::from_utf8_lossy(&expected));
        assert_eq!(outcome.tally.nanos.count(), outcome.tally.puzzles());
    }
    assert!(MOST.load(Ordering::Relaxed) > 3_000);
}

#[test]
fn a_wrong_solution_ends_the_run_and_is_not_written() {
    let mixed = mixed();
    let line = 1 + mixed.lines.iter().position(|line| line == PUZZLE).unwrap();
    for (threads, chunk_bytes) in [(1, 100_000), (1, 64), (2, 500), (8, 200)] {
        for limits in [Limits::ANY, Limits::UNIQUE] {
            let options = Options { threads, chunk_bytes, limits, ..options() };
            let (out, error) = fail(&mut stream(&*mixed.text), &LIAR, options, &mut ());
            let ErrorKind::WrongSolution(wrong) = error.kind() else {
                panic!("{error}");
            };
            assert_eq!(wrong.engine, "liar");
            assert_eq!(wrong.puzzle, PUZZLE.replace('.', "0"));
            assert_eq!(wrong.solution[..3], *"471");
            let message = error.to_string();
            assert!(message.starts_with(&format!("file:{line}: ")), "{message}");
            assert!(
                message.contains(&wrong.violation.to_string()) && message.contains(wrong.puzzle.as_str())
            );
            let honest = plain_loop(&mixed.lines, engine("bitboard").unwrap(), limits).0;
            assert!(honest.starts_with(&out), "nothing but right answers");
            assert!(!out.contains(PUZZLE));
        }
    }
}

/// A road goes on after an error: it does not claim to have answered what it has not.
#[test]
fn a_road_can_be_used_after_an_error() {
    let mut road = Road::open(&Rules::sudoku(), &LIAR, options(), Vec::new()).unwrap();
    for _ in 0..50 {
        road.solve(&mut endless(), &mut ()).unwrap_err();
    }
    road.solve(&mut stream(SOLUTION), &mut ()).unwrap();
    assert_eq!(road.close().unwrap().0, format!("{SOLUTION},{SOLUTION}\n").as_bytes());
}

/// A disk with so many bytes left.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.0);
        self.0 -= count;
        if count > 0 { Ok(count) } else { Err(io::Error::from(io::ErrorKind::StorageFull)) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.0 > 0 { Ok(()) } else { Err(io::Error::from(io::ErrorKind::StorageFull)) }
    }
}

#[test]
fn a_full_disk_ends_the_run() {
    let is_full = |error: &galop::Error| matches!(error.kind(), ErrorKind::Write(error) if error.kind() == io::ErrorKind::StorageFull);
    for left in [1, 100, 10_000] {
        let mut road =
            Road::open(&Rules::sudoku(), engine("bitboard").unwrap(), options(), Full(left)).unwrap();
        let error = road.solve(&mut endless(), &mut ()).unwrap_err();
        assert!(is_full(&error), "{error}");
    }
    // The header, and the last flush.
    let csv = Options { format: output::format("csv").unwrap(), ..options() };
    let entry = engine("bitboard").unwrap();
    let narrow = || Road::open(&Rules::sudoku(), entry, csv, Full(3)).unwrap();
    assert!(is_full(&narrow().solve(&mut stream(PUZZLE), &mut ()).unwrap_err()));
    assert!(is_full(&narrow().close().err().unwrap()));
    let mut road = Road::open(&Rules::sudoku(), entry, options(), Full(164)).unwrap();
    road.solve(&mut stream(PUZZLE), &mut ()).unwrap();
    assert!(is_full(&road.close().err().unwrap()));
}

#[test]
fn a_source_that_fails_ends_the_run() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::ConnectionReset))
        }
    }
    let good = mixed().text.as_bytes();
    let mut source = Source::stream("socket", Cursor::new(good).chain(Broken));
    let (out, error) = fail(&mut source, engine("bitboard").unwrap(), options(), &mut ());
    assert!(matches!(error.kind(), ErrorKind::Read(_)), "{error}");
    assert!(error.to_string().starts_with("socket: cannot read: "), "{error}");
    let honest = plain_loop(&mixed().lines, engine("bitboard").unwrap(), Limits::ANY).0;
    assert!(honest.starts_with(&out) && (out.is_empty() || out.ends_with('\n')));
}

#[test]
fn a_panic_in_an_engine_comes_through_and_nothing_hangs() {
    struct Panics;
    impl Search for Panics {
        fn cells(&self) -> usize {
            81
        }

        fn search(&mut self, _: &[u8], _: Limits, _: &mut [u8]) -> Answer {
            panic!("on purpose");
        }
    }
    let entry =
        Entry { about: "", max_guesses: 1, ..Entry::new("panics", |_, _| Ok(Box::new(Each(Panics)))) };
    for threads in [1, 3] {
        let options = Options { threads, ..options() };
        let mut road = Road::open(&Rules::sudoku(), &entry, options, io::sink()).unwrap();
        let result = catch_unwind(AssertUnwindSafe(|| road.solve(&mut endless(), &mut ())));
        assert_eq!(result.unwrap_err().downcast_ref(), Some(&"on purpose"));
    }
}

#[test]
fn an_engine_that_refuses_the_rules_is_an_error() {
    let entry = Entry {
        about: "",
        max_guesses: 1,
        ..Entry::new("refuses", |rules, _| {
            Err(galop::Unsupported::Rules { accepts: "nothing", rules: rules.name() })
        })
    };
    let error = Road::open(&Rules::sudoku(), &entry, options(), io::sink()).unwrap_err();
    assert_eq!(error.to_string(), "the engine solves nothing only, not `sudoku`");
}

#[test]
fn any_bytes_at_all() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let (mut text, mut records) = (Vec::new(), 0);
    for _ in 0..100_000 {
        let start = text.len();
        for _ in 0..next() % 100 {
            let byte = if next() % 4 == 0 { next() as u8 } else { b"1.0 ,#\r\"\0"[next() as usize % 9] };
            text.push(if byte == b'\n' { b'.' } else { byte });
        }
        let first = text[start..].iter().find(|byte| !b" \t\r".contains(byte));
        records += u64::from(first.is_some_and(|&byte| byte != b'#'));
        text.push(b'\n');
    }
    let options = Options { chunk_bytes: 10_000, ..options() };
    let (out, outcome) = solve(&mut stream(text), "bitboard", options);
    assert_eq!(outcome.inputs[0].lines, 100_000);
    assert_eq!(outcome.tally.records(), records);
    assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count() as u64, records);
}

/// The most memory this process ever had in its hands, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_of_a_gigabyte_is_one_malformed_record_and_not_held() {
    let line = io::repeat(b'1').take(1 << 30);
    let reader = Cursor::new("\n").chain(line).chain(Cursor::new(format!("\n{PUZZLE}\n")));
    let before = peak_memory();
    let options = Options { chunk_bytes: galop::pipeline::solve::CHUNK_BYTES, ..options() };
    let (out, outcome) = solve(&mut Source::stream("long", reader), "bitboard", options);
    assert!(peak_memory() < before + (64 << 20), "grew by {}", peak_memory() - before);
    let expected = format!("{}...,malformed\n{PUZZLE},{SOLUTION}\n", "1".repeat(256));
    assert_eq!(String::from_utf8(out).unwrap(), expected);
    assert!(outcome.malformed[0].to_string().starts_with("long:2:65537: a line of more than 65536 bytes"));
    assert_eq!(outcome.inputs[0].bytes, (1 << 30) + 1 + 1 + 82);
}

/// A writer to the file that is being read: `write` is done when the first chunk is answered.
struct Meddler<F: FnMut()>(F);

impl<F: FnMut()> Watch for Meddler<F> {
    fn advanced(&mut self, _: u64, _: u64) {
        (self.0)();
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let text = &mixed().text;
    let append = || {
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"# more\n").unwrap();
    };
    let overwrite = || {
        use std::io::Seek;
        let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.rewind().unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    let meddle: [&dyn Fn(); 2] = [&append, &overwrite];
    for map in [true, false] {
        for meddle in meddle {
            fs::write(&path, text).unwrap();
            // Long ago, so that the clock's coarse steps do not hide the change.
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            drop(file);
            let mut source = Source::open(&path, map).unwrap();
            let mut once = Some(meddle);
            let mut watch = Meddler(|| once.take().into_iter().for_each(|meddle| meddle()));
            let (_, error) = fail(&mut source, engine("bitboard").unwrap(), options(), &mut watch);
            assert!(matches!(error.kind(), ErrorKind::Input(galop::input::InputError::Changed)), "{error}");
            assert_eq!(error.path(), Some(&*path));
        }
        // Read to the end in peace, it is none.
        solve(&mut Source::open(&path, map).unwrap(), "bitboard", options());
    }
}

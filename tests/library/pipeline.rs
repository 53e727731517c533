//! From source to ordered output: the answers of a plain loop, and the right error whatever fails. (`chunks.rs` has the
//! same bytes for any threads and chunks.)
//!
//! (Exit code 3 of the program, a solution that failed the independent check, cannot be provoked with the engines of
//! the table. The error behind it is tested here, with an engine that lies.)

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use galop_batch::input::{MalformedRecord, Source};
use galop_batch::pipeline::{SolveOptions, SolveOutcome, SolveRun, Unanswered, Watch};
use galop_batch::{ErrorKind, output};
use galop_corpora::generate::{Recipe, Wish};
use galop_engines::engine::{Each, Entry, Isa, Search, WrongLength};
use galop_engines::grid::WrongSolution;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};
use galop_engines::{Engine, Rules};
use proptest::prelude::*;

use crate::{open, stream};
use galop_testing::altered::{altered, bitboard};
use galop_testing::available::skip;
use galop_testing::chance::Chance;
use galop_testing::engines::{named, new, solve as solve_with};
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells, digits, generated, open_puzzle};

/// Lines of every kind.
struct Lines {
    text: String,
    lines: Vec<String>,
    /// The numbers of the malformed lines, from 1.
    malformed: Vec<u64>,
}

/// 400 lines: puzzles with one solution, with several, with none; comments; blank lines; malformed lines.
fn mixed() -> &'static Lines {
    static MIXED: OnceLock<Lines> = OnceLock::new();
    MIXED.get_or_init(|| {
        let puzzles = generated(&Recipe::new(4, Wish::Clues(26..=32)), 300).0;
        let mut puzzles = puzzles.lines();
        let lines: Vec<String> = (1..=400)
            .map(|line| match line % 16 {
                0 => "# comment".to_owned(),
                1 => String::new(),
                2 => format!("wrong {line}"),
                3 => PUZZLE.replacen("4.", "44", 1),
                4 => open_puzzle(),
                5 => PUZZLE.to_owned(),
                _ => puzzles.next().unwrap().to_owned(),
            })
            .collect();
        let malformed = (1..=400).filter(|line| line % 16 == 2).collect();
        Lines { text: lines.join("\n") + "\n", lines, malformed }
    })
}

fn solve(source: &mut Source, engine_name: &str, options: SolveOptions<'_>) -> (String, SolveOutcome) {
    crate::solve(source, named(engine_name), options).unwrap()
}

/// No times, two threads, chunks of few lines.
fn options() -> SolveOptions<'static> {
    SolveOptions::default().threads(NonZero::new(2)).chunk_bytes(NonZero::new(500)).times(false)
}

/// The parts of an outcome that do not depend on the clock, as text to compare.
pub(crate) fn figures(outcome: &SolveOutcome) -> String {
    let mut text = format!("{:?}\n{:?}\n{:?}\n", outcome.inputs, outcome.malformed, outcome.slowest);
    for status in Status::ALL {
        writeln!(text, "{} {}", status.word(), outcome.tally.of(status)).unwrap();
    }
    writeln!(text, "{:?}", outcome.tally.guesses).unwrap();
    text
}

/// What the pipeline must write and count: one engine, one puzzle after the other.
fn plain_loop(lines: &[String], entry: &Entry, limits: Limits) -> (String, [u64; Status::ALL.len()], u128) {
    let mut engine = new(entry);
    let (mut out, mut counts, mut guesses) = (String::new(), [0; Status::ALL.len()], 0);
    for line in lines.iter().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.len() != 81 {
            counts[Status::Malformed as usize] += 1;
            writeln!(out, "{line},malformed").unwrap();
            continue;
        }
        let (answer, solution) = solve_with(engine.as_mut(), &[cells(line)], limits)[0];
        let status = answer.status(limits);
        counts[status as usize] += 1;
        guesses += u128::from(answer.effort.guesses);
        let solved = (status == Status::Solved).then(|| digits(&solution));
        writeln!(out, "{line},{}", solved.as_deref().unwrap_or(status.word())).unwrap();
    }
    (out, counts, guesses)
}

#[test]
fn answers_and_counts_are_those_of_a_plain_loop() {
    let mixed = mixed();
    for name in ["bitboard", "dlx"] {
        for limits in [Limits::ANY, Limits::UNIQUE, Limits::ANY.with_guesses(2)] {
            let (out, outcome) = solve(&mut stream(&*mixed.text), name, options().limits(limits));
            let (expected, counts, guesses) = plain_loop(&mixed.lines, named(name), limits);
            assert_eq!(out, expected, "{name} {limits:?}");
            let tally = outcome.tally;
            assert_eq!(Status::ALL.map(|status| tally.of(status)), counts);
            assert_eq!(tally.records(), 350);
            assert_eq!((tally.guesses.count(), tally.guesses.sum()), (tally.puzzles(), guesses));
            assert_eq!(tally.nanos.count(), 0, "no times were wanted");
        }
    }
}

#[test]
fn malformed_records_are_reported_with_their_lines() {
    struct Seen(Vec<u64>, u64);
    impl Watch for Seen {
        fn malformed(&mut self, malformed: &MalformedRecord) {
            self.0.push(malformed.line);
        }
        fn advanced(&mut self, offset: u64, records: u64) {
            assert!(offset > self.1 && records <= 350);
            self.1 = offset;
        }
    }
    let mut road = SolveRun::open(&Rules::default(), named("dlx"), options()).unwrap();
    let mut seen = Seen(Vec::new(), 0);
    road.solve(&mut stream(&*mixed().text), &mut io::sink(), &mut seen).unwrap();
    let outcome = road.finish(&mut io::sink()).unwrap();
    let lines: Vec<u64> = outcome.malformed.iter().map(|malformed| malformed.line).collect();
    assert_eq!(lines, mixed().malformed[..10]);
    assert_eq!(seen.0, lines);
    assert_eq!(seen.1, mixed().text.len() as u64);
    assert_eq!(outcome.tally.of(Status::Malformed), 25, "all are counted");
}

/// Thousands of puzzles with any number of solutions. What an engine that solves many puzzles at once finds first in
/// one, and how often it guesses, depends on the other puzzles of the chunk, and on nothing else.
fn many() -> &'static str {
    static MANY: OnceLock<String> = OnceLock::new();
    MANY.get_or_init(|| {
        let mut chance = Chance::new(1);
        let mut puzzle = || {
            let mut cells = SOLUTION.as_bytes().to_vec();
            let blanks = 45 + chance.below(90);
            (0..blanks).for_each(|_| cells[chance.below(81)] = b'.');
            String::from_utf8(cells).unwrap() + "\n"
        };
        (0..4_000).map(|_| puzzle()).collect()
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
        let limits = Limits::count(solutions).with_guesses(60);
        // Guesses are columns of csv.
        let format = output::format("csv").unwrap();
        let isa = if isa.is_available() {
            isa
        } else {
            skip(&format!("this machine has no {}", isa.name()));
            Isa::best()
        };
        let options = options().limits(limits).format(format).chunk_bytes(NonZero::new(chunk_bytes)).isa(isa).threads(NonZero::new(1));
        let (expected, one) = solve(&mut stream(many()), "lanes", options);
        let (found, several) = solve(&mut stream(many()), "lanes", options.threads(NonZero::new(threads)));
        prop_assert!(found == expected);
        prop_assert_eq!(figures(&one), figures(&several));
        prop_assert_eq!(one.work, several.work);

        // With other chunks and other instruction sets, the number of solutions stays, and the only solution.
        let options = options.limits(Limits::count(solutions));
        let settled = |options| {
            let (lines, _) = solve(&mut stream(many()), "lanes", options);
            let fields = |line: &str| {
                let fields: Vec<&str> = line.split(',').collect();
                let only = if solutions > 1 && fields[3] == "1" { fields[1] } else { "" };
                (fields[2].to_owned(), fields[3].to_owned(), only.to_owned())
            };
            lines.lines().map(fields).collect::<Vec<_>>()
        };
        let others = options.chunk_bytes(NonZero::new(chunk_bytes / 2 + 20_000)).isa(Isa::Portable);
        prop_assert!(settled(options) == settled(others));
    }
}

#[test]
fn several_sources_are_one_run() {
    let format = output::format("csv").unwrap();
    let mut road = SolveRun::open(&Rules::default(), named("bitboard"), options().format(format)).unwrap();
    let mut out = Vec::new();
    for name in ["one", "two"] {
        let text = format!("{PUZZLE}\nwrong\n");
        road.solve(&mut Source::stream(name, Cursor::new(text)), &mut out, &mut ()).unwrap();
    }
    let outcome = road.finish(&mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.starts_with("puzzle,solution,status,count,guesses,nanos\n"));
    assert_eq!(out.lines().count(), 5, "one header");
    let places: Vec<String> = outcome.malformed.iter().map(ToString::to_string).collect();
    assert!(places[0].starts_with("one:2:1: ") && places[1].starts_with("two:2:1: "), "{places:?}");
    assert_eq!((outcome.inputs.len(), outcome.tally.records()), (2, 4));
    assert_eq!(
        outcome.slowest.iter().map(|slow| (slow.input, slow.line)).collect::<Vec<_>>(),
        [(0, 1), (1, 1)]
    );
}

#[test]
fn times_are_taken_if_wanted() {
    let options = options().times(true).slowest(3);
    let outcome = solve(&mut stream(&*mixed().text), "bitboard", options).1;
    assert_eq!(outcome.tally.nanos.count(), outcome.tally.puzzles());
    assert_eq!(outcome.slowest.len(), 3);
    assert!(outcome.slowest.is_sorted_by(|one, next| one.nanos >= next.nanos));
    let slow = &outcome.slowest[0];
    assert_eq!(mixed().lines[slow.line as usize - 1], slow.puzzle);
}

/// The slowest puzzles are measured again: one during which the core did something else is none of them.
#[test]
fn an_interruption_makes_no_puzzle_slow() {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    static INTERRUPTED: Entry = Entry::new("interrupted", |rules, isa| {
        altered(rules, isa, |_, _, _| {
            if CALLS.fetch_add(1, Ordering::Relaxed) == 40 {
                // The run measures this pause: it waits for nothing.
                std::thread::sleep(Duration::from_millis(30));
            }
        })
    });
    let text: String = mixed().text.lines().take(100).map(|line| line.to_owned() + "\n").collect();
    let options = options().times(true).slowest(3).threads(NonZero::new(1));
    let outcome = crate::solve(&mut stream(text), &INTERRUPTED, options).unwrap().1;
    assert!(outcome.tally.nanos.max() >= 30_000_000);
    assert!(
        outcome.slowest.iter().all(|slow| (1..30_000_000).contains(&slow.nanos)),
        "{:?}",
        outcome.slowest
    );
    // Guesses do not depend on the clock.
    let most = &outcome.most_guesses;
    assert!(most.len() <= 3 && most.is_sorted_by(|one, next| one.guesses >= next.guesses));
    assert_eq!(most[0].guesses, outcome.tally.guesses.max());
}

/// What a run that fails wrote, and its error.
fn fail(
    source: &mut Source,
    entry: &Entry,
    options: SolveOptions<'_>,
    watch: &mut dyn Watch,
) -> (String, galop_batch::Error) {
    let mut out = Vec::new();
    let mut road = SolveRun::open(&Rules::default(), entry, options).unwrap();
    let error = road.solve(source, &mut out, watch).unwrap_err();
    (String::from_utf8(out).unwrap(), error)
}

/// An endless source: one line again and again.
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
    let (out, error) = fail(&mut endless(), named("bitboard"), options().stop(&stop), &mut ());
    assert!(matches!(error.kind(), ErrorKind::Stopped), "{error}");
    assert_eq!(out, "");

    struct Stop<'a>(&'a AtomicBool);
    impl Watch for Stop<'_> {
        fn advanced(&mut self, _: u64, records: u64) {
            self.0.store(records > 100, Ordering::Relaxed);
        }
    }
    stop.store(false, Ordering::Relaxed);
    let options = options().stop(&stop);
    let (out, error) = fail(&mut endless(), named("bitboard"), options, &mut Stop(&stop));
    assert!(matches!(error.kind(), ErrorKind::Stopped), "{error}");
    let line = format!("{PUZZLE},{SOLUTION}\n");
    assert!(out.len() > 100 * line.len());
    assert_eq!(out, line.repeat(out.len() / line.len()), "whole lines from the beginning");
}

/// Even if its puzzles would never end.
#[test]
fn a_stop_ends_a_batch_of_many_puzzles() {
    struct Stop<'a>(&'a AtomicBool);
    impl Watch for Stop<'_> {
        fn working(&mut self, _: u64, _: u64) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let stop = AtomicBool::new(false);
    let text = format!("{}\n", ".".repeat(81)).repeat(3_000);
    let options = options().limits(Limits::ALL).stop(&stop).chunk_bytes(NonZero::new(1 << 20));
    let (_, error) = fail(&mut stream(text), named("lanes"), options, &mut Stop(&stop));
    assert!(matches!(error.kind(), ErrorKind::Stopped), "{error}");
}

/// The bitboard engine, with a wrong solution for one puzzle.
const LIAR: Entry = Entry {
    about: "lies",
    max_guesses: 1_000_000,
    ..Entry::new("liar", |rules, isa| {
        altered(rules, isa, |puzzle, solution, _| {
            if puzzle.starts_with(&[4, 0, 0, 0, 0, 0, 8]) {
                solution.swap(1, 2);
            }
        })
    })
};

/// The most puzzles that [`BATCHED`] got in one call. (One test uses it.)
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The bitboard engine as an engine that solves many puzzles at once.
struct Batched(Box<dyn Engine>);

impl Engine for Batched {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        MOST.fetch_max(puzzles.len(), Ordering::Relaxed);
        self.0.solve(puzzles, limits, answers)?;
        answers.iter_mut().for_each(|(_, answer)| answer.effort.cost = 1);
        Ok(())
    }

    fn is_batched(&self) -> bool {
        true
    }
}

const BATCHED: Entry = Entry {
    about: "solves many at once",
    max_guesses: 1_000_000,
    ..Entry::new("batched", |rules, isa| Ok(Box::new(Batched(bitboard(rules, isa)?))))
};

#[test]
fn an_engine_that_solves_many_puzzles_at_once_gets_thousands() {
    let text = mixed().text.repeat(50);
    let expected = solve(&mut stream(&*text), "bitboard", options()).0;
    for threads in [1, 3] {
        let options =
            SolveOptions::default().threads(NonZero::new(threads)).chunk_bytes(NonZero::new(0)).times(true);
        let (out, outcome) = crate::solve(&mut stream(&*text), &BATCHED, options).unwrap();
        assert_eq!(out, expected);
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
            let options = options()
                .threads(NonZero::new(threads))
                .chunk_bytes(NonZero::new(chunk_bytes))
                .limits(limits);
            let (out, error) = fail(&mut stream(&*mixed.text), &LIAR, options, &mut ());
            let Some(wrong) = error.fact::<WrongSolution>() else { panic!("{error}") };
            assert_eq!(wrong.engine, "liar");
            assert_eq!(wrong.puzzle, PUZZLE.replace('.', "0"));
            assert_eq!(wrong.solution[..3], *"471");
            let message = error.to_string();
            assert!(message.starts_with(&format!("file:{line}: ")), "{message}");
            assert!(message.contains(&wrong.violation.to_string()) && message.contains(&wrong.puzzle));
            let honest = plain_loop(&mixed.lines, named("bitboard"), limits).0;
            assert!(honest.starts_with(&out), "only right answers");
            assert!(!out.contains(PUZZLE));
        }
    }
}

/// The bitboard engine, but it forgets one puzzle.
const FORGETFUL: Entry = Entry {
    about: "forgets a puzzle",
    max_guesses: 1_000_000,
    ..Entry::new("forgetful", |rules, isa| {
        altered(rules, isa, |puzzle, _, answer| {
            if puzzle.starts_with(&[4, 0, 0, 0, 0, 0, 8]) {
                *answer = Answer::default();
            }
        })
    })
};

/// A record without an answer is not left out: the run fails, and no later record gets the answer of another one.
#[test]
fn a_forgotten_puzzle_ends_the_run() {
    let mixed = mixed();
    let line = 1 + mixed.lines.iter().position(|line| line == PUZZLE).unwrap();
    for (threads, chunk_bytes) in [(1, 100_000), (3, 500)] {
        let (threads, chunk_bytes) = (NonZero::new(threads), NonZero::new(chunk_bytes));
        let options = options().threads(threads).chunk_bytes(chunk_bytes);
        let (out, error) = fail(&mut stream(&*mixed.text), &FORGETFUL, options, &mut ());
        assert!(error.fact::<Unanswered>().is_some(), "{error}");
        let message = error.to_string();
        assert!(
            message.starts_with(&format!("file:{line}: ")) && message.contains("`forgetful`"),
            "{message}"
        );
        let honest = plain_loop(&mixed.lines, named("bitboard"), Limits::ANY).0;
        assert!(honest.starts_with(&out) && !out.contains(PUZZLE));
    }
}

/// After an error the pipeline still answers the next source, and claims no answer that it did not give.
#[test]
fn the_pipeline_can_be_used_after_an_error() {
    let mut road = SolveRun::open(&Rules::default(), &LIAR, options()).unwrap();
    let mut out = Vec::new();
    for _ in 0..50 {
        road.solve(&mut endless(), &mut out, &mut ()).unwrap_err();
    }
    road.solve(&mut stream(SOLUTION), &mut out, &mut ()).unwrap();
    road.finish(&mut out).unwrap();
    assert_eq!(out, format!("{SOLUTION},{SOLUTION}\n").as_bytes());
}

#[test]
fn a_panic_in_an_engine_reaches_the_caller() {
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
        let options = options().threads(NonZero::new(threads));
        let mut road = SolveRun::open(&Rules::default(), &entry, options).unwrap();
        let solve = || road.solve(&mut endless(), &mut io::sink(), &mut ());
        let result = catch_unwind(AssertUnwindSafe(solve));
        assert_eq!(result.unwrap_err().downcast_ref(), Some(&"on purpose"));
    }
}

/// Writes to the file that is being read each time a chunk is answered.
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
            // A time long ago, so that the coarse steps of file times do not hide the change.
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            drop(file);
            let mut source = open(&path, map);
            let mut once = Some(meddle);
            let mut watch = Meddler(|| once.take().into_iter().for_each(|meddle| meddle()));
            let (_, error) = fail(&mut source, named("bitboard"), options(), &mut watch);
            assert!(matches!(error.fact(), Some(galop_batch::input::InputError::Changed)), "{error}");
            assert_eq!(error.path(), Some(&*path));
        }
        // A file that does not change is no error.
        solve(&mut open(&path, map), "bitboard", options());
    }
}

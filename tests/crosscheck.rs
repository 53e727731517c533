//! The second opinion: lies of every kind are found, differences that are none are not, and the sample is the
//! same for any threads and chunks.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use galop::generate::{self, Recipe, Wish};
use galop::input::source::Source;
use galop::pipeline::crosscheck::{Checked, Sample};
use galop::pipeline::solve::{Options, Outcome, Road};
use galop::{
    Answer, Answers, Disagreement, ENGINES, Each, Engine, Entry, Error, ErrorKind, Limits, Puzzles, Rules,
    Search, Status, Unsupported, engine, second_for,
};

const SOLUTION: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";
const ALL: Sample = Sample { share: 1.0, seed: 0 };

/// A puzzle with very many solutions: the upper three rows are blank, so that any two of them may change places.
fn open() -> String {
    format!("{}{}", ".".repeat(30), &SOLUTION[30..])
}

/// A puzzle without solution.
fn none() -> String {
    format!("11{}", ".".repeat(79))
}

/// 200 puzzles with one solution; every tenth line is one with many, every tenth one with none.
fn lines() -> &'static [String] {
    static LINES: OnceLock<Vec<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let mut puzzles = Vec::new();
        let recipe = Recipe::new(5, Wish::Clues(26..=32));
        generate::run(&recipe, 200, &AtomicBool::new(false), &mut |some, _| {
            puzzles.extend_from_slice(some);
            Ok(())
        })
        .unwrap();
        let puzzles = String::from_utf8(puzzles).unwrap();
        let mut puzzles = puzzles.lines();
        let line = |line| match line % 10 {
            3 => open(),
            7 => none(),
            _ => puzzles.next().unwrap().to_owned(),
        };
        (0..250).map(line).collect()
    })
}

fn cells(line: &str) -> Vec<u8> {
    line.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
}

fn options(limits: Limits, sample: Sample) -> Options<'static> {
    Options { limits, threads: 2, chunk_bytes: 500, crosscheck: Some(sample), ..Options::default() }
}

fn run(text: &str, entry: &Entry, options: Options<'_>) -> Result<Outcome, Error> {
    let mut source = Source::stream("file", Cursor::new(text.as_bytes().to_vec()));
    let mut road = Road::open(&Rules::sudoku(), entry, options, Vec::new())?;
    road.solve(&mut source, &mut ())?;
    road.close().map(|(_, outcome)| outcome)
}

/// The bitboard engine with something done to its answers.
struct Liar {
    honest: Box<dyn Engine>,
    lie: Lie,
}

type Lie = fn(&[u8], &mut [u8], &mut Answer);

impl Search for Liar {
    fn cells(&self) -> usize {
        81
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let mut answer = [Answer::default()];
        let mut places = Answers::new(solution, &mut answer, 81);
        self.honest.solve(Puzzles::new(puzzle, 81), limits, &mut places).unwrap();
        (self.lie)(puzzle, solution, &mut answer[0]);
        answer[0]
    }
}

fn make(rules: &Rules, lie: Lie) -> Result<Box<dyn Engine>, Unsupported> {
    let bitboard = engine("bitboard").unwrap();
    Ok(Box::new(Each(Liar { honest: (bitboard.make)(rules, galop::Isa::best())?, lie })))
}

const LIAR: Entry =
    Entry { about: "lies", max_guesses: 1_000_000, ..Entry::new("liar", |_, _| unreachable!()) };

/// Denies all solutions.
const DENIES: Entry = Entry { make: |rules, _| make(rules, |_, _, answer| answer.solutions = 0), ..LIAR };

/// Never sees more than one solution.
const OVERLOOKS: Entry =
    Entry { make: |rules, _| make(rules, |_, _, answer| answer.solutions = answer.solutions.min(1)), ..LIAR };

/// Counts a solution twice.
const DOUBLES: Entry = Entry { make: |rules, _| make(rules, |_, _, answer| answer.solutions *= 2), ..LIAR };

/// Gives up before it finds anything.
const GIVES_UP: Entry = Entry {
    make: |rules, _| {
        make(rules, |_, _, answer| {
            *answer = Answer::limited(0).with_effort(answer.effort);
        })
    },
    ..LIAR
};

/// Gives up, and has found a solution twice before.
const GIVES_UP_LATE: Entry = Entry {
    make: |rules, _| {
        make(rules, |_, _, answer| {
            *answer = Answer::limited(2 * answer.solutions).with_effort(answer.effort);
        })
    },
    ..LIAR
};

/// Comes upon another solution first, where there are several; no lie.
const TURNS: Entry = Entry {
    make: |rules, _| {
        make(rules, |puzzle, solution, _| {
            if puzzle[..27].iter().all(|&cell| cell == 0) {
                let (upper, lower) = solution.split_at_mut(9);
                upper.swap_with_slice(&mut lower[..9]);
            }
        })
    },
    ..LIAR
};

const TEN: Limits = Limits::count(10);

#[track_caller]
fn difference(line: &str, entry: &Entry, limits: Limits) -> Disagreement {
    let error = run(&format!("# a comment\n{line}\n"), entry, options(limits, ALL)).unwrap_err();
    assert!(error.to_string().starts_with("file:2: two engines contradict each other"), "{error}");
    let ErrorKind::Disagreement(disagreement) = error.kind() else { panic!("{error}") };
    assert_eq!(disagreement.puzzle, line.replace('.', "0"));
    assert_eq!(disagreement.opinions.each_ref().map(|opinion| opinion.engine), ["liar", "dlx"]);
    (**disagreement).clone()
}

#[track_caller]
fn no_difference(line: &str, entry: &Entry, limits: Limits) -> Checked {
    run(line, entry, options(limits, ALL)).unwrap().crosscheck.unwrap()
}

#[test]
fn lies_are_found() {
    let only = &lines()[0];
    let counts = |disagreement: Disagreement| disagreement.opinions.map(|opinion| opinion.solutions);
    for limits in [Limits::ANY, Limits::UNIQUE, TEN] {
        assert_eq!(counts(difference(only, &DENIES, limits)), [0, 1]);
        assert_eq!(counts(difference(&open(), &DENIES, limits)), [0, limits.solutions().unwrap()]);
    }
    assert_eq!(counts(difference(&open(), &OVERLOOKS, Limits::UNIQUE)), [1, 2]);
    assert_eq!(counts(difference(&open(), &OVERLOOKS, TEN)), [1, 10]);
    assert_eq!(counts(difference(only, &DOUBLES, Limits::UNIQUE)), [2, 1]);
    // It gave up, but what it found is too much.
    assert_eq!(counts(difference(only, &GIVES_UP_LATE, TEN)), [2, 1]);
}

#[test]
fn the_message_has_the_puzzle_and_both_opinions() {
    let line = &lines()[0];
    let error = run(line, &DENIES, options(Limits::UNIQUE, ALL)).unwrap_err();
    let ErrorKind::Disagreement(disagreement) = error.kind() else { panic!("{error}") };
    let solution = disagreement.opinions[1].solution.as_ref().unwrap();
    assert_eq!(
        error.to_string(),
        format!(
            "file:1: two engines contradict each other\n  puzzle {}\n  liar   no solution\n  dlx    1 solution \
             {solution}\nthis is a bug in galop, in `liar` or `dlx`",
            line.replace('.', "0")
        )
    );
    let error = run(&open(), &GIVES_UP_LATE, options(Limits::count(9), ALL)).unwrap_err();
    assert!(error.to_string().contains("\n  liar   gave up after 18 solutions, the first "), "{error}");
}

#[test]
fn what_may_differ_is_no_difference() {
    let only = &lines()[0];
    for limits in [Limits::ANY, Limits::UNIQUE, TEN] {
        for line in [only, &open(), &none()] {
            let checked = no_difference(line, &TURNS, limits);
            assert_eq!((checked.puzzles, checked.undecided), (1, 0), "{limits:?}");
        }
        // Nothing was claimed.
        let checked = no_difference(only, &GIVES_UP, limits);
        assert_eq!((checked.puzzles, checked.undecided), (1, 1));
    }
    // Not asked for more than one.
    no_difference(&open(), &OVERLOOKS, Limits::ANY);
}

/// Wrong in itself: there the independent check is the first to see it.
#[test]
fn a_solution_that_breaks_the_rules_is_told_as_such() {
    let liar = Entry { make: |rules, _| make(rules, |_, solution, _| solution.swap(0, 1)), ..LIAR };
    let error = run(&lines()[0], &liar, options(Limits::UNIQUE, ALL)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WrongSolution(_)), "{error}");
}

#[test]
fn every_engine_has_its_second() {
    let text = lines().join("\n");
    for entry in ENGINES {
        for limits in [Limits::ANY, Limits::UNIQUE, TEN] {
            let outcome = run(&text, entry, options(limits, ALL)).unwrap();
            let checked = outcome.crosscheck.unwrap();
            assert_eq!(outcome.tally.of(Status::None), 25);
            // A stuck puzzle is one given up: it claims nothing.
            let stuck = outcome.tally.of(Status::Stuck);
            assert!(stuck == 0 || entry.may_be_stuck, "{}", entry.name);
            assert_eq!((checked.puzzles, checked.undecided), (250, stuck), "{}", entry.name);
            assert_eq!(checked.engine, second_for(&Rules::sudoku(), entry).name);
            assert_ne!(checked.engine, entry.name);
        }
    }
}

#[test]
fn limits_on_guesses_leave_puzzles_open() {
    let text = lines().join("\n");
    let limits = Limits::UNIQUE.with_guesses(0);
    let outcome = run(&text, engine("backtrack").unwrap(), options(limits, ALL)).unwrap();
    assert_eq!(outcome.crosscheck.unwrap().undecided, outcome.tally.of(Status::Limit));
    assert!(outcome.tally.of(Status::Limit) > 100);
}

#[test]
fn none_or_all_or_a_share_is_checked() {
    let text = format!("malformed\n{}\n", lines().join("\n"));
    let bitboard = engine("bitboard").unwrap();
    let checked = |sample| run(&text, bitboard, options(Limits::ANY, sample)).unwrap().crosscheck.unwrap();
    assert_eq!(checked(Sample { share: 0.0, ..ALL }).puzzles, 0);
    assert_eq!(checked(ALL).puzzles, 250, "a malformed record is no puzzle");
    let some = checked(Sample { share: 0.3, ..ALL }).puzzles;
    assert!((30..120).contains(&some), "{some}");
    let unchecked = Options { crosscheck: None, ..options(Limits::ANY, ALL) };
    assert_eq!(run(&text, bitboard, unchecked).unwrap().crosscheck, None);
    // Nobody looks, nobody sees.
    run(&text, &DENIES, options(Limits::ANY, Sample { share: 0.0, ..ALL })).unwrap();
}

#[test]
fn the_same_puzzles_for_any_threads_and_chunks() {
    let text = lines().join("\n");
    let bitboard = engine("bitboard").unwrap();
    for seed in [0, 1, 2] {
        let sample = Sample { share: 0.05, seed };
        let is_drawn = |line: &&String| sample.has(&cells(line));
        let drawn = lines().iter().filter(is_drawn).count() as u64;
        let denied = |line: &&String| **line != none() && is_drawn(line);
        let first = 1 + lines().iter().position(|line| denied(&line)).unwrap();
        for (threads, chunk_bytes) in [(1, 100_000), (1, 64), (2, 500), (3, 1000), (8, 200)] {
            let options = Options { threads, chunk_bytes, ..options(Limits::ANY, sample) };
            let checked = run(&text, bitboard, options).unwrap().crosscheck.unwrap();
            assert_eq!(checked.puzzles, drawn);
            let error = run(&text, &DENIES, options).unwrap_err().to_string();
            assert!(error.starts_with(&format!("file:{first}: ")), "{threads} {chunk_bytes}: {error}");
        }
        // Line by line: the very same.
        for line in lines() {
            let checked = run(line, bitboard, options(Limits::ANY, sample)).unwrap().crosscheck.unwrap();
            assert_eq!(checked.puzzles, u64::from(is_drawn(&line)));
        }
    }
}

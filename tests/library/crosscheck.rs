//! The second opinion: every kind of wrong answer is found, differences that are allowed are not reported, and the
//! sample is the same for any threads and chunks.

use std::num::NonZero;
use std::sync::OnceLock;

use galop_batch::Error;
use galop_batch::pipeline::{CrosscheckCounts, Disagreement, Sample, SolveOptions, SolveOutcome};
use galop_corpora::generate::{Recipe, Wish};
use galop_engines::Rules;
use galop_engines::engine::{Entry, second_for};
use galop_engines::grid::WrongSolution;
use galop_engines::puzzle::{Answer, Limits, Status};

use crate::{solve, stream};
use galop_testing::altered::altered;
use galop_testing::engines::named;
use galop_testing::puzzles::{cells, contradictory, generated, open_puzzle};

const ALL: Sample = Sample { share: 1.0, seed: 0 };

/// 250 puzzles: 200 with one solution; in each ten lines one with many, and one with none.
fn lines() -> &'static [String] {
    static LINES: OnceLock<Vec<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let puzzles = generated(&Recipe::new(5, Wish::Clues(26..=32)), 200).0;
        let mut puzzles = puzzles.lines();
        let line = |line| match line % 10 {
            3 => open_puzzle(),
            7 => contradictory(),
            _ => puzzles.next().unwrap().to_owned(),
        };
        (0..250).map(line).collect()
    })
}

fn options(limits: Limits, sample: Sample) -> SolveOptions<'static> {
    SolveOptions::default()
        .limits(limits)
        .threads(NonZero::new(2))
        .chunk_bytes(NonZero::new(500))
        .crosscheck(Some(sample))
}

fn run(text: &str, entry: &Entry, options: SolveOptions<'_>) -> Result<SolveOutcome, Error> {
    solve(&mut stream(text), entry, options).map(|(_, outcome)| outcome)
}

const LIAR: Entry =
    Entry { about: "lies", max_guesses: 1_000_000, ..Entry::new("liar", |_, _| unreachable!()) };

/// Denies all solutions.
const DENIES: Entry =
    Entry { make: |rules, isa| altered(rules, isa, |_, _, answer| answer.solutions = 0), ..LIAR };

/// Never finds more than one solution.
const OVERLOOKS: Entry = Entry {
    make: |rules, isa| altered(rules, isa, |_, _, answer| answer.solutions = answer.solutions.min(1)),
    ..LIAR
};

/// Counts every solution twice.
const DOUBLES: Entry =
    Entry { make: |rules, isa| altered(rules, isa, |_, _, answer| answer.solutions *= 2), ..LIAR };

/// Gives up before it finds anything.
const GIVES_UP: Entry = Entry {
    make: |rules, isa| {
        altered(rules, isa, |_, _, answer| *answer = Answer::limited(0).with_effort(answer.effort))
    },
    ..LIAR
};

/// Gives up after it found a solution twice.
const GIVES_UP_LATE: Entry = Entry {
    make: |rules, isa| {
        altered(rules, isa, |_, _, answer| {
            *answer = Answer::limited(2 * answer.solutions).with_effort(answer.effort);
        })
    },
    ..LIAR
};

/// Finds another solution first if there are several, which is right.
const TURNS: Entry = Entry {
    make: |rules, isa| {
        altered(rules, isa, |puzzle, solution, _| {
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
    let Some(disagreement) = error.fact::<Disagreement>() else { panic!("{error}") };
    assert_eq!(disagreement.puzzle, line.replace('.', "0"));
    assert_eq!(disagreement.opinions.each_ref().map(|opinion| &*opinion.engine), ["liar", "dlx"]);
    disagreement.clone()
}

#[track_caller]
fn no_difference(line: &str, entry: &Entry, limits: Limits) -> CrosscheckCounts {
    run(line, entry, options(limits, ALL)).unwrap().crosscheck.unwrap()
}

#[test]
fn wrong_answers_are_found() {
    let only = &lines()[0];
    let counts = |disagreement: Disagreement| disagreement.opinions.map(|opinion| opinion.solutions);
    for limits in [Limits::ANY, Limits::UNIQUE, TEN] {
        assert_eq!(counts(difference(only, &DENIES, limits)), [0, 1]);
        assert_eq!(counts(difference(&open_puzzle(), &DENIES, limits)), [0, limits.solutions().unwrap()]);
    }
    assert_eq!(counts(difference(&open_puzzle(), &OVERLOOKS, Limits::UNIQUE)), [1, 2]);
    assert_eq!(counts(difference(&open_puzzle(), &OVERLOOKS, TEN)), [1, 10]);
    assert_eq!(counts(difference(only, &DOUBLES, Limits::UNIQUE)), [2, 1]);
    // It gave up, but it found too many solutions.
    assert_eq!(counts(difference(only, &GIVES_UP_LATE, TEN)), [2, 1]);
}

#[test]
fn the_message_has_the_puzzle_and_both_opinions() {
    let line = &lines()[0];
    let error = run(line, &DENIES, options(Limits::UNIQUE, ALL)).unwrap_err();
    let Some(disagreement) = error.fact::<Disagreement>() else { panic!("{error}") };
    let solution = disagreement.opinions[1].solution.as_ref().unwrap();
    assert_eq!(
        error.to_string(),
        format!(
            "file:1: two engines contradict each other\n  puzzle {}\n  liar   no solution\n  dlx    1 solution \
             {solution}\nthis is a bug in galop, in `liar` or `dlx`",
            line.replace('.', "0")
        )
    );
    let error = run(&open_puzzle(), &GIVES_UP_LATE, options(Limits::count(9), ALL)).unwrap_err();
    assert!(error.to_string().contains("\n  liar   gave up after 18 solutions, the first "), "{error}");
}

#[test]
fn allowed_differences_are_not_reported() {
    let only = &lines()[0];
    for limits in [Limits::ANY, Limits::UNIQUE, TEN] {
        for line in [only, &open_puzzle(), &contradictory()] {
            let checked = no_difference(line, &TURNS, limits);
            assert_eq!((checked.puzzles, checked.undecided), (1, 0), "{limits:?}");
        }
        // An engine that gave up claims nothing.
        let checked = no_difference(only, &GIVES_UP, limits);
        assert_eq!((checked.puzzles, checked.undecided), (1, 1));
    }
    // One solution was enough.
    no_difference(&open_puzzle(), &OVERLOOKS, Limits::ANY);
}

/// A solution that breaks the rules is found by the independent check before the second opinion.
#[test]
fn a_solution_that_breaks_the_rules_is_a_wrong_solution() {
    let liar = Entry { make: |rules, isa| altered(rules, isa, |_, solution, _| solution.swap(0, 1)), ..LIAR };
    let error = run(&lines()[0], &liar, options(Limits::UNIQUE, ALL)).unwrap_err();
    assert!(error.fact::<WrongSolution>().is_some(), "{error}");
}

#[test]
fn every_engine_has_a_second_engine() {
    let text = lines().join("\n");
    for entry in galop_published::all() {
        for limits in [Limits::ANY, Limits::UNIQUE, TEN] {
            let outcome = run(&text, entry, options(limits, ALL)).unwrap();
            let checked = outcome.crosscheck.unwrap();
            assert_eq!(outcome.tally.of(Status::None), 25);
            // An engine that is stuck has given up: it claims nothing.
            let stuck = outcome.tally.of(Status::Stuck);
            assert!(stuck == 0 || entry.may_be_stuck, "{}", entry.name);
            assert_eq!((checked.puzzles, checked.undecided), (250, stuck), "{}", entry.name);
            assert_eq!(checked.engine, second_for(&Rules::default(), entry).name);
            assert_ne!(checked.engine, entry.name);
        }
    }
}

#[test]
fn limits_on_guesses_leave_puzzles_open_puzzle() {
    let text = lines().join("\n");
    let limits = Limits::UNIQUE.with_guesses(0);
    let outcome = run(&text, named("backtrack"), options(limits, ALL)).unwrap();
    assert_eq!(outcome.crosscheck.unwrap().undecided, outcome.tally.of(Status::Limit));
    assert!(outcome.tally.of(Status::Limit) > 100);
}

#[test]
fn none_all_or_a_share_is_checked() {
    let text = format!("malformed\n{}\n", lines().join("\n"));
    let bitboard = named("bitboard");
    let checked = |sample| run(&text, bitboard, options(Limits::ANY, sample)).unwrap().crosscheck.unwrap();
    assert_eq!(checked(Sample { share: 0.0, ..ALL }).puzzles, 0);
    assert_eq!(checked(ALL).puzzles, 250, "a malformed record is no puzzle");
    let some = checked(Sample { share: 0.3, ..ALL }).puzzles;
    assert!((30..120).contains(&some), "{some}");
    let unchecked = options(Limits::ANY, ALL).crosscheck(None);
    assert_eq!(run(&text, bitboard, unchecked).unwrap().crosscheck, None);
    // Without a sample wrong answers pass.
    run(&text, &DENIES, options(Limits::ANY, Sample { share: 0.0, ..ALL })).unwrap();
}

#[test]
fn the_same_puzzles_for_any_threads_and_chunks() {
    let text = lines().join("\n");
    let bitboard = named("bitboard");
    for seed in [0, 1, 2] {
        let sample = Sample { share: 0.05, seed };
        let is_drawn = |line: &&String| sample.has(&cells(line));
        let drawn = lines().iter().filter(is_drawn).count() as u64;
        let denied = |line: &&String| **line != contradictory() && is_drawn(line);
        let first = 1 + lines().iter().position(|line| denied(&line)).unwrap();
        for (threads, chunk_bytes) in [(1, 100_000), (1, 64), (2, 500), (3, 1000), (8, 200)] {
            let options = options(Limits::ANY, sample)
                .threads(NonZero::new(threads))
                .chunk_bytes(NonZero::new(chunk_bytes));
            let checked = run(&text, bitboard, options).unwrap().crosscheck.unwrap();
            assert_eq!(checked.puzzles, drawn);
            let error = run(&text, &DENIES, options).unwrap_err().to_string();
            assert!(error.starts_with(&format!("file:{first}: ")), "{threads} {chunk_bytes}: {error}");
        }
        // Line by line the sample is the same.
        for line in lines() {
            let checked = run(line, bitboard, options(Limits::ANY, sample)).unwrap().crosscheck.unwrap();
            assert_eq!(checked.puzzles, u64::from(is_drawn(&line)));
        }
    }
}

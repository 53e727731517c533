//! Engines side by side: what is fair about it, what ends it, and what it reports.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use galop_batch::input::Source;
use galop_batch::pipeline::Disagreement;
use galop_batch::{Error, ErrorKind};
use galop_compare::{Comparison, Plan, PlanError, Row, Set, Watch, compare};
use galop_engines::Rules;
use galop_engines::engine::WrongLength;
use galop_engines::engine::{Engine, Entry};
use galop_engines::grid::WrongSolution;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};
use serde_json::Value;

use galop_testing::altered::altered;
use galop_testing::engines::named;
use galop_testing::puzzles::{PUZZLE, SOLUTION};
use galop_testing::wait;

/// The first `count` puzzles of a file of `data/`, with a comment and a malformed line among them.
fn text(count: usize) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/minimal_10k.txt");
    let puzzles = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<&str> = puzzles.lines().filter(|line| !line.starts_with('#')).take(count).collect();
    lines.insert(2, "# a comment");
    lines.insert(4, "wrong");
    lines.join("\n") + "\n"
}

fn set(text: &str) -> Set {
    let mut set = Set::new(&Rules::default());
    set.read(&mut Source::stream("file", Cursor::new(text.to_owned())), &mut |_| {}).unwrap();
    set
}

fn rows(names: &[&str]) -> Vec<&'static Entry> {
    names.iter().map(|name| named(name)).collect()
}

/// Two runs without a limit on time.
fn plan(engines: &[&'static Entry]) -> Plan<'static> {
    Plan { runs: 2, budget: None, ..Plan::new(engines) }
}

fn compared(text: &str, plan: &Plan<'_>) -> Comparison {
    compare(&Rules::default(), &set(text), plan, &mut ()).unwrap()
}

fn failed(text: &str, plan: &Plan<'_>) -> Error {
    compare(&Rules::default(), &set(text), plan, &mut ()).unwrap_err()
}

/// The figures of an engine that do not depend on the clock.
fn counted(comparison: &Comparison, name: &str) -> [Value; 5] {
    let figures = engine(comparison, name);
    let guesses = &figures["guesses"];
    [
        &figures["puzzles"],
        &figures["counts"],
        &guesses["histogram"],
        &guesses["sum"],
        &figures["calls"]["histogram"],
    ]
    .map(Value::clone)
}

/// The figures of a comparison, as in its JSON report.
fn json(comparison: &Comparison) -> Value {
    serde_json::to_value(comparison).unwrap()
}

/// The figures of an engine.
fn engine(comparison: &Comparison, name: &str) -> Value {
    let json = json(comparison);
    json["engines"].as_array().unwrap().iter().find(|figures| figures["name"] == name).unwrap().clone()
}

/// A status's count of an engine.
fn status(figures: &Value, status: &str) -> u64 {
    figures["counts"][status].as_u64().unwrap()
}

fn clues(puzzle: &[u8]) -> usize {
    puzzle.iter().filter(|&&cell| cell > 0).count()
}

/// Overlooks the solution of a puzzle of 19 clues.
const LIAR: Entry = Entry {
    ..Entry::new("liar", |rules, isa| {
        altered(rules, isa, |puzzle, _, answer| {
            if clues(puzzle) == 19 {
                *answer = Answer::complete(0).with_effort(answer.effort);
            }
        })
    })
};

/// Gives a wrong solution of a puzzle of 19 clues.
const BUNGLER: Entry = Entry {
    ..Entry::new("bungler", |rules, isa| {
        altered(rules, isa, |puzzle, solution, _| {
            if clues(puzzle) == 19 {
                solution.swap(1, 2);
            }
        })
    })
};

/// Never finishes a puzzle of fewer than 24 clues.
const STUCK: Entry = Entry {
    may_be_stuck: true,
    ..Entry::new("stuck", |rules, isa| {
        altered(rules, isa, |puzzle, solution, answer| {
            if clues(puzzle) < 24 {
                solution.fill(0);
                *answer = Answer::stuck().with_effort(answer.effort);
            }
        })
    })
};

/// Works for two milliseconds on each puzzle.
const SLOW: Entry = Entry {
    ..Entry::new("slow", |rules, isa| {
        altered(rules, isa, |_, _, _| {
            let started = Instant::now();
            while started.elapsed() < Duration::from_millis(2) {}
        })
    })
};

/// The puzzles in the order in which [`WITNESS`] got them. (One test uses it.)
static SEEN: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

const WITNESS: Entry = Entry {
    ..Entry::new("witness", |rules, isa| {
        altered(rules, isa, |puzzle, _, _| SEEN.lock().unwrap().push(puzzle.to_vec()))
    })
};

#[test]
fn counts_depend_neither_on_threads_nor_on_the_order_of_engines() {
    let text = text(1000);
    let names: Vec<&str> =
        galop_published::all().map(|entry| entry.name).filter(|name| *name != "backtrack").collect();
    let backwards: Vec<&str> = names.iter().rev().copied().collect();
    let (engines, turned) = (rows(&names), rows(&backwards));
    let one = compared(&text, &Plan { solutions: 2, ..plan(&engines) });
    let three = compared(&text, &Plan { solutions: 2, threads: NonZero::new(3), ..plan(&turned) });
    for name in names {
        assert_eq!(counted(&one, name), counted(&three, name), "{name}");
        assert_eq!(counted(&one, name)[0], 1000);
    }
    let threads = |comparison| json(comparison)["options"]["threads"].clone();
    assert_eq!([threads(&one), threads(&three)], [1, 3]);
}

#[test]
fn another_seed_has_other_permutations() {
    let (text, engines) = (text(1000), rows(&["backtrack"]));
    let guesses = |seed, is_permuted| {
        let plan = Plan { seed, is_permuted, max_guesses: Some(200), ..plan(&engines) };
        counted(&compared(&text, &plan), "backtrack")
    };
    assert_eq!(guesses(1, true), guesses(1, true));
    assert_ne!(guesses(1, true), guesses(2, true));
    assert_eq!(guesses(1, false), guesses(2, false));
}

/// The warm-up and runs that are not permuted have the puzzles as they were read. A permuted run has an image of each
/// puzzle, once.
#[test]
fn runs_have_every_puzzle_once() {
    let text = text(40);
    let lines: Vec<&str> = text.lines().filter(|line| line.len() == 81).collect();
    let plain: Vec<Vec<u8>> = lines
        .iter()
        .map(|line| line.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect())
        .collect();
    let engines = [&WITNESS, named("bitboard")];
    compared(&text, &Plan { is_permuted: false, ..plan(&engines) });
    assert_eq!(std::mem::take(&mut *SEEN.lock().unwrap()), [&plain[..], &plain, &plain].concat());
    compared(&text, &plan(&engines));
    let seen = std::mem::take(&mut *SEEN.lock().unwrap());
    assert_eq!(seen[..40], plain[..]);
    let sorted_clues = |puzzles: &[Vec<u8>]| {
        let mut all: Vec<usize> = puzzles.iter().map(|puzzle| clues(puzzle)).collect();
        all.sort_unstable();
        all
    };
    for run in [&seen[40..80], &seen[80..]] {
        assert_eq!(sorted_clues(run), sorted_clues(&plain));
        assert!(run.iter().all(|puzzle| !plain.contains(puzzle)), "every puzzle is another");
    }
    assert_ne!(seen[40..80], seen[80..]);
}

/// A file with one puzzle of 19 clues in the middle, and the number of its line.
fn with_one_of_19(count: usize) -> (String, u64) {
    let text = text(count)
        .lines()
        .filter(|line| line.bytes().filter(u8::is_ascii_digit).count() != 19)
        .fold(String::new(), |text, line| text + line + "\n");
    let line = text.lines().count() as u64 + 1;
    (format!("{text}{}\n{}", fill(PUZZLE, 19), self::text(300)), line)
}

/// The puzzle with `clues` clues, the new ones from its solution.
fn fill(puzzle: &str, clues: usize) -> String {
    let mut filled = puzzle.to_owned().into_bytes();
    let mut missing = clues - puzzle.bytes().filter(u8::is_ascii_digit).count();
    for (cell, digit) in filled.iter_mut().zip(SOLUTION.bytes()) {
        if *cell == b'.' && missing > 0 {
            *cell = digit;
            missing -= 1;
        }
    }
    String::from_utf8(filled).unwrap()
}

#[test]
fn a_contradiction_is_reported_with_its_place() {
    let (text, line) = with_one_of_19(600);
    for threads in [1, 3].map(NonZero::new) {
        for engines in [[&LIAR, named("dlx")], [named("dlx"), &LIAR]] {
            let error = failed(&text, &Plan { threads, ..plan(&engines) });
            let Some(disagreement) = error.fact::<Disagreement>() else { panic!("{error}") };
            let message = error.to_string();
            assert!(message.starts_with(&format!("file:{line}: ")), "{message}");
            assert_eq!(
                disagreement.opinions.each_ref().map(|opinion| &*opinion.engine),
                engines.map(|entry| entry.name)
            );
            assert_eq!(disagreement.puzzle, fill(PUZZLE, 19).replace('.', "0"));
            assert!(message.contains(SOLUTION) && message.contains("no solution"), "{message}");
        }
    }
}

#[test]
fn a_wrong_solution_is_reported_with_its_place() {
    let (text, line) = with_one_of_19(600);
    let error = failed(&text, &plan(&[&BUNGLER]));
    let Some(wrong) = error.fact::<WrongSolution>() else { panic!("{error}") };
    assert_eq!(wrong.engine, "bungler");
    assert!(error.to_string().starts_with(&format!("file:{line}: ")), "{error}");
}

/// Whether [`TURNCOAT`] denies all solutions: after the warm-up it does. (One test uses it.)
static LIES: AtomicBool = AtomicBool::new(false);

const TURNCOAT: Entry = Entry {
    ..Entry::new("turncoat", |rules, isa| {
        altered(rules, isa, |_, _, answer| {
            if LIES.load(Ordering::Relaxed) {
                *answer = Answer::complete(0).with_effort(answer.effort);
            }
        })
    })
};

#[test]
fn answers_of_measured_runs_are_those_of_the_warm_up() {
    struct TurnAfterWarmUp;
    impl Watch for TurnAfterWarmUp {
        fn advanced(&mut self, done: u64, total: u64) {
            assert_eq!(total, 3 * 10);
            LIES.store(done >= 10, Ordering::Relaxed);
        }
    }
    let error =
        compare(&Rules::default(), &set(&text(10)), &plan(&[&TURNCOAT]), &mut TurnAfterWarmUp).unwrap_err();
    let Some(disagreement) = error.fact::<Disagreement>() else { panic!("{error}") };
    // The error has the puzzle as it was read, not as it was permuted.
    let puzzle = disagreement.puzzle.replace('0', ".");
    let line = text(10).lines().position(|line| line == puzzle).unwrap() + 1;
    assert!(error.to_string().starts_with(&format!("file:{line}: ")), "{error}");
}

#[test]
fn engines_that_are_stuck_or_give_up_contradict_no_other() {
    let text = text(300);
    let dlx = named("dlx");
    for engines in [[&STUCK, dlx], [dlx, &STUCK]] {
        let comparison = compared(&text, &plan(&engines));
        let figures = engine(&comparison, "stuck");
        let [stuck, solved] = ["stuck", "solved"].map(|word| status(&figures, word));
        assert!(stuck > 0 && solved > 0 && stuck + solved == 300, "{stuck} {solved}");
    }
    let engines = rows(&["backtrack", "dlx"]);
    let comparison = compared(&text, &Plan { max_guesses: Some(3), ..plan(&engines) });
    let figures = engine(&comparison, "backtrack");
    assert_eq!(status(&figures, "limit") + status(&figures, "solved"), 300);
    assert!(status(&figures, "limit") > 200);
    assert_eq!(json(&comparison)["engines"][0]["max_guesses"], 3);
}

#[test]
fn a_limit_on_time_ends_runs_and_is_reported() {
    let text = text(2000);
    let engines = [named("bitboard"), &SLOW];
    for threads in [1, 2].map(NonZero::new) {
        let comparison =
            compared(&text, &Plan { budget: Some(Duration::from_millis(100)), threads, ..plan(&engines) });
        let slow = &json(&comparison)["engines"][1];
        assert_eq!(slow["name"], "slow");
        // 2,000 puzzles of two milliseconds would take four seconds.
        let puzzles = slow["puzzles"].as_u64().unwrap();
        assert!(puzzles > 0 && puzzles < 2000 && slow["share"].as_f64().unwrap() < 1.0, "{puzzles}");
        assert!(status(slow, "puzzles") < 2000);
        assert!(slow["ratio"]["middle"].as_f64().unwrap() > 1.0);
        let is_reported =
            |warning: &&String| warning.starts_with("slow: ") && warning.contains("of the puzzles");
        assert!(comparison.warnings.iter().any(|warning| is_reported(&warning)), "{:?}", comparison.warnings);
    }
}

#[test]
fn a_sample_is_compared() {
    let mut set = set(&text(500));
    set.sample(50, 1);
    let comparison = json(&compare(&Rules::default(), &set, &plan(&rows(&["dlx"])), &mut ()).unwrap());
    let puzzles =
        [&comparison["puzzles"], &comparison["inputs"][0]["puzzles"], &comparison["options"]["sample"]];
    assert_eq!(puzzles, [50, 500, 50]);
}

#[test]
fn there_is_a_row_for_every_puzzle_and_engine() {
    struct Rows(String, usize);
    impl Watch for Rows {
        fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
            assert_eq!(row.status, Some(Status::Solved));
            assert!(row.nanos.unwrap() > 0.0);
            self.1 += 1;
            self.0 += &format!("{row}\n");
            Ok(())
        }
    }
    let engines = rows(&["bitboard", "dlx"]);
    let mut rows = Rows(String::new(), 0);
    let comparison = compare(&Rules::default(), &set(&text(100)), &plan(&engines), &mut rows).unwrap();
    assert_eq!(rows.1, 200);
    let first = text(100).lines().next().unwrap().to_owned();
    let lines: Vec<&str> = rows.0.lines().collect();
    assert!(
        lines[0].starts_with(&format!("{first},bitboard,")) && lines[0].ends_with(",solved,file,1"),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains(",dlx,") && lines[199].ends_with(",file,102"), "{}", lines[199]);

    let json = json(&comparison);
    let differences = json["differences"].as_array().unwrap();
    let puzzles = differences[0]["puzzles"].as_array().unwrap();
    assert_eq!((differences.len(), puzzles.len()), (1, 8));
    for puzzle in puzzles {
        let (line, cells) = (puzzle["line"].as_u64().unwrap(), puzzle["puzzle"].as_str().unwrap());
        assert_eq!(text(100).lines().nth(line as usize - 1), Some(cells));
        let row = lines.iter().find(|line| line.starts_with(&format!("{cells},dlx,"))).unwrap();
        let fields: Vec<&str> = row.split(',').collect();
        let number = |name: &str| puzzle[name].as_f64().unwrap().to_string();
        assert_eq!((fields[2], fields[3]), (&*number("nanos"), &*number("guesses")));
    }
}

#[test]
fn plans_that_compare_nothing_are_refused() {
    let dlx = named("dlx");
    let message = |text: &str, plan: &Plan<'_>| {
        let error = failed(text, plan);
        assert!(error.fact::<PlanError>().is_some());
        error.to_string()
    };
    assert!(message("# nothing\n", &plan(&[dlx])).contains("no puzzles"));
    assert!(message(PUZZLE, &plan(&[])).contains("no engine"));
    assert!(message(PUZZLE, &plan(&[dlx, dlx])).contains("`dlx` is named twice"));
    assert!(message(PUZZLE, &Plan { reference: 1, ..plan(&[dlx]) }).contains("reference"));
    assert!(message(PUZZLE, &Plan { runs: 0, ..plan(&[dlx]) }).contains("0 runs"));
    let stop = AtomicBool::new(true);
    let error = failed(PUZZLE, &Plan { stop: &stop, ..plan(&[dlx]) });
    assert!(matches!(error.kind(), ErrorKind::Stopped));
}

/// An engine that takes about a microsecond for each guess, and a million of them.
#[derive(Debug)]
struct Endless;

impl Engine for Endless {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        for (_, (_, answer)) in puzzles.iter().zip(answers.iter_mut()) {
            let guesses = limits.guesses().unwrap_or(u64::MAX).min(10_000_000_000);
            for number in 0..guesses {
                std::hint::black_box(number);
            }
            *answer = if guesses < 10_000_000_000 { Answer::limited(0) } else { Answer::complete(0) };
            answer.effort.guesses = guesses;
        }
        Ok(())
    }
}

/// A puzzle that would take far longer than the budget does not hold the comparison up: it stays unanswered.
#[test]
fn the_budget_ends_within_a_puzzle() {
    static ENDLESS: Entry =
        Entry { max_guesses: 10_000_000_000, ..Entry::new("endless", |_, _| Ok(Box::new(Endless))) };
    let engines = [&ENDLESS];
    let budget = Some(Duration::from_millis(50));
    let plan = Plan { runs: 1, budget, ..Plan::new(&engines) };
    assert_eq!(engine(&compared(&text(3), &plan), "endless")["puzzles"], 0);
}

/// How often [`WAITER`] was asked, and whether the comparison said that a part of a run is done. (One test uses them.)
static ASKED: AtomicUsize = AtomicUsize::new(0);
static IS_COUNTED: AtomicBool = AtomicBool::new(false);

const WAITER: Entry = Entry {
    ..Entry::new("waiter", |rules, isa| {
        altered(rules, isa, |_, _, _| {
            // A comparison that counts only whole runs never counts the first answer.
            if ASKED.fetch_add(1, Ordering::Relaxed) > 0 {
                wait::until("an answer that is counted", || IS_COUNTED.load(Ordering::Relaxed));
            }
        })
    })
};

#[test]
fn answers_are_counted_before_a_run_is_over() {
    struct Counts;
    impl Watch for Counts {
        fn advanced(&mut self, done: u64, total: u64) {
            assert!(done <= total && total == 3 * 10);
            IS_COUNTED.fetch_or(!done.is_multiple_of(10), Ordering::Relaxed);
        }
    }
    compare(&Rules::default(), &set(&text(10)), &plan(&[&WAITER]), &mut Counts).unwrap();
    assert!(IS_COUNTED.load(Ordering::Relaxed));
}

//! What the reports of a comparison say.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::time::{Duration, Instant};

use galop_batch::input::Source;
use galop_compare::{Contest, Plan, Set, compare};
use galop_engines::Rules;
use galop_engines::engine::Entry;
use galop_report::{self as report, Figures, Report};
use galop_testing::altered::altered;
use galop_testing::engines::named;
use serde_json::Value;

/// Works for two milliseconds on each puzzle.
const SLOW: Entry = Entry {
    ..Entry::new("slow", |rules, isa| {
        altered(rules, isa, |_, _, _| {
            let started = Instant::now();
            while started.elapsed() < Duration::from_millis(2) {}
        })
    })
};

/// Compares engines in two runs on the first `count` puzzles of a file of `data/`, and a malformed line.
fn compared(count: usize, engines: &[&'static Entry], budget: Option<Duration>) -> Contest {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/minimal_10k.txt");
    let puzzles = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<&str> = puzzles.lines().filter(|line| !line.starts_with('#')).take(count).collect();
    lines.insert(4, "wrong");
    let mut set = Set::new(&Rules::default());
    set.read(&mut Source::stream("file", Cursor::new(lines.join("\n") + "\n")), &mut |_| {}).unwrap();
    let command = Some("galop compare".to_owned());
    let plan = Plan { runs: 2, budget, command, ..Plan::new(engines) };
    Contest::new(vec![compare(&Rules::default(), &set, &plan, &mut ()).unwrap()])
}

#[test]
fn an_engine_that_did_not_finish_is_shown_with_its_share() {
    let comparison = compared(2000, &[named("bitboard"), &SLOW], Some(Duration::from_millis(100)));
    let shown = report::contest_text(&comparison, &report::Style::default(), 3);
    assert!(shown.contains("answered"), "{shown}");
}

#[test]
fn a_limit_of_a_nanosecond_leaves_engines_without_figures() {
    let comparison = compared(50, &[named("lanes"), named("dlx")], Some(Duration::from_nanos(1)));
    let figures = serde_json::to_value(&comparison.comparisons[0]).unwrap();
    let mut engines = figures["engines"].as_array().unwrap().iter();
    let lanes = engines.find(|engine| engine["name"] == "lanes").unwrap();
    assert_eq!((&lanes["puzzles"], &lanes["counts"]["puzzles"]), (&0.into(), &0.into()));
    for format in report::FORMATS {
        if let Some(write) = Contest::writer(format) {
            let text = write(&comparison);
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}

#[test]
fn reports_hold_the_figures() {
    let comparison = compared(200, &[named("dlx"), named("bitboard")], None);
    let figures = serde_json::to_value(&comparison.comparisons[0]).unwrap();
    assert_eq!(
        (&figures["reference"], &figures["engines"][0]["name"]),
        (&"dlx".into(), &"bitboard".into()),
        "fastest first"
    );
    let written = |ending: &str| report::writer_of(format!("report.{ending}").as_ref()).unwrap()(&comparison);
    let json: Value = serde_json::from_str(&written("json")).unwrap();
    let json = &json["comparisons"][0];
    assert_eq!(
        (&json["command"], &json["puzzles"], &json["reference"]),
        (&"galop compare".into(), &200.into(), &"dlx".into())
    );
    // No clock reads 0.
    let step = json["clock_step_nanos"].as_u64().unwrap();
    assert!(
        step > 0
            && json["engines"]
                .as_array()
                .unwrap()
                .iter()
                .all(|engine| engine["nanos"]["min"].as_u64() >= Some(step))
    );
    let bitboard = &json["engines"][0];
    assert!(bitboard["ratio"]["middle"].as_f64().unwrap() < 1.0 && json["engines"][1]["ratio"].is_null());
    assert!(bitboard["ratio"]["low"].as_f64() <= bitboard["ratio"]["high"].as_f64());
    assert_eq!((&bitboard["nanos"]["count"], &bitboard["guesses"]["count"]), (&400.into(), &400.into()));
    assert_eq!(
        (&bitboard["counts"]["solved"], bitboard["points"].as_array().unwrap().len()),
        (&200.into(), 200)
    );
    assert_eq!((&json["inputs"][0]["malformed"], &json["inputs"][0]["puzzles"]), (&1.into(), &200.into()));
    assert_eq!(json["differences"][0]["puzzles"].as_array().unwrap().len(), 8);

    let markdown = written("md");
    assert!(
        markdown.contains("| bitboard | ") && markdown.contains("| command | `galop compare` |"),
        "{markdown}"
    );
    assert!(
        markdown.contains("1 malformed record left out") && markdown.contains("2 runs of each engine"),
        "{markdown}"
    );
    assert!(
        markdown
            .contains("All times are processor time. The time of a puzzle is at least the clock's step, "),
        "{markdown}"
    );
    let text = written("txt");
    assert!(text.starts_with(
        "200 puzzles from file: first solution, 2 runs, permuted again for each (seed 0), 1 thread\n"
    ));
    let wide = text.lines().skip(2).take(3).map(|line| line.chars().count()).max().unwrap();
    assert!(wide <= 120, "{wide}\n{text}");
    assert!(report::writer_of::<Contest>("report.doc".as_ref()).is_err());
    assert!(
        report::writer_of::<Report>("report.csv".as_ref()).is_err(),
        "the report of one run has no table of engines"
    );
}

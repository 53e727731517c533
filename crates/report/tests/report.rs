//! What the reports say of an engine that solves many puzzles at once, and of a second opinion.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::num::NonZero;
use std::time::Duration;

use galop_batch::input::Source;
use galop_batch::pipeline::Sample;
use galop_batch::pipeline::{SolveOptions, SolveOutcome, SolveRun};
use galop_engines::Rules;
use galop_engines::engine::{Engine, Entry, Isa, Work, WrongLength};
use galop_engines::puzzle::{Answers, Limits, Puzzles};
use galop_report::{self as report, Report, Run, Style};
use serde_json::{Value, json};

use galop_testing::altered::bitboard;
use galop_testing::engines::named;
use galop_testing::puzzles::PUZZLE;

/// The bitboard engine as an engine of 256 lanes.
struct Batched(Box<dyn Engine>, Work);

impl Engine for Batched {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        self.0.solve(puzzles, limits, answers)?;
        for (_, answer) in answers.iter_mut() {
            answer.effort.cost = 1 + answer.effort.guesses;
        }
        let puzzles = puzzles.len() as u64;
        self.1 += Work { puzzles, rounds: 1, busy: 3 * puzzles, sweeps: 14 * puzzles, ..self.1 };
        Ok(())
    }

    fn is_batched(&self) -> bool {
        true
    }

    fn work(&self) -> Option<Work> {
        Some(self.1)
    }
}

const BATCHED: Entry = Entry {
    about: "many at once",
    max_guesses: 1_000_000,
    ..Entry::new("batched", |rules, _| {
        let nothing = Work { isa: Isa::Avx2, lanes: 256, puzzles: 0, rounds: 0, busy: 0, sweeps: 0 };
        Ok(Box::new(Batched(bitboard(rules, Isa::best())?, nothing)))
    })
};

fn solve(puzzles: usize, entry: &Entry, options: SolveOptions<'_>) -> (Report, SolveOutcome) {
    let text = format!("{PUZZLE}\n").repeat(puzzles);
    let (rules, elapsed) = (&Rules::default(), Duration::from_secs(1));
    let (mut solving, mut out) = (SolveRun::open(rules, entry, options).unwrap(), Vec::new());
    solving.solve(&mut Source::stream("file", Cursor::new(text)), &mut out, &mut ()).unwrap();
    let outcome = solving.finish(&mut out).unwrap();
    let run = Run { rules, engine: entry, options: &options, threads: 2, elapsed, command: None };
    (Report::new(&run, &outcome), outcome)
}

fn written(report: &Report, ending: &str) -> String {
    report::writer_of(format!("report.{ending}").as_ref()).unwrap()(report)
}

fn options() -> SolveOptions<'static> {
    SolveOptions::default().threads(NonZero::new(2)).chunk_bytes(NonZero::new(4000))
}

#[test]
fn the_work_of_a_batched_engine_is_reported() {
    // Five batches: four chunks of 48 puzzles, and one of 8.
    let (report, outcome) = solve(200, &BATCHED, options());
    let work = outcome.work.unwrap();
    assert_eq!((work.puzzles, work.rounds, work.busy, work.sweeps), (200, 5, 600, 2800));

    let text = report::text(&report, &Style::default());
    assert!(
        text.starts_with("200 puzzles from file in 1.00 s: 200 a second (batched avx2, 2 threads)\n"),
        "{text}"
    );
    let line = "\nbatched  avx2, 256 lanes, 46.9 % busy, 14.0 sweeps and 3.0 rounds per puzzle\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("\ntime per puzzle (its share of its lanes' rounds)  mean "), "{text}");

    let markdown = written(&report, "md");
    assert!(
        markdown.contains("| engine | batched avx2 |\n| work | avx2, 256 lanes, 46.9 % busy, "),
        "{markdown}"
    );
    assert!(markdown.contains("a puzzle's time is its share of its lanes' rounds"), "{markdown}");

    let json: Value = serde_json::from_str(&written(&report, "json")).unwrap();
    let expected = json!({"isa": "avx2", "lanes": 256, "puzzles": 200, "rounds": 5, "busy": 600, "sweeps": 2800,
        "occupancy": 0.46875, "sweeps_per_puzzle": 14.0, "rounds_per_puzzle": 3.0});
    assert_eq!(json["work"], expected);
    assert_eq!((&json["engine"], &json["crosscheck"]), (&"batched".into(), &Value::Null));
}

#[test]
fn engines_of_one_puzzle_at_a_time_have_no_lanes() {
    let (report, _) = solve(20, named("bitboard"), options());
    let text = report::text(&report, &Style::default());
    assert!(text.contains(" a second (bitboard, 2 threads)\n"), "{text}");
    assert!(text.contains("100.0 %\n\ntime per puzzle  mean ") && !text.contains("lanes"), "{text}");
    let markdown = written(&report, "md");
    assert!(markdown.contains("| engine | bitboard |\n| limit") && !markdown.contains("lanes"), "{markdown}");
    let json: Value = serde_json::from_str(&written(&report, "json")).unwrap();
    assert_eq!((&json["work"], &json["crosscheck"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_run_without_puzzles_has_a_short_report() {
    let (report, _) = solve(0, &BATCHED, options());
    assert_eq!(report::text(&report, &Style::default()), "no puzzles in file\n");
    let markdown = written(&report, "md");
    let is_short =
        !markdown.contains("lanes") && !markdown.contains("a second") && !markdown.contains("a puzzle");
    assert!(markdown.starts_with("# galop: no puzzles\n") && is_short, "{markdown}");
    let json: Value = serde_json::from_str(&written(&report, "json")).unwrap();
    assert_eq!((&json["work"]["occupancy"], &json["work"]["sweeps_per_puzzle"]), (&0.0.into(), &0.0.into()));
}

#[test]
fn the_second_opinion_is_reported() {
    let crosscheck = Some(Sample { share: 1.0, seed: 9 });
    let (report, _) = solve(20, &BATCHED, options().crosscheck(crosscheck));
    let line = "20 puzzles solved again by dlx: no difference";
    let text = report::text(&report, &Style::default());
    assert!(text.contains(&format!(" rounds per puzzle\ncrosscheck  {line}\n\ntime")), "{text}");
    assert!(written(&report, "md").contains(&format!("| crosscheck | {line} |\n")));
    let json: Value = serde_json::from_str(&written(&report, "json")).unwrap();
    let expected = json!({"engine": "dlx", "share": 1.0, "seed": 9, "puzzles": 20, "undecided": 0});
    assert_eq!(json["crosscheck"], expected);

    let limits = Limits::UNIQUE.with_guesses(0);
    let (report, _) = solve(2000, named("backtrack"), options().crosscheck(crosscheck).limits(limits));
    let line = "2,000 puzzles solved again by dlx: no difference, 2,000 left open by a limit on guesses\n";
    assert!(report::text(&report, &Style::default()).contains(line));
}

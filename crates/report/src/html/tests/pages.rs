//! The pages that are tested: of runs and of comparisons, usual ones and extreme ones.

use std::fs;
use std::io::Cursor;
use std::num::NonZero;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;

use crate::{self as report, Report, Run};
use galop_batch::figures::{CpuInfo, Distribution, Histogram, Point, Points, RulesInfo};
use galop_batch::input::Source;
use galop_batch::pipeline::crosscheck::digits;
use galop_batch::pipeline::{Sample, SolveOptions, SolveRun};
use galop_compare::{
    Comparison, ComparisonOptions, Difference, EngineFigures, Input, NotablePuzzle, Ratio, Spread,
};
use galop_engines::engine::{Engine, Entry, Isa, Stopwatch};
use galop_engines::grid::Rules;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};

pub(super) const NASTY: &str =
    "</title><script>alert('1')</script>\"><img src=x onerror=\"alert(2)\">&amp;\u{1b}[1m.txt";

/// The first `lines` lines of a file of `data/`.
fn data(name: &str, lines: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines().take(lines).fold(String::new(), |mut text, line| {
        text += line;
        text.push('\n');
        text
    })
}

/// Easy and minimal puzzles, one without a solution, one with many.
pub(super) fn mixed(lines: usize) -> String {
    let impossible = format!("11{}\n", ".".repeat(79));
    data("minimal_10k.txt", lines)
        + &data("easy_10k.txt", lines)
        + &impossible
        + &format!("{}\n", ".".repeat(81))
}

pub(super) fn solve(text: &str, entry: &Entry, options: SolveOptions<'_>) -> Report {
    let rules = &Rules::default();
    let mut source = Source::stream("file", Cursor::new(text.to_owned()));
    let mut run = SolveRun::open(rules, entry, options, Vec::new()).unwrap();
    run.solve(&mut source, &mut ()).unwrap();
    let (_, outcome) = run.finish().unwrap();
    let (elapsed, command) =
        (Duration::from_millis(5), Some("galop solve data/mixed.txt --report 'a run.html'"));
    let run = Run { rules, engine: entry, options: &options, threads: 2, elapsed, command };
    let mut report = Report::new(&run, &outcome);
    report.inputs[0].sha256 = Some("0123456789abcdef".repeat(4));
    report.points = points(text, entry).as_slice().to_vec();
    for slow in &mut report.slowest {
        slow.solution = solution(&slow.puzzle);
    }
    report
}

pub(super) fn named(name: &str) -> &'static Entry {
    galop_published::named(name).unwrap()
}

/// The answers to the lines of 81 characters, and their solutions as cells.
fn answer(lines: &str, entry: &Entry) -> (Vec<Answer>, Vec<u8>) {
    let text = lines.lines().filter(|line| line.len() == 81).flat_map(str::bytes);
    let cells: Vec<u8> = text.map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    let (mut solutions, mut answers) = (vec![0; cells.len()], vec![Answer::default(); cells.len() / 81]);
    let mut engine = Stopwatch((entry.make)(&Rules::default(), Isa::best()).unwrap());
    let mut places = Answers::new(&mut solutions, &mut answers, 81);
    engine.solve(Puzzles::new(&cells, 81), Limits::ANY, &mut places).unwrap();
    (answers, solutions)
}

/// The time and the guesses of each puzzle.
fn points(text: &str, entry: &Entry) -> Points {
    let mut points = Points::default();
    answer(text, entry).0.iter().for_each(|answer| points.add(Point::of(answer.effort)));
    points
}

fn solution(puzzle: &str) -> Option<String> {
    let (answers, solution) = answer(puzzle, named("dlx"));
    (answers[0].solutions > 0).then(|| digits(&solution))
}

/// A comparison of `names`, fastest first: figures of real runs, and invented times around them.
pub(super) fn compare(text: &str, names: &[&'static str]) -> Comparison {
    let options = SolveOptions {
        threads: NonZero::new(1),
        limits: Limits::ANY.with_guesses(200_000),
        ..SolveOptions::default()
    };
    let mut engines: Vec<EngineFigures> = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let report = solve(text, named(name), options);
        let nanos = report.nanos.unwrap();
        let without =
            report.guesses.histogram.iter().filter(|bucket| bucket.to == 0).map(|bucket| bucket.count);
        let spread = |of: f64| Spread { median: of, min: 0.97 * of, max: 1.04 * of, deviation: 0.012 * of };
        engines.push(EngineFigures {
            name,
            isa: (place == 0).then_some("avx512"),
            max_guesses: Some(if place < 3 { 200_000 } else { 1_000 }),
            puzzles: report.counts.puzzles,
            share: if place == 4 { 0.8 } else { 1.0 },
            threads: 1,
            is_program: false,
            clock: "processor",
            start_nanos: None,
            puzzles_per_second: Some(1e9 / nanos.mean.max(1.0)),
            mean_nanos: nanos.mean,
            cpu_nanos: spread(nanos.mean),
            wall_nanos: spread(1.01 * nanos.mean),
            ratio: None,
            without_guess: Some(without.sum::<u64>() as f64 / report.guesses.count.max(1) as f64),
            counts: report.counts,
            calls: (place == 1).then(|| report.guesses.clone()),
            guesses: Some(report.guesses),
            nanos: Some(nanos),
            points: report.points,
        });
    }
    engines.sort_by(|a, b| a.mean_nanos.total_cmp(&b.mean_nanos));
    let reference = engines.get(1).or(engines.first()).map_or("", |engine| engine.name);
    let of_reference =
        engines.iter().find(|engine| engine.name == reference).map(|engine| engine.cpu_nanos.median);
    for engine in engines.iter_mut().filter(|engine| engine.name != reference) {
        let median = engine.cpu_nanos.median / of_reference.unwrap().max(1e-9);
        engine.ratio = Some(Ratio { median, low: 0.93 * median, high: 1.08 * median });
    }
    let notable = |(line, puzzle): (usize, &str)| NotablePuzzle {
        input: "data/mixed.txt".to_owned(),
        line: line as u64 + 1,
        puzzle: puzzle.to_owned(),
        nanos: 12_345.5 * (line + 1) as f64,
        reference_nanos: 2_345.25,
        guesses: 3.5 * line as f64,
        reference_guesses: 1.0,
    };
    let differences = engines.iter().filter(|engine| engine.name != reference).map(|engine| Difference {
        engine: engine.name,
        puzzles: text.lines().enumerate().take(4).map(notable).collect(),
    });
    Comparison {
        version: "0.2.0",
        command: Some("galop compare --engines all data/mixed.txt".to_owned()),
        machine: CpuInfo::current(),
        rules: RulesInfo::new(&Rules::default()),
        options: ComparisonOptions {
            solutions: Some(1),
            runs: 5,
            threads: 1,
            seed: 7,
            sample: Some(text.lines().count() as u64),
            permuted: true,
            budget_seconds: Some(10.0),
        },
        inputs: vec![Input {
            name: "data/mixed.txt".to_owned(),
            bytes: text.len() as u64,
            puzzles: text.lines().count() as u64,
            malformed: 2,
            sha256: Some("0123456789abcdef".repeat(4)),
        }],
        puzzles: text.lines().count() as u64,
        reference,
        differences: differences.collect(),
        engines,
        warnings: vec![
            "bitboard: the runs are 12.3 % apart (more than 5 %): something else was running".to_owned(),
            "the processor's frequency was not fixed".to_owned(),
        ],
    }
}

/// A comparison with another program, of which only the time of whole runs is known, by the clock of elapsed time.
pub(super) fn with_program() -> Comparison {
    let mut comparison = compare(&mixed(50), &["lanes", "dlx"]);
    let program = comparison.engines.iter_mut().find(|engine| engine.name == "dlx").unwrap();
    (program.is_program, program.clock, program.max_guesses) = (true, "elapsed", None);
    (program.nanos, program.guesses, program.without_guess) = (None, None, None);
    program.calls = None;
    program.puzzles_per_second = None;
    program.start_nanos = Some(Spread { median: 2e6, min: 1e6, max: 4e6, deviation: 5e5 });
    program.points.clear();
    comparison.differences.clear();
    comparison
}

pub(super) fn page(report: &Report) -> String {
    report::html(report)
}

pub(super) fn page_of(comparison: &Comparison) -> String {
    report::writer_of("run.html".as_ref()).unwrap()(comparison)
}

pub(super) fn options() -> SolveOptions<'static> {
    SolveOptions { threads: NonZero::new(2), ..SolveOptions::default() }
}

/// A page: its name, its HTML, and the JSON report of the same figures.
pub(super) type Page = (&'static str, String, Value);

/// Every page that is tested.
pub(super) fn pages() -> &'static [Page] {
    static PAGES: OnceLock<Vec<Page>> = OnceLock::new();
    PAGES.get_or_init(make_pages)
}

fn make_pages() -> Vec<Page> {
    let mut pages = Vec::new();
    let mut solved = |name, report: &Report| {
        pages.push((name, page(report), serde_json::to_value(report).unwrap()));
    };
    let bitboard = named("bitboard");
    let crosscheck = Some(Sample { share: 0.1, seed: 9 });
    let broken = mixed(1000) + "not a puzzle\n";
    solved("solve", &solve(&broken, named("lanes"), SolveOptions { crosscheck, ..options() }));
    solved("dlx", &solve(&mixed(300), named("dlx"), options()));
    solved("one", &solve(&data("easy_10k.txt", 1), bitboard, options()));
    solved("easy", &solve(&data("easy_10k.txt", 500), bitboard, options()));
    // The rarest bar of a million puzzles has the longest label.
    let mut million = solve(&data("easy_10k.txt", 50), bitboard, options());
    let mut histogram = Histogram::default();
    (0..1_000_000)
        .for_each(|puzzle| histogram.add(if puzzle == 0 { 123_456_789 } else { 900 + puzzle % 100 }));
    million.nanos = Some(Distribution::of_times(&histogram));
    million.guesses = Distribution::of_counts(&histogram);
    solved("million", &million);
    let mut untimed = solve(&mixed(100), bitboard, SolveOptions { times: false, ..options() });
    untimed.points.clear();
    solved("untimed", &untimed);
    let mut empty = solve("", bitboard, options());
    empty.command = None;
    empty.inputs[0].sha256 = None;
    solved("empty", &empty);

    let mut compared = |name, comparison: &Comparison| {
        pages.push((name, page_of(comparison), serde_json::to_value(comparison).unwrap()));
    };
    let all = ["lanes", "bitboard", "hybrid", "dlx", "backtrack"];
    compared("compare", &compare(&mixed(500), &all));
    compared("ten", &compare(&mixed(50), &[all, all].concat()));
    compared("alone", &compare(&mixed(50), &["dlx"]));
    let mut apart = compare(&mixed(50), &["lanes", "dlx", "hybrid"]);
    apart.engines.iter_mut().for_each(|engine| engine.ratio = None);
    compared("apart", &apart);
    let mut nothing = compare("", &["lanes", "dlx"]);
    nothing.warnings.clear();
    compared("nothing", &nothing);
    compared("no engine", &compare(&mixed(1), &[]));
    compared("program", &with_program());
    if let Some(folder) = std::env::var_os("GALOP_PAGES") {
        for (name, page, _) in &pages {
            fs::write(Path::new(&folder).join(format!("{name}.html")), page).unwrap();
        }
    }
    pages
}

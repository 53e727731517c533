//! The pages that are tested: of runs and of comparisons, usual ones and extreme ones.

use std::fs;
use std::io::Cursor;
use std::num::NonZero;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;

use crate::section::Section;
use crate::{self as report, Report, Run, contest_sections, run_sections};
use galop_batch::figures::{Distribution, Histogram, Point, Points};
use galop_batch::input::Source;
use galop_batch::pipeline::digits;
use galop_batch::pipeline::{Sample, SolveOptions, SolveRun};
use galop_compare::{By, Comparison, Contest, Contestant, Plan, Problem, Set, Spread};
use galop_cover::Choice;
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
    let (mut run, mut out) = (SolveRun::open(rules, entry, options).unwrap(), Vec::new());
    run.solve(&mut source, &mut out, &mut ()).unwrap();
    let outcome = run.finish(&mut out).unwrap();
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
    let mut places = Answers::new(&mut solutions, &mut answers, 81).unwrap();
    engine.solve(Puzzles::new(&cells, 81).unwrap(), Limits::ANY, &mut places).unwrap();
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

/// A comparison of `names`, the second of them the reference.
pub(super) fn compare(text: &str, names: &[&str], budget: Option<Duration>) -> Comparison {
    let (rules, engines) = (Rules::default(), names.iter().map(|name| named(name)).collect::<Vec<_>>());
    let mut set = Set::new(&rules);
    set.read(&mut Source::stream("data/mixed.txt", Cursor::new(text.to_owned())), &mut |_| {}).unwrap();
    let plan = Plan {
        runs: 2,
        reference: usize::from(names.len() > 1),
        max_guesses: Some(1_000),
        budget,
        command: Some("galop compare --engines all data/mixed.txt".to_owned()),
        ..Plan::new(&engines)
    };
    galop_compare::compare(&rules, &set, &plan, &mut ()).unwrap()
}

/// A comparison with another program, of which only the time of whole runs is known, by the clock of elapsed time.
pub(super) fn with_program() -> Comparison {
    let mut comparison = compare(&mixed(50), &["lanes", "dlx"], None);
    let program = comparison.engines.iter_mut().find(|engine| engine.name == "dlx").unwrap();
    (program.is_program, program.clock, program.max_guesses) = (true, "elapsed".to_owned(), None);
    (program.nanos, program.guesses, program.without_guess) = (None, None, None);
    (program.calls, program.mean_guesses) = (None, None);
    program.puzzles_per_second = None;
    program.start_nanos = Some(Spread { median: 2e6, min: 1e6, max: 4e6, deviation: 5e5 });
    program.points.clear();
    comparison.differences.clear();
    comparison
}

/// A comparison on a series of exact cover problems: one engine did not finish the last one, another refused it, and a
/// name is nasty.
pub(super) fn problems() -> Comparison {
    let problem = |size: usize| {
        let cover = galop_cover::models::queens(size).unwrap();
        let name = if size == 4 { NASTY.to_owned() } else { format!("queens {size}") };
        Problem::new(&name, cover, None).in_series("queens N", size as f64)
    };
    let engine = |name| {
        let entry = galop_cover::engine::by_name(name).unwrap();
        Contestant::new(name, By::Cover(Choice::Engine(entry)))
    };
    let contestants = ["links", "masks", "sparse"].map(engine).to_vec();
    let plan = Plan { contestants, runs: 2, solutions: u64::MAX, reference: 1, ..Plan::new(&[]) };
    let problems: Vec<Problem> = (4..9).map(problem).collect();
    let mut comparison = galop_compare::compare_problems(&problems, &plan, &mut ()).unwrap();
    comparison.problems[4].engines[0].finished = false;
    let refused = &mut comparison.problems[4].engines[2];
    (refused.finished, refused.nanos, refused.refusal) = (false, None, Some(NASTY.to_owned()));
    comparison
}

pub(super) fn page(report: &Report) -> String {
    report::html(report)
}

pub(super) fn page_of(comparison: &Comparison) -> String {
    written(&Contest::new(vec![comparison.clone()]), "html")
}

/// The report of `figures` in the format of this ending.
pub(super) fn written<T: report::Figures>(figures: &T, ending: &str) -> String {
    report::writer_of(format!("report.{ending}").as_ref()).unwrap()(figures)
}

pub(super) fn options() -> SolveOptions<'static> {
    SolveOptions::default().threads(NonZero::new(2))
}

/// What reports are written of.
pub(super) enum Subject {
    Run(Box<Report>),
    Contest(Contest),
}

impl Subject {
    pub(super) fn written(&self, ending: &str) -> String {
        match self {
            Subject::Run(report) => written(&**report, ending),
            Subject::Contest(contest) => written(contest, ending),
        }
    }

    pub(super) fn sections(&self) -> Vec<Section<'_>> {
        match self {
            Subject::Run(report) => run_sections::sections(report),
            Subject::Contest(contest) => contest_sections::sections(contest, usize::MAX),
        }
    }

    fn json(&self) -> Value {
        let json = match self {
            Subject::Run(report) => serde_json::to_value(report),
            Subject::Contest(contest) => serde_json::to_value(contest),
        };
        json.unwrap()
    }
}

/// A page: its name, its HTML, the JSON report of the same figures, and what they are of.
pub(super) struct Page {
    pub(super) name: &'static str,
    pub(super) html: String,
    pub(super) json: Value,
    pub(super) subject: Subject,
}

/// Every page that is tested.
pub(super) fn pages() -> &'static [Page] {
    static PAGES: OnceLock<Vec<Page>> = OnceLock::new();
    PAGES.get_or_init(|| {
        let page = |(name, subject): (_, Subject)| {
            let (html, json) = (subject.written("html"), subject.json());
            if let Some(folder) = std::env::var_os("GALOP_PAGES") {
                fs::write(Path::new(&folder).join(format!("{name}.html")), &html).unwrap();
            }
            Page { name, html, json, subject }
        };
        subjects().into_iter().map(page).collect()
    })
}

fn subjects() -> Vec<(&'static str, Subject)> {
    let mut subjects = Vec::new();
    let mut solved = |name, report: &Report| subjects.push((name, Subject::Run(Box::new(report.clone()))));
    let bitboard = named("bitboard");
    let crosscheck = Some(Sample { share: 0.1, seed: 9 });
    let broken = mixed(1000) + "not a puzzle\n";
    solved("solve", &solve(&broken, named("lanes"), options().crosscheck(crosscheck)));
    solved("dlx", &solve(&mixed(300), named("dlx"), options()));
    solved("one", &solve(&data("easy_10k.txt", 1), bitboard, options()));
    solved("easy", &solve(&data("easy_10k.txt", 500), bitboard, options()));
    // The rarest bar of a million puzzles has the longest label.
    let mut million = solve(&data("easy_10k.txt", 50), bitboard, options());
    let mut histogram = Histogram::default();
    (0..1_000_000)
        .for_each(|puzzle| histogram.add(if puzzle == 0 { 123_456_789 } else { 900 + puzzle % 100 }));
    million.nanos = Some(Distribution::of(&histogram));
    million.guesses = Distribution::of(&histogram);
    solved("million", &million);
    let mut untimed = solve(&mixed(100), bitboard, options().times(false));
    untimed.points.clear();
    solved("untimed", &untimed);
    let mut empty = solve("", bitboard, options());
    empty.command = None;
    empty.inputs[0].sha256 = None;
    solved("empty", &empty);

    let mut compared = |name, comparison: &Comparison| {
        subjects.push((name, Subject::Contest(Contest::new(vec![comparison.clone()]))));
    };
    let mut five = compare(&mixed(500), &["lanes", "bitboard", "hybrid", "dlx", "backtrack"], None);
    five.engines[4].share = 0.8;
    five.inputs[0].sha256 = Some("0123456789abcdef".repeat(4));
    compared("compare", &five);
    let ten: Vec<&str> = galop_published::all().map(|entry| entry.name).take(10).collect();
    compared("ten", &compare(&mixed(50), &ten, None));
    compared("alone", &compare(&mixed(50), &["dlx"], None));
    let mut apart = compare(&mixed(50), &["lanes", "dlx", "hybrid"], None);
    apart.engines.iter_mut().for_each(|engine| engine.ratio = None);
    compared("apart", &apart);
    let mut nothing = compare(&mixed(50), &["lanes", "dlx"], Some(Duration::from_nanos(1)));
    nothing.warnings.clear();
    compared("nothing", &nothing);
    let mut none = nothing;
    none.engines.clear();
    none.differences.clear();
    compared("no engine", &none);
    compared("program", &with_program());
    compared("problems", &problems());
    // Several comparisons in one report.
    subjects.push(("several", Subject::Contest(Contest::new(vec![five.clone(), problems(), five]))));
    subjects
}

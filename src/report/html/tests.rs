//! The HTML page of a report: it is well-formed, loads nothing, escapes what comes from outside, and each of its figures
//! is that of the JSON report. A Chromium opens it, if one is installed.
//!
//! If the variable `GALOP_PAGES` names a folder, the pages made here are written there, to look at.

use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use quick_xml::events::Event;
use serde_json::Value;

use crate::compare::{
    Comparison, ComparisonOptions, Difference, EngineFigures, NotablePuzzle, Ratio, Spread, figures::Input,
};
use crate::engine::{Engine, Entry, Isa, Timed};
use crate::figures::{CpuInfo, Distribution, Histogram, Point, Points, RulesInfo, duration};
use crate::grid::Rules;
use crate::input::Source;
use crate::pipeline::crosscheck::digits;
use crate::pipeline::{Sample, SolveOptions, SolveRun};
use crate::puzzle::{Answer, Answers, Limits, Puzzles};
use crate::report::{self, Report, Run};
use crate::shared::skip;

const NASTY: &str =
    "</title><script>alert('1')</script>\"><img src=x onerror=\"alert(2)\">&amp;\u{1b}[1m.txt";

/// The first `lines` lines of a file of `data/`.
fn data(name: &str, lines: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines().take(lines).fold(String::new(), |mut text, line| {
        text += line;
        text.push('\n');
        text
    })
}

/// Easy and minimal puzzles, one without a solution, one with many.
fn mixed(lines: usize) -> String {
    let impossible = format!("11{}\n", ".".repeat(79));
    data("minimal_10k.txt", lines)
        + &data("easy_10k.txt", lines)
        + &impossible
        + &format!("{}\n", ".".repeat(81))
}

fn solve(text: &str, entry: &Entry, options: SolveOptions<'_>) -> Report {
    let rules = &Rules::sudoku();
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

fn named(name: &str) -> &'static Entry {
    crate::engine::named(name).unwrap()
}

/// The answers to the lines of 81 characters, and their solutions as cells.
fn answer(lines: &str, entry: &Entry) -> (Vec<Answer>, Vec<u8>) {
    let text = lines.lines().filter(|line| line.len() == 81).flat_map(str::bytes);
    let cells: Vec<u8> = text.map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    let (mut solutions, mut answers) = (vec![0; cells.len()], vec![Answer::default(); cells.len() / 81]);
    let mut engine = Timed((entry.make)(&Rules::sudoku(), Isa::best()).unwrap());
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
fn compare(text: &str, names: &[&'static str]) -> Comparison {
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
            puzzles_per_second: 1e9 / nanos.mean.max(1.0),
            cpu_nanos: spread(nanos.mean),
            wall_nanos: spread(1.01 * nanos.mean),
            ratio: None,
            without_guess: without.sum::<u64>() as f64 / report.guesses.count.max(1) as f64,
            counts: report.counts,
            calls: (place == 1).then(|| report.guesses.clone()),
            guesses: report.guesses,
            nanos,
            points: report.points,
        });
    }
    engines.sort_by(|a, b| b.puzzles_per_second.total_cmp(&a.puzzles_per_second));
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
        rules: RulesInfo::new(&Rules::sudoku()),
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

fn page(report: &Report) -> String {
    (report::format_of("run.html".as_ref()).unwrap().write.unwrap())(report)
}

fn page_of(comparison: &Comparison) -> String {
    (report::format_of("run.html".as_ref()).unwrap().compare.unwrap())(comparison)
}

fn options() -> SolveOptions<'static> {
    SolveOptions { threads: NonZero::new(2), ..SolveOptions::default() }
}

/// A page: its name, its HTML, and the JSON report of the same figures.
type Page = (&'static str, String, Value);

/// Every page that is tested.
fn pages() -> &'static [Page] {
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
    if let Some(folder) = std::env::var_os("GALOP_PAGES") {
        for (name, page, _) in &pages {
            fs::write(Path::new(&folder).join(format!("{name}.html")), page).unwrap();
        }
    }
    pages
}

/// The elements of a page with their attributes.
type Elements = Vec<(String, Vec<(String, String)>)>;

/// The elements and the text of a page. Fails where the page is not well-formed.
fn parse(page: &str) -> (Elements, String) {
    let mut reader = quick_xml::Reader::from_str(page);
    let (mut elements, mut text, mut depth) = (Vec::new(), String::new(), 0);
    loop {
        let at = reader.buffer_position();
        let event = reader.read_event().unwrap_or_else(|error| panic!("byte {at}: {error}"));
        match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                depth += i32::from(matches!(event, Event::Start(_)));
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap_or_else(|error| panic!("byte {at}: {error}"));
                    let name: &str = attribute.key.as_ref();
                    let value = quick_xml::escape::unescape(&attribute.value);
                    (name.to_owned(), value.unwrap().into_owned())
                });
                let name: &str = tag.name().into_inner();
                elements.push((name.to_owned(), attributes.collect()));
            }
            Event::End(_) => depth -= 1,
            Event::Text(words) => text += words,
            Event::GeneralRef(name) => write!(text, "&{};", &**name).unwrap(),
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "an element is left open");
    (elements, text)
}

#[test]
fn pages_are_well_formed_and_small_and_load_nothing() {
    for (name, page, _) in pages() {
        assert!(page.len() < 500 << 10, "{name}: {} bytes", page.len());
        let (elements, _) = parse(page);
        for (element, attributes) in &elements {
            assert!(
                !["script", "iframe", "img", "object", "embed"].contains(&&**element),
                "{name}: <{element}>"
            );
            for (attribute, value) in attributes {
                let loads = ["src", "href", "xlink:href", "srcset", "action", "data", "poster"];
                let is_empty = value == "data:,";
                assert!(!loads.contains(&&**attribute) || is_empty, "{name}: {attribute}=\"{value}\"");
                assert!(!attribute.starts_with("on"), "{name}: {attribute}");
            }
        }
        assert!(!page.contains("http://") && !page.contains("https://"), "{name}");
        assert!(!page.contains("@import") && !page.contains("url("), "{name}");
        assert!(!page.contains("NaN") && !page.contains(">inf"), "{name}");
    }
}

#[test]
fn every_figure_is_that_of_the_json_report() {
    for (name, page, json) in pages() {
        let (elements, _) = parse(page);
        let mut seen = 0;
        for (_, attributes) in &elements {
            let of =
                |wanted: &str| attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
            let Some((path, value)) = of("data-figure").zip(of("data-value")) else { continue };
            let pointer = format!("/{}", path.replace('.', "/"));
            let expected = json.pointer(&pointer).unwrap_or_else(|| panic!("{name}: there is no {path}"));
            assert_eq!(*value, expected.to_string(), "{name}: {path}");
            seen += 1;
        }
        assert!(seen >= 10, "{name}: only {seen} figures");
    }
}

#[test]
fn figures_are_written_as_in_the_text_report() {
    let report = solve(&mixed(1000), named("lanes"), options());
    let text = report::text(&report, &report::Style::default());
    let (_, shown) = parse(&page(&report));
    let nanos = report.nanos.as_ref().unwrap();
    for value in [nanos.p50, nanos.p90, nanos.p99, nanos.p99_9, nanos.max] {
        let value = duration(value as f64);
        assert!(text.contains(&value) && shown.contains(&value), "{value}");
    }
    let work = text.lines().find_map(|line| line.strip_prefix("lanes  ")).unwrap();
    assert!(shown.contains(work), "{work}");
}

#[test]
fn every_plot_has_a_name_and_every_header_a_scope() {
    for (name, page, _) in pages() {
        let (elements, _) = parse(page);
        for (element, attributes) in &elements {
            let of =
                |wanted: &str| attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| &**value);
            match &**element {
                "svg" if of("aria-hidden") == Some("true") => {}
                "svg" => {
                    assert_eq!(of("role"), Some("img"), "{name}");
                    assert!(of("aria-label").is_some_and(|label| label.len() > 10), "{name}");
                }
                "th" => assert!(matches!(of("scope"), Some("col" | "row")), "{name}"),
                _ => {}
            }
        }
    }
}

#[test]
fn a_figure_is_drawn_where_there_is_something_to_draw() {
    let count = |page: &str, what: &str| page.matches(what).count();
    for (name, page, json) in pages() {
        let plots = count(page, "<svg class=\"plot\"");
        let expected = match *name {
            "solve" | "dlx" | "one" | "easy" | "million" => 4,
            "untimed" => 1,
            // Curves, ratios, two histograms, and a scatter plot of each engine.
            "compare" => 4 + 5,
            "ten" => 4 + 10,
            "alone" => 4,
            // Without ratios.
            "apart" => 3 + 3,
            _ => 0,
        };
        assert_eq!(plots, expected, "{name}");
        let grids = count(page, "<svg class=\"grid\"");
        let expected = match *name {
            "solve" | "dlx" | "easy" | "untimed" => 5 + json["most_guesses"].as_array().unwrap().len(),
            "one" => 1 + json["most_guesses"].as_array().unwrap().len(),
            "compare" => 4 * 4,
            _ => grids,
        };
        assert_eq!(grids, expected, "{name}");
    }
}

#[test]
fn text_from_outside_never_becomes_markup() {
    let mut report = solve(&mixed(20), named("bitboard"), options());
    report.command = Some(NASTY.to_owned());
    report.inputs[0].name = NASTY.to_owned();
    report.inputs[0].sha256 = Some(NASTY.to_owned());
    report.machine.cpu = NASTY.to_owned();
    report.malformed = vec![NASTY.to_owned()];
    report.counts.malformed = 1;
    report.slowest[0].puzzle = NASTY.to_owned();
    report.slowest[0].input = NASTY.to_owned();
    report.slowest[1].solution = Some(NASTY.to_owned());
    // As many characters as a grid has.
    report.slowest[2].puzzle = NASTY.chars().cycle().take(81).collect();

    let mut comparison = compare(&mixed(5), &["lanes", "dlx"]);
    comparison.command = Some(NASTY.to_owned());
    comparison.inputs[0].name = NASTY.to_owned();
    comparison.machine.cpu = NASTY.to_owned();
    comparison.warnings = vec![NASTY.to_owned()];
    comparison.differences[0].puzzles[0].puzzle = NASTY.to_owned();
    comparison.differences[0].puzzles[0].input = NASTY.to_owned();
    for page in [page(&report), page_of(&comparison)] {
        let (elements, text) = parse(&page);
        assert!(elements.iter().all(|(element, _)| element != "script" && element != "img"));
        assert!(elements.iter().all(|(_, attributes)| attributes.iter().all(|(name, _)| name != "onerror")));
        assert_eq!(elements.iter().filter(|(element, _)| element == "title").count(), 1);
        assert!(text.contains("&lt;script&gt;alert(&#39;1&#39;)") && !page.contains('\u{1b}'), "{text}");
    }
}

/// Widths in units of the drawing, in a wide font (`DejaVu Sans`) of 26 units.
fn width(text: &str) -> f64 {
    let of = |character: char| match character {
        '0'..='9' => 16.6,
        ' ' | '.' | ',' => 8.3,
        '%' => 24.8,
        '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => 10.5,
        'm' => 25.4,
        '×' => 21.8,
        _ => 16.6,
    };
    text.chars().map(of).sum()
}

/// No label reaches over the edge of its drawing, in which it would be cut off.
#[test]
fn labels_are_within_their_drawings() {
    for (name, page, _) in pages() {
        let mut labels = 0;
        for drawing in page.split("<svg class=\"plot\"").skip(1) {
            let drawing = drawing.split("</svg>").next().unwrap();
            for label in drawing.split("<text").skip(1) {
                let (attributes, rest) = label.split_once('>').unwrap();
                let text = rest.split("</text>").next().unwrap().trim();
                let of = |name: &str| attributes.split(name).nth(1).and_then(|rest| rest.split('"').nth(1));
                let x: f64 = of(" x=").unwrap().parse().unwrap();
                let start = match of("text-anchor=") {
                    Some("end") => x - width(text),
                    Some("middle") => x - width(text) / 2.0,
                    _ => x,
                };
                assert!(start >= 0.0 && start + width(text) <= 800.0, "{name}: {text} from {start}");
                labels += 1;
            }
        }
        assert!(labels > 4 || !page.contains("class=\"plot\""), "{name}");
    }
}

/// An engine without a known ratio is not shown as the reference.
#[test]
fn there_is_one_reference() {
    let (_, page, _) = pages().iter().find(|(name, ..)| *name == "apart").unwrap();
    assert_eq!(page.matches(">reference<").count(), 1);
    assert_eq!(page.matches("<td>unknown</td>").count(), 2);
}

/// The program Chromium, if it is installed.
fn browser() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let mut places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|place| place.is_file())
}

/// A browser shows the pages as they were written, and prints nothing on its console.
#[test]
fn a_browser_shows_every_figure_without_a_complaint() {
    let Some(browser) = browser() else {
        skip("no Chromium is installed");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, page, _) in pages().iter().filter(|(name, ..)| ["solve", "compare", "empty"].contains(name)) {
        let path = folder.path().join(format!("{name}.html"));
        fs::write(&path, page).unwrap();
        let output = Command::new(&browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--enable-logging=stderr", "--v=0", "--dump-dom"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("file://{}", path.display()))
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {output:?}");
        let complaints = String::from_utf8_lossy(&output.stderr);
        let console: Vec<&str> = complaints.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert_eq!(console, [""; 0], "{name}");
        let dom = String::from_utf8_lossy(&output.stdout);
        for mark in ["data-figure=\"", "<svg", "<path", "<text", "<th scope=\"row\"", "<figure"] {
            assert_eq!(dom.matches(mark).count(), page.matches(mark).count(), "{name}: {mark}");
        }
    }
}

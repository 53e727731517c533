//! The HTML report: it is well-formed, loads nothing, escapes what comes from outside, and every figure on it is that
//! of the JSON report. Where a Chromium is installed, it is opened in it.
//!
//! With `GALOP_PAGES` set to a folder the pages made here are kept there, to be looked at.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use galop::compare::{
    Comparison, ComparisonOptions, Difference, EngineFigures, Input, NotablePuzzle, Ratio, Spread,
};
use galop::figures::{CpuInfo, Point, Points, RulesInfo, duration};
use galop::input::source::Source;
use galop::pipeline::crosscheck::Sample;
use galop::pipeline::solve::{Options, Road};
use galop::report::{self, Report, Run};
use galop::{Answer, Answers, Engine, Entry, Isa, Limits, Puzzles, Rules, Timed, engine};
use quick_xml::events::Event;
use serde_json::Value;

const NASTY: &str =
    "</title><script>alert('1')</script>\"><img src=x onerror=\"alert(2)\">&amp;\u{1b}[1m.txt";

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

fn solve(text: &str, entry: &Entry, options: Options<'_>) -> Report {
    let mut road = Road::open(&Rules::sudoku(), entry, options, Vec::new()).unwrap();
    let source = std::io::Cursor::new(text.to_owned());
    road.solve(&mut Source::stream("data/mixed.txt", source), &mut ()).unwrap();
    let (_, outcome) = road.close().unwrap();
    let (rules, elapsed) = (&Rules::sudoku(), Duration::from_millis(5));
    let run = Run { rules, engine: entry, options: &options, threads: 2, elapsed };
    let mut report = Report::new(&run, &outcome);
    report.command = Some("galop solve data/mixed.txt --report 'a run.html'".to_owned());
    report.inputs[0].sha256 = Some("0123456789abcdef".repeat(4));
    report.points = points(text, entry).as_slice().to_vec();
    for slow in &mut report.slowest {
        slow.solution = solution(&slow.puzzle);
    }
    report
}

fn cells(line: &str) -> Option<Vec<u8>> {
    let cells: Vec<u8> = line.bytes().map(|c| if c == b'.' { 0 } else { c.wrapping_sub(b'0') }).collect();
    (cells.len() == 81 && cells.iter().all(|&cell| cell <= 9)).then_some(cells)
}

/// Some of the puzzles, timed.
fn points(text: &str, entry: &Entry) -> Points {
    let puzzles: Vec<u8> = text.lines().filter_map(cells).flatten().collect();
    let count = puzzles.len() / 81;
    let (mut solutions, mut answers) = (vec![0; puzzles.len()], vec![Answer::default(); count]);
    let mut engine = Timed((entry.make)(&Rules::sudoku(), Isa::best()).unwrap());
    let mut all = Answers::new(&mut solutions, &mut answers, 81);
    engine.solve(Puzzles::new(&puzzles, 81), Limits::ANY, &mut all).unwrap();
    let mut points = Points::default();
    answers.iter().for_each(|answer| points.add(Point::of(answer.effort)));
    points
}

fn solution(line: &str) -> Option<String> {
    let (puzzle, mut solution, mut answers) = (cells(line)?, [0; 81], [Answer::default()]);
    let mut dlx = (engine("dlx").unwrap().make)(&Rules::sudoku(), Isa::best()).unwrap();
    dlx.solve(Puzzles::new(&puzzle, 81), Limits::ANY, &mut Answers::new(&mut solution, &mut answers, 81))
        .unwrap();
    (answers[0].solutions > 0).then(|| solution.iter().map(|digit| char::from(b'0' + digit)).collect())
}

/// A comparison of `names`, fastest first: figures of real runs, with times of runs made up around them.
fn compare(text: &str, names: &[&'static str]) -> Comparison {
    let options = Options { threads: 1, limits: Limits::ANY.with_guesses(200_000), ..Options::default() };
    let mut engines: Vec<EngineFigures> = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let report = solve(text, engine(name).unwrap(), options);
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

fn options() -> Options<'static> {
    Options { threads: 2, ..Options::default() }
}

/// Every page that is tested, with the JSON report of the same figures.
fn pages() -> Vec<(&'static str, String, Value)> {
    let mut pages = Vec::new();
    let mut solved = |name, report: &Report| {
        pages.push((name, page(report), serde_json::to_value(report).unwrap()));
    };
    let bitboard = engine("bitboard").unwrap();
    let crosscheck = Some(Sample { share: 0.1, seed: 9 });
    let broken = mixed(1000) + "not a puzzle\n";
    solved("solve", &solve(&broken, engine("lanes").unwrap(), Options { crosscheck, ..options() }));
    solved("dlx", &solve(&mixed(300), engine("dlx").unwrap(), options()));
    solved("one", &solve(&data("easy_10k.txt", 1), bitboard, options()));
    solved("easy", &solve(&data("easy_10k.txt", 500), bitboard, options()));
    let mut untimed = solve(&mixed(100), bitboard, Options { times: false, ..options() });
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
    compared("nobody", &compare(&mixed(1), &[]));
    if let Some(folder) = std::env::var_os("GALOP_PAGES") {
        for (name, page, _) in &pages {
            fs::write(Path::new(&folder).join(format!("{name}.html")), page).unwrap();
        }
    }
    pages
}

/// A page as a list of elements with their attributes, and the text of everything; fails where it is not well-formed.
type Elements = Vec<(String, Vec<(String, String)>)>;

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
            Event::Text(piece) => text += piece,
            Event::GeneralRef(name) => write!(text, "&{};", &**name).unwrap(),
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "an element is left open");
    (elements, text)
}

#[test]
fn pages_are_well_formed_small_and_load_nothing() {
    for (name, page, _) in pages() {
        assert!(page.len() < 500 << 10, "{name}: {} bytes", page.len());
        let (elements, _) = parse(&page);
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
        let (elements, _) = parse(&page);
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
    let report = solve(&mixed(1000), engine("lanes").unwrap(), options());
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
        let (elements, _) = parse(&page);
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
    for (name, page, _) in pages() {
        let plots = count(&page, "<svg class=\"plot\"");
        let expected = match name {
            "solve" | "dlx" | "one" | "easy" => 4,
            "untimed" => 1,
            // The curves, the ratios, two histograms, and a scatter an engine.
            "compare" => 4 + 5,
            "ten" => 4 + 10,
            "alone" => 4,
            // Without ratios.
            "apart" => 3 + 3,
            _ => 0,
        };
        assert_eq!(plots, expected, "{name}");
        let grids = count(&page, "<svg class=\"grid\"");
        let expected = match name {
            "solve" | "dlx" | "easy" | "untimed" => 5,
            "one" => 1,
            "compare" => 4 * 4,
            _ => grids,
        };
        assert_eq!(grids, expected, "{name}");
    }
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let mut report = solve(&mixed(20), engine("bitboard").unwrap(), options());
    report.command = Some(NASTY.to_owned());
    report.inputs[0].name = NASTY.to_owned();
    report.inputs[0].sha256 = Some(NASTY.to_owned());
    report.machine.cpu = NASTY.to_owned();
    report.malformed = vec![NASTY.to_owned()];
    report.counts.malformed = 1;
    report.slowest[0].puzzle = NASTY.to_owned();
    report.slowest[0].input = NASTY.to_owned();
    report.slowest[1].solution = Some(NASTY.to_owned());
    // 81 characters, as a grid has.
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

/// An engine whose ratio is not known is not taken for the reference.
#[test]
fn there_is_one_reference() {
    let (_, page, _) = pages().into_iter().find(|(name, ..)| *name == "apart").unwrap();
    assert_eq!(page.matches(">reference<").count(), 1);
    assert_eq!(page.matches("<td>unknown</td>").count(), 2);
}

/// A Chromium, if one is installed.
fn browser() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let mut places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|place| place.is_file())
}

/// The pages stand in a browser as they were written, and the browser has nothing to complain of.
#[test]
fn a_browser_shows_every_figure_without_complaint() {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium is installed");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, page, _) in
        pages().into_iter().filter(|(name, ..)| ["solve", "compare", "empty"].contains(name))
    {
        let path = folder.path().join(format!("{name}.html"));
        fs::write(&path, &page).unwrap();
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

//! The HTML page of a report: it is well-formed, loads nothing, escapes what comes from outside, and each figure equals
//! the one in the JSON report. A Chromium opens it, if one is installed.
//!
//! If the variable `GALOP_PAGES` names a folder, the pages made here are written there, to look at.

mod pages;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use quick_xml::events::Event;

use crate as report;
use galop_batch::figures::duration;
use galop_compare::Contest;
use galop_testing::available::skip;
use pages::{NASTY, compare, mixed, named, options, page, page_of, pages, problems, solve, with_program};

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

/// What is not known of another program stands in no report, and each names its clock.
#[test]
fn a_program_has_no_figures_of_single_puzzles() {
    let contest = Contest::new(vec![with_program()]);
    let written = |ending: &str| report::writer_of(format!("report.{ending}").as_ref()).unwrap()(&contest);
    let json: serde_json::Value = serde_json::from_str(&written("json")).unwrap();
    let engines = json["comparisons"][0]["engines"].as_array().unwrap();
    let program = engines.iter().find(|engine| engine["is_program"] == true).unwrap();
    for name in ["nanos", "guesses", "without_guess", "puzzles_per_second", "max_guesses", "calls"] {
        assert!(program[name].is_null(), "{name}");
    }
    assert!(program["mean_nanos"].as_f64().unwrap() > 0.0 && program["start_nanos"]["median"] == 2e6);
    let csv = written("csv");
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let row: Vec<&str> = csv.lines().find(|line| line.starts_with("dlx,")).unwrap().split(',').collect();
    let empty = header.iter().zip(&row).filter(|(_, field)| field.is_empty());
    let empty: Vec<&str> = empty.map(|(name, _)| *name).filter(|name| !name.starts_with("ratio")).collect();
    let expected = "isa puzzles_per_second nanos_p50 nanos_p90 nanos_p99 nanos_p99_9 nanos_max without_guess \
        guesses_mean guesses_p50 guesses_p99 guesses_max calls_mean calls_max par2_nanos date commit";
    assert_eq!(empty, expected.split_whitespace().collect::<Vec<_>>());
    for ending in ["txt", "md"] {
        let text = written(ending);
        let row = text.lines().find(|line| line.contains("dlx") && line.contains(" -")).unwrap();
        assert!(row.matches(" - ").count() >= 5, "{row}");
    }
    for ending in ["md", "html"] {
        let text = written(ending);
        assert!(
            text.contains("except that the times of dlx are elapsed time, because this system does not"),
            "{text}"
        );
        assert!(text.contains("its times and guesses for single puzzles are not known"), "{text}");
    }
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
            // No dots of the program.
            "program" => 4 + 2,
            // Cactus, ratios, growth.
            "problems" => 3,
            "several" => 2 * (4 + 5) + 3,
            _ => 0,
        };
        assert_eq!(plots, expected, "{name}");
        let grids = count(page, "<svg class=\"grid\"");
        let expected = match *name {
            "solve" | "dlx" | "easy" | "untimed" => 5 + json["most_guesses"].as_array().unwrap().len(),
            "one" => 1 + json["most_guesses"].as_array().unwrap().len(),
            "compare" => 4 * 10,
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

    let mut comparison = compare(&mixed(5), &["lanes", "dlx"], None);
    comparison.command = Some(NASTY.to_owned());
    comparison.inputs[0].name = NASTY.to_owned();
    comparison.machine.cpu = NASTY.to_owned();
    comparison.warnings = vec![NASTY.to_owned()];
    comparison.differences[0].puzzles[0].puzzle = NASTY.to_owned();
    comparison.differences[0].puzzles[0].input = NASTY.to_owned();
    for page in [page(&report), page_of(&comparison), page_of(&problems())] {
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
    assert_eq!(page.matches("> reference<").count(), 1);
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

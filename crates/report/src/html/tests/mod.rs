//! The HTML page of a report: it is well-formed, loads nothing, escapes what comes from outside, and each figure equals
//! the one in the JSON report. A Chromium opens it, if one is installed.
//!
//! If the variable `GALOP_PAGES` names a folder, the pages made here are written there, to look at.

mod pages;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use quick_xml::events::Event;

use crate::html::escape::Text;
use crate::section::{Fact, Figure, Kind, Piece, Readers, Section, Table, Words, notable_row};
use galop_batch::figures::duration;
use galop_compare::Contest;
use galop_testing::available::skip;
use pages::{
    NASTY, Page, Subject, compare, mixed, named, options, page, page_of, pages, problems, solve,
    with_program, written,
};
use serde_json::Value;

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
    for Page { name, html: page, .. } in pages() {
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

/// The values of a section, each with the endings of the formats that show it.
fn values(section: &Section<'_>) -> Vec<(Words, &'static [&'static str])> {
    const PEOPLE: &[&str] = &["txt", "md", "html"];
    let cells =
        |table: &Table, endings| table.rows.iter().flatten().cloned().map(|it| (it, endings)).collect();
    match section {
        Section::Headline(figures) => figures.iter().map(|(_, it)| (it.clone(), &["html"][..])).collect(),
        Section::Notes(notes) => notes.iter().map(|(_, note)| (note.clone(), &["txt"][..])).collect(),
        Section::Statuses(table) | Section::Table(table) => cells(table, PEOPLE),
        Section::PageTable(table) => cells(table, &["html"]),
        Section::Facts(facts, inputs) => {
            let fact = |fact: &Fact| match fact.readers {
                Readers::All => (fact.value.clone(), &["md", "html"][..]),
                Readers::Markdown => (fact.value.clone(), &["md"][..]),
                Readers::Page => (fact.value.clone(), &["html"][..]),
            };
            [facts.iter().map(fact).collect::<Vec<_>>(), cells(inputs, &["html"])].concat()
        }
        Section::Effort(effort) => {
            effort.figures.iter().map(|(_, figure)| (figure.as_str().into(), PEOPLE)).collect()
        }
        Section::Puzzles { place, puzzles, .. } => {
            let times = puzzles.iter().enumerate().filter_map(|(index, puzzle)| {
                let nanos = puzzle.nanos?;
                Some((place.at(index).figure("nanos", nanos, duration(nanos as f64)), PEOPLE))
            });
            times.collect()
        }
        Section::Notable { place, puzzles, rules: Some(_), .. } => {
            let row = |(index, puzzle)| notable_row(&place.at(index), puzzle).map(|it| (it, PEOPLE));
            puzzles.iter().enumerate().flat_map(row).collect()
        }
        _ => Vec::new(),
    }
}

/// Every value of every section stands in every format that has the section, and has the value of the JSON report. The
/// page has no further figures.
#[test]
fn every_figure_stands_in_every_format() {
    for Page { name, html, json, subject } in pages() {
        // Markdown escapes what may look like markup.
        let plain = |text: &str| text.replace('\\', "");
        let (text, markdown) = (subject.written("txt"), plain(&subject.written("md")));
        let mut figures = BTreeSet::new();
        for (words, endings) in subject.sections().iter().flat_map(values) {
            assert!(!endings.contains(&"txt") || text.contains(&words.to_string()), "{name}: {words}");
            for Piece { text, kind, figure } in words.0 {
                let in_markdown = endings.contains(&"md") && kind != Kind::Aside;
                assert!(!in_markdown || markdown.contains(&plain(&text)), "{name}: {text}");
                let mut shown = Text(&text).to_string();
                if let Some(Figure { place, value }) = figure {
                    let pointer = format!("/{}", place.replace('.', "/"));
                    let expected =
                        json.pointer(&pointer).unwrap_or_else(|| panic!("{name}: there is no {place}"));
                    assert_eq!(value, expected.to_string(), "{name}: {place}");
                    shown = format!("data-figure=\"{place}\" data-value=\"{}\">{shown}</span>", Text(&value));
                    figures.extend(endings.contains(&"html").then_some(place));
                }
                assert!(!endings.contains(&"html") || html.contains(&shown), "{name}: {shown}");
            }
        }
        assert!(figures.len() >= 10, "{name}: only {} figures", figures.len());
        let on_page = html.split("data-figure=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let others = ["malformed.", "warnings.", "slowest.", "most_guesses."];
        let mut unknown =
            on_page.filter(|place| !figures.contains(*place) && !others.iter().any(|it| place.contains(it)));
        assert_eq!(unknown.next(), None, "{name}");
    }
}

/// A column of the CSV table is called like the place in the JSON report of an engine: `nanos_p50` is `nanos.p50`.
#[test]
fn every_column_of_csv_has_the_value_of_the_json_report() {
    for Page { name, json, subject, .. } in pages() {
        let Subject::Contest(_) = subject else { continue };
        let csv = subject.written("csv");
        let header: Vec<&str> =
            csv.lines().next().unwrap().split(',').take_while(|name| *name != "tasks").collect();
        let comparisons = json["comparisons"].as_array().unwrap().iter();
        let engines: Vec<&Value> = comparisons.flat_map(|one| one["engines"].as_array().unwrap()).collect();
        assert_eq!(csv.lines().count(), 1 + engines.len(), "{name}");
        for (row, engine) in csv.lines().skip(1).zip(engines) {
            for (column, field) in header.iter().zip(row.split(',')) {
                let value = match *column {
                    "engine" => &engine["name"],
                    "ratio" => &engine["ratio"]["middle"],
                    "nanos_mean" => &engine["mean_nanos"],
                    "guesses_mean" => &engine["mean_guesses"],
                    status if engine["counts"][status].is_u64() && status != "puzzles" => {
                        &engine["counts"][status]
                    }
                    column => {
                        let places =
                            column.match_indices('_').map(|(at, _)| (&column[..at], &column[at + 1..]));
                        let inner = places.map(|(one, two)| &engine[one][two]).find(|value| !value.is_null());
                        inner.unwrap_or(&engine[column])
                    }
                };
                match value {
                    Value::Null => assert_eq!(field, "", "{name}: {column}"),
                    Value::String(word) => assert_eq!(field, word, "{name}: {column}"),
                    number => assert_eq!(field.parse().ok(), number.as_f64(), "{name}: {column}"),
                }
            }
        }
    }
}

/// What is not known of another program stands in no report, and each names its clock.
#[test]
fn a_program_has_no_figures_of_single_puzzles() {
    let contest = Contest::new(vec![with_program()]);
    let written = |ending: &str| written(&contest, ending);
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
    for Page { name, html: page, .. } in pages() {
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
    for Page { name, html: page, json, .. } in pages() {
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
            "program" => 4 + 1,
            // Cactus, ratios, growth.
            "problems" => 3,
            "several" => 2 * (4 + 5) + 3,
            _ => 0,
        };
        assert_eq!(plots, expected, "{name}");
        let grids = count(page, "<svg class=\"grid\"");
        let expected = match *name {
            "solve" | "dlx" | "easy" | "untimed" => 4 + json["most_guesses"].as_array().unwrap().len(),
            "one" => 1 + json["most_guesses"].as_array().unwrap().len(),
            "compare" => 4 * 8,
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
    for Page { name, html: page, .. } in pages() {
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
    let Page { html: page, .. } = pages().iter().find(|page| page.name == "apart").unwrap();
    assert_eq!(page.matches("> reference<").count(), 1);
    assert_eq!(page.matches("<td>-</td>").count(), 2);
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
    for Page { name, html: page, .. } in
        pages().iter().filter(|page| ["solve", "compare", "empty"].contains(&page.name))
    {
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

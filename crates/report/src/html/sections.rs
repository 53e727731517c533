//! The sections of a report as a page.

use std::fmt::{self, Write};

use super::escape::Text;
use super::plots::series_class;
use super::{grid, plots};
use crate::names::file_name;
use crate::section::{
    Fact, Figure, Kind, NOTABLE, Piece, Place, Readers, Section, Table, Words, capitalised, notable_row,
};
use galop_batch::figures::{RulesInfo, duration, pluralize};

/// The page with these sections. The facts of each run are last.
pub(super) fn page(title: &str, version: &str, sections: Vec<Section<'_>>) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    write_page(title, version, sections, &mut out).ok();
    out
}

fn write_page(title: &str, version: &str, sections: Vec<Section<'_>>, out: &mut String) -> fmt::Result {
    let (title, style) = (Text(title), super::STYLE);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>\n\
         <link rel=\"icon\" href=\"data:,\"/>\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
    )?;
    let mut held = None;
    for section in sections {
        match section {
            Section::Facts(facts, inputs) => held = Some((facts, inputs)),
            section => {
                // The growth over several comparisons follows the last of them.
                let is_next = matches!(section, Section::Title { .. } | Section::Line("growth", _));
                if let Some((facts, inputs)) = held.take_if(|_| is_next) {
                    write_facts(&facts, &inputs, out)?;
                }
                write_section(&section, out)?;
            }
        }
    }
    if let Some((facts, inputs)) = held {
        write_facts(&facts, &inputs, out)?;
    }
    write!(out, "</main>\n<footer>galop {}</footer>\n</body>\n</html>\n", Text(version))
}

fn write_section(section: &Section<'_>, out: &mut String) -> fmt::Result {
    match section {
        Section::Title { what, rest } => {
            write!(out, "<h1>{}</h1>\n<p class=\"soft path\">", Text(what))?;
            for (place, (is_emphasised, piece)) in rest.iter().enumerate() {
                let piece = Text(if place == 0 { piece.trim_start_matches([':', ' ']) } else { piece });
                if *is_emphasised { write!(out, "<b>{piece}</b>") } else { write!(out, "{piece}") }?;
            }
            writeln!(out, "</p>")
        }
        Section::Headline(facts) => {
            writeln!(out, "<dl class=\"facts\">")?;
            for (word, figure) in facts {
                write!(out, "<div><dt>{}</dt><dd>", Text(word))?;
                write_words(figure, out)?;
                writeln!(out, "</dd></div>")?;
            }
            writeln!(out, "</dl>")
        }
        Section::Statuses(table) | Section::Table(table) | Section::PageTable(table) => {
            write_table(table, "numbers", out)
        }
        Section::Line(title, line) => {
            writeln!(out, "<h2>{}</h2>\n<p>{}</p>", Text(&capitalised(title)), Text(line))
        }
        Section::Indented(line) => writeln!(out, "<p>{}</p>", Text(line)),
        Section::Explanation(text) | Section::PageNote(text) => {
            writeln!(out, "<p class=\"soft\">{}</p>", Text(text))
        }
        Section::Malformed(records, count) if *count > 0 => {
            let shown = if *count > records.len() as u64 { ", the first of them" } else { "" };
            let title = pluralize(*count, "malformed record", "malformed records");
            write_list(&title, shown, &Place("malformed".to_owned()), records, out)
        }
        Section::Warnings(place, warnings) if !warnings.is_empty() => {
            write_list("Doubtful", "", place, warnings, out)
        }
        Section::Plots(plots) => plots::write(plots, out),
        Section::Puzzles { title, about, place, rules, puzzles } if !puzzles.is_empty() => {
            writeln!(out, "<h2>{}</h2>", Text(&capitalised(title)))?;
            if !about.is_empty() {
                writeln!(
                    out,
                    "<p class=\"soft\">{}.</p>",
                    Text(&capitalised(about.trim_matches([' ', '(', ')'])))
                )?;
            }
            open_puzzles(rules, out)?;
            let input = one_input(puzzles.iter().map(|slow| &*slow.input));
            for (index, slow) in puzzles.iter().enumerate() {
                let place = place.at(index);
                let guesses = pluralize(slow.guesses, "guess", "guesses");
                let guesses = place.figure("guesses", slow.guesses, guesses);
                let line = slow.nanos.map_or(guesses.clone(), |nanos| {
                    place.figure("nanos", nanos, duration(nanos as f64)).and(", ").and(guesses)
                });
                let drawn = (&*slow.puzzle, slow.solution.as_deref());
                write_puzzle(&[line], rules, drawn, (&slow.input, slow.line, input), out)?;
            }
            writeln!(out, "</div>")
        }
        Section::Notable { engine, reference, place, rules: Some(rules), is_folded, puzzles }
            if !puzzles.is_empty() =>
        {
            let open = if *is_folded { "" } else { " open=\"\"" };
            let (one, other) = (Text(engine), Text(reference));
            writeln!(out, "<details{open}>\n<summary>Where {one} and {other} differ most</summary>")?;
            writeln!(out, "<p class=\"soft\">{NOTABLE}</p>")?;
            open_puzzles(rules, out)?;
            let input = one_input(puzzles.iter().map(|puzzle| &*puzzle.input));
            for (index, puzzle) in puzzles.iter().enumerate() {
                let [time, other_time, ratio, guesses, other_guesses] = notable_row(&place.at(index), puzzle);
                let effort = |name: &str, time, guesses| {
                    Words::from(format!("{name} ")).and(time).and(", guesses ").and(guesses)
                };
                let lines = [
                    effort(engine, time, guesses),
                    effort(reference, other_time, other_guesses),
                    Words::from("ratio ").and(ratio),
                ];
                write_puzzle(
                    &lines,
                    rules,
                    (&puzzle.puzzle, None),
                    (&puzzle.input, puzzle.line, input),
                    out,
                )?;
            }
            writeln!(out, "</div>\n</details>")
        }
        _ => Ok(()),
    }
}

/// Writes a box with a list of texts at `place` in the JSON report.
fn write_list(title: &str, rest: &str, place: &Place, texts: &[String], out: &mut String) -> fmt::Result {
    writeln!(out, "<section class=\"warnings\">\n<p><b>{title}</b>{rest}</p>\n<ul>")?;
    for (index, text) in texts.iter().enumerate() {
        write!(out, "<li>")?;
        write_words(&place.figure(&index.to_string(), text, text), out)?;
        writeln!(out, "</li>")?;
    }
    writeln!(out, "</ul>\n</section>")
}

/// Writes everything that is needed to repeat a run.
fn write_facts(facts: &[Fact], inputs: &Table, out: &mut String) -> fmt::Result {
    writeln!(out, "<h2>Run</h2>\n<div class=\"pairs\"><table>\n<tbody>")?;
    for fact in facts.iter().filter(|fact| fact.readers != Readers::Markdown) {
        write_row(&fact.name.into(), std::slice::from_ref(&fact.value), out)?;
    }
    writeln!(out, "</tbody>\n</table></div>")?;
    write_table(inputs, "inputs", out)
}

/// Writes a table, in a box that scrolls if the table is wider than the page; nothing if it has no rows.
fn write_table(table: &Table, class: &str, out: &mut String) -> fmt::Result {
    let Table { title, header, rows } = table;
    if rows.is_empty() {
        return Ok(());
    }
    if !title.is_empty() {
        writeln!(out, "<h2>{title}</h2>")?;
    }
    let name = if title.is_empty() { "Table" } else { title };
    writeln!(
        out,
        "<div class=\"scroll {class}\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">\n<table>"
    )?;
    write!(out, "<thead><tr>")?;
    header.iter().try_for_each(|column| write!(out, "<th scope=\"col\">{}</th>", Text(column)))?;
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in rows {
        if let [name, cells @ ..] = &row[..] {
            write_row(name, cells, out)?;
        }
    }
    writeln!(out, "</tbody>\n</table>\n</div>")
}

fn write_row(name: &Words, cells: &[Words], out: &mut String) -> fmt::Result {
    write!(out, "<tr><th scope=\"row\">")?;
    write_words(name, out)?;
    write!(out, "</th>")?;
    for cell in cells {
        write!(out, "<td>")?;
        write_words(cell, out)?;
        write!(out, "</td>")?;
    }
    writeln!(out, "</tr>")
}

/// Writes words. A figure carries its place in the JSON report and its exact value there.
fn write_words(Words(pieces): &Words, out: &mut String) -> fmt::Result {
    for group in pieces.chunk_by(|one, next| one.kind == next.kind) {
        let (open, close) = match group[0].kind {
            Kind::Aside => ("<span class=\"aside\">", "</span>"),
            Kind::Below => ("<span class=\"aside below\">", "</span>"),
            Kind::Code => ("<code>", "</code>"),
            Kind::Series(number) => {
                write_swatch(number, out)?;
                ("", "")
            }
            Kind::Plain | Kind::Foreign => ("", ""),
        };
        write!(out, "{open}")?;
        for Piece { text, figure, .. } in group {
            let text = Text(text);
            match figure {
                None => write!(out, "{text}"),
                Some(Figure { place, value }) => {
                    let (place, value) = (Text(place), Text(value));
                    write!(out, "<span data-figure=\"{place}\" data-value=\"{value}\">{text}</span>")
                }
            }?;
        }
        write!(out, "{close}")?;
    }
    Ok(())
}

/// Writes a short line in a series' colour, as the plots draw it.
pub(super) fn write_swatch(number: usize, out: &mut String) -> fmt::Result {
    let class = series_class(number);
    write!(
        out,
        "<svg class=\"swatch\" viewBox=\"0 0 28 10\" aria-hidden=\"true\">\
         <path class=\"l {class}\" d=\"M0 5h28\"/></svg>"
    )
}

fn open_puzzles(rules: &RulesInfo, out: &mut String) -> fmt::Result {
    writeln!(out, "<div class=\"puzzles{}\">", if rules.is_large() { " large" } else { "" })
}

/// Whether all puzzles are of one input. The page names it once, in its title.
fn one_input<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    let first = names.next();
    names.all(|name| Some(name) == first)
}

/// Writes lines about a puzzle, the puzzle with its solution, and its line, with the name of its input if there are
/// several.
fn write_puzzle(
    lines: &[Words],
    rules: &RulesInfo,
    (puzzle, solution): (&str, Option<&str>),
    (input, line, is_one): (&str, u64, bool),
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "<div class=\"puzzle\">")?;
    for line in lines {
        write!(out, "<p>")?;
        write_words(line, out)?;
        writeln!(out, "</p>")?;
    }
    grid::draw(rules, puzzle, solution, out)?;
    let name = if is_one { String::new() } else { format!("{}, ", file_name(input)) };
    writeln!(out, "<p class=\"soft\">{}line {line}</p>\n</div>", Text(&name))
}

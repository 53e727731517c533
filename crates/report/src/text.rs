//! Text: the report that a user sees in the terminal at the end of a run with `-v`.

use std::fmt::{self, Write};

use super::format::Format;
use super::names::input_name;
use super::run::{Report, SlowPuzzle};
use super::section::{Bar, NOTABLE, Place, Section, Table, notable_header, notable_row};
use super::{contest_sections, run_sections};
use galop_batch::figures::{duration, pluralize};
use galop_compare::{Contest, NotablePuzzle};

pub(super) const FORMAT: Format = Format {
    ending: "txt",
    about: "what the terminal shows with -v",
    run: Some(|report| text(report, &Style::default())),
    comparison: Some(|contest| contest_text(contest, &Style::default(), usize::MAX)),
    survey: None,
};

/// How emphasis is written: terminal codes, or nothing.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Before a heading.
    pub heading: String,
    /// Before a bar.
    pub bar: String,
    /// Before a status that may need attention.
    pub warning: String,
    /// Before text that may be skipped.
    pub dim: String,
    /// After each of them.
    pub reset: String,
}

/// Characters of the longest bar.
const BAR_WIDTH: usize = 40;

/// The report as text, its emphasis written in `style`.
pub fn text(report: &Report, style: &Style) -> String {
    all(&run_sections::sections(report), style)
}

/// Comparisons as text, its emphasis written in `style`: the engines, and for each engine except the reference at most
/// `notable` of the puzzles on which it differs most from the reference. Warnings are left out, because the terminal
/// shows them elsewhere.
pub fn contest_text(contest: &Contest, style: &Style, notable: usize) -> String {
    all(&contest_sections::sections(contest, notable), style)
}

fn all(sections: &[Section<'_>], style: &Style) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    sections.iter().try_for_each(|section| write_section(section, style, &mut out)).ok();
    out
}

fn write_section(section: &Section<'_>, style: &Style, out: &mut String) -> fmt::Result {
    let Style { heading, warning, reset, .. } = style;
    match section {
        Section::Title { what, rest } => {
            write!(out, "{heading}{what}{reset}")?;
            for (is_emphasised, piece) in rest {
                let (on, off) = if *is_emphasised { (heading.as_str(), reset.as_str()) } else { ("", "") };
                write!(out, "{on}{piece}{off}")?;
            }
            writeln!(out)
        }
        Section::Statuses(table) => table.rows.iter().try_for_each(|row| {
            let [word, count, share] =
                [0, 1, 2].map(|at| row.get(at).map(ToString::to_string).unwrap_or_default());
            let (on, off) = if word == "solved" { ("", "") } else { (warning.as_str(), reset.as_str()) };
            writeln!(out, "  {on}{word:<10}{off} {count:>13}  {share:>7}")
        }),
        Section::Notes(notes) if !notes.is_empty() => {
            writeln!(out)?;
            notes.iter().try_for_each(|(name, note)| writeln!(out, "{heading}{name}{reset}  {note}"))
        }
        Section::Effort(effort) => {
            let whose = if effort.is_shared { " (its share of its lanes' rounds)" } else { "" };
            write!(out, "\n{heading}{} per puzzle{reset}{whose}", effort.of)?;
            effort.figures.iter().try_for_each(|(name, value)| write!(out, "  {name} {value}"))?;
            writeln!(out)?;
            write_bars(&effort.bars, style, out)
        }
        Section::Line(title, line) => writeln!(out, "\n{heading}{title}{reset}  {line}"),
        Section::Indented(line) => writeln!(out, "  {line}"),
        Section::Puzzles { title, about, puzzles, .. } if !puzzles.is_empty() => {
            writeln!(out, "\n{heading}{title}{reset}{about}")?;
            puzzles.iter().try_for_each(|puzzle| write_slow(puzzle, out))
        }
        Section::Table(table) => {
            writeln!(out)?;
            write_table(table, style, out)
        }
        Section::Notable { engine, reference, place, puzzles, .. } if !puzzles.is_empty() => {
            writeln!(out, "\n{heading}where {engine} and {reference} differ most{reset}\n  {NOTABLE}")?;
            write_notable(engine, reference, place, puzzles, out)
        }
        _ => Ok(()),
    }
}

fn write_bars(bars: &[Bar], style: &Style, out: &mut String) -> fmt::Result {
    let Style { bar: on, reset: off, .. } = style;
    bars.iter().try_for_each(|bar| {
        let Bar { label, count, percent, .. } = bar;
        writeln!(out, "  {label:>15} {count:>13}  {percent:>7}  {on}{}{off}", bar.draw(BAR_WIDTH))
    })
}

fn write_slow(slow: &SlowPuzzle, out: &mut String) -> fmt::Result {
    let time = slow.nanos.map_or(String::new(), |nanos| duration(nanos as f64));
    let guesses = pluralize(slow.guesses, "guess", "guesses");
    let place = format!("{}:{}", input_name(&slow.input), slow.line);
    writeln!(out, "  {time:>9} {guesses:>16}  {place}  {}", Beginning(&slow.puzzle))
}

/// The beginning of a puzzle: records of a problem may be long, and the place beside it says where all of it is.
struct Beginning<'a>(&'a str);

impl fmt::Display for Beginning<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Characters that are shown: as many as a grid of 16x16 has.
        const SHOWN: usize = 256;
        match self.0.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(out, "{}...", &self.0[..end]),
            None => out.write_str(self.0),
        }
    }
}

/// Numbers in columns to the right, then places and puzzles.
fn write_notable(
    engine: &str,
    reference: &str,
    place: &Place,
    puzzles: &[NotablePuzzle],
    out: &mut String,
) -> fmt::Result {
    let cells = puzzles.iter().map(|puzzle| notable_row(place, puzzle).map(|cell| cell.to_string()).to_vec());
    let rows: Vec<_> = std::iter::once(notable_header(engine, reference).to_vec()).chain(cells).collect();
    let place = |puzzle: &NotablePuzzle| {
        format!("{}:{}  {}", input_name(&puzzle.input), puzzle.line, Beginning(&puzzle.puzzle))
    };
    let places = std::iter::once("place".to_owned()).chain(puzzles.iter().map(place));
    lines(&rows, 0).into_iter().zip(places).try_for_each(|(line, place)| writeln!(out, "{line}  {place}"))
}

/// Words to the left, numbers to the right.
fn write_table(table: &Table, style: &Style, out: &mut String) -> fmt::Result {
    let Style { heading, bar, reset, .. } = style;
    let shown = table.rows.iter().map(|row| row.iter().map(ToString::to_string).collect());
    let rows: Vec<Vec<String>> = std::iter::once(table.header.clone()).chain(shown).collect();
    lines(&rows, 1).into_iter().enumerate().try_for_each(|(number, line)| {
        let on = [heading.as_str(), bar.as_str()].get(number).copied().unwrap_or_default();
        writeln!(out, "{on}{line}{}", if on.is_empty() { "" } else { reset })
    })
}

/// Rows as lines with columns of equal width. The first `left` columns are set to the left.
fn lines(rows: &[Vec<String>], left: usize) -> Vec<String> {
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let padded = |(at, cell): (usize, &String)| match width(at).unwrap_or(0) {
        width if at < left => format!("  {cell:<width$}"),
        width => format!("  {cell:>width$}"),
    };
    rows.iter().map(|row| row.iter().enumerate().map(padded).collect()).collect()
}

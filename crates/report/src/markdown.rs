//! Markdown: the report for people, in a document.

use std::fmt::{self, Write};

use super::format::Format;
use super::names::{escaped, input_name};
use super::run::SlowPuzzle;
use super::section::{
    Bar, Effort, Fact, Kind, NOTABLE, Place, Readers, Section, Table, Words, capitalised, notable_header,
    notable_row,
};
use super::{contest_sections, run_sections};
use galop_batch::figures::{duration, group_digits};
use galop_compare::NotablePuzzle;

pub(super) const FORMAT: Format = Format {
    ending: "md",
    about: "the same for people, as Markdown tables",
    run: Some(|report| all(&run_sections::sections(report))),
    comparison: Some(|contest| all(&contest_sections::sections(contest, usize::MAX))),
    survey: None,
};

/// Characters of the longest bar.
const BAR_WIDTH: usize = 30;

fn all(sections: &[Section<'_>]) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    sections.iter().try_for_each(|section| write_section(section, &mut out)).ok();
    out
}

/// Every section except the title starts with a blank line.
fn write_section(section: &Section<'_>, out: &mut String) -> fmt::Result {
    match section {
        Section::Title { what, .. } => writeln!(out, "# galop: {}", escaped(what)),
        Section::Facts(facts, _) => {
            writeln!(out, "\n| | |\n|---|---|")?;
            facts
                .iter()
                .filter(|fact| fact.readers != Readers::Page)
                .try_for_each(|fact| write_fact(fact, out))
        }
        Section::Statuses(table) => {
            writeln!(out, "\n## Answers")?;
            write_table(table, ToString::to_string, out)
        }
        Section::Effort(effort) => write_effort(effort, out),
        Section::Line(title, line) => writeln!(out, "\n## {}\n\n{line}", capitalised(title)),
        Section::Indented(line) => writeln!(out, "\n{line}"),
        Section::Puzzles { title, about, puzzles, .. } if !puzzles.is_empty() => {
            writeln!(
                out,
                "\n## {}{about}\n\n| time | guesses | place | puzzle |\n|---:|---:|---|---|",
                capitalised(title)
            )?;
            puzzles.iter().try_for_each(|puzzle| write_slow(puzzle, out))
        }
        Section::Malformed(records, _) if !records.is_empty() => {
            writeln!(out, "\n## Malformed\n")?;
            records.iter().try_for_each(|record| writeln!(out, "- {}", code(record)))
        }
        // Names of programs and problems may look like markup.
        Section::Table(table) => write_table(table, |text| cell(&escaped(text)), out),
        Section::Explanation(text) => writeln!(out, "\n{text}"),
        Section::Warnings(_, warnings) => {
            writeln!(out)?;
            warnings.iter().try_for_each(|warning| writeln!(out, "- warning: {warning}"))
        }
        Section::Notable { engine, reference, place, puzzles, .. } => {
            write_notable(engine, reference, place, puzzles, out)
        }
        _ => Ok(()),
    }
}

fn write_fact(fact: &Fact, out: &mut String) -> fmt::Result {
    let Words(pieces) = &fact.value;
    let shown = pieces.iter().map(|piece| match piece.kind {
        Kind::Foreign => escaped(&piece.text),
        Kind::Code => code(&piece.text),
        _ => piece.text.clone(),
    });
    writeln!(out, "| {} | {} |", fact.name, cell(&shown.collect::<String>()))
}

/// Two figures are a sentence; more are a table.
fn write_effort(effort: &Effort, out: &mut String) -> fmt::Result {
    let Effort { of, figures, is_shared, bars } = effort;
    writeln!(out, "\n## {} per puzzle\n", capitalised(of))?;
    if let [(_, mean), (_, max)] = &figures[..] {
        writeln!(out, "Mean {mean}, largest {max}.\n")?;
    } else {
        let (names, values): (Vec<&str>, Vec<&str>) =
            figures.iter().map(|(name, value)| (*name, value.as_str())).unzip();
        let numbers = "---:|".repeat(names.len());
        writeln!(out, "| {} |\n|{numbers}\n| {} |\n", names.join(" | "), values.join(" | "))?;
    }
    if *is_shared {
        writeln!(out, "{}\n", run_sections::SHARED_TIMES)?;
    }
    writeln!(out, "| {of} | puzzles | share | |\n|---:|---:|---:|:---|")?;
    bars.iter().try_for_each(|bar| {
        let Bar { label, count, percent, .. } = bar;
        writeln!(out, "| {label} | {count} | {percent} | {} |", bar.draw(BAR_WIDTH))
    })
}

fn write_slow(slow: &SlowPuzzle, out: &mut String) -> fmt::Result {
    let SlowPuzzle { input, line, nanos, guesses, puzzle, .. } = slow;
    let time = nanos.map_or(String::new(), |nanos| duration(nanos as f64));
    writeln!(
        out,
        "| {time} | {} | {}:{line} | {} |",
        group_digits(*guesses),
        place(input),
        cell(&code(puzzle))
    )
}

/// Writes a table. `written` writes the text of a cell.
fn write_table(table: &Table, written: fn(&str) -> String, out: &mut String) -> fmt::Result {
    let numbers = "---:|".repeat(table.header.len() - 1);
    let header: Vec<String> = table.header.iter().map(|name| written(name)).collect();
    writeln!(out, "\n| {} |\n|---|{numbers}", header.join(" | "))?;
    table.rows.iter().try_for_each(|row| {
        let row: Vec<String> = row.iter().map(|words| written(&words.to_string())).collect();
        writeln!(out, "| {} |", row.join(" | "))
    })
}

fn write_notable(
    engine: &str,
    reference: &str,
    at: &Place,
    puzzles: &[NotablePuzzle],
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "\n## Where {engine} and {reference} differ most\n\n{NOTABLE}\n")?;
    writeln!(out, "| {} | place | puzzle |", notable_header(engine, reference).join(" | "))?;
    writeln!(out, "|---:|---:|---:|---:|---:|---|---|")?;
    puzzles.iter().try_for_each(|puzzle| {
        let (numbers, input) =
            (notable_row(at, puzzle).map(|words| words.to_string()).join(" | "), place(&puzzle.input));
        writeln!(out, "| {numbers} | {input}:{} | {} |", puzzle.line, cell(&code(&puzzle.puzzle)))
    })
}

/// The name of an input in a table.
fn place(input: &str) -> String {
    cell(&escaped(&input_name(input)))
}

/// A code span. Its fence is longer than any run of backticks in it (`CommonMark` 6.1).
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Text that cannot end a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(escaped("<b>[a](b) *c* d_e.txt"), r"\<b\>\[a\](b) \*c\* d\_e.txt");
        assert_eq!(cell(&escaped(r"a|\b")), r"a\|\\b");
        assert_eq!(place("a\n<b>"), r"$'a\\n\<b\>'");
    }

    #[test]
    fn code_spans_hold_backticks() {
        assert_eq!(code("galop solve"), "`galop solve`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`<script>`"), "`` `<script>` ``");
        assert_eq!(code(""), "``");
    }
}

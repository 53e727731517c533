//! Markdown: the report for people, in a document.

use std::fmt::{self, Write};

use super::format::Format;
use super::names::{escaped, input_name};
use super::run::SlowPuzzle;
use super::section::{Bar, Effort, Fact, Section, Table, notable_header, notable_row};
use super::{contest_sections, run_sections};
use galop_batch::figures::{duration, group_digits, percent};
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
        Section::Facts(facts) => {
            writeln!(out, "\n| | |\n|---|---|")?;
            facts.iter().try_for_each(|fact| write_fact(fact, out))
        }
        Section::Statuses(statuses, records) => {
            writeln!(out, "\n## Answers\n\n| status | records | share |\n|---|---:|---:|")?;
            statuses.iter().try_for_each(|&(word, count)| {
                writeln!(out, "| {word} | {} | {} |", group_digits(count), percent(count, *records))
            })
        }
        Section::Effort(effort) => write_effort(effort, out),
        Section::Line(title, line) => writeln!(out, "\n## {}\n\n{line}", capitalised(title)),
        Section::Indented(line) => writeln!(out, "\n{line}"),
        Section::Puzzles(title, about, puzzles) if !puzzles.is_empty() => {
            writeln!(
                out,
                "\n## {}{about}\n\n| time | guesses | place | puzzle |\n|---:|---:|---|---|",
                capitalised(title)
            )?;
            puzzles.iter().try_for_each(|puzzle| write_slow(puzzle, out))
        }
        Section::Malformed(records) if !records.is_empty() => {
            writeln!(out, "\n## Malformed\n")?;
            records.iter().try_for_each(|record| writeln!(out, "- {}", code(record)))
        }
        Section::Ranking(table) => write_table(table, out),
        Section::Explanation(text) => writeln!(out, "\n{text}"),
        Section::Warnings(warnings) => {
            writeln!(out)?;
            warnings.iter().try_for_each(|warning| writeln!(out, "- warning: {warning}"))
        }
        Section::Notable { engine, reference, puzzles } => write_notable(engine, reference, puzzles, out),
        Section::Notes(_) | Section::Puzzles(..) | Section::Malformed(_) => Ok(()),
    }
}

fn write_fact(fact: &Fact, out: &mut String) -> fmt::Result {
    let value = cell(&if fact.is_code { code(&fact.value) } else { fact.value.clone() });
    writeln!(out, "| {} | {value} |", fact.name)
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
        writeln!(
            out,
            "Many puzzles are solved at once: a puzzle's time is its share of its lanes' rounds, and the times \
             add up to the times of the batches.\n"
        )?;
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

fn write_table(table: &Table, out: &mut String) -> fmt::Result {
    let numbers = "---:|".repeat(table.header.len() - 1);
    writeln!(out, "\n| {} |\n|---|{numbers}", cells(&table.header))?;
    table.rows.iter().try_for_each(|row| writeln!(out, "| {} |", cells(row)))
}

/// The cells of a row: names of programs and problems may look like markup.
fn cells(row: &[String]) -> String {
    row.iter().map(|text| cell(&escaped(text))).collect::<Vec<_>>().join(" | ")
}

fn write_notable(engine: &str, reference: &str, puzzles: &[NotablePuzzle], out: &mut String) -> fmt::Result {
    writeln!(out, "\n## Where {engine} and {reference} differ most\n")?;
    writeln!(out, "| {} | place | puzzle |", notable_header(engine, reference).join(" | "))?;
    writeln!(out, "|---:|---:|---:|---:|---:|---|---|")?;
    puzzles.iter().try_for_each(|puzzle| {
        let (numbers, input) = (notable_row(puzzle).join(" | "), place(&puzzle.input));
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

/// `time` as `Time`.
fn capitalised(words: &str) -> String {
    let (first, rest) = words.split_at(usize::from(!words.is_empty()));
    first.to_ascii_uppercase() + rest
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

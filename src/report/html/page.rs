//! What stands around the figures: the head of the page, its style, and the pieces that both pages are made of.

use std::fmt::{self, Display, Write};

use super::escape::{Figure, Text};
use super::plots::series_class;
use crate::report::{Machine, thousands};

/// Begins a page.
pub(super) fn open(title: &str, out: &mut String) -> fmt::Result {
    let (title, style) = (Text(title), include_str!("style.css"));
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>\n\
         <link rel=\"icon\" href=\"data:,\"/>\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
    )
}

/// Ends it.
pub(super) fn close(version: &str, out: &mut String) -> fmt::Result {
    write!(out, "</main>\n<footer>galop {}</footer>\n</body>\n</html>\n", Text(version))
}

/// A few figures that say it all: a word and a figure each.
pub(super) fn facts(facts: &[(&str, Figure<'_>)], out: &mut String) -> fmt::Result {
    writeln!(out, "<dl class=\"facts\">")?;
    for (word, figure) in facts {
        writeln!(out, "<div><dt>{}</dt>{figure}</div>", Text(word))?;
    }
    writeln!(out, "</dl>")
}

/// Begins a table in a box of its own, which scrolls where the table is wider than the page.
pub(super) fn open_table(name: &str, columns: &[&str], out: &mut String) -> fmt::Result {
    let name = Text(name);
    writeln!(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">\n<table>")?;
    write!(out, "<thead><tr>")?;
    for column in columns {
        write!(out, "<th scope=\"col\">{}</th>", Text(column))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")
}

/// Ends it.
pub(super) fn close_table(out: &mut String) -> fmt::Result {
    writeln!(out, "</tbody>\n</table>\n</div>")
}

/// One row of a table of names and values.
pub(super) fn row(name: &str, value: impl Display, out: &mut String) -> fmt::Result {
    writeln!(out, "<tr><th scope=\"row\">{}</th>{value}</tr>", Text(name))
}

/// A piece of a line in a series' colour, as the figures draw it.
pub(super) fn swatch(number: usize) -> String {
    let class = series_class(number);
    format!(
        "<svg class=\"swatch\" viewBox=\"0 0 28 10\" aria-hidden=\"true\"><path class=\"l {class}\" d=\"M0 5h28\"/></svg>"
    )
}

/// The rows that tell where it ran, and by which command.
pub(super) fn whereabouts(command: Option<&str>, machine: &Machine, out: &mut String) -> fmt::Result {
    if let Some(command) = command {
        row("command", Figure::new("td class=\"code\"", "command", command, command), out)?;
    }
    let cores = thousands(machine.cores as u64);
    row("processor", Figure::new("td", "machine.cpu", &machine.cpu, &machine.cpu), out)?;
    row("cores", Figure::new("td", "machine.cores", machine.cores, &cores), out)?;
    let (os, arch) = (
        Figure::new("span", "machine.os", machine.os, machine.os),
        Figure::new("span", "machine.arch", machine.arch, machine.arch),
    );
    row("system", format!("<td>{os}, {arch}</td>"), out)
}

/// A limit that may not have been set.
pub(super) fn or_none(limit: Option<u64>) -> String {
    limit.map_or("none".to_owned(), thousands)
}

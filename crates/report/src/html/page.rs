//! The parts that both pages share: the head with its style, tables, and the section that describes the run.

use std::fmt::{self, Write};

use super::escape::{Text, figure};
use super::plots::series_class;
use galop_batch::figures::{CpuInfo, group_digits};

/// Writes the start of a page.
pub(super) fn open(title: &str, out: &mut String) -> fmt::Result {
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
    )
}

/// Writes the end of a page.
pub(super) fn close(version: &str, out: &mut String) -> fmt::Result {
    write!(out, "</main>\n<footer>galop {}</footer>\n</body>\n</html>\n", Text(version))
}

/// The main figures: a word and an element each.
pub(super) fn facts(facts: &[(&str, String)], out: &mut String) -> fmt::Result {
    writeln!(out, "<dl class=\"facts\">")?;
    for (word, figure) in facts {
        writeln!(out, "<div><dt>{}</dt>{figure}</div>", Text(word))?;
    }
    writeln!(out, "</dl>")
}

/// Writes the start of a table, in a box that scrolls if the table is wider than the page.
pub(super) fn open_table(name: &str, columns: &[&str], out: &mut String) -> fmt::Result {
    let name = Text(name);
    writeln!(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">\n<table>")?;
    write!(out, "<thead><tr>")?;
    for column in columns {
        write!(out, "<th scope=\"col\">{}</th>", Text(column))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")
}

/// Writes the end of a table.
pub(super) fn close_table(out: &mut String) -> fmt::Result {
    writeln!(out, "</tbody>\n</table>\n</div>")
}

/// Writes a row: a name and its cells.
pub(super) fn row(name: &str, cells: &str, out: &mut String) -> fmt::Result {
    writeln!(out, "<tr><th scope=\"row\">{}</th>{cells}</tr>", Text(name))
}

/// A short line in a series' colour, as the plots draw it.
pub(super) fn swatch(number: usize) -> String {
    let class = series_class(number);
    format!(
        "<svg class=\"swatch\" viewBox=\"0 0 28 10\" aria-hidden=\"true\">\
         <path class=\"l {class}\" d=\"M0 5h28\"/></svg>"
    )
}

/// The section with everything that is needed to repeat a run.
pub(super) struct RunSection<'a> {
    /// The version of galop.
    pub(super) version: &'a str,
    /// The command that was typed.
    pub(super) command: Option<&'a str>,
    /// The machine.
    pub(super) machine: &'a CpuInfo,
    /// Names and cells of further rows.
    pub(super) rows: Vec<(&'a str, String)>,
    /// Columns of the table of inputs, between the file and its sum.
    pub(super) columns: &'a [&'a str],
    /// The inputs.
    pub(super) inputs: Vec<InputRow<'a>>,
}

/// A row of the table of inputs.
pub(super) struct InputRow<'a> {
    /// The name of the file.
    pub(super) name: &'a str,
    /// The cells of the columns.
    pub(super) cells: String,
    /// The SHA-256 sum of the file.
    pub(super) sha256: &'a Option<String>,
}

impl RunSection<'_> {
    /// Writes the section.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "<section>\n<h2>Run</h2>\n<div class=\"pairs\"><table>\n<tbody>")?;
        row("galop", &figure("td", "galop", self.version, self.version), out)?;
        if let Some(command) = self.command {
            row("command", &figure("td class=\"code\"", "command", command, command), out)?;
        }
        let CpuInfo { cpu, cores, os, arch } = self.machine;
        row("processor", &figure("td", "machine.cpu", cpu, cpu), out)?;
        row("cores", &figure("td", "machine.cores", cores, &group_digits(*cores as u64)), out)?;
        let (os, arch) = (figure("span", "machine.os", os, os), figure("span", "machine.arch", arch, arch));
        row("system", &format!("<td>{os}, {arch}</td>"), out)?;
        self.rows.iter().try_for_each(|(name, cell)| row(name, cell, out))?;
        writeln!(out, "</tbody>\n</table></div>")?;
        if !self.inputs.is_empty() {
            self.write_inputs(out)?;
        }
        writeln!(out, "</section>")
    }

    fn write_inputs(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "<h3>Data</h3>\n<div>")?;
        open_table("Data", &[&["file"], self.columns, &["SHA-256"]].concat(), out)?;
        for (index, input) in self.inputs.iter().enumerate() {
            let (path, sum) = (format!("inputs.{index}.sha256"), input.sha256.as_deref().unwrap_or("–"));
            let sum = figure("td class=\"code sum\"", &path, input.sha256, sum);
            row(input.name, &format!("{}{sum}", input.cells), out)?;
        }
        close_table(out)?;
        writeln!(out, "</div>")
    }
}

/// A cell of the table of inputs that holds a number.
pub(super) fn input_number(path: &str, value: u64) -> String {
    figure("td class=\"n\"", path, value, &group_digits(value))
}

/// A limit, or `none`.
pub(super) fn or_none(limit: Option<u64>) -> String {
    limit.map_or("none".to_owned(), group_digits)
}

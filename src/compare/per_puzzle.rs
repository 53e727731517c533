//! What came of every puzzle with every engine, as a table to reckon with.

use super::puzzles::Set;
use super::sum_up::Medians;
use super::{Measured, Plan, Watch};
use crate::error::Error;
use crate::puzzle::Status;

/// The names of the columns, with the line end.
pub const HEADER: &str = "puzzle,engine,nanos,guesses,status,input,line\n";

/// One puzzle and one engine.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The puzzle as it was read.
    pub puzzle: &'a str,
    /// The engine.
    pub engine: &'static str,
    /// Its time in nanoseconds, the median over the runs; `None` if it never came to the puzzle.
    pub nanos: Option<f64>,
    /// Its guesses, the median over the runs.
    pub guesses: Option<f64>,
    /// What it said of the puzzle as it was read; `None` if it did not come to it.
    pub status: Option<Status>,
    /// The source.
    pub input: &'a str,
    /// The line, from 1.
    pub line: u64,
}

/// Appends `row` as a line of CSV under [`HEADER`]; what is not known is empty.
pub fn print(row: &Row<'_>, out: &mut String) {
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let status = row.status.map_or("", Status::word);
    let fields = [
        quoted(row.puzzle),
        row.engine.to_owned(),
        number(row.nanos),
        number(row.guesses),
        status.to_owned(),
        quoted(row.input),
        row.line.to_string(),
    ];
    out.push_str(&fields.join(","));
    out.push('\n');
}

/// A field that may hold anything (RFC 4180, 2.6 and 2.7).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Tells `watch` of every puzzle and engine.
pub(super) fn tell(
    plan: &Plan<'_>,
    puzzles: &Set,
    measured: &[Measured],
    medians: &[Medians],
    watch: &mut dyn Watch,
) -> Result<(), Error> {
    for index in 0..puzzles.len() {
        let puzzle = puzzles.text(index);
        let (input, line) = puzzles.source(index);
        for ((entry, measured), medians) in plan.engines.iter().zip(measured).zip(medians) {
            let is_answered = index < measured.warm_up.done;
            let status = measured.warm_up.statuses.get(index).copied().filter(|_| is_answered);
            let (nanos, guesses) = medians.of(index).unzip();
            watch.told(&Row { puzzle: &puzzle, engine: entry.name, nanos, guesses, status, input, line })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines_of_csv() {
        let mut out = String::new();
        let row = Row {
            puzzle: "1.3",
            engine: "dlx",
            nanos: Some(1250.0),
            guesses: Some(0.5),
            status: Some(Status::Solved),
            input: "a,\"b\".txt",
            line: 7,
        };
        print(&row, &mut out);
        print(&Row { nanos: None, guesses: None, status: None, input: "c", ..row }, &mut out);
        assert_eq!(out, "1.3,dlx,1250,0.5,solved,\"a,\"\"b\"\".txt\",7\n1.3,dlx,,,,c,7\n");
        assert_eq!(HEADER.matches(',').count(), 6);
    }
}

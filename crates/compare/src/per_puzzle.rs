//! The result of every engine on every puzzle, as a table for further analysis.

use std::borrow::Cow;
use std::fmt;

use super::{contest::Record, plan::Plan, summary::Medians};
use galop_batch::error::Error;
use galop_engines::puzzle::Status;

/// The first line of the table: the names of the columns, with the line end.
pub const HEADER: &str = "puzzle,engine,nanos,guesses,status,input,line\n";

/// The result of one engine on one puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The puzzle as it was read, or the name of the exact cover problem.
    pub puzzle: &'a str,
    /// The engine.
    pub engine: &'a str,
    /// Its processor time in nanoseconds, the median over the runs; `None` if it answered the puzzle in no run, or is
    /// another program.
    pub nanos: Option<f64>,
    /// Its guesses or nodes, the median over the runs; `None` likewise.
    pub guesses: Option<f64>,
    /// Its status for the puzzle as it was read; `None` if it did not answer it.
    pub status: Option<Status>,
    /// The source.
    pub input: &'a str,
    /// The line, from 1; 0 for an exact cover problem.
    pub line: u64,
}

/// A row of CSV under [`HEADER`], without the line end; unknown values are empty.
impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let (puzzle, input, status) =
            (quoted(self.puzzle), quoted(self.input), self.status.map_or("", Status::word));
        let (nanos, guesses) = (number(self.nanos), number(self.guesses));
        write!(f, "{puzzle},{},{nanos},{guesses},{status},{input},{}", self.engine, self.line)
    }
}

/// A field that may contain any character (RFC 4180, 2.6 and 2.7).
pub fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Calls `sink` for every puzzle and engine. `place_of` gives a puzzle, its source and its line.
pub(super) fn each_row<'a>(
    plan: &Plan<'_>,
    record: &Record,
    medians: &[Medians],
    place_of: impl Fn(usize) -> (Cow<'a, str>, &'a str, u64),
    mut sink: impl FnMut(&Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    for index in 0..record.orders.first().map_or(0, Vec::len) {
        let (puzzle, input, line) = place_of(index);
        for ((contestant, measured), medians) in plan.contestants.iter().zip(&record.measured).zip(medians) {
            let is_answered = index < measured.warm_up.done;
            let status = measured.warm_up.statuses.get(index).copied().filter(|_| is_answered);
            let (nanos, guesses) = medians.of(index).unzip();
            sink(&Row { puzzle: &puzzle, engine: &contestant.name, nanos, guesses, status, input, line })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines_of_csv() {
        let row = Row {
            puzzle: "1.3",
            engine: "dlx",
            nanos: Some(1250.0),
            guesses: Some(0.5),
            status: Some(Status::Solved),
            input: "a,\"b\".txt",
            line: 7,
        };
        let unknown = Row { nanos: None, guesses: None, status: None, input: "c", ..row };
        let out = format!("{row}\n{unknown}\n");
        assert_eq!(out, "1.3,dlx,1250,0.5,solved,\"a,\"\"b\"\".txt\",7\n1.3,dlx,,,,c,7\n");
        assert_eq!(HEADER.matches(',').count(), 6);
    }
}

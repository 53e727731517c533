//! The solutions of a problem, as they are printed.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::anyhow;
use galop_batch::printable;
use galop_cover::text::SolutionText;
use galop_cover::{ExactCover, OptionId};
use serde_json::json;

use super::picture::Board;
use super::report::number;
use super::{Out, write_error, write_line};
use crate::args::SolutionFormat;

/// Prints the solutions of a problem.
pub(super) struct Listing<'a> {
    problem: &'a ExactCover,
    /// Where solutions are drawn, if they are.
    board: Option<Board>,
    pub(super) is_json: bool,
    out: &'a mut Out,
    printed: u64,
    error: Option<io::Error>,
    /// Options as words, and in JSON as numbers.
    words: SolutionText<'a>,
    numbers: SolutionText<'a>,
    /// The name of the file as a member of a JSON object.
    file: String,
    /// The line that is being written.
    line: String,
}

impl<'a> Listing<'a> {
    /// A listing of which nothing is written yet.
    pub(super) fn new(
        name: &Path,
        problem: &'a ExactCover,
        format: SolutionFormat,
        out: &'a mut Out,
    ) -> anyhow::Result<Listing<'a>> {
        let is_json = format == SolutionFormat::Json;
        let words = match is_json {
            true => SolutionText::new(problem, ",", |problem, option| {
                json!(problem.option_text(option).to_string()).to_string()
            }),
            false => {
                SolutionText::new(problem, " | ", |problem, option| problem.option_text(option).to_string())
            }
        };
        let board = match format {
            SolutionFormat::Picture => Some(Board::of(problem).ok_or_else(|| {
                anyhow!(
                    "{}: no items are cells, so there is no picture (the name of a cell is 3.10, r3c10 or 3a)",
                    printable(name)
                )
            })?),
            _ => None,
        };
        let numbers = SolutionText::new(problem, ",", |_, option| option.to_string());
        let file = format!(r#""file":{}"#, json!(name.to_string_lossy()));
        let (printed, error, line) = (0, None, String::new());
        Ok(Listing { problem, board, is_json, out, printed, error, words, numbers, file, line })
    }

    /// Prints a solution; at the end of its line the cost, if it is wanted there. An error is kept for
    /// [`flush`](Self::flush).
    pub(super) fn print(&mut self, options: &[OptionId], cost: Option<u128>) -> ControlFlow<()> {
        if self.error.is_none() {
            self.error = self.write(options, cost).err();
        }
        if self.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn write(&mut self, options: &[OptionId], cost: Option<u128>) -> io::Result<()> {
        self.printed += 1;
        let Listing { problem, line, .. } = self;
        line.clear();
        if self.is_json {
            line.push('{');
            if problem.has_costs() || cost.is_some() {
                let cost: u128 = options.iter().map(|&option| u128::from(problem.cost(option))).sum();
                line.push_str(&format!(r#""cost":{},"#, number(&cost.into())));
            }
            line.push_str(&self.file);
            line.push_str(r#","numbers":["#);
            self.numbers.append(options, line);
            line.push_str(r#"],"options":["#);
            self.words.append(options, line);
            line.push_str(&format!("],\"solution\":{}}}\n", self.printed));
            return self.out.write_all(line.as_bytes());
        }
        if let Some(board) = &self.board {
            let separator = if self.printed > 1 { "\n" } else { "" };
            return write!(self.out, "{separator}{}", board.draw(problem, options));
        }
        self.words.append(options, line);
        if let Some(cost) = cost {
            let separator = if options.is_empty() { "" } else { " " };
            line.push_str(&format!("{separator}|{cost}"));
        }
        line.push('\n');
        self.out.write_all(line.as_bytes())
    }

    /// Writes what is buffered. An error is kept for [`flush`](Self::flush).
    pub(super) fn flush_some(&mut self) {
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
    }

    /// Writes what is buffered, and returns the first error of the listing.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        self.flush_some();
        self.error.take().map_or(Ok(()), |error| Err(write_error(error)))
    }

    /// Writes a line after the solutions.
    pub(super) fn write_line(&mut self, line: &str) -> anyhow::Result<()> {
        write_line(self.out, line)
    }
}

//! The solutions of a problem, as they are printed.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use galop::figures::group_digits;
use galop_cover::text::SolutionText;
use galop_cover::{self as cover, ExactCover, Observer, OptionId};
use serde_json::json;

use super::picture::Board;
use super::statistics::number;
use crate::args::{CoverArgs, CoverFormat};
use crate::output::Sink;
use crate::progress::Progress;

/// Prints the solutions of a problem.
pub(super) struct Listing<'a> {
    pub(super) args: &'a CoverArgs,
    pub(super) name: &'a Path,
    pub(super) problem: &'a ExactCover,
    /// Where solutions are drawn, if they are.
    pub(super) board: Option<Board>,
    pub(super) out: &'a mut BufWriter<Sink>,
    found: u64,
    pub(super) error: Option<io::Error>,
    pub(super) progress: Progress,
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
        args: &'a CoverArgs,
        name: &'a Path,
        problem: &'a ExactCover,
        board: Option<Board>,
        out: &'a mut BufWriter<Sink>,
        progress: Progress,
    ) -> Listing<'a> {
        let words = match args.format {
            CoverFormat::Json => SolutionText::new(problem, ",", |problem, option| {
                json!(problem.option_text(option).to_string()).to_string()
            }),
            CoverFormat::Options => {
                SolutionText::new(problem, " | ", |problem, option| problem.option_text(option).to_string())
            }
        };
        let numbers = SolutionText::new(problem, ",", |_, option| option.to_string());
        let file = format!(r#""file":{}"#, json!(name.to_string_lossy()));
        let (found, error, line) = (0, None, String::new());
        Listing { args, name, problem, board, out, found, error, progress, words, numbers, file, line }
    }

    /// Writes what is buffered. An error is kept.
    pub(super) fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
    }

    /// Prints a solution of this total cost, which ends the line. An error is kept.
    pub(super) fn solution_of_cost(&mut self, options: &[OptionId], cost: u128) {
        if self.error.is_none() {
            self.error = self.write(options, Some(cost)).err();
        }
    }

    /// Prints a solution; at the end of its line the cost, if it is wanted there.
    fn write(&mut self, options: &[OptionId], cost: Option<u128>) -> io::Result<()> {
        self.found += 1;
        let Listing { problem, line, .. } = self;
        line.clear();
        if self.args.format == CoverFormat::Json {
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
            line.push_str(&format!("],\"solution\":{}}}\n", self.found));
            return self.out.write_all(line.as_bytes());
        }
        if let Some(board) = &self.board {
            let separator = if self.found > 1 { "\n" } else { "" };
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
}

impl Observer for Listing<'_> {
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        match self.write(options, None) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn progress(&mut self, progress: &cover::Progress) {
        // A reader at the end of a pipe sees rare solutions at once.
        self.flush();
        let solutions = u64::try_from(progress.solutions).unwrap_or(u64::MAX);
        self.progress.set_share(progress.fraction, || {
            format!("{} nodes  {} solutions", group_digits(progress.nodes), group_digits(solutions))
        });
    }
}

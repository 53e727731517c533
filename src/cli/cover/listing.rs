//! The solutions of a problem, as they are printed.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use galop::figures::group_digits;
use galop_cover::{self as cover, ExactCover, Observer, OptionId};
use serde_json::json;

use super::picture::Board;
use super::statistics::number;
use crate::cli::args::{CoverArgs, CoverFormat};
use crate::cli::output::Sink;
use crate::cli::progress::Progress;

/// Prints the solutions of a problem.
pub(super) struct Listing<'a> {
    pub(super) args: &'a CoverArgs,
    pub(super) name: &'a Path,
    pub(super) problem: &'a ExactCover,
    /// Where solutions are drawn, if they are.
    pub(super) board: Option<Board>,
    pub(super) out: &'a mut BufWriter<Sink>,
    pub(super) found: u64,
    pub(super) error: Option<io::Error>,
    pub(super) progress: Progress,
}

impl Listing<'_> {
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
        let problem = self.problem;
        if self.args.format == CoverFormat::Json {
            let words: Vec<String> =
                options.iter().map(|&option| problem.option_text(option).to_string()).collect();
            let mut object = json!({
                "file": self.name.to_string_lossy(),
                "solution": self.found,
                "options": words,
                "numbers": options,
            });
            if problem.has_costs() || cost.is_some() {
                let cost: u128 = options.iter().map(|&option| u128::from(problem.cost(option))).sum();
                object["cost"] = number(&cost.into());
            }
            return writeln!(self.out, "{object}");
        }
        if let Some(board) = &self.board {
            let separator = if self.found > 1 { "\n" } else { "" };
            return write!(self.out, "{separator}{}", board.draw(problem, options));
        }
        for (index, &option) in options.iter().enumerate() {
            let separator = if index > 0 { " | " } else { "" };
            write!(self.out, "{separator}{}", problem.option_text(option))?;
        }
        if let Some(cost) = cost {
            let separator = if options.is_empty() { "" } else { " " };
            write!(self.out, "{separator}|{cost}")?;
        }
        self.out.write_all(b"\n")
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

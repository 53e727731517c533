//! `galop rate PUZZLE` on a terminal: how hard the puzzle is, in one line.

use std::io::{self, Write};
use std::process::ExitCode;

use galop_batch::figures::pluralize;
use galop_corpora::rating::Rater;
use galop_engines::Rules;
use galop_engines::engine::Entry;
use galop_engines::puzzle::{Puzzles, Status};
use galop_explain::{End, Explainer, Options};

use super::args::{GridInputArgs, RateArgs};
use super::records::{Printer, print_each};
use super::{argument, messages, output};

/// Whether a person types a puzzle and reads the answer.
pub(super) fn is_wanted(input: &GridInputArgs) -> bool {
    argument::is_typed(&input.files) && output::is_terminal(None)
}

pub(super) fn run(args: &RateArgs) -> anyhow::Result<ExitCode> {
    let code = print_each(&args.input.grids, |rules| RateOne {
        explainer: Explainer::new(rules),
        entry: args.engine().unwrap_or_else(|| galop_engines::engine::default_for(rules)),
        options: Options::rating().unique(args.assume_unique),
        rules: rules.clone(),
    })?;
    if let [puzzle] = &args.input.grids.files[..]
        && args.input.grids.kind.is_usual()
        && !args.rewrite.run.quiet
    {
        messages::next(format_args!("galop explain {}", super::command::quoted_path(puzzle)));
    }
    Ok(code)
}

/// Prints the rating of each puzzle.
struct RateOne {
    explainer: Explainer,
    entry: &'static Entry,
    options: Options,
    rules: Rules,
}

impl Printer for RateOne {
    fn print(&mut self, puzzle: &[u8], _: Option<&[u8]>, out: &mut dyn Write) -> io::Result<()> {
        match self.status(puzzle).map_err(io::Error::other)? {
            Status::None => return writeln!(out, "no rating: the puzzle has no solution"),
            Status::Multiple => return writeln!(out, "no rating: the puzzle has several solutions"),
            _ => {}
        }
        let explained = self.explainer.explain(puzzle, &self.options).map_err(io::Error::other)?;
        match (explained.end, explained.hardest()) {
            (End::Solved, Some(hardest)) => {
                let (score, steps) = (explained.score(), explained.steps.len() as u64);
                writeln!(
                    out,
                    "{}, score {}.{}: the hardest of {} is {}",
                    explained.level().name(),
                    score / 10,
                    score % 10,
                    pluralize(steps, "step", "steps"),
                    hardest.name,
                )
            }
            (End::Solved, None) => writeln!(out, "no rating: no cell is blank"),
            _ => writeln!(out, "no rating: the techniques take too long"),
        }
    }
}

impl RateOne {
    fn status(&self, puzzle: &[u8]) -> Result<Status, galop_batch::Error> {
        let ratings = Rater::new(&self.rules, self.entry)?.rate(Puzzles::one(puzzle), &|| false)?;
        Ok(ratings.first().map_or(Status::Unanswered, |rating| rating.status))
    }
}

//! `galop rate PUZZLE` on a terminal: how hard the puzzle is, in one line.

use std::io::{self, Write};
use std::process::ExitCode;

use galop_batch::figures::pluralize;
use galop_corpora::rating::{Rater, Rating, Tier};
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
    let entry = args.engine();
    let code = print_each(&args.input.grids, |rules| RateOne {
        explainer: Explainer::new(rules),
        entry: entry.unwrap_or_else(|| galop_engines::engine::default_for(rules)),
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
    rules: Rules,
}

impl Printer for RateOne {
    fn print(&mut self, puzzle: &[u8], _: Option<&[u8]>, out: &mut dyn Write) -> io::Result<()> {
        let rating = self.rating(puzzle).map_err(io::Error::other)?;
        let guesses = match rating.tier {
            Tier::Unrated(Status::None) => return writeln!(out, "no rating: the puzzle has no solution"),
            Tier::Unrated(Status::Multiple) => {
                return writeln!(out, "no rating: the puzzle has several solutions");
            }
            Tier::Unrated(_) => format!("the engine {} gave the puzzle up", self.entry.name),
            Tier::Singles => "singles solve it".to_owned(),
            Tier::NoGuess => format!("no guess by the engine {}", self.entry.name),
            Tier::Guesses => {
                format!("{} by the engine {}", pluralize(rating.guesses, "guess", "guesses"), self.entry.name)
            }
        };
        let explained = self.explainer.explain(puzzle, &Options::rating()).map_err(io::Error::other)?;
        match (explained.end, explained.hardest()) {
            (End::Solved, Some(hardest)) => {
                let (score, steps) = (explained.score(), explained.steps.len() as u64);
                writeln!(
                    out,
                    "{}, score {}.{}: the hardest of {} is {}; {guesses}",
                    hardest.level.name(),
                    score / 10,
                    score % 10,
                    pluralize(steps, "step", "steps"),
                    hardest.name,
                )
            }
            (End::Solved, None) => writeln!(out, "no rating: no cell is blank"),
            _ => writeln!(out, "no rating by techniques: they take too long; {guesses}"),
        }
    }
}

impl RateOne {
    fn rating(&self, puzzle: &[u8]) -> Result<Rating, galop_batch::Error> {
        let mut rater = Rater::new(&self.rules, self.entry)?;
        let ratings = rater.rate(Puzzles::one(puzzle), &|| false)?;
        Ok(ratings.first().copied().unwrap_or(Rating {
            tier: Tier::Unrated(Status::Unanswered),
            blanks: 0,
            guesses: 0,
        }))
    }
}

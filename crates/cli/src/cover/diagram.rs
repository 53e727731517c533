//! `galop cover diagram`, and the diagram of a problem, which `galop cover sample` needs, too.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{anyhow, bail};
use galop_batch::figures::{duration, pluralize};
use galop_batch::printable;
use galop_cover::diagram::{Diagram, DiagramError};
use galop_cover::problem::CoverChecker;
use galop_cover::{Assumptions, CoverError, CoverLimits, End, Natural, OptionId};
use serde_json::json;

use super::listing::Listing;
use super::report::{count_of, number};
use super::{Ending, Out, Question, answer_each, limit_of, stopped, write_line};
use crate::args::{DiagramArgs, SolutionFormat};
use crate::{messages, signals};

pub(super) fn run(args: &DiagramArgs) -> anyhow::Result<ExitCode> {
    let (writing, is_named) = (&args.writing, args.format.is_some());
    let format = writing.format(args.format, SolutionFormat::USUAL);
    if args.marginals && format == SolutionFormat::Picture {
        bail!("--marginals are numbers, not pictures; choose --format options or json");
    }
    answer_each(args.file.as_slice(), &args.given, writing, is_named, |question, out| {
        let limits = question.limits(&args.limits, None);
        let Some(stored) = Stored::of(question, &limits, args.memory.memory)? else {
            return Ok(Ending::Unanswered);
        };
        if let Some(place) = &args.nth {
            let mut listing = Listing::new(question.name, &question.problem, format, out)?;
            let solution = place.checked_sub(&Natural::ONE).and_then(|rank| stored.diagram.nth(&rank));
            let Some(solution) = solution else {
                let (name, count) = (printable(question.name), stored.count());
                bail!("{name}: no solution {place}: there are {count}");
            };
            stored.print(&mut listing, std::iter::once(solution))?;
            return stored.finish(listing, args.writing.quiet, "");
        }
        let is_json = format == SolutionFormat::Json;
        stored.write_marginals(out, is_json)?;
        write_line(out, &if is_json { stored.json() } else { String::new() })?;
        stored.say(args.writing.quiet, "");
        Ok(Ending::Complete)
    })
}

/// The diagram of the solutions that a question is about.
pub(super) struct Stored<'a> {
    question: &'a Question<'a>,
    pub(super) diagram: Diagram,
}

impl<'a> Stored<'a> {
    /// The diagram of the problem. `None` if a limit ended the search for it.
    pub(super) fn of(
        question: &'a Question<'a>,
        limits: &CoverLimits<'_>,
        memory: Option<u64>,
    ) -> anyhow::Result<Option<Stored<'a>>> {
        let name = printable(question.name);
        match Diagram::build(&question.problem, limits, memory) {
            Ok(diagram) => {
                let Assumptions { chosen, forbidden } = &question.assumptions;
                let is_whole = chosen.is_empty() && forbidden.is_empty();
                let diagram = if is_whole { diagram } else { diagram.with(chosen, forbidden)? };
                Ok(Some(Stored { question, diagram }))
            }
            Err(DiagramError::Stopped { end: End::Cancelled }) => Err(stopped(question.name)),
            Err(DiagramError::Stopped { end }) => {
                let limit = limit_of(end).unwrap_or("a limit");
                messages::warn(format_args!("{name}: stopped by {limit}: there is no answer"));
                Ok(None)
            }
            Err(error) => Err(anyhow!("{name}: {error}")),
        }
    }

    /// Checks solutions and prints them.
    pub(super) fn print(
        &self,
        listing: &mut Listing<'_>,
        solutions: impl Iterator<Item = Vec<OptionId>>,
    ) -> anyhow::Result<()> {
        let mut checker = CoverChecker::new(self.diagram.problem());
        for options in solutions {
            if signals::STOP.load(Ordering::Relaxed) {
                return Err(stopped(self.question.name));
            }
            if let Err(violation) = checker.check(&options, &self.question.assumptions) {
                return Err(CoverError::WrongCover { engine: "diagram", options, violation }.into());
            }
            if listing.print(&options, None).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Ends a list of solutions. `more` is added to the statistics.
    pub(super) fn finish(
        &self,
        mut listing: Listing<'_>,
        is_quiet: bool,
        more: &str,
    ) -> anyhow::Result<Ending> {
        listing.flush()?;
        self.say(is_quiet, more);
        if listing.is_json {
            listing.write_line(&self.json())?;
        }
        Ok(Ending::Complete)
    }

    /// Prints how many solutions each option is in.
    fn write_marginals(&self, out: &mut Out, is_json: bool) -> anyhow::Result<()> {
        let problem = self.diagram.problem();
        for (option, solutions) in (0..).zip(self.diagram.marginals()) {
            let text = problem.option_text(OptionId(option));
            let line = match is_json {
                true => {
                    let file = self.question.name.to_string_lossy();
                    let (text, solutions) = (text.to_string(), number(&solutions));
                    json!({"file": file, "number": option, "option": text, "solutions": solutions})
                        .to_string()
                }
                false => format!("{solutions}\t{text}"),
            };
            write_line(out, &(line + "\n"))?;
        }
        Ok(())
    }

    /// The number of solutions.
    fn count(&self) -> Natural {
        self.diagram.count()
    }

    fn time(&self) -> Duration {
        self.question.started.elapsed()
    }

    /// The JSON object after the answer.
    fn json(&self) -> String {
        let object = json!({
            "file": self.question.name.to_string_lossy(),
            "solutions": number(&self.count()),
            "is_lower_bound": false,
            "end": End::Complete.name(),
            "diagram_nodes": self.diagram.node_count(),
            "diagram_bytes": self.diagram.bytes(),
            "seconds": self.time().as_secs_f64(),
        });
        format!("{object}\n")
    }

    /// Prints the statistics for people, and `more`, unless `is_quiet`.
    fn say(&self, is_quiet: bool, more: &str) {
        if !is_quiet {
            messages::say(format_args!(
                "{}: {}, a diagram of {}, {}, in {}{more}",
                printable(self.question.name),
                count_of(&self.count()),
                pluralize(self.diagram.node_count() as u64, "node", "nodes"),
                pluralize(self.diagram.bytes() as u64, "byte", "bytes"),
                duration(self.time().as_nanos() as f64),
            ));
        }
    }
}

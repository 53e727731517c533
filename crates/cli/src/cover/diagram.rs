//! `galop cover diagram`, and the diagrams that answer the questions of other commands.

use std::borrow::Cow;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{anyhow, bail};
use galop_batch::figures::{duration, pluralize};
use galop_batch::printable;
use galop_cover::diagram::{Diagram, DiagramError, text};
use galop_cover::problem::CoverChecker;
use galop_cover::{Assumptions, CoverError, CoverLimits, End, Natural, OptionId};
use serde_json::json;

use super::listing::Listing;
use super::report::{count_of, number};
use super::{Ending, Input, Out, Question, answer_each, limit_of, stopped, write_error, write_line};
use crate::args::{DiagramArgs, SolutionFormat};
use crate::{messages, signals};

pub(super) fn run(args: &DiagramArgs) -> anyhow::Result<ExitCode> {
    if args.marginals && args.format == SolutionFormat::Picture {
        bail!("--marginals are numbers, not pictures; choose --format options or json");
    }
    answer_each(args.file.as_slice(), &args.given, &args.writing, |question, out| {
        let limits = question.limits(&args.limits, None);
        let Some(stored) = Stored::of(question, &limits, args.memory.memory)? else {
            return Ok(Ending::Partial);
        };
        if let Some(place) = &args.nth {
            let mut listing = Listing::new(question.name, question.problem(), args.format, out)?;
            let solution = place.checked_sub(&Natural::ONE).and_then(|rank| stored.diagram.nth(&rank));
            let Some(solution) = solution else {
                let (name, count) = (printable(question.name), stored.count());
                bail!("{name}: no solution {place}: there are {count}");
            };
            stored.print(&mut listing, std::iter::once(solution))?;
            return stored.finish(listing, args.writing.quiet, "");
        }
        if args.marginals {
            let is_json = args.format == SolutionFormat::Json;
            stored.write_marginals(out, is_json)?;
            write_line(out, &if is_json { stored.json() } else { String::new() })?;
        } else {
            text::write(&stored.diagram, out).map_err(write_error)?;
        }
        stored.say(args.writing.quiet, "");
        Ok(Ending::Complete)
    })
}

/// The diagram of the solutions that a question is about.
pub(super) struct Stored<'a> {
    question: &'a Question<'a>,
    pub(super) diagram: Cow<'a, Diagram>,
    /// Whether it was read from a file, and so may be wrong.
    is_read: bool,
}

impl<'a> Stored<'a> {
    /// The diagram of the file, or the one of its problem. `None` if a limit ended the search for it.
    pub(super) fn of(
        question: &'a Question<'a>,
        limits: &CoverLimits<'_>,
        memory: Option<u64>,
    ) -> anyhow::Result<Option<Stored<'a>>> {
        let problem = match &question.input {
            Input::Diagram(diagram) => return Stored::read(question, diagram).map(Some),
            Input::Problem(problem) => problem,
        };
        let name = printable(question.name);
        match Diagram::build(problem, limits, memory) {
            Ok(diagram) => {
                Stored { question, diagram: Cow::Owned(diagram), is_read: false }.given().map(Some)
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

    /// The diagram of the file.
    pub(super) fn read(question: &'a Question<'a>, diagram: &'a Diagram) -> anyhow::Result<Stored<'a>> {
        Stored { question, diagram: Cow::Borrowed(diagram), is_read: true }.given()
    }

    /// Leaves the solutions that the question is about.
    fn given(mut self) -> anyhow::Result<Stored<'a>> {
        let Assumptions { chosen, forbidden } = &self.question.assumptions;
        if !chosen.is_empty() || !forbidden.is_empty() {
            self.diagram = Cow::Owned(self.diagram.with(chosen, forbidden)?);
        }
        Ok(self)
    }

    /// Checks solutions and prints them.
    pub(super) fn print(
        &self,
        listing: &mut Listing<'_>,
        solutions: impl Iterator<Item = Vec<OptionId>>,
    ) -> anyhow::Result<()> {
        self.print_with_costs(listing, solutions.map(|solution| (solution, None)))
    }

    /// The same with costs, which stand at the ends of the lines.
    pub(super) fn print_with_costs(
        &self,
        listing: &mut Listing<'_>,
        solutions: impl Iterator<Item = (Vec<OptionId>, Option<u128>)>,
    ) -> anyhow::Result<()> {
        let mut checker = CoverChecker::new(self.diagram.problem());
        for (options, cost) in solutions {
            if signals::STOP.load(Ordering::Relaxed) {
                return Err(stopped(self.question.name));
            }
            match checker.check(&options, &self.question.assumptions) {
                Ok(()) => {}
                Err(violation) if self.is_read => {
                    let name = printable(self.question.name);
                    bail!("{name}: a solution of the diagram is wrong: {violation}");
                }
                Err(violation) => {
                    return Err(CoverError::WrongCover { engine: "diagram", options, violation }.into());
                }
            }
            if listing.print(&options, cost).is_break() {
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
    pub(super) fn count(&self) -> Natural {
        self.diagram.count()
    }

    fn time(&self) -> Duration {
        self.question.started.elapsed()
    }

    /// The JSON object after the answer.
    pub(super) fn json(&self) -> String {
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
    pub(super) fn say(&self, is_quiet: bool, more: &str) {
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

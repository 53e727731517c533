//! Answers from the decision diagram of all solutions.

use std::io::{BufWriter, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use galop::figures::{duration, group_digits};
use galop::{Error, ErrorKind, printable};
use galop_cover::diagram::{Diagram, DiagramError, text};
use galop_cover::problem::CoverChecker;
use galop_cover::{Assumptions, CoverError, CoverLimits, End, ExactCover, Natural, Observer, OptionId, Rank};
use serde_json::json;

use super::Solved;
use super::listing::Listing;
use super::statistics::number;
use crate::args::{CoverArgs, CoverFormat};
use crate::output::{self, Destination, Writing, name_sink};
use crate::rewrite::draw_seed;
use crate::{messages, signals};

/// Solutions that cost the same as the last one printed, and are compared with it.
const MOST_TIES: usize = 100_000;

/// Builds the diagram of a problem. `None` if --max-nodes or --time-limit ended the search.
pub(super) fn build(
    args: &CoverArgs,
    name: &Path,
    problem: &ExactCover,
    limits: &CoverLimits<'_>,
) -> anyhow::Result<Option<Diagram>> {
    match Diagram::build(problem, limits, args.counting.memory) {
        Ok(diagram) => Ok(Some(diagram)),
        Err(DiagramError::Stopped { end: End::Cancelled }) => Err(stopped(name)),
        Err(DiagramError::Stopped { end }) => {
            let limit = if end == End::Nodes { "--max-nodes" } else { "--time-limit" };
            messages::warn(format_args!("{}: stopped by {limit}: there is no answer", printable(name)));
            Ok(None)
        }
        Err(error) => Err(anyhow!("{}: {error}", printable(name))),
    }
}

fn stopped(name: &Path) -> anyhow::Error {
    Error::from(ErrorKind::Stopped).in_file(name).into()
}

/// A diagram, and what is asked about it.
pub(super) struct Question<'a> {
    pub(super) diagram: &'a Diagram,
    /// Whether it was read from a file, and so may be wrong.
    pub(super) is_read: bool,
    pub(super) assumptions: &'a Assumptions,
    pub(super) is_one_of_many: bool,
    pub(super) started: Instant,
}

impl Question<'_> {
    /// Prints the answer.
    pub(super) fn answer(self, listing: &mut Listing<'_>) -> anyhow::Result<Solved> {
        let Listing { args, name, .. } = *listing;
        let asked = &args.diagram;
        let Assumptions { chosen, forbidden } = self.assumptions;
        let restricted = match *self.assumptions == Assumptions::default() {
            true => None,
            false => Some(self.diagram.with(chosen, forbidden)?),
        };
        let diagram = restricted.as_ref().unwrap_or(self.diagram);
        if let Some(path) = &asked.diagram {
            write(args, path, diagram)?;
        }
        let total = diagram.count();
        let seed = args.restarts.seed.unwrap_or_else(draw_seed);
        let most = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let mut is_counted = false;
        if asked.marginals {
            write_marginals(listing, diagram)
                .map_err(|error| name_sink(ErrorKind::Write(error).into(), None))?;
        } else if let Some(place) = &asked.nth {
            let solution = place.checked_sub(&Natural::ONE).and_then(|rank| diagram.nth(&rank));
            let Some(solution) = solution else {
                return Err(anyhow!("{}: no solution {place}: there are {total}", printable(name)));
            };
            self.print(listing, std::iter::once(solution))?;
        } else if let Some(samples) = asked.sample {
            self.print(listing, diagram.sample(seed).take(most(samples)))?;
        } else if let Some((rank, most)) = args.best.wanted() {
            let sign = if rank == Rank::Cheapest { 1 } else { -1 };
            let cost = |option| sign * i128::from(diagram.problem().cost(option));
            let best = first_of_ties(diagram.cheapest_by(cost), most);
            self.print_with(
                listing,
                best.into_iter().map(|(cost, solution)| (Some(cost.unsigned_abs()), solution)),
            )?;
        } else if let Some(listed) = args.listed() {
            self.print(listing, diagram.solutions().take(most(listed)))?;
        } else {
            is_counted = true;
        }
        let time = self.started.elapsed();
        listing.progress.finish();
        listing.flush();
        if listing.error.is_some() {
            return Ok(Solved::default());
        }
        if !args.quiet {
            let is_drawn = asked.sample.is_some() && args.restarts.seed.is_none();
            let seed = if is_drawn { format!(", --seed {seed}") } else { String::new() };
            messages::say(statistics(name, diagram, &total, time) + &seed);
        }
        let line = match args.format {
            CoverFormat::Json => Some(summary(name, diagram, &total, time)),
            CoverFormat::Options if !is_counted => None,
            CoverFormat::Options if self.is_one_of_many => Some(format!("{}:{total}\n", printable(name))),
            CoverFormat::Options => Some(format!("{total}\n")),
        };
        Ok(Solved { line, ..Solved::default() })
    }

    /// Checks solutions and prints them.
    fn print(
        &self,
        listing: &mut Listing<'_>,
        solutions: impl Iterator<Item = Vec<OptionId>>,
    ) -> anyhow::Result<()> {
        self.print_with(listing, solutions.map(|solution| (None, solution)))
    }

    /// Checks solutions and prints them, with their costs if these are wanted.
    fn print_with(
        &self,
        listing: &mut Listing<'_>,
        solutions: impl Iterator<Item = (Option<u128>, Vec<OptionId>)>,
    ) -> anyhow::Result<()> {
        let mut checker = CoverChecker::new(self.diagram.problem());
        for (cost, options) in solutions {
            if signals::STOP.load(Ordering::Relaxed) {
                return Err(stopped(listing.name));
            }
            match checker.check(&options, self.assumptions) {
                Ok(()) => {}
                Err(violation) if self.is_read => {
                    let name = printable(listing.name);
                    return Err(anyhow!("{name}: a solution of the diagram is wrong: {violation}"));
                }
                Err(violation) => {
                    return Err(CoverError::WrongCover { engine: "diagram", options, violation }.into());
                }
            }
            match cost {
                Some(cost) => listing.solution_of_cost(&options, cost),
                None if listing.solution(&options).is_break() => break,
                None => {}
            }
            if listing.error.is_some() {
                break;
            }
        }
        Ok(())
    }
}

/// The first `most` solutions, and of those that cost the same the first ones in the order of their options, as the search
/// for the best solutions orders them. (Of more than [`MOST_TIES`] that cost the same, any.)
fn first_of_ties(
    mut solutions: impl Iterator<Item = (i128, Vec<OptionId>)>,
    most: usize,
) -> Vec<(i128, Vec<OptionId>)> {
    let mut best: Vec<(i128, Vec<OptionId>)> = solutions.by_ref().take(most).collect();
    let last = best.last().map(|(cost, _)| *cost);
    best.extend(solutions.take_while(|(cost, _)| Some(*cost) == last).take(MOST_TIES));
    best.sort();
    best.truncate(most);
    best
}

/// Writes a diagram to a file of its own.
fn write(args: &CoverArgs, path: &Path, diagram: &Diagram) -> anyhow::Result<()> {
    let others: Vec<&Path> = args.files.iter().map(AsRef::as_ref).chain(args.output.as_deref()).collect();
    let threads = NonZero::new(args.threads);
    let sink = Destination::new(
        Some(path),
        &others,
        Writing { threads, is_quiet: args.quiet, ..Writing::default() },
    )?
    .sink();
    let named = |error| name_sink(Error::from(ErrorKind::Write(error)), Some(path));
    let mut out = BufWriter::new(sink);
    text::write(diagram, &mut out).map_err(named)?;
    let sink = out.into_inner().map_err(|error| named(error.into_error()))?;
    output::finish(sink, Some(path), output::End::default())?;
    Ok(())
}

/// Prints how many solutions each option is in.
fn write_marginals(listing: &mut Listing<'_>, diagram: &Diagram) -> std::io::Result<()> {
    let problem = diagram.problem();
    for (option, solutions) in (0..).zip(diagram.marginals()) {
        let text = problem.option_text(option);
        if listing.args.format == CoverFormat::Json {
            let object = json!({
                "file": listing.name.to_string_lossy(),
                "number": option,
                "option": text.to_string(),
                "solutions": number(&solutions),
            });
            writeln!(listing.out, "{object}")?;
        } else {
            writeln!(listing.out, "{solutions}\t{text}")?;
        }
    }
    Ok(())
}

/// The JSON object after the answer.
fn summary(name: &Path, diagram: &Diagram, total: &Natural, time: Duration) -> String {
    let object = json!({
        "file": name.to_string_lossy(),
        "solutions": number(total),
        "is_lower_bound": false,
        "end": End::Complete.name(),
        "diagram_nodes": diagram.node_count(),
        "diagram_bytes": diagram.bytes(),
        "seconds": time.as_secs_f64(),
    });
    format!("{object}\n")
}

/// The statistics of an answer, for people.
fn statistics(name: &Path, diagram: &Diagram, total: &Natural, time: Duration) -> String {
    let solutions = if *total == 1 { "solution" } else { "solutions" };
    let total = total
        .to_u128()
        .and_then(|total| u64::try_from(total).ok())
        .map_or_else(|| total.to_string(), group_digits);
    format!(
        "{}: {total} {solutions}, a diagram of {} nodes, {} bytes, in {}",
        printable(name),
        group_digits(diagram.node_count() as u64),
        group_digits(diagram.bytes() as u64),
        duration(time.as_nanos() as f64),
    )
}

//! `galop cover sample`.

use std::process::ExitCode;

use super::diagram::Stored;
use super::listing::Listing;
use super::{Ending, answer_each};
use crate::args::{CoverSampleArgs, SolutionFormat};
use crate::rewrite::draw_seed;

pub(super) fn run(args: &CoverSampleArgs) -> anyhow::Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(draw_seed);
    let drawn = if args.seed.is_none() { format!(", --seed {seed}") } else { String::new() };
    let count = usize::try_from(args.count).unwrap_or(usize::MAX);
    let (writing, is_named) = (&args.writing, args.format.is_some());
    let format = writing.format(args.format, SolutionFormat::USUAL);
    answer_each(&args.problems.files, &args.problems.given, writing, is_named, |question, out| {
        let mut listing = Listing::new(question.name, &question.problem, format, out)?;
        let limits = question.limits(&args.limits, None);
        let Some(stored) = Stored::of(question, &limits, args.memory.memory)? else {
            return Ok(Ending::Unanswered);
        };
        stored.print(&mut listing, stored.diagram.sample(seed).take(count))?;
        stored.finish(listing, args.writing.quiet, &drawn)
    })
}

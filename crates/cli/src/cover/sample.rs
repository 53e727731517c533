//! `galop cover sample`.

use std::process::ExitCode;

use super::diagram::Stored;
use super::listing::Listing;
use super::{Ending, answer_each};
use crate::args::CoverSampleArgs;
use crate::rewrite::draw_seed;

pub(super) fn run(args: &CoverSampleArgs) -> anyhow::Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(draw_seed);
    let drawn = if args.seed.is_none() { format!(", --seed {seed}") } else { String::new() };
    let count = usize::try_from(args.count).unwrap_or(usize::MAX);
    answer_each(&args.problems.files, &args.problems.given, &args.writing, |question, out| {
        let mut listing = Listing::new(question.name, &question.problem, args.format, out)?;
        let limits = question.limits(&args.limits, None);
        let Some(stored) = Stored::of(question, &limits, args.memory.memory)? else {
            return Ok(Ending::Unanswered);
        };
        stored.print(&mut listing, stored.diagram.sample(seed).take(count))?;
        stored.finish(listing, args.writing.quiet, &drawn)
    })
}

//! `galop cover list`.

use std::ops::ControlFlow;
use std::process::ExitCode;

use galop_cover::{Observer, OptionId, Progress as Searched};

use super::listing::Listing;
use super::search::{Aim, Search};
use super::{Ending, answer_each, count};
use crate::args::{ListArgs, SolutionFormat, When};
use crate::output;
use crate::progress::Progress;

pub(super) fn run(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let (writing, is_named) = (&args.speaking.writing, args.format.is_some());
    let format = writing.format(args.format, SolutionFormat::USUAL);
    answer_each(&args.problems.files, &args.problems.given, writing, is_named, |question, out| {
        let is_hidden = writing.quiet || output::is_terminal(writing.output.as_deref());
        let mut listing = Listing::new(question.name, &question.problem, format, out)?;
        let aim = Aim::List { seed: args.seed, is_ordered: args.ordered };
        let search = Search::new(question, &args.search, args.speaking.verbosity(), aim)?;
        let limits = question.limits(&args.search.limits, args.limit);
        let bar = Progress::new(When::Auto, Some(Progress::WHOLE), is_hidden);
        let mut watcher = Watcher { listing: &mut listing, bar };
        let report = search.run(&limits, |solver| Ok(solver.search(&limits).observe(&mut watcher).list()?));
        watcher.bar.finish();
        // The statistics count solutions as printed, so all of them must be written first.
        listing.flush()?;
        let report = report?;
        report.say(args.speaking.verbosity());
        if listing.is_json {
            listing.write_line(&report.json())?;
        }
        Ok(Ending::of(report.outcome.end))
    })
}

/// Prints solutions as the search finds them.
struct Watcher<'a, 'l> {
    listing: &'a mut Listing<'l>,
    bar: Progress,
}

impl Observer for Watcher<'_, '_> {
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        self.listing.print(options, None)
    }

    fn progress(&mut self, searched: &Searched) {
        // A reader at the end of a pipe sees rare solutions at once.
        self.listing.flush_some();
        count::show(&mut self.bar, searched);
    }
}

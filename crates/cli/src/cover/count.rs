//! `galop cover count`.

use std::process::ExitCode;

use galop_batch::figures::group_digits;
use galop_cover::Progress as Searched;

use super::search::{Aim, Search};
use super::{Ending, answer_each, write_line};
use crate::args::{CountArgs, CountFormat};
use crate::progress::Progress;

pub(super) fn run(args: &CountArgs) -> anyhow::Result<ExitCode> {
    let (writing, is_named) = (&args.speaking.writing, args.format.is_some());
    let is_json = writing.format(args.format, CountFormat::USUAL) == CountFormat::Json;
    answer_each(&args.problems.files, &args.problems.given, writing, is_named, |question, out| {
        let search = Search::new(question, &args.search, args.speaking.verbosity(), Aim::Count)?;
        let limits = question.limits(&args.search.limits, None);
        let mut bar = bar(args);
        let mut watch = |searched: &Searched| show(&mut bar, searched);
        let report = search.run(&limits, |solver| Ok(solver.search(&limits).observe(&mut watch).count()?));
        bar.finish();
        let report = report?;
        report.say(args.speaking.verbosity());
        write_line(out, &if is_json { report.json() } else { report.count_line() })?;
        Ok(Ending::of(report.outcome.end))
    })
}

/// The bar of a count.
pub(super) fn bar(args: &CountArgs) -> Progress {
    Progress::new(args.bar.progress, Some(Progress::WHOLE), args.speaking.writing.quiet)
}

/// Moves the bar of a search.
pub(super) fn show(bar: &mut Progress, searched: &Searched) {
    let solutions = u64::try_from(searched.solutions).unwrap_or(u64::MAX);
    bar.set_share(searched.fraction, || {
        format!("{} nodes  {} solutions", group_digits(searched.nodes), group_digits(solutions))
    });
}

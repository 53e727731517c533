//! Contests from files: several in one report, and one that is held again.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use galop_batch::printable;
use galop_compare::{Comparison, Contest};

use super::{hold, options, show};
use crate::args::{self, CompareArgs};
use crate::command::word_for_shell;
use crate::{plan, whole};

/// Shows the contests of several reports, and writes them to one.
pub(super) fn merge(typed: &CompareArgs) -> anyhow::Result<ExitCode> {
    let mut reports = options::reports(typed, &typed.merge)?;
    let contests = typed.merge.iter().map(|path| read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let contest = Contest::merged(contests);
    let are_reports_written = plan::write_reports(&mut reports, &contest);
    show::show(&contest, true)?;
    Ok(ExitCode::from(if are_reports_written { 0 } else { 2 }))
}

/// Holds the contest of a report again: with the words that were typed for it, on files that have not changed.
pub(super) fn repeat(typed: &CompareArgs, path: &Path) -> anyhow::Result<ExitCode> {
    let earlier = read(path)?;
    let Some(first) = earlier.comparisons.first() else {
        bail!("{}: contains no comparison", printable(path))
    };
    let is_of_first = |other: &Comparison| (&other.arguments, &other.date) == (&first.arguments, &first.date);
    if !earlier.comparisons.iter().all(is_of_first) {
        bail!("{}: contains several comparisons; repeat the report of one of them", printable(path));
    }
    let words: Vec<OsString> = ["galop", "compare"]
        .into_iter()
        .chain(first.arguments.iter().map(|word| &**word))
        .map(OsString::from)
        .collect();
    let Ok(args::Command::Compare(mut again)) = args::parse(&words).map(|args| args.command) else {
        bail!("{}: this version of galop does not know all of its options", printable(path))
    };
    // A file must not decide which programs run.
    if !again.command.is_empty() && typed.command.is_empty() {
        let commands: Vec<String> = again
            .command
            .iter()
            .map(|command| {
                let name = command.name.as_ref().map_or(String::new(), |name| format!("{name}="));
                word_for_shell(&format!("{name}{}", command.command))
            })
            .map(|word| format!("--command {word}"))
            .collect();
        bail!(
            "{}: it runs other programs; if they may run here, add {}",
            printable(path),
            commands.join(" ")
        );
    }
    again.command.clone_from(&typed.command);
    again.report.clone_from(&typed.report);
    again.per_puzzle.clone_from(&typed.per_puzzle);
    (again.progress, again.quiet) = (typed.progress, typed.quiet);
    hold::hold(&again, &words[1..], Some(&earlier))
}

fn read(path: &Path) -> anyhow::Result<Contest> {
    let bytes = whole::read(path)?;
    let text = std::str::from_utf8(&bytes).with_context(|| format!("{}: is not text", printable(path)))?;
    Ok(Contest::from_json(path, text)?)
}

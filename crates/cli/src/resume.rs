//! `--resume`: what a later run must have in common with the one that began, and how to go on.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::bail;
use clap::{ArgAction, CommandFactory};
use galop_batch::figures::duration;
use galop_batch::input::Source;
use galop_batch::output::{Earlier, FormatEntry, OutputSum, ResumableFile, RunFact};
use galop_batch::pipeline::facts_of;
use galop_batch::printable;

use super::args::{self, KindArgs};
use super::output::{Content, Sink, check_name};
use super::{command, input, messages, signals};

/// Options that do not change the bytes of the output or the figures. What they are may differ.
const FREE: [&str; 12] = [
    "files",
    "output",
    // Named by the format itself, which may follow from the name of the output.
    "format",
    "threads",
    "isa",
    "no_mmap",
    "report",
    "progress",
    "quiet",
    "strict",
    "allow_malformed",
    "resume",
];

/// Checks the name and the format of the output. It must not be one of `others`, the inputs and reports.
pub(super) fn check(
    output: Option<&Path>,
    format: &FormatEntry,
    others: &[&Path],
    content: Content,
) -> anyhow::Result<()> {
    if format.is_of_arrays() {
        bail!("--resume cannot continue --format {}; choose another format", format.name);
    }
    match output {
        Some(path) if path != Path::new("-") => check_name(path, others, content),
        _ => bail!("--resume needs a file for the output: -o FILE"),
    }
}

/// Opens the output `path`, or goes on with it if the earlier run had the same `facts`.
pub(super) fn open_file(
    path: Option<&Path>,
    threads: Option<NonZero<usize>>,
    facts: Vec<RunFact>,
    is_quiet: bool,
) -> anyhow::Result<(Sink, Option<Earlier>)> {
    let path = path.map(Path::to_owned).unwrap_or_default();
    let (file, earlier) = ResumableFile::open(&path, threads, facts)?;
    if let Some(earlier) = &earlier
        && !is_quiet
    {
        let (name, time) = (printable(&path), duration(earlier.elapsed.as_nanos() as f64));
        messages::say(match earlier.is_complete {
            true => format!("{name}: complete already"),
            false => format!("{name}: continuing a run that ended after {time}"),
        });
    }
    // Without a partial output an earlier run gave it its name, and only the end of that run is left to be done.
    if file.progress().with_extension("partial").exists() {
        signals::set_last_words(&how_to_go_on(&path, file.progress()), file.progress());
        KEPT.set([path, file.progress().to_owned()]).ok();
    }
    Ok((Box::new(file), earlier))
}

/// The output of a run that can go on later, and the file that says how far it is.
static KEPT: OnceLock<[PathBuf; 2]> = OnceLock::new();

/// What to do after an unfinished run of the output `path`.
fn how_to_go_on(path: &Path, progress: &Path) -> String {
    let (path, progress) = (printable(path), printable(progress));
    let typed = command::typed();
    format!("galop: the work so far is in {path}.partial and {progress}; to continue: {typed}")
}

/// Says what to do after an unfinished run, if it can go on.
pub(super) fn say_how_to_go_on() {
    if let Some([path, progress]) = KEPT.get()
        && progress.exists()
    {
        messages::say(how_to_go_on(path, progress));
    }
}

/// Something that a later run must have in common with this one.
pub(super) fn fact(name: &str, value: impl Into<String>) -> RunFact {
    RunFact { name: name.to_owned(), value: Some(value.into()) }
}

/// What a later run must have in common with this one: the version, the options, the maps, the inputs, the checksum of
/// the `problem`, which may be large, and what is the command's `own`.
pub(super) fn facts(
    format: &FormatEntry,
    kind: &KindArgs,
    problem: Option<&Path>,
    sources: &[Source],
    own: Vec<RunFact>,
) -> anyhow::Result<Vec<RunFact>> {
    let mut facts = vec![fact("the version of galop", env!("CARGO_PKG_VERSION"))];
    facts.push(fact("--format", format.name));
    facts.extend(options());
    for (what, path) in kind.maps() {
        facts.push(fact(what, String::from_utf8_lossy(&input::read(path)?)));
    }
    facts.extend(facts_of(sources)?);
    if let Some(path) = problem {
        let sum = OutputSum::of(&*input::read(path)?)?;
        facts.push(fact("the problem", format!("a file with the SHA-256 {}", sum.sha256)));
    }
    facts.extend(own);
    Ok(facts)
}

/// The command, the options that were typed, and the values of the others.
fn options() -> Vec<RunFact> {
    let mut galop = args::Args::command();
    let Ok(matches) = galop.try_get_matches_from_mut(command::words()) else { return Vec::new() };
    let Some((command, matches)) = matches.subcommand() else { return Vec::new() };
    let arguments = galop.find_subcommand(command).into_iter().flat_map(|command| command.get_arguments());
    let option = |argument: &clap::Arg| {
        let (id, name) = (argument.get_id().as_str(), argument.get_long()?);
        if FREE.contains(&id) {
            return None;
        }
        let values = matches.try_get_raw(id).ok()??;
        let value: Vec<String> = values.map(|value| value.to_string_lossy().into_owned()).collect();
        let value = value.join(",");
        let value = match argument.get_action() {
            ArgAction::SetTrue if value != "true" => return None,
            ArgAction::SetTrue => String::new(),
            _ => value,
        };
        Some(RunFact { name: format!("--{name}"), value: Some(value) })
    };
    std::iter::once(fact("the command", command)).chain(arguments.filter_map(option)).collect()
}

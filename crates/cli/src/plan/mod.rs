//! From what was typed ([`args`](super::args)) to what is done: inputs are opened, rules and engines found, limits set,
//! outputs and reports checked. All of this happens before the work starts, so that a mistake on the command line
//! shows before anything is solved or written.

mod opened;
mod target;

use std::path::{Path, PathBuf};

use anyhow::bail;
use galop_batch::input::Source;
use galop_batch::output::{FORMATS, FormatEntry};
use galop_batch::pipeline::{Selection, SolveOptions};
use galop_batch::printable;
use galop_engines::Rules;
use galop_engines::engine::{Entry, Isa};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};
use galop_report::{self as report, Survey, Writer};

use super::args::{InputArgs, SolveArgs, VerifyArgs};
use super::output::{ReportFile, Sink, is_same};
use super::rules::{self, KindChoice};
use super::{argument, input, messages, output, resume, signals};

pub(super) use opened::{Done, Opened, Published, Request};
pub(super) use target::Target;

/// A report to write: its file, and how its figures are written.
pub(super) type Report<'a, T> = (ReportFile<'a>, Writer<T>);

/// A run of `galop solve`.
pub(super) struct Solve<'a> {
    pub(super) opened: Opened<'a, report::Report>,
    pub(super) sink: Sink,
    pub(super) engine: &'static Entry,
    pub(super) options: SolveOptions<'a>,
}

impl<'a> Solve<'a> {
    /// `selection` says which records are printed.
    pub(super) fn new(args: &'a SolveArgs, selection: &'a Selection) -> anyhow::Result<Solve<'a>> {
        if let Some(choice) =
            selection.only.iter().find(|choice| choice.counts_solutions && !args.search.counts_solutions())
        {
            bail!(
                "--only {} needs a search for two solutions or more: add --unique, --limit N or --all",
                choice.name
            );
        }
        let format = args.named_format().unwrap_or_else(|| usual_format(args));
        if !args.columns.is_empty() && !format.has_columns() {
            let formats = FORMATS.iter().filter(|format| format.has_columns()).map(|format| format.name);
            let formats: Vec<&str> = formats.collect();
            bail!("--columns is for --format {}; `{}` has no columns", formats.join(", "), format.name);
        }
        if args.search.all() && format.is_of_arrays() {
            bail!(
                "--all writes several records for a puzzle, but `{}` has one row for each puzzle",
                format.name
            );
        }
        let request = Request {
            problem: args.problem.path(),
            part: &args.part,
            long_run: &args.long_run,
            output: args.output.as_deref(),
            format,
            is_format_named: args.names_format(),
            ..Request::new(&args.input, &args.run, &args.report)
        };
        let decide = |rules: &Rules| {
            let engine = engine_or(args.search.engine, galop_engines::engine::default_for, rules)?;
            if !args.run.quiet && rules.choices().is_some() && has_no_solution(rules, engine) {
                let name = rules.name();
                messages::say(format_args!("{name}: the problem has no solution, so no record has one"));
            }
            let options = args.options(engine, selection, format).stop(&signals::STOP);
            Ok(((engine, options), vec![resume::fact("the engine", engine.name)]))
        };
        let (opened, sink, (engine, options)) =
            Opened::open(request, decide, |file, rules, (_, options)| {
                file.for_format(format, options.columns, rules)
            })?;
        Ok(Solve { opened, sink, engine, options })
    }
}

/// The format of answers if none is named. One puzzle that is typed has an answer for a person: a grid, if it goes to a
/// terminal.
fn usual_format(args: &SolveArgs) -> &'static FormatEntry {
    let is_typed = argument::is_typed(&args.input.grids.files);
    let is_plain = args.columns.is_empty() && args.problem.path().is_none() && !args.search.all();
    let is_drawn = is_typed && is_plain && output::is_terminal(args.output.as_deref());
    let grid = FORMATS.iter().find(|format| format.name == "grid").filter(|_| is_drawn);
    grid.unwrap_or(&FORMATS[0])
}

/// Guesses of the search that may prove that a problem has no solution.
const PROOF_GUESSES: u64 = 10_000;

/// Whether a short search proves that the rules have no solution at all.
fn has_no_solution(rules: &Rules, engine: &Entry) -> bool {
    let Ok(mut engine) = (engine.make)(rules, Isa::best()) else { return false };
    let (puzzle, limits) = (vec![0; rules.stride()], Limits::ANY.with_guesses(PROOF_GUESSES));
    let (mut solution, mut answer) = (puzzle.clone(), Answer::default());
    let solved = engine.solve(Puzzles::one(&puzzle), limits, &mut Answers::one(&mut solution, &mut answer));
    solved.is_ok() && answer.status(limits) == Status::None
}

/// Opens `files`, or the puzzles that are named in their place, and finds their rules.
pub(super) fn inputs(
    files: &[PathBuf],
    args: &InputArgs,
    problem: Option<&Path>,
) -> anyhow::Result<(Vec<Source>, Rules)> {
    let choice = rules::choice_or_problem(&args.grids.kind, problem)?;
    let mut sources = open_inputs(files, args, &choice)?;
    let rules = rules::of_choice(&choice, &mut sources)?;
    Ok((sources, rules))
}

/// Opens `files`, or the puzzles that are named in their place.
pub(super) fn open_inputs(
    files: &[PathBuf],
    args: &InputArgs,
    choice: &KindChoice,
) -> anyhow::Result<Vec<Source>> {
    let open = |path: &Path| argument::open(path, choice, !args.no_mmap);
    input::open(files, |source| prepare(args, source), open)
}

/// The same twice, for two readings.
pub(super) fn open_inputs_twice(
    files: &[PathBuf],
    args: &InputArgs,
    choice: &KindChoice,
) -> anyhow::Result<[Vec<Source>; 2]> {
    let open = |path: &Path| argument::open(path, choice, !args.no_mmap);
    input::open_twice(files, |source| prepare(args, source), open)
}

/// Tells a source how it is read.
pub(super) fn prepare(args: &InputArgs, source: &mut Source) {
    source.choose_columns(args.grids.columns.choice());
    if let Some(blank) = args.npy_offset {
        source.set_npy_blank(blank);
    }
}

/// The engine of `galop verify`.
pub(super) fn verifying_engine(args: &VerifyArgs, rules: &Rules) -> anyhow::Result<&'static Entry> {
    engine_or(args.engine, galop_engines::engine::default_for, rules)
}

/// The chosen engine, if it accepts the rules; `usual` if none was chosen.
fn engine_or(
    chosen: Option<&'static Entry>,
    usual: fn(&Rules) -> &'static Entry,
    rules: &Rules,
) -> anyhow::Result<&'static Entry> {
    chosen.map_or_else(|| Ok(usual(rules)), |entry| accepted(entry, rules, "--engine"))
}

/// The engine `entry`, which `option` names, if it accepts the rules.
pub(super) fn accepted(entry: &'static Entry, rules: &Rules, option: &str) -> anyhow::Result<&'static Entry> {
    if let Err(unsupported) = (entry.accepts)(rules) {
        let others: Vec<&str> =
            galop_published::every().filter(|entry| accepts(entry, rules)).map(|entry| entry.name).collect();
        bail!("{option} {}: {unsupported}; engines that do: {}", entry.name, others.join(", "))
    }
    Ok(entry)
}

/// Whether the engine solves puzzles of these rules.
pub(super) fn accepts(entry: &Entry, rules: &Rules) -> bool {
    (entry.accepts)(rules).is_ok()
}

/// The files that a command reads: `files`, and the maps; `-` is standard input.
pub(super) fn read_files<'a>(files: &'a [PathBuf], args: &'a InputArgs) -> Vec<&'a Path> {
    let stdin = files.is_empty().then_some(Path::new("-"));
    let maps = args.grids.kind.maps().map(|(_, path)| path);
    stdin.into_iter().chain(files.iter().map(AsRef::as_ref)).chain(maps).collect()
}

/// The reports with their formats. Neither a report nor `table` may have the name of another one or of a file that is
/// `read`.
pub(super) fn report_writers<'a, T: report::Figures>(
    paths: &'a [PathBuf],
    table: Option<&Path>,
    read: &[&Path],
) -> anyhow::Result<Vec<(&'a Path, Writer<T>)>> {
    let written: Vec<&Path> = paths.iter().map(AsRef::as_ref).chain(table).collect();
    for (index, path) in written.iter().enumerate() {
        if let Some(other) = read.iter().chain(&written[..index]).find(|other| is_same(path, other)) {
            bail!(
                "{}: a report must not overwrite {}; choose another name",
                printable(path),
                printable(input::name_of(other))
            );
        }
    }
    paths.iter().map(|path| Ok((path.as_path(), report::writer_of(path)?))).collect()
}

/// Opens the files of reports. `resumable` is the output of a run that a later one can continue.
pub(super) fn open_reports<'a, T>(
    reports: Vec<(&'a Path, Writer<T>)>,
    resumable: Option<&'a Path>,
    is_quiet: bool,
) -> anyhow::Result<Vec<Report<'a, T>>> {
    let open = |(path, writer)| Ok((ReportFile::open(path, resumable, is_quiet)?, writer));
    reports.into_iter().map(open).collect()
}

/// Writes `reports`, of which none is left; false if one was not written.
pub(super) fn write_reports<T>(reports: &mut Vec<Report<'_, T>>, figures: &T) -> bool {
    reports.drain(..).fold(true, |are_written, (file, write)| file.write(&write(figures)) && are_written)
}

/// The same with the checksums of `sources`, which are read again.
pub(super) fn write_surveys(
    reports: &mut Vec<Report<'_, Survey>>,
    mut survey: Survey,
    sources: &[Source],
) -> bool {
    // Without a report nothing is read again.
    let summed = if reports.is_empty() { Ok(()) } else { survey.add_checksums(sources) };
    let is_summed = summed.map_err(|error| messages::error(&error.into())).is_ok();
    is_summed && write_reports(reports, &survey)
}

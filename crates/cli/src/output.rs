//! Where the data goes: standard output, or a file that appears under its name when it is complete.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
pub(super) use galop_batch::output::End;
use galop_batch::output::{AnswerColumn, Completion, FormatEntry, Heading, NoPlaceForCount, OutputFile};
use galop_batch::{output, printable};
use galop_cover::{ExactCover, text};
use galop_engines::Rules;

use super::painted::Painted;
use super::{messages, signals};

/// The destination of the data.
pub(super) type Sink = Box<dyn output::Sink>;

/// The destination of the data, opened before the rules of the puzzles are known.
#[allow(clippy::large_enum_variant)] // A run has one. On Windows a file is larger than the lint allows.
pub(super) enum Destination {
    Stdout(Stdout),
    File(OutputFile),
}

/// What an output holds, which decides the endings that its name may have.
#[derive(Clone, Copy)]
pub(super) enum Content {
    /// What an option names, which counts more than any ending.
    Named,
    /// Records in the format of the ending, or without an ending in the usual one.
    Records(&'static FormatEntry),
    /// The list of --dropped.
    Repeats,
    /// The table of --per-puzzle.
    Figures,
    Problem,
    /// Counts and solutions of a problem: text, or JSON by the ending.
    Answers,
}

/// How the data of a run is written.
#[derive(Clone, Copy)]
pub(super) struct Writing {
    pub(super) content: Content,
    /// Threads that compress a file whose name says so; `None` for one a core.
    pub(super) threads: Option<NonZero<usize>>,
    /// Whether no warning is wanted.
    pub(super) is_quiet: bool,
    /// Whether a file is summed up, for a report.
    pub(super) is_summed: bool,
}

impl Content {
    /// Records in `format`, which an option names or not.
    pub(super) fn of(format: &'static FormatEntry, is_named: bool) -> Content {
        if is_named { Content::Named } else { Content::Records(format) }
    }

    /// What it is, and the endings of its name, without the dot; `None` if any is right.
    fn endings(self) -> Option<(String, &'static [&'static str])> {
        Some(match self {
            Content::Named => return None,
            Content::Records(format) => {
                (format!("the output is written in the format {}", format.name), format.endings())
            }
            Content::Repeats => ("the list is lines of text".to_owned(), &["txt"]),
            Content::Figures => ("the table is written in csv".to_owned(), &["csv"]),
            Content::Problem => ("a problem is written as lines of text".to_owned(), &["dlx", "txt"]),
            Content::Answers => ("answers are written as text or as JSON".to_owned(), &ANSWER_ENDINGS),
        })
    }
}

/// The endings of answers: the first is for text, the others are for JSON.
pub(super) const ANSWER_ENDINGS: [&str; 4] = ["txt", "json", "jsonl", "ndjson"];

impl Writing {
    /// Without a report, in one thread a core.
    pub(super) fn of(content: Content, is_quiet: bool) -> Writing {
        Writing { content, threads: None, is_quiet, is_summed: false }
    }
}

/// The names of standard output. To open one of the last three would write over what others wrote there.
const STDOUT_NAMES: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl Destination {
    /// Opens `path`, or standard output without a path or for one of its names. `path` must not be one of `others`, the
    /// inputs and reports. A file is compressed if its name says so.
    pub(super) fn new(
        path: Option<&Path>,
        others: &[&Path],
        Writing { content, threads, is_quiet, is_summed }: Writing,
    ) -> anyhow::Result<Destination> {
        let Some(path) = path.filter(|path| !is_stdout(path)) else {
            return Ok(Destination::Stdout(io::stdout()));
        };
        check_name(path, others, content)?;
        let file = create(path, is_quiet)?;
        let file = if is_summed { file.summed()? } else { file };
        Ok(Destination::File(file.packed_by(threads)?))
    }

    /// The destination of text.
    pub(super) fn sink(self) -> Sink {
        match self {
            Destination::Stdout(stdout) => Box::new(stdout),
            Destination::File(file) => Box::new(file),
        }
    }

    /// Refuses a format that cannot be written here.
    pub(super) fn check_format(&self, format: &FormatEntry) -> anyhow::Result<()> {
        match self {
            Destination::File(file) if format.is_of_arrays() && !file.can_be_rewritten() => {
                bail!(galop_batch::Error::from(NoPlaceForCount).in_file(file.name()))
            }
            Destination::Stdout(_) if format.is_of_arrays() => {
                bail!("--format {} needs a file: -o FILE.{0}; {NoPlaceForCount}", format.name)
            }
            _ => Ok(()),
        }
    }

    /// The destination of records of `format`, with these columns, puzzles of `rules`.
    pub(super) fn for_format(
        self,
        format: &FormatEntry,
        columns: Option<&[&'static AnswerColumn]>,
        rules: &Rules,
    ) -> anyhow::Result<Sink> {
        Ok(match self {
            Destination::Stdout(stdout) if Painted::is_wanted(&stdout) => Box::new(Painted::new(stdout)),
            Destination::Stdout(stdout) => Box::new(stdout),
            Destination::File(file) => format.sink(file, columns, rules)?,
        })
    }

    /// The destination of records that are converted to `format`, with the columns `added`.
    pub(super) fn for_converted(
        self,
        format: &FormatEntry,
        added: &[Heading],
        rules: &Rules,
    ) -> anyhow::Result<Sink> {
        format.check(rules)?;
        Ok(match self {
            Destination::Stdout(stdout) => Box::new(stdout),
            Destination::File(file) => format.converted_sink(file, added, rules)?,
        })
    }
}

/// Whether `path` is a name of standard output.
fn is_stdout(path: &Path) -> bool {
    STDOUT_NAMES.iter().any(|name| path == Path::new(name))
}

/// Whether the output `path` goes to a terminal.
pub(super) fn is_terminal(path: Option<&Path>) -> bool {
    path.is_none_or(is_stdout) && io::stdout().is_terminal()
}

/// Ends the output `path`, which must be complete, and gives a file its name.
pub(super) fn finish(sink: Sink, path: Option<&Path>, end: End<'_>) -> anyhow::Result<Completion> {
    sink.finish(end).map_err(|error| name_sink(error, path))
}

/// Checks the name of an output: it is not one of `others`, the inputs and reports, and has no ending that says something
/// else than the `content` is. Every name is checked here, but the names of reports, which
/// [have their own endings](galop_report::writer_of).
pub(super) fn check_name(path: &Path, others: &[&Path], content: Content) -> anyhow::Result<()> {
    if others.iter().any(|other| is_same(path, other)) {
        bail!("{}: is also read or written by this run; choose another name for -o", printable(path));
    }
    let Some(ending) = output::ending_of(path) else { return Ok(()) };
    let name = printable(path);
    match &*ending {
        "zip" => {
            bail!("{name}: zip archives are read, not written; choose an ending such as .gz or .zst, or none")
        }
        "parquet" => bail!("{name}: {}", messages::no_parquet_is_written(Some(path))),
        _ => {}
    }
    let Some((what, endings)) = content.endings().filter(|(_, endings)| !endings.contains(&&*ending)) else {
        return Ok(());
    };
    let listed =
        |endings: &[&str]| endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
    let (named, ending) = (output::format_of(path), ending.escape_debug());
    match (named, content) {
        (Some(named), _) => {
            bail!("{name}: the ending is for the format {}, but {what}; choose another ending", named.name)
        }
        (None, Content::Records(_)) => bail!(
            "{name}: no format has the ending .{ending}; the endings are {}; with any other, name the format: -f FORMAT",
            listed(&output::endings().collect::<Vec<_>>())
        ),
        (None, _) => bail!("{name}: {what}, with one of the endings {}, not .{ending}", listed(endings)),
    }
}

/// Creates the file `path`, which appears under that name when it is finished, and is removed if a signal ends the
/// program before. A warning says if it must be written in place, unless `is_quiet`.
fn create(path: &Path, is_quiet: bool) -> Result<OutputFile, galop_batch::Error> {
    create_for(path, None, is_quiet)
}

/// The same for the output `run` of a run that a later one can continue: the temporary file of this one is replaced
/// then.
fn create_for(path: &Path, run: Option<&Path>, is_quiet: bool) -> Result<OutputFile, galop_batch::Error> {
    let file = OutputFile::create_noted(path, run, signals::remember_unfinished)?;
    if let Some(reason) = file.in_place().filter(|_| !is_quiet) {
        messages::warn(format_args!(
            "{}: is written in place, because {reason}; if the run fails, the file will be incomplete",
            printable(path)
        ));
    }
    Ok(file)
}

/// A report, opened before the run, so that a name that cannot be written shows before the work.
pub(super) struct ReportFile<'a> {
    path: &'a Path,
    /// `None` for a device or a named pipe, and for a run that a later one can continue. It is opened when the report
    /// is there: to open a pipe waits for its reader, and a run that is killed should leave no file.
    file: Option<OutputFile>,
    /// The output of a run that a later one can continue.
    resumable: Option<&'a Path>,
}

impl<'a> ReportFile<'a> {
    /// `resumable` is the output of a run that a later one can continue; this must be the only run that writes it.
    pub(super) fn open(
        path: &'a Path,
        resumable: Option<&'a Path>,
        is_quiet: bool,
    ) -> anyhow::Result<ReportFile<'a>> {
        let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let mut report = ReportFile { path, file: None, resumable };
        if !is_special {
            let file = report.create(is_quiet).map_err(not_written)?;
            report.file = Some(file).filter(|_| resumable.is_none());
        }
        Ok(report)
    }

    fn create(&self, is_quiet: bool) -> Result<OutputFile, galop_batch::Error> {
        create_for(self.path, self.resumable, is_quiet)
    }

    /// Writes the report. If that fails, it prints the error and returns false: the output and the other reports do not
    /// depend on it.
    pub(super) fn write(mut self, text: &str) -> bool {
        let mut write = || {
            let mut file = self.file.take().map_or_else(|| self.create(true), Ok)?;
            let written = file.write_all(text.as_bytes());
            written.map_err(|error| {
                galop_batch::Error::from(galop_batch::ErrorKind::Write(error)).in_file(self.path)
            })?;
            file.finish().map(drop)
        };
        write().map_err(|error| messages::error(&not_written(error))).is_ok()
    }
}

/// The error of a report. Unlike the error of an output, it does not say that the output is not complete.
fn not_written(error: galop_batch::Error) -> anyhow::Error {
    match (error.kind(), error.path()) {
        (galop_batch::ErrorKind::Write(reason), Some(path)) => {
            anyhow!("{}: the report was not written: {reason}", printable(path))
        }
        _ => error.into(),
    }
}

/// Writes `comments` and `problem` to `path` or standard output. `path` must not be one of `others`.
pub(super) fn write_problem(
    comments: &[String],
    problem: &ExactCover,
    path: Option<&Path>,
    others: &[&Path],
) -> anyhow::Result<()> {
    let writing = Writing::of(Content::Problem, false);
    let mut out = BufWriter::new(Destination::new(path, others, writing)?.sink());
    let named = |error| name_sink(galop_batch::ErrorKind::Write(error).into(), path);
    comments.iter().try_for_each(|comment| writeln!(out, "| {comment}")).map_err(named)?;
    text::write(problem, &mut out).map_err(named)?;
    let sink = out.into_inner().map_err(|error| named(error.into_error()))?;
    finish(sink, path, End::default()).map(drop)
}

/// Adds the name of the destination to a failed write. Other errors name their file themselves.
pub(super) fn name_sink(error: galop_batch::Error, path: Option<&Path>) -> anyhow::Error {
    let name = path.map_or("standard output".into(), |path| printable(path).to_string());
    match error.kind() {
        galop_batch::ErrorKind::Write(_) if error.path().is_none() => anyhow::Error::new(error).context(name),
        _ => error.into(),
    }
}

/// The error of a failed write to standard output, with that name.
pub(super) fn name_stdout(error: io::Error) -> anyhow::Error {
    name_sink(galop_batch::ErrorKind::Write(error).into(), None)
}

/// Whether both names belong to the same file; `-` is standard input. A file that does not exist yet is compared by
/// name and folder. Nothing is opened: to open a named pipe waits for its other end.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    identity(one).zip(identity(other)).map_or_else(
        || {
            let folder = |path: &Path| match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder.canonicalize().ok(),
                _ => Path::new(".").canonicalize().ok(),
            };
            one == other || one.file_name() == other.file_name() && folder(one) == folder(other)
        },
        |(one, other)| one == other,
    )
}

/// The device and the inode of an existing file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let metadata = match path == Path::new("-") {
        // Only a regular file loses its bytes. A terminal or `/dev/null` may be input and output.
        true => std::fs::File::from(io::stdin().as_fd().try_clone_to_owned().ok()?)
            .metadata()
            .ok()
            .filter(std::fs::Metadata::is_file)?,
        false => path.metadata().ok()?,
    };
    Some((metadata.dev(), metadata.ino()))
}

/// The path of an existing file without links.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<std::path::PathBuf> {
    path.canonicalize().ok()
}

/// Writes `bytes` to standard output.
pub(super) fn print(bytes: &[u8]) -> anyhow::Result<ExitCode> {
    let mut stdout = io::stdout();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(name_stdout)?;
    Ok(ExitCode::SUCCESS)
}

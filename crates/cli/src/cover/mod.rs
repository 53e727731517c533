//! `galop cover`: each of its commands in a file of its own, and here what they share.

mod best;
mod count;
mod diagram;
mod given;
mod list;
mod listing;
mod picture;
mod report;
mod resume;
mod sample;
mod search;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use galop_batch::{Error, ErrorKind};
use galop_cover::{Assumptions, CoverLimits, End, ExactCover};

use crate::args::{CountArgs, CoverArgs, CoverCommand, GivenArgs, LimitArgs, WritingArgs};
use crate::output::{self, Content, Destination, Sink, Writing, name_sink};
use crate::{exit, input, problem, signals};

pub(crate) fn run(args: &CoverArgs) -> anyhow::Result<ExitCode> {
    let count = |args: &CountArgs| if args.resume { resume::run(args) } else { count::run(args) };
    match &args.command {
        None => count(&args.count),
        Some(CoverCommand::Count(args)) => count(args),
        Some(CoverCommand::List(args)) => list::run(args),
        Some(CoverCommand::Best(args)) => best::run(args),
        Some(CoverCommand::Sample(args)) => sample::run(args),
        Some(CoverCommand::Diagram(args)) => diagram::run(args),
    }
}

/// Where answers are written.
type Out = BufWriter<Sink>;

/// A file, and which of its solutions a command is about.
struct Question<'a> {
    name: &'a Path,
    problem: ExactCover,
    assumptions: Assumptions,
    is_one_of_many: bool,
    started: Instant,
}

/// How an answer ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Complete,
    /// A limit that the user set ended the search.
    Partial,
    /// The same before there was anything to write.
    Unanswered,
    /// A signal ended the search, and what it found is nevertheless printed.
    Stopped,
}

impl Ending {
    /// The ending of a search that was not cancelled.
    fn of(end: End) -> Ending {
        if limit_of(end).is_some() { Ending::Partial } else { Ending::Complete }
    }
}

/// Answers a question about each of `files`, in their order. The format of the answers is named by an option, or not.
fn answer_each(
    files: &[PathBuf],
    given: &GivenArgs,
    writing: &WritingArgs,
    is_named: bool,
    mut answer: impl FnMut(&Question<'_>, &mut Out) -> anyhow::Result<Ending>,
) -> anyhow::Result<ExitCode> {
    let files = input::paths(files)?;
    let path = writing.output.as_deref();
    let content = if is_named { Content::Named } else { Content::Answers };
    let how = Writing::of(content, writing.quiet);
    let mut out = BufWriter::new(Destination::new(path, &files, how)?.sink());
    let finish = |out: Out| match out.into_inner() {
        Ok(sink) => output::finish(sink, path, output::End::default()).map(drop),
        Err(error) => Err(name_sink(ErrorKind::Write(error.into_error()).into(), path)),
    };
    let (mut is_partial, mut is_answered) = (false, false);
    for file in &files {
        let question = Question::read(file, given, files.len() > 1)?;
        let ending = answer(&question, &mut out).map_err(|error| match error.downcast() {
            Ok(error) => name_sink(error, path),
            Err(error) => error,
        })?;
        is_partial |= matches!(ending, Ending::Partial | Ending::Unanswered);
        is_answered |= ending != Ending::Unanswered;
        if ending == Ending::Stopped {
            let _held = signals::hold_end();
            finish(out)?;
            return Err(stopped(question.name));
        }
    }
    // A file that exists is not replaced by an empty one.
    if is_answered {
        finish(out)?;
    }
    Ok(if is_partial { exit::PARTIAL.into() } else { ExitCode::SUCCESS })
}

impl<'a> Question<'a> {
    fn read(path: &'a Path, given: &GivenArgs, is_one_of_many: bool) -> anyhow::Result<Question<'a>> {
        let name = input::name_of(path);
        let problem = problem::parse(name, &input::read(path)?)?;
        let started = Instant::now();
        let assumptions = given::assumptions(&problem, given)?;
        Ok(Question { name, problem, assumptions, is_one_of_many, started })
    }

    /// The limits of a search, whose time began when the file was read.
    fn limits(&self, args: &LimitArgs, solutions: Option<u64>) -> CoverLimits<'static> {
        CoverLimits::NONE
            .with_solutions(solutions)
            .with_nodes(args.max_nodes)
            .with_deadline(args.time_limit.and_then(|limit| self.started.checked_add(limit)))
            .with_cancel(&signals::STOP)
    }
}

/// The error of a run that a signal stopped.
fn stopped(name: &Path) -> anyhow::Error {
    Error::from(ErrorKind::Stopped).in_file(name).into()
}

/// Writes the answer's last line.
fn write_line(out: &mut Out, line: &str) -> anyhow::Result<()> {
    out.write_all(line.as_bytes()).map_err(write_error)
}

/// A failed write to the output, whose name the caller adds.
fn write_error(error: io::Error) -> anyhow::Error {
    Error::from(ErrorKind::Write(error)).into()
}

/// The option whose limit ended a search, if one did.
fn limit_of(end: End) -> Option<&'static str> {
    match end {
        End::Nodes => Some("--max-nodes"),
        End::Deadline => Some("--time-limit"),
        _ => None,
    }
}

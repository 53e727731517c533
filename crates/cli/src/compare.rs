//! `galop compare`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use galop_batch::input::Source;
use galop_batch::output::OutputFile;
use galop_batch::{Error, ErrorKind};
use galop_compare::{self as compare, Comparison, Row, Set, Watch};
use galop_engines::Rules;
use galop_report as report;

use super::args::CompareArgs;
use super::output::{create, name_stdout, stdout};
use super::progress::Progress;
use super::{compare_covers, messages, plan};

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    if compare_covers::are_problems(&args.input.files) {
        compare_covers::warn_unused(args);
        return compare_covers::run(args);
    }
    // A table that cannot be printed is an error before the work.
    stdout()?;
    let mut typed = plan::Compare::new(args)?;
    let mut reports = std::mem::take(&mut typed.reports);
    let puzzles = read(args, &typed.rules, &mut typed.sources)?;
    let plan = typed.plan(args);
    let mut watch = Watcher {
        progress: Progress::new(args.progress, Some(plan.answers(&puzzles)), args.quiet),
        table: args.per_puzzle.as_deref().map(|path| Table::create(path, args.quiet)).transpose()?,
    };
    let compared = compare::compare(&typed.rules, &puzzles, &plan, &mut watch);
    watch.progress.finish();
    let comparison = compared?;

    if let Some(table) = watch.table {
        table.finish()?;
    }
    let are_reports_written = plan::write_reports(&mut reports, &comparison);
    show(&comparison, typed.contestants.len(), args.quiet)?;
    Ok(ExitCode::from(if are_reports_written { u8::from(puzzles.malformed() > 0) } else { 2 }))
}

/// All puzzles, or the sample of them.
fn read(args: &CompareArgs, rules: &Rules, sources: &mut [Source]) -> anyhow::Result<Set> {
    let mut puzzles = Set::new(rules);
    for source in sources {
        puzzles.read(source, &mut |malformed| {
            messages::say(messages::malformed(malformed));
        })?;
        if !args.report.is_empty() {
            puzzles.add_checksum(source)?;
        }
    }
    messages::warn_malformed(puzzles.malformed(), " left out");
    if let Some(count) = args.count {
        puzzles.sample(count, args.seed);
    }
    Ok(puzzles)
}

/// Prints the table on standard output, and the warnings about it on standard error.
fn show(comparison: &Comparison, engines: usize, is_quiet: bool) -> anyhow::Result<()> {
    // The puzzles on which a pair of engines differs most: all for one pair, a few for a few pairs.
    let differences = match engines {
        ..=2 => usize::MAX,
        3 | 4 => 3,
        _ => 0,
    };
    let text = report::comparison_text(comparison, &messages::style(), differences);
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(name_stdout)?;
    if differences == 0 && !is_quiet {
        messages::say(
            "to see where engines differ most, compare fewer engines, or use --report or --per-puzzle",
        );
    }
    if !is_quiet {
        comparison.warnings.iter().for_each(messages::warn);
    }
    Ok(())
}

/// Shows the progress and writes the table of --per-puzzle.
struct Watcher<'a> {
    progress: Progress,
    table: Option<Table<'a>>,
}

impl Watch for Watcher<'_> {
    fn advanced(&mut self, done: u64, _total: u64) {
        self.progress.set(done, done);
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        self.table.as_mut().map_or(Ok(()), |table| table.add(row))
    }
}

/// The table of --per-puzzle.
struct Table<'a> {
    path: &'a Path,
    file: OutputFile,
    text: String,
}

/// Bytes of text above which they are written.
const BUFFER_BYTES: usize = 1 << 20;

impl<'a> Table<'a> {
    fn create(path: &'a Path, is_quiet: bool) -> Result<Table<'a>, Error> {
        Ok(Table { path, file: create(path, is_quiet)?.packed_by(None)?, text: compare::HEADER.to_owned() })
    }

    fn add(&mut self, row: &Row<'_>) -> Result<(), Error> {
        self.text += &format!("{row}\n");
        if self.text.len() > BUFFER_BYTES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), Error> {
        let written = self.file.write_all(self.text.as_bytes());
        self.text.clear();
        written.map_err(|error| Error::from(ErrorKind::Write(error)).in_file(self.path))
    }

    fn finish(mut self) -> Result<(), Error> {
        self.write()?;
        self.file.finish().map(drop)
    }
}

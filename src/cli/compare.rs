//! `galop compare`.

use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use galop::compare::{self, Comparison, Plan, Row, Set, Watch};
use galop::input::source::Source;
use galop::output::OutputFile;
use galop::report;
use galop::{ENGINES, Entry, Error, ErrorKind, Isa, Rules, compared_for};

use super::args::{Chosen, CompareArgs};
use super::output::{is_same, write_report};
use super::progress::Progress;
use super::rules::{accepted, accepts, rules};
use super::{command, exit, input, messages};

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    check_engines(&args.engines)?;
    check_names(args)?;
    let with_format = |path| Ok((path, report::comparison_format_of(path)?));
    let reports: Vec<(&Path, &report::Format)> =
        args.report.iter().map(|path| with_format(path.as_path())).collect::<Result<_, Error>>()?;
    let mut sources = input::open(&args.files, !args.no_mmap)?;
    let rules = rules(&args.kind, &mut sources)?;
    let engines = engines(&args.engines, &rules)?;
    let reference = reference(args.reference, &engines)?;
    let puzzles = read(args, &rules, &mut sources)?;
    let plan = Plan {
        reference,
        solutions: args.solutions(),
        max_guesses: args.max_guesses.or((rules.grid().cells() > 81).then_some(LARGE_GUESSES)),
        isa: args.isa.unwrap_or_else(Isa::best),
        runs: args.runs,
        threads: NonZero::new(args.threads),
        seed: args.seed,
        is_permuted: !args.as_is,
        budget: (!args.budget.is_zero()).then_some(args.budget),
        command: Some(command::typed()),
        stop: &exit::STOP,
        ..Plan::new(&engines)
    };
    let total = puzzles.len() * engines.len() * (plan.runs + 1);
    let table = args.per_puzzle.as_deref().map(Table::create).transpose()?;
    let mut spectator =
        Spectator { progress: Progress::new(args.progress, Some(total as u64), args.quiet), table };
    let compared = compare::compare(&rules, &puzzles, &plan, &mut spectator);
    spectator.progress.finish();
    let comparison = compared?;

    if let Some(table) = spectator.table {
        table.finish()?;
    }
    for (path, format) in reports {
        if let Some(write) = format.compare {
            write_report(path, &write(&comparison))?;
        }
    }
    show(&comparison, args.quiet)?;
    Ok(ExitCode::from(u8::from(puzzles.malformed() > 0)))
}

/// Where a puzzle larger than 9x9 is given up: no engine's usual limit is one there, and the budget is looked at between
/// puzzles only. (`grid` needs 10,000 guesses for hard ones of 25x25.)
const LARGE_GUESSES: u64 = 1_000_000;

/// Each is named once.
fn check_engines(chosen: &[Chosen]) -> anyhow::Result<()> {
    let name = |chosen: &Chosen| match chosen {
        Chosen::All => "all",
        Chosen::One(entry) => entry.name,
    };
    let mut names: Vec<&str> = chosen.iter().map(name).collect();
    if names.len() > 1 && names.contains(&"all") {
        names.extend(
            ENGINES.iter().map(|entry| entry.name).filter(|other| names.contains(other)).collect::<Vec<_>>(),
        );
    }
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            bail!("--engines: `{name}` is named twice; name each engine once");
        }
    }
    Ok(())
}

/// The rows of the table that were chosen; all of them are those that accept the rules.
fn engines(chosen: &[Chosen], rules: &Rules) -> anyhow::Result<Vec<&'static Entry>> {
    if chosen.is_empty() {
        return Ok(compared_for(rules).to_vec());
    }
    let mut engines: Vec<&Entry> = Vec::new();
    for chosen in chosen {
        match chosen {
            Chosen::All => engines.extend(ENGINES.iter().filter(|entry| accepts(entry, rules))),
            Chosen::One(entry) => engines.push(accepted(entry, rules, "--engines")?),
        }
    }
    Ok(engines)
}

fn reference(name: Option<&Entry>, engines: &[&Entry]) -> anyhow::Result<usize> {
    let Some(entry) = name else { return Ok(0) };
    match engines.iter().position(|other| other.name == entry.name) {
        Some(place) => Ok(place),
        None => bail!("--reference: `{}` is none of the engines; name it in --engines too", entry.name),
    }
}

/// Nothing is read before it is known that nothing is written over.
fn check_names(args: &CompareArgs) -> anyhow::Result<()> {
    let written: Vec<&Path> = args.report.iter().chain(&args.per_puzzle).map(AsRef::as_ref).collect();
    for (index, path) in written.iter().enumerate() {
        let read = args.files.iter().chain(&args.kind.regions).map(AsRef::as_ref);
        let others = read.chain(written[..index].iter().copied());
        if let Some(other) = others.into_iter().find(|other| is_same(path, other)) {
            bail!("{}: a report must not be written over {}", path.display(), other.display());
        }
    }
    Ok(())
}

/// All puzzles, or the sample of them.
fn read(args: &CompareArgs, rules: &Rules, sources: &mut [Source]) -> anyhow::Result<Set> {
    let mut puzzles = Set::new(rules);
    for source in sources {
        puzzles.read(source, &mut |malformed| {
            anstream::eprintln!("{}", messages::malformed(malformed));
        })?;
        if !args.report.is_empty()
            && let Some(input) = puzzles.inputs.last_mut()
        {
            input.sha256 = source.sha256()?;
        }
    }
    messages::warn_malformed(puzzles.malformed(), " left out");
    if let Some(sample) = args.sample {
        puzzles.sample(sample, args.seed);
    }
    Ok(puzzles)
}

/// The table is the data; what makes it doubtful is told beside it.
fn show(comparison: &Comparison, is_quiet: bool) -> anyhow::Result<()> {
    // Two engines: there is room for all; a few more: for the first of each pair.
    let told = match comparison.engines.len() {
        ..=2 => usize::MAX,
        3 | 4 => 3,
        _ => 0,
    };
    let text = report::comparison_text(comparison, &super::solve::style(), told);
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())?;
    if told == 0 && !is_quiet {
        anstream::eprintln!(
            "where they differ most: compare a few engines, or see --report and --per-puzzle"
        );
    }
    if !is_quiet {
        comparison.warnings.iter().for_each(messages::warn);
    }
    Ok(())
}

/// Shows how far it is, and writes the table of puzzles.
struct Spectator<'a> {
    progress: Progress,
    table: Option<Table<'a>>,
}

impl Watch for Spectator<'_> {
    fn advanced(&mut self, done: u64, _total: u64) {
        self.progress.set(done, done);
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        self.table.as_mut().map_or(Ok(()), |table| table.add(row))
    }
}

/// The file of `--per-puzzle`.
struct Table<'a> {
    path: &'a Path,
    file: OutputFile,
    text: String,
}

impl<'a> Table<'a> {
    fn create(path: &'a Path) -> anyhow::Result<Table<'a>> {
        let file = OutputFile::create(path)?;
        file.temporary().into_iter().for_each(exit::remember_unfinished);
        Ok(Table { path, file, text: compare::HEADER.to_owned() })
    }

    fn add(&mut self, row: &Row<'_>) -> Result<(), Error> {
        compare::print(row, &mut self.text);
        if self.text.len() > 1 << 20 { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), Error> {
        let written = self.file.write_all(self.text.as_bytes());
        self.text.clear();
        written.map_err(|error| Error::at(self.path, ErrorKind::Write(error)))
    }

    fn finish(mut self) -> Result<(), Error> {
        self.write()?;
        self.file.finish()
    }
}

/// Seconds as they are typed: `10`, `0.5`.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| format!("`{text}` is no number of seconds: 10, 0.5, or 0 for no end"))
}

//! `galop compare` of exact cover problems: every engine counts their solutions, in turns.

use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use galop_batch::figures::{duration, group_digits};
use galop_batch::{ErrorKind, printable};
use galop_cover::engine::{self as cover_engine, CoverEntry};
use galop_cover::{CoverLimits, End, ExactCover, Natural, Setup, Solver};
use galop_engines::engine::Isa;

use super::args::{CompareArgs, EngineName, NamedEngine};
use super::{messages, output, problem, signals};

/// Whether all `files` are exact cover problems, by their names.
pub(super) fn are_problems(files: &[impl AsRef<Path>]) -> bool {
    let is_problem = |path: &Path| super::input::is_problem(path);
    !files.is_empty() && files.iter().all(|path| is_problem(path.as_ref()))
}

/// An engine to compare.
struct Contender {
    name: String,
    setup: Setup,
    threads: Option<NonZero<usize>>,
}

/// What one engine did with one problem.
#[derive(Default)]
struct Measured {
    seconds: Vec<f64>,
    solutions: Natural,
    nodes: u64,
    /// Whether it counted all solutions within the budget.
    is_complete: bool,
    /// Why it does not take the problem.
    refusal: Option<String>,
}

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    if !args.report.is_empty() || args.per_puzzle.is_some() || !args.command.is_empty() {
        bail!("--report, --per-puzzle and --command are for puzzles; exact cover problems have a table only");
    }
    let contenders = contenders(args)?;
    for path in &args.input.files {
        let problem = problem::read(path)?;
        let mut measured: Vec<Measured> = contenders.iter().map(|_| Measured::default()).collect();
        for _ in 0..args.runs {
            for (contender, measured) in contenders.iter().zip(&mut measured) {
                measure(contender, &problem, args.budget, measured)?;
            }
        }
        check(path, &contenders, &measured)?;
        output::print(table(path, &contenders, &measured).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The engines of --engines, or all.
fn contenders(args: &CompareArgs) -> anyhow::Result<Vec<Contender>> {
    let contender = |name: &str, entry: &'static CoverEntry, isa: Option<Isa>, threads| Contender {
        name: name.to_owned(),
        setup: Setup::new().engine(entry).isa(isa.or(args.isa).unwrap_or_else(Isa::best)),
        threads,
    };
    let threads = NonZero::new(args.threads);
    let mut contenders: Vec<Contender> = Vec::new();
    let all = [EngineName { name: "all".to_owned(), engine: NamedEngine::All, isa: None, threads: None }];
    let names = if args.engines.is_empty() { &all[..] } else { &args.engines };
    for EngineName { name, engine, isa, threads: own } in names {
        match engine {
            NamedEngine::Named { covers: None, .. } => {
                bail!("--engines {name}: it solves puzzles, not exact cover problems")
            }
            NamedEngine::Named { covers: Some(entry), .. } => {
                contenders.push(contender(name, entry, *isa, own.or(threads)));
            }
            NamedEngine::All => contenders.extend(
                cover_engine::ENGINES.iter().map(|entry| contender(entry.name, entry, *isa, own.or(threads))),
            ),
        }
    }
    for (index, one) in contenders.iter().enumerate() {
        if contenders[..index].iter().any(|other| other.name == one.name) {
            bail!("--engines: `{}` is named twice; name each engine once", one.name);
        }
    }
    Ok(contenders)
}

/// Counts the solutions once.
fn measure(
    contender: &Contender,
    problem: &ExactCover,
    budget: Duration,
    measured: &mut Measured,
) -> anyhow::Result<()> {
    if measured.refusal.is_some() {
        return Ok(());
    }
    let started = Instant::now();
    let mut solver = match Solver::new(problem, contender.setup) {
        Ok(solver) => solver,
        Err(error) => {
            measured.refusal = Some(error.to_string());
            return Ok(());
        }
    };
    solver.set_threads(contender.threads)?;
    let deadline = started.checked_add(budget).filter(|_| !budget.is_zero());
    let limits = CoverLimits::NONE.with_deadline(deadline).with_cancel(&signals::STOP);
    let outcome = solver.search(&limits).count()?;
    if outcome.end == End::Cancelled {
        return Err(galop_batch::Error::from(ErrorKind::Stopped).into());
    }
    measured.is_complete = outcome.end == End::Complete;
    (measured.solutions, measured.nodes) = (outcome.solutions.clone(), outcome.nodes);
    measured.seconds.push(started.elapsed().as_secs_f64());
    Ok(())
}

/// Engines that counted everything must have counted the same.
fn check(path: &Path, contenders: &[Contender], measured: &[Measured]) -> anyhow::Result<()> {
    let mut complete = contenders.iter().zip(measured).filter(|(_, measured)| measured.is_complete);
    let Some((first, counted)) = complete.next() else { return Ok(()) };
    for (other, measured) in complete {
        if measured.solutions != counted.solutions {
            bail!(
                "{}: {} counts {} solutions, {} counts {}: one of them is wrong (a bug in galop)",
                printable(path),
                first.name,
                counted.solutions,
                other.name,
                measured.solutions
            );
        }
    }
    Ok(())
}

fn table(path: &Path, contenders: &[Contender], measured: &[Measured]) -> String {
    let median = |measured: &Measured| {
        let mut seconds = measured.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        seconds.get(seconds.len() / 2).copied()
    };
    let of_reference = median(&measured[0]).filter(|_| measured[0].is_complete);
    let header = ["engine", "solutions", "time", "nodes", &format!("× {}", contenders[0].name)];
    let mut rows = vec![header.map(str::to_owned)];
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    let rank = |&index: &usize| (!measured[index].is_complete, median(&measured[index]));
    order.sort_by(|one, other| rank(one).partial_cmp(&rank(other)).unwrap_or(std::cmp::Ordering::Equal));
    let mut refusals = Vec::new();
    for index in order {
        let (contender, measured) = (&contenders[index], &measured[index]);
        let Some(seconds) = median(measured) else {
            let reason = measured.refusal.as_deref().unwrap_or_default();
            refusals.push(format!("  {}: {reason}\n", contender.name));
            continue;
        };
        let at_least = if measured.is_complete { "" } else { ">=" };
        let ratio = match of_reference {
            Some(reference) if measured.is_complete => format!("{:.2}", seconds / reference),
            _ => String::new(),
        };
        rows.push([
            contender.name.clone(),
            format!("{at_least}{}", measured.solutions),
            duration(seconds * 1e9),
            group_digits(measured.nodes),
            ratio,
        ]);
    }
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let line = |row: &[String; 5]| {
        let cells = row.iter().enumerate().map(|(at, cell)| match at {
            0 => format!("  {cell:<0$}", width(0)),
            _ => format!("  {cell:>0$}", width(at)),
        });
        cells.collect::<String>() + "\n"
    };
    let runs = measured[0].seconds.len().max(1);
    format!(
        "{}: all solutions counted, median elapsed time of {runs} runs, set-up included\n\n{}{}\n",
        printable(path),
        rows.iter().map(line).collect::<String>(),
        refusals.concat()
    )
}

/// The warning about options that have no meaning for these problems.
pub(super) fn warn_unused(args: &CompareArgs) {
    if args.count.is_some() || args.as_is || args.max_guesses.is_some() {
        messages::warn("--count, --as-is and --max-guesses are for puzzles; they change nothing here");
    }
}

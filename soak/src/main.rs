//! Every engine against every other on random puzzles, until a time or a number of solves is reached: see the README.

mod batch;
mod calls;
mod cover;
mod engines;
mod families;
mod grids;
mod nine;
mod panel;
mod shrink;
mod state;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use clap::{Parser, Subcommand};
use galop_testing::chance::Chance;
use state::{Progress, Solves};

/// Compares all engines on random puzzles.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Files of 9x9 sudokus, one on each line, 81 characters first
    files: Vec<PathBuf>,

    /// Another seed gives other puzzles
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Stop after this number of solves
    #[arg(long, value_name = "N")]
    solves: Option<u64>,

    /// Stop after this number of minutes
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,

    /// Worker threads [default: one for each core]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,

    /// Keep the progress in this file, and go on from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Do only this round
    #[arg(long, value_name = "N")]
    round: Option<u64>,
}

#[derive(Subcommand)]
enum Command {
    /// Writes an exact cover problem of a family to standard output, as in `soak family nonogram 20 1`
    Family {
        #[arg(value_name = "NAME", value_parser = families::by_name)]
        family: &'static families::Family,
        size: usize,
        seed: u64,
    },
}

/// The folder for disagreements.
const FOUND: &str = "soak-found";

/// What two engines contradict each other about, as text to save.
#[derive(Debug)]
struct Disagreement(String);

fn main() -> ExitCode {
    let args = Args::parse();
    let result = match args.command {
        Some(Command::Family { family, size, seed }) => write(family, size, seed),
        None => soak(&args),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::from(2)
        }
    }
}

/// Writes a problem.
fn write(family: &families::Family, size: usize, seed: u64) -> io::Result<bool> {
    io::stdout().write_all(family.make(size, seed).map_err(io::Error::other)?.as_bytes())?;
    Ok(true)
}

/// Runs rounds; `false` if two engines contradict each other.
fn soak(args: &Args) -> io::Result<bool> {
    let mut puzzles = Vec::new();
    for path in &args.files {
        let text =
            fs::read(path).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        puzzles.extend(nine::read(&text));
    }
    println!("soak: seed {}, {} puzzles from {} files", args.seed, puzzles.len(), args.files.len());
    let begun = match &args.state {
        Some(path) => Progress::load(path, args.seed)?,
        None => Progress::new(args.seed),
    };
    let before = begun.solves.total();
    let shared = Mutex::new(Shared { progress: begun, done: BTreeSet::new(), next: None, found: None });
    let (is_over, start) = (AtomicBool::new(false), Instant::now());
    let deadline = args.minutes.map(|minutes| start + Duration::from_secs(60 * minutes));
    let threads = args.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut worker = Worker { nine: nine::Nine::new(&puzzles) };
                    while let Some(round) = next(&shared, &is_over, args.round) {
                        let result = worker.round(args.seed, round);
                        finish(&shared, &is_over, round, result);
                    }
                })
            })
            .collect();
        let mut said = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(Duration::from_millis(100));
            let solves = lock(&shared).progress.solves.total();
            let is_enough = args.solves.is_some_and(|enough| solves >= enough);
            if is_enough || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                is_over.store(true, Ordering::Relaxed);
            }
            if said.elapsed() >= Duration::from_secs(60) {
                said += Duration::from_secs(60);
                let progress = lock(&shared).progress.clone();
                println!("{}", progress.line(start.elapsed(), before));
                if let Some(path) = &args.state {
                    progress.save(path)?;
                }
            }
        }
        io::Result::Ok(())
    })?;
    let Shared { progress, found, .. } = shared.into_inner().unwrap_or_else(|poison| poison.into_inner());
    println!("{}", progress.line(start.elapsed(), before));
    if let Some(path) = &args.state {
        progress.save(path)?;
    }
    print!("{progress}");
    let Some((round, Disagreement(text))) = found else { return Ok(true) };
    fs::create_dir_all(FOUND)?;
    let path = format!("{FOUND}/seed-{}-round-{round}.txt", args.seed);
    fs::write(&path, &text)?;
    println!("disagreement in round {round}, saved as {path}\n{}", text.lines().next().unwrap_or_default());
    Ok(false)
}

/// What the threads share.
struct Shared {
    /// All rounds below [`Progress::rounds`] are done, and counted.
    progress: Progress,
    /// Later rounds that are done, and their solves.
    done: BTreeSet<(u64, Solves)>,
    /// The next round to begin; `None` before the first one.
    next: Option<u64>,
    found: Option<(u64, Disagreement)>,
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// The next round, if there is time for one.
fn next(shared: &Mutex<Shared>, is_over: &AtomicBool, only: Option<u64>) -> Option<u64> {
    let mut shared = lock(shared);
    if is_over.load(Ordering::Relaxed) || only.is_some() && shared.next.is_some() {
        return None;
    }
    let round = only.or(shared.next).unwrap_or(shared.progress.rounds);
    shared.next = Some(round + 1);
    Some(round)
}

/// Counts a round, in the order of rounds, so that a saved state never has a gap.
fn finish(shared: &Mutex<Shared>, is_over: &AtomicBool, round: u64, result: Result<Solves, Disagreement>) {
    let mut shared = lock(shared);
    match result {
        Ok(solves) => {
            shared.done.insert((round, solves));
            while shared.done.first().is_some_and(|(round, _)| *round == shared.progress.rounds)
                && let Some((_, solves)) = shared.done.pop_first()
            {
                shared.progress.rounds += 1;
                shared.progress.solves += solves;
            }
        }
        Err(disagreement) => {
            is_over.store(true, Ordering::Relaxed);
            shared.found.get_or_insert((round, disagreement));
        }
    }
}

/// The random numbers of a round.
fn chance(seed: u64, round: u64) -> Chance {
    Chance::new(seed.rotate_left(32) ^ round)
}

/// What a thread keeps between rounds.
struct Worker<'a> {
    nine: nine::Nine<'a>,
}

impl Worker<'_> {
    /// Does one round, which the seed and its number determine.
    fn round(&mut self, seed: u64, round: u64) -> Result<Solves, Disagreement> {
        let mut chance = chance(seed, round);
        match round % 64 {
            0 => cover::round(&mut chance).map(|solves| Solves::of("cover", solves)),
            9 | 19 | 29 | 39 | 49 | 59 => {
                self.nine.round(&mut chance).map(|solves| Solves::of("9x9", solves))
            }
            _ => grids::round(&mut chance),
        }
    }
}

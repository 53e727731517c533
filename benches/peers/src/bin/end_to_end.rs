//! Compares whole programs, from the file to the answers: `galop solve`, and a plain loop over crate `sudoku` such as
//! one writes in ten minutes.
//!
//! Each run is a process of its own, also the loop (this program, started again), so that starting, reading, writing
//! and ending count for all. In every repetition each program runs once, in an order that rotates. The program measures
//! the wall time and the CPU time (user + system, all threads) of each run. It prints medians, and medians of the
//! ratios within a repetition. At the end it compares the answers.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use galop_peers::median;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};

const USAGE: &str = "end_to_end FILE [--reps N] [--galop PATH] [--engines A,B] [--folder DIR]";

/// The first argument that makes this program the plain loop.
const PLAIN_LOOP: &str = "plain-loop";

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let [first, file, out] = words.as_slice()
        && first == PLAIN_LOOP
    {
        plain_loop(file.as_ref(), out.as_ref()).expect("the files can be read and written");
        return ExitCode::SUCCESS;
    }
    measure(&args())
}

/// Reads `file` line by line, solves each puzzle, writes `puzzle,solution` lines.
///
/// The loop is a good one: it uses one string for all lines, and larger buffers than the standard library's.
fn plain_loop(file: &Path, out: &Path) -> io::Result<()> {
    const BUFFER_BYTES: usize = 64 * 1024;
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, File::open(file)?);
    let mut writer = BufWriter::with_capacity(BUFFER_BYTES, File::create(out)?);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        let puzzle = line.trim_end();
        if !puzzle.is_empty() && !puzzle.starts_with('#') {
            let solution = sudoku::Sudoku::from_str_line(puzzle).map(|sudoku| sudoku.some_solution());
            let solution = solution.map(|solution| solution.map(|solution| solution.to_str_line()));
            writer.write_all(puzzle.as_bytes())?;
            writer.write_all(b",")?;
            writer.write_all(match &solution {
                Ok(Some(solution)) => solution.as_bytes(),
                Ok(None) => b"none",
                Err(_) => b"malformed",
            })?;
            writer.write_all(b"\n")?;
        }
        line.clear();
    }
    writer.flush()
}

struct Args {
    file: PathBuf,
    reps: usize,
    galop: PathBuf,
    engines: Vec<String>,
    folder: PathBuf,
}

fn args() -> Args {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/galop");
    let mut file = None;
    let mut parsed = Args {
        file: PathBuf::new(),
        reps: 9,
        galop: built.into(),
        engines: vec!["bitboard".into(), "hybrid".into()],
        folder: std::env::temp_dir(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value: {USAGE}"));
        match word.as_str() {
            "--reps" => parsed.reps = value().parse().expect("--reps takes a number"),
            "--galop" => parsed.galop = value().into(),
            "--engines" => parsed.engines = value().split(',').map(String::from).collect(),
            "--folder" => parsed.folder = value().into(),
            flag if flag.starts_with('-') => panic!("{flag} is unknown: {USAGE}"),
            _ => file = Some(PathBuf::from(word)),
        }
    }
    parsed.file = file.unwrap_or_else(|| panic!("no file: {USAGE}"));
    assert!(parsed.reps > 0, "--reps takes a number above 0");
    parsed
}

/// A program to measure: one command line, whose answers go to `out`.
struct Program {
    name: String,
    command: Vec<OsString>,
    out: PathBuf,
    costs: Vec<Cost>,
}

/// What one run took, in seconds.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    wall: f64,
}

impl Program {
    fn plain_loop(args: &Args, folder: &Path) -> Program {
        let own = std::env::current_exe().expect("this program has a path");
        let out = folder.join("plain-loop");
        let command = vec![own.into(), PLAIN_LOOP.into(), args.file.clone().into(), out.clone().into()];
        Program { name: "crate sudoku".into(), command, out, costs: Vec::new() }
    }

    fn galop(args: &Args, folder: &Path, engine: &str, options: &[&str]) -> Program {
        let name = format!("{engine} {}", options.join(" "));
        let out = folder.join(&name);
        let words = ["solve", "-q", "--engine", engine].into_iter().chain(options.iter().copied());
        let files = ["-o".into(), out.clone().into(), args.file.clone().into()];
        let command = std::iter::once(args.galop.clone().into())
            .chain(words.map(OsString::from))
            .chain(files)
            .collect();
        Program { name, command, out, costs: Vec::new() }
    }

    /// Runs the program once, to the end. No other child may run meanwhile, because its CPU time would count here.
    fn run(&mut self) {
        // Remove an older output first: otherwise removing it would count in the measured time.
        fs::remove_file(&self.out).ok();
        let (program, words) = self.command.split_first().expect("a command begins with a program");
        let (cpu, start) = (children_cpu(), Instant::now());
        let status = Command::new(program).args(words).status();
        let (wall, cpu) = (start.elapsed().as_secs_f64(), children_cpu() - cpu);
        let status = status.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        assert!(status.success(), "{}: {status}", self.name);
        self.costs.push(Cost { cpu, wall });
    }

    fn median(&self, part: fn(&Cost) -> f64) -> f64 {
        median(self.costs.iter().map(part).collect())
    }

    /// Median over the repetitions of the cost of `other`, divided by the cost of this program.
    fn ratio(&self, other: &Program, part: fn(&Cost) -> f64) -> f64 {
        median(other.costs.iter().zip(&self.costs).map(|(other, own)| part(other) / part(own)).collect())
    }
}

/// Seconds of CPU time of all children that have ended.
fn children_cpu() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("every system tells what children took");
    let seconds = |time: TimeVal| time.num_microseconds() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

fn measure(args: &Args) -> ExitCode {
    let folder = tempfile::tempdir_in(&args.folder).expect("the folder can be written to");
    let mut programs = vec![Program::plain_loop(args, folder.path())];
    for engine in &args.engines {
        for options in [&["-j1"][..], &["-j1", "--no-times"], &["-j2"]] {
            programs.push(Program::galop(args, folder.path(), engine, options));
        }
    }
    for rep in 0..args.reps {
        for turn in 0..programs.len() {
            let place = (rep + turn) % programs.len();
            programs[place].run();
        }
    }
    print(args, &programs);
    let plain_loop = fs::read_to_string(&programs[0].out).expect("the answers are text");
    let faults: usize = programs[1..].iter().map(|program| compare(&plain_loop, program)).sum();
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(args: &Args, programs: &[Program]) {
    let peer = &programs[0];
    let lines = fs::read(&peer.out).map_or(0, |out| out.iter().filter(|&&byte| byte == b'\n').count());
    println!("{}: {lines} puzzles, {} repetitions", args.file.display(), args.reps);
    println!(
        "  {:25} {:>8} {:>15} {:>12} {:>8} {:>12} {:>11}",
        "", "CPU s", "puzzles/CPU s", "x less CPU", "wall s", "x less wall", "x than -j1"
    );
    for program in programs {
        let (cpu, wall) = (program.median(|cost| cost.cpu), program.median(|cost| cost.wall));
        print!("  {:25} {cpu:8.3} {:15.0} ", program.name, lines as f64 / cpu);
        print!("{:12.2} {wall:8.3} ", program.ratio(peer, |cost| cost.cpu));
        print!("{:12.2} ", program.ratio(peer, |cost| cost.wall));
        let one_thread = program.name.strip_suffix("-j2").map(|name| format!("{name}-j1"));
        match programs.iter().find(|other| Some(&other.name) == one_thread.as_ref()) {
            Some(other) => println!("{:11.2}", program.ratio(other, |cost| cost.wall)),
            None => println!(),
        }
    }
}

/// Counts the puzzles with at most one solution on which the answers differ. If a puzzle has several solutions, each
/// program may find another one.
fn compare(plain_loop: &str, program: &Program) -> usize {
    let own = fs::read_to_string(&program.out).expect("the answers are text");
    if own.lines().count() != plain_loop.lines().count() {
        println!("  !! {}: {} lines", program.name, own.lines().count());
        return 1;
    }
    let (mut faults, mut several) = (0, 0);
    for (peers, own) in plain_loop.lines().zip(own.lines()).filter(|(peers, own)| peers != own) {
        let puzzle = |line: &str| sudoku::Sudoku::from_str_line(line.split(',').next()?).ok();
        let has_several = |puzzle: sudoku::Sudoku| puzzle.solutions_count_up_to(2) == 2;
        if puzzle(own) == puzzle(peers) && puzzle(own).is_some_and(has_several) {
            several += 1;
        } else {
            faults += 1;
            println!("  !! {}: {own}\n     crate sudoku: {peers}", program.name);
        }
    }
    if several > 0 {
        println!("  {}: other solutions of {several} puzzles that have several", program.name);
    }
    faults
}

//! Measures galop's engines and the peer crates on the same lines, interleaved, on one thread of one process.
//!
//! Every solver gets the text lines and parses them itself. In every repetition each solver runs once over each file,
//! in an order that rotates. The time is thread CPU time. For each file the program prints the median of puzzles/s, and
//! the median of the ratio to each peer within a repetition.

use cpu_time::ThreadTime;
use galop_engines::engine::Isa;
use galop_engines::puzzle::{Answer, Answers, Effort, Limits, Puzzles};
use galop_engines::{Engine, Rules};
use galop_peers::{Dlx, Sudoku, median};

/// Lines per call of an engine that solves one puzzle at a time. So few that their cells stay in the cache.
const AT_ONCE: usize = 1024;

/// The result of one run over a file.
#[derive(Clone, Copy, Default)]
struct Run {
    seconds: f64,
    solutions: u64,
    guesses: u64,
    most_guesses: u64,
    gave_up: u64,
}

trait Solver {
    fn name(&self) -> &str;
    fn run(&mut self, lines: &[&[u8]], limits: Limits, counts: &mut Vec<u64>) -> Run;
}

struct Galop {
    name: String,
    max_guesses: u64,
    engine: Box<dyn Engine>,
    /// Lines per call.
    batch: usize,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

impl Solver for Galop {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, lines: &[&[u8]], limits: Limits, counts: &mut Vec<u64>) -> Run {
        let limits = limits.with_guesses(self.max_guesses);
        let mut run = Run::default();
        for batch in lines.chunks(self.batch) {
            self.puzzles.clear();
            for line in batch {
                self.puzzles.extend(line.iter().map(|&byte| match byte.wrapping_sub(b'0') {
                    digit @ 1..=9 => digit,
                    _ => 0,
                }));
            }
            self.solutions.resize(self.puzzles.len(), 0);
            self.answers.resize(batch.len(), Answer::default());
            let mut answers =
                Answers::new(&mut self.solutions, &mut self.answers, 81).expect("a place for each puzzle");
            self.engine
                .solve(Puzzles::new(&self.puzzles, 81).expect("whole puzzles"), limits, &mut answers)
                .expect("81 cells");
            for &answer in &self.answers {
                let (solutions, gave_up, Effort { guesses, .. }) =
                    (answer.solutions, answer.gave_up(), answer.effort);
                run.solutions += solutions;
                run.guesses += guesses;
                run.most_guesses = run.most_guesses.max(guesses);
                run.gave_up += u64::from(gave_up);
                counts.push(solutions);
            }
        }
        run
    }
}

impl Solver for Sudoku {
    fn name(&self) -> &str {
        "crate sudoku"
    }

    fn run(&mut self, lines: &[&[u8]], limits: Limits, counts: &mut Vec<u64>) -> Run {
        let before = counts.len();
        counts.extend(lines.iter().map(|line| self.count(line, limits.solutions().unwrap_or(u64::MAX))));
        Run { solutions: counts[before..].iter().sum(), ..Run::default() }
    }
}

impl Solver for Dlx {
    fn name(&self) -> &str {
        "crate dlx"
    }

    fn run(&mut self, lines: &[&[u8]], limits: Limits, counts: &mut Vec<u64>) -> Run {
        let before = counts.len();
        counts.extend(lines.iter().map(|line| self.count(line, limits.solutions().unwrap_or(u64::MAX))));
        Run { solutions: counts[before..].iter().sum(), ..Run::default() }
    }
}

fn galop(entry: &galop_engines::engine::Entry, isa: Isa, batch: usize) -> Box<dyn Solver> {
    let engine = (entry.make)(&Rules::default(), isa).expect("every engine here takes the 9x9 sudoku");
    let is_batched = engine.is_batched();
    Box::new(Galop {
        name: if is_batched { format!("{} {}", entry.name, isa.name()) } else { entry.name.to_owned() },
        max_guesses: entry.max_guesses,
        engine,
        batch: if is_batched { batch } else { AT_ONCE },
        puzzles: Vec::new(),
        solutions: Vec::new(),
        answers: Vec::new(),
    })
}

struct Args {
    files: Vec<String>,
    limit: u64,
    reps: usize,
    lines: usize,
    batch: usize,
    engines: Vec<String>,
    isas: Vec<Isa>,
}

fn args() -> Args {
    let mut parsed = Args {
        files: Vec::new(),
        limit: 1,
        reps: 5,
        lines: usize::MAX,
        batch: usize::MAX,
        engines: galop_published::all()
            .map(|entry| entry.name.into())
            .filter(|name| name != "backtrack")
            .collect(),
        isas: vec![Isa::best()],
    };
    parsed.engines.extend(["sudoku".into(), "dlx-crate".into()]);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        match word.as_str() {
            "--limit" => parsed.limit = value().parse().expect("--limit takes a number"),
            "--reps" => parsed.reps = value().parse().expect("--reps takes a number"),
            "--lines" => parsed.lines = value().parse().expect("--lines takes a number"),
            "--batch" => parsed.batch = value().parse().expect("--batch takes a number above 0"),
            "--isa" => parsed.isas = value().split(',').map(isa).collect(),
            "--engines" => parsed.engines = value().split(',').map(String::from).collect(),
            flag if flag.starts_with('-') => {
                panic!("{flag}: --limit N, --reps N, --lines N, --engines A,B, --isa A,B, --batch N")
            }
            _ => parsed.files.push(word),
        }
    }
    parsed
}

fn isa(name: &str) -> Isa {
    let isa = Isa::ALL.into_iter().find(|isa| isa.name() == name);
    isa.filter(|isa| isa.is_available()).unwrap_or_else(|| panic!("--isa {name}: not on this machine"))
}

fn main() {
    let args = args();
    let limits = Limits::count(args.limit);
    let mut solvers: Vec<Box<dyn Solver>> = Vec::new();
    for name in &args.engines {
        match (name.as_str(), galop_published::all().find(|entry| entry.name == name)) {
            ("sudoku", _) => solvers.push(Box::new(Sudoku::default())),
            ("dlx-crate", _) => solvers.push(Box::new(Dlx::default())),
            (_, Some(entry)) => {
                // One solver per instruction set, for engines that use it.
                let mut isas = args.isas.iter().map(|&isa| galop(entry, isa, args.batch)).collect::<Vec<_>>();
                isas.dedup_by(|one, other| one.name() == other.name());
                solvers.extend(isas);
            }
            _ => eprintln!("no engine {name}: left out"),
        }
    }
    for file in &args.files {
        let text = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let lines: Vec<&[u8]> = text
            .split(|&byte| byte == b'\n')
            .filter_map(|line| line.get(..81))
            .filter(|line| line[0] != b'#')
            .take(args.lines)
            .collect();
        measure(file, &lines, limits, args.reps, &mut solvers);
    }
}

fn measure(file: &str, lines: &[&[u8]], limits: Limits, reps: usize, solvers: &mut [Box<dyn Solver>]) {
    let mut runs = vec![Vec::new(); solvers.len()];
    let mut counts = vec![Vec::new(); solvers.len()];
    for rep in 0..reps {
        for turn in 0..solvers.len() {
            let place = (rep + turn) % solvers.len();
            counts[place].clear();
            let start = ThreadTime::now();
            let run = solvers[place].run(lines, limits, &mut counts[place]);
            runs[place].push(Run { seconds: start.elapsed().as_secs_f64(), ..run });
        }
    }
    println!(
        "{file}: {} lines, limit {}, {reps} repetitions",
        lines.len(),
        limits.solutions().unwrap_or(u64::MAX)
    );
    for (place, solver) in solvers.iter().enumerate() {
        let run = runs[place][0];
        let seconds = median(runs[place].iter().map(|run| run.seconds).collect());
        print!("  {:18} {:>10.0} puzzles/s", solver.name(), lines.len() as f64 / seconds);
        for (other, peer) in solvers.iter().enumerate() {
            if peer.name().starts_with("crate") && other != place {
                let ratios =
                    runs[other].iter().zip(&runs[place]).map(|(peer, own)| peer.seconds / own.seconds);
                print!("  {:8.2} x {}", median(ratios.collect()), peer.name());
            }
        }
        if !solver.name().starts_with("crate") {
            let guesses = run.guesses as f64 / lines.len() as f64;
            print!("  guesses {guesses:.3} (most {}), gave up {}", run.most_guesses, run.gave_up);
        }
        println!();
        let differing = counts[place].iter().zip(&counts[0]).filter(|(a, b)| a != b).count();
        if differing != 0 {
            println!("  !! {} and {} disagree on {differing} lines", solver.name(), solvers[0].name());
        }
    }
}

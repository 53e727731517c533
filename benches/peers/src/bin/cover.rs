//! Measures galop's exact-cover engines and crate `dlx` on the same problems, interleaved, on one thread of a process.
//!
//! A problem is read once. The time is thread CPU time for building the engine and counting all solutions. In every
//! repetition each solver runs once over each file, in an order that rotates. For each file the program prints the
//! median of seconds, and the median of the ratio to crate `dlx` within a repetition.
//!
//! A `.txt` file has one sudoku per line. Each sudoku becomes a problem of its own, with the items and options that its
//! clues leave. `auto-reused` solves all of them with one [`Solver`] that assumes the clues.

use cpu_time::ThreadTime;
use dlx::choose::{mrv_chooser, no_tiebreak, prefer_any};
use dlx::x::make_problem;
use dlx::{OptOrder, Uint};
use galop_cover::{Choice, CoverLimits, ExactCover, OptionId, Solver, engine, text};
use galop_engines::Rules;
use galop_peers::median;

/// A file: its problems, and the whole problem that they are parts of, with the options that each of them assumes.
struct Course {
    problems: Vec<ExactCover>,
    whole: Option<(ExactCover, Vec<Vec<OptionId>>)>,
}

fn main() {
    let (mut files, mut engines, mut reps, mut lines) =
        (Vec::new(), String::from("auto,auto-reused,dlx-crate"), 5, usize::MAX);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| fail(&format!("{arg} needs a value")));
        match arg.as_str() {
            "--engines" => engines = value(),
            "--reps" => reps = value().parse().unwrap_or_else(|_| fail("--reps takes a number")),
            "--lines" => lines = value().parse().unwrap_or_else(|_| fail("--lines takes a number")),
            _ if arg.starts_with("--") => fail(&format!("unknown option {arg}")),
            _ => files.push(arg),
        }
    }
    let engines: Vec<&str> = engines.split(',').collect();
    for file in &files {
        let course = read(file, lines);
        let mut seconds = vec![Vec::new(); engines.len()];
        let mut counts = vec![None; engines.len()];
        for repetition in 0..reps {
            for turn in 0..engines.len() {
                let at = (turn + repetition) % engines.len();
                if let Some((count, time)) = run(&course, engines[at]) {
                    seconds[at].push(time);
                    counts[at] = Some(count);
                }
            }
        }
        println!("{file}");
        let peer = engines.iter().position(|&name| name == "dlx-crate").filter(|&at| !seconds[at].is_empty());
        let expected = counts.iter().flatten().next();
        for (at, name) in engines.iter().enumerate().filter(|&(at, _)| !seconds[at].is_empty()) {
            let ratio = peer.map_or(String::new(), |peer| {
                let ratios = seconds[peer].iter().zip(&seconds[at]).map(|(peer, own)| peer / own);
                format!("  {:.2} x crate dlx", median(ratios.collect()))
            });
            let wrong = if counts[at].as_ref() == expected { "" } else { "  COUNTS DIFFER" };
            println!(
                "  {name:12} {:>12.6} s  {:>12} solutions{ratio}{wrong}",
                median(seconds[at].clone()),
                counts[at].unwrap_or(0)
            );
        }
    }
}

fn fail(what: &str) -> ! {
    eprintln!("cover: {what}");
    std::process::exit(2)
}

/// Counts the solutions and measures the seconds. `None` if the engine cannot solve the problem, or does not apply.
fn run(course: &Course, name: &str) -> Option<(u128, f64)> {
    if name == "auto-reused" {
        let (problem, clues) = course.whole.as_ref()?;
        let mut solver = Solver::new(problem, Choice::Auto).ok()?;
        let mut solve = |clues: &Vec<OptionId>| {
            solver.assume(clues, &[]).expect("the options are there");
            solver
                .search(&CoverLimits::NONE)
                .count()
                .expect("the engine is right")
                .solutions
                .to_u128()
                .unwrap_or(u128::MAX)
        };
        // Not measured: the second search of a solver builds its table.
        for clues in clues.iter().take(2) {
            solve(clues);
        }
        let began = ThreadTime::now();
        let count = clues.iter().map(solve).sum();
        return Some((count, began.elapsed().as_secs_f64()));
    }
    if name == "dlx-crate" {
        return course.problems.iter().try_fold((0, 0.0), |sum, problem| {
            let (count, time) = run_peer(problem)?;
            Some((sum.0 + count, sum.1 + time))
        });
    }
    let choice = if name == "auto" { Choice::Auto } else { Choice::Engine(engine::by_name(name)?) };
    let began = ThreadTime::now();
    let count = course.problems.iter().try_fold(0, |sum, problem| {
        let mut solver = Solver::new(problem, choice).ok()?;
        Some(
            sum + solver
                .search(&CoverLimits::NONE)
                .count()
                .expect("the engine is right")
                .solutions
                .to_u128()
                .unwrap_or(u128::MAX),
        )
    })?;
    Some((count, began.elapsed().as_secs_f64()))
}

/// The same with crate `dlx`, as its documentation shows. `None` if the problem needs colours or bounds.
fn run_peer(problem: &ExactCover) -> Option<(u128, f64)> {
    if !problem.is_simple() || problem.has_colours() {
        return None;
    }
    let items = |terms: &[galop_cover::Term]| terms.iter().map(|term| term.item.0 as Uint).collect();
    let options: Vec<Vec<Uint>> = problem.options().map(items).collect();
    let (primary, secondary) = (problem.primary_count(), problem.item_count() - problem.primary_count());
    let began = ThreadTime::now();
    let mut built = make_problem(primary as Uint, secondary as Uint, &options, OptOrder::Seq);
    let mut chooser = mrv_chooser(prefer_any(), no_tiebreak());
    let mut solver = dlx::Solver::new(&mut built);
    let mut count = 0;
    while solver.next_solution(&mut chooser) {
        count += 1;
    }
    Some((count, began.elapsed().as_secs_f64()))
}

fn read(file: &str, lines: usize) -> Course {
    let bytes = std::fs::read(file).unwrap_or_else(|error| fail(&format!("{file}: {error}")));
    if !file.ends_with(".txt") {
        let text = text::read(&bytes).unwrap_or_else(|error| fail(&format!("{file}: {error}")));
        return Course { problems: vec![text.problem], whole: None };
    }
    let grids: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(|line| line.len() >= 81).collect();
    let step = (grids.len() / lines.min(grids.len()).max(1)).max(1);
    let grids: Vec<&[u8]> = grids.into_iter().step_by(step).take(lines).collect();
    let side = grids.first().map_or(9, |grid| grid.len().isqrt());
    let rules = Rules::sudoku(side).unwrap_or_else(|error| fail(&format!("{file}: {error}")));
    let symbol = |&byte: &u8| rules.alphabet().cell(byte).unwrap_or(0);
    let puzzles: Vec<Vec<u8>> =
        grids.iter().map(|grid| grid.iter().take(side * side).map(symbol).collect()).collect();
    let reduced =
        |puzzle: &Vec<u8>| rules.reduced_cover(puzzle).unwrap_or_else(|error| fail(&error.to_string()));
    let clues = |puzzle: &Vec<u8>| -> Vec<OptionId> {
        let given = puzzle.iter().enumerate().filter(|&(_, &symbol)| symbol != 0);
        given.map(|(cell, &symbol)| OptionId((cell * side + usize::from(symbol) - 1) as u32)).collect()
    };
    Course {
        problems: puzzles.iter().map(reduced).collect(),
        whole: Some((rules.cover().clone(), puzzles.iter().map(clues).collect())),
    }
}

//! `galop generate`.

use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;

use galop::generate::{self, Recipe, Wish};
use galop::{ErrorKind, Rules};

use super::args::GenerateArgs;
use super::output::{Sink, Writing, name_sink};
use super::progress::Progress;
use super::{messages, rules, signals};

/// Clues of a 9x9 sudoku below which the search for a puzzle takes long: one with 19 takes a second or two.
const RARE_CLUES: usize = 19;

pub(super) fn run(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let rules = rules::of_side(&args.kind, args.side)?;
    let wish = match &args.clues {
        _ if args.minimal => Wish::Minimal,
        Some(clues) => Wish::Clues(clues.clone()),
        None => Wish::usual(&rules),
    };
    if let Wish::Clues(clues) = &wish
        && *clues.start() < RARE_CLUES
        && rules.name() == Rules::sudoku().name()
    {
        let few = clues.start();
        messages::warn(format_args!(
            "sudokus with fewer than {RARE_CLUES} clues are rare: to find one with {few} may take minutes, or end with an error"
        ));
    }
    let recipe = Recipe { threads: NonZero::new(args.threads), ..Recipe::of(rules, args.seed, wish) };
    let others: Vec<&Path> = args.kind.regions.as_deref().into_iter().collect();
    let writing = Writing { threads: recipe.threads, ..Writing::default() };
    let mut sink = Sink::open(args.output.as_deref(), &others, writing)?;
    let mut progress = Progress::new(args.progress, Some(args.count), sink.is_terminal());
    let mut made = 0;
    let mut pairs = Vec::new();
    let done = generate::run(&recipe, args.count, &signals::STOP, &mut |puzzles, solutions| {
        let lines = if args.pairs {
            pairs.clear();
            join(puzzles, solutions, &mut pairs);
            &pairs
        } else {
            puzzles
        };
        sink.write_all(lines).map_err(ErrorKind::Write)?;
        made += puzzles.iter().filter(|&&byte| byte == b'\n').count() as u64;
        progress.set(made, made);
        Ok(())
    });
    progress.finish();
    done.map_err(|error| name_sink(error, args.output.as_deref()))?;
    sink.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Joins lines of puzzles and lines of solutions to lines `puzzle,solution`.
fn join(puzzles: &[u8], solutions: &[u8], pairs: &mut Vec<u8>) {
    let lines = |text| <[u8]>::split(text, |&byte| byte == b'\n');
    for (puzzle, solution) in lines(puzzles).zip(lines(solutions)).filter(|(puzzle, _)| !puzzle.is_empty()) {
        pairs.extend_from_slice(puzzle);
        pairs.push(b',');
        pairs.extend_from_slice(solution);
        pairs.push(b'\n');
    }
}

//! `galop generate`.

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use galop::figures::{duration, group_digits, pluralize};
use galop::generate::{self, Recipe, Wish};
use galop::output::MadeWriter;
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
        Some(clues) if args.minimal => Wish::MinimalClues(clues.clone()),
        Some(clues) => Wish::Clues(clues.clone()),
        None if args.minimal => Wish::Minimal,
        None => Wish::usual(&rules),
    };
    let few = match &wish {
        Wish::Clues(clues) => *clues.start(),
        // Any number of the range will do.
        Wish::MinimalClues(clues) => *clues.end(),
        _ => usize::MAX,
    };
    if few < RARE_CLUES && rules.name() == Rules::sudoku().name() {
        messages::warn(format_args!(
            "sudokus with fewer than {RARE_CLUES} clues are rare: to find one with {few} may take minutes, or end with an error"
        ));
    }
    // The hasher of the standard library has a random seed.
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let (threads, first) = (NonZero::new(args.threads), args.from);
    let recipe = Recipe { threads, first, symmetry: args.symmetric, ..Recipe::of(rules, seed, wish) };
    let others: Vec<&Path> = args.kind.regions.as_deref().into_iter().collect();
    let writing = Writing { threads: recipe.threads, is_quiet: args.quiet, ..Writing::default() };
    let sink = Sink::open(args.output.as_deref(), &others, writing)?;
    let format = args.format();
    sink.check_format(format)?;
    let mut sink = sink.for_converted(format, &recipe.rules)?;
    let mut writer = match MadeWriter::new(format, &recipe.rules, args.pairs) {
        Some(writer) => writer,
        None => bail!("--format {}: puzzles are not written in this format", format.name),
    };
    let mut progress = Progress::new(args.progress, Some(args.count), args.quiet || sink.is_terminal());
    let (started, mut made) = (Instant::now(), 0);
    let mut records = Vec::new();
    writer.header(&mut records);
    let done = generate::run(&recipe, args.count, &signals::STOP, &mut |puzzles, solutions| {
        writer.write(puzzles, solutions, &mut records);
        sink.write_all(&records).map_err(ErrorKind::Write)?;
        records.clear();
        made += puzzles.iter().filter(|&&byte| byte == b'\n').count() as u64;
        progress.set(made, made);
        Ok(())
    });
    progress.finish();
    // The header of a run without puzzles.
    let done = done.and_then(|()| Ok(sink.write_all(&records).map_err(ErrorKind::Write)?));
    done.map_err(|error| name_sink(error, args.output.as_deref()))?;
    sink.finish()?;
    if !args.quiet && (args.output.is_some() || args.seed.is_none()) {
        let (puzzles, elapsed) = (pluralize(made, "puzzle", "puzzles"), started.elapsed());
        let rate = group_digits((made as f64 / elapsed.as_secs_f64().max(1e-9)) as u64);
        let seed = if args.seed.is_none() { format!(", --seed {seed}") } else { String::new() };
        messages::say(format_args!(
            "made {puzzles} in {}: {rate} a second{seed}",
            duration(elapsed.as_nanos() as f64)
        ));
    }
    Ok(ExitCode::SUCCESS)
}

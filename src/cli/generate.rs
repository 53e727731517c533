//! `galop generate`.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use galop::figures::{duration, group_digits, pluralize};
use galop::generate::{self, Details, Filter, Recipe, Wish};
use galop::output::MadeWriter;
use galop::{ErrorKind, Rules, printable};

use super::args::GenerateArgs;
use super::output::{Sink, Writing, name_sink};
use super::progress::Progress;
use super::rewrite::draw_seed;
use super::{messages, rules, signals};

/// Clues of a 9x9 sudoku below which the search for a puzzle takes long: one with 19 takes a second or two.
const RARE_CLUES: usize = 19;

pub(super) fn run(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let rules = rules::of_side(&args.kind, args.side)?;
    let wish = match (&args.clues, &args.pattern) {
        (_, Some(path)) => Wish::Pattern(pattern(path)?),
        (Some(clues), _) if args.minimal => Wish::MinimalClues(clues.clone()),
        (Some(clues), _) => Wish::Clues(clues.clone()),
        (None, _) if args.minimal || args.wants_guesses() => Wish::Minimal,
        (None, _) => Wish::usual(&rules),
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
    let seed = args.seed.unwrap_or_else(draw_seed);
    let (threads, first) = (NonZero::new(args.threads), args.from);
    let (symmetry, negative) = (args.symmetric, args.status);
    let columns = args.columns();
    let has = |needs: fn(&Details) -> bool| columns.iter().any(|column| needs(&column.needs));
    let mut recipe = Recipe {
        threads,
        first,
        symmetry,
        negative,
        filter: Filter { tier: args.tier, guesses: args.guesses.clone(), known: None },
        details: Details { ratings: has(|needs| needs.ratings), keys: has(|needs| needs.keys) },
        has_gaps: true,
        ..Recipe::of(rules, seed, wish)
    };
    recipe.is_distinct = recipe.walks();
    let others: Vec<&Path> =
        args.kind.regions.as_deref().into_iter().chain(args.pattern.as_deref()).collect();
    let writing = Writing { threads: recipe.threads, is_quiet: args.quiet, ..Writing::default() };
    let sink = Sink::open(args.output.as_deref(), &others, writing)?;
    let format = args.format();
    sink.check_format(format)?;
    let mut sink = sink.for_converted(format, &recipe.rules)?;
    let mut writer = match MadeWriter::new(format, &recipe.rules, args.pairs) {
        Some(writer) => writer.of_status(recipe.negative).with_columns(columns),
        None => bail!("--format {}: puzzles are not written in this format", format.name),
    };
    let Some(writer) = &mut writer else {
        bail!("--format {} has no place for --columns; choose csv, tsv, json or parquet", format.name)
    };
    let mut progress = Progress::new(args.progress, Some(args.count), args.quiet || sink.is_terminal());
    let (started, mut made) = (Instant::now(), 0);
    let mut records = Vec::new();
    writer.header(&mut records);
    let done = generate::run_described(&recipe, args.count, &signals::STOP, &mut |page| {
        writer.write(page, &mut records);
        sink.write_all(&records).map_err(ErrorKind::Write)?;
        records.clear();
        made += page.places.len() as u64;
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

/// Bytes that are read of a pattern; a longer file is an error. The largest grid has 25x25 cells.
const PATTERN_BYTES: u64 = 64 << 10;

/// Reads the cells that have clues.
fn pattern(path: &Path) -> anyhow::Result<Vec<bool>> {
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(PATTERN_BYTES + 1).read_to_end(&mut text))
        .with_context(|| format!("{}: cannot read the pattern of clues", printable(path)))?;
    if text.len() as u64 > PATTERN_BYTES {
        bail!("{}: has more than {PATTERN_BYTES} bytes, so it is not a pattern of clues", printable(path));
    }
    Ok(generate::read_pattern(&text))
}

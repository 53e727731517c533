//! `galop generate`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use galop_batch::figures::{duration, group_digits, pluralize};
use galop_batch::input::Source;
use galop_batch::output::{Complete, FORMATS, Heading};
use galop_batch::pipeline::RewriteOptions;
use galop_batch::{ErrorKind, printable};
use galop_corpora::KnownRun;
use galop_corpora::MadeWriter;
use galop_corpora::generate::{self, Details, Filter, Recipe, Wish};
use galop_engines::Rules;

use super::args::{GenerateArgs, When};
use super::command::quoted_path;
use super::output::{self, Destination, Sink, name_sink};
use super::plan::Target;
use super::progress::Progress;
use super::rewrite::{draw_seed, say_columns};
use super::waiting::{Speaker, Waiting};
use super::{input, messages, resume, rules, signals};

/// Clues of a 9x9 sudoku below which the search for a puzzle takes long: one with 19 takes a second or two.
const RARE_CLUES: usize = 19;

pub(super) fn run(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let rules = match args.problem.path() {
        Some(path) => rules::of_problem(path)?,
        None => rules::of_side(&args.kind, args.side)?,
    };
    let wish = wish(args, &rules)?;
    let seed = args.seed.unwrap_or_else(draw_seed);
    let columns = args.columns();
    let has = |needs: fn(&Details) -> bool| columns.iter().any(|column| needs(&column.needs));
    let mut recipe = Recipe {
        threads: args.run.threads(),
        first: args.from,
        symmetry: args.symmetric,
        negative: args.status,
        filter: Filter { level: args.level, guesses: args.guesses.clone(), known: None },
        details: Details {
            guesses: has(|needs| needs.guesses),
            keys: has(|needs| needs.keys),
            weights: has(|needs| needs.weights),
        },
        // What is found is written, unless the next run goes on where the first puzzle is missing.
        has_gaps: !args.resume,
        ..Recipe::of(rules, seed, wish)
    };
    recipe.check(args.count)?;
    warn_of_rare_clues(&recipe);
    if let Some(drawer) = recipe.drawer.as_ref().filter(|_| !args.run.quiet) {
        messages::say(match drawer.is_uniform() {
            true => "solutions are drawn from the diagram of all of them: each is equally likely",
            false => "solutions are drawn by searches with restarts: some are likelier than others",
        });
    }
    recipe.is_distinct = !args.resume && (recipe.walks() || !args.new_to.is_empty());
    let format = args.format();
    if format.about_converted().is_none() {
        bail!("--format {}: `galop generate` does not write this format", format.name);
    }
    let writer = MadeWriter::new(format, &recipe.rules, args.pairs, recipe.negative, columns);
    let Some(mut writer) = writer else {
        bail!("--format {} has no place for --columns; choose csv, tsv, json or npz", format.name)
    };
    let named =
        args.kind.maps().map(|(_, path)| path).chain(args.problem.path()).chain(args.pattern.as_deref());
    let others = named.chain(args.new_to.iter().map(AsRef::as_ref));
    let others: Vec<&Path> = others.collect();
    let mut sources = input::open_named(&args.new_to)?;
    let (mut sink, before) = open_sink(args, &recipe, &others, &sources, writer.added())?;
    let malformed = read_known(args, &mut recipe, &mut sources)?;
    recipe.first = recipe.first.saturating_add(before);

    let is_hidden = args.run.quiet || output::is_terminal(args.output.as_deref());
    let mut progress = Progress::new(args.run.bar.progress, Some(args.count), is_hidden);
    progress.go_on_after(before);
    let speaker = (!args.run.quiet).then(|| {
        // Puzzles on the terminal show themselves how many there are.
        Speaker::new(
            args.count,
            before,
            !progress.is_shown() && args.run.bar.progress == When::Auto && !is_hidden,
        )
    });
    let waiting = Waiting::start(before, Arc::clone(&recipe.tally), progress, speaker);
    // The puzzles that are made are kept after a signal, however long it takes to write them.
    let held = sink.is_unnamed().then(signals::hold_end);
    let (started, mut made) = (Instant::now(), before);
    let mut records = Vec::new();
    if before == 0 {
        writer.header(&mut records);
    }
    let left = args.count.saturating_sub(before);
    let done = generate::run_described(&recipe, left, &signals::STOP, &mut |page| {
        writer.write(page, &mut records);
        sink.write_all(&records).map_err(ErrorKind::Write)?;
        records.clear();
        made += page.places.len() as u64;
        if sink.is_due() {
            sink.keep(&made.to_string())?;
        }
        Ok(())
    });
    waiting.end();
    // The header of a run without puzzles.
    let done = done.and_then(|()| Ok(sink.write_all(&records).map_err(ErrorKind::Write)?));
    if let Err(error) = &done
        && matches!(error.kind(), ErrorKind::Stopped)
        && let Some(signal) = signals::received()
        && !args.resume
    {
        output::finish(sink, args.output.as_deref(), output::End::default())?;
        let puzzles = pluralize(args.count, "puzzle", "puzzles");
        messages::error(&anyhow!(
            "stopped before the end; the output is not complete: it has {} of {puzzles}",
            group_digits(made)
        ));
        return Ok(ExitCode::from(128 + signal as u8));
    }
    // After a failed write the output may have a part of a page, of which the last progress does not speak.
    if let Err(error) = &done
        && !matches!(error.kind(), ErrorKind::Write(_))
    {
        sink.keep(&made.to_string())?;
    }
    done.map_err(|error| name_sink(error, args.output.as_deref()))?;
    let state = made.to_string();
    let end = output::End { state: &state, ..output::End::default() };
    let completion = output::finish(sink, args.output.as_deref(), end)?;
    drop(held);
    completion.progress.map_or(Ok(()), Complete::settle)?;
    if !args.run.quiet && (args.output.is_some() || args.seed.is_none()) {
        let elapsed = started.elapsed();
        let puzzles = pluralize(made - before, "puzzle", "puzzles");
        let rate = group_digits(((made - before) as f64 / elapsed.as_secs_f64().max(1e-9)) as u64);
        let seed = if args.seed.is_none() { format!(", --seed {seed}") } else { String::new() };
        messages::say(format_args!(
            "made {puzzles} in {}: {rate} a second{seed}",
            duration(elapsed.as_nanos() as f64)
        ));
    }
    if let Some(path) = args
        .output
        .as_deref()
        .filter(|_| !args.run.quiet && args.kind.is_usual() && args.problem.path().is_none())
    {
        messages::next(format_args!("galop solve {} -o solved.txt", quoted_path(path)));
    }
    messages::warn_malformed(malformed, " in the files of --new-to");
    Ok(ExitCode::from(u8::from(malformed > 0)))
}

/// The wish of the options.
fn wish(args: &GenerateArgs, rules: &Rules) -> anyhow::Result<Wish> {
    Ok(match (&args.clues, &args.pattern) {
        (_, Some(path)) => Wish::Pattern(pattern(path)?),
        (Some(clues), _) if args.minimal => Wish::MinimalClues(clues.clone()),
        (Some(clues), _) => Wish::Clues(clues.clone()),
        (None, _) if args.minimal || args.unbiased || args.wants_hard() => Wish::Minimal,
        (None, _) => Wish::usual(rules),
    })
}

fn warn_of_rare_clues(recipe: &Recipe) {
    let few = match &recipe.wish {
        Wish::Clues(clues) => *clues.start(),
        // Any number of the range will do.
        Wish::MinimalClues(clues) => *clues.end(),
        _ => usize::MAX,
    };
    if few < RARE_CLUES && recipe.rules.name() == Rules::default().name() {
        messages::warn(format_args!(
            "sudokus with fewer than {RARE_CLUES} clues are rare: to find one with {few} may take minutes, or end with an error"
        ));
    }
}

/// Opens the output. Returns how many puzzles an earlier run has written there.
fn open_sink(
    args: &GenerateArgs,
    recipe: &Recipe,
    others: &[&Path],
    sources: &[Source],
    added: &[Heading],
) -> anyhow::Result<(Sink, u64)> {
    let format = args.format();
    let target = Target {
        path: args.output.as_deref(),
        format,
        is_format_named: args.names_format(),
        is_resumed: args.resume,
        threads: recipe.threads,
        is_quiet: args.run.quiet,
        is_summed: false,
    };
    let prepared = target.prepare(others)?;
    let facts = || resume::facts(format, &args.kind, args.problem.path(), sources, Vec::new());
    let sink = |file: Destination| file.for_converted(format, added, &recipe.rules);
    let (mut sink, earlier) = target.open(prepared, sink, facts)?;
    if args.resume && earlier.is_none() {
        sink.keep(&0.to_string())?;
    }
    match earlier.map_or(Ok(0), |earlier| earlier.state.parse()) {
        Ok(made) => Ok((sink, made)),
        Err(_) => bail!(
            "the progress is not from `galop generate`; remove the files .partial and .progress to begin again"
        ),
    }
}

/// Reads the classes of the files that no puzzle may be in. Returns the number of malformed records.
fn read_known(args: &GenerateArgs, recipe: &mut Recipe, sources: &mut [Source]) -> anyhow::Result<u64> {
    if sources.is_empty() {
        return Ok(0);
    }
    let (threads, stop) = (recipe.threads, &signals::STOP);
    let options = RewriteOptions::default().threads(threads).format(&FORMATS[0]).stop(stop);
    let mut run = KnownRun::open(&recipe.rules, options)?;
    let total = sources.iter().map(Source::size).sum::<Option<u64>>();
    let mut progress = Progress::new(args.run.bar.progress, total, args.run.quiet);
    progress.each(sources, |source, progress| run.read(source, progress))?;
    progress.finish();
    let (known, read) = run.finish()?;
    if !args.run.quiet {
        say_columns(&read.inputs);
    }
    recipe.filter.known = Some(Arc::new(known));
    Ok(read.malformed_count)
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

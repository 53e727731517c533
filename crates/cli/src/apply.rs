//! `galop apply`.

use std::process::ExitCode;

use galop::pipeline::{ApplyOptions, ApplyRun};

use super::args::ApplyArgs;
use super::rewrite::Rewriting;

pub(super) fn run(args: &ApplyArgs) -> anyhow::Result<ExitCode> {
    let (mut rewriting, sink) = Rewriting::open(&args.input, &args.part, &args.rewrite, &[])?;
    let options = ApplyOptions { map: args.map, is_inverse: args.inverse };
    let mut run = ApplyRun::open(&rewriting.rules, rewriting.options, options, sink)
        .map_err(|error| rewriting.named_input(error))?;
    rewriting.each_source(|source, progress| run.apply(source, progress))?;
    let (sink, outcome) = run.finish().map_err(|error| rewriting.named(error))?;
    rewriting.finish(sink, &outcome.rewritten)?;
    Ok(ExitCode::from(u8::from(rewriting.say(&outcome.rewritten, ""))))
}

//! `galop convert`.

use std::process::ExitCode;

use galop::pipeline::ConvertRun;

use super::args::ConvertArgs;
use super::rewrite::Rewriting;

pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let (mut rewriting, sink) = Rewriting::open(&args.input, &args.part, &args.rewrite, &[])?;
    let mut run = ConvertRun::open(&rewriting.rules, rewriting.options, sink)
        .map_err(|error| rewriting.named(error))?;
    rewriting.each_source(|source, progress| run.convert(source, progress))?;
    let (sink, outcome) = run.finish().map_err(|error| rewriting.named(error))?;
    rewriting.finish(sink, &outcome)?;
    Ok(ExitCode::from(u8::from(rewriting.say(&outcome, ""))))
}

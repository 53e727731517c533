//! `galop convert`.

use std::process::ExitCode;

use galop_batch::pipeline::convert;

use super::args::ConvertArgs;
use super::rewrite::{Rewriting, Summary, Wanted};

pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let (mut rewriting, sink) = Rewriting::open(Wanted::new(&args.input, &args.part, &args.rewrite, &[]))?;
    let run =
        convert(&rewriting.opened.rules, rewriting.options).map_err(|error| rewriting.opened.named(error))?;
    let done = rewriting.rewrite(run, vec![sink])?;
    rewriting.close(done, &Summary::default())
}

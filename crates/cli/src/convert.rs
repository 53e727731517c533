//! `galop convert`.

use std::process::ExitCode;

use galop_batch::pipeline::convert;

use super::args::ConvertArgs;
use super::rewrite::{Rewriting, Summary};

pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let (mut rewriting, sink) = Rewriting::open(&args.input, &args.part, &args.rewrite, &[])?;
    let run = convert(&rewriting.rules, rewriting.options).map_err(|error| rewriting.named(error))?;
    let done = rewriting.rewrite(run, vec![sink])?;
    rewriting.close(done, &Summary::default())
}

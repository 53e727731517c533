//! `galop canon`.

use std::process::ExitCode;

use galop::figures::pluralize;
use galop_corpora::{CanonRun, FormCounts};

use super::args::CanonArgs;
use super::rewrite::{Ended, Rewriting};

pub(super) fn run(args: &CanonArgs) -> anyhow::Result<ExitCode> {
    let options = args.options();
    let added: Vec<&str> = options.columns.iter().map(|column| column.name).collect();
    let (mut rewriting, sink) =
        Rewriting::open_with(&args.input, &args.part, &args.rewrite, &args.report, None, &added)?;
    let mut run = CanonRun::open(&rewriting.rules, rewriting.options, &options, sink)
        .map_err(|error| rewriting.named_input(error))?;
    rewriting.each_source(|source, progress| run.canonize(source, progress))?;
    let threads = run.threads();
    let (sink, outcome) = run.finish().map_err(|error| rewriting.named(error))?;
    let sum = rewriting.finish(sink, &outcome.rewritten)?;
    let FormCounts { solution, direct, automorphic } = outcome.forms;
    let summary = format!(
        ": {} by the solution, {}, {automorphic} automorphic",
        pluralize(solution, "form", "forms"),
        pluralize(direct, "direct form", "direct forms"),
    );
    let engine = options.classes.engine(&rewriting.rules);
    let ended = Ended {
        engine,
        threads,
        outcome: &outcome.rewritten,
        figures: &[("solution_forms", solution), ("direct_forms", direct), ("automorphic", automorphic)],
        guesses: None,
        sum,
        summary: &summary,
    };
    Ok(rewriting.close(&ended))
}

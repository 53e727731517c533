//! `galop canon`.

use std::process::ExitCode;

use galop_batch::figures::pluralize;
use galop_corpora::{FormCounts, canonize};

use super::args::CanonArgs;
use super::rewrite::{Rewriting, Summary, Wanted};

pub(super) fn run(args: &CanonArgs) -> anyhow::Result<ExitCode> {
    let options = args.options();
    let added: Vec<_> = options.columns.iter().map(|column| column.heading()).collect();
    let wanted = Wanted::new(&args.input, &args.part, &args.rewrite, &args.report);
    let (mut rewriting, sink) = Rewriting::open(Wanted { added: &added, ..wanted })?;
    let run = canonize(&rewriting.opened.rules, rewriting.options, &options)
        .map_err(|error| rewriting.named_input(error))?;
    let done = rewriting.rewrite(run, vec![sink])?;
    let FormCounts { solution, direct, automorphic } = done.outcome.1;
    let text = format!(
        ": {} by the solution, {}, {automorphic} automorphic",
        pluralize(solution, "form", "forms"),
        pluralize(direct, "direct form", "direct forms"),
    );
    let engine = options.classes.engine(&rewriting.opened.rules);
    let figures = [("solution_forms", solution), ("direct_forms", direct), ("automorphic", automorphic)];
    rewriting.close(done, &Summary { engine, figures: &figures, guesses: None, text: &text })
}

//! `galop canon`.

use std::process::ExitCode;

use galop::figures::pluralize;
use galop::pipeline::{CanonRun, FormCounts};
use galop::report::{Corpus, CorpusRun};

use super::args::CanonArgs;
use super::command;
use super::rewrite::Rewriting;

pub(super) fn run(args: &CanonArgs) -> anyhow::Result<ExitCode> {
    let (mut rewriting, sink) = Rewriting::open(&args.input, &args.part, &args.rewrite, &args.report)?;
    let options = args.options();
    let mut run = CanonRun::open(&rewriting.rules, rewriting.options, &options, sink)
        .map_err(|error| rewriting.named_input(error))?;
    rewriting.each_source(|source, progress| run.canonize(source, progress))?;
    let threads = run.threads();
    let (sink, outcome) = run.finish().map_err(|error| rewriting.named(error))?;
    let sum = rewriting.finish(sink, &outcome.rewritten)?;
    let FormCounts { solution, direct, automorphic } = outcome.forms;
    let typed = command::typed();
    let corpus = Corpus::new(&CorpusRun {
        rules: &rewriting.rules,
        engine: options.classes.engine(&rewriting.rules),
        threads,
        elapsed: rewriting.started.elapsed(),
        command: Some(&typed),
        outcome: &outcome.rewritten,
        figures: &[("solution_forms", solution), ("direct_forms", direct), ("automorphic", automorphic)],
    });
    let are_reports_written = rewriting.write_reports(corpus, sum);
    let summary = format!(
        ": {} by the solution, {}, {automorphic} automorphic",
        pluralize(solution, "form", "forms"),
        pluralize(direct, "direct form", "direct forms"),
    );
    let is_faulty = rewriting.say(&outcome.rewritten, &summary);
    Ok(ExitCode::from(if are_reports_written { u8::from(is_faulty) } else { 2 }))
}

//! `galop split`.

use std::process::ExitCode;

use anyhow::bail;
use galop_batch::figures::group_digits;
use galop_corpora::{SplitCounts, SplitOptions, split};

use super::args::SplitArgs;
use super::output::Content;
use super::rewrite::{Rewriting, Summary, Wanted};

pub(super) fn run(args: &SplitArgs) -> anyhow::Result<ExitCode> {
    if args.rewrite.long_run.resume {
        bail!(
            "galop split writes two files and cannot continue both, so it has no --resume; \
             the same command with the same --seed writes the same files"
        );
    }
    let (mut rewriting, sink) =
        Rewriting::open(Wanted::new(&args.input, &args.part, &args.rewrite, &args.report))?;
    let format = rewriting.format();
    let content = Content::of(format, args.rewrite.names_format());
    let tests = rewriting.opened.open_other(&args.test_output, content)?;
    tests.check_format(format)?;
    let tests = tests.for_converted(format, &[], &rewriting.opened.rules)?;
    let (by, trusts_answers) = (args.by.by, args.by.trust.trust_solutions);
    let options =
        SplitOptions::default().by(by).trusts_answers(trusts_answers).share(args.test).seed(args.seed);
    let run = split(&rewriting.opened.rules, rewriting.options, options)
        .map_err(|error| rewriting.named_input(error))?;
    let done = rewriting.rewrite(run, vec![sink, tests])?;
    let SplitCounts([training, tests]) = done.outcome.1;
    let text = format!(": {} for training, {} for tests", group_digits(training), group_digits(tests));
    let engine = by.engine(&rewriting.opened.rules);
    let figures = [("training", training), ("tests", tests)];
    rewriting.close(done, &Summary { engine, figures: &figures, guesses: None, text: &text })
}

//! `galop split`.

use std::process::ExitCode;

use anyhow::bail;
use galop_batch::figures::group_digits;
use galop_corpora::{SplitCounts, SplitOptions, TestCounter, TestLimit, split};

use super::args::{SplitArgs, Tests};
use super::output::Content;
use super::rewrite::{Rewriting, Summary, Wanted};

pub(super) fn run(args: &SplitArgs) -> anyhow::Result<ExitCode> {
    if args.rewrite.long_run.resume {
        bail!(
            "galop split writes two files and cannot continue both, so it has no --resume; \
             the same command with the same --seed writes the same files"
        );
    }
    let is_read_twice = matches!(args.test, Tests::Count(_));
    if is_read_twice && args.rewrite.long_run.shard.is_some() {
        bail!(
            "--test with a number counts the tests of all shards together: give a share, such as --test 10%"
        );
    }
    let wanted = Wanted::new(&args.input, &args.part, &args.rewrite, &args.report);
    let (mut rewriting, sink) = Rewriting::open(Wanted { is_read_twice, ..wanted })?;
    let format = rewriting.format();
    let content = Content::of(format, args.rewrite.names_format());
    let tests = rewriting.opened.open_other(&args.test_output, content)?;
    tests.check_format(format)?;
    let tests = tests.for_converted(format, &[], &rewriting.opened.rules)?;
    let (by, trusts_answers) = (args.by.by, args.by.trust.trust_solutions);
    let options = SplitOptions::default().by(by).trusts_answers(trusts_answers).seed(args.seed);
    let limit = match args.test {
        Tests::Share(share) => TestLimit::share(share),
        Tests::Count(count) => {
            let rules = &rewriting.opened.rules;
            let mut counter = TestCounter::open(rules, rewriting.options, options, count)
                .map_err(|error| rewriting.named_input(error))?;
            rewriting.opened.read_first(|source, progress| counter.read(source, progress))?;
            counter.finish()
        }
    };
    let options = options.tests(limit);
    let run = split(&rewriting.opened.rules, rewriting.options, options)
        .map_err(|error| rewriting.named_input(error))?;
    let done = rewriting.rewrite(run, vec![sink, tests])?;
    let SplitCounts([training, tests]) = done.outcome.1;
    let mut text = format!(": {} for training, {} for tests", group_digits(training), group_digits(tests));
    if let Tests::Count(count) = args.test
        && tests < count as u64
    {
        text += &format!(", {} fewer than requested", group_digits(count as u64 - tests));
    }
    let engine = by.engine(&rewriting.opened.rules);
    let figures = [("training", training), ("tests", tests)];
    rewriting.close(done, &Summary { engine, figures: &figures, guesses: None, text: &text })
}

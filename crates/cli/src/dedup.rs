//! `galop dedup`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use galop::figures::{group_digits, pluralize};
use galop::{ErrorKind, printable};
use galop_corpora::{Dedup, DedupOptions};

use super::args::DedupArgs;
use super::messages;
use super::output::{self, name_sink};
use super::rewrite::{Ended, Rewriting};

pub(super) fn run(args: &DedupArgs) -> anyhow::Result<ExitCode> {
    let (mut rewriting, mut again, sink) =
        Rewriting::open_twice(&args.input, &args.part, &args.rewrite, &args.report)?;
    let dropped = args.dropped.as_deref();
    let list = dropped.map(|path| rewriting.open_other(path)).transpose()?;
    let mut list = list.map(|opened| BufWriter::new(opened.sink()));
    let (by, trusts_answers) = (args.by.by, args.by.trust.trust_solutions);
    let options = DedupOptions { by, trusts_answers, memory: args.memory.memory };
    let mut run = Dedup::open(&rewriting.rules, rewriting.options, options)
        .map_err(|error| rewriting.named_input(error))?;
    rewriting.each_source(|source, progress| run.read(source, progress))?;
    let threads = run.threads();
    let mut run = run.find(sink).map_err(|error| rewriting.named(error))?;
    let is_listed =
        |error| galop::Error::from(ErrorKind::Write(error)).in_file(dropped.unwrap_or("".as_ref()));
    rewriting.each_of(&mut again, |source, progress| {
        run.write(source, progress, &mut |repeat, first| match &mut list {
            Some(list) => writeln!(list, "{repeat}: equals {first}").map_err(is_listed),
            None => Ok(()),
        })
    })?;
    let (sink, outcome) = run.finish().map_err(|error| rewriting.named(error))?;
    let sum = rewriting.finish(sink, &outcome.rewritten)?;
    if let Some(list) = list {
        let list = list.into_inner().map_err(|error| name_sink(is_listed(error.into_error()), None))?;
        output::finish(list, dropped, output::End::default())?;
    }
    let mut summary = format!(
        ": {}, {} left out",
        pluralize(outcome.classes, "class", "classes"),
        pluralize(outcome.repeats, "repeat", "repeats"),
    );
    if outcome.without_class > 0 {
        summary += &format!(", {} without a single solution kept", group_digits(outcome.without_class));
    }
    let engine = by.engine(&rewriting.rules);
    let ended = Ended {
        engine,
        threads,
        outcome: &outcome.rewritten,
        figures: &[
            ("classes", outcome.classes),
            ("repeats", outcome.repeats),
            ("without_class", outcome.without_class),
            ("direct_forms", outcome.direct),
            ("temporary_bytes", outcome.spilled_bytes),
        ],
        guesses: None,
        sum,
        summary: &summary,
    };
    let code = rewriting.close(&ended);
    if let Some(path) = dropped.filter(|_| !args.rewrite.quiet) {
        messages::say(format_args!("the records that were left out are listed in {}", printable(path)));
    }
    Ok(code)
}

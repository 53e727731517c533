//! `galop dedup`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use anyhow::bail;
use galop_batch::figures::{group_digits, pluralize};
use galop_batch::{ErrorKind, printable};
use galop_corpora::{Dedup, DedupOptions, LinePlace};

use super::args::DedupArgs;
use super::messages;
use super::output::{Content, End};
use super::rewrite::{Rewriting, Summary, Wanted};

pub(super) fn run(args: &DedupArgs) -> anyhow::Result<ExitCode> {
    if args.rewrite.long_run.shard.is_some() {
        bail!("galop dedup compares each record with all records before it, so it has no --shard");
    }
    let wanted = Wanted::new(&args.input, &args.part, &args.rewrite, &args.report);
    let (mut rewriting, sink) = Rewriting::open(Wanted { is_read_twice: true, ..wanted })?;
    let dropped = args.dropped.as_deref();
    let list = dropped.map(|path| rewriting.opened.open_other(path, Content::Repeats)).transpose()?;
    let mut list = list.map(|opened| BufWriter::new(opened.sink()));
    let (by, trusts_answers) = (args.by.by, args.by.trust.trust_solutions);
    let options = DedupOptions::default().by(by).trusts_answers(trusts_answers).memory(args.memory.memory);
    let mut first = Dedup::open(&rewriting.opened.rules, rewriting.options, options)
        .map_err(|error| rewriting.named_input(error))?;
    rewriting.opened.read_first(|source, progress| first.read(source, progress))?;
    let is_listed =
        |error| galop_batch::Error::from(ErrorKind::Write(error)).in_file(dropped.unwrap_or("".as_ref()));
    let on_repeat = Box::new(|repeat: LinePlace<'_>, first: LinePlace<'_>| match &mut list {
        Some(list) => writeln!(list, "{repeat}: equals {first}").map_err(is_listed),
        None => Ok(()),
    });
    let (run, outcome) = first.find(on_repeat).map_err(|error| rewriting.opened.named(error))?;
    let mut done = rewriting.rewrite(run, vec![sink])?;
    if let Some(list) = list {
        let list = list.into_inner().map_err(|error| is_listed(error.into_error()))?;
        done.outputs.push(list.complete(End::default())?);
    }
    let mut text = format!(
        ": {}, {} left out",
        pluralize(outcome.classes, "class", "classes"),
        pluralize(outcome.repeats, "repeat", "repeats"),
    );
    if outcome.without_class > 0 {
        text += &format!(", {} kept without exactly one solution", group_digits(outcome.without_class));
    }
    let engine = by.engine(&rewriting.opened.rules);
    let figures = [
        ("classes", outcome.classes),
        ("repeats", outcome.repeats),
        ("without_class", outcome.without_class),
        ("direct_forms", outcome.direct),
        ("temporary_bytes", outcome.spilled_bytes),
    ];
    let code = rewriting.close(done, &Summary { engine, figures: &figures, guesses: None, text: &text })?;
    if let Some(path) = dropped.filter(|_| !args.rewrite.run.quiet) {
        messages::say(format_args!("the records that were left out are listed in {}", printable(path)));
    }
    Ok(code)
}

//! What was typed behind `galop cover`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args as ClapArgs, ValueEnum};
use galop::Isa;
use galop_cover::engine::ENGINES;
use galop_cover::{self as cover, Choice, Setup};

use super::When;
use super::values::isa_parser;

/// Solve exact cover problems: any items and options, in the text format of Knuth's programs
///
/// A line that begins with | is a comment. The first other line names the items: primary ones, covered exactly
/// once (n|name: n times, low:high|name: low to high times), then, behind a lone |, secondary ones, covered at
/// most once or in one colour. Every further line is an option: the items it covers, a secondary one as name:colour
/// if it is to have a colour; |n adds a cost.
///
/// A solution is one line: its options in the order of the file, in the file's words, parted by ` | ` (no name
/// holds a bar). Unless they are asked for, the solutions are counted: the number alone, or behind
/// its file's name and a colon if there are several files. All limits are for each file by itself.
///
/// Exit codes: 0 complete, or a limit was reached (stderr and json say so); 2 usage or I/O error, or a text that is
/// no problem; 3 a solution failed the independent check (a bug); 130 or 143 after an interrupt.
#[derive(ClapArgs, Debug)]
#[command(group = ArgGroup::new("what").args(["count", "first", "all"]))]
pub(crate) struct CoverArgs {
    /// Files of problems, one in each; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Count the solutions [the default]
    #[arg(long)]
    pub(crate) count: bool,

    /// Print the first N solutions that are found
    #[arg(long, value_name = "N")]
    pub(crate) first: Option<u64>,

    /// Print all solutions
    #[arg(long)]
    pub(crate) all: bool,

    /// Write to FILE, which gets its name when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What a solution looks like
    #[arg(short, long, value_name = "FORMAT", default_value = "options")]
    pub(crate) format: CoverFormat,

    /// How the problems are solved; auto takes what suits each, and -v tells which and why
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = engine_parser())]
    pub(crate) engine: Choice,

    /// Leave out beforehand what is in no solution, and what is in all; -v tells how much
    ///
    /// An option that leaves some item without options goes, and so on until nothing changes. The solutions are the
    /// same, in the words of the file. It takes a few milliseconds, and pays where pieces are packed into a box for
    /// longer than that.
    #[arg(long)]
    pub(crate) preprocess: bool,

    /// The instruction set of engines that are compiled for several [default: the best of this machine]
    #[arg(long, value_name = "NAME", value_parser = isa_parser())]
    pub(crate) isa: Option<Isa>,

    /// Threads that search one problem; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Print solutions in the order in which one thread finds them, whatever the threads
    #[arg(long)]
    pub(crate) ordered: bool,

    /// Stop a search after N nodes (states looked at)
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub(crate) max_nodes: u64,

    /// Stop a search after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,

    /// Whether to show a progress bar; auto: on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,

    /// Tell which engine is used, and why
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// No progress bar and no statistics; warnings and errors are still shown
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

impl CoverArgs {
    /// How a solver is built.
    pub(crate) fn setup(&self) -> Setup {
        let isa = self.isa.unwrap_or_else(Isa::best);
        Setup { choice: self.engine, isa, has_preprocessing: self.preprocess }
    }

    /// How many solutions are printed at most; `None` if they are counted.
    pub(crate) fn listed(&self) -> Option<u64> {
        if self.all { Some(u64::MAX) } else { self.first }
    }
}

/// What a solution looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoverFormat {
    /// Options in the file's words, one solution a line
    Options,
    /// One JSON object a solution, and one for each file with its statistics
    Json,
}

/// `auto`, and the names of the table of engines, each with its line.
fn engine_parser() -> impl TypedValueParser<Value = Choice> {
    let auto = PossibleValue::new("auto").help("the engine that suits the problem");
    let values = ENGINES.iter().map(|entry| PossibleValue::new(entry.name).help(entry.about));
    PossibleValuesParser::new(std::iter::once(auto).chain(values))
        .map(|name| cover::engine::by_name(&name).map_or(Choice::Auto, Choice::Engine))
}

/// `2`, `0.5`: a time.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| format!("`{text}` is no number of seconds"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_any_number_not_below_0() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("3"), Ok(Duration::from_secs(3)));
        for text in ["", "-1", "nan", "inf", "soon", "1e300"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}

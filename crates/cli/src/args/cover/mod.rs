//! The options of `galop cover`: those that several of its commands share here, each command in a file of its own.

mod best;
mod count;
mod diagram;
mod list;
mod sample;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use galop_batch::output::ending_of;
use galop_batch::pipeline::Shard;
use galop_cover::engine::ENGINES;
use galop_cover::{self as cover, Choice, Setup};

use super::values::{bytes, seconds, shard, threads};
pub(crate) use best::BestArgs;
pub(crate) use count::{CountArgs, CountFormat};
pub(crate) use diagram::DiagramArgs;
pub(crate) use list::ListArgs;
pub(crate) use sample::CoverSampleArgs;

use crate::output::ANSWER_ENDINGS;

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop cover problem.dlx                                  count the solutions
  galop make queens 6 | galop cover list                   print them
  galop make queens 100 | galop cover list --limit 1 --seed 7
                                               print one; another seed, another solution
  galop make queen-costs 12 | galop cover best --limit 3
                                               the three of least total cost: 455 each
  printf 'a b | c\\na c:1\\nb c:1\\nb c:2\\n' | galop cover list
                                               a and b once each, c in one colour: `a c:1 | b c:1`
  galop make dominoes 16x16 | galop cover sample -n 10 --seed 1 -f picture
                                               ten random tilings, as pictures
  galop cover diagram problem.dlx --marginals  how many solutions each option is in
  galop cover problem.dlx --shard 3/10 --resume -o part3.txt
                                               the third of ten parts; goes on after an interrupt";

/// Solve exact cover problems: count, list, optimise or sample their solutions
///
/// A problem is written in the text format of Knuth's programs. Lines that start with | are comments. The first other
/// line names the items. Primary items come first; they are covered exactly once (n|name: n times; low:high|name: low
/// to high times). Secondary items follow after a lone |; they are covered at most once or in one colour. Each further
/// line is an option: the items it covers, with name:colour for a coloured secondary item. (An item without a colour
/// has a colour of its own.) |n adds a cost of n.
///
/// `galop cover FILE` counts the solutions, as `galop cover count FILE` does, and takes the same options. If a file has
/// the name of a command, write ./count.
#[derive(ClapArgs, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CoverArgs {
    #[command(subcommand)]
    pub(crate) command: Option<CoverCommand>,

    #[command(flatten)]
    pub(crate) count: CountArgs,
}

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum CoverCommand {
    Count(CountArgs),
    List(ListArgs),
    Best(BestArgs),
    Sample(CoverSampleArgs),
    Diagram(DiagramArgs),
}

/// The files with problems.
#[derive(ClapArgs, Debug)]
pub(crate) struct ProblemArgs {
    /// Files with one problem each; `-` or no file means standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) given: GivenArgs,
}

/// Which solutions are meant.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "What to find")]
pub(crate) struct GivenArgs {
    /// Only solutions with an option that has all of these items; for example --with "r0 c3" (repeatable)
    ///
    /// ITEMS are names of items, with :colour if the option must give that colour. If several options have all of
    /// them, one of the items must be covered exactly once.
    #[arg(long, value_name = "ITEMS")]
    pub(crate) with: Vec<String>,

    /// Only solutions without the options that have all of these items (repeatable)
    #[arg(long, value_name = "ITEMS")]
    pub(crate) without: Vec<String>,
}

/// Where the answers go.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct WritingArgs {
    /// Write to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed. Its ending is .txt, or .json, .jsonl or .ndjson
    /// for JSON; any other is refused without --format.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show no progress bar and no statistics, only warnings and errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl WritingArgs {
    /// The format of the answers: the one that an option names, or `json` by the ending of the output, or else `text`.
    pub(crate) fn format<F>(&self, named: Option<F>, [text, json]: [F; 2]) -> F {
        let ending = self.output.as_deref().and_then(ending_of);
        let is_json = ending.is_some_and(|ending| ANSWER_ENDINGS[1..].contains(&&*ending));
        named.unwrap_or(if is_json { json } else { text })
    }
}

/// Where the answers of a search go, and what is said about it.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct SpeakingArgs {
    #[command(flatten)]
    pub(crate) writing: WritingArgs,

    /// Show which engine is used and why, and the number of nodes at each depth of the search
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl SpeakingArgs {
    pub(crate) fn verbosity(&self) -> Verbosity {
        match (self.writing.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, false) => Verbosity::Summary,
            (false, true) => Verbosity::Verbose,
        }
    }
}

/// How much is said about a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Warnings only.
    Quiet,
    Summary,
    Verbose,
}

/// When a search stops.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct LimitArgs {
    /// Stop a search after this many seconds; for example 10 or 0.5; the exit code is then 4
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,

    /// Stop a search after N nodes of the search tree; the exit code is then 4
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) max_nodes: Option<u64>,
}

/// Memory.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct MemoryArgs {
    /// Memory for what a count remembers, and for a diagram; for example 500M or 4G [default: a quarter of the memory of
    /// this machine]
    ///
    /// All threads share it. A count that needs more forgets the counts of some subproblems: the result is still right,
    /// but takes longer. A diagram that needs more is an error. The problem and the tables of engines are not included.
    #[arg(long, value_name = "SIZE", value_parser = bytes, hide_short_help = true)]
    pub(crate) memory: Option<u64>,
}

/// Threads.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct ThreadsArgs {
    /// Number of threads that search one problem; 0 means one per core; at most 1024
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
}

/// How a count or a list is searched for.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,

    /// The engine; auto chooses one for each problem, and -v says which one and why
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = engine_parser())]
    pub(crate) engine: Choice,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) memory: MemoryArgs,

    /// Search only the I-th of N parts that take about equally long; for example 3/10
    ///
    /// N machines can share a long search: the counts of all parts add up to the count of the whole, and each solution
    /// is listed by one of them. How the search is shared depends only on the problem, --with, --without and N.
    ///
    /// Part 1 may have the whole search, and then the others are empty. This is so if the search is expected to end
    /// before it is shared: each part needs at least 8 million nodes, about a second. It is also so if the search ends
    /// within its first 65,536 nodes, or within a million nodes of a count that remembers equal subproblems. A longer
    /// count that remembers equal subproblems, as for tilings with small pieces, repeats most of its work in each part;
    /// a warning says so.
    #[arg(long, value_name = "I/N", value_parser = shard, hide_short_help = true)]
    pub(crate) shard: Option<Shard>,
}

impl SearchArgs {
    /// The settings of the solver. `seed` is for its restarts.
    pub(crate) fn setup(&self, seed: u64) -> Setup {
        Setup::from(self.engine).memory(self.memory.memory).seed(Some(seed))
    }

    /// The name of the engine, or `auto`.
    pub(crate) fn engine_name(&self) -> &'static str {
        match self.engine {
            Choice::Auto => "auto",
            Choice::Engine(entry) => entry.name,
        }
    }
}

/// How a solution is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolutionFormat {
    /// A line per solution: its options in the words of the file, separated by ` | `
    Options,
    /// A JSON object per solution, and one per file with statistics: `is_lower_bound` is true if there may be more
    /// than `solutions`
    Json,
    /// A picture per solution: a board of cells, the cells of an option joined by lines, or drawn by their colours. A
    /// cell is an item named by a row and a column, as 3.10, 3,10, r3c10, `c3_10` or 3a, or two items, r3 and c10
    Picture,
}

impl SolutionFormat {
    /// The usual format, and the one of a file whose name ends in .json.
    pub(crate) const USUAL: [SolutionFormat; 2] = [SolutionFormat::Options, SolutionFormat::Json];
}

/// `auto`, and the table of engines: name and description.
fn engine_parser() -> impl TypedValueParser<Value = Choice> {
    let auto = PossibleValue::new("auto").help("an engine that suits the problem");
    let values = ENGINES.iter().map(|entry| PossibleValue::new(entry.name).help(entry.about));
    PossibleValuesParser::new(std::iter::once(auto).chain(values))
        .map(|name| cover::engine::by_name(&name).map_or(Choice::Auto, Choice::Engine))
}

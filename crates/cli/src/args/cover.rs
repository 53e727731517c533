//! The options of `galop cover`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args as ClapArgs, ValueEnum};
use galop::Isa;
use galop_cover::engine::ENGINES;
use galop_cover::{self as cover, Choice, Setup};

use super::When;
use super::cover_best::BestArgs;
use super::cover_counting::CountingArgs;
use super::cover_diagram::DiagramArgs;
use super::cover_restarts::RestartsArgs;
use super::cover_work::WorkArgs;
use super::values::{isa_parser, seconds, threads};

/// Solve exact cover problems in the text format of Knuth's programs
///
/// Lines that start with | are comments. The first other line names the items: first the primary ones, which are
/// covered exactly once (n|name: n times, low:high|name: low to high times), then, after a lone |, the secondary ones,
/// which are covered at most once or in one colour. Each further line is an option: the items it covers, with
/// name:colour for a coloured secondary item (an item without a colour has a colour of its own); |n adds a cost of n.
/// Costs matter to --best and --worst; --format json prints them with each solution.
///
/// By default the solutions are counted. With several files, each count follows the name of its file and a colon. With
/// --first or --all, each solution is a line: its options in the order and in the words of the file, separated by
/// ` | `. With --best or --worst, |n follows at the end of the line: what the solution costs. All limits apply to each file separately. If --max-nodes or --time-limit stops a count, it is a lower bound
/// and is printed as >=N.
///
/// Exit codes: 0 complete; 2 usage or I/O error, or a file is not a problem; 3 a solution failed the independent check
/// (a bug in galop); 4 --max-nodes or --time-limit stopped a search, the result is partial; 130 or 143 after an
/// interrupt (--best then prints the best solutions found).
#[derive(ClapArgs, Debug)]
#[command(group = ArgGroup::new("what").args(WHAT))]
pub(crate) struct CoverArgs {
    /// Files with one problem each, or diagrams that --diagram wrote; `-` or no file means standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Count the solutions; the default
    #[arg(long)]
    pub(crate) count: bool,

    /// Print the first N solutions found
    #[arg(long, value_name = "N")]
    pub(crate) first: Option<u64>,

    /// Print all solutions
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) best: BestArgs,

    /// Write to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed.
    ///
    /// A present FILE keeps its mode, owner, group and extended attributes. If a new file cannot have them, if FILE has
    /// several hard links, or if its folder is write-protected, FILE is written in place: this write is not atomic, and
    /// a message says so.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How a solution is written
    #[arg(short, long, value_name = "FORMAT", default_value = "options")]
    pub(crate) format: CoverFormat,

    /// The engine; auto chooses one for each problem, and -v says which one and why
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = engine_parser())]
    pub(crate) engine: Choice,

    /// First remove options that are in no solution, and choose those that are in all; -v says how many
    ///
    /// An option is removed if it leaves some item without options, and so on until nothing changes. The solutions
    /// stay the same. This takes a few milliseconds and helps with longer searches that pack pieces into a box. (The
    /// engine auto does it by itself to coloured problems in which an item has more than 63 options.)
    #[arg(long)]
    pub(crate) preprocess: bool,

    #[command(flatten)]
    pub(crate) counting: CountingArgs,

    /// The instruction set, for engines that are compiled for several [default: the best of this machine]
    #[arg(long, value_name = "NAME", value_parser = isa_parser())]
    pub(crate) isa: Option<Isa>,

    /// Number of threads that search one problem; 0 means one per core; at most 1024
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,

    /// Print solutions in the order in which one thread finds them, for any number of threads
    #[arg(long)]
    pub(crate) ordered: bool,

    #[command(flatten)]
    pub(crate) restarts: RestartsArgs,

    /// Stop a search after N nodes of the search tree; the exit code is then 4
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub(crate) max_nodes: u64,

    /// Stop a search after this time; for example 10 or 0.5; the exit code is then 4
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,

    #[command(flatten)]
    pub(crate) diagram: DiagramArgs,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// When to show a progress bar; auto: if standard error is a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,

    /// Say which engine is used, and why
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Show no progress bar and no statistics, only warnings and errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

/// Options that say what is printed.
const WHAT: [&str; 8] = ["count", "first", "all", "best", "worst", "sample", "marginals", "nth"];

impl CoverArgs {
    /// The settings of the solver.
    pub(crate) fn setup(&self) -> Setup {
        let isa = self.isa.unwrap_or_else(Isa::best);
        Setup::from(self.engine)
            .isa(isa)
            .preprocess(self.preprocess)
            .memory(self.counting.memory)
            .seed(self.restarts.seed_of_restarts())
    }

    /// The limit on solutions.
    pub(crate) fn most(&self) -> Option<u64> {
        self.listed().filter(|&solutions| solutions < u64::MAX)
    }

    /// The name of the engine, or `auto`.
    pub(crate) fn engine_name(&self) -> &'static str {
        match self.engine {
            Choice::Auto => "auto",
            Choice::Engine(entry) => entry.name,
        }
    }

    /// Whether solutions are printed.
    pub(crate) fn has_listing(&self) -> bool {
        self.listed().is_some() || self.best.wanted().is_some()
    }

    /// The largest number of solutions to print; `None` if they are counted.
    pub(crate) fn listed(&self) -> Option<u64> {
        if self.all { Some(u64::MAX) } else { self.first }
    }
}

/// How a solution is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoverFormat {
    /// One line per solution, with the options in the words of the file
    Options,
    /// One JSON object per solution, and one per file with its statistics: `is_lower_bound` is true if there may be
    /// more than `solutions`
    Json,
}

/// `auto`, and the table of engines: name and description.
fn engine_parser() -> impl TypedValueParser<Value = Choice> {
    let auto = PossibleValue::new("auto").help("an engine that suits the problem");
    let values = ENGINES.iter().map(|entry| PossibleValue::new(entry.name).help(entry.about));
    PossibleValuesParser::new(std::iter::once(auto).chain(values))
        .map(|name| cover::engine::by_name(&name).map_or(Choice::Auto, Choice::Engine))
}

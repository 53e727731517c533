//! The options of `galop compare`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_cover::engine::{self as cover_engine, CoverEntry};
use galop_engines::engine::{Entry, Isa};

use super::search::SolutionsArgs;
use super::values::{at_least_one, isa_parser, max_guesses_help, named_isa, seconds, threads};
use super::{BarArgs, InputArgs, ProblemArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop compare puzzles.txt
  galop compare puzzles.txt -e lanes,bitboard,norvig --report compare.html
  galop compare puzzles.txt -e norvig,singles --as-is -r 1    the calls that their authors publish
  galop compare puzzles.txt -e all --budget 0.1 --per-puzzle times.csv";

/// Compare the speed of engines and programs on the same puzzles or exact cover problems
///
/// Files whose names end in .dlx are exact cover problems: each engine of `galop cover` counts their solutions, or finds
/// --limit of them, or the cheapest cover (--best); each run has their options in another order.
///
/// First each engine solves all puzzles once to warm up; every solution is checked, and two engines that contradict
/// each other end the comparison. In each measured run the engines then take turns in a random order. Each run
/// relabels, permutes and shuffles the puzzles anew, because the appearance of a puzzle can favour an engine.
///
/// All times are processor time: the time inside an engine, or the time of another program less its start. Other work
/// on the machine hardly changes them. (Where the system does not give processor time, they are elapsed time, and the
/// reports say so.) Speed, mean, p50, p99 and max are over all puzzles in all runs. The times of --per-puzzle are
/// medians over the runs. The ratio to the reference engine is the geometric mean of the ratios of the runs, with an
/// interval of 95 % by Student's t; with 30 runs or more it is their median, with an interval by the sign test. The
/// table goes to standard output, and warnings to standard error.
#[derive(ClapArgs, Debug)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// The engines, separated by commas, or `all`; the others are compared with the first (`galop engines` describes
    /// them) [default: some that suit]
    ///
    /// The default is lanes,bitboard,hybrid,dlx for 9x9 sudoku, lanes,grid,dlx for others up to 15 symbols, else
    /// grid,dlx, and all for exact cover problems. `all` names every engine that accepts the puzzles. After a name, @
    /// sets the instruction set or the number of threads, so that one engine can take part several times:
    /// lanes,lanes@avx2 or grid,grid@4. A range of threads adds an entry for each number and shows the growth by
    /// threads: grid@1..4. For exact cover problems, `auto` takes the engine that suits each problem.
    #[arg(short, long, value_name = "LIST", value_delimiter = ',', value_parser = engine_word)]
    pub(crate) engines: Vec<EngineWord>,

    /// Also compare another program, for example 'tdoku-solve {}': a shell runs it with the name of a file of puzzles
    /// in place of {} (repeatable)
    ///
    /// Without {}, the program gets the puzzles on standard input, one per line. It must print a line for each puzzle,
    /// in order, with the solution as one of the fields; a line without a solution means that it found none. Every
    /// solution is checked. Its time is the processor time of the program and of all processes that it waits for, less
    /// the time for an empty input, which is measured before each run. Its times and guesses for single puzzles are not
    /// known. The report calls it by the name of its file, which may be a script, or by NAME: 'tdoku=tdoku-solve {}'.
    #[arg(long, value_name = "[NAME=]COMMAND", value_parser = named_command)]
    pub(crate) command: Vec<NamedCommand>,

    /// A command that prints the version of the program of --command, for the report (repeatable, in the same order)
    #[arg(long, value_name = "COMMAND", requires = "command", hide_short_help = true)]
    pub(crate) version_of: Vec<String>,

    /// The regular expression that finds the number of solutions in the output of programs; the first group that
    /// matches is the number [default: as in `92 solutions`]
    #[arg(long, value_name = "REGEX", help_heading = "Advanced", hide_short_help = true)]
    pub(crate) solutions_pattern: Option<String>,

    /// The same for the number of guesses or nodes [default: as in `2,057 nodes` or `17 guesses`]
    ///
    /// For puzzles, the standard error of the program is searched; for exact cover problems, all of its output. The
    /// last number found counts.
    #[arg(long, value_name = "REGEX", help_heading = "Advanced", hide_short_help = true)]
    pub(crate) guesses_pattern: Option<String>,

    /// Compare over a series and show how times grow: files, or a problem of `galop make` with a range, as in 'queens
    /// 8..16'
    ///
    /// `files` compares on each file separately, in order of size: the number of puzzles, the cells per row if the
    /// grids differ, or the number of options. 'queens 8..16..2' takes every second size. The growth is the
    /// least-squares line through the logarithms of the times, over the size or its logarithm, whichever fits better.
    #[arg(long, value_name = "files|MODEL A..B", value_parser = series)]
    pub(crate) series: Option<Series>,

    /// Find the cheapest cover of each exact cover problem instead of counting its solutions
    #[arg(long, conflicts_with_all = ["limit", "unique"], help_heading = "What to find")]
    pub(crate) best: bool,

    #[command(flatten)]
    pub(crate) solutions: SolutionsArgs,

    /// Measured runs of each engine
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = at_least_one)]
    pub(crate) runs: usize,

    /// Use a random sample of N puzzles, without replacement [default: all puzzles]
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub(crate) count: Option<usize>,

    /// The seed of samples, permutations and orders
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Do not permute or shuffle the puzzles, for example to reproduce published counts
    #[arg(long, hide_short_help = true)]
    pub(crate) as_is: bool,

    /// Number of threads, which all run the same engine; 0 means one per core; at most 1024
    ///
    /// With more than one thread, engines compete for memory and for the clock rate of the processor, so the times are
    /// no longer the engine's alone.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = threads, help_heading = "Running")]
    pub(crate) threads: usize,

    /// Stop a run of an engine after about this much processor time; for example 10 or 0.5, or 0 for no limit
    ///
    /// The figures of that engine, and its ratio to the reference, then cover only the puzzles it finished. A program
    /// given by --command is ended after this much elapsed time.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = "Running")]
    pub(crate) budget: std::time::Duration,

    /// Give up a puzzle after N guesses [default: the limit of the engine, which `galop engines` shows; 1,000,000 for
    /// grids larger than 9x9]
    #[arg(long, value_name = "N", long_help = max_guesses_help(galop_published::all(), "; 1,000,000 for all in grids larger than 9x9"))]
    #[arg(help_heading = "Running")]
    pub(crate) max_guesses: Option<u64>,

    /// The instruction set, for engines that are compiled for several [default: the best of this machine]
    #[arg(long, value_name = "NAME", value_parser = isa_parser(), help_heading = "Advanced", hide_short_help = true)]
    pub(crate) isa: Option<Isa>,

    /// Also write a report; the ending selects its format: .json, .md, .html, .csv, .txt (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    /// Also write a CSV table with a row for each puzzle and engine: processor time, guesses, status
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    pub(crate) per_puzzle: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) bar: BarArgs,

    /// Show no progress bar and no warnings about the figures, only the table and errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// A value of `--series`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Series {
    /// Each file is a point.
    Files,
    /// A classic problem of several sizes: the words before and behind the size, with their blanks.
    Model { before: String, sizes: Vec<u64>, after: String },
}

/// Sizes of a series, at most.
const SIZES: usize = 1_000;

/// `files`, or words with one range.
fn series(text: &str) -> Result<Series, String> {
    if text == "files" {
        return Ok(Series::Files);
    }
    let is_size = |byte: char| byte.is_ascii_digit() || byte == '.';
    let dots =
        text.find("..").ok_or("name a problem with a range of sizes, as in 'queens 8..16', or `files`")?;
    let start = text[..dots].rfind(|byte| !is_size(byte)).map_or(0, |at| at + 1);
    let end = text[dots..].find(|byte| !is_size(byte)).map_or(text.len(), |at| dots + at);
    let sizes = sizes(&text[start..end]).filter(|sizes| !sizes.is_empty() && sizes.len() <= SIZES);
    let sizes = sizes
        .ok_or_else(|| format!("{} is not a range of sizes, such as 8..16 or 8..16..2", &text[start..end]))?;
    Ok(Series::Model { before: text[..start].to_owned(), sizes, after: text[end..].to_owned() })
}

/// The numbers of `8..16` or `8..16..2`, both ends included.
fn sizes(range: &str) -> Option<Vec<u64>> {
    let numbers: Option<Vec<u64>> = range.split("..").map(|number| number.parse().ok()).collect();
    let (low, high, step) = match numbers?[..] {
        [low, high] => (low, high, 1),
        [low, high, step] if step > 0 => (low, high, step),
        _ => return None,
    };
    let step = usize::try_from(step).ok()?;
    Some((low..=high).step_by(step).take(SIZES + 1).collect())
}

/// A value of `--command`.
#[derive(Clone, Debug)]
pub(crate) struct NamedCommand {
    /// The name in front of `=`, if there is one.
    pub(crate) name: Option<String>,
    /// What a shell runs.
    pub(crate) command: String,
}

/// A command, perhaps with a name. An assignment that a shell would read, such as `LANG=C sort`, has letters that are
/// all large, so a name has a small one.
fn named_command(text: &str) -> Result<NamedCommand, String> {
    let is_name = |name: &str| {
        name.chars().any(char::is_lowercase)
            && name.chars().all(|character| character.is_alphanumeric() || "_-.+#@".contains(character))
    };
    let (name, command) = match text.split_once('=') {
        Some((name, command)) if is_name(name) => (Some(name.to_owned()), command),
        _ => (None, text),
    };
    match command.trim().is_empty() {
        true => Err("it has no command".to_owned()),
        false => Ok(NamedCommand { name, command: command.to_owned() }),
    }
}

/// A word of `--engines`: an engine, or one for each number of threads of a range.
#[derive(Clone, Debug)]
pub(crate) struct EngineWord(pub(crate) Vec<EngineName>);

/// An engine of `--engines`.
#[derive(Clone, Debug)]
pub(crate) struct EngineName {
    /// The name as it was typed, with one number of threads.
    pub(crate) name: String,
    pub(crate) engine: NamedEngine,
    /// Its instruction set, if it is not that of the others.
    pub(crate) isa: Option<Isa>,
    /// Its number of threads, if it is not that of the others.
    pub(crate) threads: Option<NonZero<usize>>,
}

/// What a word of `--engines` names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NamedEngine {
    /// Every engine that accepts the rules or the problem.
    All,
    /// The engine that suits each exact cover problem.
    Auto,
    /// The search for the cheapest cover.
    Best,
    /// An engine for puzzles, or for exact cover problems, or one that is both by its name.
    Named { puzzles: Option<&'static Entry>, covers: Option<&'static CoverEntry> },
}

/// A word of `--engines`: a name of one of the two tables, or `all`, `auto`, `best`; behind each `@` an instruction set,
/// or a number or range of threads.
fn engine_word(text: &str) -> Result<EngineWord, String> {
    let Some((name, range)) = text.rsplit_once('@').filter(|(_, part)| part.contains("..")) else {
        return Ok(EngineWord(vec![engine_name(text)?]));
    };
    let numbers = sizes(range).filter(|numbers| !numbers.is_empty());
    let numbers = numbers.ok_or_else(|| format!("{range} is not a range of threads, such as 1..4"))?;
    let each = numbers.iter().map(|number| engine_name(&format!("{name}@{number}")));
    Ok(EngineWord(each.collect::<Result<_, _>>()?))
}

/// An engine, with one instruction set and one number of threads at most.
fn engine_name(text: &str) -> Result<EngineName, String> {
    let mut parts = text.split('@');
    let name = parts.next().unwrap_or_default();
    let covers = cover_engine::by_name(name);
    let engine = match galop_published::named(name) {
        _ if name == "all" => NamedEngine::All,
        _ if name == "auto" => NamedEngine::Auto,
        _ if name == "best" => NamedEngine::Best,
        None if covers.is_none() => {
            let grids = galop_published::all().map(|entry| entry.name);
            let covers = cover_engine::ENGINES.iter().map(|entry| entry.name);
            let [grids, covers] = [grids.collect::<Vec<_>>(), covers.collect()].map(|names| names.join(", "));
            return Err(format!("possible values: all, {grids}; for exact cover problems: auto, {covers}"));
        }
        puzzles => NamedEngine::Named { puzzles, covers },
    };
    let mut named = EngineName { name: text.to_owned(), engine, isa: None, threads: None };
    for part in parts {
        match part.parse::<usize>() {
            Ok(_) => named.threads = NonZero::new(threads(part)?),
            Err(_) => named.isa = Some(named_isa(part, Isa::is_available)?),
        }
    }
    if let NamedEngine::Named { puzzles: Some(Entry { alias: Some(alias), name, .. }), covers: None } = engine
    {
        named.name = text.replacen(alias, name, 1);
    }
    Ok(named)
}

//! What was typed.

mod cover;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use galop::crosscheck::Sample;
use galop::{ENGINES, Entry, Isa, output};

pub(crate) use cover::{CoverArgs, CoverFormat};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Answers puzzles by the million.
///
/// One puzzle a line in, one answer a line out, in the same order, on every core.
#[derive(Parser, Debug)]
#[command(name = "galop", version, styles = STYLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Solve(SolveArgs),
    Verify(VerifyArgs),
    Check(CheckArgs),
    Generate(GenerateArgs),
    Compare(CompareArgs),
    Show(ShowArgs),
    Cover(CoverArgs),
    /// List the engines and what they do
    Engines,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page (roff)
    Man {
        /// The page of a command: `galop man solve | man -l -`; without it, the page of galop itself
        #[arg(value_parser = ["solve", "verify", "check", "generate", "compare", "show", "cover", "engines", "completions"])]
        command: Option<String>,
    },
}

/// Solve every puzzle of the files and print the answers in order
///
/// A puzzle is 81 characters, row by row: 1-9, and one of . 0 * _ x X ? for a blank. Other fields may stand
/// beside it; blank lines and lines that begin with # are passed over. A CSV file whose header names a puzzle
/// column is read by that column. Grids of nine rows over several lines, in a frame or not, may stand in a file,
/// blank lines between them.
///
/// One record in, one record out, in order. Where there is no solution to print, a status word stands in its
/// place: none, multiple (only with --unique), limit, stuck (engines that never guess), malformed.
///
/// Exit codes: 0 complete; 1 complete, but some records were malformed (or, with --strict, not solved);
/// 2 usage or I/O error, the output is not complete; 3 a solution failed the independent check, or --crosscheck
/// found a difference (a bug); 130 or 143 after an interrupt.
///
/// An engine that solves many puzzles at once has no time for each alone: there, a puzzle's time is its share of
/// its lanes' rounds, and the sum of the times is that of the batches.
#[derive(ClapArgs, Debug)]
pub(crate) struct SolveArgs {
    /// Files of puzzles; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Write the answers to FILE, which gets its name when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What an answer looks like
    #[arg(short, long, value_name = "FORMAT", default_value = output::FORMATS[0].name, value_parser = format_parser())]
    pub(crate) format: &'static output::Format,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) second: SecondArgs,

    /// Threads that solve; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Also write a report; its form follows the ending: .json, .md, .html, .txt (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    /// How many of the slowest puzzles the report names
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub(crate) slowest: usize,

    /// Do not measure each puzzle's time
    #[arg(long)]
    pub(crate) no_times: bool,

    /// Read files in blocks and do not map them into memory
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// Exit with 1 unless every record was solved
    #[arg(long)]
    pub(crate) strict: bool,

    /// Exit with 0 even if some records were malformed
    #[arg(long, conflicts_with = "strict")]
    pub(crate) allow_malformed: bool,

    /// Whether to show a progress bar; auto: on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,

    /// No progress bar and no summary; errors are still shown
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// How puzzles are searched.
#[derive(ClapArgs, Debug)]
pub(crate) struct SearchArgs {
    /// How the puzzles are solved (`galop engines` tells more)
    #[arg(short, long, value_name = "NAME", default_value = DEFAULT_ENGINE, value_parser = engine_parser())]
    pub(crate) engine: &'static Entry,

    /// Stop a puzzle's search after N solutions: 1 any, 2 prove it the only one, more count, 0 all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(crate) solutions: u64,

    /// Ask for the only solution: the same as --solutions 2
    #[arg(short, long, conflicts_with = "solutions")]
    pub(crate) unique: bool,

    /// Give a puzzle up when it takes more than N guesses [default: the engine's, far above any real puzzle]
    #[arg(long, value_name = "N")]
    pub(crate) max_guesses: Option<u64>,

    /// The instruction set of an engine that is compiled for several [default: the best of this machine]
    #[arg(long, value_name = "NAME", value_parser = isa_parser())]
    isa: Option<Isa>,
}

/// Whether another engine is asked as well.
#[derive(ClapArgs, Debug)]
pub(crate) struct SecondArgs {
    /// Have a share of the puzzles solved again by another engine: 0.01 or 1%; 1 is all of them
    ///
    /// The other engine is dlx (bitboard, where dlx is the first). The run ends with exit code 3 where the two
    /// cannot both be right. Where one gives up, only what it found is compared.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    crosscheck: Option<f64>,

    /// Which puzzles those are: the same seed draws the same, whatever the threads
    #[arg(long, value_name = "N", default_value_t = 0, requires = "crosscheck")]
    crosscheck_seed: u64,
}

impl SecondArgs {
    pub(crate) fn sample(&self) -> Option<Sample> {
        self.crosscheck.map(|share| Sample { share, seed: self.crosscheck_seed })
    }
}

impl SearchArgs {
    pub(crate) fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(Isa::best)
    }

    pub(crate) fn limits(&self) -> galop::Limits {
        let solutions = match self.solutions {
            _ if self.unique => 2,
            0 => u64::MAX,
            solutions => solutions,
        };
        galop::Limits { solutions, guesses: self.max_guesses.unwrap_or(self.engine.max_guesses) }
    }
}

/// Check files of puzzles with their solutions
///
/// Reads `puzzle,solution` lines, or a CSV file whose header names such columns, and prints every faulty
/// record's place and fault. Records with a status word in place of the solution count as unanswered.
///
/// Exit codes: 0 all is right; 1 some records are faulty; 2 usage or I/O error.
#[derive(ClapArgs, Debug)]
pub(crate) struct VerifyArgs {
    /// Files to check; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Also prove that each solution is the only one (and each `none` and `multiple` true)
    #[arg(short, long)]
    pub(crate) unique: bool,

    /// The engine that proves it
    #[arg(short, long, value_name = "NAME", default_value = DEFAULT_PROVER, value_parser = engine_parser())]
    pub(crate) engine: &'static Entry,

    /// Threads that check; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Read files in blocks and do not map them into memory
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// No summary; faulty records are still printed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Find puzzles that cannot have a solution, without solving them
///
/// Reads what `solve` reads and prints every such puzzle's place and the reason: a digit twice in a unit, a cell
/// for which nothing is left, or a digit for which no cell of a unit is left, be it once singles, pairs and
/// pointing pairs are found. Lines that are no puzzles are named too. A puzzle that passes may still have no
/// solution: solve it to know.
///
/// Exit codes: 0 nothing was found; 1 some records are impossible or malformed; 2 usage or I/O error.
#[derive(ClapArgs, Debug)]
pub(crate) struct CheckArgs {
    /// Files of puzzles; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Threads that check; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Read files in blocks and do not map them into memory
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// No summary; what was found is still printed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Make puzzles with one solution
///
/// The same seed gives the same puzzles on every machine and for every number of threads; the first puzzles
/// of a longer run are those of a shorter one.
///
/// Exit codes: 0 complete; 2 usage or I/O error, or no such puzzles were found.
#[derive(ClapArgs, Debug)]
pub(crate) struct GenerateArgs {
    /// How many puzzles
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) count: u64,

    /// Where the random numbers start
    #[arg(short, long, value_name = "S")]
    pub(crate) seed: u64,

    /// Clues a puzzle, both ends included; each puzzle draws its number
    #[arg(long, value_name = "A..B", default_value = "28..36", value_parser = clue_range, conflicts_with = "minimal")]
    pub(crate) clues: RangeInclusive<usize>,

    /// Minimal puzzles: no clue can be left out
    #[arg(long)]
    pub(crate) minimal: bool,

    /// Print the solution beside each puzzle: puzzle,solution
    #[arg(long)]
    pub(crate) pairs: bool,

    /// Write the puzzles to FILE, which gets its name when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Threads; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Whether to show a progress bar; auto: on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,
}

/// Compare engines on the puzzles of the files: which is faster, by how much, on which puzzles
///
/// Every engine answers all puzzles once to warm up: every solution is checked, and no two engines may contradict
/// each other. Then they run in turns, in an order shuffled for every run, on the same puzzles: relabelled,
/// permuted and put in another order for every run, as an engine may be lucky with a puzzle's looks.
///
/// Times are processor time inside the engine. The ratio to the reference is the median of the runs' ratios, with
/// a 95 % bootstrap interval. The table goes to standard output, warnings to standard error.
///
/// Exit codes: 0 complete; 1 complete, but some records were malformed and left out; 2 usage or I/O error, or no
/// puzzles; 3 a solution failed the check, or two engines contradict each other (a bug); 130 or 143 after an
/// interrupt.
#[derive(ClapArgs, Debug)]
pub(crate) struct CompareArgs {
    /// Files of puzzles; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The engines, or `all` (`galop engines` tells more)
    #[arg(short, long, value_name = "NAMES", default_value = "lanes,bitboard,hybrid,dlx", value_delimiter = ',', value_parser = chosen_parser())]
    pub(crate) engines: Vec<Chosen>,

    /// The engine that ratios are taken to [default: the first of --engines]
    #[arg(long, value_name = "NAME", value_parser = engine_parser())]
    pub(crate) reference: Option<&'static Entry>,

    /// Stop a puzzle's search after N solutions: 1 any, 2 prove it the only one, more count, 0 all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    solutions: u64,

    /// Ask for the only solution: the same as --solutions 2
    #[arg(short, long, conflicts_with = "solutions")]
    unique: bool,

    /// Measured runs of every engine
    #[arg(short, long, value_name = "R", default_value_t = 10, value_parser = at_least_one)]
    pub(crate) runs: usize,

    /// Draw N of the puzzles, without replacement [default: all of them]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) sample: Option<usize>,

    /// Where samples, permutations and orders are drawn from
    #[arg(short, long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Neither permute the puzzles nor put them in another order: to repeat counts that others published
    #[arg(long)]
    pub(crate) as_is: bool,

    /// Threads that solve, for one engine at a time; 0 is one a core
    ///
    /// On more than one, engines wait for each other's memory and share the clock rate of the processor: what is
    /// measured is then no longer the engine alone.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,

    /// End an engine's run after so much processor time, between two puzzles; 0 is never
    ///
    /// Its figures, and its ratio to the reference, are then those of the puzzles that it came to.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = super::compare::seconds)]
    pub(crate) budget: std::time::Duration,

    /// Give a puzzle up when it takes more than N guesses [default: each engine's own, far above any real puzzle]
    #[arg(long, value_name = "N")]
    pub(crate) max_guesses: Option<u64>,

    /// The instruction set of engines that are compiled for several [default: the best of this machine]
    #[arg(long, value_name = "NAME", value_parser = isa_parser())]
    pub(crate) isa: Option<Isa>,

    /// Also write a report; its form follows the ending: .json, .md, .html, .csv, .txt (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    /// Also write a table (CSV) of every puzzle with every engine: time, guesses, status
    #[arg(long, value_name = "FILE")]
    pub(crate) per_puzzle: Option<PathBuf>,

    /// Read files in blocks and do not map them into memory
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// Whether to show a progress bar; auto: on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,

    /// No progress bar and no warnings about the figures; the table and errors are still shown
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl CompareArgs {
    /// Where searches stop, in solutions.
    pub(crate) fn solutions(&self) -> u64 {
        match self.solutions {
            _ if self.unique => 2,
            0 => u64::MAX,
            solutions => solutions,
        }
    }
}

/// Engines as they are named for a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chosen {
    /// Every row of the table.
    All,
    /// One of them.
    One(&'static Entry),
}

/// Draw puzzles and their solutions as grids
///
/// Prints every record as a framed grid, its solution, where one stands in the record, beside it. Records are
/// separated by a blank line. Malformed ones are named on standard error.
///
/// Exit codes: 0 complete; 1 complete, but some records were malformed; 2 usage or I/O error.
#[derive(ClapArgs, Debug)]
pub(crate) struct ShowArgs {
    /// Puzzles (81 characters, `puzzle,solution` too) or files of them; `-` or none: standard input
    #[arg(value_name = "PUZZLE|FILE")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Show what is possible in each cell, once singles have been followed up, in place of the puzzle
    ///
    /// That is the `display` of Norvig's program after his two rules: a cell with one value is settled. It says so
    /// where the rules come to a contradiction.
    #[arg(short, long)]
    pub(crate) candidates: bool,
}

/// When to show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If stderr is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

const DEFAULT_ENGINE: &str = "lanes";
const DEFAULT_PROVER: &str = "bitboard";

/// The table of engines: name, other name, line.
fn engine_values() -> impl Iterator<Item = PossibleValue> {
    let value = |entry: &Entry| PossibleValue::new(entry.name).aliases(entry.alias).help(entry.about);
    ENGINES.iter().map(value)
}

/// One of them.
fn engine_parser() -> impl TypedValueParser<Value = &'static Entry> {
    PossibleValuesParser::new(engine_values()).map(|name| galop::engine(&name).unwrap_or(&ENGINES[0]))
}

/// The same, and `all`.
fn chosen_parser() -> impl TypedValueParser<Value = Chosen> {
    let all = PossibleValue::new("all").help("every one of them");
    PossibleValuesParser::new(engine_values().chain([all]))
        .map(|name| galop::engine(&name).map_or(Chosen::All, Chosen::One))
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{text}` is not a number from 1 up")),
    }
}

/// The names of all instruction sets; those that this machine has not are refused.
fn isa_parser() -> impl TypedValueParser<Value = Isa> {
    let parser = PossibleValuesParser::new(Isa::ALL.map(Isa::name));
    parser.try_map(|name| named_isa(&name, Isa::is_available))
}

/// The instruction set of that name, if it `is_available`.
fn named_isa(name: &str, is_available: fn(Isa) -> bool) -> Result<Isa, String> {
    Isa::ALL.into_iter().find(|isa| isa.name() == name && is_available(*isa)).ok_or_else(|| {
        let there: Vec<&str> = Isa::ALL.into_iter().filter(|isa| is_available(*isa)).map(Isa::name).collect();
        format!("this machine has not; it has {}", there.join(", "))
    })
}

/// `0.01` or `1%`: 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let (number, whole) = text.strip_suffix('%').map_or((text, 1.0), |number| (number.trim_end(), 100.0));
    match number.parse::<f64>() {
        Ok(number) if (0.0..=whole).contains(&number) => Ok(number / whole),
        _ => Err(format!("`{text}` is no share: 0 to 1, or 0% to 100%")),
    }
}

/// The names of the table of output formats, each with its line.
fn format_parser() -> impl TypedValueParser<Value = &'static output::Format> {
    let values = output::FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(values).map(|name| output::format(&name).unwrap_or(&output::FORMATS[0]))
}

/// `30..36`, `30..=36` or `30`: both ends included.
fn clue_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number =
        |text: &str| text.trim().parse::<usize>().map_err(|_| format!("`{text}` is no number of clues"));
    match text.split_once("..") {
        Some((from, to)) => Ok(number(from)?..=number(to.strip_prefix('=').unwrap_or(to))?),
        None => number(text).map(|clues| clues..=clues),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
        assert!(galop::engine(DEFAULT_ENGINE).is_some() && galop::engine(DEFAULT_PROVER).is_some());
    }

    #[test]
    fn clue_ranges_include_both_ends() {
        assert_eq!(clue_range("30..36"), Ok(30..=36));
        assert_eq!(clue_range("30..=36"), Ok(30..=36));
        assert_eq!(clue_range("24"), Ok(24..=24));
        assert!(clue_range("a..3").is_err() && clue_range("..").is_err());
    }

    #[test]
    fn shares_are_parts_or_percents() {
        let good = [("0", 0.0), ("0.01", 0.01), ("1", 1.0), ("1%", 0.01), ("2.5 %", 0.025), ("100%", 1.0)];
        for (text, value) in good {
            assert_eq!(share(text), Ok(value));
        }
        for text in ["", "%", "5", "-0.1", "101%", "nan", "inf", "many"] {
            assert!(share(text).is_err(), "{text}");
        }
    }

    #[test]
    fn instruction_sets_are_those_of_the_machine() {
        let old = |isa| isa == Isa::Portable128 || isa == Isa::Portable64;
        assert_eq!(named_isa("portable64", old), Ok(Isa::Portable64));
        let refused = named_isa("avx2", old).unwrap_err();
        assert_eq!(refused, "this machine has not; it has portable128, portable64");
        for isa in Isa::ALL {
            assert_eq!(named_isa(isa.name(), |_| true), Ok(isa));
        }
    }

    #[test]
    fn limits_follow_the_words() {
        let limits = |words: &[&str]| {
            let args = Args::try_parse_from(["galop", "solve"].iter().chain(words)).unwrap();
            let Command::Solve(args) = args.command else { panic!("solve was typed") };
            args.search.limits().solutions
        };
        assert_eq!(limits(&[]), 1);
        assert_eq!(limits(&["--unique"]), 2);
        assert_eq!(limits(&["-n", "0"]), u64::MAX);
        assert_eq!(limits(&["--solutions", "7"]), 7);
    }
}

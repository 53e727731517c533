//! The options of `galop verify`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_engines::engine::Entry;

use super::values::engine_parser;
use super::{InputArgs, PartArgs, ProblemArgs, RunArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop verify solved.txt
  galop verify --unique solved.txt             also prove that each solution is the only one
  galop verify puzzles.txt                     puzzles alone: do they have a solution?
  galop verify train.csv --answer-column solution";

/// Check files of puzzles: that solutions are right, or that puzzles have one
///
/// Reads lines `puzzle,solution`, or a table or JSON objects with such columns, and prints the place and the fault of
/// each faulty record. --column and --answer-column choose the columns. Records with a status word or a grid of blanks
/// only in place of the solution count as unanswered.
///
/// A puzzle without a solution beside it is solved. It is faulty if it has no solution (`none`; if two clues clash, they
/// are named) or, with --unique, several (`multiple`).
#[derive(ClapArgs, Debug)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// Also prove that each solution is the only one, and that each `none`, `multiple`, `limit` and `malformed` is true
    ///
    /// A `limit` is true if the engine of this command gives the puzzle up too.
    #[arg(short, long)]
    pub(crate) unique: bool,

    /// The engine that solves; `galop engines` lists them [default: lanes up to 15 symbols, else grid]
    #[arg(short, long, value_name = "NAME", value_parser = engine_parser(), hide_possible_values = true)]
    #[arg(help_heading = "Running")]
    pub(crate) engine: Option<&'static Entry>,

    /// Exit with 1 unless every record has a right solution and no file of a folder or an archive was passed over;
    /// without this, records without an answer pass
    #[arg(long, help_heading = "Running")]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// Also write a report, FILE.json: how many records have each fault, and the first of each (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

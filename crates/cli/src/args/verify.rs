//! The options of `galop verify`.

use clap::Args as ClapArgs;
use galop_engines::engine::Entry;

use super::values::engine_parser;
use super::{AuditArgs, InputArgs, ProblemArgs};

/// Check files of puzzles with their solutions
///
/// Reads lines `puzzle,solution`, or a table or JSON objects with such columns, and prints the place and the fault of
/// each faulty record. --column and --answer-column choose the columns. Records with a status word or a grid of blanks
/// only in place of the solution count as unanswered. If no record of a file has a solution, one line says so.
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

    /// The engine for --unique; `galop engines` lists them [default: lanes up to 15 symbols, else grid]
    #[arg(short, long, value_name = "NAME", value_parser = engine_parser(), hide_possible_values = true)]
    #[arg(help_heading = "Running")]
    pub(crate) engine: Option<&'static Entry>,

    /// Exit with 1 unless every record has a right solution and no file of a folder or an archive was passed over;
    /// without this, records without an answer pass
    #[arg(long, help_heading = "Running")]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,
}

//! The options of `galop apply`.

use clap::Args as ClapArgs;
use galop::symmetry::Symmetry;

use super::{InputArgs, PartArgs, RewriteArgs};

/// Apply symmetries to puzzles and their solutions, or undo them
///
/// A symmetry is one word: t-r123456789-c123456789-d213456789 transposes the grid (t-, which may be missing), makes row i of
/// the row that is place i of `r`, column i of the column that is place i of `c`, and renames digit i to place i of `d`. Either
/// one symmetry is applied to all records (--map), or each record has its own, as `galop canon --map` writes it: in the column
/// or key `map`, or in lines behind the puzzle.
///
/// The solution of a puzzle goes with it; an answer that does not solve the puzzle is kept as it is, and so are all other
/// columns.
///
/// With --inverse, the symmetries are undone. Then a record that has a canonical form gives the puzzle that the form was
/// made of: the form is the column or key `canonical`, and in lines the grid behind the puzzle.
///
/// A malformed record is named on standard error. Its text is in the place of the puzzle and the word `malformed` in that of
/// the answer.
///
/// Exit codes: 0 complete, also if the input is empty, which a warning says; 1 complete, but some records were malformed or
/// some fields had no column; 2 usage or I/O error, or
/// a record without a symmetry, the output is not complete; 128 and the number of the signal after a signal; 141 if the reader
/// of standard output closed it before the end.
#[derive(ClapArgs, Debug)]
pub(crate) struct ApplyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// The symmetry for all records, for example r123456789-c123456789-d213456789 [default: each record has its own]
    #[arg(long, value_name = "WORD")]
    pub(crate) map: Option<Symmetry>,

    /// Undo the symmetries
    #[arg(long)]
    pub(crate) inverse: bool,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}

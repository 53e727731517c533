//! The options of `galop show`.

use clap::Args as ClapArgs;
use galop_explain::Technique;

use super::GridInputArgs;
use super::values::group_parser;

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop show 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop solve -q puzzles.txt | galop show -    with the solutions beside the puzzles
  galop show --candidates puzzles.txt          the pencil marks of the clues
  galop show --up-to locked puzzles.txt        the candidates that singles and locked candidates leave";

/// Draw puzzles and their solutions as grids
///
/// Prints each record as a framed grid in the symbols of its file, with the solution beside it if the record has one.
/// A blank line separates records. Malformed records are printed on standard error.
///
/// With --candidates, it draws the pencil marks of the clues: every symbol that no clue excludes from the cell. With
/// --up-to, it draws the candidates that are left by the techniques up to the named group. `galop explain` prints the
/// steps.
#[derive(ClapArgs, Debug)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) input: GridInputArgs,

    /// Draw the pencil marks of the clues instead of the puzzle
    ///
    /// The cell of a clue has only the clue. If the clues contradict each other, a line says so instead.
    #[arg(short, long)]
    pub(crate) candidates: bool,

    /// Draw the candidates that techniques leave, up to this group of them
    ///
    /// With `singles`, this is what `display` in Peter Norvig's program shows after his two rules. A cell with one
    /// candidate is solved. If the techniques find a contradiction, a line says so instead.
    #[arg(long, value_name = "GROUP", value_parser = group_parser())]
    pub(crate) up_to: Option<&'static Technique>,
}

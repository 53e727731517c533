//! The options of `galop hint`.

use clap::Args as ClapArgs;

use super::GridInputArgs;

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop hint 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop hint --draw 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

/// Print only the next step of a puzzle
///
/// The step is the first that `galop explain` prints: the easiest technique that finds something, what it places or
/// eliminates, and why. For a file, one line is printed for each puzzle. If the puzzle has no solution, the line gives
/// the contradiction.
#[derive(ClapArgs, Debug)]
pub(crate) struct HintArgs {
    #[command(flatten)]
    pub(crate) input: GridInputArgs,

    /// Draw the candidates: =4 is placed, -5 is eliminated, and candidates in parentheses are the proof
    #[arg(short, long)]
    pub(crate) draw: bool,

    /// Assume that each puzzle has one solution, which allows techniques such as unique rectangles
    #[arg(long)]
    pub(crate) assume_unique: bool,
}

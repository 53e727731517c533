//! The options of `galop hint`.

use clap::Args as ClapArgs;

use super::GridInputArgs;

/// Print the next step of a puzzle, and no more
///
/// The step is the first that `galop explain` prints: the easiest technique that finds something, what it places or
/// eliminates, and why. Of a file, one line for each puzzle. If the puzzle has no solution, the line says what
/// contradicts what.
#[derive(ClapArgs, Debug)]
#[command(mut_arg("problem", |problem| problem.hide(true)))]
pub(crate) struct HintArgs {
    #[command(flatten)]
    pub(crate) input: GridInputArgs,

    /// Draw the candidates: =4 is placed, -5 is eliminated, what is in parentheses proves it
    #[arg(short, long)]
    pub(crate) draw: bool,

    /// The puzzles have one solution: techniques that rely on it may be used (unique rectangles)
    #[arg(long)]
    pub(crate) assume_unique: bool,
}

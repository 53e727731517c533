//! The options of `galop explain`.

use clap::{Args as ClapArgs, ValueEnum};
use galop_explain::Technique;

use super::GridInputArgs;
use super::values::{group_parser, technique, without_help};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop explain 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop explain --format json puzzles.txt          one step per line, for programs
  galop explain --draw --up-to locked puzzles.txt  draw each step; stop where pairs or more are needed
  galop explain --without x-wing,aic puzzles.txt   use other techniques instead of these";

/// Explain puzzles step by step, with the techniques that people use
///
/// Each step is the easiest technique that finds something: what it places (r1c2=3) or eliminates (r1c2<>3), with rows
/// and columns counted from 1, and the proof. Before the steps, a line gives the number of clues and of cells with a
/// hidden single at the start. After them come the solution, the level, the hardest technique and its score, and how
/// often each technique was used. `galop rate --help` describes scores and levels.
///
/// If the puzzle has no solution, only the steps that lead to the contradiction are printed. If it has several, the
/// steps end where trial and error finds two. No step relies on the puzzle having one solution, unless --assume-unique
/// is given.
///
/// With --format json, each step is a line: an object with `technique`, `known_as` (the name of a short form, or null),
/// `places`, `eliminates` and `because` as lists of [row, column, symbol], counted from 1, and `chains`: lists of
/// nodes with `cells`, `symbol`, `is_true` and `from`, the numbers of the nodes from which each follows. The last line
/// of a puzzle is an object with its figures.
#[derive(ClapArgs, Debug)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) input: GridInputArgs,

    /// How the steps are written
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = ExplainFormat::Text)]
    pub(crate) format: ExplainFormat,

    /// Draw the candidates before each step: =4 is placed, -5 is eliminated, and candidates in parentheses are the
    /// proof
    #[arg(short, long, conflicts_with = "format")]
    pub(crate) draw: bool,

    /// Assume that each puzzle has one solution, which allows techniques such as unique rectangles
    #[arg(long)]
    pub(crate) assume_unique: bool,

    /// Use no harder techniques than this group
    #[arg(long, value_name = "GROUP", value_parser = group_parser())]
    pub(crate) up_to: Option<&'static Technique>,

    /// Use none of these techniques: a list with commas, such as x-wing,unique-rectangle
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = technique, long_help = without_help())]
    pub(crate) without: Vec<&'static Technique>,
}

/// How steps are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Lines
    Text,
    /// One JSON object per line
    Json,
}

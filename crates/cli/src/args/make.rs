//! The options of `galop make`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::TypedValueParser;
use galop_cover::models::{MODELS, Model};

use super::KindArgs;
use super::values::{table_parser, value};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop make queens 12 | galop cover -              count the solutions: 14200
  galop make mixed 5x6 6 | galop cover list --limit 1    print one solution, an option for each piece
  galop make pentominoes 6x10 -o pent6x10.dlx
  galop make sudoku puzzles.txt | galop cover -     count the solutions of the first puzzle";

/// Make a classic exact cover problem: queens, dominoes, pentominoes and others
///
/// A problem is written in the text format of Knuth's programs, which `galop cover` reads.
///
/// The models show how to write a problem as an exact cover, and are useful for measuring engines. Without a name, the
/// command lists them with their arguments.
///
/// `galop make sudoku PUZZLE` writes a puzzle of any kind; of a file, the first one. The options of its clues are chosen
/// beforehand: they and all items they cover are left out. Items are named after cells (r1c2: row 1, column 2 has a
/// symbol) and after symbols in units (r1=5, c2=5, b3=5: the 5 of row 1, column 2, block 3; x1=5: the 5 of a diagonal, a
/// window or another extra unit). Regions are numbered like blocks. If clues contradict each other, some items have no
/// option, so the problem has no solution.
#[derive(ClapArgs, Debug)]
pub(crate) struct MakeArgs {
    /// The model
    #[arg(value_name = "NAME", value_parser = model_parser())]
    pub(crate) model: Option<&'static Model>,

    /// The arguments of the model; `galop make` lists them
    #[arg(value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// List the models and their arguments; the default without NAME
    #[arg(short, long, conflicts_with = "model")]
    pub(crate) list: bool,

    /// Write to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed.
    ///
    /// An existing FILE keeps its mode, owner, group and extended attributes. If a new file cannot have them, if FILE
    /// has several hard links, or if its folder is write-protected, FILE is written in place. This is not atomic, and a
    /// message says so.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The table of models: name and description.
fn model_parser() -> impl TypedValueParser<Value = &'static Model> {
    table_parser(MODELS, |model| value(model.name, model.about))
}

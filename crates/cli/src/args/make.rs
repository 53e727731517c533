//! The options of `galop make`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::TypedValueParser;
use galop_cover::models::{MODELS, Model};

use super::values::{table_parser, value};

/// Make a classic exact cover problem: queens, dominoes, pentominoes and others
///
/// A problem is written in the text format of Knuth's programs, which `galop cover` reads.
///
/// The models show how to write a problem as an exact cover, and are useful for measuring engines. Without a name, the
/// command lists them with their arguments.
#[derive(ClapArgs, Debug)]
pub(crate) struct MakeArgs {
    /// The model
    #[arg(value_name = "NAME", value_parser = model_parser())]
    pub(crate) model: Option<&'static Model>,

    /// The arguments of the model; `galop make` lists them
    #[arg(value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

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

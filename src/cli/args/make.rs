//! What was typed behind `galop make`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use galop_cover::models::{self, MODELS, Model};

const EXAMPLES: &str = "\
Examples:
  galop make queens 12 | galop cover -              how many there are: 14200
  galop make mixed 5x6 6 | galop cover --first 1    one way, an option a piece
  galop make pentominoes 6x10 -o pent6x10.dlx";

/// Make a classic exact cover problem, in the text format of Knuth's programs
///
/// The models are examples of how a problem is put as an exact cover, and problems to measure engines with. Without a
/// name they are listed with the arguments they take.
///
/// Exit codes: 0 complete; 2 usage or I/O error.
#[derive(ClapArgs, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct MakeArgs {
    /// The model
    #[arg(value_name = "NAME", value_parser = model_parser())]
    pub(crate) model: Option<&'static Model>,

    /// Its arguments; `galop make` alone tells them
    #[arg(value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    /// List the models and their arguments [the default without a NAME]
    #[arg(short, long, conflicts_with = "model")]
    pub(crate) list: bool,

    /// Write to FILE, which gets its name when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The names of the table of models, each with its line.
fn model_parser() -> impl TypedValueParser<Value = &'static Model> {
    PossibleValuesParser::new(MODELS.iter().map(|model| PossibleValue::new(model.name).help(model.about)))
        .try_map(|name| models::model(&name).ok_or("no such model"))
}

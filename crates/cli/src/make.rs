//! `galop make`.

use std::process::ExitCode;

use anyhow::Context;
use galop_cover::models::{MODELS, Model};

use super::args::MakeArgs;
use super::output;

pub(super) fn run(args: &MakeArgs) -> anyhow::Result<ExitCode> {
    let Some(model) = args.model else { return list() };
    let words: Vec<&str> = args.arguments.iter().map(String::as_str).collect();
    let problem = model.make(&words).with_context(|| format!("galop make {}", usage(model)))?;
    let command = [&[model.name], &words[..]].concat().join(" ");
    let comment = format!("galop make {command}: {}", model.about);
    output::write_problem(&[comment], &problem, args.output.as_deref(), &[])?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the table of models.
fn list() -> anyhow::Result<ExitCode> {
    let width = MODELS.iter().map(|model| usage(model).len()).max().unwrap_or(0);
    let line = |model: &Model| format!("{:<width$}  {}\n", usage(model), model.about);
    output::print(MODELS.iter().map(line).collect::<String>().as_bytes())
}

/// The name and the arguments.
fn usage(model: &Model) -> String {
    format!("{} {}", model.name, model.usage).trim_end().to_owned()
}

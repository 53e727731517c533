//! What the user reads on standard error: errors with the option that helps, warnings, malformed records.
//!
//! The library says what is wrong and where. Only this file knows which option of the tool helps.

use std::fmt;

use anstyle::{AnsiColor, Reset};
use galop::compare::PlanError;
use galop::figures::pluralize;
use galop::generate::GenerateError;
use galop::grid::GridError;
use galop::input::InputError;
use galop::pipeline::solve::{MALFORMED_KEPT, Malformed};
use galop::{Error, ErrorKind, LineErrorKind};

/// Prints an error, and what helps.
pub(super) fn error(error: &anyhow::Error) {
    let help = error.downcast_ref::<Error>().and_then(|error| help(error.kind()));
    let help = help.map(|help| format!("; {help}")).unwrap_or_default();
    let (on, off) = (AnsiColor::Red.on_default().bold(), Reset);
    anstream::eprintln!("{on}galop: error:{off} {error:#}{help}");
}

/// Prints a warning.
pub(super) fn warn(warning: impl fmt::Display) {
    let (on, off) = (AnsiColor::Yellow.on_default().bold(), Reset);
    anstream::eprintln!("{on}galop: warning:{off} {warning}");
}

/// Warns of `count` malformed records, the first of which have been printed. `outcome` says what became of them.
pub(super) fn warn_malformed(count: u64, outcome: &str) {
    if count > 0 {
        let shown = match count > MALFORMED_KEPT as u64 {
            true => format!(", the first {MALFORMED_KEPT} of them shown"),
            false => String::new(),
        };
        warn(format_args!("{}{outcome}{shown}", pluralize(count, "malformed record", "malformed records")));
    }
}

/// A malformed record as text: its place, what is wrong, and what helps.
pub(super) fn malformed(malformed: &Malformed) -> String {
    match malformed.error.kind {
        LineErrorKind::Symbol { .. } => {
            format!("{malformed}; if the puzzles use other symbols, name them: --alphabet NAME")
        }
        _ => malformed.to_string(),
    }
}

/// The option, or the other way, that helps where an error ended the run.
fn help(kind: &ErrorKind) -> Option<String> {
    let help = match kind {
        ErrorKind::Input(InputError::Changed) => "run again when nothing writes to it",
        ErrorKind::Input(InputError::Compressed(program)) => {
            return Some(format!("unpack it into a pipe: {program} -dc FILE | galop solve -"));
        }
        ErrorKind::Input(InputError::Alphabet { known, .. }) => {
            return Some(format!("name the alphabet: --alphabet {known}"));
        }
        ErrorKind::Grid(GridError::NoRegions { .. }) => "name the file of the map: --regions FILE",
        ErrorKind::WrongSolution(_) | ErrorKind::Disagreement(_) => {
            "please report the puzzle and the command; another --engine may help meanwhile"
        }
        ErrorKind::Columns(_) => "solve that file by itself, or choose another --format",
        ErrorKind::Plan(PlanError::Reference) => "name it in --engines too",
        ErrorKind::Plan(PlanError::NoPuzzles) => "name a file that has some",
        ErrorKind::Generate(GenerateError::NoPuzzle { .. }) => "choose a larger --clues",
        ErrorKind::Generate(GenerateError::NoGrid { .. }) => {
            "`galop solve` on an empty grid of these regions can tell"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

//! `galop engines`: the table of engines, what they can be compiled to here, and the engines of exact cover.

use std::process::ExitCode;

use galop::{ENGINES, Entry, Isa, cover};

pub(super) fn run() -> anyhow::Result<ExitCode> {
    let width = ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let line = |entry: &Entry| {
        let alias = entry.alias.map(|alias| format!(" (also called {alias})")).unwrap_or_default();
        format!("{:<width$}  {}{alias}\n", entry.name, entry.about)
    };
    let lines: String = ENGINES.iter().map(line).collect();
    super::output::print(format!("{lines}\n{}\n\n{}", instruction_sets(), cover_engines()).as_bytes())
}

/// The table of the engines of `galop cover`, under its heading.
fn cover_engines() -> String {
    let width = cover::ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let line = |entry: &cover::Entry| format!("{:<width$}  {}\n", entry.name, entry.about);
    let lines: String = cover::ENGINES.iter().map(line).collect();
    format!("exact cover (galop cover):\n{lines}")
}

/// Those that this machine has, the best first: it is the one that is used.
fn instruction_sets() -> String {
    let named =
        |isa: Isa| if isa == Isa::best() { format!("{} (default)", isa.name()) } else { isa.name().into() };
    let there: Vec<String> = Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(named).collect();
    format!("instruction sets here: {}", there.join(", "))
}

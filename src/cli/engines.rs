//! `galop engines`: the table of engines, the kinds of puzzles, what they can be compiled to here, and the engines of exact cover.

use std::process::ExitCode;

use galop::grid::{KINDS, kind};
use galop::{ENGINES, Entry, Isa, Rules};
use galop_cover as cover;

use super::rules::accepts;

pub(super) fn run() -> anyhow::Result<ExitCode> {
    let width = ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let line = |entry: &Entry| {
        let alias = entry.alias.map(|alias| format!(" (also called {alias})")).unwrap_or_default();
        format!("{:<width$}  {}{alias}\n", entry.name, entry.about)
    };
    let lines: String = ENGINES.iter().map(line).collect();
    let parts = [lines, kinds(), instruction_sets() + "\n", cover_engines()];
    super::output::print(parts.join("\n").as_bytes())
}

/// The table of kinds, and who solves them.
fn kinds() -> String {
    let width = KINDS.iter().map(|kind| kind.name.len()).max().unwrap_or(0);
    let lines: String = KINDS.iter().map(|kind| format!("{:<width$}  {}\n", kind.name, kind.about)).collect();
    // Who solves Latin squares of a size solves all kinds of it: `tests/kinds.rs` sees to it.
    let latin = |side| kind("latin").and_then(|latin| Rules::new(latin, side, None).ok());
    let (small, large) = (latin(4), latin(25));
    let named = |is: &dyn Fn(&Entry) -> bool| {
        ENGINES.iter().filter(|entry| is(entry)).map(|entry| entry.name).collect::<Vec<_>>().join(", ")
    };
    let solves =
        |entry: &Entry, rules: &Option<Rules>| rules.as_ref().is_some_and(|rules| accepts(entry, rules));
    let all = named(&|entry| solves(entry, &large));
    let some = named(&|entry| solves(entry, &small) && !solves(entry, &large));
    format!(
        "kinds of puzzles (--kind):\n{lines}\
         9x9 sudoku: every engine; all others: {all}; with at most nine symbols also: {some}\n"
    )
}

/// The table of the engines of `galop cover`, under its heading.
fn cover_engines() -> String {
    let width = cover::engine::ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let line = |entry: &cover::engine::CoverEntry| format!("{:<width$}  {}\n", entry.name, entry.about);
    let lines: String = cover::engine::ENGINES.iter().map(line).collect();
    format!("exact cover (galop cover):\n{lines}")
}

/// Those that this machine has, the best first: it is the one that is used.
fn instruction_sets() -> String {
    let named =
        |isa: Isa| if isa == Isa::best() { format!("{} (default)", isa.name()) } else { isa.name().into() };
    let there: Vec<String> = Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(named).collect();
    format!("instruction sets here: {}", there.join(", "))
}

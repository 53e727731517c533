//! `galop engines`: the engines, the kinds of puzzles, the instruction sets of this machine, and the engines of exact
//! cover.

use std::process::ExitCode;

use galop_batch::figures::group_digits;
use galop_cover as cover;
use galop_engines::Rules;
use galop_engines::engine::{Entry, Isa, PROBLEM_ENGINES};
use galop_engines::grid::{ANTI_KNIGHT, KINDS, LATIN};

use super::args::EnginesArgs;
use super::plan::accepts;

pub(super) fn run(_: &EnginesArgs) -> anyhow::Result<ExitCode> {
    let width = galop_published::all().map(|entry| entry.name.len()).max().unwrap_or(0);
    let line = |entry: &Entry| {
        let alias = entry.alias.map(|alias| format!(" (also called {alias})")).unwrap_or_default();
        let limit = match entry.max_guesses {
            0 => "never guesses".to_owned(),
            guesses => format!("at most {} guesses", group_digits(guesses)),
        };
        format!("{:<width$}  {}{alias} [{limit}]\n", entry.name, entry.about)
    };
    let lines: String = galop_published::all().map(line).collect();
    let problems: Vec<&str> = PROBLEM_ENGINES.iter().map(|entry| entry.name).collect();
    let problems = format!("records of a problem (--problem):\ndlx, {}\n", problems.join(", "));
    let parts = [lines, kinds(), problems, instruction_sets() + "\n", cover_engines()];
    super::output::print(parts.join("\n").as_bytes())
}

/// The table of kinds, and the engines that solve them.
fn kinds() -> String {
    let width = KINDS.iter().map(|kind| kind.name.len()).max().unwrap_or(0);
    let lines: String = KINDS.iter().map(|kind| format!("{:<width$}  {}\n", kind.name, kind.about)).collect();
    // An engine that solves grids with pairs solves all kinds of that size, and one that solves Latin squares solves
    // all that are made of units. A test checks this.
    let of = |kind, side| Rules::new(kind, side, None).ok();
    let (small, large) = (of(LATIN, 4), of(LATIN, 25));
    let (middle_pairs, large_pairs) = (of(ANTI_KNIGHT, 12), of(ANTI_KNIGHT, 25));
    let names = |is: &dyn Fn(&Entry) -> bool| {
        galop_published::all()
            .filter(|entry| is(entry))
            .map(|entry| entry.name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let solves =
        |entry: &Entry, rules: &Option<Rules>| rules.as_ref().is_some_and(|rules| accepts(entry, rules));
    let all = names(&|entry| solves(entry, &large_pairs));
    let most = names(&|entry| solves(entry, &middle_pairs) && !solves(entry, &large_pairs));
    let units = names(&|entry| solves(entry, &large) && !solves(entry, &large_pairs));
    let some =
        names(&|entry| solves(entry, &small) && !solves(entry, &large) && !solves(entry, &middle_pairs));
    format!(
        "kinds of puzzles (--kind):\n{lines}\
         9x9 sudoku: every engine; all others: {all}; with at most 15 symbols also: {most};\n\
         rules without pairs of cells or symbols also: {units}; with at most nine symbols also: {some}\n"
    )
}

/// The table of the engines of `galop cover`, with a heading.
fn cover_engines() -> String {
    let width = cover::engine::ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let line = |entry: &cover::engine::CoverEntry| format!("{:<width$}  {}\n", entry.name, entry.about);
    let lines: String = cover::engine::ENGINES.iter().map(line).collect();
    format!("exact cover (galop cover):\n{lines}")
}

/// The instruction sets of this machine, the best first, which is the default.
fn instruction_sets() -> String {
    let name =
        |isa: Isa| if isa == Isa::best() { format!("{} (default)", isa.name()) } else { isa.name().into() };
    let there: Vec<String> = Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(name).collect();
    format!("instruction sets here: {}", there.join(", "))
}

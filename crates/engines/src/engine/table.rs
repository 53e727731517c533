//! The table of engines, and which of them suits given rules.
//!
//! The command line, its help, the tests and the benches walk [`ENGINES`]: one file and one row add an engine.

use super::{Engine, Isa, Unsupported};
use super::{backtrack, bitboard, cover, grid, lanes};
use crate::grid::Rules;

/// A row of the table of engines.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// Another name for it, which the command line accepts as well.
    pub alias: Option<&'static str>,
    /// One line: what the engine does.
    pub about: &'static str,
    /// The default limit on guesses: far above what any published one-solution puzzle needs with this engine (the
    /// engine's file gives the source), low enough that one puzzle cannot stall a batch.
    pub max_guesses: u64,
    /// Whether the engine fills [`Effort::calls`](crate::puzzle::Effort::calls) and
    /// [`Effort::depth`](crate::puzzle::Effort::depth).
    pub counts_calls: bool,
    /// Whether the engine lists solutions in its own order ([`Engine::list`]), the order of a published program.
    pub lists: bool,
    /// Whether the engine may leave a puzzle [stuck](crate::puzzle::Status::Stuck).
    pub may_be_stuck: bool,
    /// Whether the engine solves puzzles of these rules, or which rules it does solve. This builds nothing.
    pub accepts: fn(&Rules) -> Result<(), Unsupported>,
    /// Makes an engine for one worker.
    ///
    /// # Errors
    /// The errors of `accepts`, and [`Unsupported::Isa`] if the machine lacks the instruction set.
    pub make: fn(&Rules, Isa) -> Result<Box<dyn Engine>, Unsupported>,
    /// Makes an engine whose guesses for a puzzle with one solution, proved to be the only one, do not depend on the
    /// other puzzles of the batch. `None` if the engine of [`make`](Self::make) has this property.
    pub steady: Option<fn(&Rules, Isa) -> Result<Box<dyn Engine>, Unsupported>>,
}

impl Entry {
    /// A row with these two fields. The others have defaults: no description, a million guesses, all rules
    /// accepted, no calls counted, never stuck, steady.
    pub const fn new(
        name: &'static str,
        make: fn(&Rules, Isa) -> Result<Box<dyn Engine>, Unsupported>,
    ) -> Entry {
        Entry {
            name,
            alias: None,
            about: "",
            max_guesses: 1_000_000,
            counts_calls: false,
            lists: false,
            may_be_stuck: false,
            accepts: |_| Ok(()),
            make,
            steady: None,
        }
    }

    /// Makes an engine whose guesses for a puzzle with one solution, proved to be the only one, do not depend on the
    /// other puzzles of the batch.
    ///
    /// # Errors
    /// The errors of `make`.
    pub fn make_steady(&self, rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
        self.steady.unwrap_or(self.make)(rules, isa)
    }
}

/// Every engine for grids, fastest first. `dlx` solves problems, too.
pub static ENGINES: &[Entry] =
    &[lanes::ENTRY, bitboard::ENTRY, cover::HYBRID, cover::HYBRID_LINKS, grid::ENTRY, cover::DLX];

/// The engines for problems only.
pub static PROBLEM_ENGINES: &[Entry] = &[cover::MASKS, cover::WIDE, cover::SPARSE, cover::PLANES];

/// The row `lanes` of [`ENGINES`].
pub static LANES: &Entry = &ENGINES[0];
/// The row `bitboard` of [`ENGINES`].
pub static BITBOARD: &Entry = &ENGINES[1];
/// The row `hybrid` of [`ENGINES`].
pub static HYBRID: &Entry = &ENGINES[2];
/// The row `hybrid-links` of [`ENGINES`].
pub static HYBRID_LINKS: &Entry = &ENGINES[3];
/// The row `grid` of [`ENGINES`].
pub static GRID: &Entry = &ENGINES[4];
/// The row `dlx` of [`ENGINES`].
pub static DLX: &Entry = &ENGINES[5];

/// The obvious search, cell by cell without inference: the oracle of the others, too slow for the table.
pub static BACKTRACK: Entry = backtrack::ENTRY;

/// The engine with this name or alias.
pub fn named(name: &str) -> Option<&'static Entry> {
    named_in(&[ENGINES, PROBLEM_ENGINES], name)
}

/// The engine with this name or alias in one of `tables`.
pub fn named_in(tables: &[&'static [Entry]], name: &str) -> Option<&'static Entry> {
    tables.iter().copied().flatten().find(|entry| entry.name == name || entry.alias == Some(name))
}

/// The engines for problems, the fastest first. The first that can hold the problem is taken.
///
/// Microseconds a record, two solutions looked for (AVX2 of a shared AMD EPYC, 2026-11-26; the problem of all records has
/// 729, 900, 8,000 and 2,056 options):
///
/// | | masks | wide | sparse | links |
/// |---|---|---|---|---|
/// | sudokus with 17 clues | 7.5 | 18 | 18 | 32 |
/// | 30 queens, 15 of them placed | 4.5 | 5.7 | 27 | 21 |
/// | Latin squares of 20x20, 240 cells known | | | 249 | 187 |
/// | pentominoes in 6x10, two placed | | 240 | 4,600 | 4,300 |
///
/// Masks hold small problems. Links and planes cover items several times.
static FOR_PROBLEMS: &[&Entry] = &[&cover::MASKS, &cover::WIDE, &cover::SPARSE, &cover::DLX, &cover::PLANES];

/// The fastest engine for many puzzles of these rules.
pub fn default_for(rules: &Rules) -> &'static Entry {
    match rules.choices() {
        Some(_) => first_for(rules, FOR_PROBLEMS),
        None => first_for(rules, &[&lanes::ENTRY, &grid::ENTRY]),
    }
}

/// The fastest engine to prove of one puzzle after another that its solution is the only one. For 9x9 sudokus
/// `bitboard`: `grid` takes 0.8 of its time on 17 clues, as much on easy puzzles, 1.3 on minimal ones and 1.7 on the
/// hardest.
pub fn prover_for(rules: &Rules) -> &'static Entry {
    if rules.choices().is_some() {
        return default_for(rules);
    }
    first_for(rules, &[&bitboard::ENTRY, &grid::ENTRY])
}

/// The engine that solves puzzles again to check the answers of `first`: another one, as different as possible.
pub fn second_for(rules: &Rules, first: &Entry) -> &'static Entry {
    if rules.choices().is_some() {
        let is_other = |entry: &&Entry| entry.name != first.name && (entry.accepts)(rules).is_ok();
        return [&cover::DLX].iter().chain(FOR_PROBLEMS).copied().find(is_other).unwrap_or(&cover::DLX);
    }
    if first.name == cover::DLX.name { prover_for(rules) } else { &cover::DLX }
}

/// The engines that a comparison has unless others are named.
pub fn compared_for(rules: &Rules) -> &'static [&'static Entry] {
    if rules.choices().is_some() {
        return FOR_PROBLEMS;
    }
    match ((bitboard::ENTRY.accepts)(rules), (lanes::ENTRY.accepts)(rules)) {
        (Ok(()), _) => &[&lanes::ENTRY, &bitboard::ENTRY, &cover::HYBRID, &cover::DLX],
        (_, Ok(())) => &[&lanes::ENTRY, &grid::ENTRY, &cover::DLX],
        _ => &[&grid::ENTRY, &cover::DLX],
    }
}

/// The first of `entries` that accepts the rules; `dlx`, which accepts all, if none of them does.
fn first_for(rules: &Rules, entries: &[&'static Entry]) -> &'static Entry {
    entries.iter().find(|entry| (entry.accepts)(rules).is_ok()).copied().unwrap_or(&cover::DLX)
}

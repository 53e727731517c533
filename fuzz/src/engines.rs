//! Every engine that accepts some rules, against dancing links.

use galop_engines::engine::{DLX, Isa};
use galop_engines::grid::Verifier;
use galop_engines::puzzle::Limits;
use galop_engines::{Engine, Rules};
use galop_testing::engines::solve_flat;

/// Engines for the same rules. They live on, because one puzzle must not change the answers to the next.
pub struct Engines {
    cells: usize,
    verifier: Verifier,
    oracle: Box<dyn Engine>,
    others: Vec<(&'static str, Isa, Box<dyn Engine>)>,
}

impl Engines {
    /// The engines that `is_wanted` and that accept `rules`: `lanes` and `grid` on every instruction set of this
    /// machine.
    pub fn new(rules: &Rules, is_wanted: impl Fn(&str) -> bool) -> Engines {
        let mut others = Vec::new();
        for entry in galop_published::all().filter(|entry| entry.name != DLX.name && is_wanted(entry.name)) {
            let has_vectors = ["lanes", "grid"].contains(&entry.name);
            let is_made = |isa: &Isa| *isa == Isa::best() || has_vectors && isa.is_available();
            for isa in Isa::ALL.into_iter().filter(is_made) {
                let made = (entry.make)(rules, isa);
                assert_eq!(made.is_ok(), (entry.accepts)(rules).is_ok(), "{} {}", entry.name, rules.name());
                others.extend(made.map(|engine| (entry.name, isa, engine)));
            }
        }
        let oracle = (DLX.make)(rules, Isa::best()).expect("all rules");
        Engines { cells: rules.grid().cells(), verifier: Verifier::new(rules), oracle, others }
    }

    /// Checks that all engines give the same answers to a batch of puzzles, where neither they nor the oracle give up.
    pub fn agree(&mut self, puzzles: &[u8], limits: Limits) {
        self.agree_within(puzzles, limits, limits);
    }

    /// The same with other limits for the oracle. With more guesses than the oracle an engine must not give up if the
    /// oracle does not.
    pub fn agree_within(&mut self, puzzles: &[u8], limits: Limits, oracle_limits: Limits) {
        let (expected, expected_cells) = solve_flat(&mut *self.oracle, self.cells, puzzles, oracle_limits);
        for (name, isa, engine) in &mut self.others {
            let (answers, cells) = solve_flat(&mut **engine, self.cells, puzzles, limits);
            for (place, puzzle) in puzzles.chunks_exact(self.cells).enumerate() {
                let at = place * self.cells..(place + 1) * self.cells;
                let (answer, solution) = (answers[place], &cells[at.clone()]);
                let (expected, only) = (expected[place], &expected_cells[at]);
                let case = || format!("{name} {isa:?} {limits:?} {puzzle:?} {solution:?}");
                assert!(answer.is_answered(), "{}", case());
                for (answer, solution) in [(answer, solution), (expected, only)] {
                    let is_right = answer.solutions == 0 || self.verifier.check(puzzle, solution).is_ok();
                    assert!(is_right, "{}", case());
                }
                // With a limit of 1 it may be one of several.
                let is_only = expected.solutions == 1 && !expected.gave_up() && limits.solutions() != Some(1);
                if answer.is_stuck() && is_only {
                    let is_right = |(&cell, &only): (&u8, &u8)| cell == 0 || cell == only;
                    assert!(solution.iter().zip(only).all(is_right), "{}", case());
                }
                // What was found before an engine gave up exists.
                assert!(answer.solutions <= expected.solutions || expected.gave_up(), "{}", case());
                let has_more_guesses = limits.guesses() > oracle_limits.guesses();
                assert!(!has_more_guesses || expected.gave_up() || !answer.gave_up(), "{}", case());
                if !answer.gave_up() && !expected.gave_up() {
                    assert_eq!(answer.solutions, expected.solutions, "{}", case());
                    assert!(!is_only || solution == only, "{}", case());
                }
            }
        }
    }
}

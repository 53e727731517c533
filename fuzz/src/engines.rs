//! Every engine that accepts some rules, against dancing links.

use galop::engine::named;
use galop::grid::Verifier;
use galop::{Engine, Isa, Limits, Rules};

use crate::rules::answer;

/// The engine that the others are compared with.
const ORACLE: &str = "dlx";

/// Engines for the same rules. They live on, because one puzzle must not change the answers to the next.
pub struct Engines {
    verifier: Verifier,
    oracle: Box<dyn Engine>,
    others: Vec<(&'static str, Isa, Box<dyn Engine>)>,
}

impl Engines {
    /// The engines that `is_wanted` and that accept `rules`: `lanes` and `grid` on every instruction set of this machine.
    pub fn new(rules: &Rules, is_wanted: impl Fn(&str) -> bool) -> Engines {
        let mut others = Vec::new();
        for entry in galop_published::all().filter(|entry| entry.name != ORACLE && is_wanted(entry.name)) {
            let has_vectors = ["lanes", "grid"].contains(&entry.name);
            let is_made = |isa: &Isa| *isa == Isa::best() || has_vectors && isa.is_available();
            for isa in Isa::ALL.into_iter().filter(is_made) {
                let made = (entry.make)(rules, isa);
                assert_eq!(made.is_ok(), (entry.accepts)(rules).is_ok(), "{} {}", entry.name, rules.name());
                others.extend(made.map(|engine| (entry.name, isa, engine)));
            }
        }
        let oracle = (named(ORACLE).expect("a row of ENGINES").make)(rules, Isa::best()).expect("all rules");
        Engines { verifier: Verifier::new(rules), oracle, others }
    }

    /// Checks that all engines give the same answer to `puzzle`, where neither they nor the oracle give up.
    pub fn agree(&mut self, puzzle: &[u8], limits: Limits) {
        let (expected, only) = answer(&mut *self.oracle, puzzle, limits);
        if expected.solutions > 0 {
            assert_eq!(self.verifier.check(puzzle, &only), Ok(()), "{ORACLE} {puzzle:?}");
        }
        // With a limit of 1 it may be one of several.
        let is_only = expected.solutions == 1 && !expected.gave_up() && limits.solutions() != Some(1);
        for (name, isa, engine) in &mut self.others {
            let (answer, solution) = answer(&mut **engine, puzzle, limits);
            assert!(answer.is_answered(), "{name} {isa:?} {puzzle:?}");
            if answer.solutions > 0 {
                assert_eq!(self.verifier.check(puzzle, &solution), Ok(()), "{name} {isa:?} {puzzle:?}");
            }
            if answer.is_stuck() && is_only {
                let is_right = |(&cell, &only): (&u8, &u8)| cell == 0 || cell == only;
                assert!(solution.iter().zip(&only).all(is_right), "{name} {isa:?} {puzzle:?} {solution:?}");
            }
            // What was found before an engine gave up exists.
            assert!(
                answer.solutions <= expected.solutions || expected.gave_up(),
                "{name} {isa:?} {puzzle:?}"
            );
            if !answer.gave_up() && !expected.gave_up() {
                assert_eq!(answer.solutions, expected.solutions, "{name} {isa:?} {puzzle:?} {limits:?}");
                assert!(!is_only || solution == only, "{name} {isa:?} {puzzle:?}");
            }
        }
    }
}

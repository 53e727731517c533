//! Puzzles that have no solution, or several: a puzzle with one solution, of which one clue is changed or clues are
//! removed.
//!
//! A puzzle without a solution has one clue with another symbol. Symbols that no peer has as a clue are tried first,
//! because such a puzzle does not show at once that it is wrong. A puzzle with several solutions has lost clues in
//! random order, until there is a second solution, which the verifier checks.

use galop_cover::Assumptions;
use galop_cover::text::ChoiceText;

use super::judge::Judge;
use super::{GenerateError, NewPuzzle, Recipe, Wish, proof_guesses};
use crate::chance::Chance;
use crate::engine::{Isa, prover_for};
use crate::error::{Error, ErrorKind};
use crate::grid::{OptionId, Verifier};
use crate::puzzle::{Status, read_options};

/// Makes the random numbers for changes others than those for puzzles.
const CHANGES: u64 = 0x6368_616e_6765_7321;

/// A kind of puzzle that has not exactly one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Negative {
    /// No solution: one clue is changed.
    NoSolution,
    /// Several solutions: one or more clues are removed.
    Several,
}

impl Negative {
    /// Every kind.
    pub const ALL: [Negative; 2] = [Negative::NoSolution, Negative::Several];

    /// The status of such a puzzle.
    pub fn status(self) -> Status {
        match self {
            Negative::NoSolution => Status::None,
            Negative::Several => Status::Multiple,
        }
    }
}

/// Pairs of a choice and an option in its place that are tried.
const CHANGES_TRIED: usize = 10_000;

/// The option as a choice.
fn option_name(choices: &ChoiceText, option: usize) -> String {
    let (chosen, mut line) = (vec![OptionId(option as u32)], Vec::new());
    choices.write(&Assumptions { chosen, forbidden: Vec::new() }, &mut line);
    String::from_utf8_lossy(&line).trim_start_matches("| ").to_owned()
}

/// Changes puzzles so that they have not exactly one solution.
pub(super) struct Changer<'a> {
    recipe: &'a Recipe,
    negative: Negative,
    judge: Judge,
    /// A second opinion on puzzles without a solution.
    second: Judge,
}

impl<'a> Changer<'a> {
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported) if the engine does not accept the rules.
    pub(super) fn new(recipe: &'a Recipe, negative: Negative) -> Result<Changer<'a>, Error> {
        let rules = &recipe.rules;
        let judge = |entry: &crate::engine::Entry| -> Result<Judge, Error> {
            let engine = (entry.make)(rules, Isa::best()).map_err(ErrorKind::from)?;
            Ok(Judge::new(engine, rules.stride(), proof_guesses(rules, entry, &Wish::Minimal)))
        };
        let (judge, second) = (judge(prover_for(rules))?, judge(recipe.engine)?);
        Ok(Changer { recipe, negative, judge, second })
    }

    /// The puzzle of a place after a change, and what was changed.
    ///
    /// # Errors
    /// [`GenerateError::NoChange`] if no change was found.
    pub(super) fn change(
        &mut self,
        place: u64,
        made: &NewPuzzle,
        verifier: &Verifier,
    ) -> Result<(Vec<u8>, String), GenerateError> {
        let mut chance = Chance::new(self.recipe.seed ^ CHANGES, place);
        let choices = self.recipe.rules.choices();
        let changed = match self.negative {
            Negative::NoSolution => match choices {
                Some(choices) => self.change_choice(choices, made, &mut chance),
                None => self.change_clue(&made.puzzle, &mut chance),
            },
            Negative::Several => self.remove_clues(made, &mut chance, verifier),
        };
        changed.ok_or(GenerateError::NoChange { place, status: self.negative.status().word() })
    }

    fn change_clue(&mut self, puzzle: &[u8], chance: &mut Chance) -> Option<(Vec<u8>, String)> {
        let grid = self.recipe.rules.grid();
        let clues = (0..puzzle.len()).filter(|&cell| puzzle[cell] != 0);
        let others = |cell: usize| (1..=grid.symbols()).filter(move |&symbol| symbol != puzzle[cell]);
        let mut changes: Vec<(usize, u8)> =
            clues.flat_map(|cell| others(cell).map(move |symbol| (cell, symbol))).collect();
        chance.shuffle(&mut changes);
        changes.sort_by_key(|&(cell, symbol)| grid.peers(cell).iter().any(|&peer| puzzle[peer] == symbol));
        let mut changed = puzzle.to_vec();
        for (cell, symbol) in changes {
            changed[cell] = symbol;
            if self.judge.status(&changed) == Status::None && self.second.status(&changed) == Status::None {
                let character = |symbol| char::from(self.recipe.rules.alphabet().character(symbol));
                let (new, old) = (character(symbol), character(puzzle[cell]));
                return Some((changed, format!("{}={new} was {old}", self.name(cell))));
            }
            changed[cell] = puzzle[cell];
        }
        None
    }

    /// The same for a problem: a choice is replaced by another option that the others allow.
    fn change_choice(
        &mut self,
        choices: &ChoiceText,
        made: &NewPuzzle,
        chance: &mut Chance,
    ) -> Option<(Vec<u8>, String)> {
        let places = |is: fn(u8) -> bool| (0..made.grid.len()).filter(move |&option| is(made.grid[option]));
        let mut chosen: Vec<usize> =
            places(|byte| byte != 0).filter(|&option| made.puzzle[option] != 0).collect();
        let mut others: Vec<usize> = places(|byte| byte == 0).collect();
        chance.shuffle(&mut chosen);
        chance.shuffle(&mut others);
        let (mut changed, mut line, mut assumed) = (made.puzzle.clone(), Vec::new(), Assumptions::default());
        for (&old, &new) in
            chosen.iter().flat_map(|old| others.iter().map(move |new| (old, new))).take(CHANGES_TRIED)
        {
            (changed[old], changed[new]) = (0, 1);
            read_options(&changed, &mut assumed);
            line.clear();
            choices.write(&assumed, &mut line);
            // Options that exclude each other would be a malformed record.
            if choices.read(&line, &mut assumed).is_ok()
                && self.judge.status(&changed) == Status::None
                && self.second.status(&changed) == Status::None
            {
                let [new, old] = [new, old].map(|option| option_name(choices, option));
                return Some((changed, format!("{new} was {old}")));
            }
            (changed[old], changed[new]) = (1, 0);
        }
        None
    }

    fn remove_clues(
        &mut self,
        made: &NewPuzzle,
        chance: &mut Chance,
        verifier: &Verifier,
    ) -> Option<(Vec<u8>, String)> {
        let mut puzzle = made.puzzle.clone();
        let mut cells: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] != 0).collect();
        chance.shuffle(&mut cells);
        let mut names = String::new();
        for cell in cells {
            names += &(self.name(cell) + " ");
            // As long as there was one solution, another one differs in this cell.
            let others = match self.recipe.rules.choices() {
                // It forbids the option.
                Some(_) => 2..=2,
                None => 1..=self.recipe.rules.grid().symbols(),
            };
            for symbol in others.filter(|&symbol| symbol != made.grid[cell]) {
                puzzle[cell] = symbol;
                let other = self.judge.any_solution(&puzzle);
                if other.is_some_and(|other| verifier.check(&puzzle, &other).is_ok()) {
                    puzzle[cell] = 0;
                    return Some((puzzle, names.trim_end_matches([' ', '|']).to_owned() + " removed"));
                }
            }
            puzzle[cell] = 0;
        }
        None
    }

    /// The name of a cell: row and column, from 1; of an option its items.
    fn name(&self, cell: usize) -> String {
        if let Some(choices) = self.recipe.rules.choices() {
            return option_name(choices, cell) + " |";
        }
        let side = self.recipe.rules.grid().side();
        format!("r{}c{}", cell / side + 1, cell % side + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::{Generator, MadePage, Wish};
    use super::*;
    use crate::engine::{ENGINES, named};

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn lines(recipe: &Recipe, places: std::ops::Range<u64>) -> Vec<(String, String)> {
        let mut page = MadePage::default();
        Generator::new(recipe).unwrap().write(places, &GO_ON, &mut page).unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (puzzles, others) = (text(page.puzzles), text(page.solutions));
        puzzles.lines().zip(others.lines()).map(|(one, other)| (one.to_owned(), other.to_owned())).collect()
    }

    /// Every engine finds that status, and the change leads back to the puzzle.
    #[test]
    fn changed_puzzles_have_the_status() {
        let full = Recipe::new(7, Wish::Clues(81..=81));
        let some = Recipe::new(7, Wish::Clues(34..=40));
        for recipe in [full, some, Recipe::new(7, Wish::Minimal)] {
            let side = recipe.rules.grid().side();
            let originals = lines(&recipe, 0..20);
            let mut judge = Judge::new((ENGINES[0].make)(&recipe.rules, Isa::best()).unwrap(), 81, u64::MAX);
            for negative in Negative::ALL {
                let recipe = Recipe { negative: Some(negative), ..recipe.clone() };
                let changed = lines(&recipe, 0..20);
                assert_eq!(lines(&recipe, 11..20), changed[11..]);
                for ((puzzle, change), (original, grid)) in changed.iter().zip(&originals) {
                    let cells: Vec<u8> = puzzle
                        .bytes()
                        .map(|byte| byte.saturating_sub(b'0'))
                        .map(|cell| cell * u8::from(cell < 10))
                        .collect();
                    assert_eq!(judge.status(&cells), negative.status(), "{puzzle}");
                    let mut back = puzzle.clone().into_bytes();
                    let names = change.split([' ', '=']).filter(|word| word.contains('c'));
                    for name in names {
                        let at: Vec<usize> =
                            name[1..].split('c').map(|number| number.parse().unwrap()).collect();
                        let cell = (at[0] - 1) * side + at[1] - 1;
                        assert_ne!(back[cell], original.as_bytes()[cell]);
                        back[cell] = grid.as_bytes()[cell];
                    }
                    assert_eq!(back, original.as_bytes());
                    let ends = match negative {
                        Negative::NoSolution => " was ",
                        Negative::Several => " removed",
                    };
                    assert!(change.contains(ends), "{change}");
                }
            }
        }
    }

    #[test]
    fn changes_do_not_depend_on_the_engine() {
        for negative in Negative::ALL.map(Some) {
            let recipe = Recipe { negative, ..Recipe::new(8, Wish::Minimal) };
            let other = Recipe { engine: named("bitboard").unwrap(), ..recipe.clone() };
            assert_eq!(lines(&recipe, 0..40), lines(&other, 0..40));
        }
    }
}

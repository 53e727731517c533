//! Makes one puzzle after the other, of any rules and with any engine.

use std::sync::atomic::{AtomicBool, Ordering};

use super::fill::Filler;
use super::filter::{FAR, Grade, Grader};
use super::orbits::Orbits;
use super::pattern;
use super::thin::{Judge, count_clues};
use super::{
    Distance, GenerateError, Misses, NewPuzzle, Recipe, Wish, most_exchanges, proof_guesses, returning,
};
use crate::chance::Chance;
use crate::engine::{Isa, prover_for};
use crate::error::{Error, ErrorKind};

/// Makes one puzzle at a time.
pub(super) struct Single<'a> {
    recipe: &'a Recipe,
    filler: Filler,
    judge: Judge,
    orbits: Option<Orbits>,
    is_nine: bool,
    grader: Option<Grader>,
    grades: Vec<Grade>,
    walks: bool,
}

impl<'a> Single<'a> {
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported) if the engine does not accept the rules;
    /// [`GenerateError::Asymmetric`].
    pub(super) fn new(recipe: &'a Recipe) -> Result<Single<'a>, Error> {
        // The engine for many puzzles at once is slow for single ones; the puzzles are the same.
        let entry = if recipe.has_fast_batches() { prover_for(&recipe.rules) } else { recipe.engine };
        let engine = (entry.make)(&recipe.rules, Isa::best()).map_err(ErrorKind::from)?;
        let grid = recipe.rules.grid();
        let orbits = recipe.symmetry.map(|symmetry| Orbits::new(symmetry, grid.side()));
        orbits.as_ref().map_or(Ok(()), |orbits| orbits.check(&recipe.wish))?;
        let guesses = proof_guesses(&recipe.rules, entry, &recipe.wish);
        let judge = Judge::new(engine, &recipe.rules, guesses);
        let (filler, grader) = (Filler::new(recipe).map_err(ErrorKind::from)?, Grader::new(recipe)?);
        Ok(Single {
            recipe,
            filler,
            judge,
            orbits,
            is_nine: grid.is_nine(),
            grader,
            grades: Vec::new(),
            walks: recipe.walks(),
        })
    }

    /// Makes puzzle `place`: tries grids until one can be thinned to the wish.
    pub(super) fn make(&mut self, place: u64, tries: u64, stop: &AtomicBool) -> Result<NewPuzzle, Error> {
        let mut chance = Chance::new(self.recipe.seed, place);
        let (wish, cells) = (&self.recipe.wish, self.recipe.rules.stride());
        let target = match &self.orbits {
            Some(orbits) => orbits.target(wish, &mut chance),
            None => wish.target(&mut chance),
        };
        let mut found = Misses::NONE;
        let mut grid = vec![0; cells];
        for number in 1..=tries {
            if !self.filler.fill(&mut grid, &mut chance) {
                return Err(GenerateError::NoGrid { rules: self.recipe.rules.name().to_owned() }.into());
            }
            let mut puzzle = grid.clone();
            let mut tried = Vec::new();
            if let Wish::Pattern(cells) = wish {
                if !pattern::cut(cells, &mut puzzle, self.is_nine) || !self.judge.is_unique(&puzzle) {
                    if stop.load(Ordering::Relaxed) {
                        return Err(ErrorKind::Stopped.into());
                    }
                    continue;
                }
            } else if let Some(orbits) = &mut self.orbits {
                orbits.thin(&mut self.judge, &mut puzzle, target, &mut chance, stop);
            } else {
                let mut order: Vec<u32> =
                    (0..cells as u32).filter(|&cell| puzzle[cell as usize] != 0).collect();
                chance.shuffle(&mut order);
                self.judge.thin(&mut puzzle, &order, target, stop);
                if self.recipe.details.weights {
                    tried = order.iter().map(|&cell| cell as u8).collect();
                }
                if self.walks || wish.exchanges(number, tries) {
                    self.exchange(&mut puzzle, &grid, target, &mut chance, stop, &mut found)?;
                }
            }
            if stop.load(Ordering::Relaxed) {
                return Err(ErrorKind::Stopped.into());
            }
            if self.distance(&puzzle, &grid, target, &mut found, stop)? == (0, 0) {
                return Ok(NewPuzzle { place, puzzle, grid, order: tried });
            }
        }
        Err(wish.no_puzzle(&self.recipe.filter, target, &found, tries).into())
    }

    /// How far a puzzle with its grid is from the wish. If it misses it, this is noted in `found`.
    fn distance(
        &mut self,
        puzzle: &[u8],
        grid: &[u8],
        target: usize,
        found: &mut Misses,
        stop: &AtomicBool,
    ) -> Result<Distance, Error> {
        let clues = count_clues(puzzle);
        let distance = self.recipe.wish.distance(clues, target);
        if distance > 0 {
            found.add(clues);
            self.recipe.tally.miss_clues(clues);
            return Ok((distance, FAR));
        }
        let Some(grader) = &mut self.grader else { return Ok((0, 0)) };
        let (made, cells) = (std::iter::once((puzzle, grid)), puzzle.len());
        let is_stopped = &|| stop.load(Ordering::Relaxed);
        grader.grade(&self.recipe.filter, made, cells, is_stopped, &mut self.grades)?;
        let Some(&Grade { distance, guesses }) = self.grades.first() else { return Ok((0, 0)) };
        if distance > 0 {
            guesses.into_iter().for_each(|guesses| found.add_guesses(guesses));
            self.recipe.tally.miss_filter(guesses);
        }
        Ok((0, distance))
    }

    /// Exchanges clues until `puzzle` meets the wish, at most [`EXCHANGES`](super::EXCHANGES) times: restores a few
    /// clues of `grid`, then tries to remove all other clues before these. Keeps the result unless it is farther from
    /// the wish than before.
    ///
    /// This finds low numbers of clues, and puzzles of many guesses, far sooner than new grids do.
    fn exchange(
        &mut self,
        puzzle: &mut Vec<u8>,
        grid: &[u8],
        target: usize,
        chance: &mut Chance,
        stop: &AtomicBool,
        found: &mut Misses,
    ) -> Result<(), Error> {
        let mut distance = self.distance(puzzle, grid, target, found, stop)?;
        if self.walks && !self.recipe.begins_walk(distance) {
            return Ok(());
        }
        let mut left = most_exchanges(self.walks);
        while left > 0 {
            left -= 1;
            if distance == (0, 0) || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let clues = count_clues(puzzle);
            let mut order: Vec<u32> =
                (0..grid.len() as u32).filter(|&cell| grid[cell as usize] != 0).collect();
            chance.shuffle(&mut order);
            // First the clues in random order, then the blanks in random order.
            order.sort_by_key(|&cell| puzzle[cell as usize] == 0);
            order.truncate(clues + returning(self.walks));
            let mut other = puzzle.clone();
            for &cell in order.iter().skip(clues) {
                other[cell as usize] = grid[cell as usize];
            }
            self.judge.thin(&mut other, &order, target, stop);
            let of_other = self.distance(&other, grid, target, found, stop)?;
            if of_other < distance && self.walks {
                left = most_exchanges(self.walks);
            }
            if of_other <= distance {
                (*puzzle, distance) = (other, of_other);
            }
        }
        Ok(())
    }

    /// The only solution of a puzzle, if it has exactly one.
    pub(super) fn only_solution(&mut self, puzzle: &[u8]) -> Option<Vec<u8>> {
        self.judge.only_solution(puzzle)
    }
}

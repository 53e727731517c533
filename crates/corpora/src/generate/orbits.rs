//! Clues that are placed symmetrically: the cells of an orbit all have clues, or none of them has.
//!
//! ```text
//! rotate180        mirror          an orbit: a cell and all its images
//! a . . . b        a . b . a
//! . . c . .        . . . . .
//! b . . . a        c . . . c
//! ```

use super::thinning::Order;
use super::{GenerateError, Wish};
use crate::chance::Chance;

/// A symmetry of the cells that have clues.
#[derive(Debug)]
pub struct ClueSymmetry {
    /// The name.
    pub name: &'static str,
    /// Another name.
    pub alias: Option<&'static str>,
    /// One line: which cells have clues together.
    pub about: &'static str,
    /// The images of a cell, given the last row: these maps generate the symmetry.
    maps: &'static [Map],
}

/// Row, column and the last row, to the image of the cell.
type Map = fn(usize, usize, usize) -> (usize, usize);

const HALF_TURN: Map = |row, column, last| (last - row, last - column);
const QUARTER_TURN: Map = |row, column, last| (column, last - row);
const MIRROR: Map = |row, column, last| (row, last - column);
const FLIP: Map = |row, column, last| (last - row, column);
const DIAGONAL: Map = |row, column, _| (column, row);
const ANTIDIAGONAL: Map = |row, column, last| (last - column, last - row);

/// A row of the table.
const fn row(
    name: &'static str,
    alias: Option<&'static str>,
    about: &'static str,
    maps: &'static [Map],
) -> ClueSymmetry {
    ClueSymmetry { name, alias, about, maps }
}

/// Every symmetry of clues.
pub static CLUE_SYMMETRIES: &[ClueSymmetry] = &[
    row("rotate180", None, "half a turn", &[HALF_TURN]),
    row("rotate90", None, "a quarter turn", &[QUARTER_TURN]),
    row("mirror", Some("mirror-h"), "left and right halves", &[MIRROR]),
    row("flip", Some("mirror-v"), "upper and lower halves", &[FLIP]),
    row("mirror-flip", None, "both of these", &[MIRROR, FLIP]),
    row("diagonal", None, "both sides of the diagonal from the upper left", &[DIAGONAL]),
    row("antidiagonal", None, "both sides of the diagonal from the upper right", &[ANTIDIAGONAL]),
    row("diagonals", None, "both diagonals", &[DIAGONAL, ANTIDIAGONAL]),
    row("full", None, "all turns and mirror images", &[QUARTER_TURN, MIRROR]),
];

/// The orbits of a grid.
pub(super) struct Orbits {
    symmetry: &'static ClueSymmetry,
    orbits: Vec<Vec<u32>>,
    /// Whether a puzzle with this number of clues can be symmetric.
    numbers: Vec<bool>,
}

impl Orbits {
    /// The orbits of the `side` by `side` cells.
    pub(super) fn new(symmetry: &'static ClueSymmetry, side: usize) -> Orbits {
        let mut is_known = vec![false; side * side];
        let mut orbits = Vec::new();
        for cell in 0..is_known.len() {
            if std::mem::replace(&mut is_known[cell], true) {
                continue;
            }
            let mut orbit = vec![cell as u32];
            let mut next = 0;
            while let Some(&from) = orbit.get(next) {
                for map in symmetry.maps {
                    let (row, column) = map(from as usize / side, from as usize % side, side - 1);
                    if !std::mem::replace(&mut is_known[row * side + column], true) {
                        orbit.push((row * side + column) as u32);
                    }
                }
                next += 1;
            }
            orbits.push(orbit);
        }
        let sizes: Vec<usize> = orbits.iter().map(Vec::len).collect();
        let numbers = sums(&sizes, side * side).swap_remove(0);
        Orbits { symmetry, orbits, numbers }
    }

    /// # Errors
    /// [`GenerateError::Asymmetric`] if no number of clues in the range of the wish can be symmetric.
    pub(super) fn check(&self, wish: &Wish) -> Result<(), GenerateError> {
        match wish {
            Wish::Clues(range) | Wish::MinimalClues(range)
                if !range.clone().any(|clues| self.allows(clues)) =>
            {
                let (&from, &to) = (range.start(), range.end());
                Err(GenerateError::Asymmetric { from, to, symmetry: self.symmetry.name })
            }
            _ => Ok(()),
        }
    }

    fn allows(&self, clues: usize) -> bool {
        self.numbers.get(clues).is_some_and(|&allows| allows)
    }

    /// Clues at which thinning ends: each number of the range that can be symmetric is equally likely. 0 if it ends
    /// with a minimal puzzle.
    pub(super) fn target(&self, wish: &Wish, chance: &mut Chance) -> usize {
        match wish {
            Wish::Minimal | Wish::MinimalClues(_) | Wish::Pattern(_) => 0,
            Wish::Clues(range) => {
                let numbers: Vec<usize> = range.clone().filter(|&clues| self.allows(clues)).collect();
                numbers.get(chance.below(numbers.len() as u32) as usize).copied().unwrap_or(*range.end())
            }
        }
    }

    /// The orbits in random order.
    pub(super) fn order(&mut self, chance: &mut Chance) -> Order {
        self.orbits.sort_unstable();
        chance.shuffle(&mut self.orbits);
        let mut order = Order::default();
        for orbit in &self.orbits {
            order.cells.extend(orbit);
            order.ends.push(order.cells.len() as u32);
        }
        order
    }
}

/// For each place in a list of sizes and each number from 0 to `most`: whether some of the sizes from that place on have
/// that sum.
pub(super) fn sums(sizes: &[usize], most: usize) -> Vec<Vec<bool>> {
    let mut sums = vec![vec![false; most + 1]; sizes.len() + 1];
    sums[sizes.len()][0] = true;
    for (place, &size) in sizes.iter().enumerate().rev() {
        for sum in 0..=most {
            let with = sum.checked_sub(size).is_some_and(|rest| sums[place + 1][rest]);
            sums[place][sum] = with || sums[place + 1][sum];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::judge::Judge;
    use super::super::tests::count_clues;
    use super::super::{Generator, Recipe};
    use super::*;
    use crate::engine::{Isa, prover_for};
    use crate::grid::Rules;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    #[test]
    fn orbits_have_the_usual_sizes() {
        let sizes = |name: &str, side| {
            let symmetry = CLUE_SYMMETRIES.iter().find(|symmetry| symmetry.name == name).unwrap();
            let mut counts = [0; 9];
            Orbits::new(symmetry, side).orbits.iter().for_each(|orbit| counts[orbit.len()] += 1);
            [counts[1], counts[2], counts[4], counts[8]]
        };
        assert_eq!(sizes("rotate180", 9), [1, 40, 0, 0]);
        assert_eq!(sizes("rotate90", 9), [1, 0, 20, 0]);
        assert_eq!(sizes("rotate90", 4), [0, 0, 4, 0]);
        for name in ["mirror", "flip", "diagonal", "antidiagonal"] {
            assert_eq!(sizes(name, 9), [9, 36, 0, 0], "{name}");
        }
        assert_eq!(sizes("mirror-flip", 9), [1, 8, 16, 0]);
        assert_eq!(sizes("diagonals", 9), [1, 8, 16, 0]);
        assert_eq!(sizes("full", 9), [1, 0, 8, 6]);
    }

    /// Puzzles are symmetric, have the clues that are asked for, and lose their one solution with any orbit if minimal.
    #[test]
    fn puzzles_are_symmetric() {
        for rules in [Rules::default(), Rules::sudoku(6).unwrap()] {
            let (cells, side) = (rules.grid().cells(), rules.grid().side());
            let engine = (prover_for(&rules).make)(&rules, Isa::best()).unwrap();
            let mut judge = Judge::new(engine, cells, u64::MAX);
            for symmetry in CLUE_SYMMETRIES {
                let half = cells * 2 / 5;
                for wish in
                    [Wish::Minimal, Wish::Clues(half..=half + 7), Wish::MinimalClues(4.max(side * 2)..=cells)]
                {
                    let recipe = Recipe { symmetry: Some(symmetry), ..Recipe::of(rules.clone(), 4, wish) };
                    let (made, outcome) = Generator::new(&recipe).unwrap().make(0..3, &GO_ON);
                    outcome.unwrap();
                    for made in made {
                        let (wish, clues) = (&recipe.wish, count_clues(&made.puzzle));
                        match wish {
                            Wish::Clues(range) | Wish::MinimalClues(range) => assert!(range.contains(&clues)),
                            _ => {}
                        }
                        assert_eq!(judge.only_solution(&made.puzzle).as_ref(), Some(&made.grid));
                        for orbit in Orbits::new(symmetry, side).orbits {
                            let has_clue = |&cell: &u32| made.puzzle[cell as usize] != 0;
                            assert!(orbit.iter().all(has_clue) || !orbit.iter().any(has_clue));
                            let mut other = made.puzzle.clone();
                            orbit.iter().for_each(|&cell| other[cell as usize] = 0);
                            let is_needed = other == made.puzzle || !judge.is_unique(&other);
                            assert!(is_needed || matches!(wish, Wish::Clues(_)), "{}", symmetry.name);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_that_cannot_be_symmetric_are_refused() {
        let recipe = |range| Recipe {
            symmetry: CLUE_SYMMETRIES.iter().find(|symmetry| symmetry.name == "rotate90"),
            ..Recipe::new(1, Wish::Clues(range))
        };
        let refused = recipe(30..=31);
        let error = Generator::new(&refused).err().unwrap();
        let expected = GenerateError::Asymmetric { from: 30, to: 31, symmetry: "rotate90" };
        assert_eq!(error.fact(), Some(&expected));
        for range in [30..=32, 33..=35] {
            assert!(Generator::new(&recipe(range)).is_ok());
        }
    }
}

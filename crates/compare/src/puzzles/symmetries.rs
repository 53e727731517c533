//! The random symmetries of a run.
//!
//! Sudokus of 4x4, 6x6 and 9x9 get all their symmetries. Puzzles of other rules are only relabelled: which cells may
//! change places depends on the units. Even the symbols stay if some exclude each other, such as consecutive ones.

use galop_corpora::symmetry::Symmetries;
use galop_engines::chance::Chance;
use galop_engines::grid::Rules;

/// The symmetry of each puzzle in a run.
pub(super) enum RunSymmetries {
    All(Symmetries),
    /// The symbols `1..=symbols` change their names.
    Names {
        seed: u64,
        symbols: u8,
    },
}

impl RunSymmetries {
    /// For puzzles of `rules`.
    pub(super) fn new(rules: &Rules, seed: u64) -> RunSymmetries {
        match Symmetries::new(rules, seed) {
            Ok(symmetries) => RunSymmetries::All(symmetries),
            Err(_) => {
                let grid = rules.grid();
                let symbols = if grid.exclusive().is_empty() { grid.symbols() } else { 0 };
                RunSymmetries::Names { seed, symbols }
            }
        }
    }

    /// Writes the image of the puzzle `index` to `image`, of the same length.
    pub(super) fn apply(&self, index: u32, puzzle: &[u8], image: &mut [u8]) {
        match self {
            // All puzzles of a set have the cells of its rules.
            RunSymmetries::All(symmetries) => {
                let _ = symmetries.get(u64::from(index), 0).apply(puzzle, image);
            }
            &RunSymmetries::Names { seed, symbols } => {
                let names = names(seed, symbols, index);
                image.iter_mut().zip(puzzle).for_each(|(new, &symbol)| *new = names[usize::from(symbol)]);
            }
        }
    }

    /// The cells whose image is `image`.
    pub(super) fn undo(&self, index: u32, image: &[u8]) -> Vec<u8> {
        let mut cells = image.to_vec();
        match self {
            RunSymmetries::All(symmetries) => {
                let _ = symmetries.get(u64::from(index), 0).inverse().apply(image, &mut cells);
            }
            &RunSymmetries::Names { seed, symbols } => {
                let names = names(seed, symbols, index);
                let before = |new: u8| names.iter().position(|&name| name == new).unwrap_or(0) as u8;
                cells.iter_mut().for_each(|cell| *cell = before(*cell));
            }
        }
        cells
    }
}

/// The new names of the symbols of a puzzle. 0 stays a blank, and bytes that are not symbols stay what they are.
fn names(seed: u64, symbols: u8, index: u32) -> [u8; 256] {
    let mut names = std::array::from_fn(|symbol| symbol as u8);
    Chance::new(seed, u64::from(index)).shuffle(&mut names[1..=usize::from(symbols)]);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_engines::engine::{Isa, named};
    use galop_engines::grid::kind;
    use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};
    use galop_testing::puzzles::{PUZZLE, cells};

    fn image(rules: &Rules, seed: u64, index: u32, puzzle: &[u8]) -> Vec<u8> {
        let (symmetries, mut image) = (RunSymmetries::new(rules, seed), vec![0; 81]);
        symmetries.apply(index, puzzle, &mut image);
        assert_eq!(symmetries.undo(index, &image), puzzle);
        image
    }

    fn solutions(puzzle: &[u8], limit: u64) -> u64 {
        let mut engine = (named("bitboard").unwrap().make)(&Rules::default(), Isa::best()).unwrap();
        let (mut cells, mut answer) = ([0; 81], [Answer::default()]);
        let mut places = Answers::new(&mut cells, &mut answer, 81).unwrap();
        engine.solve(Puzzles::new(puzzle, 81).unwrap(), Limits::count(limit), &mut places).unwrap();
        answer[0].solutions
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

        /// Puzzles with more blanks have several solutions, and puzzles with another clue have none.
        #[test]
        fn symmetries_keep_the_number_of_solutions(
            seed in proptest::prelude::any::<u64>(),
            index in proptest::prelude::any::<u32>(),
            blank in proptest::collection::vec(0usize..81, 0..30),
            (wrong_at, wrong) in (0usize..81, 0u8..10),
        ) {
            let mut puzzle = cells(PUZZLE);
            blank.iter().for_each(|&cell| puzzle[cell] = 0);
            puzzle[wrong_at] = wrong;
            let image = image(&Rules::default(), seed, index, &puzzle);
            proptest::prop_assert_eq!(solutions(&puzzle, 50), solutions(&image, 50));
        }
    }

    #[test]
    fn puzzles_and_runs_have_their_own_symmetries() {
        let puzzle = cells(PUZZLE);
        for name in ["sudoku", "latin"] {
            let rules = Rules::new(kind(name).unwrap(), 9, None).unwrap();
            let [one, run, index] =
                [(1, 1), (2, 1), (1, 2)].map(|(seed, at)| image(&rules, seed, at, &puzzle));
            assert!(one != run && one != index && run != index && one != puzzle, "{name}");
            assert_eq!(image(&rules, 1, 1, &puzzle), one, "{name}");
        }
    }

    #[test]
    fn other_rules_are_only_relabelled() {
        let image = image(&Rules::new(kind("latin").unwrap(), 9, None).unwrap(), 3, 3, &cells(PUZZLE));
        assert!(cells(PUZZLE).iter().zip(&image).all(|(before, after)| (*before == 0) == (*after == 0)));
    }

    #[test]
    fn symbols_that_exclude_each_other_keep_their_names() {
        let rules = Rules::new(kind("non-consecutive").unwrap(), 9, None).unwrap();
        assert_eq!(image(&rules, 3, 3, &cells(PUZZLE)), cells(PUZZLE));
    }

    /// Bytes that are not symbols of the rules stay what they are, and so stay wrong.
    #[test]
    fn other_bytes_stay() {
        let mut puzzle = cells(PUZZLE);
        puzzle[5] = 200;
        for name in ["sudoku", "latin"] {
            let rules = Rules::new(kind(name).unwrap(), 9, None).unwrap();
            assert!(image(&rules, 1, 1, &puzzle).contains(&200));
        }
    }
}

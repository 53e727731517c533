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
    use galop_engines::grid::kind;
    use galop_testing::puzzles::{Cells, PUZZLE, cells};

    /// An image under rules of 9x9. Asserts that the symmetry can be undone.
    fn image(kind_name: &str, seed: u64, index: u32, puzzle: &Cells) -> Cells {
        let rules = Rules::new(kind(kind_name).unwrap(), 9, None).unwrap();
        let (symmetries, mut image) = (RunSymmetries::new(&rules, seed), [0; 81]);
        symmetries.apply(index, puzzle, &mut image);
        assert_eq!(symmetries.undo(index, &image), puzzle);
        image
    }

    /// Bytes that are not symbols of the rules stay what they are, and so stay wrong.
    #[test]
    fn puzzles_and_runs_have_their_own_symmetries() {
        let mut puzzle = cells(PUZZLE);
        puzzle[5] = 200;
        for name in ["sudoku", "latin"] {
            let [one, run, index] = [(1, 1), (2, 1), (1, 2)].map(|(seed, at)| image(name, seed, at, &puzzle));
            assert!(one != run && one != index && run != index && one != puzzle, "{name}");
            assert_eq!(image(name, 1, 1, &puzzle), one, "{name}");
            assert!(one.contains(&200), "{name}");
        }
    }

    #[test]
    fn other_rules_are_only_relabelled_unless_symbols_exclude_each_other() {
        let puzzle = cells(PUZZLE);
        let image_of = |name| image(name, 3, 3, &puzzle);
        assert_eq!(image_of("latin").map(|cell| cell == 0), puzzle.map(|cell| cell == 0));
        assert_eq!(image_of("non-consecutive"), puzzle);
    }
}

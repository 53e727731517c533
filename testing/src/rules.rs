//! Grids of every kind and size, and puzzles on them.

use galop_corpora::generate::{Recipe, Wish};
use galop_engines::grid::{KINDS, Kind, Regions, Verifier, kind};
use galop_engines::puzzle::Limits;
use galop_engines::{Rules, engine};

use super::{engines, puzzles};

/// A map of regions of five cells.
pub const MAP5: &str = "aaabb\naabbb\nccddd\ncccdd\neeeee\n";

/// The rules of one kind and side. Jigsaws get a map: [`MAP5`], the blocks of a 4x4 sudoku, else the rows.
pub fn rules_of(kind: &'static Kind, side: usize) -> Rules {
    let map = match side {
        4 => "aabbaabbccddccdd".to_owned(),
        5 => MAP5.to_owned(),
        side => (0..side).map(|row| char::from(b'A' + row as u8).to_string().repeat(side)).collect(),
    };
    let regions = Regions::read(map.as_bytes()).unwrap();
    Rules::new(kind, side, Some(&regions)).unwrap()
}

/// The sudoku of one side.
pub fn sudoku(side: usize) -> Rules {
    rules_of(kind("sudoku").unwrap(), side)
}

/// The jigsaw of a map.
pub fn jigsaw(map: &str) -> Rules {
    let regions = Regions::read(map.as_bytes()).unwrap();
    Rules::new(kind("jigsaw").unwrap(), regions.side(), Some(&regions)).unwrap()
}

/// Every kind in some of its sizes, up to side `most`.
pub fn kinds_and_sizes(most: usize) -> impl Iterator<Item = Rules> {
    let sizes = |kind: &'static Kind| kind.sides().into_iter().map(move |side| (kind, side));
    KINDS
        .iter()
        .flat_map(sizes)
        .filter(move |&(_, side)| side <= most && [4, 5, 6, 9, 10, 12, 16, 25].contains(&side))
        .map(|(kind, side)| rules_of(kind, side))
}

/// Regions that are the rows of a grid, in which some cells are exchanged with those below. (They need not be
/// connected.)
pub fn mixed_rows(side: usize, exchanged: impl IntoIterator<Item = usize>) -> Regions {
    let mut map: Vec<u8> = (0..side * side).map(|cell| b'A' + (cell / side) as u8).collect();
    exchanged.into_iter().for_each(|cell| map.swap(cell, cell + side));
    Regions::read(&map).unwrap()
}

/// The cells in the alphabet of the rules.
pub fn text(rules: &Rules, cells: &[u8]) -> String {
    cells.iter().map(|&cell| char::from(rules.alphabet().character(cell))).collect()
}

/// A full grid: the first solution of the empty grid that the engine for all kinds finds, verified.
pub fn solved(rules: &Rules) -> Vec<u8> {
    let empty = vec![0; rules.grid().cells()];
    let solution = full_grid(rules, &[], u64::MAX).unwrap();
    assert_eq!(Verifier::new(rules).check(&empty, &solution), Ok(()), "{}", rules.name());
    solution
}

/// The puzzles `0..count` of a recipe and their solutions, as cells.
pub fn generated(rules: &Rules, seed: u64, count: u64, wish: Wish) -> Vec<(Vec<u8>, Vec<u8>)> {
    let (puzzles, solutions) = puzzles::generated(&Recipe::of(rules.clone(), seed, wish), count);
    let cells = |line: &str| line.bytes().map(|byte| rules.alphabet().cell(byte).unwrap()).collect();
    puzzles.lines().map(cells).zip(solutions.lines().map(cells)).collect()
}

/// A full grid with these symbols in its first cells, found by the engine `grid` within a limit on guesses.
pub fn full_grid(rules: &Rules, first: &[u8], guesses: u64) -> Option<Vec<u8>> {
    let mut puzzle = vec![0; rules.grid().cells()];
    puzzle[..first.len()].copy_from_slice(first);
    let (answer, full) = engines::solve_one(engine::GRID, rules, &puzzle, Limits::ANY.with_guesses(guesses));
    (answer.solutions > 0).then_some(full)
}

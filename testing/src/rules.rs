//! Grids of every kind and size, and puzzles on them.

use galop_corpora::generate::{Recipe, Wish};
use galop_engines::engine::Isa;
use galop_engines::grid::{KINDS, Kind, Regions, Variant, Verifier, kind};
use galop_engines::puzzle::Limits;
use galop_engines::{Rules, engine};

use super::chance::Chance;
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

/// The names of kinds, the side, and the map of a jigsaw.
pub type Form = (&'static str, usize, Option<&'static str>);

/// Rules of every form and of several sizes that the engine `lanes` accepts.
pub const FORMS: [Form; 22] = [
    ("sudoku", 4, None),
    ("sudoku", 6, None),
    ("sudoku", 12, None),
    ("diagonal", 4, None),
    ("diagonal", 6, None),
    ("diagonal", 9, None),
    ("diagonal", 12, None),
    ("windoku", 9, None),
    ("latin", 4, None),
    ("latin", 5, None),
    ("latin", 9, None),
    ("latin", 11, None),
    ("sudoku", 8, None),
    ("sudoku", 10, None),
    (
        "jigsaw",
        9,
        Some("aaaaccccc aaaabbbcc adbbbbbfc ddbeeeefc dddeefffi dgdeehfii ggdhehffi ggghhhhfi ggghhiiii"),
    ),
    ("jigsaw", 6, Some("aaabbb aaabbb cccddd cccddd eeefff eeefff")),
    ("anti-knight", 6, None),
    ("anti-knight", 9, None),
    ("anti-king", 9, None),
    ("non-consecutive", 9, None),
    ("latin+non-consecutive", 5, None),
    ("diagonal+anti-knight", 9, None),
];

/// The rules of a form.
pub fn form((names, side, map): Form) -> Rules {
    match map {
        Some(map) => jigsaw(map),
        None => names.parse::<Variant>().unwrap().rules(side).unwrap(),
    }
}

/// Puzzles with no solution, one, and many: solutions of grids with random clues, without some of their clues, and with
/// a clue changed in some; and the solutions.
pub fn thinned(rules: &Rules, count: usize) -> (Vec<u8>, Vec<u8>) {
    let (grid, mut chance) = (rules.grid(), Chance::new(7));
    let (cells, symbols) = (grid.cells(), usize::from(grid.symbols()));
    let mut starts = vec![0; cells * 40];
    for start in starts.chunks_mut(cells) {
        for _ in 0..symbols {
            start[chance.below(cells)] = chance.below(symbols) as u8 + 1;
        }
    }
    let (answers, solved) = engines::solve_flat(
        (engine::GRID.make)(rules, Isa::best()).unwrap().as_mut(),
        cells,
        &starts,
        Limits::ANY,
    );
    let solved = answers.iter().zip(solved.chunks(cells)).filter(|(answer, _)| answer.solutions > 0);
    let solved: Vec<&[u8]> = solved.map(|(_, solution)| solution).collect();
    assert!(!solved.is_empty(), "{}", rules.name());
    // Where symbols exclude each other, few clues leave one solution.
    let most = if grid.exclusive().is_empty() { cells } else { 3 * cells / 2 };
    let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
    for number in 0..count {
        let solution = solved[number % solved.len()];
        let mut puzzle = solution.to_vec();
        for _ in 0..cells / 2 + chance.below(most) {
            puzzle[chance.below(cells)] = 0;
        }
        if number % 4 == 3 {
            puzzle[chance.below(cells)] = chance.below(symbols) as u8 + 1;
        }
        puzzles.extend(puzzle);
        solutions.extend(solution);
    }
    (puzzles, solutions)
}

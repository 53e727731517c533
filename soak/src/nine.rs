//! 9x9 sudokus: known puzzles and new ones, under random symmetries and with changed clues.

use std::num::NonZero;

use galop_corpora::generate::{Recipe, Wish};
use galop_engines::Rules;
use galop_engines::engine::Isa;
use galop_engines::grid::Verifier;
use galop_engines::puzzle::Limits;
use galop_testing::available::isas;
use galop_testing::puzzles::generated;

use crate::Disagreement;
use crate::batch::Case;
use crate::engines::engine;
use crate::panel::{Compared, Panel};
use galop_testing::chance::Chance;

const CELLS: usize = 81;

/// Puzzles of a batch from which one is also given to the slower engines.
const SHARE: usize = 64;

/// The 9x9 sudokus of a file: lines that begin with 81 characters `1-9`, `0` or `.`.
pub(crate) fn read(text: &[u8]) -> Vec<[u8; CELLS]> {
    let cell = |&byte: &u8| match byte {
        b'.' | b'0' => Some(0),
        b'1'..=b'9' => Some(byte - b'0'),
        _ => None,
    };
    let puzzle = |line: &[u8]| {
        let cells: Vec<u8> = line.get(..CELLS)?.iter().map(cell).collect::<Option<_>>()?;
        cells.try_into().ok()
    };
    text.split(|&byte| byte == b'\n').filter_map(puzzle).collect()
}

/// What a thread keeps for these rounds.
pub(crate) struct Nine<'a> {
    known: &'a [[u8; CELLS]],
    rules: Rules,
    verifier: Verifier,
    panel: Panel,
}

impl<'a> Nine<'a> {
    pub(crate) fn new(known: &'a [[u8; CELLS]]) -> Nine<'a> {
        let rules = Rules::default();
        let make = |name: &str, isa| engine(name, &rules, isa).expect("an engine for 9x9 sudokus");
        Nine {
            known,
            verifier: Verifier::new(&rules),
            panel: Panel {
                first: make("bitboard", Isa::best()),
                twice: isas().into_iter().map(|isa| make("lanes", isa)).collect(),
                slow: ["dlx", "grid", "hybrid"].map(|name| make(name, Isa::best())).into(),
                share: SHARE,
            },
            rules,
        }
    }

    /// Solves a batch with all engines. Returns the number of solves.
    pub(crate) fn round(&mut self, chance: &mut Chance) -> Result<u64, Disagreement> {
        let limit = [1, 1, 1, 2, 2, 2, 3, 100][chance.below(8)];
        let limits = Limits::count(limit);
        let count = match chance.below(8) {
            0 => 1 + chance.below(40),
            1 | 2 => 200 + chance.below(2_000),
            // A hundred solutions of each puzzle take fifty times as long.
            _ if limit == 100 => 400 + chance.below(1_600),
            _ => 4_000 + chance.below(16_000),
        };
        let made = self.made(chance);
        let mut puzzles = Vec::with_capacity(count * CELLS);
        for _ in 0..count {
            let from = if made.is_empty() { self.known } else { &made };
            let mut puzzle = from[chance.below(from.len())];
            change(&mut puzzle, chance);
            puzzles.extend(transformed(&puzzle, chance));
        }
        let case = Case { rules: &self.rules, verifier: &self.verifier, limits };
        let Compared { mut solves, few, by_first } = self.panel.agree(&case, &puzzles, chance)?;
        for (puzzle, answer) in few.chunks_exact(CELLS).zip(&by_first.answers) {
            let at_most = limits.solutions().unwrap_or(u64::MAX).min(1_000) as usize;
            let theirs = sudoku::Sudoku::from_bytes_slice(puzzle)
                .map_or(0, |puzzle| puzzle.solutions_count_up_to(at_most) as u64);
            solves += 1;
            if theirs != answer.solutions {
                let why = format!("bitboard finds {} solutions, crate sudoku {theirs}", answer.solutions);
                return Err(case.describe(&why, puzzle));
            }
        }
        Ok(solves)
    }

    /// New puzzles in one round of 64, and if there are no known ones; else none.
    fn made(&self, chance: &mut Chance) -> Vec<[u8; CELLS]> {
        if chance.below(64) > 0 && !self.known.is_empty() {
            return Vec::new();
        }
        let wish = if chance.below(2) == 0 { Wish::Minimal } else { Wish::usual(&self.rules) };
        let recipe = Recipe { threads: NonZero::new(1), ..Recipe::new(chance.number(), wish) };
        read(generated(&recipe, 100).0.as_bytes())
    }
}

/// Changes the clues of a puzzle: in two of five cases not at all; else one to six are removed, or one or two are added
/// or changed.
pub(crate) fn change(puzzle: &mut [u8], chance: &mut Chance) {
    let symbols = puzzle.len().isqrt();
    let (is_clue, times) = match chance.below(5) {
        0 | 1 => return,
        2 | 3 => (true, 1 + chance.below(6)),
        _ => (chance.below(2) == 0, 1 + chance.below(2)),
    };
    let is_removed = times > 2 || is_clue && chance.below(2) == 0;
    for _ in 0..times {
        let cells: Vec<usize> = (0..puzzle.len()).filter(|&cell| (puzzle[cell] != 0) == is_clue).collect();
        if cells.is_empty() {
            return;
        }
        let cell = cells[chance.below(cells.len())];
        puzzle[cell] = if is_removed { 0 } else { 1 + chance.below(symbols) as u8 };
    }
}

/// A random symmetry of a 9x9 sudoku. (It shares no code with galop's own.)
fn transformed(puzzle: &[u8; CELLS], chance: &mut Chance) -> [u8; CELLS] {
    let mut symbols = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    chance.shuffle(&mut symbols);
    let (rows, columns) = (lines(chance), lines(chance));
    let is_turned = chance.below(2) == 0;
    std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        match puzzle[if is_turned { 9 * column + row } else { 9 * row + column }] {
            0 => 0,
            symbol => symbols[usize::from(symbol) - 1],
        }
    })
}

/// The nine rows or columns in a random order that keeps chutes together.
fn lines(chance: &mut Chance) -> [usize; 9] {
    let mut chutes = [0, 3, 6];
    chance.shuffle(&mut chutes);
    let mut lines = [0; 9];
    for (chute, start) in chutes.into_iter().enumerate() {
        let mut within = [0, 1, 2];
        chance.shuffle(&mut within);
        (0..3).for_each(|line| lines[3 * chute + line] = start + within[line]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use galop_engines::puzzle::Answer;
    use galop_testing::altered::altered;
    use galop_testing::puzzles::PUZZLE;

    use super::*;
    use crate::batch::{Named, answer};
    use crate::chance;

    #[test]
    fn rounds_agree_and_count_their_solves() {
        let known = read(PUZZLE.as_bytes());
        let mut nine = Nine::new(&known);
        let solves: u64 = (0..6).map(|round| nine.round(&mut chance(3, round)).unwrap()).sum();
        assert!(solves > 1_000, "{solves}");
    }

    #[test]
    fn a_wrong_engine_is_found_and_its_puzzle_reduced() {
        let known = read(PUZZLE.as_bytes());
        let mut nine = Nine::new(&known);
        // An engine that says of every puzzle with a 9 in the middle cell that it has no solution.
        let lying = altered(&nine.rules, Isa::best(), |puzzle, _, answer| {
            if puzzle[40] == 9 {
                *answer = Answer::complete(0);
            }
        });
        nine.panel.twice = vec![Named { name: "lying".into(), engine: lying.unwrap(), guesses: None }];
        let found = (0..20).find_map(|round| nine.round(&mut chance(5, round)).err());
        let Disagreement(text) = found.unwrap();
        let puzzle = text.lines().nth(2).unwrap();
        assert!(text.starts_with("lying"), "{text}");
        assert_eq!(puzzle.chars().filter(|&cell| cell != '.').count(), 1, "{text}");
        assert_eq!(puzzle.as_bytes()[40], b'9', "{text}");
    }

    #[test]
    fn symmetries_keep_the_number_of_solutions() {
        let rules = Rules::default();
        let mut bitboard = engine("bitboard", &rules, Isa::best()).unwrap();
        let mut puzzle = read(PUZZLE.as_bytes())[0];
        puzzle[0] = 0;
        let count = |puzzle: &[u8], bitboard: &mut Named| {
            answer(bitboard, puzzle, CELLS, Limits::count(1_000)).answers[0].solutions
        };
        let expected = count(&puzzle, &mut bitboard);
        assert!(expected > 1);
        for place in 0..50 {
            let image = transformed(&puzzle, &mut chance(1, place));
            assert_ne!(image, puzzle);
            assert_eq!(count(&image, &mut bitboard), expected);
        }
    }
}

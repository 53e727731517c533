//! 9x9 sudokus: known puzzles and new ones, under random symmetries and with changed clues.

use std::sync::atomic::AtomicBool;

use galop_corpora::generate::{self, Recipe, Wish};
use galop::grid::Verifier;
use galop::{Isa, Limits, Rules};

use crate::Disagreement;
use crate::batch::{Case, Named};
use crate::draw::Draw;
use crate::engines::{engine, isas};
use galop_engines::chance::Chance;

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
    /// `lanes` for every instruction set.
    lanes: Vec<Named>,
    bitboard: Named,
    others: Vec<Named>,
}

impl<'a> Nine<'a> {
    pub(crate) fn new(known: &'a [[u8; CELLS]]) -> Nine<'a> {
        let rules = Rules::sudoku();
        let make = |name: &str, isa| engine(name, &rules, isa).expect("an engine for 9x9 sudokus");
        Nine {
            known,
            verifier: Verifier::new(&rules),
            lanes: isas().into_iter().map(|isa| make("lanes", isa)).collect(),
            bitboard: make("bitboard", Isa::best()),
            others: ["dlx", "grid", "hybrid"].map(|name| make(name, Isa::best())).into(),
            rules,
        }
    }

    /// Solves a batch with all engines. Returns the number of solves.
    pub(crate) fn round(&mut self, chance: &mut Chance) -> Result<u64, Disagreement> {
        let limit = [1, 1, 1, 2, 2, 2, 3, 100][chance.index(8)];
        let limits = Limits::count(limit);
        let count = match chance.index(8) {
            0 => 1 + chance.index(40),
            1 | 2 => 200 + chance.index(2_000),
            // A hundred solutions of each puzzle take fifty times as long.
            _ if limit == 100 => 400 + chance.index(1_600),
            _ => 4_000 + chance.index(16_000),
        };
        let made = self.made(chance);
        let mut puzzles = Vec::with_capacity(count * CELLS);
        for _ in 0..count {
            let from = if made.is_empty() { self.known } else { &made };
            let mut puzzle = from[chance.index(from.len())];
            change(&mut puzzle, chance);
            puzzles.extend(transformed(&puzzle, chance));
        }
        let case = Case { rules: &self.rules, verifier: &self.verifier, limits };
        let bitboard = &mut self.bitboard;
        let by_board = case.answer(bitboard, &puzzles);
        let mut solves = count as u64;
        for lanes in &mut self.lanes {
            let by_lanes = case.answer(lanes, &puzzles);
            case.agree(&puzzles, (lanes, &by_lanes), (bitboard, &by_board))?;
            // Once more in other company: the order and the size of a batch must not matter.
            let by_lanes = case.answer_in_parts(lanes, &puzzles, chance);
            case.agree(&puzzles, (lanes, &by_lanes), (bitboard, &by_board))?;
            solves += 2 * count as u64;
        }
        // A share of the batch for the slower engines, cut out of it so that places stay places.
        let start = chance.index(SHARE);
        let share: Vec<usize> = (start..count).step_by(SHARE).collect();
        let few: Vec<u8> =
            share.iter().flat_map(|&place| &puzzles[place * CELLS..][..CELLS]).copied().collect();
        let by_board = case.answer(bitboard, &few);
        for other in &mut self.others {
            let by_other = case.answer(other, &few);
            solves += share.len() as u64;
            case.agree(&few, (other, &by_other), (bitboard, &by_board))?;
        }
        for (puzzle, answer) in few.chunks_exact(CELLS).zip(&by_board.answers) {
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
        if chance.index(64) > 0 && !self.known.is_empty() {
            return Vec::new();
        }
        let wish = if chance.index(2) == 0 { Wish::Minimal } else { Wish::usual(&self.rules) };
        let mut recipe = Recipe::new(chance.bits(), wish);
        recipe.threads = std::num::NonZero::new(1);
        let mut text = Vec::new();
        let made = generate::run(&recipe, 100, &AtomicBool::new(false), &mut |puzzles, _| {
            text.extend_from_slice(puzzles);
            Ok(())
        });
        assert!(made.is_ok(), "{made:?}");
        read(&text)
    }
}

/// Changes the clues of a puzzle: in two of five cases not at all; else one to six are removed, or one or two are added or
/// changed.
pub(crate) fn change(puzzle: &mut [u8], chance: &mut Chance) {
    let symbols = puzzle.len().isqrt();
    let (is_clue, times) = match chance.index(5) {
        0 | 1 => return,
        2 | 3 => (true, 1 + chance.index(6)),
        _ => (chance.index(2) == 0, 1 + chance.index(2)),
    };
    let is_removed = times > 2 || is_clue && chance.index(2) == 0;
    for _ in 0..times {
        let cells: Vec<usize> = (0..puzzle.len()).filter(|&cell| (puzzle[cell] != 0) == is_clue).collect();
        if cells.is_empty() {
            return;
        }
        let cell = cells[chance.index(cells.len())];
        puzzle[cell] = if is_removed { 0 } else { 1 + chance.index(symbols) as u8 };
    }
}

/// A random symmetry of a 9x9 sudoku. (It shares no code with galop's own.)
fn transformed(puzzle: &[u8; CELLS], chance: &mut Chance) -> [u8; CELLS] {
    let mut symbols = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    chance.shuffle(&mut symbols);
    let (rows, columns) = (lines(chance), lines(chance));
    let is_turned = chance.index(2) == 0;
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
    use crate::batch::answer;
    use galop::{Answers, Engine, Puzzles, engine::WrongStride};

    use super::*;

    const PUZZLE: &[u8] =
        b"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    /// An engine that says of every puzzle with a 9 in the middle cell that it has no solution.
    struct Lying(Box<dyn Engine>);

    impl Engine for Lying {
        fn solve(
            &mut self,
            puzzles: Puzzles<'_>,
            limits: Limits,
            answers: &mut Answers<'_>,
        ) -> Result<(), WrongStride> {
            self.0.solve(puzzles, limits, answers)?;
            for (puzzle, (_, answer)) in puzzles.iter().zip(answers.iter_mut()) {
                if puzzle[40] == 9 {
                    *answer = galop::Answer::complete(0);
                }
            }
            Ok(())
        }
    }

    #[test]
    fn rounds_agree_and_count_their_solves() {
        let known = read(PUZZLE);
        let mut nine = Nine::new(&known);
        let solves: u64 = (0..6).map(|round| nine.round(&mut Chance::new(3, round)).unwrap()).sum();
        assert!(solves > 1_000, "{solves}");
    }

    #[test]
    fn a_wrong_engine_is_found_and_its_puzzle_reduced() {
        let known = read(PUZZLE);
        let mut nine = Nine::new(&known);
        let honest = std::mem::take(&mut nine.lanes).into_iter().next().unwrap();
        nine.lanes = vec![Named { name: "lying".into(), engine: Box::new(Lying(honest.engine)) }];
        let found = (0..20).find_map(|round| nine.round(&mut Chance::new(5, round)).err());
        let Disagreement(text) = found.unwrap();
        let puzzle = text.lines().nth(2).unwrap();
        assert!(text.starts_with("lying"), "{text}");
        assert_eq!(puzzle.chars().filter(|&cell| cell != '.').count(), 1, "{text}");
        assert_eq!(puzzle.as_bytes()[40], b'9', "{text}");
    }

    #[test]
    fn symmetries_keep_the_number_of_solutions() {
        let rules = Rules::sudoku();
        let mut bitboard = engine("bitboard", &rules, Isa::best()).unwrap();
        let mut puzzle = read(PUZZLE)[0];
        puzzle[0] = 0;
        let count = |puzzle: &[u8], bitboard: &mut Named| {
            answer(bitboard, puzzle, CELLS, Limits::count(1_000)).answers[0].solutions
        };
        let expected = count(&puzzle, &mut bitboard);
        assert!(expected > 1);
        for place in 0..50 {
            let image = transformed(&puzzle, &mut Chance::new(1, place));
            assert_ne!(image, puzzle);
            assert_eq!(count(&image, &mut bitboard), expected);
        }
    }
}

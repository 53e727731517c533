//! New puzzles: images of those in a pool, which `scripts/make-pool.py` makes: some for each technique.

use galop_engines::Rules;
use galop_engines::chance::Chance;
use galop_explain::{End, Explainer, Level, Options, Technique, named};
use serde::Serialize;

use super::limits::NEW_WORK;
use super::message::{Refusal, Response, Status};
use super::puzzle::PuzzleRequest;
use super::token::Tokens;

/// A line for each puzzle: the technique of its hardest step, its score in tenths, and its cells.
const POOL: &str = include_str!("pool.txt");

/// A puzzle of the pool.
#[derive(Clone, Copy, Debug)]
struct Row {
    technique: &'static Technique,
    score: u16,
    puzzle: &'static str,
}

fn rows() -> impl Iterator<Item = Row> {
    POOL.lines().filter_map(|line| {
        let (before, puzzle) = line.rsplit_once(' ')?;
        let (name, score) = before.rsplit_once(' ')?;
        Some(Row { technique: named(name)?, score: score.parse().ok()?, puzzle })
    })
}

/// Whether a puzzle of the pool needs the technique.
pub(super) fn has(technique: &Technique) -> bool {
    rows().any(|row| row.technique == technique)
}

impl Row {
    fn level(self) -> Level {
        Level::of(self.score)
    }

    /// Whether `cells` are of this level and need this technique, if so much work shows it.
    fn is_like(self, rules: &Rules, cells: &[u8], work: u64) -> bool {
        let options = Options::default().unique(self.technique.needs_uniqueness).max_work(work);
        Explainer::new(rules).difficulty(cells, &options).is_ok_and(|found| {
            let like = (End::Solved, Some(self.technique), self.level());
            (found.end, found.hardest, Level::of(found.score)) == like
        })
    }
}

/// A new puzzle.
#[derive(Debug, Serialize)]
struct New {
    kind: &'static str,
    cells: Vec<u8>,
    /// Whether its hardest technique relies on it having one solution.
    unique: bool,
}

/// A random puzzle of the level, or one that needs the technique, called `name`.
pub(super) fn new<'a>(name: &str, tokens: &Tokens) -> Result<Response<'a>, Refusal> {
    let is_wanted = |row: &Row| match named(name) {
        Some(technique) => row.technique == technique,
        None => row.level().name() == name && !row.technique.needs_uniqueness,
    };
    let rows: Vec<Row> = rows().filter(is_wanted).collect();
    let mut chance = Chance::new(u64::from_str_radix(&tokens.next()[..16], 16).unwrap_or(0), 0);
    let Some(&row) = rows.get(chance.below(rows.len() as u32) as usize) else {
        return Err(Refusal::new(
            Status::NOT_FOUND,
            format!("there is no puzzle of `{}`", name.escape_default()),
        ));
    };
    let (kind, unique) = (row.technique.example.kind, row.technique.needs_uniqueness);
    let puzzle = PuzzleRequest::of(kind, row.puzzle).puzzle()?;
    // Of several steps that are equally easy the first one is taken, so an image may need another technique. Then, or if
    // its rating takes too much work, the puzzle of the pool is given.
    let image = image(&puzzle.cells, &mut chance);
    let cells = if row.is_like(&puzzle.rules, &image, NEW_WORK) { image } else { puzzle.cells };
    Ok(Response::json(&New { kind, cells, unique }))
}

/// A grid of 9x9 turned or mirrored, with its digits exchanged, which keeps the rules of the kinds in the pool.
fn image(cells: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut digits: Vec<u8> = (1..=9).collect();
    chance.shuffle(&mut digits);
    let [is_turned, rows, columns] = [(); 3].map(|()| chance.below(2) == 1);
    let cell = |place: usize| {
        let (row, column) = if is_turned { (place % 9, place / 9) } else { (place / 9, place % 9) };
        let mirrored = |is_so: bool, at: usize| if is_so { 8 - at } else { at };
        let digit = cells[9 * mirrored(rows, row) + mirrored(columns, column)];
        if digit == 0 { 0 } else { digits[usize::from(digit) - 1] }
    };
    (0..81).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_explain::TECHNIQUES;

    #[test]
    fn every_puzzle_has_the_level_and_needs_the_technique_that_its_line_names() {
        assert_eq!(rows().count(), POOL.lines().count());
        for row in rows() {
            let puzzle = PuzzleRequest::of(row.technique.example.kind, row.puzzle).puzzle().unwrap();
            assert!(row.is_like(&puzzle.rules, &puzzle.cells, u64::MAX), "{row:?}");
        }
        for level in Level::ALL {
            let of_level = |row: &Row| row.level() == level && !row.technique.needs_uniqueness;
            assert!(rows().filter(of_level).count() >= 4, "{level:?}");
        }
        // No puzzle was found in which this is the hardest step.
        let without: Vec<&str> = TECHNIQUES.iter().filter(|one| !has(one)).map(|one| one.name).collect();
        assert_eq!(without, ["unique rectangle type 5"]);
    }

    #[test]
    fn images_differ_and_have_as_many_clues() {
        let puzzle = PuzzleRequest::of("sudoku", rows().next().unwrap().puzzle).puzzle().unwrap();
        let clues = |cells: &[u8]| cells.iter().filter(|&&cell| cell != 0).count();
        let images: Vec<Vec<u8>> =
            (0..20).map(|place| image(&puzzle.cells, &mut Chance::new(1, place))).collect();
        for (at, image) in images.iter().enumerate() {
            assert_eq!(clues(image), clues(&puzzle.cells));
            assert!(puzzle.rules.grid().check_clues(image).is_ok() && !images[..at].contains(image));
        }
    }
}

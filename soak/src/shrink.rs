//! Reduces a disagreement to as few puzzles and clues as still show it.

/// The smallest batch and puzzle found for which `differs` is still true.
///
/// `puzzles` is flat, `cells` each; the puzzle at `place` is the one that differs. Engines that solve many puzzles at
/// once need company, so a single puzzle is tried as a batch of copies.
pub(crate) fn shrink(
    puzzles: &[u8],
    cells: usize,
    place: usize,
    differs: &mut dyn FnMut(&[u8]) -> bool,
) -> Vec<u8> {
    let puzzle = &puzzles[place * cells..][..cells];
    for copies in [1, 64, 300] {
        if differs(&puzzle.repeat(copies)) {
            return without_clues(puzzle, copies, differs).repeat(copies);
        }
    }
    // The company matters: leave out halves, quarters and so on of the batch.
    let mut batch = puzzles.to_vec();
    let mut part = batch.len() / cells / 2;
    while part > 0 {
        let mut at = 0;
        while at + part <= batch.len() / cells {
            let mut fewer = batch.clone();
            fewer.drain(at * cells..(at + part) * cells);
            if differs(&fewer) {
                batch = fewer;
            } else {
                at += part;
            }
        }
        part /= 2;
    }
    batch
}

/// Blanks one clue after the other as long as the puzzle still differs.
fn without_clues(puzzle: &[u8], copies: usize, differs: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut least = puzzle.to_vec();
    for cell in 0..puzzle.len() {
        let clue = std::mem::take(&mut least[cell]);
        if clue != 0 && !differs(&least.repeat(copies)) {
            least[cell] = clue;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_keeps_only_the_clues_that_matter() {
        let batch = [1, 2, 3, 4, 5, 6, 7, 8];
        let has_six = |batch: &[u8]| batch.contains(&6);
        assert_eq!(shrink(&batch, 4, 1, &mut { has_six }), [0, 6, 0, 0]);
    }

    #[test]
    fn a_batch_keeps_only_the_puzzles_that_matter() {
        let batch: Vec<u8> = (0..40).collect();
        let differs = |batch: &[u8]| batch.contains(&6) && batch.contains(&31);
        let least = shrink(&batch, 2, 3, &mut { differs });
        assert_eq!(least, [6, 7, 30, 31]);
    }
}

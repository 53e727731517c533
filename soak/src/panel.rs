//! Engines side by side: one answers every puzzle of a batch, and the others must agree with it.

use galop_testing::chance::Chance;

use crate::Disagreement;
use crate::batch::{Answered, Case, Named};

/// The engines for puzzles of the same rules.
pub(crate) struct Panel {
    /// Answers every puzzle.
    pub(crate) first: Named,
    /// Answer every puzzle twice, the second time in other company: the order and the size of a batch must not matter.
    pub(crate) twice: Vec<Named>,
    /// Answer a share of the puzzles, because they are slow.
    pub(crate) slow: Vec<Named>,
    /// Puzzles of a batch from which one is also given to the slower engines.
    pub(crate) share: usize,
}

/// What a comparison looked at.
pub(crate) struct Compared {
    /// Puzzles answered, once for each engine and time.
    pub(crate) solves: u64,
    /// The share of the puzzles that the slow engines answered, and what the first engine made of it.
    pub(crate) few: Vec<u8>,
    pub(crate) by_first: Answered,
}

impl Panel {
    /// Has every engine answer `puzzles`, which are flat.
    pub(crate) fn agree(
        &mut self,
        case: &Case<'_>,
        puzzles: &[u8],
        chance: &mut Chance,
    ) -> Result<Compared, Disagreement> {
        let cells = case.rules.grid().cells();
        let count = puzzles.len() / cells;
        let by_first = case.answer(&mut self.first, puzzles);
        for other in &mut self.twice {
            let by_other = case.answer(other, puzzles);
            case.agree(puzzles, (other, &by_other), (&mut self.first, &by_first))?;
            let by_other = case.answer_in_parts(other, puzzles, chance);
            case.agree(puzzles, (other, &by_other), (&mut self.first, &by_first))?;
        }
        // The share is cut out of the batch so that places stay places.
        let start = chance.below(self.share);
        let places: Vec<usize> = (start..count).step_by(self.share).collect();
        let share = |flat: &[u8]| -> Vec<u8> {
            places.iter().flat_map(|&place| &flat[place * cells..][..cells]).copied().collect()
        };
        let (few, solutions) = (share(puzzles), share(&by_first.solutions));
        let answers = places.iter().map(|&place| by_first.answers[place]).collect();
        let by_first = Answered { solutions, answers };
        for other in &mut self.slow {
            let by_other = case.answer(other, &few);
            case.agree(&few, (other, &by_other), (&mut self.first, &by_first))?;
        }
        let solves = count * (1 + 2 * self.twice.len()) + places.len() * self.slow.len();
        Ok(Compared { solves: solves as u64, few, by_first })
    }
}

//! What the engines get in one run: the puzzles under their symmetries, the order of the puzzles, and the order of the
//! engines.
//!
//! All of it depends on the seed and the run, and the symmetry on the puzzle's index as well. Nothing depends on the
//! engines, the threads or the clock.

use super::group::Group;
use super::plan::Plan;
use super::puzzles::Set;
use galop_engines::chance::Chance;
use galop_engines::grid::Rules;
use galop_engines::puzzle::Puzzles;

/// The puzzles and engines of a run.
pub(super) struct Schedule<'a> {
    group: Group,
    puzzles: Puzzles<'a>,
    /// The seed of this run's symmetries; `None` if the puzzles stay as they are.
    symmetries: Option<u64>,
    /// Place `i` holds the puzzle `order[i]`.
    pub(super) order: Vec<u32>,
    /// The puzzles as they are solved, in order; empty if they stay as they are.
    cells: Vec<u8>,
    /// The engines in the order in which they run.
    pub(super) engines: Vec<usize>,
}

impl<'a> Schedule<'a> {
    /// The schedule of the run `run`, from 0.
    pub(super) fn draw(rules: &Rules, puzzles: &'a Set, plan: &Plan<'_>, run: usize) -> Schedule<'a> {
        // Place 0 of the seed belongs to the sample.
        let mut chance = Chance::new(plan.seed, run as u64 + 1);
        let mut schedule = Schedule {
            group: Group::of(rules.grid()),
            puzzles: puzzles.cells(),
            // The symmetries of a problem are not known.
            symmetries: (plan.is_permuted && rules.choices().is_none()).then(|| chance.seed()),
            order: (0..puzzles.len() as u32).collect(),
            cells: Vec::new(),
            engines: (0..plan.contestants.len()).collect(),
        };
        if let Some(seed) = schedule.symmetries {
            chance.shuffle(&mut schedule.order);
            schedule.permute(seed);
        }
        chance.shuffle(&mut schedule.engines);
        schedule
    }

    fn permute(&mut self, seed: u64) {
        self.cells = vec![0; self.puzzles.len() * self.puzzles.stride()];
        let mut symmetry = self.group.identity();
        for (&index, out) in self.order.iter().zip(self.cells.chunks_exact_mut(self.puzzles.stride())) {
            if let Some(puzzle) = self.puzzles.get(index as usize) {
                self.group.draw(&mut Chance::new(seed, u64::from(index)), &mut symmetry);
                symmetry.apply(puzzle, out);
            }
        }
    }

    /// The puzzles as they are solved.
    pub(super) fn puzzles(&self) -> Puzzles<'_> {
        if self.symmetries.is_some() {
            Puzzles::new(&self.cells, self.puzzles.stride()).unwrap_or_default()
        } else {
            self.puzzles
        }
    }

    /// The `cells` of place `place`, moved and renamed back to the puzzle that was read.
    pub(super) fn undo(&self, place: usize, cells: &[u8]) -> Vec<u8> {
        let Some(seed) = self.symmetries else { return cells.to_vec() };
        let mut symmetry = self.group.identity();
        self.group.draw(&mut Chance::new(seed, u64::from(self.order[place])), &mut symmetry);
        symmetry.undo(cells)
    }
}

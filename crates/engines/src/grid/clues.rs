//! A puzzle as an exact cover problem of its own: the problem of the rules, with the options of the clues chosen.
//!
//! A clue is an option (see [`Rules::cover`]). Choosing it removes the items that it covers, and with them all other
//! options that contain one of these items. The rest is a smaller problem. Its solutions are the solutions of the
//! puzzle without the clues.
//!
//! If two clues clash, neither is chosen. But every option that clashes with *any* clue is removed, and so are the
//! options of the clues. The cells of clashing clues are then items without options, so there is no solution.

use super::Rules;
use super::error::Fault;
use galop_cover::problem::TermRef;
use galop_cover::{Bounds, ExactCover, ItemId, OptionId};

impl Rules {
    /// The rest of [`cover`](Self::cover) after the clues of `puzzle` (flat cells: 0 blank, 1..=n) are chosen.
    ///
    /// It has as many solutions as the puzzle. If clues clash, it has items without options and no solution. If the
    /// puzzle is full, its last clue is not chosen, because a problem must have an item.
    ///
    /// # Errors
    /// [`Fault::Length`] and [`Fault::Symbol`] if `puzzle` does not belong to these rules.
    pub fn reduced_cover(&self, puzzle: &[u8]) -> Result<ExactCover, Fault> {
        let cover = self.cover();
        let mut clues = self.clues(puzzle)?;
        let clashes = |clues: &[OptionId], option| {
            clues.iter().any(|&clue| clue != option && cover.clash(clue, option))
        };
        let mut taken: Vec<OptionId> = clues.clone();
        taken.retain(|&clue| !clashes(&clues, clue));
        if taken.len() == self.grid.cells() {
            clues.pop();
            taken.pop();
        }
        let mut is_open = vec![true; cover.item_count()];
        taken.iter().flat_map(|&clue| cover.option(clue)).for_each(|term| is_open[term.item.index()] = false);
        Ok(self.part(&is_open, |option| !clues.contains(&option) && !clashes(&clues, option)))
    }

    /// The options of the clues.
    fn clues(&self, puzzle: &[u8]) -> Result<Vec<OptionId>, Fault> {
        let (cells, symbols) = (self.grid.cells(), self.grid.symbols());
        if puzzle.len() != cells {
            return Err(Fault::Length { found: puzzle.len(), expected: cells });
        }
        let clue = |(cell, &symbol): (usize, &u8)| match symbol {
            0 => None,
            _ if symbol <= symbols => {
                Some(Ok(OptionId((cell * usize::from(symbols) + usize::from(symbol) - 1) as u32)))
            }
            _ => Some(Err(Fault::Symbol { found: symbol, cell: self.grid.cell_name(cell) })),
        };
        puzzle.iter().enumerate().filter_map(clue).collect()
    }

    /// The part of the problem with the open items and the options that stay. Terms of other items are left out.
    fn part(&self, is_open: &[bool], stays: impl Fn(OptionId) -> bool) -> ExactCover {
        let cover = self.cover();
        let mut builder = ExactCover::builder();
        let mut items: Vec<Option<ItemId>> = vec![None; cover.item_count()];
        for (item, _) in is_open.iter().enumerate().filter(|item| *item.1) {
            let name = cover.item_name(ItemId(item as u32));
            items[item] = Some(if item < cover.primary_count() {
                let Bounds { low, high } = cover.bounds(ItemId(item as u32));
                builder.primary_with_bounds(name, low, high)
            } else {
                builder.secondary(name)
            });
        }
        for option in (0..cover.option_count() as u32).map(OptionId).filter(|&option| stays(option)) {
            let places = cover.option(option).iter().filter_map(|term| {
                let item = items[term.item.index()]?;
                Some(match term.colour() {
                    None => TermRef::from(item),
                    Some(colour) => (item, cover.colour_name(colour)).into(),
                })
            });
            builder.option_with_cost(places, cover.cost(option));
        }
        // It is part of a problem, and an option that stays has its cell.
        builder.finish().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;
    use galop_cover::{Choice, CoverLimits, Natural, Solver};
    use galop_testing::puzzles::{SOLUTION, cells};

    fn count(problem: &ExactCover) -> Natural {
        let limits = CoverLimits::first(2);
        Solver::new(problem, Choice::Auto).unwrap().search(&limits).count().unwrap().solutions.clone()
    }

    /// Solutions of the problem, at most 2.
    #[track_caller]
    fn solutions(puzzle: &[u8]) -> Natural {
        count(&Rules::default().reduced_cover(puzzle).unwrap())
    }

    #[test]
    fn a_clue_takes_its_items_and_the_options_that_name_them() {
        let rules = Rules::default();
        let mut puzzle = [0; 81];
        assert_eq!(&rules.reduced_cover(&puzzle).unwrap(), rules.cover());
        puzzle[40] = 5;
        let problem = rules.reduced_cover(&puzzle).unwrap();
        // Its own option, 8 more in its cell, and a 5 in each of the 20 peers.
        assert_eq!((problem.item_count(), problem.option_count()), (320, 729 - 29));
    }

    #[test]
    fn a_solved_grid_leaves_its_last_cell() {
        let mut puzzle = cells(SOLUTION);
        assert_eq!(solutions(&puzzle), 1);
        let problem = Rules::default().reduced_cover(&puzzle).unwrap();
        assert_eq!((problem.item_count(), problem.option_count()), (4, 1));
        assert_eq!(problem.option_text(OptionId(0)).to_string(), "r9c9 r9=3 c9=3 b9=3");
        // 4 in place of 3: a grid that is full of clues and wrong.
        puzzle[80] = 4;
        assert_eq!(solutions(&puzzle), 0);
    }

    #[test]
    fn clues_that_clash_leave_items_without_options() {
        let mut puzzle = [0; 81];
        (puzzle[0], puzzle[8]) = (7, 7);
        let problem = Rules::default().reduced_cover(&puzzle).unwrap();
        let names: Vec<&str> =
            (0..problem.item_count() as u32).map(|item| problem.item_name(ItemId(item))).collect();
        assert!(names.contains(&"r1c1") && names.contains(&"r1c9"));
        assert!(problem.options().flatten().all(|term| ![0, 8].contains(&term.item.0)));
        assert_eq!(solutions(&puzzle), 0);
    }

    #[test]
    fn what_is_no_puzzle_is_an_error() {
        let rules = Rules::default();
        assert_eq!(rules.reduced_cover(&[0; 80]), Err(Fault::Length { found: 80, expected: 81 }));
        let mut puzzle = [0; 81];
        puzzle[11] = 10;
        let cell = Cell { row: 2, column: 3 };
        assert_eq!(rules.reduced_cover(&puzzle), Err(Fault::Symbol { found: 10, cell }));
    }
}

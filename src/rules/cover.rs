//! A puzzle's rules as an exact cover problem: items, and options that cover them.
//!
//! Words after Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1: choose options so that every
//! item is covered exactly once.
//!
//! ```text
//! the options, one after the other     items     | 0 81 .. .. | 0 82 .. .. | ...
//! where each one starts                starts    0            4            8
//! ```

use super::Grid;

/// An item: a constraint to cover, numbered from 0.
pub type ItemId = u32;
/// An option: a set of items covered together, numbered from 0.
pub type OptionId = u32;

/// Items and options of an exact cover problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactCover {
    item_count: usize,
    items: Vec<ItemId>,
    starts: Vec<u32>,
}

impl ExactCover {
    /// Every grid as an exact cover: an item for each cell (it holds something), then one for each symbol in
    /// each unit (it stands somewhere); an option for each symbol in each cell.
    ///
    /// Item `cell`, item `cells + unit * symbols + symbol - 1`, option `cell * symbols + symbol - 1`.
    pub(super) fn of_grid(grid: &Grid) -> ExactCover {
        let symbols = usize::from(grid.symbols());
        let mut cover = ExactCover {
            item_count: grid.cells() + grid.units().len() * symbols,
            items: Vec::new(),
            starts: vec![0],
        };
        for cell in 0..grid.cells() {
            for symbol in 0..symbols {
                cover.items.push(cell as ItemId);
                let places =
                    grid.units_of(cell).iter().map(|unit| (grid.cells() + unit * symbols + symbol) as ItemId);
                cover.items.extend(places);
                cover.starts.push(cover.items.len() as u32);
            }
        }
        cover
    }

    /// The problem of these options, for tests.
    #[cfg(test)]
    pub(crate) fn of_options(item_count: usize, options: &[Vec<ItemId>]) -> ExactCover {
        let starts = std::iter::once(0).chain(options.iter().scan(0, |end, items| {
            *end += items.len() as u32;
            Some(*end)
        }));
        ExactCover { item_count, items: options.concat(), starts: starts.collect() }
    }

    /// How many items there are.
    pub fn item_count(&self) -> usize {
        self.item_count
    }

    /// How many options there are.
    pub fn option_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The items that `option` covers, ascending; none for an option that is not there.
    pub fn option(&self, option: OptionId) -> &[ItemId] {
        match self.starts.get(option as usize..option as usize + 2) {
            Some(&[start, end]) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The options in order, each as its items.
    pub fn options(&self) -> impl ExactSizeIterator<Item = &[ItemId]> {
        self.starts.windows(2).map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::Rules;

    #[test]
    fn sudoku_is_324_items_and_729_options_of_4() {
        let rules = Rules::sudoku();
        let cover = rules.cover();
        assert_eq!((cover.item_count(), cover.option_count()), (324, 729));
        assert!(cover.options().all(|items| items.len() == 4));
        // 9 in the last cell: the cell, row 8, column 8, block 8.
        assert_eq!(cover.option(728), [80, 81 + 8 * 9 + 8, 81 + 17 * 9 + 8, 81 + 26 * 9 + 8]);
        assert!(cover.option(729).is_empty());
        let mut degrees = vec![0; cover.item_count()];
        cover.options().flatten().for_each(|&item| degrees[item as usize] += 1);
        assert!(degrees.iter().all(|&degree| degree == 9));
    }
}

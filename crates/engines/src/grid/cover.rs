//! A grid as an exact cover problem: choose options so that every item is covered exactly once.

use super::Grid;
use galop_cover::{ExactCover, ItemId};

/// The exact cover problem of `grid`. It has an item for each cell, which must hold a symbol, and an item for each
/// symbol in each unit, which must be in a cell. It has an option for each symbol in each cell.
///
/// Item `cell`, item `cells + unit * symbols + symbol - 1`, option `cell * symbols + symbol - 1`. The names of items
/// count from 1: the cell `r1c2`, 5 in row 1 `r1=5`, in column 2 `c2=5`, in block 3 `b3=5`.
pub(super) fn of_grid(grid: &Grid) -> ExactCover {
    let symbols = usize::from(grid.symbols());
    let mut builder = ExactCover::builder();
    let width = width(grid);
    for cell in 0..grid.cells() {
        builder.primary(&format!("r{}c{}", cell / width + 1, cell % width + 1));
    }
    let mut blocks = 0;
    for (unit, cells) in grid.units().iter().enumerate() {
        let name = unit_name(cells, width).unwrap_or_else(|| {
            blocks += 1;
            format!("b{blocks}")
        });
        // Two units with the same cells need different names.
        let twin = grid.units()[..unit].iter().filter(|other| *other == cells).count();
        let mark = "'".repeat(twin);
        for symbol in 1..=symbols {
            builder.primary(&format!("{name}{mark}={symbol}"));
        }
    }
    for cell in 0..grid.cells() {
        for symbol in 0..symbols {
            let places = grid
                .units_of(cell)
                .iter()
                .map(|unit| ItemId((grid.cells() + unit * symbols + symbol) as u32));
            builder.option(std::iter::once(ItemId(cell as u32)).chain(places));
        }
    }
    // The only possible error is that there are no cells; the empty problem is right for that.
    builder.finish().unwrap_or_default()
}

/// Cells of a row; all cells if the grid is not square.
fn width(grid: &Grid) -> usize {
    let width = grid.cells().isqrt();
    if width * width == grid.cells() { width.max(1) } else { grid.cells() }
}

/// The name of a unit if it is a row or a column.
fn unit_name(cells: &[usize], width: usize) -> Option<String> {
    let (&first, &last) = (cells.first()?, cells.last()?);
    let all = |of: fn(usize, usize) -> usize| cells.iter().all(|&cell| of(cell, width) == of(first, width));
    if cells.len() != width || first == last {
        None
    } else if all(|cell, width| cell / width) {
        Some(format!("r{}", first / width + 1))
    } else if all(|cell, width| cell % width) {
        Some(format!("c{}", first % width + 1))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use galop_cover::{ItemId, OptionId};

    use crate::grid::Rules;

    #[test]
    fn sudoku_is_324_items_and_729_options_of_4() {
        let rules = Rules::default();
        let cover = rules.cover();
        assert_eq!((cover.item_count(), cover.option_count()), (324, 729));
        assert_eq!(cover.primary_count(), 324);
        assert!(cover.options().all(|terms| terms.len() == 4));
        // 9 in the last cell: the cell, row 8, column 8, block 8.
        let items: Vec<ItemId> = cover.option(OptionId(728)).iter().map(|term| term.item).collect();
        assert_eq!(items, [80, 81 + 8 * 9 + 8, 81 + 17 * 9 + 8, 81 + 26 * 9 + 8]);
        assert!(cover.option(OptionId(729)).is_empty());
        let mut degrees = vec![0; cover.item_count()];
        cover.options().flatten().for_each(|term| degrees[term.item.index()] += 1);
        assert!(degrees.iter().all(|&degree| degree == 9));
    }

    #[test]
    fn items_are_named_after_cells_rows_columns_and_blocks() {
        let rules = Rules::default();
        assert_eq!(rules.cover().option_text(OptionId(0)).to_string(), "r1c1 r1=1 c1=1 b1=1");
        assert_eq!(rules.cover().option_text(OptionId(9 * 14 + 4)).to_string(), "r2c6 r2=5 c6=5 b2=5");
        assert_eq!(rules.cover().option_text(OptionId(728)).to_string(), "r9c9 r9=9 c9=9 b9=9");
    }
}

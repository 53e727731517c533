//! A grid as an exact cover problem: choose options so that every primary item is covered exactly once, and every
//! secondary item at most once.

use super::{Grid, UnitName};
use galop_cover::{ExactCover, ItemId};

/// The exact cover problem of `grid`. It has an item for each cell, which must hold a symbol, and an item for each
/// symbol in each unit, which must be in a cell. It has a secondary item for each symbol in two cells that differ, and
/// for each pair of candidates that exclude each other. It has an option for each symbol in each cell.
///
/// Item `cell`, item `cells + unit * symbols + symbol - 1`, option `cell * symbols + symbol - 1`. The names of items
/// count from 1: the cell `r1c2`, 5 in row 1 `r1=5`, in column 2 `c2=5`, in block 3 `b3=5`, in extra unit 4 `x4=5`, in
/// two cells that differ `r1c2/r3c3=5`; 5 and 6 that exclude each other `r1c2=5/r1c3=6`.
pub(super) fn of_grid(grid: &Grid) -> ExactCover {
    let symbols = grid.symbols();
    let mut builder = ExactCover::builder();
    let cell_name = |cell: usize| {
        let cell = grid.cell_name(cell);
        format!("r{}c{}", cell.row, cell.column)
    };
    for cell in 0..grid.cells() {
        builder.primary(&cell_name(cell));
    }
    for unit in 0..grid.units().len() {
        let name = match grid.unit_name(unit) {
            UnitName::Row(number) => format!("r{number}"),
            UnitName::Column(number) => format!("c{number}"),
            UnitName::Block(number) => format!("b{number}"),
            UnitName::Extra(number) => format!("x{number}"),
        };
        for symbol in 1..=symbols {
            builder.primary(&format!("{name}={symbol}"));
        }
    }
    let mut more = vec![Vec::new(); grid.cells() * usize::from(symbols)];
    for &[one, other] in grid.different() {
        for symbol in 1..=symbols {
            let item = builder.secondary(&format!("{}/{}={symbol}", cell_name(one), cell_name(other)));
            for cell in [one, other] {
                more[grid.candidate(cell, symbol)].push(item);
            }
        }
    }
    for candidates in grid.exclusive() {
        let [one, other] = candidates.map(|candidate| {
            let (cell, symbol) = grid.cell_and_symbol(candidate);
            format!("{}={symbol}", cell_name(cell))
        });
        let item = builder.secondary(&format!("{one}/{other}"));
        for &candidate in candidates {
            more[candidate].push(item);
        }
    }
    for (candidate, more) in more.into_iter().enumerate() {
        let (cell, symbol) = grid.cell_and_symbol(candidate);
        let in_unit = |unit: &usize| {
            ItemId((grid.cells() + unit * usize::from(symbols) + usize::from(symbol) - 1) as u32)
        };
        let places = grid.units_of(cell).iter().map(in_unit);
        builder.option(std::iter::once(ItemId(cell as u32)).chain(places).chain(more));
    }
    // The only possible error is that there are no cells; the empty problem is right for that.
    builder.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use galop_cover::{ItemId, OptionId};

    use crate::grid::{NON_CONSECUTIVE, Rules, Variant};

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
        assert_eq!(cover.option_text(OptionId(9 * 14 + 4)).to_string(), "r2c6 r2=5 c6=5 b2=5");
        let mut degrees = vec![0; cover.item_count()];
        cover.options().flatten().for_each(|term| degrees[term.item.index()] += 1);
        assert!(degrees.iter().all(|&degree| degree == 9));
    }

    /// Each pair of cells that differ has an item for each of the six symbols.
    #[test]
    fn pairs_are_secondary_items() {
        let rules = "diagonal+anti-king".parse::<Variant>().unwrap().rules(6).unwrap();
        let (cover, pairs) = (rules.cover(), rules.grid().different().len());
        assert_eq!(cover.item_count() - cover.primary_count(), 6 * pairs);
        let text = cover.option_text(OptionId(6 * 8)).to_string();
        assert_eq!(text, "r2c3 r2=1 c3=1 b1=1 r1c4/r2c3=1 r2c3/r3c2=1 r2c3/r3c4=1");
        let rules = Rules::new(NON_CONSECUTIVE, 6, None).unwrap();
        let text = rules.cover().option_text(OptionId(0)).to_string();
        assert_eq!(text, "r1c1 r1=1 c1=1 b1=1 r1c1=1/r1c2=2 r1c1=1/r2c1=2");
    }
}

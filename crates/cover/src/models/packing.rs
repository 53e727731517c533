//! Pieces of unit cubes packed into a box: the common part of pentominoes and the Soma cube.
//!
//! The items are the pieces, each used once, and the free cells of the box. An option is a piece at one place: rotated
//! in any way that space allows, and moved. So a flat piece may be turned over. In a box of one layer the rotations
//! that stand upright do not fit: only rotations in the plane remain.
//!
//! Source: Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1, "polyominoes" and "polycubes".

use std::collections::{BTreeMap, BTreeSet};

use crate::problem::BuildError;
use crate::{ExactCover, ItemId};

/// A cell as layer, row and column.
pub(super) type Cell = [i32; 3];

/// The problem of packing `pieces` into `cells`; both have names.
pub(super) fn pack(
    pieces: &[(&str, Vec<Cell>)],
    cells: impl IntoIterator<Item = (Cell, String)>,
) -> Result<ExactCover, BuildError> {
    let mut builder = ExactCover::builder();
    let items: Vec<ItemId> = pieces.iter().map(|(name, _)| builder.primary(name)).collect();
    let cells: BTreeMap<Cell, ItemId> =
        cells.into_iter().map(|(cell, name)| (cell, builder.primary(&name))).collect();
    for ((_, shape), item) in pieces.iter().zip(items) {
        for turned in turns(shape) {
            for corner in cells.keys() {
                let placed = turned.iter().map(|&cell| cells.get(&moved(cell, *corner)).copied());
                if let Some(placed) = placed.collect::<Option<Vec<ItemId>>>() {
                    builder.option(std::iter::once(item).chain(placed));
                }
            }
        }
    }
    builder.finish()
}

fn moved(cell: Cell, by: Cell) -> Cell {
    [cell[0] + by[0], cell[1] + by[1], cell[2] + by[2]]
}

/// All rotations of a shape, each with its smallest cell at the origin. Quarter turns about two axes generate them.
fn turns(shape: &[Cell]) -> BTreeSet<Vec<Cell>> {
    let quarters: [fn(Cell) -> Cell; 2] = [|[x, y, z]| [x, -z, y], |[x, y, z]| [z, y, -x]];
    let (mut found, mut open) = (BTreeSet::new(), vec![shape.to_vec()]);
    while let Some(shape) = open.pop() {
        let [x, y, z] = shape.iter().min().copied().unwrap_or_default();
        let mut shape: Vec<Cell> = shape.iter().map(|&cell| moved(cell, [-x, -y, -z])).collect();
        shape.sort_unstable();
        if found.insert(shape.clone()) {
            open.extend(quarters.map(|turn| shape.iter().copied().map(turn).collect()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_has_24_turns_divided_by_its_symmetries() {
        assert_eq!(turns(&[[0, 0, 0]]).len(), 1);
        assert_eq!(turns(&[[0, 0, 0], [0, 0, 1]]).len(), 3);
        assert_eq!(turns(&[[0, 0, 0], [0, 0, 1], [0, 1, 0]]).len(), 12);
        assert_eq!(turns(&[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0]]).len(), 24);
    }
}

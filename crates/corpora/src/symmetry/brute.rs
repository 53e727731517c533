//! Canonical forms by trying every symmetry: the plain version, which 4x4 and 6x6 use, and the oracle of the fast ones.

use std::cmp::Ordering;

use super::shape::{LINES, Shape, unchanged};
use super::transformation::Symmetry;

/// The orders of rows and of columns of a shape.
#[derive(Clone, Debug)]
pub(super) struct Brute {
    shape: Shape,
    rows: Vec<[u8; LINES]>,
    columns: Vec<[u8; LINES]>,
}

impl Brute {
    pub(super) fn new(shape: Shape) -> Brute {
        Brute { shape, rows: shape.row_orders(), columns: shape.column_orders() }
    }

    /// Writes the least image of `cells` to `least`. Gives one symmetry that leads there, and the number of all that
    /// move cells differently. Symbols are named by their first appearance.
    pub(super) fn least(&self, cells: &[u8], least: &mut [u8]) -> (Symmetry, u32) {
        least.fill(u8::MAX);
        let (mut found, mut ways) = (Symmetry::unit(self.shape), 0);
        self.each(cells, |image, symmetry| match (*image).cmp(least) {
            Ordering::Greater => {}
            Ordering::Equal => ways += 1,
            Ordering::Less => {
                least.copy_from_slice(image);
                (found, ways) = (symmetry(), 1);
            }
        });
        (found, ways)
    }

    /// Of the symmetries that lead from `grid` to `least`: writes the least image of `clues` to `image`, and gives what
    /// [`least`](Self::least) gives.
    pub(super) fn least_clues(
        &self,
        grid: &[u8],
        least: &[u8],
        clues: &[u8],
        image: &mut [u8],
    ) -> (Symmetry, u32) {
        image.fill(u8::MAX);
        let (mut found, mut ways) = (Symmetry::unit(self.shape), 0);
        let mut other = vec![0; clues.len()];
        self.each(grid, |grid, symmetry| {
            if *grid == *least && symmetry().apply(clues, &mut other).is_ok() {
                if other[..] < *image {
                    image.copy_from_slice(&other);
                    (found, ways) = (symmetry(), 0);
                }
                ways += u32::from(other[..] == *image);
            }
        });
        (found, ways)
    }

    /// Calls `see` with images of `cells` under the symmetries that move cells, but not with those that are larger than
    /// one before; and with what makes the symmetry.
    fn each(&self, cells: &[u8], mut see: impl FnMut(&[u8], &dyn Fn() -> Symmetry)) {
        let side = self.shape.side;
        let mut image = vec![0; cells.len()];
        let mut least = vec![u8::MAX; cells.len()];
        for is_transposed in [false, true].into_iter().take(1 + usize::from(self.shape.can_transpose())) {
            let (row, column) = if is_transposed { (1, side) } else { (side, 1) };
            for rows in &self.rows {
                'columns: for columns in &self.columns {
                    let (mut names, mut next, mut is_less) = ([0; LINES], 0, false);
                    for cell in 0..cells.len() {
                        let (from, across) = (rows[cell / side], columns[cell % side]);
                        let symbol = cells[row * usize::from(from) + column * usize::from(across)];
                        let name = &mut names[usize::from(symbol) % LINES];
                        if symbol != 0 && *name == 0 {
                            next += 1;
                            *name = next;
                        }
                        image[cell] = *name;
                        if !is_less && *name > least[cell] {
                            continue 'columns;
                        }
                        is_less |= *name < least[cell];
                    }
                    if is_less {
                        least.copy_from_slice(&image);
                    }
                    see(&image, &|| Symmetry {
                        side: side as u8,
                        is_transposed,
                        rows: *rows,
                        columns: *columns,
                        digits: complete(names, side),
                    });
                }
            }
        }
    }
}

/// The names, with those that are left over for the symbols that have none, ascending.
pub(super) fn complete(names: [u8; LINES], side: usize) -> [u8; LINES] {
    let mut all = unchanged();
    let mut left = (1..=side as u8).filter(|name| !names[1..=side].contains(name));
    for symbol in 1..=side {
        all[symbol] = match names[symbol] {
            0 => left.next().unwrap_or(symbol as u8),
            name => name,
        };
    }
    all
}

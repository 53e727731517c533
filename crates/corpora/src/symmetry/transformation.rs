//! One symmetry: what it does to cells, its inverse, and two of them after each other.
//!
//! ```text
//! image[i][j] = name of before[rows[i]][columns[j]]          if not transposed
//!               name of before[columns[j]][rows[i]]          if transposed
//! ```

use std::fmt;

use super::shape::{LINES, Shape, unchanged};

/// A transformation of the cells of a sudoku that keeps its rules: bands, stacks, and rows and columns within them
/// change places, the grid is transposed, the symbols get other names.
///
/// ```
/// use galop_corpora::symmetry::Symmetries;
/// use galop_engines::Rules;
///
/// let symmetry = Symmetries::new(&Rules::default(), 1)?.get(0, 0);
/// assert_eq!(symmetry.to_string(), "t-r123987654-c213456879-d731456982");
/// let mut grid = [0; 81];
/// grid[1] = 1; // A 1 in the first row and second column ...
/// let mut image = [0; 81];
/// symmetry.apply(&grid, &mut image)?;
/// assert_eq!(image[10], 7); // ... becomes a 7 in the second row and second column.
/// let mut back = [0; 81];
/// symmetry.inverse().apply(&image, &mut back)?;
/// assert_eq!(back, grid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # The notation
/// `t-`, if the grid is transposed first; then `r` and for each new row the old row that it is made of (after the
/// transposition); `-c` and the same of columns; `-d` and for each old digit its new name. Rows, columns and digits
/// count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(16))]
pub struct Symmetry {
    /// The old row of each new row, from 0. Lines from `side` on are as in [`unchanged`].
    pub(super) rows: [u8; LINES],
    /// The old column of each new column.
    pub(super) columns: [u8; LINES],
    /// The new name of each symbol. The blank, 0, stays.
    pub(super) digits: [u8; LINES],
    pub(super) side: u8,
    pub(super) is_transposed: bool,
}

/// A symmetry was given cells, or another symmetry, of another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} cells where the symmetry has {expected}")]
pub struct WrongSize {
    /// The number of cells that were given, or that fit the other symmetry.
    pub found: usize,
    /// The number of cells of the symmetry.
    pub expected: usize,
}

impl Symmetry {
    /// The symmetry that changes nothing.
    pub(super) fn unit(shape: Shape) -> Symmetry {
        let lines = unchanged();
        Symmetry { rows: lines, columns: lines, digits: lines, side: shape.side as u8, is_transposed: false }
    }

    /// The number of cells of the grids that it is a symmetry of: 16, 36 or 81.
    pub(super) fn cells(&self) -> usize {
        usize::from(self.side) * usize::from(self.side)
    }

    /// Writes the image of `cells` (row-major; 0 is a blank and stays one) to `image`. Bytes that are no symbols stay
    /// what they are.
    ///
    /// [`Images`](super::Images) does the same with many grids, several times as fast.
    ///
    /// # Errors
    /// [`WrongSize`] if either has another number of cells than the symmetry; nothing is written then.
    pub fn apply(&self, cells: &[u8], image: &mut [u8]) -> Result<(), WrongSize> {
        let expected = self.cells();
        if let Some(found) = [cells.len(), image.len()].into_iter().find(|&found| found != expected) {
            return Err(WrongSize { found, expected });
        }
        let side = usize::from(self.side);
        let (row, column) = if self.is_transposed { (1, side) } else { (side, 1) };
        for (out, &from) in image.chunks_exact_mut(side).zip(&self.rows) {
            for (out, &across) in out.iter_mut().zip(&self.columns) {
                let symbol = cells[row * usize::from(from) + column * usize::from(across)];
                *out = self.digits.get(usize::from(symbol)).copied().unwrap_or(symbol);
            }
        }
        Ok(())
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Symmetry {
        let (rows, columns) = (inverse(&self.rows), inverse(&self.columns));
        let (rows, columns) = if self.is_transposed { (columns, rows) } else { (rows, columns) };
        Symmetry { rows, columns, digits: inverse(&self.digits), ..*self }
    }

    /// This symmetry, and `next` after it.
    ///
    /// # Errors
    /// [`WrongSize`] if `next` is a symmetry of grids of another size.
    pub(crate) fn then(&self, next: &Symmetry) -> Result<Symmetry, WrongSize> {
        if next.side != self.side {
            return Err(WrongSize { found: next.cells(), expected: self.cells() });
        }
        // What `next` takes for rows was made of columns if it transposes.
        let (rows, columns) =
            if next.is_transposed { (&self.columns, &self.rows) } else { (&self.rows, &self.columns) };
        Ok(Symmetry {
            side: self.side,
            is_transposed: self.is_transposed != next.is_transposed,
            rows: after(rows, &next.rows),
            columns: after(columns, &next.columns),
            digits: after(&next.digits, &self.digits),
        })
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As one text, so that widths of formats hold.
        let mut word = Vec::new();
        self.push_word(&mut word);
        f.pad(&String::from_utf8_lossy(&word))
    }
}

impl Symmetry {
    /// Appends the word of this symmetry to `out`.
    pub(crate) fn push_word(&self, out: &mut Vec<u8>) {
        if self.is_transposed {
            out.extend_from_slice(b"t-");
        }
        let side = usize::from(self.side);
        for (letter, numbers, first) in [
            (&b"r"[..], &self.rows[..side], b'1'),
            (b"-c", &self.columns[..side], b'1'),
            (b"-d", &self.digits[1..=side], b'0'),
        ] {
            out.extend_from_slice(letter);
            out.extend(numbers.iter().map(|number| first + number));
        }
    }
}

/// The order `places` of the lines `order`: place `i` is `order[places[i]]`.
fn after(order: &[u8; LINES], places: &[u8; LINES]) -> [u8; LINES] {
    places.map(|place| order[usize::from(place) % LINES])
}

fn inverse(order: &[u8; LINES]) -> [u8; LINES] {
    let mut inverse = [0; LINES];
    for (place, &line) in order.iter().enumerate() {
        inverse[usize::from(line) % LINES] = place as u8;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::super::Symmetries;
    use super::*;

    fn image(symmetry: &Symmetry, cells: &[u8]) -> Vec<u8> {
        let mut image = vec![0; cells.len()];
        symmetry.apply(cells, &mut image).unwrap();
        image
    }

    #[test]
    fn inverses_undo_and_products_are_one_after_the_other() {
        for shape in Shape::ALL {
            let symmetries = Symmetries::of(shape, 5);
            let identity = Symmetry::unit(shape);
            let cells: Vec<u8> =
                (0..shape.cells()).map(|cell| (cell * cell % (shape.side + 1)) as u8).collect();
            for record in 0..200 {
                let (one, other) = (symmetries.get(record, 0), symmetries.get(record, 1));
                assert_eq!(one.then(&one.inverse()), Ok(identity));
                assert_eq!(one.inverse().then(&one), Ok(identity));
                let both = one.then(&other).unwrap();
                assert_eq!(image(&both, &cells), image(&other, &image(&one, &cells)));
                assert_eq!(both.inverse(), other.inverse().then(&one.inverse()).unwrap());
            }
        }
    }

    #[test]
    fn other_sizes_are_refused_and_other_bytes_stay() {
        let nine = Symmetry::unit(Shape::NINE);
        let four = Symmetry::unit(Shape::ALL[0]);
        let error = WrongSize { found: 16, expected: 81 };
        assert_eq!(nine.then(&four), Err(error));
        assert_eq!(nine.apply(&[0; 16], &mut [0; 81]), Err(error));
        assert_eq!(nine.apply(&[0; 81], &mut [0; 16]), Err(error));
        assert_eq!(error.to_string(), "16 cells where the symmetry has 81");
        let bytes: Vec<u8> = (0..81).map(|byte| 3 * byte).collect();
        assert_eq!(image(&nine, &bytes), bytes);
    }

    #[test]
    fn words_fill_the_width_of_a_format() {
        let four = Symmetry::unit(Shape::ALL[0]);
        assert_eq!(format!("{four:>20}"), "   r1234-c1234-d1234");
    }
}

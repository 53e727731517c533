//! The images of many grids at once.

use galop_simd::{Isa, Job, MissingIsa, Simd};

use super::board;
use super::transformation::{Symmetry, WrongSize};

/// Writes images of grids of 9x9 with vectors of the machine, and others cell by cell.
///
/// ```
/// use galop_corpora::symmetry::{Images, Symmetries, Symmetry};
/// use galop_engines::Rules;
///
/// let mut symmetries: Vec<Symmetry> = Vec::new();
/// Symmetries::new(&Rules::default(), 7)?.fill(0, 0..100, &mut symmetries);
/// let (puzzles, mut images) = (vec![0; 8100], vec![0; 8100]);
/// Images::new().write(&symmetries, &puzzles, &mut images)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Images {
    isa: Isa,
}

impl Default for Images {
    fn default() -> Images {
        Images::new()
    }
}

impl Images {
    /// With the fastest instruction set of this machine.
    pub fn new() -> Images {
        Images { isa: Isa::best() }
    }

    /// With this instruction set. The images are the same.
    ///
    /// # Errors
    /// [`MissingIsa`] if this machine lacks it.
    pub fn with_isa(isa: Isa) -> Result<Images, MissingIsa> {
        isa.check().map(|()| Images { isa })
    }

    /// Writes the image of each grid of `cells` under the symmetry of the same place to `images`. Cells that are no
    /// symbols of the size, nor 0, are undefined in the image.
    ///
    /// # Errors
    /// [`WrongSize`] unless both have as many cells as all the symmetries. The images before the first symmetry of
    /// another size are written then.
    pub fn write(&self, symmetries: &[Symmetry], cells: &[u8], images: &mut [u8]) -> Result<(), WrongSize> {
        let expected = symmetries.iter().map(Symmetry::cells).sum();
        if let Some(found) = [cells.len(), images.len()].into_iter().find(|&found| found != expected) {
            return Err(WrongSize { found, expected });
        }
        // It was available when this value was made.
        self.isa.run(Write { symmetries, cells, images }).unwrap_or(Ok(()))
    }
}

struct Write<'a> {
    symmetries: &'a [Symmetry],
    cells: &'a [u8],
    images: &'a mut [u8],
}

impl Job for Write<'_> {
    type Output = Result<(), WrongSize>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Result<(), WrongSize> {
        let Write { symmetries, cells, images } = self;
        if symmetries.iter().all(|symmetry| symmetry.side == 9) {
            let (cells, images) = (cells.as_chunks().0, images.as_chunks_mut().0);
            for ((symmetry, cells), image) in symmetries.iter().zip(cells).zip(images) {
                board::apply::<S::Bytes>(symmetry, cells, image);
            }
            return Ok(());
        }
        let (mut cells, mut images) = (cells, images);
        for symmetry in symmetries {
            let (grid, rest) = cells.split_at(symmetry.cells());
            let (image, others) = images.split_at_mut(symmetry.cells());
            symmetry.apply(grid, image)?;
            (cells, images) = (rest, others);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Symmetries;
    use super::super::shape::Shape;
    use super::*;
    use galop_testing::available::isas;

    #[test]
    fn images_are_those_of_each_symmetry() {
        for isa in isas() {
            let images = Images::with_isa(isa).unwrap();
            for shapes in [vec![Shape::NINE], Shape::ALL.to_vec()] {
                let of =
                    |record: u64| Symmetries::of(shapes[record as usize % shapes.len()], 1).get(record, 0);
                let symmetries: Vec<Symmetry> = (0..60).map(of).collect();
                let (mut cells, mut expected) = (Vec::new(), Vec::new());
                for symmetry in &symmetries {
                    let symbol = |cell: usize| (cell * cell + cells.len()) % (usize::from(symmetry.side) + 1);
                    let grid: Vec<u8> = (0..symmetry.cells()).map(|cell| symbol(cell) as u8).collect();
                    let mut image = grid.clone();
                    symmetry.apply(&grid, &mut image).unwrap();
                    cells.extend(grid);
                    expected.extend(image);
                }
                let mut out = vec![0; cells.len()];
                images.write(&symmetries, &cells, &mut out).unwrap();
                assert_eq!(out, expected);
                let error = WrongSize { found: 1, expected: cells.len() };
                assert_eq!(images.write(&symmetries, &cells, &mut [0]), Err(error));
                assert_eq!(images.write(&symmetries, &[0], &mut out), Err(error));
            }
        }
    }
}

//! The jigsaw: rows, columns, and regions of any shape, given by a map.
//!
//! ```text
//! aaabbbccc     a map: one character per cell, the same for all cells of a region,
//! aaabbbccc     on one line or several; white space and lines that begin with #
//! ...           are skipped
//! ```

use super::error::{RegionsError, RegionsFault};
use super::{Grid, Kind, latin, sizes};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "jigsaw",
    about: "rows, columns, and the regions of a map, 4x4 to 25x25",
    sizes: sizes!("jigsaw": 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25),
    grid: |side, regions| {
        let regions = regions.filter(|regions| regions.side == side)?;
        let units = latin::units(side).into_iter().chain(regions.cells.iter().cloned()).collect();
        Some(Grid::new(side * side, side as u8, units))
    },
};

/// The regions of a jigsaw: n regions of n cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    side: usize,
    cells: Vec<Vec<usize>>,
}

/// A region while its map is read.
struct Region {
    /// Its character.
    name: u8,
    cells: Vec<usize>,
    /// The line and column of each cell.
    places: Vec<(u64, u64)>,
}

impl Regions {
    /// Reads a map. The regions are numbered in the order of their first cells.
    ///
    /// # Errors
    /// If the map is not a square of 4x4 to 25x25 cells, or if a region has more or fewer cells than a row.
    pub fn read(map: &[u8]) -> Result<Regions, RegionsError> {
        let mut regions: Vec<Region> = Vec::new();
        let (mut count, mut last) = (0, (1, 1));
        for (number, line) in (1..).zip(map.split(|&byte| byte == b'\n')) {
            if line.trim_ascii_start().starts_with(b"#") {
                continue;
            }
            for (column, &name) in (1..).zip(line).filter(|(_, byte)| !byte.is_ascii_whitespace()) {
                if !name.is_ascii_graphic() {
                    return Err(fault((number, column), RegionsFault::Character(name)));
                }
                let at = regions.iter().position(|region| region.name == name).unwrap_or_else(|| {
                    regions.push(Region { name, cells: Vec::new(), places: Vec::new() });
                    regions.len() - 1
                });
                regions[at].cells.push(count);
                regions[at].places.push((number, column));
                (count, last) = (count + 1, (number, column));
            }
        }
        let side = count.isqrt();
        if side * side != count || !KIND.sizes.iter().any(|size| size.side == side) {
            return Err(fault(last, RegionsFault::Cells { found: count }));
        }
        for region in &regions {
            let (name, found) = (char::from(region.name), region.cells.len());
            // The first cell too many, or the first cell of a region with too few.
            let place = if found > side { region.places[side] } else { region.places[0] };
            if found != side {
                return Err(fault(place, RegionsFault::Region { name, found, expected: side }));
            }
        }
        Ok(Regions { side, cells: regions.into_iter().map(|region| region.cells).collect() })
    }

    /// Cells of a row, which is also the number of cells of a region.
    pub fn side(&self) -> usize {
        self.side
    }
}

fn fault((line, column): (u64, u64), fault: RegionsFault) -> RegionsError {
    RegionsError { line, column, fault }
}

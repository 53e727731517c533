//! Maps: the regions of a jigsaw, and extra regions of any kind.
//!
//! ```text
//! aaabbbccc     a map of regions: one character per cell, the same for all cells of a
//! aaabbbccc     region, on one line or several; white space, commas and lines that begin with #
//! ...           are skipped
//!
//! aaa...bbb     a map of extra regions: cells with a dot are in none; several maps
//! aaa.c.bbb     may overlap
//! ...
//! ```

use super::error::{RegionsError, RegionsFault};
use super::latin;

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
        let (side, cells) = read(map, None)?;
        Ok(Regions { side, cells })
    }

    /// Cells of a row, which is also the number of cells of a region.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The cells of each region.
    pub(super) fn cells(&self) -> &[Vec<usize>] {
        &self.cells
    }
}

/// Extra regions of n cells each, which are apart from each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraRegions {
    side: usize,
    cells: Vec<Vec<usize>>,
}

impl ExtraRegions {
    /// Reads a map in which a dot is a cell in no region. The regions are numbered in the order of their first cells.
    ///
    /// # Errors
    /// If the map is not a square of 4x4 to 25x25 cells, or if a region has more or fewer cells than a row.
    pub fn read(map: &[u8]) -> Result<ExtraRegions, RegionsError> {
        let (side, cells) = read(map, Some(b'.'))?;
        Ok(ExtraRegions { side, cells })
    }

    /// Cells of a row, which is also the number of cells of a region.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The cells of each region.
    pub(super) fn cells(&self) -> &[Vec<usize>] {
        &self.cells
    }
}

/// The side length and the regions of a map. Cells with the character `no_region` are in none.
fn read(map: &[u8], no_region: Option<u8>) -> Result<(usize, Vec<Vec<usize>>), RegionsError> {
    let mut regions: Vec<Region> = Vec::new();
    let (mut count, mut last) = (0, (1, 1));
    for (number, line) in (1..).zip(map.split(|&byte| byte == b'\n')) {
        if line.trim_ascii_start().starts_with(b"#") {
            continue;
        }
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
        for (column, &name) in (1..).zip(line).filter(|(_, byte)| !is_between(byte)) {
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
    if side * side != count || !latin::SIDES.contains(&side) {
        return Err(fault(last, RegionsFault::Cells { found: count }));
    }
    regions.retain(|region| Some(region.name) != no_region);
    for region in &regions {
        let (name, found) = (char::from(region.name), region.cells.len());
        // The first cell too many, or the first cell of a region with too few.
        let place = if found > side { region.places[side] } else { region.places[0] };
        if found != side {
            return Err(fault(place, RegionsFault::Region { name, found, expected: side }));
        }
    }
    Ok((side, regions.into_iter().map(|region| region.cells).collect()))
}

fn fault((line, column): (u64, u64), fault: RegionsFault) -> RegionsError {
    RegionsError { line, column, fault }
}

//! What the sweeps of a grid know of it.

use super::shape::{MOST_SIDE, Measured};
use crate::grid::{Grid, Leftovers, second_block, without_windows};

/// The cells of a unit.
pub(super) type Unit = [u8; MOST_SIDE];

/// The most extra units; `Slice::once` has room for them.
const MOST_EXTRA: usize = 64;

/// What the sweeps and the choice know of a grid. Cells and units are numbers of eight bits, so that a kernel need not
/// take them modulo the size of a table.
pub(super) struct Tables {
    pub(super) side: usize,
    pub(super) form: Form,
    /// The regions or blocks. A Latin square has its rows here.
    pub(super) regions: Vec<Unit>,
    /// By cell: the index of its region.
    pub(super) region_of: Vec<u8>,
    /// Units besides rows, columns, blocks or regions, and windows.
    pub(super) extra: Vec<Unit>,
    /// Two sets of cells each: a symbol is in one if and only if it is in the other.
    pub(super) leftovers: Vec<[Vec<u8>; 2]>,
    /// Pairs of cells that differ although no unit holds both.
    pub(super) different: Vec<[u8; 2]>,
    /// By symbol, for each candidate of it that excludes others: its cell, and the bit of the other candidate.
    pub(super) excluded: Vec<Vec<(u8, u16)>>,
    /// A candidate, and the candidates of another cell, or of a symbol in a unit, that may be in one solution with it. It
    /// needs one of them.
    pub(super) needs: Vec<(u16, Vec<u16>)>,
    /// All units.
    pub(super) units: Vec<Unit>,
    /// The number of units, from the first one on, in which a sweep finds equal clues.
    pub(super) checked: usize,
    /// By cell: its first three units, or a number behind the last unit; the other ones.
    pub(super) three_units: Vec<[u8; 3]>,
    pub(super) other_units: Vec<Vec<u8>>,
}

/// The form of a grid: which sweep it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Rectangular blocks of that many rows and columns: 2x2, 2x3, 3x3 or 3x4.
    Blocks { rows: usize, columns: usize },
    /// Two systems of blocks of 9x9.
    Windows,
    /// Regions of other forms, also rectangles of other measures.
    Regions,
    /// Rows and columns only.
    Lines,
}

/// The form of a grid, and its units by what they are.
pub(super) struct Layout<'a> {
    form: Form,
    /// The blocks or regions; none in a Latin square.
    parts: &'a [Vec<usize>],
    /// Units besides rows, columns, parts and windows.
    extra: &'a [Vec<usize>],
}

impl<'a> Layout<'a> {
    /// The layout of a grid; `None` if there is no kind for it: it must be square, with 4 to 15 symbols.
    pub(super) fn of(grid: &'a Grid) -> Option<Layout<'a>> {
        let (side, units) = (grid.side(), grid.units());
        if !(4..=MOST_SIDE).contains(&side)
            || grid.cells() != side * side
            || usize::from(grid.symbols()) != side
            || units.len() < 2 * side
            || units.iter().any(|unit| unit.len() != side)
        {
            return None;
        }
        let block = grid.block();
        let (parts, extra) = units[2 * side..].split_at(grid.parts());
        let (form, extra) = match block {
            _ if parts.is_empty() => (Form::Lines, extra),
            Some((rows @ 2..=3, columns)) if columns == rows || columns == rows + 1 => {
                match without_windows(side, extra) {
                    Some(other) => (Form::Windows, other),
                    None => (Form::Blocks { rows, columns }, extra),
                }
            }
            _ => (Form::Regions, extra),
        };
        (extra.len() <= MOST_EXTRA).then_some(Layout { form, parts, extra })
    }
}

impl Tables {
    /// The tables of a grid; `None` if it has no [`Layout`].
    pub(super) fn new(grid: &Grid) -> Option<Tables> {
        let Layout { form, parts, extra } = Layout::of(grid)?;
        let (side, units) = (grid.side(), grid.units());
        let unit = |cells: &Vec<usize>| {
            let mut unit = [0; MOST_SIDE];
            unit.iter_mut().zip(cells).for_each(|(place, &cell)| *place = cell as u8);
            unit
        };
        let cells = |cells: &Vec<usize>| cells.iter().map(|&cell| cell as u8).collect();
        // For the kernel of regions, rows are the regions of a grid without regions.
        let regions = if form == Form::Lines { &units[..side] } else { parts };
        let mut region_of = vec![0; grid.cells()];
        for (number, region) in regions.iter().enumerate() {
            region.iter().for_each(|&cell| region_of[cell] = number as u8);
        }
        let mut leftovers = Leftovers::new(side);
        if form == Form::Regions {
            for part in parts {
                units[..2 * side].iter().for_each(|line| leftovers.add(part, line));
            }
            leftovers.add_spans(units, parts);
        }
        for one in extra {
            parts.iter().for_each(|part| leftovers.add(one, part));
        }
        let (mut three_units, mut other_units) = (Vec::new(), Vec::new());
        // What the windows imply: the other five units of the second system of blocks.
        let implied = [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)].map(|(band, stack)| second_block(band, stack));
        let all = [units, if form == Form::Windows { &implied } else { &[] }].concat();
        for cell in 0..grid.cells() {
            let mut of = (0..all.len()).filter(|&unit| all[unit].contains(&cell)).map(|unit| unit as u8);
            three_units.push([(); 3].map(|()| of.next().unwrap_or(all.len() as u8)));
            other_units.push(of.collect());
        }
        // Filters find equal clues in lines, and the sweep of lines finds them in regions as well.
        let checked = match form {
            Form::Regions => 3 * side,
            Form::Blocks { .. } | Form::Windows | Form::Lines => 2 * side,
        };
        Some(Tables {
            side,
            form,
            regions: regions.iter().map(unit).collect(),
            region_of,
            extra: extra.iter().map(unit).collect(),
            leftovers: leftovers.found().iter().map(|rests| rests.each_ref().map(cells)).collect(),
            different: grid.different().iter().map(|pair| pair.map(|cell| cell as u8)).collect(),
            excluded: excluded(grid),
            needs: needs(grid),
            units: all.iter().map(unit).collect(),
            three_units,
            other_units,
            checked,
        })
    }

    /// Cells, which is also the number of bits from one symbol to the next.
    #[inline(always)]
    pub(super) fn cells(&self) -> usize {
        self.side * self.side
    }

    /// The measures.
    pub(super) fn measures(&self) -> Measured {
        let (rows, columns) = match self.form {
            Form::Blocks { rows, columns } => (rows, columns),
            Form::Windows => (3, 3),
            Form::Regions | Form::Lines => (1, 1),
        };
        Measured { side: self.side, rows, columns }
    }

    /// Whether sweeps must look at lists.
    #[inline(always)]
    pub(super) fn has_lists(&self) -> bool {
        !(self.extra.is_empty()
            && self.leftovers.is_empty()
            && self.different.is_empty()
            && self.needs.is_empty())
    }

    /// Whether the first sweep of a round asks which cells are single.
    #[inline(always)]
    pub(super) fn needs_single(&self) -> bool {
        matches!(self.form, Form::Lines | Form::Regions) || self.has_lists()
    }
}

/// The bit of a candidate in a state: all cells of a symbol are side by side.
fn bit(grid: &Grid, candidate: usize) -> u16 {
    let (cell, symbol) = grid.cell_and_symbol(candidate);
    (grid.cells() * usize::from(symbol - 1) + cell) as u16
}

/// See [`Tables::excluded`].
fn excluded(grid: &Grid) -> Vec<Vec<(u8, u16)>> {
    let by_symbol = |symbol: u8| {
        let of_cell = |cell: usize| {
            let excluded = grid.excluded_by(grid.candidate(cell, symbol)).iter();
            excluded.map(move |&other| (cell as u8, bit(grid, other)))
        };
        (0..grid.cells()).flat_map(of_cell).collect()
    };
    (1..=grid.symbols()).map(by_symbol).collect()
}

/// See [`Tables::needs`]: of a cell that has candidates which exclude others, and of units of which pairs exclude all
/// other cells.
fn needs(grid: &Grid) -> Vec<(u16, Vec<u16>)> {
    let mut needs = needs_of_units(grid);
    for candidate in 0..grid.cells() * usize::from(grid.symbols()) {
        let excluded = grid.excluded_by(candidate);
        let (cell, symbol) = grid.cell_and_symbol(candidate);
        let mut others: Vec<usize> = excluded.iter().map(|&other| grid.cell_and_symbol(other).0).collect();
        others.dedup();
        for other in others {
            let is_possible = |&held: &u8| {
                !excluded.contains(&grid.candidate(other, held))
                    && (held != symbol || grid.peers(cell).binary_search(&other).is_err())
            };
            let possible = (1..=grid.symbols()).filter(is_possible);
            let possible = possible.map(|symbol| bit(grid, grid.candidate(other, symbol))).collect();
            needs.push((bit(grid, candidate), possible));
        }
    }
    needs
}

/// A symbol in a cell needs a place in each unit, outside the peers of the cell. Blocks and lines are looked at by
/// sweeps, so only units with a cell that is a peer by a pair count, and only if the cell excludes three of their cells
/// or more: with two, minimal anti-kings took a tenth longer. Without this, they took three times as long, anti-knights
/// as well, and both together 80 times.
fn needs_of_units(grid: &Grid) -> Vec<(u16, Vec<u16>)> {
    let mut partners = vec![Vec::new(); grid.cells()];
    for &[one, other] in grid.different() {
        partners[one].push(other);
        partners[other].push(one);
    }
    let mut needs = Vec::new();
    for (cell, partners) in partners.iter().enumerate() {
        let is_paired = |unit: &&Vec<usize>| partners.iter().any(|other| unit.contains(other));
        for unit in grid.units().iter().filter(is_paired).filter(|unit| !unit.contains(&cell)) {
            let is_open = |other: &&usize| grid.peers(cell).binary_search(other).is_err();
            let open: Vec<usize> = unit.iter().filter(is_open).copied().collect();
            if open.len() + 3 <= unit.len() {
                needs.extend((1..=grid.symbols()).map(|symbol| {
                    let places = open.iter().map(|&other| bit(grid, grid.candidate(other, symbol)));
                    (bit(grid, grid.candidate(cell, symbol)), places.collect())
                }));
            }
        }
    }
    needs
}

//! What the sweeps of a grid know of it.

use super::shape::{MOST_SIDE, Measured, WINDOWS};
use crate::grid::Grid;

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
        let has_parts = block.is_none_or(|(rows, _)| rows != side);
        let (parts, extra) = units[2 * side..].split_at_checked(if has_parts { side } else { 0 })?;
        let (form, extra) = match block {
            _ if !has_parts => (Form::Lines, extra),
            Some((rows @ 2..=3, columns)) if columns == rows || columns == rows + 1 => {
                match windows(side, extra) {
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
        // For the kernel of regions, rows are the regions of a grid without regions.
        let regions = if form == Form::Lines { &units[..side] } else { parts };
        let mut region_of = vec![0; grid.cells()];
        for (number, region) in regions.iter().enumerate() {
            region.iter().for_each(|&cell| region_of[cell] = number as u8);
        }
        let mut leftovers = Leftovers { side, found: Vec::new() };
        if form == Form::Regions {
            leftovers.of_regions(units, parts);
        }
        for one in extra {
            parts.iter().for_each(|part| leftovers.add(one, part));
        }
        let (mut three_units, mut other_units) = (Vec::new(), Vec::new());
        let all: Vec<Vec<usize>> = units
            .iter()
            .cloned()
            .chain((form == Form::Windows).then(implied_windows).into_iter().flatten())
            .collect();
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
            leftovers: leftovers.found,
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
        !(self.extra.is_empty() && self.leftovers.is_empty())
    }

    /// Whether the first sweep of a round asks which cells are single.
    #[inline(always)]
    pub(super) fn needs_single(&self) -> bool {
        matches!(self.form, Form::Lines | Form::Regions) || self.has_lists()
    }
}

/// The extra units behind the four windows of a windoku, if it begins with them.
fn windows(side: usize, extra: &[Vec<usize>]) -> Option<&[Vec<usize>]> {
    let (windows, other) = (side == 9).then(|| extra.split_at_checked(4))??;
    let is_window = |number: usize| sorted(&windows[number]) == sorted(&window(number / 2, number % 2));
    (0..4).all(is_window).then_some(other)
}

/// The other five units of the second system of blocks.
fn implied_windows() -> Vec<Vec<usize>> {
    [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)].map(|(band, stack)| window(band, stack)).into()
}

/// A block of the second system.
fn window(band: usize, stack: usize) -> Vec<usize> {
    let at = |place: usize| 9 * WINDOWS[3 * band + place / 3] + WINDOWS[3 * stack + place % 3];
    (0..9).map(at).collect()
}

fn sorted(cells: &[usize]) -> Vec<usize> {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Collects leftovers.
struct Leftovers {
    side: usize,
    found: Vec<[Vec<u8>; 2]>,
}

impl Leftovers {
    /// The most cells that lines and regions leave of each other: larger rests cost more than they give.
    const MOST: usize = 5;

    /// The leftovers of two units.
    fn add(&mut self, one: &[usize], other: &[usize]) {
        // With one cell in common they say nothing new.
        self.add_up_to(one, other, self.side - 2);
    }

    /// The leftovers of two sets of as many cells, if at most `most` cells of each are left.
    fn add_up_to(&mut self, one: &[usize], other: &[usize], most: usize) {
        let rest = |of: &[usize], without: &[usize]| {
            let mut cells: Vec<u8> =
                of.iter().filter(|cell| !without.contains(cell)).map(|&cell| cell as u8).collect();
            cells.sort_unstable();
            cells
        };
        let rests = [rest(one, other), rest(other, one)];
        if (1..=most).contains(&rests[0].len()) && !self.found.contains(&rests) {
            self.found.push(rests);
        }
    }

    /// Of regions against lines, and of neighbouring lines against as many regions: those that they have most of.
    fn of_regions(&mut self, units: &[Vec<usize>], regions: &[Vec<usize>]) {
        for region in regions {
            units[..2 * self.side].iter().for_each(|line| self.add(region, line));
        }
        let side = self.side;
        let spans = (0..side).flat_map(|from| (from + 2..=side).map(move |to| from..to));
        for span in spans.filter(|span| span.len() < side) {
            for direction in 0..2 {
                let lines: Vec<usize> = units[direction * side..][span.clone()].concat();
                let mut by_share: Vec<(usize, usize)> = regions
                    .iter()
                    .enumerate()
                    .map(|(number, region)| {
                        (region.iter().filter(|cell| lines.contains(cell)).count(), number)
                    })
                    .collect();
                by_share.sort_unstable();
                let most_shared = by_share.iter().rev().take(span.len());
                let regions: Vec<usize> =
                    most_shared.flat_map(|&(_, number)| regions[number].clone()).collect();
                self.add_up_to(&lines, &regions, Self::MOST);
            }
        }
    }
}

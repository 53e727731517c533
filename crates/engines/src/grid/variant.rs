//! Kinds together, with maps and blocks: what a user chooses before the size is known.

use std::fmt;
use std::str::FromStr;

use super::{Constraints, Division, ExtraRegions, Grid, GridError, JIGSAW, KINDS, Kind, Regions, Rules};
use super::{SUDOKU, kind, latin, sudoku};

/// One kind or several, regions of a jigsaw, extra regions, and the measures of blocks. Together with a size they are
/// [`Rules`].
///
/// ```
/// use galop::grid::{ExtraRegions, Variant};
///
/// let both: Variant = "anti-knight+diagonal".parse()?;
/// assert_eq!(both.to_string(), "diagonal+anti-knight");
/// assert_eq!(both.rules(9)?.grid().units().len(), 29);
///
/// // The centre dots of the blocks.
/// let dots: String = (0..81).map(|cell| if cell / 9 % 3 == 1 && cell % 3 == 1 { 'a' } else { '.' }).collect();
/// let centre_dot = Variant::default().with_extra(ExtraRegions::read(dots.as_bytes())?);
/// assert_eq!(centre_dot.rules(9)?.name(), "sudoku+extra");
/// # Ok::<(), galop::grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Variant {
    /// The kind that divides the grid, if it was named: `sudoku`, `latin` or `jigsaw`.
    base: Option<&'static Kind>,
    /// The other kinds, in the order of the table.
    more: Vec<&'static Kind>,
    regions: Option<Regions>,
    extra: Vec<ExtraRegions>,
    blocks: Option<(usize, usize)>,
}

impl From<&'static Kind> for Variant {
    fn from(kind: &'static Kind) -> Variant {
        let mut variant = Variant::default();
        match kind.division {
            Some(_) => variant.base = Some(kind),
            None => variant.more.push(kind),
        }
        variant
    }
}

impl FromStr for Variant {
    type Err = GridError;

    /// Reads the names of kinds, with a plus between them, in any order.
    fn from_str(names: &str) -> Result<Variant, GridError> {
        let mut variant = Variant::default();
        for name in names.split('+') {
            let Some(added) = kind(name) else {
                let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
                return Err(GridError::Kind { name: name.to_owned(), known: known.join(", ") });
            };
            variant = variant.and(added)?;
        }
        Ok(variant)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = match self.base {
            None if self.more.is_empty() => Some(SUDOKU),
            Some(base) if base.name == SUDOKU.name && !self.more.is_empty() => None,
            base => base,
        };
        let kinds = base.iter().chain(&self.more).map(|kind| kind.name);
        let names: Vec<&str> = kinds.chain((!self.extra.is_empty()).then_some("extra")).collect();
        f.write_str(&names.join("+"))
    }
}

impl Variant {
    /// Adds a kind.
    ///
    /// # Errors
    /// [`GridError::Twice`] if it has this kind; [`GridError::Division`] if it has another one that divides the grid.
    pub fn and(mut self, kind: &'static Kind) -> Result<Variant, GridError> {
        if self.base.iter().chain(&self.more).any(|known| known.name == kind.name) {
            return Err(GridError::Twice { kind: kind.name });
        }
        match (self.base, kind.division) {
            (_, None) => {
                self.more.push(kind);
                self.more.sort_by_key(|kind| KINDS.iter().position(|row| row.name == kind.name));
            }
            (None, Some(_)) => self.base = Some(kind),
            (Some(base), Some(_)) => return Err(GridError::Division { kind: base.name, other: kind.name }),
        }
        self.check()
    }

    /// The same with the regions of a jigsaw.
    ///
    /// # Errors
    /// [`GridError::Division`] if a kind or blocks divide the grid in another way.
    pub fn with_regions(mut self, regions: Regions) -> Result<Variant, GridError> {
        self.base = self.base.or(Some(JIGSAW));
        self.regions = Some(regions);
        self.check()
    }

    /// The same with further extra regions. Those of several maps may overlap.
    pub fn with_extra(mut self, regions: ExtraRegions) -> Variant {
        self.extra.push(regions);
        self
    }

    /// The same with blocks of so many rows and columns. The side length is their product.
    ///
    /// # Errors
    /// [`GridError::Blocks`] if there are no such blocks; [`GridError::Division`] if a kind divides the grid in another
    /// way.
    pub fn with_blocks(mut self, rows: usize, columns: usize) -> Result<Variant, GridError> {
        if rows < 2
            || columns < 2
            || !rows.checked_mul(columns).is_some_and(|side| latin::SIDES.contains(&side))
        {
            return Err(GridError::Blocks { rows, columns });
        }
        self.blocks = Some((rows, columns));
        self.check()
    }

    /// Fails if the grid would be divided in two ways.
    fn check(self) -> Result<Variant, GridError> {
        let other = match self.division() {
            Division::Regions => self.blocks.map(|_| "blocks"),
            Division::Lines => self.blocks.map(|_| "blocks").or(self.regions.as_ref().map(|_| "regions")),
            Division::Blocks => self.regions.as_ref().map(|_| "regions"),
        };
        match other {
            Some(other) => Err(GridError::Division { kind: self.base.unwrap_or(SUDOKU).name, other }),
            None => Ok(self),
        }
    }

    fn division(&self) -> Division {
        self.base.and_then(|base| base.division).unwrap_or(Division::Blocks)
    }

    /// Whether the grid has regions of a map, which is still to be given.
    pub fn needs_regions(&self) -> bool {
        self.division() == Division::Regions && self.regions.is_none()
    }

    /// The possible side lengths, ascending; none if the kinds, the blocks and the maps have none in common.
    pub fn sides(&self) -> Vec<usize> {
        let all = match self.blocks {
            Some(_) => latin::SIDES,
            None => self.base.unwrap_or(SUDOKU).sides,
        };
        let blocks = self.blocks.map(|(rows, columns)| rows * columns);
        let maps = self.regions.iter().map(Regions::side).chain(self.extra.iter().map(ExtraRegions::side));
        let only: Vec<usize> = maps.chain(blocks).collect();
        let is_possible = |side: &usize| {
            self.more.iter().all(|kind| kind.sides.contains(side)) && only.iter().all(|only| only == side)
        };
        all.iter().copied().filter(is_possible).collect()
    }

    /// The rules for grids of `side` x `side` cells. `None` is the only possible side, or else 9.
    ///
    /// # Errors
    /// [`GridError::Size`] or [`GridError::NoSize`] if there is no such size; [`GridError::NoRegions`] if it
    /// [needs regions](Self::needs_regions).
    pub fn rules(&self, side: impl Into<Option<usize>>) -> Result<Rules, GridError> {
        let sides = self.sides();
        let side = side.into().unwrap_or(if let [only] = sides[..] { only } else { 9 });
        if sides.is_empty() {
            return Err(GridError::NoSize { rules: self.to_string() });
        }
        if !sides.contains(&side) {
            let known: Vec<String> = sides.iter().map(usize::to_string).collect();
            return Err(GridError::Size { kind: self.to_string(), side, known: known.join(", ") });
        }
        let mut name = self.to_string();
        // The size of 9x9 is left out.
        if side != 9 {
            name += &format!(" {side}x{side}");
        }
        let mut constraints = Constraints { units: latin::units(side), ..Constraints::default() };
        match self.division() {
            Division::Lines => {}
            Division::Blocks => {
                let usual = sudoku::usual_block(side);
                let block = self.blocks.unwrap_or(usual);
                if block != usual {
                    name += &format!(" blocks {}x{}", block.0, block.1);
                }
                constraints.units.extend(sudoku::blocks(block));
            }
            Division::Regions => match &self.regions {
                Some(regions) => constraints.units.extend_from_slice(regions.cells()),
                None => return Err(GridError::NoRegions { rules: name }),
            },
        }
        for kind in &self.more {
            constraints.extend((kind.constraints)(side));
        }
        for extra in &self.extra {
            constraints.units.extend_from_slice(extra.cells());
        }
        Ok(Rules::of_grid(name.into(), Grid::new(side * side, side as u8, constraints)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(names: &str) -> Variant {
        names.parse().unwrap()
    }

    #[test]
    fn names_have_one_order_and_sudoku_is_left_out() {
        for (names, expected) in [
            ("sudoku", "sudoku"),
            ("diagonal+sudoku", "diagonal"),
            ("anti-knight+diagonal", "diagonal+anti-knight"),
            ("diagonal+latin", "latin+diagonal"),
            ("non-consecutive+anti-king+windoku", "windoku+anti-king+non-consecutive"),
        ] {
            assert_eq!(variant(names).to_string(), expected);
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let error = |names: &str| names.parse::<Variant>().unwrap_err().to_string();
        assert!(error("sudoku+").starts_with("there is no kind ``; the kinds are sudoku, diagonal"));
        assert_eq!(error("diagonal+diagonal"), "`diagonal` is named twice");
        let division = "`latin` cannot have jigsaw: each divides the grid in its own way";
        assert_eq!(error("latin+jigsaw"), division);
        let map = Regions::read(b"aabb aabb ccdd ccdd").unwrap();
        assert!(variant("sudoku").with_regions(map.clone()).is_err());
        assert!(variant("latin").with_blocks(2, 3).is_err());
        assert!(variant("diagonal").with_blocks(1, 9).is_err());
        assert!(Variant::default().with_regions(map.clone()).unwrap().with_blocks(2, 2).is_err());
        let jigsaw = variant("diagonal").with_regions(map).unwrap();
        assert_eq!((jigsaw.to_string().as_str(), jigsaw.sides()), ("jigsaw+diagonal", vec![4]));
        assert!(variant("windoku").with_blocks(2, 3).unwrap().sides().is_empty());
    }

    #[test]
    fn sizes_are_those_that_all_kinds_have() {
        assert_eq!(variant("windoku+diagonal").sides(), [9]);
        assert_eq!(variant("diagonal").sides(), [4, 6, 8, 9, 10, 12, 15, 16, 25]);
        assert!(variant("latin+diagonal").sides().contains(&7));
        let blocks = Variant::default().with_blocks(2, 7).unwrap();
        assert_eq!(blocks.sides(), [14]);
        let side_of = |variant: Variant| variant.rules(None).unwrap().grid().side();
        assert_eq!((side_of(blocks), side_of(variant("latin+diagonal"))), (14, 9));
    }

    #[test]
    fn rules_are_named_after_all_that_makes_them() {
        let name = |variant: Variant, side| variant.rules(side).unwrap().name().to_owned();
        assert_eq!(name(variant("anti-king+diagonal"), 9), "diagonal+anti-king");
        assert_eq!(name(variant("sudoku"), 10), "sudoku 10x10");
        assert_eq!(name(Variant::default().with_blocks(3, 2).unwrap(), 6), "sudoku 6x6 blocks 3x2");
        assert_eq!(name(Variant::default().with_blocks(3, 3).unwrap(), 9), "sudoku");
        let extra = ExtraRegions::read(b"a... .a.. ..a. ...a").unwrap();
        assert_eq!(name(variant("diagonal").with_extra(extra), 4), "diagonal+extra 4x4");
    }

    #[test]
    fn a_windoku_is_a_sudoku_with_a_map() {
        let rows = [".........", ".aaa.bbb.", ".aaa.bbb.", ".aaa.bbb.", ".........", ".ccc.ddd."];
        let map = rows.concat() + rows[5] + rows[5] + rows[0];
        let extra = ExtraRegions::read(map.as_bytes()).unwrap();
        let (windoku, other) = (variant("windoku").rules(9).unwrap(), Variant::default().with_extra(extra));
        assert_eq!(other.rules(9).unwrap().grid(), windoku.grid());
    }
}

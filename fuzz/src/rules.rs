//! Rules of every kind and size, chosen by bytes, and puzzles of them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use galop_engines::Rules;
use galop_engines::grid::{KINDS, Kind, Regions};
use galop_testing::rules::{full_grid, mixed_rows};

/// The cells of a row of a small grid. Fuzzing is fastest on these.
pub const SMALL: usize = 9;

/// Rules that are kept. More than that are made again.
const KEPT: usize = 100;

/// Guesses of the search for a full grid.
const GUESSES: u64 = 2_000;

/// Every kind with each of its sizes, small ones first.
static SIZES: LazyLock<Vec<(&'static Kind, usize)>> = LazyLock::new(|| {
    let sizes_of = |kind: &'static Kind| kind.sides().into_iter().map(move |side| (kind, side));
    let mut sizes: Vec<_> = KINDS.iter().flat_map(sizes_of).collect();
    sizes.sort_by_key(|&(_, side)| side);
    sizes
});

/// Rules, with a grid that fits them.
pub struct Example {
    pub rules: Rules,
    /// A solution of the empty grid, or zeros if none was found.
    pub full: Vec<u8>,
}

/// The rules that two bytes choose: most have a small grid. `map` chooses the regions of a jigsaw and the full grid.
pub fn example(choice: u8, map: u8) -> Rc<Example> {
    thread_local! {
        static EXAMPLES: RefCell<HashMap<(usize, u8), Rc<Example>>> = RefCell::default();
    }
    let small = SIZES.iter().take_while(|(_, side)| *side <= SMALL).count();
    let choice = usize::from(choice);
    let at = if choice < 224 { choice % small } else { small + choice % (SIZES.len() - small) };
    EXAMPLES.with_borrow_mut(|examples| {
        if examples.len() == KEPT {
            examples.clear();
        }
        let (kind, side) = SIZES[at];
        Rc::clone(examples.entry((at, map)).or_insert_with(|| Rc::new(Example::new(kind, side, map))))
    })
}

impl Example {
    fn new(kind: &'static Kind, side: usize, map: u8) -> Example {
        let rules = Rules::new(kind, side, Some(&regions(side, map))).expect("a size of the kind");
        // The byte turns the symbols of the first row. With them the grid may have no solution.
        let row: Vec<u8> = (0..side).map(|column| ((column + usize::from(map)) % side) as u8 + 1).collect();
        let full = full_grid(&rules, &row, GUESSES).or_else(|| full_grid(&rules, &[], GUESSES));
        let full = full.unwrap_or_else(|| vec![0; rules.grid().cells()]);
        Example { rules, full }
    }

    /// A puzzle of which each byte of `bytes` makes a cell: most keep the symbol of the full grid or blank it, few
    /// change it. If there are fewer bytes than cells, they are repeated.
    pub fn puzzle(&self, bytes: &[u8]) -> Vec<u8> {
        let symbols = self.rules.grid().symbols();
        let bytes = bytes.iter().chain((bytes.is_empty()).then_some(&0)).cycle();
        let cell = |(&symbol, &byte): (&u8, &u8)| match byte {
            0..=99 => 0,
            100..=239 => symbol,
            240.. => byte % (symbols + 1),
        };
        self.full.iter().zip(bytes).map(cell).collect()
    }
}

/// Regions: the rows of a grid, with cells exchanged with those below.
fn regions(side: usize, map: u8) -> Regions {
    let map = usize::from(map);
    mixed_rows(side, (0..map % 32).map(|step| (step * step * 7 + step * map) % (side * (side - 1))))
}

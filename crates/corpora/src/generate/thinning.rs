//! Removes clues of one grid, step by step: says which puzzle must be checked next, and goes on with the result. So
//! thousands of grids can be thinned side by side.
//!
//! The plain algorithm, which [`thin`](super::thin) describes, has the same result: each clue in its turn is removed if
//! the puzzle keeps one solution. It takes far fewer searches:
//!
//! 1. *Several clues at once.* Fewer clues never have fewer solutions. So if several clues can be removed together, the
//!    plain algorithm would have removed each of them. After a failure half as many are tried. A puzzle of many clues can
//!    lose many ([`stride`]). The search of a puzzle with very few clues takes long, so a try never leaves so few.
//! 2. *Unavoidable sets.* If a puzzle has a second solution, the cells in which both differ must hold a clue, in every puzzle
//!    of this grid with one solution. Each failed check gives such a set. If only one clue of a set is left, it is needed:
//!    that takes no search.
//!
//! ```text
//! place in the order   0 1 2 3 4 5 6 7 8 ...        cells are numbered by their places in the order of removal
//! set                  . x . . x . x . .            all places before 6 are decided when clue 6 is tried:
//!                                   ^ last          it is needed if no other place of the set was kept
//! ```
//! So each set is looked at once, when its last clue is tried, and the work for sets is small.

use super::cycles::{CELLS, Set, each_cycle};

/// Unavoidable sets at most; others are not kept. A minimal puzzle needs about 70.
const MOST_SETS: usize = 255;

/// No set: the end of a list.
const END: u8 = MOST_SETS as u8;

/// A grid that is being thinned. Thousands of them are visited in turn, so they are small.
#[derive(Clone, Debug)]
pub(super) struct Thinning {
    /// Cells of the grid: the arrays may be longer.
    cells: usize,
    grid: [u8; CELLS],
    /// The grid without the clues that were removed for good.
    puzzle: [u8; CELLS],
    /// The cells whose clues are tried, in this order.
    order: [u8; CELLS],
    /// The place of each cell in the order.
    places: [u8; CELLS],
    /// Cells of the order.
    len: usize,
    state: State,
    /// The state if the puzzle that is checked has one solution.
    tried: State,
    /// Clues that are tried at once, at most.
    stride: usize,
    /// Clues that may still be removed.
    surplus: usize,
    /// The unavoidable sets by their last place: the first set of a list, then the next one of each set.
    first: [u8; CELLS],
    next: Vec<u8>,
    sets: Vec<Set>,
}

/// How far a grid is thinned.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Places with a clue.
    clues: Set,
    /// Places whose clue is needed.
    needed: Set,
    /// The next place to decide about.
    next: usize,
    /// Clues removed since the state that was sure; the last one of them.
    removed: usize,
    last: usize,
}

/// How many clues one try removes from a puzzle with this number of clues: many while it has many, one when it has few.
///
/// Of a few other rules tried, with fewer or more clues at each step, none was faster by more than 2 %. Grids of fewer
/// cells have the same rule in proportion.
fn stride(clues: usize, cells: usize) -> usize {
    let stride = match clues * CELLS / cells.max(1) {
        clues @ 46.. => clues - 40,
        37.. => 4,
        33.. => 2,
        _ => 1,
    };
    (stride * cells / CELLS).max(1)
}

impl Thinning {
    /// Of a grid of at most 81 cells whose clues are those in the cells of `order`, down to `target` clues.
    pub(super) fn new(grid: &[u8], order: &[u8], target: usize) -> Thinning {
        let (cells, len) = (grid.len().min(CELLS), order.len().min(CELLS));
        let mut thinning = Thinning {
            cells,
            grid: [0; CELLS],
            puzzle: [0; CELLS],
            order: [0; CELLS],
            places: [CELLS as u8; CELLS],
            len,
            state: State { clues: (1 << len) - 1, needed: 0, next: 0, removed: 0, last: 0 },
            tried: State { clues: 0, needed: 0, next: 0, removed: 0, last: 0 },
            stride: stride(len, cells),
            surplus: len.saturating_sub(target),
            first: [END; CELLS],
            next: Vec::with_capacity(96),
            sets: Vec::with_capacity(96),
        };
        thinning.grid[..cells].copy_from_slice(&grid[..cells]);
        thinning.order[..len].copy_from_slice(&order[..len]);
        for (place, &cell) in order.iter().enumerate() {
            thinning.places[usize::from(cell)] = place as u8;
            thinning.puzzle[usize::from(cell)] = grid[usize::from(cell)];
        }
        thinning
    }

    /// Adds the unavoidable sets of a 9x9 sudoku that are found without a search.
    pub(super) fn add_cycles(&mut self) {
        let mut bits = [0; CELLS];
        for (place, &cell) in self.order[..self.len].iter().enumerate() {
            bits[usize::from(cell)] = 1 << place;
        }
        let grid = self.grid;
        each_cycle(&grid, &bits, &mut |places| self.add_places(places));
    }

    /// Adds an unavoidable set of cells.
    pub(super) fn add(&mut self, cells: Set) {
        let mut places: Set = 0;
        // A cell without a place has bit 81, which is no clue.
        each_bit(cells, |cell| places |= 1 << (self.places[cell % CELLS] & 127));
        self.add_places(places & self.state.clues);
    }

    fn add_places(&mut self, places: Set) {
        // A set without a clue cannot be: the puzzle has one solution.
        let Some(last) = places.checked_ilog2() else { return };
        if self.sets.len() < MOST_SETS {
            let first = &mut self.first[last as usize % CELLS];
            self.next.push(*first);
            *first = self.sets.len() as u8;
            self.sets.push(places);
        }
    }

    /// Removes the next clues for a try, those that are needed left out. Returns false if all is decided.
    pub(super) fn try_next(&mut self) -> bool {
        let mut tried = State { removed: 0, ..self.state };
        let most = self.stride.min(self.surplus);
        while tried.next < self.len && tried.removed < most {
            let place = tried.next;
            let mut set = usize::from(self.first[place]);
            let mut is_needed = false;
            while let (Some(places), Some(&next)) = (self.sets.get(set), self.next.get(set)) {
                is_needed |= places & tried.needed == 0;
                set = usize::from(next);
            }
            if is_needed {
                tried.needed |= 1 << place;
            } else {
                tried.clues &= !(1 << place);
                tried.removed += 1;
                tried.last = place;
            }
            tried.next += 1;
        }
        self.tried = tried;
        if tried.removed == 0 {
            self.state = tried;
        }
        tried.removed > 0
    }

    /// The cell of the clue that the try removes, if it is only one: another solution differs there.
    pub(super) fn single(&self) -> Option<usize> {
        (self.tried.removed == 1).then(|| usize::from(self.order[self.tried.last]))
    }

    /// The puzzle that the try leaves has one solution.
    pub(super) fn succeed(&mut self) {
        let removed = self.state.clues & !self.tried.clues;
        each_bit(removed, |place| self.puzzle[usize::from(self.order[place % CELLS]) % CELLS] = 0);
        self.state = self.tried;
        self.surplus -= self.tried.removed;
        self.stride = stride(self.state.clues.count_ones() as usize, self.cells);
    }

    /// The puzzle that the try leaves has a second solution, which differs from the grid in the cells `differing`, if
    /// they are known.
    pub(super) fn fail(&mut self, differing: Option<Set>) {
        if let Some(cells) = differing {
            self.add(cells);
        }
        if self.tried.removed == 1 {
            // The last clue is needed, and those before it that were left out. Those after it may not be.
            let last = 1 << self.tried.last;
            let needed = (self.tried.needed & (last - 1)) | last;
            self.state = State { needed, next: self.tried.last + 1, ..self.state };
        }
        self.stride = (self.tried.removed / 2).max(1);
    }

    /// The number of clues.
    pub(super) fn clues(&self) -> usize {
        self.state.clues.count_ones() as usize
    }

    /// The grid.
    pub(super) fn grid(&self) -> &[u8] {
        &self.grid[..self.cells]
    }

    /// The cells whose clues are tried, in this order.
    pub(super) fn order(&self) -> &[u8] {
        &self.order[..self.len]
    }

    /// The puzzle so far.
    pub(super) fn puzzle(&self) -> &[u8] {
        &self.puzzle[..self.cells]
    }

    /// Appends the puzzle that the try leaves.
    pub(super) fn push_try(&self, puzzles: &mut Vec<u8>) {
        let start = puzzles.len();
        puzzles.extend_from_slice(self.puzzle());
        let puzzle = &mut puzzles[start..];
        let removed = self.state.clues & !self.tried.clues;
        each_bit(removed, |place| puzzle[usize::from(self.order[place % CELLS]) % CELLS] = 0);
    }
}

/// Calls a function with each member of a set, ascending.
#[inline(always)]
fn each_bit(mut set: Set, mut each: impl FnMut(usize)) {
    while set != 0 {
        each(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// The cells in which two grids of at most 81 cells differ: eight bytes at a time. Cells are below 128.
pub(super) fn differing(one: &[u8], other: &[u8]) -> Set {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let (one, other) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    let mut set: Set = 0;
    for (at, (one, other)) in one.1.iter().zip(other.1).enumerate() {
        set |= Set::from(one != other) << at;
    }
    set <<= 8 * one.0.len().min(CELLS / 8);
    for (at, (one, other)) in one.0.iter().zip(other.0).enumerate() {
        let differing = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        let highest = differing.wrapping_add(0x7f * LOW) >> 7 & LOW;
        // The highest bits of all bytes are gathered in the first one.
        set |= Set::from(highest.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    /// Thins with a made-up rule instead of a solver: a puzzle has one solution if it has a clue of each of these sets.
    /// The second solution differs in one of the sets without a clue.
    fn thin(sets: &[Set], order: &[u8], target: usize, is_known: bool) -> (Thinning, u32) {
        let (mut thinning, mut checks) = (Thinning::new(&[1; CELLS], order, target), 0);
        while thinning.try_next() {
            let mut puzzle = Vec::new();
            thinning.push_try(&mut puzzle);
            let clues = differing(&puzzle, &[0; CELLS]);
            match sets.iter().find(|&set| set & clues == 0) {
                None => thinning.succeed(),
                Some(&set) => thinning.fail(is_known.then_some(set)),
            }
            checks += 1;
        }
        (thinning, checks)
    }

    fn cells(thinning: &Thinning) -> Set {
        differing(thinning.puzzle(), &[0; CELLS])
    }

    #[test]
    fn the_result_is_that_of_the_plain_algorithm() {
        let mut checks = [0, 0];
        for place in 0..200 {
            let mut chance = Chance::new(1, place);
            let mut order: Vec<u8> = (0..CELLS as u8).collect();
            let sets: Vec<Set> = (0..30 + chance.below(60))
                .map(|_| {
                    chance.shuffle(&mut order);
                    order[..2 + chance.below(12) as usize].iter().fold(0, |set, &cell| set | 1 << cell)
                })
                .collect();
            chance.shuffle(&mut order);
            let target = if place % 2 == 0 { 0 } else { 20 + place as usize % 50 };
            let mut clues: Set = (1 << CELLS) - 1;
            for &cell in &order {
                let fewer = clues & !(1 << cell);
                if clues.count_ones() as usize > target && sets.iter().all(|set| set & fewer != 0) {
                    clues = fewer;
                }
            }
            let (known, unknown) = (thin(&sets, &order, target, true), thin(&sets, &order, target, false));
            assert_eq!((cells(&known.0), cells(&unknown.0)), (clues, clues));
            assert_eq!(known.0.clues(), clues.count_ones() as usize);
            checks = [checks[0] + known.1, checks[1] + unknown.1];
        }
        // Sets save checks.
        assert!(checks[0] < checks[1], "{checks:?}");
    }

    #[test]
    fn cells_that_differ_are_found() {
        let mut chance = Chance::new(2, 0);
        for _ in 0..100 {
            let one: [u8; CELLS] = std::array::from_fn(|_| chance.below(10) as u8);
            let other: [u8; CELLS] = std::array::from_fn(|_| chance.below(3) as u8);
            let expected = (0..CELLS).filter(|&cell| one[cell] != other[cell]);
            let expected = expected.fold(0, |set: Set, cell| set | 1 << cell);
            for cells in [4, 16, 36, 49, 80, 81] {
                let found = differing(&one[..cells], &other[..cells]);
                assert_eq!(found, expected & ((1 << cells) - 1), "{cells} cells");
            }
        }
    }
}

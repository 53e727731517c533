//! Removes clues of one grid, step by step: says which puzzle must be checked next, and goes on with the result. So
//! thousands of grids can be thinned side by side.
//!
//! The plain algorithm: try the clues in a given order. Remove each one for good if the puzzle still has one solution,
//! and put it back if not. The puzzle at the end is minimal: a clue that was needed is still needed later, when there
//! are fewer others. The clues of symmetric cells are tried together.
//!
//! Here the result is the same, from far fewer searches:
//!
//! 1. *Several at once.* Fewer clues never have fewer solutions. So if several clues can be removed together, the
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
//! So each set is looked at once, when its last clue is tried, and the work for sets is small. Grids of more than 81
//! cells have no sets.

use super::cycles::{CELLS, Set, each_cycle};
use super::orbits::sums;

/// Unavoidable sets at most; others are not kept. A minimal puzzle needs about 70.
const MOST_SETS: usize = 255;

/// No set: the end of a list.
const END: u8 = MOST_SETS as u8;

/// The order in which clues are tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// The cells with a clue. Those behind the last place are not tried.
    pub(super) cells: Vec<u32>,
    /// The end of each place, which is the cells whose clues are removed together; empty if each cell is a place.
    pub(super) ends: Vec<u32>,
}

impl Order {
    /// Each cell is a place.
    pub(super) fn of_cells(cells: Vec<u32>) -> Order {
        Order { cells, ends: Vec::new() }
    }

    /// Places.
    fn len(&self) -> usize {
        if self.ends.is_empty() { self.cells.len() } else { self.ends.len() }
    }

    /// The cells of a place; behind the last one the cells that are not tried.
    fn place(&self, place: usize) -> &[u32] {
        if self.ends.is_empty() {
            return self.cells.get(place..=place).unwrap_or_default();
        }
        let end = |place: usize| self.ends.get(place).map_or(self.cells.len(), |&end| end as usize);
        &self.cells[place.checked_sub(1).map_or(0, end)..end(place)]
    }
}

/// A grid that is being thinned. Thousands of them are visited in turn, so they are small.
#[derive(Clone, Debug)]
pub(super) struct Thinning {
    grid: Vec<u8>,
    /// The grid without the clues that were removed for good.
    puzzle: Vec<u8>,
    order: Order,
    /// The number of clues that should be left.
    target: usize,
    /// For each place and each number of clues above the target, whether the places from this one on can have that many;
    /// empty if any number can be reached.
    sums: Vec<Vec<bool>>,
    state: State,
    /// The state if the puzzle that is checked has one solution: the places up to it are removed but for those that
    /// are kept.
    tried: State,
    /// The first of the places that the try removes, and how many they are.
    removed: (usize, usize),
    /// Places of more than 81 cells that are kept because the target could not be reached without them.
    left_out: Vec<usize>,
    /// Places that are tried at once, at most.
    stride: usize,
    /// Of at most 81 cells, the place of each one, and the unavoidable sets by their last place: the first set of a list,
    /// then the next one of each set.
    places: [u8; CELLS],
    first: [u8; CELLS],
    next: Vec<u8>,
    sets: Vec<Set>,
}

/// How far a grid is thinned.
#[derive(Clone, Copy, Debug)]
struct State {
    clues: usize,
    /// Places whose clues stay, of the first 128.
    kept: Set,
    /// The next place to decide about.
    next: usize,
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
    /// Of a grid whose clues are those in the cells of `order`, down to `target` clues.
    pub(super) fn new(grid: Vec<u8>, order: Order, target: usize) -> Thinning {
        let clues = order.cells.len();
        let state = State { clues, kept: 0, next: 0 };
        let mut thinning = Thinning {
            puzzle: vec![0; grid.len()],
            target,
            sums: Vec::new(),
            state,
            tried: state,
            removed: (0, 0),
            left_out: Vec::new(),
            stride: stride(clues, grid.len()),
            places: [0; CELLS],
            first: [END; CELLS],
            next: Vec::new(),
            sets: Vec::new(),
            grid,
            order,
        };
        match clues == thinning.grid.len() {
            true => thinning.puzzle.copy_from_slice(&thinning.grid),
            false => thinning.order.cells.iter().for_each(|&cell| {
                thinning.puzzle[cell as usize] = thinning.grid[cell as usize];
            }),
        }
        if thinning.has_sets() {
            thinning.next.reserve(96);
            thinning.sets.reserve(96);
            let (mut place, ends) = (0, &thinning.order.ends);
            for (at, &cell) in thinning.order.cells.iter().enumerate() {
                place = match ends.get(place) {
                    None if ends.is_empty() => at,
                    end => place + usize::from(end == Some(&(at as u32))),
                };
                if let Some(of_cell) = thinning.places.get_mut(cell as usize) {
                    *of_cell = place as u8;
                }
            }
        }
        if !thinning.order.ends.is_empty() && target > 0 {
            let places = (0..thinning.order.len()).map(|place| thinning.order.place(place).len());
            thinning.sums = sums(&places.collect::<Vec<_>>(), clues.saturating_sub(target));
        }
        thinning
    }

    fn has_sets(&self) -> bool {
        self.grid.len() <= CELLS
    }

    /// Adds the unavoidable sets of a 9x9 sudoku that are found without a search.
    pub(super) fn add_cycles(&mut self) {
        let mut bits = [0; CELLS];
        for ((bits, place), &clue) in bits.iter_mut().zip(&self.places).zip(&self.puzzle) {
            *bits = Set::from(clue != 0) << (place & 127);
        }
        if let Ok(grid) = <[u8; CELLS]>::try_from(&*self.grid) {
            each_cycle(&grid, &bits, &mut |places| self.add_places(places));
        }
    }

    /// Adds an unavoidable set of cells.
    pub(super) fn add(&mut self, cells: Set) {
        let mut places: Set = 0;
        each_bit(cells, |cell| {
            if self.puzzle.get(cell).is_some_and(|&clue| clue != 0) {
                places |= 1 << (self.places[cell % CELLS] & 127);
            }
        });
        self.add_places(places);
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

    /// Removes the next clues for a try, those that must stay left out. Returns false if all is decided.
    pub(super) fn try_next(&mut self) -> bool {
        let mut tried = self.state;
        self.left_out.clear();
        let (mut first, mut count) = (0, 0);
        let fewest = self.target.max(self.state.clues.saturating_sub(self.stride));
        let (len, is_plain) = (self.order.len(), self.order.ends.is_empty());
        while tried.next < len && tried.clues > fewest {
            let place = tried.next;
            let size = if is_plain { 1 } else { self.order.place(place).len() };
            let is_kept = self.is_needed(place, tried.kept)
                || !is_plain && !self.leads_to_target(place, tried.clues, size);
            if is_kept {
                tried.kept |= bit(place);
                if !self.has_sets() {
                    self.left_out.push(place);
                }
            } else if tried.clues < fewest + size && count > 0 {
                break;
            } else {
                tried.clues -= size;
                first = if count == 0 { place } else { first };
                count += 1;
            }
            tried.next += 1;
        }
        self.removed = (first, count);
        self.tried = tried;
        if self.removed.1 == 0 {
            self.state = tried;
        }
        self.removed.1 > 0
    }

    /// Whether a set loses its last clue with this place, if of the places before it these are `kept`.
    #[inline(always)]
    fn is_needed(&self, place: usize, kept: Set) -> bool {
        let mut set = self.first.get(place).map_or(MOST_SETS, |&set| set.into());
        let mut is_needed = false;
        while let (Some(places), Some(&next)) = (self.sets.get(set), self.next.get(set)) {
            is_needed |= places & kept == 0;
            set = usize::from(next);
        }
        is_needed
    }

    /// Whether the target can be reached after a place of this size is removed from a puzzle of that many clues. One
    /// cell in the centre of a symmetry decides whether the number of clues is odd.
    #[inline(always)]
    fn leads_to_target(&self, place: usize, clues: usize, size: usize) -> bool {
        let Some(surplus) = clues.checked_sub(size + self.target) else { return false };
        self.sums.get(place + 1).is_none_or(|sums| sums.get(surplus) == Some(&true))
    }

    /// Whether the try removes one place: if it fails, the clues of this place stay.
    pub(super) fn is_last_try(&self) -> bool {
        self.removed.1 == 1
    }

    /// The cell of the clue that the try removes, if it is only one: another solution differs there.
    pub(super) fn single(&self) -> Option<usize> {
        match (self.removed, self.order.place(self.removed.0)) {
            ((_, 1), [cell]) => Some(*cell as usize),
            _ => None,
        }
    }

    /// The puzzle that the try leaves has one solution.
    pub(super) fn succeed(&mut self) {
        let mut puzzle = std::mem::take(&mut self.puzzle);
        self.cut(&mut puzzle);
        self.puzzle = puzzle;
        self.stride = match self.has_sets() {
            true => stride(self.tried.clues, self.grid.len()),
            false => 2 * (self.state.clues - self.tried.clues),
        };
        self.state = self.tried;
    }

    /// The puzzle that the try leaves has a second solution, which differs from the grid in the cells `differing`, if
    /// they are known.
    pub(super) fn fail(&mut self, differing: Option<Set>) {
        if let Some(cells) = differing {
            self.add(cells);
        }
        if let (place, 1) = self.removed {
            // The last place is needed, and those before it that were left out. Those after it may not be.
            let last = bit(place);
            let kept = (self.tried.kept & last.wrapping_sub(1)) | last;
            self.state = State { kept, next: place + 1, ..self.state };
        }
        self.stride = ((self.state.clues - self.tried.clues) / 2).max(1);
    }

    /// The number of clues.
    pub(super) fn clues(&self) -> usize {
        self.state.clues
    }

    /// The grid.
    pub(super) fn grid(&self) -> &[u8] {
        &self.grid
    }

    /// The order in which clues are tried.
    pub(super) fn order(&self) -> &Order {
        &self.order
    }

    /// The puzzle so far.
    pub(super) fn puzzle(&self) -> &[u8] {
        &self.puzzle
    }

    /// Appends the puzzle that the try leaves.
    pub(super) fn push_try(&self, puzzles: &mut Vec<u8>) {
        let start = puzzles.len();
        puzzles.extend_from_slice(&self.puzzle);
        self.cut(&mut puzzles[start..]);
    }

    /// Removes the clues that the try removes.
    #[inline(always)]
    fn cut(&self, puzzle: &mut [u8]) {
        let (start, end) = (self.state.next, self.tried.next);
        let mut remove = |place: usize| {
            self.order.place(place).iter().for_each(|&cell| puzzle[cell as usize] = 0);
        };
        if !self.has_sets() {
            return (start..end).filter(|place| !self.left_out.contains(place)).for_each(remove);
        }
        let removed = (bit(end) - 1) & !(bit(start) - 1) & !self.tried.kept;
        match self.order.ends.is_empty() {
            true => each_bit(removed, |place| puzzle[self.order.cells[place] as usize] = 0),
            false => each_bit(removed, &mut remove),
        }
    }
}

/// A set of one member; none for a member that no set has.
fn bit(member: usize) -> Set {
    1_u128.checked_shl(member as u32).unwrap_or(0)
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

    /// Thins a grid of 81 or more cells with a made-up rule instead of a solver: a puzzle has one solution if it has a
    /// clue of each of these sets. The second solution differs in one of the sets without a clue.
    fn thin(sets: &[Vec<u32>], order: Order, target: usize, is_known: bool) -> (Thinning, u32) {
        let (mut thinning, mut checks) = (Thinning::new(vec![1; order.cells.len()], order, target), 0);
        while thinning.try_next() {
            let mut puzzle = Vec::new();
            thinning.push_try(&mut puzzle);
            match sets.iter().find(|set| set.iter().all(|&cell| puzzle[cell as usize] == 0)) {
                None => thinning.succeed(),
                Some(set) => {
                    thinning.fail(is_known.then(|| set.iter().fold(0, |cells, &cell| cells | 1 << cell)));
                }
            }
            checks += 1;
        }
        (thinning, checks)
    }

    /// Removes each place in its turn.
    fn thin_one_by_one(sets: &[Vec<u32>], order: &Order, target: usize) -> Vec<u8> {
        let mut puzzle = vec![1; order.cells.len()];
        for place in 0..order.len() {
            let mut fewer = puzzle.clone();
            order.place(place).iter().for_each(|&cell| fewer[cell as usize] = 0);
            let has_clue = |set: &Vec<u32>| set.iter().any(|&cell| fewer[cell as usize] != 0);
            let clues = fewer.iter().filter(|&&clue| clue != 0).count();
            let sizes: Vec<usize> = (place + 1..order.len()).map(|place| order.place(place).len()).collect();
            let is_free = target == 0 || order.ends.is_empty();
            let is_reached = |surplus| is_free || sums(&sizes, surplus)[0][surplus];
            if clues.checked_sub(target).is_some_and(is_reached) && sets.iter().all(has_clue) {
                puzzle = fewer;
            }
        }
        puzzle
    }

    #[test]
    fn the_result_is_that_of_the_plain_algorithm() {
        let mut checks = [0, 0];
        for round in 0..200 {
            let mut chance = Chance::new(1, round);
            let cells = [81, 81, 200][round as usize % 3];
            let mut numbers: Vec<u32> = (0..cells).collect();
            let sets: Vec<Vec<u32>> = (0..30 + chance.below(60))
                .map(|_| {
                    chance.shuffle(&mut numbers);
                    numbers[..2 + chance.below(12) as usize].to_vec()
                })
                .collect();
            chance.shuffle(&mut numbers);
            let target = if round % 2 == 0 { 0 } else { 20 + round as usize % 50 };
            // Single cells, or places of one to four cells.
            let mut order = Order::of_cells(numbers);
            while round % 4 > 1 && order.ends.last() != Some(&cells) {
                let end = order.ends.last().unwrap_or(&0) + 1 + chance.below(4);
                order.ends.push(end.min(cells));
            }
            let expected = thin_one_by_one(&sets, &order, target);
            for (is_known, checks) in [false, true].into_iter().zip(&mut checks) {
                let is_known = is_known && cells == 81;
                let (thinning, count) = thin(&sets, order.clone(), target, is_known);
                assert_eq!(thinning.puzzle(), expected);
                assert_eq!(thinning.clues(), expected.iter().filter(|&&clue| clue != 0).count());
                *checks += count;
            }
        }
        // Sets save checks.
        assert!(checks[1] < checks[0], "{checks:?}");
    }

    /// A set with a clue that is never tried needs no other clue.
    #[test]
    fn cells_behind_the_last_place_keep_their_clues() {
        for (set, is_tried) in [(0b11, false), (0b110, true)] {
            let order = Order { cells: vec![0, 1, 2, 3], ends: vec![2] };
            let mut thinning = Thinning::new(vec![1; 4], order, 2);
            thinning.add(set);
            assert_eq!(thinning.try_next(), is_tried);
            assert_eq!(thinning.single(), None);
        }
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

//! What a kind asks of its cells.

/// Units, pairs of cells that differ, and pairs of candidates that exclude each other. (The candidate `symbol` in
/// `cell` has the number `cell * symbols + symbol - 1`.)
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    /// Sets of cells that hold each symbol once.
    pub(crate) units: Vec<Vec<usize>>,
    /// Pairs of cells that hold different symbols.
    pub(crate) different: Vec<[usize; 2]>,
    /// Pairs of candidates that are not in one solution.
    pub(crate) exclusive: Vec<[usize; 2]>,
}

impl Constraints {
    /// Adds other ones.
    pub(super) fn extend(&mut self, other: Constraints) {
        self.units.extend(other.units);
        self.different.extend(other.different);
        self.exclusive.extend(other.exclusive);
    }
}

/// All pairs of cells of which the second one lies one of `steps` away from the first one. A step is a number of rows
/// down and a number of columns to the right.
pub(super) fn pairs(side: usize, steps: &[(isize, isize)]) -> impl Iterator<Item = [usize; 2]> {
    (0..side * side).flat_map(move |cell| {
        steps.iter().filter_map(move |&(down, right)| {
            let row = (cell / side).checked_add_signed(down).filter(|&row| row < side)?;
            let column = (cell % side).checked_add_signed(right).filter(|&column| column < side)?;
            Some([cell, side * row + column])
        })
    })
}

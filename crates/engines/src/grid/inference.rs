//! Sets of symbols as bits: bit `symbol - 1`.

use super::Grid;

/// The bits of the symbols that `cell` cannot hold beside what other `cells` hold.
///
/// # Panics
/// If there are fewer cells than `grid` has.
pub fn taken(grid: &Grid, cells: &[u8], cell: usize) -> u64 {
    let by_peers = grid.peers(cell).iter().fold(0, |taken, &peer| taken | bit(cells[peer]));
    if grid.exclusive().is_empty() {
        return by_peers;
    }
    let is_held = |&candidate: &usize| {
        let (other, symbol) = grid.cell_and_symbol(candidate);
        cells[other] == symbol
    };
    let is_taken = |&symbol: &u8| grid.excluded_by(grid.candidate(cell, symbol)).iter().any(is_held);
    (1..=grid.symbols()).filter(is_taken).fold(by_peers, |taken, symbol| taken | bit(symbol))
}

/// The bits of all symbols of `grid`.
pub fn all_symbols(grid: &Grid) -> u64 {
    (1..=grid.symbols()).fold(0, |all, symbol| all | bit(symbol))
}

/// The bit of `symbol`; no bit for a blank.
pub fn bit(symbol: u8) -> u64 {
    if symbol == 0 { 0 } else { 1 << (symbol - 1) }
}

/// The symbols of `candidates`, ascending.
pub fn symbols(mut candidates: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let symbol = candidates.trailing_zeros() as u8 + 1;
        let is_some = candidates != 0;
        candidates &= candidates.wrapping_sub(1);
        is_some.then_some(symbol)
    })
}

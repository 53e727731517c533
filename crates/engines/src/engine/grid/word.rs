//! A word of candidates.

/// The candidates of a cell: bit `symbol - 1`. The word is as short as the symbols allow, so that more words fit a
/// vector.
pub(super) trait Word: Copy + Default + Eq + Into<u32> + Send + Sync + 'static {
    /// The low bits of `bits`.
    fn of(bits: u32) -> Self;
}

impl Word for u16 {
    #[inline(always)]
    fn of(bits: u32) -> u16 {
        bits as u16
    }
}

impl Word for u32 {
    #[inline(always)]
    fn of(bits: u32) -> u32 {
        bits
    }
}

/// Whether there is one candidate (or none).
#[inline(always)]
pub(super) fn is_settled(bits: u32) -> bool {
    bits & bits.wrapping_sub(1) == 0
}

/// The lowest candidate.
#[inline(always)]
pub(super) fn lowest(bits: u32) -> u32 {
    bits & bits.wrapping_neg()
}

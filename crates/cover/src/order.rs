//! Sorting by a number.

/// Sorts `members` by `key`, the smallest first; members of equal keys stay in their order.
///
/// All that sorts a few indices calls this. Each further instance of the standard library's sort is 8 kilobytes of
/// code, which take 0.2 seconds to compile.
#[inline(never)]
pub(crate) fn sort_by_number(members: &mut [usize], key: &dyn Fn(usize) -> u64) {
    members.sort_by_key(|&member| key(member));
}

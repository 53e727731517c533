//! The read-only tables of a problem: its options in pieces, and a row of bits for every item.
//!
//! ```text
//! option 5           items 3 4 5 6 8  40 41
//! its pieces         | 3: 1 1 1 1 . 1 . . |   | 40: 1 1 . . . . . . |        first item, and which of eight it covers
//!
//! row of item 3      | word 0: options 5 7 8 60 |   | word 4: options 256 257 |       words without options are left out
//! ```
//! Items that an option covers are often neighbours: cells of a row, hours of a day. So most options have few pieces, and
//! an option is taken off the slacks of up to eight items by one instruction.

use super::state::{CLOSED, LANES, State};
use crate::engine::Unsuitable;
use crate::{Bounds, ExactCover, ItemId, OptionId};

/// Items of an option among eight neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) first: u32,
    /// A bit for each of the eight items.
    pub(super) items: u8,
}

/// Options of an item among 64 neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) word: u32,
    pub(super) options: u64,
}

/// The number of an item that is covered exactly once, in place of its quota.
pub(super) const ONCE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Table {
    /// Items, options and colours.
    pub(super) problem: ExactCover,
    pieces: Vec<Piece>,
    piece_starts: Vec<u32>,
    parts: Vec<Part>,
    part_starts: Vec<u32>,
    /// The place of each primary item in [`State::quotas`], or [`ONCE`].
    pub(super) quota_of: Vec<u32>,
    /// The state before anything is chosen; `None` if some primary item has too few options.
    pub(super) root: Option<State>,
}

impl Table {
    /// The tables of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable::TooLarge`] if an item has more options than a slack can hold, or there are too many terms.
    pub(super) fn new(problem: &ExactCover) -> Result<Table, Unsuitable> {
        let mut degrees = vec![0_usize; problem.item_count()];
        problem.options().flatten().for_each(|term| degrees[term.item as usize] += 1);
        let most_options = degrees[..problem.primary_count()].iter().copied().max().unwrap_or(0);
        Unsuitable::check_size("options of an item", most_options, CLOSED as usize - 2)?;
        Unsuitable::check_size("terms", problem.term_count(), (1 << 31) - 1)?;
        let (pieces, piece_starts) = cut(problem);
        let (parts, part_starts) = gather(problem, &degrees);
        let mut quota_of = Vec::new();
        let root = root(problem, &degrees, &mut quota_of);
        let problem = problem.without_names();
        Ok(Table { problem, pieces, piece_starts, parts, part_starts, quota_of, root })
    }

    /// The primary items of an option.
    #[inline(always)]
    pub(super) fn pieces(&self, option: usize) -> &[Piece] {
        &self.pieces[self.piece_starts[option] as usize..self.piece_starts[option + 1] as usize]
    }

    /// The options of an item, ascending.
    #[inline(always)]
    pub(super) fn row(&self, item: usize) -> &[Part] {
        &self.parts[self.part_starts[item] as usize..self.part_starts[item + 1] as usize]
    }
}

/// Cuts all options into pieces; returns the pieces, and where those of each option start.
fn cut(problem: &ExactCover) -> (Vec<Piece>, Vec<u32>) {
    let (mut pieces, mut starts) = (Vec::new(), vec![0]);
    let mut items: Vec<ItemId> = Vec::new();
    for terms in problem.options() {
        items.clear();
        let primary = terms.iter().map(|term| term.item);
        items.extend(primary.filter(|&item| (item as usize) < problem.primary_count()));
        items.sort_unstable();
        let mut rest = &items[..];
        while let Some(&first) = rest.first() {
            let count = rest.partition_point(|item| item - first < LANES as u32);
            let items = rest[..count].iter().fold(0, |items, item| items | 1 << (item - first));
            pieces.push(Piece { first, items });
            rest = &rest[count..];
        }
        starts.push(pieces.len() as u32);
    }
    (pieces, starts)
}

/// Gathers the options of all items; returns the parts of their rows, and where each row starts.
fn gather(problem: &ExactCover, degrees: &[usize]) -> (Vec<Part>, Vec<u32>) {
    // Options by item, then rows without gaps in place of them.
    let mut ends: Vec<usize> = Vec::with_capacity(degrees.len());
    let mut end = 0;
    for degree in degrees {
        ends.push(end);
        end += degree;
    }
    let mut options: Vec<OptionId> = vec![0; end];
    for (option, terms) in (0..).zip(problem.options()) {
        for term in terms {
            let end = &mut ends[term.item as usize];
            options[*end] = option;
            *end += 1;
        }
    }
    let (mut parts, mut starts): (Vec<Part>, Vec<u32>) = (Vec::new(), vec![0]);
    for (end, degree) in ends.iter().zip(degrees) {
        for same in options[end - degree..*end].chunk_by(|one, other| one / 64 == other / 64) {
            let options = same.iter().fold(0, |options, option| options | 1 << (option % 64));
            parts.push(Part { word: same[0] / 64, options });
        }
        starts.push(parts.len() as u32);
    }
    (parts, starts)
}

/// The state before anything is chosen, and the places of the items' quotas.
fn root(problem: &ExactCover, degrees: &[usize], quota_of: &mut Vec<u32>) -> Option<State> {
    let primary_count = problem.primary_count();
    let mut root = State::new(primary_count, problem.option_count());
    for (item, &degree) in degrees[..primary_count].iter().enumerate() {
        let bounds @ Bounds { low, high } = problem.bounds(item as ItemId);
        if low as usize > degree {
            return None;
        }
        root.slacks[item] = (degree - low as usize) as i16;
        quota_of.push(if bounds == Bounds::ONCE { ONCE } else { root.quotas.len() as u32 });
        if bounds != Bounds::ONCE {
            root.quotas.push([low as u16, (high as usize).min(degree) as u16]);
        }
    }
    Some(root)
}

//! The items of every option as bits, in windows of 512 items.
//!
//! ```text
//! items, in words of 64      | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | ..
//! options 0 to 63 cover        x       x   x   x   x
//! their window                 far    |first ..                  |         the far word, and seven from `first`
//!
//! row of an option           | far | first | .. |       the bits of its items in the window
//! ```
//! Options are [numbered](super::table) so that neighbours cover neighbouring items. Then the items of 64 options are
//! in one window, as a rule, and those items that options everywhere share (how often a shape is used) are in its far
//! word. A row is a cache line.

use crate::{ExactCover, OptionId};

/// Words of a row.
pub(super) const WIDTH: usize = 8;

/// Words of a window but the far one.
pub(super) const NEAR: usize = WIDTH - 1;

/// Options of a window.
pub(super) const OPTIONS: usize = 64;

/// A row of bits, aligned to a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [u64; WIDTH]);

impl Row {
    /// No items.
    pub(super) const EMPTY: Row = Row([0; WIDTH]);
}

/// Where the bits of a row belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The far word. If the others contain it, its bits are there.
    pub(super) far: u32,
    /// The first of the others, at least 1.
    pub(super) first: u32,
}

impl Place {
    /// The word whose bits are there in a row.
    pub(super) fn word(self, index: usize) -> u32 {
        if index == 0 { self.far } else { self.first + index as u32 - 1 }
    }

    /// Where the bits of a word are in a row.
    fn index(self, word: u32) -> Option<usize> {
        let near = word.wrapping_sub(self.first);
        let is_near = near < NEAR as u32;
        (is_near || word == self.far).then(|| if is_near { near as usize + 1 } else { 0 })
    }
}

/// The place of the items of 64 options, or of some of their items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) place: Place,
    /// Where the rows of the options are among the rows of all windows.
    rows: u32,
}

/// The windows of all options.
#[derive(Debug)]
pub(super) struct Windows {
    windows: Vec<Window>,
    /// The first window of each 64 options.
    starts: Vec<u32>,
    /// The rows of all windows.
    rows: Vec<[Row; OPTIONS]>,
}

/// Words of a set of items. They have room for a window anywhere.
pub(super) fn words_of(primary_count: usize) -> usize {
    primary_count.div_ceil(64).max(WIDTH)
}

/// The words of items that 64 options cover, ascending, for each 64 of the options in the order given.
fn touched<'a>(problem: &'a ExactCover, order: &'a [u32]) -> impl Iterator<Item = Vec<u32>> + 'a {
    order.chunks(OPTIONS).map(|options| {
        let terms = options.iter().flat_map(|&option| problem.option(OptionId(option)));
        let items = terms.map(|term| term.item).filter(|&item| item.index() < problem.primary_count());
        let mut words: Vec<u32> = items.map(|item| item.0 / 64).collect();
        words.sort_unstable();
        words.dedup();
        words
    })
}

/// The places of windows for these words, ascending, among `count` words. If one window is enough and the `last` one
/// will do, it is that one.
fn places(touched: &[u32], count: usize, last: Option<Place>) -> impl Iterator<Item = Place> + '_ {
    let mut rest = touched;
    std::iter::from_fn(move || {
        let (&far, others) = rest.split_first()?;
        if let Some(last) = last.filter(|last| rest.iter().all(|&word| last.index(word).is_some())) {
            rest = &[];
            return Some(last);
        }
        let first = others.first().map_or(far, |&first| first).clamp(1, (count - NEAR) as u32);
        let covered = others.partition_point(|&word| word < first + NEAR as u32);
        rest = &others[covered..];
        Some(Place { far, first })
    })
}

impl Windows {
    /// The bytes that the windows of the options need in this order, at most.
    pub(super) fn bytes(problem: &ExactCover, order: &[u32]) -> usize {
        let words = words_of(problem.primary_count());
        let counts = touched(problem, order).map(|touched| places(&touched, words, None).count());
        counts.sum::<usize>() * size_of::<[Row; OPTIONS]>()
    }

    /// The windows of the options in this order.
    pub(super) fn new(problem: &ExactCover, order: &[u32]) -> Windows {
        let words = words_of(problem.primary_count());
        let (mut windows, mut starts, mut rows) = (Vec::new(), vec![0], Vec::new());
        for (options, touched) in order.chunks(OPTIONS).zip(touched(problem, order)) {
            let from = windows.len();
            let last = windows.last().map(|window: &Window| window.place);
            for place in places(&touched, words, last) {
                windows.push(Window { place, rows: rows.len() as u32 });
                rows.push([Row::EMPTY; OPTIONS]);
            }
            for (at, &option) in options.iter().enumerate() {
                for term in problem.option(OptionId(option)) {
                    let word = term.item.0 / 64;
                    if term.item.index() >= problem.primary_count() {
                        continue;
                    }
                    let found = windows[from..]
                        .iter()
                        .find_map(|window: &Window| Some((window.rows, window.place.index(word)?)));
                    if let Some((row, index)) = found {
                        rows[row as usize][at].0[index] |= 1 << (term.item.0 % 64);
                    }
                }
            }
            starts.push(windows.len() as u32);
        }
        Windows { windows, starts, rows }
    }

    /// The windows of the options of a word.
    #[inline(always)]
    pub(super) fn of(&self, word: usize) -> &[Window] {
        &self.windows[self.starts[word] as usize..self.starts[word + 1] as usize]
    }

    /// The rows of the options of a window.
    #[inline(always)]
    pub(super) fn rows(&self, window: &Window) -> &[Row; OPTIONS] {
        &self.rows[window.rows as usize]
    }
}

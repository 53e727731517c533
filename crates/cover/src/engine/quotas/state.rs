//! The state of a search, and the steps that change it.
//!
//! ```text
//! slacks    |  8  3  0  5 | 16391 ..        of each primary item: the options that it can lose; closed items have more
//! live      | 1 1 0 1 1 0 0 1 ..            of each option: whether it is neither chosen nor eliminated
//! quotas    | 2 3 | 0 1 | ..                of each item with bounds: how often it must and may still be covered
//! ```

use super::table::{ONCE, Part, Table};
use crate::engine::Contradiction;
use crate::{Colour, OptionId};

/// Added to the slack of an item that is full or has no options left.
pub(super) const CLOSED: i16 = 0x4000;

/// Items of a piece: their slacks are changed at a time.
pub(super) const LANES: usize = 8;

/// Slacks compared at a time. The items are padded to a multiple of it.
const BLOCK: usize = 32;

/// What is subtracted from the slacks of eight items, by the bits of a piece.
static SUBTRAHENDS: [[i16; LANES]; 256] = subtrahends();

const fn subtrahends() -> [[i16; LANES]; 256] {
    let mut table = [[0; LANES]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut lane = 0;
        while lane < LANES {
            table[bits][lane] = (bits >> lane & 1) as i16;
            lane += 1;
        }
        bits += 1;
    }
    table
}

/// All that a choice changes.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) slacks: Vec<i16>,
    pub(super) live: Vec<u64>,
    pub(super) quotas: Vec<[u16; 2]>,
}

impl State {
    /// Every option is live. The caller sets the slacks and quotas.
    pub(super) fn new(primary_count: usize, option_count: usize) -> State {
        let mut live = vec![!0; option_count.div_ceil(64)];
        if let Some(last) = live.last_mut()
            && !option_count.is_multiple_of(64)
        {
            *last = (1 << (option_count % 64)) - 1;
        }
        // A piece may begin at the last item.
        let count = (primary_count + LANES).next_multiple_of(BLOCK);
        State { slacks: vec![CLOSED; count], live, quotas: Vec::new() }
    }

    /// Makes this state equal to `other` without allocating.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &State) {
        self.slacks.clone_from(&other.slacks);
        self.live.clone_from(&other.live);
        self.quotas.clone_from(&other.quotas);
    }

    pub(super) fn is_live(&self, option: OptionId) -> bool {
        self.live.get(option as usize / 64).is_some_and(|word| word >> (option % 64) & 1 == 1)
    }
}

/// The state during a step of the search.
pub(super) struct Position<'a> {
    pub(super) table: &'a Table,
    pub(super) state: &'a mut State,
    /// The chosen options.
    pub(super) chosen: &'a mut Vec<OptionId>,
    /// Number of options eliminated.
    pub(super) updates: u64,
}

impl Position<'_> {
    /// Takes a live option off the slacks of its items. Closed items do not mind.
    #[inline(always)]
    fn subtract(&mut self, option: usize) {
        self.updates += 1;
        for piece in self.table.pieces(option) {
            let lanes = self.state.slacks.get_mut(piece.first as usize..);
            if let Some(lanes) = lanes.and_then(|slacks| slacks.first_chunk_mut::<LANES>()) {
                let subtrahends = &SUBTRAHENDS[usize::from(piece.items)];
                for (slack, subtrahend) in lanes.iter_mut().zip(subtrahends) {
                    *slack = slack.wrapping_sub(*subtrahend);
                }
            }
        }
    }

    /// Eliminates a live option.
    pub(super) fn eliminate(&mut self, option: OptionId) {
        self.state.live[option as usize / 64] &= !(1 << (option % 64));
        self.subtract(option as usize);
    }

    /// Chooses a live option, and eliminates every option that it excludes.
    pub(super) fn choose(&mut self, option: OptionId) {
        let table = self.table;
        self.chosen.push(option);
        self.state.live[option as usize / 64] &= !(1 << (option % 64));
        for term in table.problem.option(option) {
            let item = term.item as usize;
            if let Some(&quota) = table.quota_of.get(item) {
                if quota != ONCE {
                    let [low, high] = &mut self.state.quotas[quota as usize];
                    *high -= 1;
                    match low {
                        0 => self.state.slacks[item] -= 1,
                        _ => *low -= 1,
                    }
                    if *high > 0 {
                        continue;
                    }
                }
                self.state.slacks[item] += CLOSED;
            }
            self.eliminate_row(item, term.colour);
        }
    }

    /// Eliminates all options of an item but those that give it the same colour.
    #[inline(always)]
    fn eliminate_row(&mut self, item: usize, colour: Colour) {
        let table = self.table;
        for &Part { word, options } in table.row(item) {
            let mut found = self.state.live[word as usize] & options;
            if found == 0 {
                continue;
            }
            if colour != 0 {
                found = self.clashing(item, colour, word, found);
            }
            self.state.live[word as usize] &= !found;
            while found != 0 {
                self.subtract(64 * word as usize + found.trailing_zeros() as usize);
                found &= found - 1;
            }
        }
    }

    /// Those of some options of an item, in one word, that do not give it a colour.
    #[inline(never)]
    fn clashing(&self, item: usize, colour: Colour, word: u32, options: u64) -> u64 {
        let mut clashing = options;
        let mut left = options;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let terms = self.table.problem.option(64 * word + bit);
            if terms.iter().any(|term| term.item as usize == item && term.colour == colour) {
                clashing &= !(1 << bit);
            }
        }
        clashing
    }

    /// Chooses all options that some item needs, to a fixed point. Returns the open item with the least slack, the first of
    /// several; `None` if no item is open.
    ///
    /// A pass goes over all items and stays at a block of them as long as one of them needs its options. The last pass
    /// finds no such item.
    #[inline(always)]
    pub(super) fn propagate(&mut self) -> Result<Option<usize>, Contradiction> {
        loop {
            let mut is_last = true;
            let (mut least, mut place) = (CLOSED, 0);
            for at in 0..self.state.slacks.len() / BLOCK {
                let mut found = self.least_of(at);
                while found <= 0 {
                    is_last = false;
                    self.settle(at, found)?;
                    found = self.least_of(at);
                }
                if found < least {
                    (least, place) = (found, at);
                }
            }
            if !is_last {
                continue;
            }
            if least == CLOSED {
                return Ok(None);
            }
            return Ok(self.find(place, least));
        }
    }

    /// The least slack of a block of items.
    #[inline(always)]
    fn least_of(&self, at: usize) -> i16 {
        let (blocks, _) = self.state.slacks.as_chunks::<BLOCK>();
        blocks[at].iter().fold(i16::MAX, |least, &slack| least.min(slack))
    }

    /// The first item of a block that has this slack.
    #[inline(always)]
    fn find(&self, at: usize, slack: i16) -> Option<usize> {
        let (blocks, _) = self.state.slacks.as_chunks::<BLOCK>();
        let lane = blocks[at].iter().position(|&found| found == slack);
        lane.map(|lane| BLOCK * at + lane)
    }

    /// Chooses the options of the first item of a block whose slack is the one given, 0 at most.
    #[inline(never)]
    fn settle(&mut self, at: usize, slack: i16) -> Result<(), Contradiction> {
        let item = self.find(at, slack).ok_or(Contradiction)?;
        if slack < 0 {
            return Err(Contradiction);
        }
        match self.first_of(item) {
            Some(option) => self.choose(option),
            // It is covered as often as it must be.
            None => self.state.slacks[item] += CLOSED,
        }
        Ok(())
    }

    /// The first live option of an item.
    pub(super) fn first_of(&self, item: usize) -> Option<OptionId> {
        self.table.row(item).iter().find_map(|part| {
            let found = self.state.live[part.word as usize] & part.options;
            (found != 0).then(|| 64 * part.word + found.trailing_zeros())
        })
    }
}

//! Slacks as 16-bit numbers side by side; options as pieces.
//!
//! ```text
//! slacks       |  8  3  0  5  9  .. | 16391 ..        closed items have more than open ones can have
//!
//! option       items 3 4 5 6 8  40 41
//! its pieces   | 3: 1 1 1 1 . 1 . . |   | 40: 1 1 . . . . . . |        first item, and which of eight it covers
//! ```
//! Items that an option covers are often neighbours: cells of a row, hours of a day. So most options have few pieces, and
//! an option is taken off the slacks of up to eight items at a time. The cost does not depend on the number of items.

use super::slacks::Slacks;
use crate::engine::Contradiction;
use crate::engine::planes::members;
use crate::{ExactCover, ItemId, OptionId};
use galop_simd::Isa;

/// Added to the slack of a closed item.
const CLOSED: i16 = 0x4000;

/// The largest slack.
pub(super) const MAX_SLACK: usize = CLOSED as usize - 2;

/// Items of a piece: their slacks are changed at a time.
const LANES: usize = 8;

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

/// Items of an option among eight neighbours.
#[derive(Clone, Copy, Debug)]
struct Piece {
    first: u32,
    /// A bit for each of the eight items.
    items: u8,
}

/// The options of a problem, cut into pieces.
#[derive(Debug)]
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    /// The first piece of each option.
    starts: Vec<u32>,
}

impl Pieces {
    /// Cuts all options into pieces.
    pub(super) fn new(problem: &ExactCover, order: &[OptionId]) -> Pieces {
        let (mut pieces, mut starts) = (Vec::new(), vec![0]);
        let mut items: Vec<ItemId> = Vec::new();
        for &option in order {
            let terms = problem.option(option);
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
        Pieces { pieces, starts }
    }

    #[inline(always)]
    fn of(&self, option: usize) -> &[Piece] {
        &self.pieces[self.starts[option] as usize..self.starts[option + 1] as usize]
    }
}

/// The slacks of all items.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    slacks: Vec<i16>,
    /// The block of items to look at first: after a slack of 0 the search for the next one goes on there.
    block: usize,
}

impl Numbers {
    fn blocks(&self) -> &[[i16; BLOCK]] {
        self.slacks.as_chunks().0
    }
}

impl Slacks for Numbers {
    type Options = Pieces;

    fn new(problem: &ExactCover, order: &[OptionId], slacks: &[u32], _: Isa) -> (Pieces, Numbers) {
        // A piece may begin at the last item.
        let mut padded = vec![CLOSED; (slacks.len() + LANES).next_multiple_of(BLOCK)];
        padded.iter_mut().zip(slacks).for_each(|(to, &slack)| *to = slack as i16);
        (Pieces::new(problem, order), Numbers { slacks: padded, block: 0 })
    }

    #[inline]
    fn copy_from(&mut self, other: &Numbers) {
        self.slacks.clone_from(&other.slacks);
    }

    fn subtract(&mut self, options: &Pieces, eliminated: &[u64], first: usize) {
        for option in members(eliminated) {
            for piece in options.of(64 * first + option) {
                let lanes = self.slacks.get_mut(piece.first as usize..);
                if let Some(lanes) = lanes.and_then(|slacks| slacks.first_chunk_mut::<LANES>()) {
                    let subtrahends = &SUBTRAHENDS[usize::from(piece.items)];
                    for (slack, subtrahend) in lanes.iter_mut().zip(subtrahends) {
                        *slack = slack.wrapping_sub(*subtrahend);
                    }
                }
            }
        }
    }

    fn decrease(&mut self, item: usize) {
        self.slacks[item] -= 1;
    }

    fn close(&mut self, item: usize) {
        self.slacks[item] += CLOSED;
    }

    fn is_open(&self, item: usize) -> bool {
        self.slacks[item] < CLOSED
    }

    fn least(&mut self, settled: &mut Vec<u32>) -> Result<Option<(usize, u32)>, Contradiction> {
        let (mut least, mut block) = (CLOSED, 0);
        let blocks = self.blocks();
        let count = blocks.len();
        let found = (self.block..count).chain(0..self.block).find(|&at| {
            let found = blocks[at].iter().fold(i16::MAX, |least, &slack| least.min(slack));
            if (found, at) < (least, block) {
                (least, block) = (found, at);
            }
            found <= 0
        });
        self.block = found.unwrap_or(0);
        if least < 0 {
            return Err(Contradiction);
        }
        if least >= CLOSED {
            return Ok(None);
        }
        let lane = self.blocks()[block].iter().position(|&slack| slack == least);
        if least == 0 {
            let lanes = self.blocks()[block].iter().enumerate().filter(|&(_, &slack)| slack == 0);
            settled.extend(lanes.map(|(lane, _)| (BLOCK * block + lane) as u32));
        }
        Ok(lane.map(|lane| (BLOCK * block + lane, least as u32)))
    }
}

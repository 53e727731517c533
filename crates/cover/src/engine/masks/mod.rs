//! Option masks: what is still possible, as one vector of bits; choosing an option is one AND.
//!
//! For problems whose items are all covered exactly once. The state has a lane for each *primary* item:
//! ```text
//!              item 3           item 2           item 1           item 0
//! state    1 0000000 0000110 | 1 ... 0010011 | 0 ... 0000000 | 1 ... 0000001     a lane each
//!          |                                   covered         one option left: forced
//!          uncovered; bits below: the options of the item, those that are live
//!
//! row of   1 1111111 1111010 | 1 ... 1011001 | 1 ... 1111111 | 0 ... 0000000     what choosing it leaves
//! option                                                       the item that it covers
//! ```
//! Secondary items and colours are nowhere in the state: whatever two options clash over, each clears the other's
//! bits. So an option with any number of terms costs as much as one with two, a child is `state & row`, and since the
//! parent stays as it was there is nothing to undo.
//!
//! Tricks
//! 1. All items are tested at once, a vector of them at a time ([`narrow`]): dead, forced, solved, fewest options.
//! 2. Items of more than 63 options have several words, one below the other ([`wide`], [`layout`]).
//! 3. Rows are made of one mask an item, not of pairs of options that clash ([`table`]): linear in the terms.
//! 4. Starting with assumptions is an AND of a row for each of them, so one table serves any number of related
//!    problems: a 9x9 sudoku is 17 clues, 17 ANDs of 672 bytes.
//! 5. The search is a stack of states and untried bits ([`mod@search`]). A level is given away by naming the options
//!    above it; the deepest level is held in registers, which was worth 10 to 15 %.
//! 6. It is compiled once for each instruction set and number of vectors ([`vector`], [`machine`]); on machines with
//!    AVX-512 it is 1.1 to 1.2 times as fast as with AVX2, and about twice as fast as plain words.
//!
//! Tried and lost (times of the AVX-512 search)
//! - Narrow, the vector that was dead last tested before anything else, as in `wide`: Langford 12 1.2 times as long,
//!   sudokus no shorter.
//! - Narrow, all branches of an item tested at once when it is chosen, those that are dead dropped: 1.1 times as
//!   long on queens, 1.2 on Langford 12.
//! - Narrow, forced lanes looked for again once a scan has found any, instead of noting them on the way: 1.05 to
//!   1.1 times as long. (So it is done where noting is not an instruction.)
//! - Narrow, forced lanes searched in what the option taken before leaves: sudokus 1.04 times as long.

mod layout;
mod machine;
mod narrow;
mod search;
mod table;
mod vector;
mod wide;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::Arc;

use self::layout::Layout;
use self::machine::Machine;
use self::narrow::Narrow;
use self::search::{Kernel, Search};
use self::table::Table;
use self::vector::{Block, Vector};
use self::wide::Wide;
use crate::ExactCover;
use crate::engine::{CoverEngine, CoverEntry, Unsuitable};
use galop_simd::{Isa, MissingIsa};

/// See [`Narrow`].
pub(crate) const NARROW: CoverEntry = CoverEntry {
    name: "masks",
    about: "a lane of live options for every item, all items tested at once; up to 63 options an item",
    make: |problem, isa| make(problem, isa, Shape::Narrow),
};

/// See [`Wide`].
pub(crate) const WIDE: CoverEntry = CoverEntry {
    name: "wide",
    about: "as masks, with words of live options for items that have many",
    make: |problem, isa| make(problem, isa, Shape::Wide),
};

/// Bytes that a table may have.
const TABLE_BYTES: usize = 32 << 20;

/// Bytes that a narrow state may have: 64 vectors of 256 bits.
const STATE_BYTES: usize = 64 * 32;

/// Groups of a wide state: they are numbered in sixteen bits.
const GROUPS: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Narrow,
    Wide,
}

fn make(problem: &ExactCover, isa: Isa, shape: Shape) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => make_for::<machine::Avx512>(problem, isa, shape),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => make_for::<machine::Avx2>(problem, isa, shape),
        _ => make_for::<machine::Portable>(problem, isa, shape),
    }
}

fn make_for<M: Sizes>(
    problem: &ExactCover,
    isa: Isa,
    shape: Shape,
) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    let machine = M::find().ok_or(MissingIsa { isa })?;
    if !problem.is_simple() {
        return Err(Unsuitable::Bounds);
    }
    match shape {
        Shape::Narrow => make_narrow(machine, problem),
        Shape::Wide => make_wide(machine, problem),
    }
}

fn make_wide<M: Machine>(machine: M, problem: &ExactCover) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    let (layout, runs) = Layout::wide(&layout::degrees(problem), <M::V as Vector>::Block::WORDS);
    let groups = runs.iter().map(|run| run.groups).sum::<usize>();
    Unsuitable::check_size("groups of items", groups, GROUPS - 1)?;
    search(machine, Wide::new(runs), problem, &layout)
}

fn make_narrow<M: Sizes>(machine: M, problem: &ExactCover) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    let degrees = layout::degrees(problem);
    let most = degrees.iter().copied().max().unwrap_or(0) as usize;
    let too_many = Unsuitable::TooLarge { what: "options of an item", found: most, most: 63 };
    let bits = layout::lane_bits(&degrees).ok_or(too_many)?;
    let words = <M::V as Vector>::Block::WORDS;
    let layout = Layout::narrow(problem.primary_count(), bits, words);
    Unsuitable::check_size("bytes a state", layout.vectors * words * 8, STATE_BYTES)?;
    machine.narrow(problem, &layout, bits)
}

/// The numbers of vectors for which there is a narrow search: a state has the smallest that it fits.
trait Sizes: Machine {
    /// The search with lanes of `bits`.
    fn narrow(
        self,
        problem: &ExactCover,
        layout: &Layout,
        bits: usize,
    ) -> Result<Box<dyn CoverEngine>, Unsuitable>;
}

macro_rules! sizes {
    ($machine:ty: $($size:literal)*) => {
        impl Sizes for $machine {
            fn narrow(self, problem: &ExactCover, layout: &Layout, bits: usize) -> Result<Box<dyn CoverEngine>, Unsuitable> {
                match (bits, layout.vectors) {
                    $(
                        (16, ..=$size) => search(self, Narrow::<_, 16, $size>::new(), problem, layout),
                        (32, ..=$size) => search(self, Narrow::<_, 32, $size>::new(), problem, layout),
                        (64, ..=$size) => search(self, Narrow::<_, 64, $size>::new(), problem, layout),
                    )*
                    _ => Unsuitable::check_size("vectors a state", layout.vectors, 0).and(Err(Unsuitable::Bounds)),
                }
            }
        }
    };
}

sizes!(machine::Portable: 2 5 21 64);
#[cfg(target_arch = "x86_64")]
sizes!(machine::Avx2: 1 2 3 5 8 11 16 21 32 40 64);
#[cfg(target_arch = "x86_64")]
sizes!(machine::Avx512: 1 2 3 4 6 8 11 16 20 32);

fn search<M: Machine, K: Kernel<V = M::V>>(
    machine: M,
    kernel: K,
    problem: &ExactCover,
    layout: &Layout,
) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    let vector_bytes = <M::V as Vector>::Block::WORDS * 8;
    let bytes = kernel.vectors() * vector_bytes * (problem.option_count() + 1);
    Unsuitable::check_size("bytes of table", bytes, TABLE_BYTES)?;
    let table = Table::build(problem, layout, kernel.vectors());
    Ok(Box::new(Search::new(machine, kernel, Arc::new(table), problem.primary_count())))
}

#[cfg(test)]
mod tests;

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
//! Secondary items and colours are not in the state: each of two options that clash over anything clears the other's
//! bits. So an option with any number of terms costs as much as one with two. A child is `state & row`, and because
//! the parent stays as it was, nothing has to be undone.
//!
//! Tricks
//! 1. All items are tested at once, a vector of them at a time ([`narrow`]): contradiction, forced, solved, fewest
//!    options.
//! 2. Items of more than 63 options have several words, one below the other ([`wide`], [`layout`]).
//! 3. Rows are made from one mask for each item, not from pairs of options that clash ([`table`]): linear in the
//!    terms.
//! 4. Starting with assumptions is an AND of a row for each of them, so one table serves any number of related
//!    problems: a 9x9 sudoku is 17 clues, 17 ANDs of 672 bytes.
//! 5. The search is a stack of states and untried bits ([`mod@search`]). A level is given away by naming the options
//!    above it; the deepest level is held in registers, which was worth 10 to 15 %.
//! 6. It is compiled once for each instruction set and number of vectors ([`galop_simd`]); on machines with
//!    AVX-512 it is 1.1 to 1.2 times as fast as with AVX2, and about twice as fast as plain words.
//!
//! Tried and lost (times of the AVX-512 search)
//! - Narrow, the vector with the last contradiction tested before anything else, as in `wide`: Langford 12 1.2 times
//!   as long, sudokus no shorter.
//! - Narrow, all branches of an item tested at once when it is chosen, contradictory ones dropped: 1.1 times as
//!   long on queens, 1.2 on Langford 12.
//! - Narrow, forced lanes looked for again once a scan has found any, instead of noting them on the way: 1.05 to
//!   1.1 times as long. (So it is done where noting is not an instruction.)
//! - Narrow, forced lanes searched in what the option taken before leaves: sudokus 1.04 times as long.
//! - Wide, tables of more than 32 MiB, for records of one problem: beside sparse sets 16x16 sudokus took twice as long,
//!   Latin squares of 20x20 (77 MB) four times and of 30x30 (584 MB) eight times.

mod layout;
mod narrow;
mod search;
mod table;
mod wide;

use self::layout::Layout;
use self::narrow::Narrow;
use self::search::Node;
use self::table::Table;
use self::wide::Wide;
use crate::ExactCover;
use crate::engine::{Build, CoverEngine, CoverEntry, Unsuitable};
use galop_simd::{Job, Simd, Vector};

/// See [`Narrow`].
pub(crate) const NARROW: CoverEntry = CoverEntry {
    name: "masks",
    about: "a lane of live options for every item, all items tested at once; up to 31 options per item",
    lists: true,
    holds: |problem| check(problem, Shape::Narrow),
    make: |problem, build| make(problem, build, Shape::Narrow),
};

/// See [`Wide`].
pub(crate) const WIDE: CoverEntry = CoverEntry {
    name: "wide",
    about: "as masks, with words of live options for items that have many",
    lists: true,
    holds: |problem| check(problem, Shape::Wide),
    make: |problem, build| make(problem, build, Shape::Wide),
};

/// Bytes of the largest table.
const TABLE_BYTES: usize = 32 << 20;

/// Items of the largest narrow states, with up to 15 and up to 31 options each. (Lanes of 64 bits are not worth their
/// compiling: `wide` executes 0.86 times as many instructions on 10x10 Y pentominoes, and 1.16 times as many on 25
/// items.)
const SHORT_ITEMS: usize = 1024;
const LONG_ITEMS: usize = 64;

/// Groups of a wide state, exclusive: they are numbered in sixteen bits.
const GROUPS: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Narrow,
    Wide,
}

/// Words of the widest and of the narrowest vectors of all instruction sets.
const WIDEST: usize = 8;
const NARROWEST: usize = 4;

/// Whether there is room for `problem`. States are padded as on the machine that pads most, so that every machine takes
/// the same problems.
fn check(problem: &ExactCover, shape: Shape) -> Result<(), Unsuitable> {
    if !problem.is_simple() {
        return Err(Unsuitable::Bounds);
    }
    let items = problem.primary_count();
    let degrees = &problem.degrees()[..items];
    let layout = match shape {
        Shape::Narrow => {
            let most = degrees.iter().copied().max().unwrap_or(0) as usize;
            Unsuitable::check_size("options of an item", most, 31)?;
            let bits = lane_bits(most);
            Unsuitable::check_size("items", items, if bits == 16 { SHORT_ITEMS } else { LONG_ITEMS })?;
            Layout::narrow(items, bits, WIDEST)
        }
        Shape::Wide => {
            Unsuitable::check_size("groups of items", items.div_ceil(NARROWEST), GROUPS - 1)?;
            Layout::wide(degrees, WIDEST).0
        }
    };
    let state = layout.vectors * WIDEST * 8;
    Unsuitable::check_size("bytes of table", state * (problem.option_count() + 1), TABLE_BYTES)
}

/// Bits of a narrow lane for an item of that many options.
fn lane_bits(options: usize) -> usize {
    if options < 16 { 16 } else { 32 }
}

fn make(problem: &ExactCover, build: Build<'_>, shape: Shape) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    check(problem, shape)?;
    build.isa.run(Make { problem, shape })?
}

/// Makes the engine for the instruction set that was found.
struct Make<'a> {
    problem: &'a ExactCover,
    shape: Shape,
}

impl Job for Make<'_> {
    type Output = Result<Box<dyn CoverEngine>, Unsuitable>;

    fn run<S: Simd>(self) -> Self::Output {
        match self.shape {
            Shape::Narrow => make_narrow::<S>(self.problem),
            Shape::Wide => make_wide::<S>(self.problem),
        }
    }
}

/// Lines of a table above which it has no room in a cache.
const LARGE_LINES: u64 = 1 << 17;

/// Ticks of an option that is chosen. The padding of a machine's vectors does not count.
fn row_ticks(problem: &ExactCover, layout: &Layout) -> u64 {
    let degrees = problem.degrees();
    let words = degrees[..problem.primary_count()].iter().map(|&degree| layout.words(degree));
    let lines = words.sum::<f64>() as u64 / 8;
    // A row of a large table is not in the cache.
    let is_large = lines * problem.option_count() as u64 > LARGE_LINES;
    2 + lines * if is_large { 6 } else { 3 }
}

fn make_wide<S: Simd>(problem: &ExactCover) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    let (layout, runs) = Layout::wide(&problem.degrees()[..problem.primary_count()], S::Widest::WORDS);
    Ok(search::<S, _>(Wide::<S::Widest>::new(runs), problem, &layout))
}

fn make_narrow<S: Simd>(problem: &ExactCover) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    let items = problem.primary_count();
    let most = problem.degrees()[..items].iter().copied().max().unwrap_or(0) as usize;
    let bits = lane_bits(most);
    let layout = Layout::narrow(items, bits, S::Widest::WORDS);
    /// The search with the smallest state that has room: for each lane width, the sizes of states in vectors.
    macro_rules! sizes {
        ($($bits:literal: $($size:literal)*;)*) => {
            match (bits, layout.vectors) {
                $($(
                    ($bits, ..=$size) => {
                        Ok(search::<S, _>(Narrow::<S::Widest, $bits, $size>::new(), problem, &layout))
                    }
                )*)*
                (_, found) => Err(Unsuitable::TooLarge { what: "vectors a state", found, most: SHORT_ITEMS / 16 }),
            }
        };
    }
    // Every size is another copy of the search, which takes 0.16 s to compile, so there are few. Most are at most 2.5
    // times the one before. The sizes of the 9x9 sudoku (11 and 21), of 12 to 15 queens (2 and 1) and of Langford 12
    // and 13 (5 and 3) are exact.
    if const { S::Widest::WORDS == 8 } {
        sizes!(16: 1 4 7 11 32; 32: 2 3 4;)
    } else if S::IS_PORTABLE {
        sizes!(16: 5 21 64; 32: 8;)
    } else {
        sizes!(16: 2 5 8 13 21 64; 32: 5 8;)
    }
}

fn search<S: Simd, N: Node>(node: N, problem: &ExactCover, layout: &Layout) -> Box<dyn CoverEngine> {
    let table = Table::build(problem, layout, node.vectors());
    search::engine::<S, N>(node, table, problem.primary_count(), row_ticks(problem, layout))
}

//! Carry-save adders: the numbers of many items, and the moves between states.
//!
//! ```text
//! slacks    | 8  3  0  5 ..         of each primary item: the options that it can lose, bit-sliced
//! live      | 1 1 0 1 1 0 0 1 ..    of each option: whether it is neither chosen nor eliminated
//! quotas    | 2 3 | 0 1 | ..        of each item that is covered several times: how often it must and may still be covered
//! ```
//! The options that a choice excludes are bits of one set; they are counted item by item with carry-save adders, and
//! the counts are subtracted from the slacks at once ([`slacks`](super::slacks)).
//!
//! Tricks
//! 1. Options are numbered anew, so that neighbours cover neighbouring items ([`table`](super::table)). Their items
//!    then lie in the same 512 bits, a [window](super::windows), and one vector holds them: the cost of a choice does
//!    not depend on the number of items.
//! 2. All items without slack are found at once. Their options are chosen together, and what they exclude is subtracted
//!    together.
//! 3. The options of an item that its quota has just filled are eliminated last, unless there is a contradiction
//!    already. They were a fifth of the time.
//! 4. What an option excludes is [remembered](super::excluded) when it is first chosen: an eighth of the time.
//!
//! On the partridge puzzle of order 8 (1,304 items) a node excludes 560 options and takes 2.3 microseconds.
//!
//! Tried and lost, in microseconds for a node of that puzzle
//! - Slacks as 16-bit numbers side by side, an option as pieces of eight neighbouring items, each subtracted by one
//!   vector instruction: 7.
//! - Rows of bits of all items in place of windows: 7. They wait for memory.
//! - Items without slack settled one after the other: 3.6. Rows found by their numbers, in lists: 3.5. (Before tricks 3
//!   and 4; it was 2.9 then.)

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use super::Layout;
use super::excluded::Exclusions;
use super::numbers::members;
use super::stack::Stack;
use super::table::{AdderState, AdderTable, ONCE, Part, add_all};
use crate::engine::search::Choices;
use crate::engine::{Build, Contradiction, CoverEngine, Unsuitable};
use crate::{ExactCover, OptionId};
use galop_simd::{Job, Simd};

/// What is found but not done yet.
#[derive(Debug)]
pub(super) struct Pending {
    /// Options that are to be eliminated if they are live.
    bits: Vec<u64>,
    /// The words of them in use; the others are 0.
    words: Range<usize>,
    /// Items with slack 0.
    items: Vec<u32>,
    /// Items with a quota that are full, but whose other options are not yet eliminated.
    full: Vec<u32>,
    /// The items of least slack, when the state is propagated.
    found: Vec<u64>,
    excluded: Exclusions,
}

impl Pending {
    /// Nothing.
    fn new(option_count: usize, item_words: usize) -> Pending {
        Pending {
            bits: vec![0; option_count.div_ceil(64)],
            words: 0..0,
            items: Vec::new(),
            full: Vec::new(),
            found: vec![0; item_words],
            excluded: Exclusions::new(option_count),
        }
    }

    /// Forgets the options to eliminate, and the items that are full.
    #[cold]
    fn forget(&mut self) {
        self.bits[std::mem::take(&mut self.words)].fill(0);
        self.full.clear();
    }

    /// Adds options to eliminate, whose words ascend. They need not be live.
    #[inline(always)]
    fn add_all(&mut self, parts: &[Part]) {
        add_all(&mut self.bits, &mut self.words, parts);
    }

    /// Adds the options that an option excludes, but for items with quotas.
    #[inline(always)]
    fn exclude(&mut self, table: &AdderTable, place: u32) {
        add_all(&mut self.bits, &mut self.words, self.excluded.of(table, place));
    }
}

/// The states of a search, and what its moves change beside them. In this file an option is given by its place in the
/// order of the search.
struct Moves<S> {
    stack: Stack<AdderState>,
    /// Empty between two steps.
    pending: Pending,
    compiled_for: PhantomData<S>,
}

/// A problem in bit-sliced numbers, and the states of a search.
pub(super) struct Adders<S> {
    table: Arc<AdderTable>,
    moves: Moves<S>,
}

impl<S: Simd> Adders<S> {
    fn of(table: Arc<AdderTable>) -> Self {
        let moves = Moves {
            stack: Stack::new(&table.root),
            pending: Pending::new(table.order.len(), table.root.slacks.words()),
            compiled_for: PhantomData,
        };
        Adders { table, moves }
    }
}

/// The layout of `problem` for every machine.
#[cfg(test)]
pub(super) fn portable(problem: &ExactCover) -> Adders<galop_simd::Portable> {
    Adders::of(Arc::new(AdderTable::new(problem, galop_simd::Isa::Portable.into()).unwrap().0))
}

/// Makes the engine for the instruction set of the build.
struct Make<'a>(&'a ExactCover, Build<'a>);

impl Job for Make<'_> {
    type Output = Result<Box<dyn CoverEngine>, Unsuitable>;

    fn run<S: Simd>(self) -> Self::Output {
        let (table, room) = AdderTable::new(self.0, self.1)?;
        Ok(Box::new(Choices::new(Adders::<S>::of(Arc::new(table)), room)))
    }
}

/// The engine of `problem`.
pub(super) fn make(problem: &ExactCover, build: Build<'_>) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    build.isa.run(Make(problem, build))?
}

impl<S: Simd> Moves<S> {
    /// Takes the eliminated options off the slacks.
    #[inline(always)]
    fn settle(&mut self, table: &AdderTable) {
        let Pending { bits, words, .. } = &mut self.pending;
        let words = std::mem::take(words);
        if words.is_empty() {
            return;
        }
        let AdderState { slacks, live, .. } = self.stack.current_mut();
        let (live, bits) = (&mut live[words.clone()], &mut bits[words.clone()]);
        let mut updates = 0;
        for (live, bits) in live.iter_mut().zip(&mut *bits) {
            *bits &= *live;
            *live &= !*bits;
            updates += u64::from(bits.count_ones());
        }
        slacks.subtract::<S>(&table.options, bits, words.start);
        bits.fill(0);
        self.stack.updates += updates;
    }

    /// An error if an open item has too few options.
    #[inline(always)]
    fn check(&mut self) -> Result<(), Contradiction> {
        let short = self.stack.current().slacks.short();
        self.stack.check(short)
    }

    /// Eliminates the marked options, and then the options of full items, unless there is a contradiction already:
    /// mostly there is, near the option chosen, and a full item may have a thousand options.
    #[inline(always)]
    fn settle_marked(&mut self, table: &AdderTable) -> Result<(), Contradiction> {
        self.settle(table);
        let mut result = self.check();
        if !self.pending.full.is_empty() {
            if result.is_ok() {
                for at in 0..self.pending.full.len() {
                    self.pending.add_all(table.row(self.pending.full[at] as usize));
                }
                self.settle(table);
                result = self.check();
            }
            self.pending.full.clear();
        }
        result
    }

    /// Chooses a live option, and marks every option that it excludes except options of full items with a quota.
    #[inline(always)]
    fn mark(&mut self, table: &AdderTable, place: u32) {
        self.stack.chosen.push(place);
        let AdderState { slacks, live, quotas } = self.stack.current_mut();
        live[place as usize / 64] &= !(1 << (place % 64));
        self.pending.exclude(table, place);
        for term in table.option(place) {
            let item = term.item.index();
            let Some(&quota) = table.quota_of.get(item) else { continue };
            let Some([low, high]) = quotas.get_mut(quota as usize) else {
                slacks.close(item);
                continue;
            };
            *high -= 1;
            match low {
                0 => slacks.decrease(item),
                _ => *low -= 1,
            }
            if *high == 0 {
                slacks.close(item);
                self.pending.full.push(term.item.0);
            }
        }
    }

    /// Chooses the options of the settled items, or one option of each, and closes those that are covered as often as
    /// they must be. The options that are excluded are eliminated all at once. Items that are left out are found again.
    #[inline(always)]
    fn settle_items(&mut self, table: &AdderTable) -> Result<(), Contradiction> {
        let mut result = Ok(());
        for at in 0..self.pending.items.len() {
            let item = self.pending.items[at] as usize;
            // An option chosen just now may have closed it.
            if !self.stack.current().slacks.is_open(item) {
                continue;
            }
            match self.first_of(table, item) {
                Some(option) => {
                    self.mark(table, option);
                    // Options of a full item are live still, and must not be chosen.
                    if !self.pending.full.is_empty() {
                        break;
                    }
                }
                None if self.must_cover(table, item) => {
                    self.stack.failed = item;
                    result = Err(Contradiction);
                    break;
                }
                None => self.stack.current_mut().slacks.close(item),
            }
        }
        self.pending.items.clear();
        match result {
            Ok(()) => self.settle_marked(table),
            Err(Contradiction) => {
                self.pending.forget();
                Err(Contradiction)
            }
        }
    }

    /// Whether an open item must still be covered.
    fn must_cover(&self, table: &AdderTable, item: usize) -> bool {
        match table.quota_of[item] {
            ONCE => true,
            quota => self.stack.current().quotas.get(quota as usize).is_some_and(|&[low, _]| low > 0),
        }
    }

    /// The live option of an item that comes first in the problem.
    #[inline(always)]
    fn first_of(&self, table: &AdderTable, item: usize) -> Option<u32> {
        if table.is_in_order {
            let live = &self.stack.current().live;
            return table.row(item).iter().find_map(|part| {
                let found = live[part.word as usize] & part.options & !self.pending.bits[part.word as usize];
                (found != 0).then(|| 64 * part.word + found.trailing_zeros())
            });
        }
        let mut first = None;
        self.for_each_option(table, item, |place| {
            let option = table.order[place as usize];
            if first.is_none_or(|(least, _)| option < least) {
                first = Some((option, place));
            }
        });
        first.map(|(_, place)| place)
    }

    /// Visits the live options of an item that are not to be eliminated.
    #[inline(always)]
    fn for_each_option(&self, table: &AdderTable, item: usize, mut visit: impl FnMut(u32)) {
        let live = &self.stack.current().live;
        for part in table.row(item) {
            let mut found = live[part.word as usize] & part.options & !self.pending.bits[part.word as usize];
            while found != 0 {
                visit(64 * part.word + found.trailing_zeros());
                found &= found - 1;
            }
        }
    }
}

impl<S: Simd> Layout for Adders<S> {
    type Isa = S;
    type State = AdderState;

    fn fork(&self) -> Self {
        Self::of(Arc::clone(&self.table))
    }

    #[inline(always)]
    fn option_of(&self, number: u32) -> OptionId {
        OptionId(self.table.order[number as usize])
    }

    fn number_of(&self, option: OptionId) -> Option<u32> {
        self.table.places.get(option.index()).copied()
    }

    fn reset(&mut self) -> Result<(), Contradiction> {
        self.moves.stack.reset(&self.table.root, self.table.is_contradictory)
    }

    #[inline(always)]
    fn stack(&self) -> &Stack<AdderState> {
        &self.moves.stack
    }

    #[inline(always)]
    fn stack_mut(&mut self) -> &mut Stack<AdderState> {
        &mut self.moves.stack
    }

    #[inline(always)]
    fn choose(&mut self, place: u32) -> Result<(), Contradiction> {
        self.moves.mark(&self.table, place);
        self.moves.settle_marked(&self.table)
    }

    #[inline(always)]
    fn forbid(&mut self, place: u32) -> Result<(), Contradiction> {
        self.moves.pending.add_all(&[Part { word: place / 64, options: 1 << (place % 64) }]);
        self.moves.settle(&self.table);
        self.moves.check()
    }

    #[inline(always)]
    fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction> {
        loop {
            let Moves { stack, pending, .. } = &mut self.moves;
            match stack.current().slacks.least(&mut pending.found, &mut pending.items) {
                Some((_, 0)) => self.moves.settle_items(&self.table)?,
                found => return Ok(found),
            }
        }
    }

    #[inline(always)]
    fn first_of(&self, item: usize) -> Option<u32> {
        self.moves.first_of(&self.table, item)
    }

    #[inline(always)]
    fn for_each_option(&self, item: usize, visit: impl FnMut(u32)) {
        self.moves.for_each_option(&self.table, item, visit);
    }

    fn item_count(&self) -> usize {
        self.table.quota_of.len()
    }

    #[inline(always)]
    fn for_each_least(&self, visit: impl FnMut(usize)) {
        members(&self.moves.pending.found).for_each(visit);
    }

    #[inline(always)]
    fn slack_of(&self, item: usize) -> Option<u32> {
        let slacks = &self.moves.stack.current().slacks;
        slacks.is_open(item).then(|| slacks.get(item))
    }

    fn weigh(&self, place: u32) -> u64 {
        let quotas = &self.moves.stack.current().quotas;
        let needs = self.table.quotas(place).iter().map(|&quota| f64::from(quotas[quota as usize][0].max(1)));
        (16.0 * needs.fold(self.table.sizes[place as usize], |weight, need| weight * need * need)) as u64
    }
}

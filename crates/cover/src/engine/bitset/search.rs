//! The search: filter, take what is forced, branch. It has its own stack, so it can stop anywhere and go on.
//!
//! ```text
//! planes   | rows of the root | of a branch of it | of a branch of that | ..     each state's behind the last one's
//!            levels[0].rows     levels[1].rows      rows
//! trail    | assumed | forced | choice | forced | choice | ..                    options chosen: a solution at the end
//!                     levels[0].trail   levels[1].trail
//! ```

use std::sync::Arc;

use super::counting::Counter;
use super::kernel::{Counters, MARGIN, RowKernel, Rows, common, pad, row};
use super::table::{PAD, Table};
use crate::engine::{Assumption, Event, Meter};
use crate::{Assumptions, OptionId};

/// An item on which the search branched, and its options.
#[derive(Clone, Debug)]
struct Level<const W: usize> {
    rows: Rows,
    uncovered: [u64; W],
    /// Its word and its bit there.
    word: usize,
    bit: u32,
    /// The row from which to look for its next option.
    at: usize,
    /// The number of its branches, of those begun, and of those given away.
    degree: u32,
    tried: u32,
    given: u32,
    /// Options chosen before.
    trail: usize,
}

/// The next step of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Enter a state in which an option was chosen: `rows` are those before the choice.
    Enter,
    /// Take the next branch of the last level.
    Leave,
    /// Nothing is left.
    Done,
}

/// A problem as rows, and a search through it.
#[derive(Debug)]
pub(super) struct Search<const W: usize> {
    table: Arc<Table<W>>,
    /// The rows of all states on the way, word by word.
    planes: [Vec<u64>; W],
    levels: Vec<Level<W>>,
    pub(super) trail: Vec<OptionId>,
    step: Step,
    /// The state to enter: its rows before the filter, the bits to filter by, and the items still to cover.
    rows: Rows,
    forbidden: [u64; W],
    uncovered: [u64; W],
    pub(super) ticks: u64,
    pub(super) counting: Counter<W>,
    /// The options assumed to be in no solution.
    forbidden_options: Vec<OptionId>,
    /// The number of assumed options on the trail, and the assumption about each option.
    assumed_count: usize,
    assumed: Vec<Assumption>,
}

impl<const W: usize> Search<W> {
    pub(super) fn new(table: Arc<Table<W>>, counting: Counter<W>) -> Search<W> {
        Search {
            planes: [const { Vec::new() }; W],
            levels: Vec::new(),
            trail: Vec::new(),
            step: Step::Done,
            rows: Rows::default(),
            forbidden: [0; W],
            uncovered: [0; W],
            ticks: 0,
            counting,
            forbidden_options: Vec::new(),
            assumed_count: 0,
            assumed: vec![Assumption::Nothing; table.used.len()],
            table,
        }
    }

    /// Another search of the same problem, not started.
    pub(super) fn fork(&self) -> Search<W> {
        Search::new(Arc::clone(&self.table), self.counting.fork())
    }

    pub(super) fn start(&mut self, assumptions: &Assumptions) {
        // Remembered counts stay valid while the forbidden options are the same, whatever is chosen. A search with
        // nothing chosen is a new search of the whole problem and clears them anyway.
        let is_branch = !assumptions.chosen.is_empty() && self.forbidden_options == assumptions.forbidden;
        self.counting.start(is_branch);
        for option in self.forbidden_options.drain(..).chain(self.trail.drain(..self.assumed_count)) {
            self.assumed[option.index()] = Assumption::Nothing;
        }
        self.assumed_count = 0;
        self.trail.clear();
        self.levels.clear();
        self.ticks = 0;
        self.step = if self.assume(assumptions) { Step::Enter } else { Step::Done };
        if self.step == Step::Enter {
            self.fill();
        }
    }

    /// Makes the assumptions; `false` if two of them clash.
    fn assume(&mut self, assumptions: &Assumptions) -> bool {
        for &option in &assumptions.forbidden {
            if let Some(assumed @ Assumption::Nothing) = self.assumed.get_mut(option.index()) {
                *assumed = Assumption::Forbidden;
                self.forbidden_options.push(option);
            }
        }
        self.uncovered = self.table.primary;
        self.forbidden = [0; W];
        self.forbidden[W - 1] = PAD;
        assumptions.chosen.iter().all(|&option| match self.assumed.get(option.index()) {
            Some(Assumption::Chosen) => true,
            Some(Assumption::Nothing) => {
                let used = &self.table.used[option.index()];
                let is_free = common(used, &self.forbidden) == 0;
                if is_free {
                    for word in 0..W {
                        self.uncovered[word] &= !used[word];
                        self.forbidden[word] |= self.table.forbidden[option.index()][word];
                    }
                    self.assumed[option.index()] = Assumption::Chosen;
                    self.trail.push(option);
                    self.assumed_count += 1;
                }
                is_free
            }
            _ => false,
        })
    }

    /// Puts the rows of the root in place.
    fn fill(&mut self) {
        let room = Rows { start: 0, len: self.table.used.len() + MARGIN }.room();
        self.make_room(room);
        let mut len = 0;
        for (row, assumed) in self.table.used.iter().zip(&self.assumed) {
            if *assumed == Assumption::Nothing && common(row, &self.forbidden) == 0 {
                for word in 0..W {
                    self.planes[word][len] = row[word];
                }
                len += 1;
            }
        }
        pad(&mut self.planes, len);
        self.rows = Rows { start: 0, len };
    }

    #[inline(always)]
    fn make_room(&mut self, room: usize) {
        if self.planes[0].len() < room {
            self.grow(room);
        }
    }

    #[cold]
    fn grow(&mut self, room: usize) {
        for plane in &mut self.planes {
            plane.resize(room.next_power_of_two(), 0);
        }
    }

    /// Counts to the next event: some solutions are shown. `None` if the search gave up because remembering does not
    /// pay.
    #[inline(always)]
    pub(super) fn run<K: RowKernel>(&mut self, meter: &mut Meter<'_>) -> Option<Event> {
        loop {
            match self.step {
                Step::Enter => {
                    if let Some(stop) = meter.node(self.levels.len()) {
                        return Some(Event::Stopped(stop));
                    }
                    self.step = Step::Leave;
                    let left: u32 = self.uncovered.iter().map(|word| word.count_ones()).sum();
                    match left {
                        0 => {
                            self.counting.record(&self.trail[self.base()..]);
                            self.counting.add(1);
                            if self.counting.is_shown() {
                                return Some(Event::Solution);
                            }
                        }
                        1 => {
                            if self.count_last::<K>() {
                                return Some(Event::Solution);
                            }
                        }
                        _ => {
                            if !self.enter::<K>() {
                                return None;
                            }
                        }
                    }
                }
                Step::Leave => self.leave::<K>(),
                Step::Done => return Some(Event::End),
            }
        }
    }

    /// Counts the solutions of a state with one item left: every row that is free is one. Returns whether one of them
    /// is shown.
    #[inline(always)]
    fn count_last<K: RowKernel>(&mut self) -> bool {
        self.ticks += 24 + (self.rows.len * self.table.item_words) as u64 / 8;
        let count = match self.counting.recorder {
            None => K::count_free(&self.planes, self.rows, &self.forbidden),
            Some(_) => self.record_last(),
        };
        self.counting.add(count);
        count > 0 && self.counting.is_shown() && self.show_last()
    }

    /// The options of the rows that are free.
    fn free_options(&self) -> impl Iterator<Item = OptionId> {
        let rows = (self.rows.start..self.rows.end()).map(|at| row(&self.planes, at));
        let free = rows.filter(|row| common(row, &self.forbidden) == 0);
        free.map(|row| OptionId(self.table.number(&row)))
    }

    /// Records the solutions of a state with one item left, and returns their number.
    #[inline(never)]
    fn record_last(&mut self) -> u64 {
        let options: Vec<OptionId> = self.free_options().collect();
        for &option in &options {
            self.trail.push(option);
            self.counting.record(&self.trail[self.base()..]);
            self.trail.pop();
        }
        options.len() as u64
    }

    /// Chooses the first row that is free; `false` if none is.
    #[inline(never)]
    fn show_last(&mut self) -> bool {
        let option = self.free_options().next();
        self.trail.extend(option);
        option.is_some()
    }

    /// Enters a state: filters its rows, then takes what is forced, or branches. `false` if the search should give
    /// up.
    #[inline(always)]
    fn enter<K: RowKernel>(&mut self) -> bool {
        self.make_room(self.rows.room());
        let words = self.table.primary_words;
        let (kept, counters) = K::filter(&mut self.planes, self.rows, &self.forbidden, words);
        self.ticks += 28 + ((self.rows.len + kept) * self.table.item_words) as u64 / 8;
        self.rows = Rows { start: self.rows.next(), len: kept };
        let (mut contradictory, mut is_any_forced, mut forced) = (0, 0, [0; W]);
        for word in 0..W {
            let several = counters[1][word] | counters[2][word] | counters[3][word];
            contradictory |= self.uncovered[word] & !(counters[0][word] | several);
            forced[word] = self.uncovered[word] & counters[0][word] & !several;
            is_any_forced |= forced[word];
        }
        if contradictory != 0 {
            return true;
        }
        if is_any_forced != 0 {
            if self.take::<K>(&forced) {
                self.step = Step::Enter;
            }
            return true;
        }
        let goes_on = self.counting.pays();
        let key = self.key(&counters);
        if self.counting.recall(&key, &self.trail[self.base()..]) {
            return goes_on;
        }
        let (word, bit, degree) = self.choose_item(&counters);
        self.levels.push(Level {
            rows: self.rows,
            uncovered: self.uncovered,
            word,
            bit,
            at: self.rows.start,
            degree,
            tried: 0,
            given: 0,
            trail: self.trail.len(),
        });
        goes_on
    }

    /// Chooses every option that is the only one of an item, all at once. `false` if two of them clash.
    #[inline(always)]
    fn take<K: RowKernel>(&mut self, forced: &[u64; W]) -> bool {
        let end = self.rows.end();
        let words = self.table.primary_words;
        self.forbidden = [0; W];
        let mut at = K::find_hit(&self.planes, self.rows.start, end, forced, words);
        while at < end {
            let row = row(&self.planes, at);
            if common(&row, &self.forbidden) != 0 {
                return false;
            }
            let forbidden = self.table.forbidden_by(&row);
            for word in 0..W {
                self.uncovered[word] &= !row[word];
                self.forbidden[word] |= forbidden[word];
            }
            self.trail.push(OptionId(self.table.number(&row)));
            at = K::find_hit(&self.planes, at + 1, end, forced, words);
        }
        true
    }

    /// The number of options chosen before the branch under way of the last level.
    #[inline(always)]
    fn base(&self) -> usize {
        self.levels.last().map_or(0, |level| level.trail)
    }

    /// The key of the state: the bits of all rows that are left, without the numbers.
    #[inline(always)]
    fn key(&self, counters: &Counters<W>) -> [u64; W] {
        let mut key = [0; W];
        for word in 0..self.table.item_words {
            key[word] = if word < self.table.primary_words {
                counters[0][word] | counters[1][word] | counters[2][word] | counters[3][word]
            } else {
                let rows = &self.planes[word][self.rows.start..self.rows.end()];
                rows.iter().fold(0, |all, row| all | row)
            };
        }
        key[W - 1] &= !(self.table.number_mask | PAD);
        key
    }

    /// The first item with the fewest options: its word, its bit, and the number of its options.
    #[inline(always)]
    fn choose_item(&self, counters: &Counters<W>) -> (usize, u32, u32) {
        let (mut items, mut any) = ([0; W], 0);
        for word in 0..W {
            items[word] = self.uncovered[word] & !counters[3][word];
            any |= items[word];
        }
        if any == 0 {
            return self.choose_among_large();
        }
        // Keep the items without the highest bit of the count, if there are any; of these, those without the next
        // bit.
        for bits in counters[..3].iter().rev() {
            let (mut fewer, mut any) = ([0; W], 0);
            for word in 0..W {
                fewer[word] = items[word] & !bits[word];
                any |= fewer[word];
            }
            if any != 0 {
                items = fewer;
            }
        }
        let mut word = 0;
        while word + 1 < W && items[word] == 0 {
            word += 1;
        }
        let bit = items[word].trailing_zeros() & 63;
        let degree = [0, 1, 2].map(|place| (counters[place][word] >> bit & 1) << place);
        (word, bit, degree.iter().sum::<u64>() as u32)
    }

    /// The same if every item has 8 options or more: they are counted one by one. That happens only near the root.
    #[cold]
    fn choose_among_large(&self) -> (usize, u32, u32) {
        let mut best = (0, 0, u32::MAX);
        for word in 0..W {
            let mut counts = [0_u32; 64];
            for row in &self.planes[word][self.rows.start..self.rows.end()] {
                let mut items = row & self.uncovered[word];
                while items != 0 {
                    counts[items.trailing_zeros() as usize] += 1;
                    items &= items - 1;
                }
            }
            for (bit, &count) in (0..64).zip(&counts) {
                if self.uncovered[word] >> bit & 1 == 1 && count < best.2 {
                    best = (word, bit, count);
                }
            }
        }
        best
    }

    /// Chooses the next branch of the last level, or leaves the level if no branch is left.
    #[inline(always)]
    fn leave<K: RowKernel>(&mut self) {
        let Some(level) = self.levels.last_mut() else {
            self.step = Step::Done;
            return;
        };
        self.trail.truncate(level.trail);
        if level.tried + level.given >= level.degree {
            self.levels.pop();
            self.counting.leave(&self.trail[self.base()..]);
            return;
        }
        level.tried += 1;
        let at = K::find_bit(&self.planes[level.word], level.at, level.rows.end(), level.bit);
        level.at = at + 1;
        let row = row(&self.planes, at);
        self.rows = level.rows;
        self.forbidden = self.table.forbidden_by(&row);
        for word in 0..W {
            self.uncovered[word] = level.uncovered[word] & !row[word];
        }
        self.trail.push(OptionId(self.table.number(&row)));
        self.step = Step::Enter;
    }

    pub(super) fn split(&mut self) -> Option<Assumptions> {
        let shallowest = self.levels.iter().position(|level| level.tried + level.given < level.degree)?;
        let level = &mut self.levels[shallowest];
        let (rows, bit) = (level.rows, level.bit);
        // The last option that was not given away: those given away before come after it.
        let options =
            (rows.start..rows.end()).rev().filter(|&at| self.planes[level.word][at] >> bit & 1 == 1);
        let at = options.clone().nth(level.given as usize)?;
        level.given += 1;
        let mut chosen = self.trail[..level.trail].to_vec();
        chosen.push(OptionId(self.table.number(&row(&self.planes, at))));
        self.counting.split(shallowest);
        Some(Assumptions { chosen, forbidden: self.forbidden_options.clone() })
    }

    pub(super) fn progress(&self) -> f64 {
        if self.step == Step::Done {
            return 1.0;
        }
        let (mut done, mut weight) = (0.0, 1.0);
        let is_between = self.step == Step::Leave;
        for (depth, level) in (1..).zip(&self.levels) {
            weight /= f64::from(level.degree);
            // The branch begun last is under way, unless the search is between two branches.
            let under_way = u32::from(level.tried > 0 && !(is_between && depth == self.levels.len()));
            done += weight * f64::from(level.tried + level.given - under_way);
        }
        done
    }
}

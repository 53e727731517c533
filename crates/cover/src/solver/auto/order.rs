//! The search in order: row after row of the [table](super::table).
//!
//! Everything that is left is in one place: the branch that the engine of the row searches, of the share `weight`, and
//! the branches `pending`. The shares and `done` add up to 1. While a [whole](Whole) is counted nothing is searched.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::budget::{Budget, Ran};
use super::table::{FORGETS, Row, Start, TABLE};
use super::{Aim, Shared};
use crate::engine::{CoverEngine, Driver, Meter, Selection, StageFigures, Unsuitable};
use crate::{Assumptions, Natural, OptionId};

/// A branch that is not searched yet.
struct Branch {
    assumptions: Assumptions,
    /// Its share of the whole search.
    weight: f64,
}

impl Branch {
    /// All branches that `engine`, which searches the share `weight`, has not tried: the next one last.
    fn all(engine: &mut dyn CoverEngine, weight: f64) -> Vec<Branch> {
        let (mut branches, mut done) = (Vec::new(), engine.progress());
        while let Some(assumptions) = engine.split() {
            let before = std::mem::replace(&mut done, engine.progress());
            branches.push(Branch { assumptions, weight: weight * (done - before) });
        }
        branches
    }
}

/// A count of the problem from its root, beside the branches that are left: nothing is lost if it gives up.
pub(super) struct Whole {
    /// Started at the root.
    engine: Box<dyn CoverEngine>,
    /// The solutions counted. Together with the solutions of the branches that remain, they are all solutions.
    found: Natural,
}

impl Whole {
    /// A count by `engine`, which was started.
    pub(super) fn of(engine: Box<dyn CoverEngine>) -> Whole {
        Whole { engine, found: Natural::ZERO }
    }
}

/// The search described above.
pub(super) struct Order {
    pub(super) shared: Arc<Shared>,
    /// The engine without a table.
    pub(super) base: Box<dyn CoverEngine>,
    /// The row, if the search was begun, and whether the next one is due.
    pub(super) row: Option<&'static Row>,
    is_row_over: bool,
    /// The engine of the row, if it is not the base, and whether it (or the base) searches a branch.
    engine: Option<Box<dyn CoverEngine>>,
    is_searching: bool,
    /// Whether nothing is searched yet: the root is pending.
    is_at_root: bool,
    /// The engine of the last search, and its row.
    kept: Option<(&'static Row, Selection, Box<dyn CoverEngine>)>,
    /// Why the engine was selected; `None` for the base.
    selection: Option<Selection>,
    whole: Option<Whole>,
    /// What is left of a try, and its nodes and ticks so far.
    trying: Option<Budget>,
    try_nodes: u64,
    try_ticks: u64,
    /// What the search is for, and the assumptions that it was started with.
    pub(super) aim: Aim,
    pub(super) assumptions: Assumptions,
    /// Whether all solutions that fit no more than forbidden options are counted, and whether that was done before.
    pub(super) is_whole: bool,
    pub(super) was_counted: bool,
    /// Whether the problem was searched before.
    pub(super) is_one_of_many: bool,
    /// Solutions counted by a try or a whole, and whether any solution was found.
    pub(super) counted: Natural,
    pub(super) has_found: bool,
    /// Whether every branch is given away that another search asks for.
    is_given_away: bool,
    /// Branches left by earlier rows, the next one last.
    pending: VecDeque<Branch>,
    /// The share of the search that is done, and the share of the current branch.
    done: f64,
    weight: f64,
}

impl Order {
    pub(super) fn new(shared: Arc<Shared>, base: Box<dyn CoverEngine>) -> Order {
        Order {
            shared,
            base,
            row: None,
            is_row_over: false,
            engine: None,
            is_searching: false,
            is_at_root: false,
            kept: None,
            selection: None,
            whole: None,
            trying: None,
            try_nodes: 0,
            try_ticks: 0,
            aim: Aim::All,
            assumptions: Assumptions::default(),
            is_whole: false,
            was_counted: false,
            is_one_of_many: false,
            counted: Natural::ZERO,
            has_found: false,
            is_given_away: false,
            pending: VecDeque::new(),
            done: 0.0,
            weight: 1.0,
        }
    }

    /// Drops the search under way. The next one fits `assumptions`.
    pub(super) fn start(&mut self, assumptions: &Assumptions) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.pending.clear();
        if let (Some(row), Some(selection), Some(engine)) = (self.row, self.selection, self.engine.take()) {
            self.kept = Some((row, selection, engine));
        }
        (self.row, self.whole, self.trying, self.is_searching) = (None, None, None, false);
        (self.counted, self.has_found) = (Natural::ZERO, false);
        (self.try_nodes, self.try_ticks) = (0, 0);
        (self.is_given_away, self.is_row_over) = (false, false);
        (self.done, self.weight) = (0.0, 0.0);
    }

    /// Begins with the first row whose condition holds. A search with a chosen option is taken for one of many, whose
    /// counts are not worth remembering.
    pub(super) fn begin(&mut self, aim: Aim) {
        self.aim = aim;
        self.is_one_of_many = self.shared.was_searched.swap(true, Ordering::Relaxed);
        self.is_whole = aim == Aim::Count && self.assumptions.chosen.is_empty();
        self.was_counted = self.is_whole && self.shared.was_counted.swap(true, Ordering::Relaxed);
        self.shared.cache().selection = None;
        self.is_at_root = true;
        self.enter_first_of(TABLE);
    }

    /// The engine in use.
    fn engine(&self) -> &dyn CoverEngine {
        &**self.engine.as_ref().unwrap_or(&self.base)
    }

    fn engine_mut(&mut self) -> &mut dyn CoverEngine {
        &mut **self.engine.as_mut().unwrap_or(&mut self.base)
    }

    /// Searches to the next solution, or counts on and adds to `found`. After [`Ran::GaveUp`] it goes on with the next
    /// row ([`go_on`](Self::go_on)).
    pub(super) fn run(&mut self, meter: &mut Meter<'_>, mut found: Option<&mut Natural>) -> Ran {
        let ran = loop {
            if self.whole.is_some() {
                break self.count_whole(meter, found);
            }
            if !self.is_searching {
                return Ran::Done;
            }
            let engine = self.engine.as_mut().unwrap_or(&mut self.base);
            let ran = match (&mut self.trying, &mut found) {
                // Nearly all solutions are found here.
                (None, None) => engine.next(meter).into(),
                (None, Some(found)) => engine.count(meter, found).map_or(Ran::GaveUp, Ran::from),
                (Some(budget), _) => {
                    let before = (meter.nodes, meter.ticks);
                    let ran = budget.spend(meter, |meter| engine.next(meter).into());
                    self.try_nodes += meter.nodes - before.0;
                    self.try_ticks += meter.ticks - before.1;
                    if ran == Ran::Solution
                        && let Some(found) = &mut found
                    {
                        **found += 1;
                        self.counted += 1;
                    }
                    ran
                }
            };
            match ran {
                Ran::Done if self.begin_branch() => {}
                // The try is over.
                Ran::Open => break Ran::GaveUp,
                ran => break ran,
            }
        };
        self.has_found |= ran == Ran::Solution;
        self.is_row_over = ran == Ran::GaveUp;
        ran
    }

    /// Counts the whole on. Solutions that were counted before are not added again.
    fn count_whole(&mut self, meter: &mut Meter<'_>, found: Option<&mut Natural>) -> Ran {
        let (Some(whole), Some(row)) = (&mut self.whole, self.row) else { return Ran::Done };
        let ran = whole.engine.count(meter, &mut whole.found).map_or(Ran::GaveUp, Ran::from);
        if let (Some(found), Some(more)) = (found, whole.found.checked_sub(&self.counted)) {
            *found += &more;
            self.counted.clone_from(&whole.found);
        }
        match ran {
            Ran::GaveUp => self.shared.cache().give_up(row),
            Ran::Done => {
                let is_forgetting = is_forgetting(&*whole.engine);
                if let Some(selection) = &mut self.shared.cache().selection
                    && is_forgetting
                {
                    selection.why = FORGETS;
                }
                self.finish();
            }
            _ => {}
        }
        ran
    }

    /// Ends the search: nothing is left.
    pub(super) fn finish(&mut self) {
        self.pending.clear();
        (self.done, self.weight, self.is_searching) = (1.0, 0.0, false);
    }

    /// Goes on to the next row whose condition holds, if the row has given up.
    pub(super) fn go_on(&mut self) {
        if !std::mem::take(&mut self.is_row_over) {
            return;
        }
        self.leave_whole();
        let at = self.row.and_then(|row| TABLE.iter().position(|other| std::ptr::eq(other, row)));
        self.enter_first_of(TABLE.get(at.map_or(0, |at| at + 1)..).unwrap_or_default());
    }

    fn enter_first_of(&mut self, rows: &'static [Row]) {
        for row in rows {
            if row.is_whole && (!self.is_whole || self.is_given_away) {
                continue;
            }
            if let Some(start) = (row.start)(self, row) {
                self.row = Some(row);
                return self.enter(start);
            }
        }
    }

    fn enter(&mut self, start: Start) {
        self.trying = None;
        self.selection = match start {
            Start::Base(ticks) => {
                self.trying = ticks.map(Budget::new);
                // It goes on where it is, if it was at work.
                if !self.is_searching || self.engine.is_some() {
                    self.leave_engine();
                    self.engine = None;
                    self.begin_branch();
                }
                None
            }
            Start::Branches(selection, engine) => {
                self.continue_with(engine);
                Some(selection)
            }
            Start::Root(selection, engine) => {
                self.set_aside();
                let assumptions = self.assumptions.clone();
                self.pending = [Branch { assumptions, weight: 1.0 - self.done }].into();
                self.continue_with(engine);
                Some(selection)
            }
            Start::Whole(selection, whole) => {
                self.set_aside();
                self.whole = Some(whole);
                Some(selection)
            }
            // The row before these has no condition.
            Start::Beside(_) => return,
        };
        self.shared.cache().selection = self.selection;
    }

    /// Whether a try is under way.
    pub(super) fn is_trying(&self) -> bool {
        self.trying.is_some()
    }

    /// Whether a count has forgotten numbers, for lack of memory.
    pub(super) fn is_forgetting(&self) -> bool {
        match &self.whole {
            Some(whole) => is_forgetting(&*whole.engine),
            None => is_forgetting(self.engine()),
        }
    }

    /// Whether the last row is reached: from here to the end it goes on as it does.
    pub(super) fn is_last_row(&self) -> bool {
        self.row.is_some_and(|row| row.is_last) && self.trying.is_none() && self.is_searching
    }

    /// Searches the branches with `engine`.
    fn continue_with(&mut self, mut engine: Box<dyn CoverEngine>) {
        self.leave_engine();
        if self.is_given_away {
            give_away(&mut *engine);
        }
        self.engine = Some(engine);
        self.begin_branch();
    }

    /// Turns what the current engine searches into branches, if it searches.
    fn leave_engine(&mut self) {
        if !self.is_at_root {
            self.set_aside();
        }
    }

    /// Turns the rest of the current engine's search into branches.
    fn set_aside(&mut self) {
        if std::mem::take(&mut self.is_at_root) {
            self.pending.push_back(Branch { assumptions: self.assumptions.clone(), weight: 1.0 });
        } else if std::mem::take(&mut self.is_searching) {
            let weight = std::mem::take(&mut self.weight);
            self.done += weight * self.engine().progress();
            let branches = Branch::all(self.engine_mut(), weight);
            self.pending.extend(branches);
        }
    }

    /// Starts the next branch; `false` after the last one.
    fn begin_branch(&mut self) -> bool {
        if std::mem::take(&mut self.is_at_root) {
            // Most searches begin so, and allocate nothing.
            let assumptions = std::mem::take(&mut self.assumptions);
            self.engine_mut().start(&assumptions);
            self.assumptions = assumptions;
            (self.weight, self.is_searching) = (1.0, true);
            return true;
        }
        self.done += std::mem::take(&mut self.weight);
        let branch = self.pending.pop_back();
        self.is_searching = branch.is_some();
        if let Some(branch) = branch {
            self.engine_mut().start(&branch.assumptions);
            self.weight = branch.weight;
        }
        self.is_searching
    }

    /// A fork of a row's engine, which is built first if it was not needed before.
    pub(super) fn engine_of(
        &mut self,
        row: &'static Row,
        make: impl FnOnce(&Shared) -> Result<super::Built, Unsuitable>,
    ) -> Option<super::Built> {
        match self.kept.take_if(|(of, ..)| std::ptr::eq(*of, row)) {
            Some((_, selection, engine)) => Some((selection, engine)),
            None => self.shared.cache().engine(row, || make(&self.shared)),
        }
    }

    /// Leaves a count of the whole that has given up. Its branches replace those that are pending, unless it has
    /// counted fewer solutions than were counted before.
    fn leave_whole(&mut self) {
        let Some(mut whole) = self.whole.take() else { return };
        self.end_whole(&whole);
        if whole.found >= self.counted {
            self.pending = Branch::all(&mut *whole.engine, 1.0).into();
            self.share_rest();
        }
    }

    /// Ends a count of the whole. What it has done stays done.
    fn end_whole(&mut self, whole: &Whole) {
        self.done = self.progress_of(whole);
        self.share_rest();
    }

    /// The pending branches share what is not done: the progress never falls.
    fn share_rest(&mut self) {
        let weight: f64 = self.pending.iter().map(|branch| branch.weight).sum();
        let rest = (1.0 - self.done) / weight;
        self.pending.iter_mut().for_each(|branch| branch.weight *= rest);
    }

    fn progress_of(&self, whole: &Whole) -> f64 {
        self.done + (1.0 - self.done) * whole.engine.progress()
    }

    /// The nodes and the ticks that a search is expected to take, by the share of it that the try has done; `None`
    /// without a try.
    pub(super) fn expected(&self) -> Option<[f64; 2]> {
        (self.try_nodes > 0)
            .then(|| [self.try_nodes, self.try_ticks].map(|so_far| so_far as f64 / self.base.progress()))
    }

    /// The options of the last solution.
    pub(super) fn solution(&self) -> &[OptionId] {
        match &self.whole {
            Some(whole) => whole.engine.solution(),
            None => self.engine().solution(),
        }
    }

    /// A branch for another search. `None` during a try: tries are short, and so they are the same on any number of
    /// threads. `None` while the whole is counted: its memory would not help another thread.
    pub(super) fn split(&mut self) -> Option<Assumptions> {
        if self.trying.is_some() || self.row.is_none() || self.whole.is_some() {
            return None;
        }
        match self.pending.pop_front() {
            Some(branch) => {
                self.done += branch.weight;
                Some(branch.assumptions)
            }
            None if self.is_searching => self.engine_mut().split(),
            None => None,
        }
    }

    /// A count of the whole leaves its branches, or the branches of the try. Once branches are given away, the whole is
    /// not counted any more.
    pub(super) fn give_away(&mut self) {
        self.is_given_away = true;
        if self.row.is_none() {
            self.begin(Aim::All);
        }
        match self.whole.take() {
            // It goes on as a search, whose branches can be split off.
            Some(Whole { engine, found }) if found >= self.counted => {
                self.pending.clear();
                (self.weight, self.is_searching) = (1.0 - self.done, true);
                self.engine = Some(engine);
            }
            Some(whole) => {
                self.end_whole(&whole);
                self.engine = None;
                self.begin_branch();
            }
            None => {}
        }
        self.trying = None;
        self.is_row_over = false;
        give_away(self.engine_mut());
    }

    pub(super) fn progress(&self) -> f64 {
        match &self.whole {
            _ if self.row.is_none() => 0.0,
            Some(whole) => self.progress_of(whole),
            None if self.is_searching => self.done + self.weight * self.engine().progress(),
            None => 1.0,
        }
    }

    /// Whether the count under way need not meet each solution.
    pub(super) fn is_remembering(&self) -> bool {
        self.whole.is_some()
            || self.engine.as_ref().and_then(|engine| engine.as_driver()).is_some_and(Driver::is_remembering)
    }

    /// The engine that does the work, for an engine that delegates.
    pub(super) fn delegate(&self) -> Option<Selection> {
        self.engine.as_ref()?.as_driver()?.delegate()
    }

    /// Makes `engine` the engine of a row.
    #[cfg(test)]
    pub(super) fn set_row(&mut self, name: &str, engine: Box<dyn CoverEngine>) {
        self.row = TABLE.iter().find(|row| row.name == name);
        self.engine = Some(engine);
    }

    /// Replaces the figures of rows whose engine has rows of its own by the figures of these.
    pub(super) fn open_figures(&self, figures: &mut Vec<StageFigures>) {
        let current = self.engine.iter().filter_map(|engine| Some((self.row?, engine)));
        let kept = self.kept.iter().map(|(row, _, engine)| (*row, engine));
        for (outer, engine) in current.chain(kept) {
            for inner in engine.as_driver().map_or_else(Vec::new, Driver::stages) {
                if let Some(outer) = figures.iter_mut().find(|figures| figures.name == outer.name) {
                    outer.nodes = outer.nodes.saturating_sub(inner.nodes);
                    outer.ticks = outer.ticks.saturating_sub(inner.ticks);
                    outer.time = outer.time.saturating_sub(inner.time);
                }
                inner.add_to(figures);
            }
        }
    }
}

fn is_forgetting(engine: &dyn CoverEngine) -> bool {
    engine.as_driver().is_some_and(Driver::is_forgetting)
}

fn give_away(engine: &mut dyn CoverEngine) {
    if let Some(driver) = engine.driver() {
        driver.give_away();
    }
}

//! A search of a problem with bounds, for [`adders`]: in order, and for some solutions in any order also with restarts, in
//! a race.

use std::sync::Arc;

use super::race::{Board, InOrder, Plan, Race};
use crate::engine::adders::{self, Adders};
use crate::engine::{CoverEngine, Event, Meter, Restarts, Seeker, Selection, Stop};
use crate::memory::Reserved;
use crate::{Assumptions, ExactCover, OptionId};

/// Nodes of the two halves of the try. The race judges the search in order by what it has done in the second half: in
/// packing problems some branches at the root end at once, and others never.
const HALF_TRY_NODES: u64 = 500;

/// The engine described above.
pub(super) struct Bounded {
    /// What the engines of all threads share.
    board: Arc<Board>,
    engine: Box<dyn CoverEngine>,
    seeker: Option<MakeSeeker>,
    assumptions: Assumptions,
    /// Nodes of half a try.
    half_nodes: u64,
    /// Whether the race has not judged the search yet. Parts split off would count as done.
    is_trying: bool,
    /// Nodes left of the first half of the try, and the share that was done after it.
    half_left: u64,
    half_done: f64,
    /// Made by the first search with restarts.
    race: Option<Box<Race>>,
}

/// Makes a search with restarts.
pub(super) type MakeSeeker = Arc<dyn Fn() -> Box<dyn Seeker> + Send + Sync>;

impl Bounded {
    /// A search of `problem` by `engine`. The solutions that it remembers take what `room` can reserve.
    pub(super) fn new(
        problem: &ExactCover,
        engine: Box<dyn CoverEngine>,
        seeker: Option<MakeSeeker>,
        room: Reserved,
    ) -> Bounded {
        let board = Board::new(Plan::BOUNDED, Some(Arc::new(problem.without_names())), room);
        Bounded::with(Arc::new(board), engine, seeker, HALF_TRY_NODES)
    }

    /// Makes searches with restarts as `engine` does.
    pub(super) fn seeker(engine: &Adders) -> MakeSeeker {
        let engine = engine.forked();
        Arc::new(move || engine.seeker())
    }

    /// A search with this board and this many nodes in half a try.
    pub(super) fn with(
        board: Arc<Board>,
        engine: Box<dyn CoverEngine>,
        seeker: Option<MakeSeeker>,
        half_nodes: u64,
    ) -> Bounded {
        Bounded {
            board,
            engine,
            seeker,
            assumptions: Assumptions::default(),
            half_nodes,
            is_trying: false,
            half_left: 0,
            half_done: 0.0,
            race: None,
        }
    }
}

impl InOrder for Bounded {
    fn board(&self) -> &Board {
        &self.board
    }

    fn race(&mut self) -> &mut Option<Box<Race>> {
        &mut self.race
    }

    fn next_in_order(&mut self, meter: &mut Meter<'_>) -> Event {
        if self.half_left > 0 {
            let (event, nodes) = meter.within(self.half_left, |meter| self.engine.next(meter));
            self.half_left -= nodes;
            if self.half_left > 0 || event != Event::Stopped(Stop::Nodes) {
                return event;
            }
            self.half_done = self.engine.progress();
        }
        self.engine.next(meter)
    }

    fn found_in_order(&self) -> &[OptionId] {
        self.engine.solution()
    }

    fn share_done(&self) -> f64 {
        self.engine.progress() - self.half_done
    }

    fn assumptions(&self) -> &Assumptions {
        &self.assumptions
    }

    fn prolong_try(&mut self) -> u64 {
        self.is_trying = true;
        (self.half_left, self.half_done) = (self.half_nodes, 0.0);
        2 * self.half_nodes
    }

    fn end_try(&mut self) {
        self.is_trying = false;
    }

    fn work(&self, _: u64, updates: u64) -> u64 {
        updates
    }

    fn make_seeker(&self) -> Option<Box<dyn Seeker>> {
        self.seeker.as_ref().map(|make| make())
    }
}

impl CoverEngine for Bounded {
    fn start(&mut self, assumptions: &Assumptions) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.is_trying = false;
        self.half_left = 0;
        self.engine.start(assumptions);
        self.start_race();
    }

    fn set_restarts(&mut self, restarts: Restarts) -> bool {
        self.set_part(restarts);
        true
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        self.next_in_race(meter)
    }

    fn solution(&self) -> &[OptionId] {
        let by_restarts = self.race.as_ref().and_then(|race| race.solution());
        by_restarts.unwrap_or_else(|| self.engine.solution())
    }

    fn split(&mut self) -> Option<Assumptions> {
        if self.is_trying { None } else { self.engine.split() }
    }

    fn give_away(&mut self) {
        self.is_trying = false;
        self.engine.give_away();
    }

    fn progress(&self) -> f64 {
        self.engine.progress()
    }

    fn own_bytes(&self) -> usize {
        self.engine.own_bytes()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Bounded::with(
            Arc::clone(&self.board),
            self.engine.fork(),
            self.seeker.clone(),
            self.half_nodes,
        ))
    }

    fn delegate(&self) -> Option<Selection> {
        let why = "its order led nowhere, so it restarted with random choices";
        self.board.selection(&adders::ENTRY, why)
    }
}

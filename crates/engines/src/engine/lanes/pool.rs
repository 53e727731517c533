//! The pool: decides which state is in which lane.
//!
//! Lanes are workers without a memory. A round sweeps the states in all of them. After it:
//!
//! ```text
//!    puzzles ----> lanes -- solved, contradictory --> the puzzle's own stack gives the lane its next state
//!                  ^  |
//!        ready ----+  +--- stuck --> queue --- 256 of them --> strong choice --> one side: ready
//!                                                                               other side: the puzzle's stack
//! ```
//! * A puzzle has one stack of sides not yet tried, whatever lanes its states are in. (One stack for all puzzles
//!   would try second sides before their first ones are finished: 27 guesses instead of 6 on puzzles with many
//!   solutions.)
//! * Stuck states leave their lanes and wait until there are enough to fill a slice, so that the strong choice pays.
//!   If few states are contradictory, looking ahead does not pay; then the cheap choice is made in place ([`Trend`]).
//! * When no puzzles are left, empty lanes take the oldest side of other puzzles: stealing.
//!
//! The cost of the pool grows with the number of events. On the hardest puzzles it takes a third of the 13 µs of a
//! round: a hundred splits and as many contradictions. Four measures keep it low:
//! * States are copied as they are and changed in place afterwards, because a vector read from where a word was just
//!   written waits for the store buffer.
//! * Bands are split before stacks, because a jump at each split would be mispredicted half of the time (1 %).
//! * The state that has waited longest goes first.
//! * Empty lanes are marked a word at a time (1 to 3 %).
//!
//! Splits by shifts of 128 bits were 1 to 3 % slower than by words.
//!
//! Nothing depends on time, and only memory is kept from one batch to the next: the same batch gives the same answers
//! and guesses.

use std::marker::PhantomData;

use galop_simd::{Isa, Kernel, Simd, Vector};

use super::batch::Batch;
use super::compiled::compiled;
use super::kind::Kind;
use super::sides::{NIL, Sides};
use super::state::{self, Chunk, bits};
use super::trend::{Round, Trend};
use super::waiting::Waiting;
use crate::engine::Work;
use crate::puzzle::{Answer, Effort, Limits};

/// A puzzle under way. Its result is kept in single words, in another order than in an [`Answer`]. Otherwise the
/// compiler would copy equal fields as vectors, which would wait for the store buffer right after a word was written.
#[derive(Clone, Copy, Debug)]
struct Job {
    cost: u64,
    solutions: u64,
    /// Index of the puzzle in the batch.
    place: usize,
    guesses: u64,
    /// Top of its stack of sides not yet tried.
    top: u32,
    /// Number of its states in lanes, in `queue` and in `ready`.
    live: u32,
    /// One of its limits is reached: its other states are dropped.
    is_closed: bool,
    gave_up: bool,
}

/// Rounds, of ten microseconds each, between two checks whether to stop.
const ROUNDS_UNASKED: u32 = 256;

/// The lanes of one worker, and the states that wait for them. Memory is kept from batch to batch.
pub(super) struct Pool<S: Simd, V: Vector, K: Kind<S, V>> {
    pub(super) kind: K,
    /// The states in the lanes between rounds, and the job of each.
    lanes: Vec<Chunk>,
    job_of: Vec<u32>,
    /// Lanes without a state, one bit each.
    empty: Vec<u64>,
    jobs: Vec<Job>,
    free_jobs: Vec<u32>,
    sides: Sides,
    ready: Waiting,
    queue: Waiting,
    /// A solution that is compared with the known one.
    solution: Vec<u8>,
    /// Whether empty lanes take sides of other puzzles. Only a test switches it off.
    is_stealing: bool,
    /// Whether all rounds are alike, so that the guesses of a puzzle whose search tree is searched to its end depend on
    /// nothing but the puzzle.
    is_steady: bool,
    trend: Trend,
    /// Running cost per lane. A puzzle is charged `clock` on leaving a lane minus `clock` on entering it.
    clock: u64,
    pub(super) work: Work,
    compiled_for: PhantomData<(S, V)>,
}

/// Costs of a round, in 1,024ths of the time of a sweep of one lane.
mod cost {
    pub(super) const SWEEP: u64 = 1024;
    /// Transposition both ways, the start, triads, and accounts.
    pub(super) const ROUND: u64 = 4 * SWEEP;
    pub(super) const STRONG: u64 = 4 * SWEEP;
}

impl<S: Simd, V: Vector, K: Kind<S, V>> Pool<S, V, K> {
    const LANES: usize = V::BITS;

    /// A pool of empty lanes for grids of `kind`; `isa` is for the report. If it is steady, all rounds are alike.
    pub(super) fn new(kind: K, isa: Isa, is_steady: bool) -> Self {
        let (lanes, size) = (Self::LANES, kind.size());
        Pool {
            solution: vec![0; kind.cells()],
            kind,
            lanes: vec![Chunk::NONE; lanes * size],
            job_of: vec![0; lanes],
            empty: vec![!0; lanes / 64],
            jobs: Vec::new(),
            free_jobs: Vec::new(),
            sides: Sides::new(size),
            ready: Waiting::new(lanes, size),
            queue: Waiting::new(lanes, size),
            is_stealing: true,
            is_steady,
            trend: Trend::new(lanes),
            clock: 0,
            work: Work { isa, lanes, puzzles: 0, rounds: 0, busy: 0, sweeps: 0 },
            compiled_for: PhantomData,
        }
    }

    /// Answers a batch. Asks `is_stopped` every few rounds; then the answers of unfinished puzzles are
    /// cleared.
    #[inline(always)]
    pub(super) fn run(&mut self, mut batch: Batch<'_>, is_stopped: &dyn Fn() -> bool) {
        self.begin(&batch);
        for round in 0_u32.. {
            let is_fresh = self.fill(&mut batch) | self.is_steady;
            let busy = Self::LANES as u32 - self.count_empty();
            if busy == 0 {
                return;
            }
            if round % ROUNDS_UNASKED == 0 && is_stopped() {
                return self.abandon(&mut batch);
            }
            let round = if self.is_steady { Round::STEADY } else { self.trend.next_round(K::HAS_CHEAP) };
            self.clear_empty();
            self.kind.propagate(&mut self.lanes, &self.empty, is_fresh, round);
            self.charge(busy, round.sweeps);
            self.settle(round.is_strong, &mut batch);
        }
    }

    /// Forgets what was kept of the last batch.
    #[inline(always)]
    fn begin(&mut self, batch: &Batch<'_>) {
        self.jobs.clear();
        self.free_jobs.clear();
        // Of a batch that panicked states are left.
        self.drop_states();
        self.clock = 0;
        self.trend = Trend::new(Self::LANES);
        self.work.puzzles += batch.puzzles.len() as u64;
    }

    /// Counts a round of `sweeps`; the `busy` lanes share its cost.
    #[inline(always)]
    fn charge(&mut self, busy: u32, sweeps: u32) {
        self.work.rounds += 1;
        self.work.busy += u64::from(busy);
        self.work.sweeps += u64::from(busy * sweeps);
        let cost = cost::ROUND + u64::from(sweeps) * cost::SWEEP;
        self.clock += cost * Self::LANES as u64 / u64::from(busy);
    }

    /// Number of lanes without a state.
    #[inline(always)]
    fn count_empty(&self) -> u32 {
        self.empty.iter().map(|word| word.count_ones()).sum()
    }

    /// Drops all states of the current batch: puzzles in lanes, and those after them, stay unanswered.
    #[cold]
    fn abandon(&mut self, batch: &mut Batch<'_>) {
        for job in self.jobs.iter().filter(|job| job.live > 0) {
            batch.answers.slice(job.place..job.place + 1).clear();
        }
        batch.answers.slice(batch.next..usize::MAX).clear();
        self.drop_states();
    }

    /// Drops all states, wherever they are.
    #[inline(always)]
    fn drop_states(&mut self) {
        self.empty.fill(!0);
        self.sides.clear_all();
        self.ready.clear();
        self.queue.clear();
    }

    /// Leaves no candidate in the empty lanes: a contradiction, whatever is swept.
    #[inline(always)]
    fn clear_empty(&mut self) {
        let size = self.kind.size();
        for (word, &empty) in self.empty.iter().enumerate() {
            for lane in bits(empty) {
                state::at_mut(&mut self.lanes, 64 * word + lane, size).fill(Chunk::NONE);
            }
        }
    }

    /// Handles the lanes that are solved, contradictory or stuck.
    #[inline(always)]
    fn settle(&mut self, is_strong: bool, batch: &mut Batch<'_>) {
        let (mut all_stuck, mut all_contradictory) = (0, 0);
        let (flags, mut to_split) = (self.kind.flags(), V::ZERO);
        for word in 0..self.empty.len() {
            let busy = !self.empty[word];
            let contradictory = busy & flags.contradictory.word(word);
            let resting = busy & !contradictory & !flags.moving.word(word);
            let solved = resting & flags.single.word(word);
            let stuck = resting & !solved;
            all_stuck += stuck.count_ones();
            all_contradictory += contradictory.count_ones();
            for lane in bits(solved) {
                self.count_solution(64 * word + lane, batch);
            }
            let mut left = 0;
            for lane in bits(solved | contradictory) {
                left |= u64::from(!self.go_on(64 * word + lane, batch)) << lane;
            }
            if is_strong {
                for lane in bits(stuck) {
                    self.queue_up(64 * word + lane, batch);
                }
                left |= stuck;
            } else {
                to_split.set_word(word, stuck);
            }
            self.empty[word] |= left;
        }
        if !is_strong {
            self.kind.order_cheap(to_split);
            for place in 0..all_stuck as usize {
                self.split_in_place(self.kind.lane(place), batch);
            }
        }
        self.trend.update(all_stuck, all_contradictory);
    }

    /// Counts the solution in `lane`, and keeps the first one.
    #[inline(always)]
    fn count_solution(&mut self, lane: usize, batch: &mut Batch<'_>) {
        if batch.known.is_some() && self.is_known(lane, batch) {
            return;
        }
        let job = &mut self.jobs[self.job_of[lane] as usize];
        if job.is_closed {
            return;
        }
        if job.solutions == 0
            && let Some((solution, _)) = batch.answers.get_mut(job.place)
        {
            self.kind.write(state::at(&self.lanes, lane, self.kind.size()), solution);
        }
        job.solutions += 1;
        if job.solutions >= batch.limits.max_solutions() {
            job.is_closed = true;
            self.sides.clear(&mut job.top);
        }
    }

    /// Whether the solution in `lane` is the known one of its puzzle.
    #[cold]
    #[inline(never)]
    fn is_known(&mut self, lane: usize, batch: &Batch<'_>) -> bool {
        self.kind.write(state::at(&self.lanes, lane, self.kind.size()), &mut self.solution);
        let place = self.jobs[self.job_of[lane] as usize].place;
        batch.known.and_then(|known| known.get(place)) == Some(&self.solution[..])
    }

    /// Gives `lane`, whose state is finished, the next side of its puzzle. Returns whether there was one.
    #[inline(always)]
    fn go_on(&mut self, lane: usize, batch: &mut Batch<'_>) -> bool {
        let job = &mut self.jobs[self.job_of[lane] as usize];
        let size = self.kind.size();
        if let Some(state) = self.sides.pop(&mut job.top, size) {
            state::copy(state::at_mut(&mut self.lanes, lane, size), state);
            return true;
        }
        self.leave(lane);
        self.drop_state(self.job_of[lane], batch);
        false
    }

    /// Charges the puzzle whose state leaves `lane`. The caller marks the lane empty.
    #[inline(always)]
    fn leave(&mut self, lane: usize) {
        let job = &mut self.jobs[self.job_of[lane] as usize];
        job.cost = job.cost.wrapping_add(self.clock);
    }

    /// Records that the empty `lane` has got a state of `job`. The caller marks the lane busy.
    #[inline(always)]
    fn enter(&mut self, lane: usize, job: u32) {
        self.job_of[lane] = job;
        let cost = &mut self.jobs[job as usize].cost;
        *cost = cost.wrapping_sub(self.clock);
    }

    /// Removes one state of `job` from its count. After the last one, writes the answer.
    #[inline(always)]
    fn drop_state(&mut self, job: u32, batch: &mut Batch<'_>) {
        let of = &mut self.jobs[job as usize];
        of.live -= 1;
        if of.live == 0 {
            if let Some((_, answer)) = batch.answers.get_mut(of.place) {
                let effort = Effort { guesses: of.guesses, cost: of.cost, ..Effort::default() };
                let ended = match of.gave_up {
                    true => Answer::limited(of.solutions),
                    false => Answer::complete(of.solutions),
                };
                *answer = ended.with_effort(effort);
            }
            self.free_jobs.push(job);
        }
    }

    /// Counts a guess of `job` and returns true. At the limit of guesses the job gives up, and the result is false.
    #[inline(always)]
    fn guess(job: &mut Job, sides: &mut Sides, limits: Limits) -> bool {
        if job.guesses == limits.max_guesses() {
            job.gave_up = true;
            job.is_closed = true;
            sides.clear(&mut job.top);
            return false;
        }
        job.guesses += 1;
        true
    }

    /// Moves the stuck state in `lane` to the queue for the strong choice.
    #[inline(always)]
    fn queue_up(&mut self, lane: usize, batch: &mut Batch<'_>) {
        let job = self.job_of[lane];
        self.leave(lane);
        if self.jobs[job as usize].is_closed {
            self.drop_state(job, batch);
        } else {
            self.queue.push(state::at(&self.lanes, lane, self.kind.size()), job);
        }
    }

    /// Splits the stuck state in `lane` by the cheap choice. The first side stays in the lane.
    #[inline(always)]
    fn split_in_place(&mut self, lane: usize, batch: &mut Batch<'_>) {
        let job = &mut self.jobs[self.job_of[lane] as usize];
        if job.is_closed || !Self::guess(job, &mut self.sides, batch.limits) {
            self.empty[lane / 64] |= 1 << (lane % 64);
            self.leave(lane);
            self.drop_state(self.job_of[lane], batch);
            return;
        }
        let state = state::at_mut(&mut self.lanes, lane, self.kind.size());
        let other = self.sides.push(&mut job.top, state);
        self.kind.split_cheap(lane, state, other);
    }

    /// Fills the empty lanes. Returns whether there are puzzles among the new states.
    #[inline(always)]
    fn fill(&mut self, batch: &mut Batch<'_>) -> bool {
        let mut is_fresh = false;
        if self.queue.len() >= Self::LANES {
            self.split_queue(batch);
        }
        loop {
            for word in 0..self.empty.len() {
                let mut filled = 0;
                for bit in bits(self.empty[word]) {
                    let lane = 64 * word + bit;
                    if !self.fill_from_ready(lane, batch) {
                        if !self.fill_from_puzzles(lane, batch) {
                            break;
                        }
                        is_fresh = true;
                    }
                    filled |= 1 << bit;
                }
                self.empty[word] &= !filled;
            }
            let empty = self.count_empty() as usize;
            // Only the queue or stealing can fill them.
            let is_idle = empty > 0 && self.ready.is_empty() && batch.next >= batch.puzzles.len();
            if is_idle && self.is_stealing && self.queue.len() < Self::LANES && self.steal(empty) {
                continue;
            }
            let is_due = self.queue.len() >= Self::LANES || is_idle && !self.queue.is_empty();
            if !is_due {
                return is_fresh;
            }
            self.split_queue(batch);
        }
    }

    /// Moves a ready state into `lane`. Returns whether there was one.
    #[inline(always)]
    fn fill_from_ready(&mut self, lane: usize, batch: &mut Batch<'_>) -> bool {
        let size = self.kind.size();
        while let Some((state, job)) = self.ready.pop(size) {
            if !self.jobs[job as usize].is_closed {
                state::copy(state::at_mut(&mut self.lanes, lane, size), state);
                self.enter(lane, job);
                return true;
            }
            self.drop_state(job, batch);
        }
        false
    }

    /// Moves the next puzzle into `lane`. Returns whether there was one.
    #[inline(always)]
    fn fill_from_puzzles(&mut self, lane: usize, batch: &mut Batch<'_>) -> bool {
        while let Some(puzzle) = batch.puzzles.get(batch.next) {
            let place = batch.next;
            batch.next += 1;
            let state = state::at_mut(&mut self.lanes, lane, self.kind.size());
            if !self.kind.read(puzzle, state) {
                if let Some((_, answer)) = batch.answers.get_mut(place) {
                    *answer = Answer::complete(0);
                }
                continue;
            }
            if let Some(&Some(candidate)) = batch.excluded.get(place) {
                self.kind.eliminate(state, candidate);
            }
            let job = Job {
                cost: 0,
                solutions: 0,
                place,
                guesses: 0,
                top: NIL,
                live: 1,
                is_closed: false,
                gave_up: false,
            };
            let number = match self.free_jobs.pop() {
                Some(number) => {
                    self.jobs[number as usize] = job;
                    number
                }
                None => {
                    self.jobs.push(job);
                    self.jobs.len() as u32 - 1
                }
            };
            self.enter(lane, number);
            return true;
        }
        false
    }

    /// Moves the oldest untried sides of other puzzles to `ready`, one per puzzle and at most one per empty lane.
    /// Returns whether there was one.
    #[cold]
    fn steal(&mut self, empty: usize) -> bool {
        if self.sides.is_empty() {
            return false;
        }
        for (number, job) in self.jobs.iter_mut().enumerate() {
            if self.ready.len() == empty {
                break;
            }
            if job.live > 0
                && let Some(state) = self.sides.take_oldest(&mut job.top)
            {
                job.live += 1;
                self.ready.push(state, number as u32);
            }
        }
        !self.ready.is_empty()
    }

    /// Splits as many queued states as there are lanes, by the strong choice.
    #[inline(always)]
    fn split_queue(&mut self, batch: &mut Batch<'_>) {
        let (count, size) = (self.queue.len().min(Self::LANES), self.kind.size());
        // The lanes are loaded as a whole: the padding after the last state does no harm.
        self.queue.states.resize(self.queue.states.len() + (Self::LANES - count) * size, Chunk::NONE);
        let first = self.queue.jobs.len() - count;
        self.kind.choose(&self.queue.states[first * size..], count);
        self.clock += cost::STRONG;
        for place in 0..count {
            self.split_queued(first, self.kind.lane(place), batch);
        }
        self.queue.states.truncate(first * size);
        self.queue.jobs.truncate(first);
    }

    /// Splits the queued state `first + lane`, whose choice is in `lane`.
    #[inline(always)]
    fn split_queued(&mut self, first: usize, lane: usize, batch: &mut Batch<'_>) {
        let job = self.queue.jobs[first + lane];
        let of = &mut self.jobs[job as usize];
        if of.is_closed || !Self::guess(of, &mut self.sides, batch.limits) {
            self.drop_state(job, batch);
            return;
        }
        let state = state::at(&self.queue.states, first + lane, self.kind.size());
        let [one, other] = self.kind.sides(lane, state);
        let other = self.sides.push(&mut of.top, other);
        let one = self.ready.push(one, job);
        self.kind.split(lane, one, other);
    }
}

compiled! {
    /// See [`Pool::run`].
    fn run[K: Kind<S, V>](pool: &'a mut Pool<S, V, K>, batch: Batch<'a>, is_stopped: &'a dyn Fn() -> bool) {
        pool.run(batch, is_stopped);
    }
}

#[cfg(test)]
mod tests {
    use super::super::nine::Nine;
    use super::super::nine::states::grid;
    use super::super::on_every_isa::on_every_isa;
    use super::*;
    use crate::puzzle::{Answers, Puzzles};
    use galop_testing::chance::Chance;

    /// The answers of a pool to puzzles with one solution and with many.
    fn answers<S: Simd, V: Vector>(is_stealing: bool, limits: Limits) -> Vec<Answer> {
        let mut chance = Chance::new(3);
        let mut puzzles = Vec::new();
        for _ in 0..300 {
            let mut puzzle = grid(&mut chance);
            (0..40 + chance.below(90)).for_each(|_| puzzle[chance.below(81)] = 0);
            puzzles.extend(puzzle);
        }
        let (mut solutions, mut answers) = (vec![0; puzzles.len()], vec![Answer::default(); 300]);
        let mut pool = Pool::<S, V, Nine<V>>::new(Nine::new(), S::ISA, false);
        pool.is_stealing = is_stealing;
        let places = Answers::new(&mut solutions, &mut answers, 81).unwrap();
        run(&mut pool, Batch::new(Puzzles::new(&puzzles, 81).unwrap(), limits, places), &|| false);
        assert!(pool.sides.places() < 100_000 && pool.queue.is_empty() && pool.ready.is_empty());
        answers
    }

    fn stealing_changes_no_answer_on<S: Simd, V: Vector>() {
        for solutions in [1, 2, 20] {
            let limits = Limits::count(solutions);
            let (with, without) = (answers::<S, V>(true, limits), answers::<S, V>(false, limits));
            for (with, without) in with.iter().zip(&without) {
                assert_eq!((with.solutions, with.gave_up()), (without.solutions, without.gave_up()));
            }
            // Stealing does happen: states of one puzzle are in several lanes.
            assert!(
                solutions == 1
                    || with.iter().zip(&without).any(|(with, without)| with.effort != without.effort)
            );
        }
    }

    #[test]
    fn stealing_changes_no_answer() {
        on_every_isa!(stealing_changes_no_answer_on);
    }
}

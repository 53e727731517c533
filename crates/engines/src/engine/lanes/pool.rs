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

use super::batch::{Batch, Worth};
use super::choice::{Bands, Choice, Chutes, Stacks};
use super::kernels::{self, compiled};
use super::planes::Planes;
use super::sides::{NIL, Sides};
use super::slice::Slice;
use super::split::{split, split_fewer_cells_first};
use super::tally::Configurations;
use super::trend::{LastSweep, Round, Trend};
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

/// Lanes that may be solved, from which on the proof of them pays.
const UNPROVEN: u32 = 4;

/// The lanes of one worker, and the states that wait for them. Memory is kept from batch to batch.
pub(super) struct Pool<S: Simd, V: Vector> {
    slice: Box<Slice<V>>,
    counts: Box<[Configurations<V>; 6]>,
    /// The states in the lanes between rounds, and the job of each.
    lanes: Vec<Planes>,
    job_of: Vec<u32>,
    /// Lanes without a state, one bit each.
    empty: Vec<u64>,
    jobs: Vec<Job>,
    free_jobs: Vec<u32>,
    sides: Sides,
    ready: Waiting,
    queue: Waiting,
    choices: Vec<Choice>,
    /// Lanes in the [`Order`] in which they are split.
    places: Vec<usize>,
    /// Whether empty lanes take sides of other puzzles. Only a test switches it off.
    is_stealing: bool,
    /// Whether all rounds are alike, so that the guesses of a puzzle whose search tree is searched to its end depend on
    /// nothing but the puzzle.
    is_steady: bool,
    trend: Trend,
    /// Running cost per lane. A puzzle is charged `clock` on leaving a lane minus `clock` on entering it.
    clock: u64,
    pub(super) work: Work,
    compiled_for: PhantomData<S>,
}

/// Costs of a round, in 1,024ths of the time of a sweep of one lane.
mod cost {
    pub(super) const SWEEP: u64 = 1024;
    /// Transposition both ways, the start, triads, and accounts.
    pub(super) const ROUND: u64 = 4 * SWEEP;
    pub(super) const STRONG: u64 = 4 * SWEEP;
}

impl<S: Simd, V: Vector> Pool<S, V> {
    const LANES: usize = V::BITS;

    /// A pool of empty lanes; `isa` is for the report.
    pub(super) fn new(isa: Isa) -> Self {
        let lanes = Self::LANES;
        Pool {
            slice: Slice::new(),
            counts: Box::new([Configurations::NONE; 6]),
            lanes: vec![Planes::NONE; lanes],
            job_of: vec![0; lanes],
            empty: vec![!0; lanes / 64],
            jobs: Vec::new(),
            free_jobs: Vec::new(),
            sides: Sides::new(),
            ready: Waiting::new(lanes),
            queue: Waiting::new(lanes),
            choices: vec![Choice(0); lanes],
            places: vec![0; lanes],
            is_stealing: true,
            is_steady: false,
            trend: Trend::new(lanes),
            clock: 0,
            work: Work { isa, lanes, puzzles: 0, rounds: 0, busy: 0, sweeps: 0 },
            compiled_for: PhantomData,
        }
    }

    /// A pool whose rounds are all alike.
    pub(super) fn steady(isa: Isa) -> Self {
        Pool { is_steady: true, ..Pool::new(isa) }
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
            let round = if self.is_steady { Round::STEADY } else { self.trend.next_round() };
            self.propagate(is_fresh, round.last, round.sweeps);
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

    /// Loads the lanes, sweeps them, and stores the states.
    #[inline(always)]
    fn propagate(&mut self, is_fresh: bool, last: LastSweep, sweeps: u32) {
        for (word, &empty) in self.empty.iter().enumerate() {
            for lane in bits(empty) {
                self.lanes[64 * word + lane] = Planes::NONE;
            }
        }
        let slice = &mut *self.slice;
        kernels::load::<S, V>(&self.lanes, slice);
        if is_fresh {
            kernels::start_fresh::<S, V>(slice);
        } else {
            kernels::start::<S, V>(slice);
        }
        for _ in 1..sweeps {
            kernels::sweep::<S, V>(slice);
        }
        match last {
            LastSweep::Plain => kernels::sweep::<S, V>(slice),
            LastSweep::Strong => kernels::last_sweep::<S, V>(slice),
            LastSweep::Cheap => {
                kernels::last_sweep_counting::<S, V>(slice, &mut self.counts);
                kernels::choose_cheap::<S, V>(&self.counts, &mut self.choices);
            }
        }
        let single = slice.single & slice.moving & !slice.contradictory;
        let unproven =
            self.empty.iter().enumerate().map(|(word, empty)| (single.word(word) & !empty).count_ones());
        if unproven.sum::<u32>() >= UNPROVEN {
            kernels::prove::<S, V>(slice);
        }
        kernels::store::<S, V>(slice, &mut self.lanes);
    }

    /// Handles the lanes that are solved, contradictory or stuck.
    #[inline(always)]
    fn settle(&mut self, is_strong: bool, batch: &mut Batch<'_>) {
        let (mut all_stuck, mut all_contradictory) = (0, 0);
        let mut order = Order::new(Self::LANES);
        for word in 0..self.empty.len() {
            let busy = !self.empty[word];
            let contradictory = busy & self.slice.contradictory.word(word);
            let resting = busy & !contradictory & !self.slice.moving.word(word);
            let solved = resting & self.slice.single.word(word);
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
                for lane in bits(stuck) {
                    let lane = 64 * word + lane;
                    order.add(&mut self.places, lane, self.choices[lane].is_stack());
                }
            }
            self.empty[word] |= left;
        }
        for index in 0..order.bands {
            self.split_in_place::<Bands>(self.places[index], batch);
        }
        for index in order.stacks..Self::LANES {
            self.split_in_place::<Stacks>(self.places[index], batch);
        }
        self.trend.update(all_stuck, all_contradictory);
    }

    /// Counts the solution in `lane`, and keeps the first one.
    #[inline(always)]
    fn count_solution(&mut self, lane: usize, batch: &mut Batch<'_>) {
        if batch.judge.is_some() {
            return self.judge_solution(lane, batch);
        }
        self.keep_solution(lane, batch);
    }

    /// As [`count_solution`](Self::count_solution), if the judge of the batch says so.
    #[cold]
    #[inline(never)]
    fn judge_solution(&mut self, lane: usize, batch: &mut Batch<'_>) {
        let job = self.job_of[lane] as usize;
        if self.jobs[job].is_closed {
            return;
        }
        let mut solution = [0; 81];
        kernels::write::<S, V>(&self.lanes[lane], &mut solution);
        let place = self.jobs[job].place;
        let worth = batch.judge.as_mut().map_or(Worth::Counted, |judge| judge(place, &solution));
        if worth != Worth::Ignored {
            self.keep_solution(lane, batch);
        }
        if worth == Worth::Last {
            self.jobs[job].is_closed = true;
            self.sides.clear(&mut self.jobs[job].top);
        }
    }

    #[inline(always)]
    fn keep_solution(&mut self, lane: usize, batch: &mut Batch<'_>) {
        let job = &mut self.jobs[self.job_of[lane] as usize];
        if job.is_closed {
            return;
        }
        if job.solutions == 0
            && let Some((solution, _)) = batch.answers.get_mut(job.place)
            && let Ok(solution) = solution.try_into()
        {
            kernels::write::<S, V>(&self.lanes[lane], solution);
        }
        job.solutions += 1;
        if job.solutions >= batch.limits.max_solutions() {
            job.is_closed = true;
            self.sides.clear(&mut job.top);
        }
    }

    /// Gives `lane`, whose state is finished, the next side of its puzzle. Returns whether there was one.
    #[inline(always)]
    fn go_on(&mut self, lane: usize, batch: &mut Batch<'_>) -> bool {
        let job = &mut self.jobs[self.job_of[lane] as usize];
        if let Some(state) = self.sides.pop(&mut job.top) {
            self.lanes[lane] = *state;
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
            self.queue.push(&self.lanes[lane], job);
        }
    }

    /// Splits the stuck state in `lane` by the cheap choice. The first side stays in the lane.
    #[inline(always)]
    fn split_in_place<C: Chutes>(&mut self, lane: usize, batch: &mut Batch<'_>) {
        let job = &mut self.jobs[self.job_of[lane] as usize];
        if job.is_closed || !Self::guess(job, &mut self.sides, batch.limits) {
            self.empty[lane / 64] |= 1 << (lane % 64);
            self.leave(lane);
            self.drop_state(self.job_of[lane], batch);
            return;
        }
        let state = &mut self.lanes[lane];
        let other = self.sides.push(&mut job.top, state);
        split_fewer_cells_first::<C>(state, other, self.choices[lane]);
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
        while let Some((state, job)) = self.ready.pop() {
            if !self.jobs[job as usize].is_closed {
                self.lanes[lane] = *state;
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
            let is_puzzle =
                puzzle.try_into().is_ok_and(|puzzle| kernels::read::<S, V>(puzzle, &mut self.lanes[lane]));
            if !is_puzzle {
                if let Some((_, answer)) = batch.answers.get_mut(place) {
                    *answer = Answer::complete(0);
                }
                continue;
            }
            if let Some(&candidate) = batch.excluded.get(place) {
                self.lanes[lane].eliminate(candidate);
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
                self.ready.push(&state, number as u32);
            }
        }
        !self.ready.is_empty()
    }

    /// Splits as many queued states as there are lanes, by the strong choice.
    #[inline(always)]
    fn split_queue(&mut self, batch: &mut Batch<'_>) {
        let count = self.queue.len().min(Self::LANES);
        // The slice is loaded as a whole: the padding after the last state does no harm.
        self.queue.states.resize(self.queue.states.len() + Self::LANES - count, Planes::NONE);
        let first = self.queue.states.len() - Self::LANES;
        kernels::load::<S, V>(&self.queue.states[first..], &mut self.slice);
        kernels::choose_strong::<S, V>(&self.slice, &mut self.choices);
        self.clock += cost::STRONG;
        let mut order = Order::new(Self::LANES);
        for index in 0..count {
            order.add(&mut self.places, index, self.choices[index].is_stack());
        }
        for index in 0..order.bands {
            self.split_queued::<Bands>(first, self.places[index], batch);
        }
        for index in order.stacks..Self::LANES {
            self.split_queued::<Stacks>(first, self.places[index], batch);
        }
        self.queue.states.truncate(first);
        self.queue.jobs.truncate(first);
    }

    /// Splits the queued state `first + index` by choice `index`.
    #[inline(always)]
    fn split_queued<C: Chutes>(&mut self, first: usize, index: usize, batch: &mut Batch<'_>) {
        let (state, job) = (&self.queue.states[first + index], self.queue.jobs[first + index]);
        let of = &mut self.jobs[job as usize];
        if of.is_closed || !Self::guess(of, &mut self.sides, batch.limits) {
            self.drop_state(job, batch);
            return;
        }
        let other = self.sides.push(&mut of.top, state);
        let state = self.ready.push(state, job);
        split::<C>(state, other, self.choices[index]);
    }
}

/// The order in which the states of a slice are split: bands from the front, stacks from the back.
#[derive(Clone, Copy)]
struct Order {
    /// Number of bands.
    bands: usize,
    /// Index of the first stack.
    stacks: usize,
}

impl Order {
    fn new(lanes: usize) -> Order {
        Order { bands: 0, stacks: lanes }
    }

    /// Adds `place` to `places`, without a jump.
    #[inline(always)]
    fn add(&mut self, places: &mut [usize], place: usize, is_stack: bool) {
        places[self.bands] = place;
        places[self.stacks - 1] = place;
        self.bands += usize::from(!is_stack);
        self.stacks -= usize::from(is_stack);
    }
}

/// The indices of the bits of a word that are set, lowest first.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

compiled! {
    /// See [`Pool::run`].
    fn run(pool: &'a mut Pool<S, V>, batch: Batch<'a>, is_stopped: &'a dyn Fn() -> bool) {
        pool.run(batch, is_stopped);
    }
}

#[cfg(test)]
mod tests {
    use super::super::states::{grid, on_every_isa};
    use super::*;
    use crate::puzzle::{Answers, Puzzles};
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The answers of a pool to puzzles with one solution and with many.
    fn answers<S: Simd, V: Vector>(is_stealing: bool, limits: Limits) -> Vec<Answer> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut puzzles = Vec::new();
        for _ in 0..300 {
            let mut puzzle = grid(&mut random);
            (0..40 + random.next_u32() % 90).for_each(|_| puzzle[random.next_u32() as usize % 81] = 0);
            puzzles.extend(puzzle);
        }
        let (mut solutions, mut answers) = (vec![0; puzzles.len()], vec![Answer::default(); 300]);
        let mut pool = Pool::<S, V>::new(S::ISA);
        pool.is_stealing = is_stealing;
        let places = Answers::new(&mut solutions, &mut answers, 81).unwrap();
        run(&mut pool, Batch::new(Puzzles::new(&puzzles, 81).unwrap(), limits, places), &|| false);
        assert!(pool.sides.states.len() < 100_000 && pool.queue.is_empty() && pool.ready.is_empty());
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

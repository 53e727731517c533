//! A search that learns clauses: the problem as clauses for the solver `batsat`, which learns a new clause from every
//! contradiction and restarts often. Sources: Silva and Sakallah, "GRASP", 1996; Eén and Sörensson, "An extensible
//! SAT-solver", 2003.
//!
//! It wins where the other searches meet the same contradiction again and again, and loses where they choose well: its
//! choices know nothing of items. It is one runner of a [solver](crate::solver), and proves that a problem has no
//! solution.
//!
//! The solver runs in slices. A [`Watch`] counts its work and halts it at the limits of a meter; it halts within a
//! decision, and goes on later with all that it has learnt. A solution is excluded by a clause, so no solution is found
//! twice.
//!
//! The library has assertions, and none that fails is known. If one did, the learner would give up: whatever the solver
//! held is dropped then, and a solution found before was checked as always.

mod clauses;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use batsat::{
    Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Theory, TheoryArg, Var, lbool,
};

use crate::engine::{Event, Meter, Seeker, Selection, Stop};
use crate::memory::Reservation;
use crate::problem::Term;
use crate::{Assumptions, ExactCover, OptionId};
use clauses::{Clauses, encode};

/// How it is named if it found a solution, or proved that there is no other one.
pub(crate) const SELECTION: Selection =
    Selection { name: "clauses", why: "it learnt from contradictions what other searches met again" };

/// Literals of all clauses above which the learner gives up before it makes them.
const MOST_LITERALS: usize = 1 << 23;

/// Ticks of the propagation of a literal. It takes .2 to .4 microseconds.
const TICKS: u64 = 60;

/// Contradictions of the first run and of the longest. (A run begins without decisions, so it must not be short.)
const FIRST_RUN: u64 = 16;
const LONGEST_RUN: u64 = 1 << 10;

/// Clauses that are made, or decisions, between two looks at the clock.
const INTERVAL: u32 = 1 << 12;
const INTERVAL_DECISIONS: u32 = 16;

/// The search described above. Its nodes are contradictions.
pub(crate) struct Learner {
    problem: Arc<ExactCover>,
    assumptions: Assumptions,
    seed: u64,
    phase: Phase,
    /// What the clauses take.
    room: Reservation,
    /// Contradictions of the next run, and those that no meter has counted yet.
    run: u64,
    owed: u64,
    solution: Vec<OptionId>,
    /// Decisions after which the library panics.
    #[cfg(test)]
    fault: Option<u64>,
}

/// How far a search is.
enum Phase {
    /// The clauses are not made yet.
    Begin,
    Search(Box<Solver<Watcher>>),
    /// There is no other solution.
    End,
    /// The clauses take too much memory, or too long to make.
    GivenUp,
}

impl Learner {
    /// A learner for `problem`. Its clauses take what `room` can reserve.
    pub(crate) fn new(problem: Arc<ExactCover>, room: Reservation) -> Learner {
        Learner {
            problem,
            assumptions: Assumptions::default(),
            seed: 0,
            phase: Phase::End,
            room,
            run: FIRST_RUN,
            owed: 0,
            solution: Vec::new(),
            #[cfg(test)]
            fault: None,
        }
    }

    /// Makes the clauses, if there is room for them.
    fn build(&mut self, meter: &mut Meter<'_>) -> Result<Solver<Watcher>, NoClauses> {
        let mut size = Size { variables: 0, clauses: 0, literals: 0 };
        if encode(&self.problem, &self.assumptions, &mut size).is_break() || !self.room.resize(size.bytes()) {
            return Err(NoClauses::TooLarge);
        }
        // The library wants a number from 1 to 2^31 - 2.
        let random_seed = (self.seed % 0x7fff_fffe + 1) as f64;
        let options = SolverOpts {
            random_seed,
            // With bounds it makes propagation five times as slow.
            rnd_init_act: self.problem.is_simple(),
            random_var_freq: 0.01,
            min_learnts_lim: 1000,
            ..SolverOpts::default()
        };
        let watcher = Watcher { is_halted: Arc::default(), room: self.room.another(), bytes: 0 };
        let mut building = Building {
            solver: Solver::new(options, watcher),
            saves_phases: saves_phases(&self.problem),
            clause: Vec::new(),
            meter,
            left: INTERVAL,
            stop: None,
        };
        let encoded = encode(&self.problem, &self.assumptions, &mut building);
        building.meter.ticks += 6 * size.literals as u64;
        match building.stop {
            Some(stop) if encoded.is_break() => Err(NoClauses::Stopped(stop)),
            _ => Ok(building.solver),
        }
    }

    /// Searches to the next solution, and excludes it.
    fn search(&mut self, meter: &mut Meter<'_>) -> Event {
        let saves_phases = saves_phases(&self.problem);
        let literal_of = |option: OptionId| Lit::new(Var::unsafe_from_idx(option.0), !saves_phases);
        let Phase::Search(solver) = &mut self.phase else { return Event::End };
        let is_halted = Arc::clone(&solver.cb().is_halted);
        is_halted.store(false, Ordering::Relaxed);
        let most = self.run;
        self.run = (2 * most).min(LONGEST_RUN);
        let (conflicts, propagations) = (solver.num_conflicts(), solver.num_propagations());
        let mut watch = Watch {
            meter,
            is_halted: &is_halted,
            levels: 0,
            left: most,
            decisions_left: 0,
            stop: None,
            #[cfg(test)]
            fault: self.fault,
        };
        let result = solver.solve_limited_th(&mut watch, &[]);
        let Watch { stop, left, meter, .. } = watch;
        // The meter counts them before the next run. So runs do not depend on its limits.
        self.owed += (solver.num_conflicts() - conflicts).max(most - left);
        meter.ticks += TICKS * (solver.num_propagations() - propagations);
        if result == lbool::FALSE {
            return Event::End;
        }
        if result != lbool::TRUE {
            // Without another reason it is the memory.
            return Event::Stopped(stop.unwrap_or(Stop::Nodes));
        }
        let is_chosen = |option: &OptionId| solver.value_lit(literal_of(*option)) == lbool::TRUE;
        self.solution.clear();
        self.solution.extend((0..self.problem.option_count() as u32).map(OptionId).filter(is_chosen));
        let mut clause = Vec::with_capacity(self.solution.len());
        let mut chosen = self.solution.iter().peekable();
        for option in (0..self.problem.option_count() as u32).map(OptionId) {
            let is_chosen = chosen.next_if_eq(&&option).is_some();
            if is_chosen || self.is_free(OptionId(option.0)) {
                let literal = literal_of(option);
                clause.push(if is_chosen { !literal } else { literal });
            }
        }
        let Phase::Search(solver) = &mut self.phase else { return Event::End };
        solver.cb_mut().take(clause.len());
        solver.add_clause_reuse(&mut clause);
        Event::Solution
    }

    /// Whether a solution may stay one if this option is added to it.
    fn is_free(&self, option: OptionId) -> bool {
        self.problem.option(option).iter().all(|&Term { item, .. }| {
            let bounds = self.problem.bounds(item);
            item.index() >= self.problem.primary_count() || bounds.low < bounds.high
        })
    }

    /// Whether there is no room for what the solver has learnt.
    fn is_full(&self) -> bool {
        matches!(&self.phase, Phase::Search(solver) if solver.cb().is_full())
    }

    fn give_up(&mut self) {
        self.phase = Phase::GivenUp;
        self.room.resize(0);
    }
}

impl Seeker for Learner {
    fn start(&mut self, assumptions: &Assumptions, seed: u64) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        (self.seed, self.owed, self.run) = (seed, 1, FIRST_RUN);
        self.phase = Phase::Begin;
        self.room.resize(0);
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        match self.phase {
            Phase::End => return Event::End,
            Phase::GivenUp => return Event::Stopped(Stop::Nodes),
            _ => {}
        }
        loop {
            // A run counts a node, so that every slice ends.
            while self.owed > 0 {
                if let Some(stop) = meter.node(0) {
                    return Event::Stopped(stop);
                }
                self.owed -= 1;
            }
            self.owed = 1;
            match self.run(meter) {
                Event::Stopped(Stop::Nodes) if !self.has_given_up() => {}
                event => return event,
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn has_given_up(&self) -> bool {
        matches!(self.phase, Phase::GivenUp)
    }
}

impl Learner {
    /// Searches for a run, after the clauses were made.
    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        let event = catch_unwind(AssertUnwindSafe(|| {
            if let Phase::Begin = self.phase {
                match self.build(meter) {
                    Ok(solver) => self.phase = Phase::Search(Box::new(solver)),
                    Err(NoClauses::Stopped(stop)) => return Some(Event::Stopped(stop)),
                    Err(NoClauses::TooLarge) => return None,
                }
            }
            // A solution was delivered before: without room for its clause it would be found again.
            if self.is_full() {
                return None;
            }
            let event = self.search(meter);
            Some(event).filter(|event| !self.is_full() || !matches!(event, Event::Stopped(_)))
        }));
        match event {
            Ok(Some(event)) => {
                if event == Event::End {
                    self.phase = Phase::End;
                    self.room.resize(0);
                }
                event
            }
            _ => {
                self.give_up();
                Event::Stopped(Stop::Nodes)
            }
        }
    }
}

/// Why there are no clauses.
enum NoClauses {
    TooLarge,
    Stopped(Stop),
}

/// The size of clauses that are not made.
struct Size {
    variables: usize,
    clauses: usize,
    literals: usize,
}

impl Size {
    /// The most bytes that the solver takes: lists that double, a copy of the clauses while the solver tidies up, and
    /// two watchers for each.
    fn bytes(&self) -> usize {
        192 * self.variables + 64 * self.clauses + 12 * self.literals
    }
}

impl Clauses for Size {
    fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::new(Var::unsafe_from_idx(self.variables as u32 - 1), true)
    }

    fn add(&mut self, clause: &[Lit]) -> ControlFlow<()> {
        self.clauses += 1;
        self.literals += clause.len();
        if self.literals + self.variables > MOST_LITERALS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Whether a decision repeats the last value of its variable, and the first one chooses an option. (The library starts
/// with false, so the literal of an option is the negative one then.) Otherwise every decision chooses an option.
///
/// An option that is chosen says more than one that is not: the first solutions of dominosa puzzles, Costas arrays and
/// 25x25 sudokus take half the time. But a total of bounds is kept only if most of what is known is kept: rosters for 10
/// take .03 s and not 1, for 20 .1 s and for 60 1.3 s, where none was found in 20 s.
fn saves_phases(problem: &ExactCover) -> bool {
    !problem.is_simple()
}

/// A solver that gets its clauses.
struct Building<'a, 'b> {
    solver: Solver<Watcher>,
    saves_phases: bool,
    clause: Vec<Lit>,
    meter: &'a mut Meter<'b>,
    /// Clauses to the next look at the clock.
    left: u32,
    stop: Option<Stop>,
}

impl Clauses for Building<'_, '_> {
    fn variable(&mut self) -> Lit {
        let value = if self.saves_phases { lbool::UNDEF } else { lbool::TRUE };
        Lit::new(self.solver.new_var(value, true), !self.saves_phases)
    }

    /// Ends with the first contradiction, too: then there is no solution.
    fn add(&mut self, clause: &[Lit]) -> ControlFlow<()> {
        self.left -= 1;
        if self.left == 0 {
            self.left = INTERVAL;
            self.stop = self.meter.stop();
        }
        self.clause.clear();
        self.clause.extend_from_slice(clause);
        if self.solver.add_clause_reuse(&mut self.clause) && self.stop.is_none() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// Counts the bytes of what the solver learns, and halts it when asked.
struct Watcher {
    is_halted: Arc<AtomicBool>,
    room: Reservation,
    bytes: usize,
}

impl Watcher {
    /// Bytes by which the reserved memory grows at least.
    const GROWTH: usize = 1 << 16;

    /// Reserves what a clause of `len` literals takes; halts the solver if there is no room.
    fn take(&mut self, len: usize) {
        self.bytes += Self::bytes_of(len);
        if self.bytes > self.room.bytes() && !self.room.resize(self.bytes + self.bytes / 4 + Self::GROWTH) {
            self.is_halted.store(true, Ordering::Relaxed);
        }
    }

    fn bytes_of(len: usize) -> usize {
        64 + 12 * len
    }

    fn is_full(&self) -> bool {
        self.bytes > self.room.bytes() && self.bytes > 0
    }
}

impl Callbacks for Watcher {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.take(clause.len());
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.bytes = self.bytes.saturating_sub(Self::bytes_of(clause.len()));
    }

    fn stop(&self) -> bool {
        self.is_halted.load(Ordering::Relaxed)
    }
}

/// Watches the solver during a slice, and halts it at the limits of the meter. To the library it is a theory that has
/// nothing to say: it is asked at each decision.
struct Watch<'a, 'b> {
    meter: &'a mut Meter<'b>,
    is_halted: &'a AtomicBool,
    levels: usize,
    /// Contradictions left.
    left: u64,
    /// Decisions to the next look at the clock.
    decisions_left: u32,
    stop: Option<Stop>,
    #[cfg(test)]
    fault: Option<u64>,
}

impl Theory for Watch<'_, '_> {
    fn partial_check(&mut self, _: &mut TheoryArg<'_>) {
        #[cfg(test)]
        if let Some(left) = &mut self.fault {
            *left = left.checked_sub(1).expect("a fault of the library");
        }
        if self.decisions_left == 0 {
            self.decisions_left = INTERVAL_DECISIONS;
            self.stop = self.meter.stop();
        }
        self.decisions_left -= 1;
        if self.left == 0 {
            self.stop = Some(Stop::Nodes);
        }
        if self.stop.is_some() {
            self.is_halted.store(true, Ordering::Relaxed);
        }
    }

    fn final_check(&mut self, _: &mut TheoryArg<'_>) {}

    fn create_level(&mut self) {
        self.levels += 1;
    }

    /// The solver leaves levels after a contradiction (and when it restarts, which is rare).
    fn pop_levels(&mut self, count: usize) {
        self.levels -= count;
        self.left = self.left.saturating_sub(1);
    }

    fn n_levels(&self) -> usize {
        self.levels
    }

    fn explain_propagation(&mut self, _: Lit) -> &[Lit] {
        &[]
    }
}

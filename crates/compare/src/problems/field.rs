//! Exact cover problems as what a contest is held on.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::answer::{self, Conditions, ProblemRun, State};
use super::known::{KnownAnswer, Said};
use super::problem::Problem;
use crate::clock::TimeSpent;
use crate::contest::Field;
use crate::contestant::{By, Contestant};
use crate::error::PlanError;
use crate::pass::{Pass, Ran};
use crate::plan::Plan;
use crate::shell::Shell;
use galop_batch::error::{Error, ErrorKind};
use galop_cover::threads;
use galop_engines::puzzle::Status;

/// Problems, and what is known of them.
pub(crate) struct ProblemField<'a> {
    pub(super) problems: &'a [Problem],
    pub(super) plan: &'a Plan<'a>,
    pub(super) known: Vec<KnownAnswer>,
    /// What each contestant did with each problem.
    pub(super) notes: Vec<Vec<Note>>,
    /// The problems as the run has them, in its order.
    arranged: Vec<Problem>,
    order: Vec<u32>,
}

/// What one contestant did with one problem.
pub(super) struct Note {
    /// In the warm-up.
    pub(super) warm_up: ProblemRun,
    /// Whether a run was cut short.
    is_cut: bool,
    /// Nodes of each run, if they are known.
    pub(super) nodes: Vec<f64>,
}

impl Note {
    /// Whether the warm-up or a run was ended by a limit.
    pub(super) fn is_cut(&self) -> bool {
        self.warm_up.state == State::Cut || self.is_cut
    }

    /// Whether the warm-up and all runs found what was wanted.
    pub(super) fn is_finished(&self) -> bool {
        self.warm_up.state == State::Finished && !self.is_cut
    }
}

impl<'a> ProblemField<'a> {
    /// Checks that every contestant can solve such problems.
    ///
    /// # Errors
    /// [`PlanError::OtherTasks`].
    pub(crate) fn start(problems: &'a [Problem], plan: &'a Plan<'a>) -> Result<Self, PlanError> {
        let is_other = |contestant: &&Contestant| match contestant.by {
            By::Engine(_) => true,
            By::Cover(_) => plan.is_cheapest,
            By::Cheapest => !plan.is_cheapest,
            By::Program(_) => false,
        };
        if let Some(other) = plan.contestants.iter().find(is_other) {
            return Err(PlanError::OtherTasks(other.name.clone()));
        }
        let known = vec![KnownAnswer::default(); problems.len()];
        Ok(ProblemField {
            problems,
            plan,
            known,
            notes: plan.contestants.iter().map(|_| Vec::new()).collect(),
            arranged: Vec::new(),
            order: Vec::new(),
        })
    }

    /// Whether a program takes part, so that engines read the text as well.
    pub(crate) fn is_read(&self) -> bool {
        self.plan.contestants.iter().any(Contestant::is_program)
    }

    /// What each contestant runs on.
    pub(crate) fn ran(&self) -> Vec<Ran> {
        let ran = |contestant: &Contestant| Ran {
            isa: matches!(contestant.by, By::Cover(_)).then(|| self.plan.isa_of(contestant).name()),
            threads: threads::count(self.plan.threads_of(contestant)).get(),
        };
        self.plan.contestants.iter().map(ran).collect()
    }

    /// Lets the contestant `index` solve `problem`.
    fn solve(&self, index: usize, problem: &Problem) -> Result<ProblemRun, Error> {
        let (plan, contestant) = (self.plan, &self.plan.contestants[index]);
        let at = Conditions {
            solutions: plan.solutions,
            is_cheapest: plan.is_cheapest,
            isa: plan.isa_of(contestant),
            threads: plan.threads_of(contestant),
            budget: plan.budget,
            nodes: plan.max_guesses,
            is_read: self.is_read(),
            stop: plan.stop,
        };
        let run = match &contestant.by {
            By::Cover(choice) => answer::of_engine(*choice, problem, at),
            By::Program(command) => {
                answer::of_program(&Shell::new(command), &plan.patterns, &contestant.name, problem, at)
            }
            By::Cheapest | By::Engine(_) => answer::of_cheapest(problem, at),
        };
        if plan.stop.load(Ordering::Relaxed) {
            return Err(ErrorKind::Stopped.into());
        }
        run.map_err(|error| error.in_file(&problem.input.name))
    }

    /// The start of a program, measured once for a pass, unless it finishes no problem.
    fn start_of(&self, index: usize) -> Option<TimeSpent> {
        let By::Program(command) = &self.plan.contestants[index].by else { return None };
        let (plan, started) = (self.plan, Instant::now());
        let is_late = || plan.budget.is_some_and(|budget| started.elapsed() >= budget);
        let is_stopped = || plan.stop.load(Ordering::Relaxed) || is_late();
        let is_run = self.notes[index].iter().any(Note::is_finished);
        is_run.then(|| answer::start_of(&Shell::new(command), &is_stopped)).flatten()
    }

    /// A pass of these results.
    fn pass_of(&self, index: usize, runs: &[ProblemRun], start: Option<TimeSpent>) -> Pass {
        let mut pass = Pass::new(runs.len());
        for (place, run) in runs.iter().enumerate() {
            let is_refused = matches!(run.state, State::Refused(_));
            pass.nanos[place] = if is_refused { f32::NAN } else { run.spent.cpu.as_nanos() as f32 };
            pass.guesses[place] = run.nodes.map_or(0, |nodes| u32::try_from(nodes).unwrap_or(u32::MAX));
            pass.statuses[place] = match (&run.state, &run.said) {
                (State::Refused(_), _) => Status::Stuck,
                (State::Cut, _) => Status::Limit,
                (State::Finished, Said::Cheapest(None)) => Status::None,
                (State::Finished, Said::Solutions { count, .. }) if *count == 0 => Status::None,
                (State::Finished, _) => Status::Solved,
            };
            pass.spent.cpu += run.spent.cpu;
            pass.spent.wall += run.spent.wall;
        }
        let nodes = runs.iter().map(|run| run.nodes).sum::<Option<u64>>();
        pass.has_guesses = nodes.is_some() || !self.plan.contestants[index].is_program();
        (pass.done, pass.guesses_of_all) = (runs.len(), nodes);
        (pass.start, pass.processes) = (start, runs.len() as u32);
        pass
    }
}

impl Field for ProblemField<'_> {
    fn len(&self) -> usize {
        self.problems.len()
    }

    fn warm_up(&mut self, index: usize, advanced: &mut dyn FnMut(u64)) -> Result<Pass, Error> {
        let mut runs = Vec::new();
        for (number, problem) in self.problems.iter().enumerate() {
            let run = self.solve(index, problem)?;
            let name = &self.plan.contestants[index].name;
            let learned = self.known[number].learn(name, &run.said);
            learned.map_err(|fault| Error::at(&problem.input.name, fault))?;
            advanced(number as u64 + 1);
            runs.push(run);
        }
        let pass = self.pass_of(index, &runs, None);
        let note = |warm_up| Note { warm_up, is_cut: false, nodes: Vec::new() };
        self.notes[index] = runs.into_iter().map(note).collect();
        Ok(pass)
    }

    fn arrange(&mut self, run: usize) -> Vec<usize> {
        let mut chance = self.plan.chance(run);
        self.order = (0..self.problems.len() as u32).collect();
        let is_permuted = self.plan.is_permuted;
        if is_permuted {
            chance.shuffle(&mut self.order);
        }
        let problems = self.order.iter().map(|&number| &self.problems[number as usize]);
        self.arranged = problems
            .map(|problem| if is_permuted { problem.shuffled(&mut chance) } else { problem.clone() })
            .collect();
        self.plan.turns(&mut chance)
    }

    fn pass(&mut self, index: usize, advanced: &mut dyn FnMut(u64)) -> Result<Pass, Error> {
        let start = self.start_of(index);
        let mut runs = Vec::new();
        for (place, &number) in self.order.iter().enumerate() {
            let warm_up = &self.notes[index][number as usize].warm_up;
            // One that did not finish would take the whole budget again and again.
            let run = match warm_up.state {
                State::Finished => self.solve(index, &self.arranged[place])?,
                _ => warm_up.clone(),
            };
            let (name, known) = (&self.plan.contestants[index].name, &mut self.known[number as usize]);
            let learned = known.learn(name, &run.said);
            learned.map_err(|fault| Error::at(&self.arranged[place].input.name, fault))?;
            let note = &mut self.notes[index][number as usize];
            note.is_cut |= run.state == State::Cut;
            note.nodes.extend(run.nodes.map(|nodes| nodes as f64));
            advanced(place as u64 + 1);
            runs.push(run);
        }
        Ok(self.pass_of(index, &runs, start))
    }

    fn order(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.order)
    }
}

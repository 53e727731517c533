//! Exact cover problems as what a contest is held on, and their figures.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::answer::{self, Conditions, ProblemRun, ProgramFault, State};
use super::known::{KnownAnswer, Said};
use super::problem::Problem;
use crate::clock::TimeSpent;
use crate::contest::{Field, Record};
use crate::contestant::{By, Contestant};
use crate::error::PlanError;
use crate::figures::{EngineFigures, ProblemAnswer, ProblemFigures, Ratio};
use crate::pass::{Pass, Ran};
use crate::plan::Plan;
use crate::shell::Shell;
use crate::statistics::{mean, median, ratio, spread};
use galop_batch::error::{Error, ErrorKind};
use galop_batch::figures::duration;
use galop_cover::threads;
use galop_engines::puzzle::Status;

/// Problems, and what is known of them.
pub(crate) struct ProblemField<'a> {
    problems: &'a [Problem],
    plan: &'a Plan<'a>,
    known: Vec<KnownAnswer>,
    /// What each contestant did with each problem.
    notes: Vec<Vec<Note>>,
    /// The problems as the run has them, in its order.
    arranged: Vec<Problem>,
    order: Vec<u32>,
}

/// What one contestant did with one problem.
struct Note {
    /// In the warm-up.
    warm_up: ProblemRun,
    /// Whether a run was cut short.
    is_cut: bool,
    /// Nodes of each run, if they are known.
    nodes: Vec<f64>,
}

impl Note {
    fn is_finished(&self) -> bool {
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
                let (shell, name) = (Shell::new(command), &contestant.name);
                let run = answer::of_program(&shell, &plan.patterns, name, problem, at);
                run.map_err(|fault| match fault {
                    ProgramFault::Failed(reason) => {
                        PlanError::Program { command: name.clone(), reason }.into()
                    }
                    ProgramFault::Wrong(fault) => fault.into(),
                })
            }
            By::Cheapest | By::Engine(_) => answer::of_cheapest(problem, at),
        };
        if plan.stop.load(Ordering::Relaxed) {
            return Err(ErrorKind::Stopped.into());
        }
        run.map_err(|error: Error| error.in_file(&problem.input.name))
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

    /// The figures of every problem, for the contestants in this order of their places in the plan.
    pub(crate) fn figures(&self, record: &Record, order: &[usize]) -> Vec<ProblemFigures> {
        let times: Vec<Vec<Vec<f64>>> = order.iter().map(|&index| self.times(record, index)).collect();
        let reference = order.iter().position(|&index| index == self.plan.reference);
        let figures = |(number, problem): (usize, &Problem)| {
            let answer = |(place, &index): (usize, &usize)| {
                let note = &self.notes[index][number];
                let is_both = note.is_finished() && self.notes[self.plan.reference][number].is_finished();
                let own = &times[place][number];
                ProblemAnswer {
                    engine: self.plan.contestants[index].name.clone(),
                    finished: note.is_finished(),
                    nanos: (!own.is_empty()).then(|| spread(own)),
                    nodes: (!note.nodes.is_empty()).then(|| median(&note.nodes)),
                    answer: match &note.warm_up.said {
                        Said::Solutions { count, .. } => Some(count.to_string()),
                        Said::Cheapest(cost) => cost.map(|cost| cost.to_string()),
                        Said::Nothing => None,
                    },
                    ratio: reference
                        .filter(|_| is_both && index != self.plan.reference)
                        .and_then(|reference| ratio_of(own, &times[reference][number])),
                    refusal: match &note.warm_up.state {
                        State::Refused(why) => Some(why.clone()),
                        _ => None,
                    },
                }
            };
            ProblemFigures {
                name: problem.input.name.clone(),
                items: problem.cover.item_count() as u64,
                options: problem.cover.option_count() as u64,
                series: problem.series.clone(),
                answer: self.known[number].complete(),
                engines: order.iter().enumerate().map(answer).collect(),
            }
        };
        self.problems.iter().enumerate().map(figures).collect()
    }

    /// Nanoseconds of each run of the contestant `index`, problem by problem; none if it refused the problem.
    fn times(&self, record: &Record, index: usize) -> Vec<Vec<f64>> {
        let mut times = vec![Vec::new(); self.problems.len()];
        for (pass, order) in record.measured[index].runs.iter().zip(&record.orders) {
            for (&nanos, &number) in pass.nanos.iter().zip(order).filter(|(nanos, _)| !nanos.is_nan()) {
                times[number as usize].push(f64::from(nanos));
            }
        }
        times
    }

    /// Completes the figures of the contestant `index` by what holds for problems: how many it finished, its score, and
    /// its ratio to the reference on the problems that both finished.
    pub(crate) fn complete(&self, figures: &mut EngineFigures, record: &Record, index: usize) {
        let (notes, times) = (&self.notes[index], self.times(record, index));
        let finished: Vec<bool> = notes.iter().map(Note::is_finished).collect();
        figures.puzzles = finished.iter().filter(|&&is_finished| is_finished).count() as u64;
        figures.share = figures.puzzles as f64 / self.problems.len().max(1) as f64;
        figures.par2_nanos = self.plan.budget.map(|budget| {
            let penalty = 2.0 * budget.as_nanos() as f64;
            let score = |(times, &is_finished): (&Vec<f64>, &bool)| {
                if is_finished { median(times) } else { penalty }
            };
            mean(&times.iter().zip(&finished).map(score).collect::<Vec<_>>())
        });
        figures.ratio = if index == self.plan.reference { None } else { self.ratio(record, index, &times) };
    }

    /// The ratio to the reference: in each run the geometric mean over the problems that both finished.
    fn ratio(&self, record: &Record, index: usize, times: &[Vec<f64>]) -> Option<Ratio> {
        let of_reference = self.times(record, self.plan.reference);
        let is_both = |number: &usize| {
            self.notes[index][*number].is_finished() && self.notes[self.plan.reference][*number].is_finished()
        };
        let both: Vec<usize> = (0..self.problems.len()).filter(is_both).collect();
        let of_run = |run: usize| {
            let ratios = both.iter().map(|&number| times[number][run] / of_reference[number][run]);
            let logarithms: Vec<f64> =
                ratios.filter(|ratio| ratio.is_finite() && *ratio > 0.0).map(f64::ln).collect();
            (!logarithms.is_empty()).then(|| mean(&logarithms).exp())
        };
        ratio(&(0..record.orders.len()).filter_map(of_run).collect::<Vec<_>>())
    }

    /// Reasons to doubt the figures of the contestant `index`.
    pub(crate) fn warnings(&self, record: &Record, index: usize) -> Vec<String> {
        let mut warnings = Vec::new();
        let contestant = &self.plan.contestants[index];
        let starts = spread(&record.measured[index].starts());
        let noise = starts.max - starts.min;
        let times = self.times(record, index);
        let short: Vec<&str> = (times.iter().zip(self.problems))
            .filter(|(times, _)| contestant.is_program() && !times.is_empty() && median(times) <= noise)
            .map(|(_, problem)| &*problem.input.name)
            .collect();
        if !short.is_empty() {
            warnings.push(format!(
                "too short to be trusted, because the time is within the noise of its starts ({} to {}): {}",
                duration(starts.min),
                duration(starts.max),
                short.join(", ")
            ));
        }
        let cut: Vec<&str> = (self.notes[index].iter().zip(self.problems))
            .filter(|(note, _)| note.warm_up.state == State::Cut || note.is_cut)
            .map(|(_, problem)| &*problem.input.name)
            .collect();
        if !cut.is_empty() {
            warnings.push(format!(
                "not finished within the limits: {}; its times are those at which it was ended",
                cut.join(", ")
            ));
        }
        let is_silent =
            |note: &Note| note.warm_up.state == State::Finished && note.warm_up.said == Said::Nothing;
        if contestant.is_program() && self.notes[index].iter().any(is_silent) {
            warnings.push("it prints no number of solutions and no solution that is known, so its answers were not checked".to_owned());
        }
        warnings
    }
}

/// The ratio of times in the same runs.
fn ratio_of(own: &[f64], reference: &[f64]) -> Option<Ratio> {
    let ratios = own.iter().zip(reference).map(|(own, reference)| own / reference);
    ratio(&ratios.filter(|ratio| ratio.is_finite() && *ratio > 0.0).collect::<Vec<_>>())
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

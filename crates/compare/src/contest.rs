//! The order of a contest, whatever it is held on: a warm-up, then runs in which the contestants take turns.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Watch;
use super::pass::{Measured, Pass};
use super::plan::Plan;
use galop_batch::error::{Error, ErrorKind};

/// What a contest is held on: the puzzles of a set, or exact cover problems.
pub(super) trait Field {
    /// The number of puzzles or problems.
    fn len(&self) -> usize;

    /// Lets the contestant `index` answer all of them as they were read. The answers are kept, and compared with those
    /// of the others.
    ///
    /// # Errors
    /// A wrong answer, two answers that contradict each other, a program that fails.
    fn warm_up(&mut self, index: usize, advanced: &mut dyn FnMut(u64)) -> Result<Pass, Error>;

    /// Arranges them for the run `run`, from 0. Returns the contestants in the order of their turns.
    fn arrange(&mut self, run: usize) -> Vec<usize>;

    /// Lets the contestant `index` answer all of them as the run has them, and compares its answers with what is known
    /// since the warm-up.
    ///
    /// # Errors
    /// As [`warm_up`](Self::warm_up).
    fn pass(&mut self, index: usize, advanced: &mut dyn FnMut(u64)) -> Result<Pass, Error>;

    /// Their order in the run that was arranged last: place `i` held number `order[i]`.
    fn order(&mut self) -> Vec<u32>;
}

/// What was measured.
pub(super) struct Record {
    /// For each contestant.
    pub(super) measured: Vec<Measured>,
    /// For each run, the order of what was answered.
    pub(super) orders: Vec<Vec<u32>>,
}

/// Holds the contest of `plan` on `field`.
///
/// # Errors
/// The errors of `field`; [`ErrorKind::Stopped`].
pub(super) fn hold(field: &mut dyn Field, plan: &Plan<'_>, watch: &mut dyn Watch) -> Result<Record, Error> {
    let size = field.len() as u64;
    let (mut answered, total) = (0, plan.answers(field.len()));
    let mut measured: Vec<Measured> = Vec::new();
    for index in 0..plan.contestants.len() {
        let warm_up = field.warm_up(index, &mut |done| watch.advanced(answered + done, total))?;
        measured.push(Measured { warm_up, runs: Vec::new() });
        answered += size;
        advance(plan, watch, answered, total)?;
    }
    let one_run = measured.iter().map(|measured| measured.warm_up.spent.wall).sum::<Duration>();
    watch.expected(one_run.saturating_mul(u32::try_from(plan.runs).unwrap_or(u32::MAX)));
    let mut orders = Vec::new();
    for run in 0..plan.runs {
        for index in field.arrange(run) {
            let pass = field.pass(index, &mut |done| watch.advanced(answered + done, total))?;
            measured[index].runs.push(pass);
            answered += size;
            advance(plan, watch, answered, total)?;
        }
        orders.push(field.order());
    }
    measured.iter_mut().for_each(Measured::take_off_start);
    Ok(Record { measured, orders })
}

/// Reports that one more pass is over.
fn advance(plan: &Plan<'_>, watch: &mut dyn Watch, answered: u64, total: u64) -> Result<(), Error> {
    if plan.stop.load(Ordering::Relaxed) {
        return Err(ErrorKind::Stopped.into());
    }
    watch.advanced(answered, total);
    Ok(())
}

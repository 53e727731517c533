//! The figures of a contest on exact cover problems, from what was measured.

use super::answer::State;
use super::field::{Note, ProblemField};
use super::known::Said;
use crate::contest::Record;
use crate::figures::{EngineFigures, ProblemAnswer, ProblemFigures, Ratio};
use crate::statistics::{mean, median, ratio, spread};
use galop_batch::figures::duration;

/// A contest that was held on problems.
pub(crate) struct ProblemResults<'a> {
    field: &'a ProblemField<'a>,
    record: &'a Record,
    /// Nanoseconds by contestant, problem and run; no runs of a problem that the contestant refused.
    times: Vec<Vec<Vec<f64>>>,
}

impl<'a> ProblemResults<'a> {
    pub(crate) fn of(field: &'a ProblemField<'a>, record: &'a Record) -> ProblemResults<'a> {
        let mut times = vec![vec![Vec::new(); field.problems.len()]; record.measured.len()];
        for (measured, times) in record.measured.iter().zip(&mut times) {
            for (pass, order) in measured.runs.iter().zip(&record.orders) {
                for (&nanos, &number) in pass.nanos.iter().zip(order).filter(|(nanos, _)| !nanos.is_nan()) {
                    times[number as usize].push(f64::from(nanos));
                }
            }
        }
        ProblemResults { field, record, times }
    }

    /// The figures of every problem, for the contestants in this order of their places in the plan.
    pub(crate) fn problems(&self, order: &[usize]) -> Vec<ProblemFigures> {
        let figures = |(number, problem): (usize, &super::Problem)| ProblemFigures {
            name: problem.input().name.clone(),
            items: problem.cover.item_count() as u64,
            options: problem.cover.option_count() as u64,
            series: problem.series.clone(),
            answer: self.field.known[number].complete(),
            engines: order.iter().map(|&index| self.answer(index, number)).collect(),
        };
        self.field.problems.iter().enumerate().map(figures).collect()
    }

    /// What the contestant `index` did with a problem.
    fn answer(&self, index: usize, number: usize) -> ProblemAnswer {
        let (note, own) = (&self.field.notes[index][number], &self.times[index][number]);
        let (runs, reference) = (0..self.record.orders.len(), self.field.plan.reference);
        let is_compared = index != reference && self.are_both_finished(index, number);
        ProblemAnswer {
            engine: self.field.plan.contestants[index].name.clone(),
            finished: note.is_finished(),
            nanos: (!own.is_empty()).then(|| spread(own)),
            nodes: (!note.nodes.is_empty()).then(|| median(&note.nodes)),
            answer: match &note.warm_up.said {
                Said::Solutions { count, .. } => Some(count.to_string()),
                Said::Cheapest(cost) => cost.map(|cost| cost.to_string()),
                Said::Nothing => None,
            },
            ratio: is_compared
                .then(|| ratio(&runs.filter_map(|run| self.ratio_in(index, number, run)).collect::<Vec<_>>()))
                .flatten(),
            refusal: match &note.warm_up.state {
                State::Refused(why) => Some(why.clone()),
                _ => None,
            },
        }
    }

    fn are_both_finished(&self, index: usize, number: usize) -> bool {
        [index, self.field.plan.reference].iter().all(|&index| self.field.notes[index][number].is_finished())
    }

    /// The time of the contestant `index` on a problem divided by the reference's, in one run; `None` if a time is 0.
    fn ratio_in(&self, index: usize, number: usize, run: usize) -> Option<f64> {
        let ratio = self.times[index][number][run] / self.times[self.field.plan.reference][number][run];
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    }

    /// Completes the figures of the contestant `index` by what holds for problems: how many it finished, its score, and
    /// its ratio to the reference on the problems that both finished.
    pub(crate) fn complete(&self, figures: &mut EngineFigures, index: usize) {
        let plan = self.field.plan;
        let finished: Vec<bool> = self.field.notes[index].iter().map(Note::is_finished).collect();
        figures.puzzles = finished.iter().filter(|&&is_finished| is_finished).count() as u64;
        figures.share = figures.puzzles as f64 / finished.len().max(1) as f64;
        figures.par2_nanos = plan.budget.map(|budget| {
            let penalty = 2.0 * budget.as_nanos() as f64;
            let score = |(times, &is_finished): (&Vec<f64>, &bool)| {
                if is_finished { median(times) } else { penalty }
            };
            mean(&self.times[index].iter().zip(&finished).map(score).collect::<Vec<_>>())
        });
        figures.ratio = if index == plan.reference { None } else { self.ratio(index) };
        // A node is not a guess, so no problem is known to be solved without one.
        figures.without_guess = None;
    }

    /// The ratio to the reference: in each run the geometric mean over the problems that both finished.
    fn ratio(&self, index: usize) -> Option<Ratio> {
        let both: Vec<usize> =
            (0..self.field.problems.len()).filter(|&number| self.are_both_finished(index, number)).collect();
        let of_run = |run: usize| {
            let ratios = both.iter().filter_map(|&number| self.ratio_in(index, number, run));
            let logarithms: Vec<f64> = ratios.map(f64::ln).collect();
            (!logarithms.is_empty()).then(|| mean(&logarithms).exp())
        };
        ratio(&(0..self.record.orders.len()).filter_map(of_run).collect::<Vec<_>>())
    }

    /// Reasons to doubt the figures of the contestant `index`.
    pub(crate) fn warnings(&self, index: usize) -> Vec<String> {
        let (notes, is_program) = (&self.field.notes[index], self.field.plan.contestants[index].is_program());
        let starts = spread(&self.record.measured[index].starts());
        let noise = starts.max - starts.min;
        // The names of the problems with these numbers.
        let named = |is_named: &dyn Fn(usize) -> bool| {
            let problems = self.field.problems.iter().enumerate().filter(|&(number, _)| is_named(number));
            problems.map(|(_, problem)| &*problem.input().name).collect::<Vec<_>>().join(", ")
        };
        let times = &self.times[index];
        let short =
            named(&|number| is_program && !times[number].is_empty() && median(&times[number]) <= noise);
        let cut = named(&|number| notes[number].is_cut());
        let mut warnings = Vec::new();
        if !short.is_empty() {
            warnings.push(format!(
                "too short to be trusted, because the time is within the noise of its starts ({} to {}): {short}",
                duration(starts.min),
                duration(starts.max),
            ));
        }
        if !cut.is_empty() {
            warnings.push(format!(
                "not finished within the limits: {cut}; its times are those at which it was ended"
            ));
        }
        let is_silent =
            |note: &Note| note.warm_up.state == State::Finished && note.warm_up.said == Said::Nothing;
        if is_program && notes.iter().any(is_silent) {
            warnings.push(
                "it prints no number of solutions and no solution that is known, so its answers were not checked"
                    .to_owned(),
            );
        }
        warnings
    }
}

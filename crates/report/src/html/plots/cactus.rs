//! How many problems each engine finishes within a time: the plot of SAT competitions, which they call a cactus plot.
//! Problems to the right, the time of the hardest of them upwards. A curve that ends early is an engine that did not
//! finish the rest.

use std::fmt;

use super::axis::Axis;
use super::frame::{HEIGHT, Panel, figure};
use super::ink::series_class;
use galop_compare::Comparison;

/// Draws the curves of all engines; nothing for fewer than three problems, whose times the table shows.
pub(super) fn cactus(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let problems = comparison.problems.len();
    let times: Vec<Vec<f64>> =
        (0..comparison.engines.len()).map(|engine| times_of(comparison, engine)).collect();
    let all = || times.iter().flatten().copied();
    let (Some(low), Some(high)) = (all().reduce(f64::min), all().reduce(f64::max)) else { return Ok(()) };
    if problems < 3 {
        return Ok(());
    }
    let (counts, axis) = (
        Axis::linear(0.0..problems as f64, 1.0, |count| format!("{count:.0}")),
        Axis::of_times(low as u64, high as u64),
    );
    let sentence = "The number of problems that an engine finishes, each within a given time.";
    figure("Finished within.", sentence, HEIGHT, out, |ink| {
        let panel = Panel::new(&counts, &axis);
        panel.draw_axes(true, ink)?;
        times.iter().enumerate().try_for_each(|(number, times)| {
            let corners = times.iter().enumerate().map(|(place, &time)| (place as f64 + 1.0, time));
            panel.draw_curve(&series_class(number), &corners.collect::<Vec<_>>(), ink)
        })
    })
}

/// The times of the problems that the engine of this place finished, the shortest first.
fn times_of(comparison: &Comparison, engine: usize) -> Vec<f64> {
    let answers = comparison.problems.iter().filter_map(|problem| problem.engines.get(engine));
    let finished = answers.filter(|answer| answer.finished).filter_map(|answer| answer.nanos);
    let mut times: Vec<f64> = finished.map(|spread| spread.median.max(1.0)).collect();
    times.sort_by(f64::total_cmp);
    times
}

//! How times grow with a size: a curve for each engine. Times are logarithmic. Sizes are logarithmic too if more curves
//! follow a power than an exponential, so that most curves are straight. A time at which an engine was ended is a point
//! apart, without a line.

use std::fmt;

use super::axis::Axis;
use super::frame::{HEIGHT, Panel, figure};
use super::ink::series_class;
use galop_batch::figures::rounded;
use galop_compare::{Curve, Law};

/// Draws `curves`, which are over the same sizes; nothing if they have no times.
pub(super) fn growth(curves: &[&Curve], out: &mut String) -> fmt::Result {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let times = || points().map(|point| point.nanos);
    let sizes = || points().map(|point| point.size);
    let ends = |low: Option<f64>, high: Option<f64>| low.zip(high);
    let (Some(times), Some((small, large))) = (
        ends(times().reduce(f64::min), times().reduce(f64::max)),
        ends(sizes().reduce(f64::min), sizes().reduce(f64::max)),
    ) else {
        return Ok(());
    };
    let axis = Axis::of_times(times.0 as u64, times.1 as u64);
    let laws = |law| curves.iter().filter(|curve| curve.fit.is_some_and(|fit| fit.law == law)).count();
    let is_power = small > 0.0 && laws(Law::Power) > laws(Law::Exponential);
    let Some(first) = curves.first() else { return Ok(()) };
    let sentence = format!(
        "The {} by {}. A cross marks the time at which an unfinished search was stopped.",
        first.time_of, first.over
    );
    let mut ticks: Vec<f64> = points().map(|point| point.size).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let sizes = if is_power {
        let step = ticks.len().div_ceil(8);
        Axis::logarithmic(small / 1.1..large * 1.1, ticks.into_iter().step_by(step.max(1)).collect(), rounded)
    } else {
        let room = (large - small).max(1.0) / 20.0;
        let least = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        Axis::linear(small - room..large + room, if least.is_finite() { least } else { 1.0 }, rounded)
    };
    figure("Growth.", &sentence, HEIGHT, out, |ink| {
        let panel = Panel::new(&sizes, &axis);
        panel.draw_axes(true, ink)?;
        for (number, curve) in curves.iter().enumerate() {
            let values = |is_finished: bool| -> Vec<(f64, f64)> {
                let points = curve.points.iter().filter(|point| point.finished == is_finished);
                points.map(|point| (point.size, point.nanos)).collect()
            };
            let class = series_class(number);
            panel.draw_curve(&class, &values(true), ink)?;
            for (x, y) in values(false).into_iter().map(|cut| panel.place(cut)) {
                ink.line(&class, [(x - 6, y - 6), (x + 6, y + 6)])?;
                ink.line(&class, [(x - 6, y + 6), (x + 6, y - 6)])?;
            }
        }
        Ok(())
    })
}

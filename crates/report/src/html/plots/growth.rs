//! How times grow with a size: a curve for each engine. Times are logarithmic. Sizes are logarithmic too if more curves
//! follow a power than an exponential, so that most curves are straight. A time at which an engine was ended is a point
//! apart, without a line.

use std::fmt;

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{Circle, Color, Cross, PathElement};

use super::axis::{Axis, time_label};
use super::frame::{Area, Failure, HEIGHT, builder, figure, mesh};
use super::ink::Role;
use galop_batch::figures::rounded;
use galop_compare::{Curve, Law};

/// Draws `curves`, which are over the same sizes; nothing if they have no times.
pub(in super::super) fn growth(curves: &[&Curve], out: &mut String) -> fmt::Result {
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
    figure("Growth.", &sentence, HEIGHT, out, |area| {
        let mut ticks: Vec<f64> = points().map(|point| point.size).collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        let step = ticks.len().div_ceil(8);
        let ticks: Vec<f64> = ticks.into_iter().step_by(step.max(1)).collect();
        if is_power {
            let range = small / 1.1..large * 1.1;
            draw(area, range.log_scale().with_key_points(ticks), &axis, curves)
        } else {
            let room = (large - small).max(1.0) / 20.0;
            let sizes: RangedCoordf64 = (small - room..large + room).into();
            draw(area, sizes, &axis, curves)
        }
    })
}

fn draw<X>(area: &Area<'_>, sizes: X, axis: &Axis, curves: &[&Curve]) -> Result<(), Failure>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = builder(area)
        .build_cartesian_2d(sizes, axis.range.clone().log_scale().with_key_points(axis.ticks.clone()))?;
    mesh(&mut chart, |size| rounded(*size), Some(time_label))?;
    for (number, curve) in curves.iter().enumerate() {
        let place = |point: &galop_compare::CurvePoint| (point.size, point.nanos.max(1.0));
        let finished: Vec<(f64, f64)> =
            curve.points.iter().filter(|point| point.finished).map(place).collect();
        let role = Role::Series(number as u8).colour();
        let dot = Role::Strength(number as u8, 4).colour().filled();
        chart.draw_series([PathElement::new(finished.clone(), role)])?;
        chart.draw_series(finished.into_iter().map(|place| Circle::new(place, 4, dot)))?;
        let cut = curve.points.iter().filter(|point| !point.finished).map(place);
        chart.draw_series(cut.map(|place| Cross::new(place, 6, role)))?;
    }
    Ok(())
}

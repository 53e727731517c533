//! The share of the puzzles that was answered within each time: the curves of all engines in one plot.
//!
//! The curves come from the histograms at full resolution (exact below 2 µs, three digits above) and are not smoothed.
//! Steps narrower than the grid of the drawing merge.

use std::fmt;

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::PathElement;

use super::axis::{Axis, share_label, time_label};
use super::frame::{Area, Failure, HEIGHT, Series, builder, figure, mesh, time_axis};
use super::ink::Role;

/// Draws the curve of each of `series`; nothing if no times were measured.
pub(in super::super) fn cumulative(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let Some(axis) = time_axis(series) else { return Ok(()) };
    let sentence = "Share of the puzzles that were answered within a given time.";
    figure("Answered within.", sentence, HEIGHT, out, |area| draw(area, &axis, series))
}

fn draw(area: &Area<'_>, axis: &Axis, series: &[Series<'_>]) -> Result<(), Failure> {
    let mut chart = builder(area)
        .build_cartesian_2d(axis.range.clone().log_scale().with_key_points(axis.ticks.clone()), 0.0..1.0)?;
    mesh(
        &mut chart,
        time_label,
        Some(|share| if *share == 0.0 { "0 %".to_owned() } else { share_label(share) }),
    )?;
    for (number, series) in series.iter().enumerate() {
        let curve = PathElement::new(curve(series, axis), Role::Series(number as u8).colour());
        chart.draw_series([curve])?;
    }
    Ok(())
}

/// The corners of a series' curve.
fn curve(series: &Series<'_>, axis: &Axis) -> Vec<(f64, f64)> {
    let Some(nanos) = series.times() else { return Vec::new() };
    let whole = nanos.count as f64 / series.share;
    let (mut passed, mut corners) = (0, vec![(axis.range.start, 0.0)]);
    for bucket in &nanos.histogram {
        let at = bucket.from.max(1) as f64;
        corners.push((at, passed as f64 / whole));
        passed += bucket.count;
        corners.push((at, passed as f64 / whole));
    }
    corners.push((axis.range.end, passed as f64 / whole));
    corners
}

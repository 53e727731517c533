//! The share of the puzzles that was answered within each time: the curves of all engines in one plot.
//!
//! The curves come from the histograms at full resolution (exact below 2 µs, three digits above) and are not smoothed.
//! Steps narrower than the grid of the drawing merge.

use std::fmt;

use super::axis::{Axis, share_label};
use super::frame::{HEIGHT, Panel, Series, figure, time_axis};
use super::ink::series_class;

/// Draws the curve of each of `series`; nothing if no times were measured.
pub(super) fn cumulative(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let Some(times) = time_axis(series) else { return Ok(()) };
    let shares = Axis::linear(0.0..1.0, 0.2, share_label);
    let sentence = "Share of the puzzles that were answered within a given time.";
    figure("Answered within.", sentence, HEIGHT, out, |ink| {
        let panel = Panel::new(&times, &shares);
        panel.draw_axes(true, ink)?;
        for (number, series) in series.iter().enumerate() {
            let corners = curve(series, &times).into_iter().map(|corner| panel.place(corner));
            ink.line(&series_class(number), corners)?;
        }
        Ok(())
    })
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

//! Which share of the puzzles was answered within which time: all engines in one picture.
//!
//! The curves come from the histograms at full resolution (exact below 2 µs, three digits above), so that nothing is
//! smoothed; steps narrower than the grid of the drawing fall together.

use std::fmt;

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::{ChartBuilder, LabelAreaPosition, PathElement};
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::{Axis, share_label, time_label};
use super::ink::Role;
use super::{Area, BELOW, Failure, LEFT, RIGHT, Series, figure, letters, time_axis};

/// As high as a histogram that stands alone.
const HEIGHT: u32 = 400 + BELOW;

/// Draws the curve of each of `series`; nothing if no time was measured.
pub(in super::super) fn cumulative(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let Some(axis) = time_axis(series) else { return Ok(()) };
    let sentence = "Share of the puzzles that were answered within a time.";
    figure("Answered within.", sentence, HEIGHT, out, |area| draw(area, &axis, series))
}

fn draw(area: &Area<'_>, axis: &Axis, series: &[Series<'_>]) -> Result<(), Failure> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(14)
        .margin_right(RIGHT)
        .x_label_area_size(BELOW)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(axis.range.clone().log_scale().with_key_points(axis.ticks.clone()), 0.0..1.0)?;
    chart
        .configure_mesh()
        .y_labels(6)
        .max_light_lines(0)
        .bold_line_style(Role::Grid.dressed())
        .axis_style(Role::Axis.dressed())
        .set_all_tick_mark_size(6)
        .set_tick_mark_size(LabelAreaPosition::Bottom, 12)
        .x_label_style(letters(Role::Label, HPos::Center, VPos::Top))
        .y_label_style(letters(Role::Label, HPos::Right, VPos::Center))
        .x_label_formatter(&time_label)
        .y_label_formatter(&|share: &f64| if *share == 0.0 { "0 %".to_owned() } else { share_label(share) })
        .draw()?;
    for (number, series) in series.iter().enumerate() {
        let curve = PathElement::new(curve(series, axis), Role::Series(number as u8).dressed());
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

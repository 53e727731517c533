//! Histograms of times and guesses, engine over engine on one axis.
//!
//! Both axes are logarithmic: the few puzzles that take a thousand times as long as the others are what is looked for,
//! and on a linear axis they would be no pixel high.

use std::fmt;

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::{ChartBuilder, Color, LabelAreaPosition, Rectangle};
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::{Axis, NO_GUESS_RANGE, guess_label, share_label, time_label};
use super::ink::Role;
use super::{Area, BELOW, Failure, LEFT, RIGHT, Series, WIDTH, figure, guess_axis, letters, name, time_axis};
use crate::report::Distribution;

/// Bars a power of ten of time.
const BARS: f64 = 10.0;

/// Between panels.
const BETWEEN: u32 = 16;

/// A bar: from, to, and the share of the puzzles in it.
type Bar = (f64, f64, f64);

/// Draws the histogram of times of each of `series`; nothing if none was measured.
pub(in super::super) fn times(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let Some(axis) = time_axis(series) else { return Ok(()) };
    let bars = |series: &Series<'_>| series.times().map_or(Vec::new(), time_bars);
    let bars: Vec<Vec<Bar>> = series.iter().map(bars).collect();
    let sentence = "Share of the puzzles by time; ten bars a power of ten.";
    histogram("Time a puzzle.", sentence, series, &bars, &axis, time_label, out)
}

/// Draws the histogram of guesses of each of `series`; nothing if there is no puzzle.
pub(in super::super) fn guesses(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let bars: Vec<Vec<Bar>> = series.iter().map(|series| guess_bars(series.guesses)).collect();
    if bars.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let sentence = "Share of the puzzles by guesses: none, 1, 2–3, 4–7, …";
    histogram("Guesses a puzzle.", sentence, series, &bars, &guess_axis(series), guess_label, out)
}

/// Bars of the same width on a logarithmic axis.
fn time_bars(nanos: &Distribution) -> Vec<Bar> {
    let mut bars: Vec<(i32, u64)> = Vec::new();
    for bucket in &nanos.histogram {
        let place = ((bucket.from.max(1) as f64).log10() * BARS + 1e-9).floor() as i32;
        match bars.last_mut() {
            Some((last, count)) if *last == place => *count += bucket.count,
            _ => bars.push((place, bucket.count)),
        }
    }
    let edge = |place: i32| 10f64.powf(f64::from(place) / BARS);
    let whole = nanos.count.max(1) as f64;
    bars.iter().map(|&(place, count)| (edge(place), edge(place + 1), count as f64 / whole)).collect()
}

/// The ranges that all reports draw. A whole number takes half a guess on either side of it.
fn guess_bars(guesses: &Distribution) -> Vec<Bar> {
    let whole = guesses.count.max(1) as f64;
    let bar = |from: u64, count: u64| {
        let (low, high) = match from.checked_ilog2() {
            None => (NO_GUESS_RANGE.start, NO_GUESS_RANGE.end),
            Some(power) => (2f64.powi(power as i32) - 0.5, 2f64.powi(power as i32 + 1) - 0.5),
        };
        (low, high, count as f64 / whole)
    };
    guesses.bars.iter().map(|bucket| bar(bucket.from, bucket.count)).collect()
}

fn histogram(
    title: &str,
    sentence: &str,
    series: &[Series<'_>],
    bars: &[Vec<Bar>],
    axis: &Axis,
    label: fn(&f64) -> String,
    out: &mut String,
) -> fmt::Result {
    let least = bars.iter().flatten().map(|bar| bar.2).fold(1.0, f64::min);
    let is_alone = series.len() == 1;
    // Alone it is as high as the figure beside it.
    let panel: u32 = if is_alone { 400 + BETWEEN } else { 160 };
    let shares = Axis::of_shares(least, panel as usize / 45);
    let height = panel * series.len() as u32 - BETWEEN + BELOW;
    figure(title, sentence, height, out, |area| {
        for (number, (of, bars)) in series.iter().zip(bars).enumerate() {
            let top = number as u32 * panel;
            let below = if number + 1 == series.len() { BELOW } else { 0 };
            let panel = if below == 0 { panel } else { panel - BETWEEN + below };
            let place = area.clone().shrink((0, top), (WIDTH, panel));
            draw(&place, bars, (axis, label), &shares, (number as u8, below))?;
            name(&place, of.name, !is_alone)?;
        }
        Ok(())
    })
}

fn draw(
    area: &Area<'_>,
    bars: &[Bar],
    (axis, label): (&Axis, fn(&f64) -> String),
    shares: &Axis,
    (number, below): (u8, u32),
) -> Result<(), Failure> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(14)
        .margin_right(RIGHT)
        .margin_bottom(if below == 0 { BETWEEN } else { 0 })
        .x_label_area_size(below)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(
            axis.range.clone().log_scale().with_key_points(axis.ticks.clone()),
            shares.range.clone().log_scale().with_key_points(shares.ticks.clone()),
        )?;
    chart
        .configure_mesh()
        .bold_line_style(Role::Grid.dressed())
        .axis_style(Role::Axis.dressed())
        .set_all_tick_mark_size(6)
        .set_tick_mark_size(LabelAreaPosition::Bottom, 12)
        .x_label_style(letters(Role::Label, HPos::Center, VPos::Top))
        .y_label_style(letters(Role::Label, HPos::Right, VPos::Center))
        .x_label_formatter(&label)
        .y_label_formatter(&share_label)
        .draw()?;
    let fill = Role::Series(number).dressed().filled();
    let floor = shares.range.start;
    chart.draw_series(
        bars.iter().map(|&(from, to, share)| Rectangle::new([(from, share), (to, floor)], fill)),
    )?;
    Ok(())
}

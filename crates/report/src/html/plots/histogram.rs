//! Histograms of times and guesses, one panel for each engine on a common axis.
//!
//! Both axes are logarithmic. The few puzzles that take a thousand times as long as the others matter most, and on a
//! linear axis their bars would be less than a pixel high.

use std::fmt;

use super::axis::{Axis, NO_GUESS_RANGE};
use super::frame::{ABOVE, BELOW, LEFT, Panel, RIGHT, Series, WIDTH, figure, guess_axis, time_axis};
use super::ink::series_class;
use galop_batch::figures::Distribution;

/// Bars in each power of ten of time.
const BARS: f64 = 10.0;

/// Units of the drawing: the space between panels.
const BETWEEN: i32 = 16;

/// A bar: its left end, its right end, and its share of the puzzles, 0 to 1.
type Bar = (f64, f64, f64);

/// Draws the histogram of times of each of `series`; nothing if no times were measured.
pub(super) fn times(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let Some(axis) = time_axis(series) else { return Ok(()) };
    let bars = |series: &Series<'_>| series.times().map_or(Vec::new(), time_bars);
    let bars: Vec<Vec<Bar>> = series.iter().map(bars).collect();
    let sentence = "Share of the puzzles by time; ten bars per power of ten.";
    histogram("Time per puzzle.", sentence, series, &bars, &axis, out)
}

/// Draws the histogram of guesses of each of `series`; nothing if there are no puzzles.
pub(super) fn guesses(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let bars = |series: &Series<'_>| series.guesses.map_or(Vec::new(), guess_bars);
    let bars: Vec<Vec<Bar>> = series.iter().map(bars).collect();
    if bars.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let sentence = "Share of the puzzles by guesses: none, 1, 2–3, 4–7, …";
    histogram("Guesses per puzzle.", sentence, series, &bars, &guess_axis(series), out)
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

/// Bars for the ranges that all reports draw. A whole number extends half a guess to either side.
fn guess_bars(guesses: &Distribution) -> Vec<Bar> {
    let whole = guesses.count.max(1) as f64;
    let bar = |from: u64, count: u64| {
        let (low, high) = match from.checked_ilog2() {
            None => (NO_GUESS_RANGE.start, NO_GUESS_RANGE.end),
            Some(power) => (2f64.powi(power as i32) - 0.5, 2f64.powi(power as i32 + 1) - 0.5),
        };
        (low, high, count as f64 / whole)
    };
    guesses.count_bars().iter().map(|(_, bucket)| bar(bucket.from, bucket.count)).collect()
}

fn histogram(
    title: &str,
    sentence: &str,
    series: &[Series<'_>],
    bars: &[Vec<Bar>],
    axis: &Axis,
    out: &mut String,
) -> fmt::Result {
    // Of another program only the mean is known.
    let drawn: Vec<usize> = (0..series.len()).filter(|&number| !bars[number].is_empty()).collect();
    let least = bars.iter().flatten().map(|bar| bar.2).fold(1.0, f64::min);
    let is_alone = drawn.len() == 1;
    // A single panel is as high as the plot beside it.
    let height = if is_alone { 400 + BETWEEN } else { 160 };
    let shares = Axis::of_shares(least, height as usize / 45);
    let whole = height * drawn.len() as i32 - BETWEEN + BELOW;
    figure(title, sentence, whole, out, |ink| {
        for (place, &number) in drawn.iter().enumerate() {
            let top = place as i32 * height;
            let ys = top + ABOVE..top + height - BETWEEN;
            let panel = Panel { xs: LEFT..WIDTH - RIGHT, ys, x: axis, y: Some(&shares) };
            panel.draw_axes(place + 1 == drawn.len(), ink)?;
            for &(from, to, share) in &bars[number] {
                let corners = [(from, share), (to, shares.range.start)].map(|corner| panel.place(corner));
                ink.area(&series_class(number), corners[0], corners[1])?;
            }
            if series.len() > 1 {
                panel.draw_name(series[number].name, ink)?;
            }
        }
        Ok(())
    })
}

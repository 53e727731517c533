//! Guesses against time: they show whether a puzzle was slow because of its search or for another reason.
//!
//! The points are rounded to a grid of [`CELL`] units. Each place with points is one dot, which is stronger for more
//! points. Otherwise thousands of puzzles with the same number of guesses would be one spot, and a large file.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::axis::NO_GUESS_RANGE;
use super::frame::{HEIGHT, Panel, Series, drawing, guess_axis, time_axis};
use super::ink::{Ink, series_class};
use galop_batch::figures::Point;

/// Units of the drawing: the side of a place for a dot.
const CELL: i32 = 5;

/// Points. With fewer, all dots are strong, so that a single point is visible.
const SHADED_POINTS: usize = 300;

/// Draws the points of each of `series` in its own panel; nothing without points or times.
pub(super) fn scatter(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let Some(times) = time_axis(series) else { return Ok(()) };
    if series.iter().all(|series| series.points.is_empty()) {
        return Ok(());
    }
    let is_alone = series.len() == 1;
    let (title, sentence) = (
        "Guesses and time.",
        "A dot is a puzzle of a sample; a stronger dot is several puzzles: guesses to the right, time upwards.",
    );
    let guesses = guess_axis(series);
    writeln!(out, "<figure{}>", if is_alone { "" } else { " class=\"wide\"" })?;
    writeln!(out, "<figcaption><b>{title}</b> {sentence}</figcaption>\n<div class=\"panels\">")?;
    for (number, series) in series.iter().enumerate().filter(|(_, series)| !series.points.is_empty()) {
        drawing(&format!("{title} {sentence} {}", series.name), HEIGHT, out, |ink| {
            let panel = Panel::new(&guesses, &times);
            panel.draw_axes(true, ink)?;
            draw(&panel, series.points, &series_class(number), ink)?;
            if is_alone { Ok(()) } else { panel.draw_name(series.name, ink) }
        })?;
    }
    writeln!(out, "</div>\n</figure>")
}

fn draw(panel: &Panel<'_>, points: &[Point], class: &str, ink: &mut Ink<'_>) -> fmt::Result {
    let mut places: BTreeMap<(i32, i32), u32> = BTreeMap::new();
    for (index, point) in points.iter().enumerate() {
        let (x, y) = panel.place(place(index, point));
        *places.entry((x / CELL * CELL, y / CELL * CELL)).or_default() += 1;
    }
    // The strongest dots come last, so that they are drawn over the others.
    let least = if points.len() < SHADED_POINTS { 2 } else { 0 };
    for (strength, weight) in ["w0", "w1", "w2", "w3"].into_iter().enumerate() {
        let of = |count: u32| (least + count.max(1).ilog2() / 2).min(3) as usize;
        let mut dots = places.iter().filter(|&(_, &count)| of(count) == strength);
        dots.try_for_each(|(&dot, _)| ink.dot(class, weight, dot))?;
    }
    Ok(())
}

/// The place of a point. Points without a guess are spread over their range; the golden ratio spreads them evenly.
fn place(index: usize, point: &Point) -> (f64, f64) {
    let guesses = match point.guesses {
        0 => {
            let part = (index as f64 * 0.618_033_988_75).fract();
            NO_GUESS_RANGE.start * (NO_GUESS_RANGE.end / NO_GUESS_RANGE.start).powf(part)
        }
        some => some as f64,
    };
    (guesses, point.nanos.max(1) as f64)
}

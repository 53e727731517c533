//! Guesses against time: they show whether a puzzle was slow because of its search or for another reason.
//!
//! The points are rounded to a grid of [`CELL`] units. Each place with points is one dot, which is stronger for more
//! points. Otherwise thousands of puzzles with the same number of guesses would be one spot, and a large file.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::{Circle, Color};

use super::axis::{Axis, NO_GUESS_RANGE, guess_label, time_label};
use super::frame::{
    Area, Failure, HEIGHT, Series, builder, drawing, guess_axis, mesh, name_panel, time_axis,
};
use super::ink::Role;
use crate::html::escape::Text;
use galop_batch::figures::Point;

/// Units of the drawing: the side of a place for a dot.
const CELL: i32 = 5;

/// Points. With fewer, all dots are strong, so that a single point is visible.
const SHADED_POINTS: usize = 300;

/// Draws the points of each of `series` in its own panel; nothing without points or times.
pub(in super::super) fn scatter(series: &[Series<'_>], out: &mut String) -> fmt::Result {
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
    for (number, series) in series.iter().enumerate() {
        let aria = format!("{title} {sentence} {}", Text(series.name));
        drawing(&aria, HEIGHT, out, |area| {
            draw(area, series.points, &guesses, &times, number as u8)?;
            if is_alone { Ok(()) } else { name_panel(area, series.name) }
        })?;
    }
    writeln!(out, "</div>\n</figure>")
}

fn draw(area: &Area<'_>, points: &[Point], guesses: &Axis, times: &Axis, number: u8) -> Result<(), Failure> {
    let mut chart = builder(area).build_cartesian_2d(
        guesses.range.clone().log_scale().with_key_points(guesses.ticks.clone()),
        times.range.clone().log_scale().with_key_points(times.ticks.clone()),
    )?;
    mesh(&mut chart, guess_label, Some(time_label))?;
    let mut places: BTreeMap<(i32, i32), u32> = BTreeMap::new();
    for (index, point) in points.iter().enumerate() {
        let (x, y) = chart.backend_coord(&place(index, point));
        *places.entry((x / CELL * CELL, y / CELL * CELL)).or_default() += 1;
    }
    let (left, top) = area.get_base_pixel();
    // The strongest dots come last, so that they are drawn over the others.
    let least = if points.len() < SHADED_POINTS { 2 } else { 0 };
    for strength in 0..4 {
        let role = Role::Strength(number, strength).colour().filled();
        let of = |count: u32| (least + count.max(1).ilog2() / 2).min(3) as u8;
        let dots = places.iter().filter(|&(_, &count)| of(count) == strength);
        for &(x, y) in dots.map(|(place, _)| place) {
            area.draw(&Circle::new((x - left, y - top), 2, role))?;
        }
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

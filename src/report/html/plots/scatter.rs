//! Guesses against time: whether a puzzle was slow because it was searched, or for another reason.
//!
//! Points are put on a grid of [`CELL`] units, and each place that holds some is one dot, stronger where it holds
//! more: thousands of puzzles with the same number of guesses would otherwise be one spot, and a large file.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::{ChartBuilder, Circle, Color, LabelAreaPosition};
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::{Axis, NO_GUESS_RANGE, guess_label, time_label};
use super::ink::Role;
use super::{Area, BELOW, Failure, LEFT, RIGHT, Series, drawing, guess_axis, letters, name, time_axis};
use crate::figures::Point;
use crate::report::html::escape::Text;

/// As high as a histogram that stands alone.
const HEIGHT: u32 = 400 + BELOW;

/// The side of a place for dots.
const CELL: i32 = 5;

/// So few points need no shades.
const FEW: usize = 300;

/// Draws the points of each of `series`, a panel each; nothing if there are none or no time was measured.
pub(in super::super) fn scatter(series: &[Series<'_>], out: &mut String) -> fmt::Result {
    let Some(times) = time_axis(series) else { return Ok(()) };
    if series.iter().all(|series| series.points.is_empty()) {
        return Ok(());
    }
    let is_alone = series.len() == 1;
    let (title, sentence) = (
        "Guesses and time.",
        "A dot is a puzzle of a sample, or several where it is stronger: guesses to the right, time upwards.",
    );
    let guesses = guess_axis(series);
    writeln!(out, "<figure{}>", if is_alone { "" } else { " class=\"wide\"" })?;
    writeln!(out, "<figcaption><b>{title}</b> {sentence}</figcaption>\n<div class=\"panels\">")?;
    for (number, series) in series.iter().enumerate() {
        let aria = format!("{title} {sentence} {}", Text(series.name));
        drawing(&aria, HEIGHT, out, |area| {
            draw(area, series.points, &guesses, &times, number as u8)?;
            name(area, series.name, !is_alone)
        })?;
    }
    writeln!(out, "</div>\n</figure>")
}

fn draw(area: &Area<'_>, points: &[Point], guesses: &Axis, times: &Axis, number: u8) -> Result<(), Failure> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(14)
        .margin_right(RIGHT)
        .x_label_area_size(BELOW)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(
            guesses.range.clone().log_scale().with_key_points(guesses.ticks.clone()),
            times.range.clone().log_scale().with_key_points(times.ticks.clone()),
        )?;
    chart
        .configure_mesh()
        .bold_line_style(Role::Grid.dressed())
        .axis_style(Role::Axis.dressed())
        .set_all_tick_mark_size(6)
        .set_tick_mark_size(LabelAreaPosition::Bottom, 12)
        .x_label_style(letters(Role::Label, HPos::Center, VPos::Top))
        .y_label_style(letters(Role::Label, HPos::Right, VPos::Center))
        .x_label_formatter(&guess_label)
        .y_label_formatter(&time_label)
        .draw()?;
    let mut places: BTreeMap<(i32, i32), u32> = BTreeMap::new();
    for (index, point) in points.iter().enumerate() {
        let (x, y) = chart.backend_coord(&place(index, point));
        *places.entry((x / CELL * CELL, y / CELL * CELL)).or_default() += 1;
    }
    let (left, top) = area.get_base_pixel();
    // Where there are few, one is to be seen as well. Strongest last: they are drawn over the others.
    let least = if points.len() < FEW { 2 } else { 0 };
    for strength in 0..4 {
        let role = Role::Strength(number, strength).dressed().filled();
        let of = |count: u32| (least + count.max(1).ilog2() / 2).min(3) as u8;
        let dots = places.iter().filter(|&(_, &count)| of(count) == strength);
        for &(x, y) in dots.map(|(place, _)| place) {
            area.draw(&Circle::new((x - left, y - top), 2, role))?;
        }
    }
    Ok(())
}

/// Where a point stands. Those without a guess are spread over the place for none: the golden ratio does that evenly.
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

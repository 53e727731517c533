//! What all plots share: sizes, panels with their axes, captions.

use std::fmt::{self, Write};
use std::ops::Range;

use super::axis::Axis;
use super::ink::{Ink, Place};
use crate::html::escape::Text;
use galop_batch::figures::{Distribution, Point};

/// Units of the drawing: the width of a plot.
pub(super) const WIDTH: i32 = 800;

/// Units of the drawing: left of the axis, as wide as the widest label, `10⁻¹⁰ %`, and the tick.
pub(super) const LEFT: i32 = 120;

/// Units of the drawing: right of the plot, as wide as half a label.
pub(super) const RIGHT: i32 = 52;

/// Units of the drawing: above the plot.
pub(super) const ABOVE: i32 = 14;

/// Units of the drawing: below the axis, as high as a label.
pub(super) const BELOW: i32 = 50;

/// Units of the drawing: the height of a plot with one panel.
pub(super) const HEIGHT: i32 = 400 + BELOW;

/// The data of one engine.
pub(super) struct Series<'a> {
    /// The engine's name.
    pub(super) name: &'a str,
    /// Nanoseconds of each puzzle, if times were measured.
    pub(super) nanos: Option<&'a Distribution>,
    /// Guesses of each puzzle, if they are known.
    pub(super) guesses: Option<&'a Distribution>,
    /// A sample of the puzzles.
    pub(super) points: &'a [Point],
    /// The fraction of all puzzles that the data cover, 0 to 1.
    pub(super) share: f64,
}

impl Series<'_> {
    /// Times, if there are any.
    pub(super) fn times(&self) -> Option<&Distribution> {
        self.nanos.filter(|nanos| nanos.count > 0)
    }
}

/// An axis with room for the times of all series; `None` if no times were measured.
pub(super) fn time_axis(series: &[Series<'_>]) -> Option<Axis> {
    if series.iter().all(|series| series.times().is_none()) {
        return None;
    }
    let times = || series.iter().filter_map(Series::times);
    let points = || series.iter().flat_map(|series| series.points).map(|point| point.nanos);
    let low = times().map(|nanos| nanos.min).chain(points()).min()?;
    let high = times().map(|nanos| nanos.max).chain(points()).max()?;
    Some(Axis::of_times(low, high))
}

/// An axis with room for the guesses of all series.
pub(super) fn guess_axis(series: &[Series<'_>]) -> Axis {
    let points = series.iter().flat_map(|series| series.points).map(|point| point.guesses);
    let most = series.iter().filter_map(|series| series.guesses).map(|guesses| guesses.max);
    Axis::of_guesses(most.chain(points).max().unwrap_or(0))
}

/// Writes a figure of this height with its caption, a title and a sentence. `draw` fills it.
pub(super) fn figure(
    title: &str,
    sentence: &str,
    height: i32,
    out: &mut String,
    draw: impl FnOnce(&mut Ink<'_>) -> fmt::Result,
) -> fmt::Result {
    writeln!(out, "<figure>\n<figcaption><b>{}</b> {}</figcaption>", Text(title), Text(sentence))?;
    drawing(&format!("{title} {sentence}"), height, out, draw)?;
    writeln!(out, "</figure>")
}

/// Writes a drawing of this height. `name` describes it to readers who do not see it.
pub(super) fn drawing(
    name: &str,
    height: i32,
    out: &mut String,
    draw: impl FnOnce(&mut Ink<'_>) -> fmt::Result,
) -> fmt::Result {
    let name = Text(name);
    write!(out, "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{name}\">")?;
    let mut ink = Ink::new(out);
    draw(&mut ink)?;
    ink.close()?;
    writeln!(out, "</svg>")
}

/// The part of a drawing in which values have places.
pub(super) struct Panel<'a> {
    /// Units of the drawing, to the right.
    pub(super) xs: Range<i32>,
    /// Units of the drawing, down.
    pub(super) ys: Range<i32>,
    /// The axis below the panel.
    pub(super) x: &'a Axis,
    /// The axis left of the panel; without one, its rows have names.
    pub(super) y: Option<&'a Axis>,
}

impl<'a> Panel<'a> {
    /// A panel with the usual room around it.
    pub(super) fn new(x: &'a Axis, y: &'a Axis) -> Panel<'a> {
        Panel { xs: LEFT..WIDTH - RIGHT, ys: ABOVE..HEIGHT - BELOW, x, y: Some(y) }
    }

    /// The place of a value to the right.
    pub(super) fn across(&self, value: f64) -> i32 {
        self.xs.start + (self.x.part(value) * f64::from(self.xs.end - self.xs.start)).round() as i32
    }

    /// The place of a pair of values.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> Place {
        let up = self.y.map_or(0.0, |axis| axis.part(y)) * f64::from(self.ys.end - self.ys.start);
        (self.across(x), self.ys.end - up.round() as i32)
    }

    /// Draws lines across the panel, its axes, and their labels; without labels below if another panel is there.
    pub(super) fn draw_axes(&self, is_last: bool, ink: &mut Ink<'_>) -> fmt::Result {
        let Panel { xs, ys, x, y, .. } = self;
        let columns = || x.ticks.iter().map(|&tick| (self.across(tick), (x.label)(tick)));
        let rows = || y.iter().flat_map(|y| &y.ticks).map(|&tick| self.place((x.range.start, tick)).1);
        columns().try_for_each(|(at, _)| ink.line("grid", [(at, ys.end), (at, ys.start)]))?;
        rows().try_for_each(|at| ink.line("grid", [(xs.start, at), (xs.end, at)]))?;
        if let Some(y) = y {
            ink.line("axis", [(xs.start, ys.start), (xs.start, ys.end)])?;
            rows().try_for_each(|at| ink.line("axis", [(xs.start - 6, at), (xs.start, at)]))?;
            for (at, &tick) in rows().zip(&y.ticks) {
                ink.text("label", "end", (xs.start - 12, at), &(y.label)(tick))?;
            }
        }
        if is_last {
            ink.line("axis", [(xs.start, ys.end), (xs.end, ys.end)])?;
            columns().try_for_each(|(at, _)| ink.line("axis", [(at, ys.end), (at, ys.end + 12)]))?;
            columns().try_for_each(|(at, label)| ink.text("label", "middle", (at, ys.end + 33), &label))?;
        }
        Ok(())
    }

    /// Draws a line through values of a series, with a dot at each.
    pub(super) fn draw_curve(&self, class: &str, values: &[(f64, f64)], ink: &mut Ink<'_>) -> fmt::Result {
        let places = || values.iter().map(|&value| self.place(value));
        ink.line(class, places())?;
        places().try_for_each(|place| ink.dot(class, "w4", place))
    }

    /// Writes the name of the panel into its upper right corner.
    pub(super) fn draw_name(&self, name: &str, ink: &mut Ink<'_>) -> fmt::Result {
        ink.text("name", "end", (self.xs.end - 6, self.ys.start + 2), name)
    }
}

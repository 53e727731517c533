//! The figures of the page: a file a figure.
//!
//! Crate `plotters` draws them: it places axes, labels and marks on a logarithmic scale, depends on next to nothing
//! with its default features off, and lets a program bring its own [backend](ink), so that colours can follow the
//! theme of the page and the file stays small. Looked at beside it: `poloto` (SVG with classes as well, but without
//! logarithmic axes), `charming` and `plotly` (both draw in the browser, with a megabyte of script), `charts-rs`
//! (colours fixed when it is drawn, no scatter on logarithmic axes).
//!
//! All figures are [`WIDTH`] units wide and shown 22 to 30 rem wide, beside each other where there is room and one
//! below the other on a phone: letters have the size of the text around them on both.

mod axis;
mod cumulative;
mod histogram;
mod ink;
mod ratio;
mod scatter;

use std::fmt::{self, Write};

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, IntoDrawingArea, IntoFont, Text as Words};
use plotters::style::TextStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::escape::Text;
use crate::figures::Point;
use crate::report::Distribution;
use ink::{FONT, Ink, Role};

pub(super) use cumulative::cumulative;
pub(super) use histogram::{guesses, times};
pub(super) use ink::series_class;
pub(super) use ratio::{Interval, ratios};
pub(super) use scatter::scatter;

/// The width of a figure.
const WIDTH: u32 = 800;

/// Left of the axis: the widest label, `0.001 %`.
const LEFT: u32 = 108;

/// Right of the drawing: half a label.
const RIGHT: u32 = 48;

/// Below the axis: a label.
const BELOW: u32 = 50;

/// What is drawn of an engine.
pub(super) struct Series<'a> {
    /// The engine's name.
    pub(super) name: &'a str,
    /// Time a puzzle, if it was measured.
    pub(super) nanos: Option<&'a Distribution>,
    /// Guesses a puzzle.
    pub(super) guesses: &'a Distribution,
    /// Some of the puzzles.
    pub(super) points: &'a [Point],
    /// The part of all puzzles that the others tell of.
    pub(super) share: f64,
}

impl Series<'_> {
    /// Times, if there are any.
    fn times(&self) -> Option<&Distribution> {
        self.nanos.filter(|nanos| nanos.count > 0)
    }
}

/// The axis that has room for the times of all.
fn time_axis(series: &[Series<'_>]) -> Option<axis::Axis> {
    if series.iter().all(|series| series.times().is_none()) {
        return None;
    }
    let times = || series.iter().filter_map(Series::times);
    let points = || series.iter().flat_map(|series| series.points).map(|point| point.nanos);
    let low = times().map(|nanos| nanos.min).chain(points()).min()?;
    let high = times().map(|nanos| nanos.max).chain(points()).max()?;
    Some(axis::Axis::of_times(low, high))
}

/// The axis that has room for the guesses of all.
fn guess_axis(series: &[Series<'_>]) -> axis::Axis {
    let points = series.iter().flat_map(|series| series.points).map(|point| point.guesses);
    axis::Axis::of_guesses(series.iter().map(|series| series.guesses.max).chain(points).max().unwrap_or(0))
}

/// What may go wrong in a drawing: writing to a string, which does not.
type Failure = plotters::drawing::DrawingAreaErrorKind<fmt::Error>;

/// A place to draw in.
type Area<'a> = DrawingArea<Ink<'a>, Shift>;

/// A figure of that height that `draw` fills, with its caption: a title and a sentence.
fn figure(
    title: &str,
    sentence: &str,
    height: u32,
    out: &mut String,
    draw: impl FnOnce(&Area<'_>) -> Result<(), Failure>,
) -> fmt::Result {
    let (title, sentence) = (Text(title), Text(sentence));
    writeln!(out, "<figure>\n<figcaption><b>{title}</b> {sentence}</figcaption>")?;
    drawing(&format!("{title}. {sentence}"), height, out, draw)?;
    writeln!(out, "</figure>")
}

/// A drawing of that height, named for those who do not see it. `name` is escaped.
fn drawing(
    name: &str,
    height: u32,
    out: &mut String,
    draw: impl FnOnce(&Area<'_>) -> Result<(), Failure>,
) -> fmt::Result {
    write!(out, "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{name}\">")?;
    let area = Ink::new(out, (WIDTH, height)).into_drawing_area();
    let result = draw(&area).and_then(|()| area.present());
    drop(area);
    result.map_err(|_| fmt::Error)?;
    writeln!(out, "</svg>")
}

/// Letters for what `role` says.
fn letters(role: Role, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    let font = ("sans-serif", FONT).into_font();
    font.color(&role.dressed()).pos(Pos::new(horizontal, vertical))
}

/// The name of a panel in its upper right corner.
fn name(area: &Area<'_>, name: &str, is_shown: bool) -> Result<(), Failure> {
    if !is_shown {
        return Ok(());
    }
    let (width, _) = area.dim_in_pixel();
    let corner = (width as i32 - RIGHT as i32 - 6, 6);
    area.draw(&Words::new(name.to_owned(), corner, letters(Role::Name, HPos::Right, VPos::Top)))
}

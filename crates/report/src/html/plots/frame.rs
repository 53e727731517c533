//! What all plots share: sizes, axes with their mesh, captions.

use std::fmt::{self, Write};

use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, DrawingArea, IntoDrawingArea, IntoFont, LabelAreaPosition,
    Text as Words,
};
use plotters::style::TextStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::Axis;
use super::ink::{FONT, Ink, Role};
use crate::html::escape::Text;
use galop_batch::figures::{Distribution, Point};

/// Units of the drawing: the width of a plot.
pub(super) const WIDTH: u32 = 800;

/// Units of the drawing: left of the axis, as wide as the widest label, `10⁻¹⁰ %`, and the tick.
pub(super) const LEFT: u32 = 120;

/// Units of the drawing: right of the plot, as wide as half a label.
pub(super) const RIGHT: u32 = 52;

/// Units of the drawing: above the plot.
pub(super) const ABOVE: u32 = 14;

/// Units of the drawing: below the axis, as high as a label.
pub(super) const BELOW: u32 = 50;

/// Units of the drawing: the height of a plot with one panel.
pub(super) const HEIGHT: u32 = 400 + BELOW;

/// The data of one engine.
pub(in super::super) struct Series<'a> {
    /// The engine's name.
    pub(in super::super) name: &'a str,
    /// Nanoseconds of each puzzle, if times were measured.
    pub(in super::super) nanos: Option<&'a Distribution>,
    /// Guesses of each puzzle, if they are known.
    pub(in super::super) guesses: Option<&'a Distribution>,
    /// A sample of the puzzles.
    pub(in super::super) points: &'a [Point],
    /// The fraction of all puzzles that the data cover, 0 to 1.
    pub(in super::super) share: f64,
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

/// The error of a drawing. Writing to a string cannot fail.
pub(super) type Failure = plotters::drawing::DrawingAreaErrorKind<fmt::Error>;

/// A place to draw in.
pub(super) type Area<'a> = DrawingArea<Ink<'a>, Shift>;

/// Writes the label of a place on an axis.
pub(super) type Label = fn(&f64) -> String;

/// Writes a figure of this height with its caption, a title and a sentence. `draw` fills it.
pub(super) fn figure(
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

/// Writes a drawing of this height. `name`, which is escaped, describes it to readers who do not see it.
pub(super) fn drawing(
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

/// A chart with the usual room around the plot, for labels on both axes.
pub(super) fn builder<'a, 'i>(area: &'a Area<'i>) -> ChartBuilder<'a, 'a, Ink<'i>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin_top(ABOVE).margin_right(RIGHT).x_label_area_size(BELOW).y_label_area_size(LEFT);
    builder
}

/// Draws the axes of `chart`, their labels, and lines across the plot. Without `y_label` there are no lines and labels
/// for the vertical axis.
pub(super) fn mesh<X, Y>(
    chart: &mut ChartContext<'_, Ink<'_>, Cartesian2d<X, Y>>,
    x_label: Label,
    y_label: Option<Label>,
) -> Result<(), Failure>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut mesh = chart.configure_mesh();
    mesh.y_labels(6)
        .max_light_lines(0)
        .bold_line_style(Role::Grid.colour())
        .axis_style(Role::Axis.colour())
        .set_all_tick_mark_size(6)
        .set_tick_mark_size(LabelAreaPosition::Bottom, 12)
        .x_label_style(letters(Role::Label, HPos::Center, VPos::Top))
        .y_label_style(letters(Role::Label, HPos::Right, VPos::Center))
        .x_label_formatter(&x_label);
    match &y_label {
        Some(y_label) => mesh.y_label_formatter(y_label),
        None => mesh.disable_y_mesh(),
    };
    mesh.draw()
}

/// The style of letters for `role`.
pub(super) fn letters(role: Role, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    let font = ("sans-serif", FONT).into_font();
    font.color(&role.colour()).pos(Pos::new(horizontal, vertical))
}

/// Writes the name of a panel into its upper right corner.
pub(super) fn name_panel(area: &Area<'_>, name: &str) -> Result<(), Failure> {
    let (width, _) = area.dim_in_pixel();
    let corner = (width as i32 - RIGHT as i32 - 6, 6);
    area.draw(&Words::new(name.to_owned(), corner, letters(Role::Name, HPos::Right, VPos::Top)))
}

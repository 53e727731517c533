//! The drawing backend for plotters: SVG inside the page, in the colours of the page's theme.
//!
//! A plot contains no colours. A [`Role`] says what a line or an area is for. It passes through plotters encoded as a
//! colour and becomes a class, for which the style sheet has a colour in either theme. The backend that comes with
//! plotters writes colours and fonts into every element. Here all consecutive marks of one class are one path, and a
//! dot costs ten bytes instead of ninety.
//!
//! ```text
//! kind   class   element                          drawn by the style sheet as
//! line   l       path: M x y, then steps          a stroke of the same width at any scale
//! area   a       path: M x y h w v h h -w z       a filling
//! dot    d       path: M x y h 0                  round ends of a stroke without length
//! text           text                             in the font of the page
//! ```

use std::fmt::{self, Write};

use plotters::style::RGBColor;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use super::super::escape::Text;

/// Units of the drawing: the size of letters.
pub(super) const FONT: i32 = 26;

/// Series with a colour of their own. Further series use the same colours again, dashed.
pub(in super::super) const COLOURS: usize = 7;

/// The purpose of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Lines across the plot.
    Grid,
    /// An axis.
    Axis,
    /// Labels of an axis.
    Label,
    /// The name of a panel.
    Name,
    /// A mark of the series with this number.
    Series(u8),
    /// A mark of the series with this number, of this strength (0 to 3).
    Strength(u8, u8),
}

impl Role {
    /// The role encoded as a colour.
    pub(super) fn colour(self) -> RGBColor {
        match self {
            Role::Grid => RGBColor(0, 0, 0),
            Role::Axis => RGBColor(0, 1, 0),
            Role::Label => RGBColor(0, 2, 0),
            Role::Name => RGBColor(0, 3, 0),
            Role::Series(number) => RGBColor(1, number, 0),
            Role::Strength(number, strength) => RGBColor(2, number, strength),
        }
    }

    /// The class of a role that is encoded as a colour.
    fn class(colour: BackendColor) -> String {
        let (kind, number, strength) = colour.rgb;
        match (kind, number) {
            (0, 0) => "grid".to_owned(),
            (0, 1) => "axis".to_owned(),
            (0, 2) => "label".to_owned(),
            (0, _) => "name".to_owned(),
            (2, _) => format!("{} w{strength}", series_class(number.into())),
            _ => series_class(number.into()),
        }
    }
}

/// The class of a series.
pub(in super::super) fn series_class(number: usize) -> String {
    let dashed = if number >= COLOURS { " dashed" } else { "" };
    format!("s{}{dashed}", number % COLOURS)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Line,
    Area,
    Dot,
}

/// An unfinished drawing.
pub(super) struct Ink<'a> {
    out: &'a mut String,
    size: (u32, u32),
    /// Kind and class of the open path, if there is one.
    open: Option<(Kind, String)>,
}

impl<'a> Ink<'a> {
    /// Starts a drawing of this width and height in `out`. The caller writes the `svg` element around it.
    pub(super) fn new(out: &'a mut String, size: (u32, u32)) -> Ink<'a> {
        Ink { out, size, open: None }
    }

    /// Opens a path of this kind and class, unless such a path is open.
    fn path(&mut self, kind: Kind, colour: BackendColor) -> fmt::Result {
        let class = Role::class(colour);
        if self.open.as_ref().is_some_and(|(open, of)| *open == kind && *of == class) {
            return Ok(());
        }
        self.close()?;
        let letter = match kind {
            Kind::Line => 'l',
            Kind::Area => 'a',
            Kind::Dot => 'd',
        };
        write!(self.out, "<path class=\"{letter} {class}\" d=\"")?;
        self.open = Some((kind, class));
        Ok(())
    }

    fn close(&mut self) -> fmt::Result {
        match self.open.take() {
            Some(_) => self.out.write_str("\"/>"),
            None => Ok(()),
        }
    }

    /// Writes a line through `points`, without repeated points and points in the middle of a straight step.
    fn steps(&mut self, points: impl IntoIterator<Item = BackendCoord>) -> fmt::Result {
        let mut points = points.into_iter();
        let Some(start) = points.next() else { return Ok(()) };
        write!(self.out, "M{} {}", start.0, start.1)?;
        let (mut pen, mut ahead) = (start, None);
        for next in points {
            let Some(last) = ahead else {
                ahead = Some(next);
                continue;
            };
            let is_straight = |of: fn(BackendCoord) -> i32| of(pen) == of(last) && of(last) == of(next);
            if next != last && !is_straight(|p| p.0) && !is_straight(|p| p.1) {
                step(self.out, pen, last)?;
                pen = last;
            }
            ahead = Some(next);
        }
        ahead.map_or(Ok(()), |last| step(self.out, pen, last))
    }
}

/// Writes one step of a line.
fn step(out: &mut String, from: BackendCoord, to: BackendCoord) -> fmt::Result {
    match (to.0 - from.0, to.1 - from.1) {
        (0, 0) => Ok(()),
        (x, 0) => write!(out, "h{x}"),
        (0, y) => write!(out, "v{y}"),
        (x, y) if y < 0 => write!(out, "l{x}{y}"),
        (x, y) => write!(out, "l{x} {y}"),
    }
}

type Drawn = Result<(), DrawingErrorKind<fmt::Error>>;

fn drawn(result: fmt::Result) -> Drawn {
    result.map_err(DrawingErrorKind::DrawingError)
}

impl DrawingBackend for Ink<'_> {
    type ErrorType = fmt::Error;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        drawn(self.close())
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Drawn {
        self.draw_circle(point, 1, &colour, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let corners = [from, (to.0, from.1), to, (from.0, to.1)];
        if fill { self.fill_polygon(corners, style) } else { self.draw_path(corners, style) }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        drawn(self.path(Kind::Line, style.color()).and_then(|()| self.steps(path)))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        _radius: u32,
        style: &S,
        _fill: bool,
    ) -> Drawn {
        drawn(self.path(Kind::Dot, style.color()).and_then(|()| write!(self.out, "M{x} {y}h0")))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        let path = self.path(Kind::Area, style.color()).and_then(|()| self.steps(corners));
        drawn(path.and_then(|()| self.out.write_char('z')))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        // The base line of the letters lies below the top or the middle of the capitals.
        let y = match style.anchor().v_pos {
            VPos::Top => y + FONT * 3 / 4,
            VPos::Center => y + FONT * 3 / 8,
            VPos::Bottom => y,
        };
        let class = Role::class(style.color());
        let text = Text(text);
        drawn(self.close().and_then(|()| {
            write!(
                self.out,
                "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
            )
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(draw: impl FnOnce(&mut Ink<'_>) -> Drawn) -> String {
        let mut out = String::new();
        let mut ink = Ink::new(&mut out, (100, 100));
        draw(&mut ink).and_then(|()| ink.present()).unwrap();
        out
    }

    #[test]
    fn marks_of_one_class_are_one_path() {
        let grid = Role::Grid.colour();
        let grid = BackendColor { alpha: 1.0, rgb: (grid.0, grid.1, grid.2) };
        let text = drawing(|ink| {
            ink.draw_line((0, 5), (9, 5), &grid)?;
            ink.draw_path([(0, 0), (0, 3), (0, 7), (0, 7), (2, 6), (3, 9)], &grid)?;
            ink.draw_circle((1, 2), 3, &grid, true)?;
            ink.draw_circle((4, 5), 3, &grid, true)?;
            ink.draw_rect((1, 1), (3, 4), &grid, true)
        });
        let expected = "<path class=\"l grid\" d=\"M0 5h9M0 0v7l2-1l1 3\"/>\
            <path class=\"d grid\" d=\"M1 2h0M4 5h0\"/><path class=\"a grid\" d=\"M1 1h2v3h-2z\"/>";
        assert_eq!(text, expected);
    }

    #[test]
    fn series_beyond_the_colours_are_dashed() {
        assert_eq!([0, 6, 7, 9].map(series_class), ["s0", "s6", "s0 dashed", "s2 dashed"]);
    }
}

//! SVG inside the page, in the colours of the page's theme.
//!
//! A plot contains no colours. A mark has a class, for which the style sheet has a colour in either theme. All
//! consecutive marks of one class are one path, so a dot costs ten bytes instead of ninety.
//!
//! ```text
//! kind   class   element                          drawn by the style sheet as
//! line   l       path: M x y, then steps          a stroke of the same width at any scale
//! area   a       path: M x y h w v h h -w z       a filling
//! dot    d       path: M x y h 0                  round ends of a stroke without length
//! text           text                             in the font of the page
//! ```

use std::fmt::{self, Write};

use super::super::escape::Text;

/// Units of the drawing: the size of letters.
const FONT: i32 = 26;

/// Series with a colour of their own. Further series use the same colours again, dashed.
const COLOURS: usize = 7;

/// The class of a series.
pub(in super::super) fn series_class(number: usize) -> String {
    let dashed = if number >= COLOURS { " dashed" } else { "" };
    format!("s{}{dashed}", number % COLOURS)
}

/// A place in a drawing: to the right, and down.
pub(super) type Place = (i32, i32);

/// An unfinished drawing.
pub(super) struct Ink<'a> {
    out: &'a mut String,
    /// The class of the open path, if there is one.
    open: Option<String>,
}

impl<'a> Ink<'a> {
    /// Starts a drawing in `out`. The caller writes the `svg` element around it.
    pub(super) fn new(out: &'a mut String) -> Ink<'a> {
        Ink { out, open: None }
    }

    /// Draws a line through `points`, without repeated points and points in the middle of a straight step.
    pub(super) fn line(&mut self, class: &str, points: impl IntoIterator<Item = Place>) -> fmt::Result {
        let mut points = points.into_iter();
        let Some(start) = points.next() else { return Ok(()) };
        self.path(format!("l {class}"), start)?;
        let (mut pen, mut ahead) = (start, None);
        for next in points {
            let Some(last) = ahead else {
                ahead = Some(next);
                continue;
            };
            let is_straight = |of: fn(Place) -> i32| of(pen) == of(last) && of(last) == of(next);
            if next != last && !is_straight(|p| p.0) && !is_straight(|p| p.1) {
                self.step(pen, last)?;
                pen = last;
            }
            ahead = Some(next);
        }
        ahead.map_or(Ok(()), |last| self.step(pen, last))
    }

    /// Fills the rectangle between two corners.
    pub(super) fn area(&mut self, class: &str, from: Place, to: Place) -> fmt::Result {
        let (width, height) = (to.0 - from.0, to.1 - from.1);
        self.path(format!("a {class}"), from)?;
        write!(self.out, "h{width}v{height}h{}z", -width)
    }

    /// Draws a dot. `weight` is the style sheet's class for how strong or large it is.
    pub(super) fn dot(&mut self, class: &str, weight: &str, at: Place) -> fmt::Result {
        self.path(format!("d {class} {weight}"), at)?;
        self.out.write_str("h0")
    }

    /// Writes a text that starts, has its middle or ends at a place, as `anchor` says. Its capitals reach as far below
    /// the place as above it.
    pub(super) fn text(&mut self, class: &str, anchor: &str, (x, y): Place, text: &str) -> fmt::Result {
        self.close()?;
        let (y, text) = (y + FONT * 3 / 8, Text(text));
        write!(self.out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>")
    }

    /// Ends the drawing.
    pub(super) fn close(&mut self) -> fmt::Result {
        match self.open.take() {
            Some(_) => self.out.write_str("\"/>"),
            None => Ok(()),
        }
    }

    /// Moves to `start` in a path of this class.
    fn path(&mut self, class: String, start: Place) -> fmt::Result {
        if self.open.as_ref() != Some(&class) {
            self.close()?;
            write!(self.out, "<path class=\"{class}\" d=\"")?;
            self.open = Some(class);
        }
        write!(self.out, "M{} {}", start.0, start.1)
    }

    /// Writes one step of a line.
    fn step(&mut self, from: Place, to: Place) -> fmt::Result {
        match (to.0 - from.0, to.1 - from.1) {
            (0, 0) => Ok(()),
            (x, 0) => write!(self.out, "h{x}"),
            (0, y) => write!(self.out, "v{y}"),
            (x, y) if y < 0 => write!(self.out, "l{x}{y}"),
            (x, y) => write!(self.out, "l{x} {y}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_one_class_are_one_path() {
        let mut out = String::new();
        let mut ink = Ink::new(&mut out);
        ink.line("grid", [(0, 5), (9, 5)]).unwrap();
        ink.line("grid", []).unwrap();
        ink.line("grid", [(0, 0), (0, 3), (0, 7), (0, 7), (2, 6), (3, 9)]).unwrap();
        ink.dot("s0", "w2", (1, 2)).unwrap();
        ink.dot("s0", "w2", (4, 5)).unwrap();
        ink.area("s0", (1, 1), (3, 4)).unwrap();
        ink.close().unwrap();
        let expected = "<path class=\"l grid\" d=\"M0 5h9M0 0v7l2-1l1 3\"/>\
            <path class=\"d s0 w2\" d=\"M1 2h0M4 5h0\"/><path class=\"a s0\" d=\"M1 1h2v3h-2z\"/>";
        assert_eq!(out, expected);
    }

    #[test]
    fn series_beyond_the_colours_are_dashed() {
        assert_eq!([0, 6, 7, 9].map(series_class), ["s0", "s6", "s0 dashed", "s2 dashed"]);
    }
}

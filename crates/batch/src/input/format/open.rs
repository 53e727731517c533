//! The grid that is open while the lines of a source are gone through, and where it ends.

use std::ops::Range;

use super::labels;
use super::row::{Line, Row};
use crate::input::error::LineError;
use crate::input::line::MAX_LINE_BYTES;

/// A row of a grid whose end was not seen yet.
pub(super) struct OpenRow {
    /// The number of its line.
    pub(super) line: u64,
    pub(super) text: Range<usize>,
    pub(super) cells: Result<Row, LineError>,
}

/// The rows of the grid that is open.
pub(super) struct Open {
    /// Rows of a whole grid.
    side: usize,
    /// Rows between two rules, if all grids of the source have them.
    height: Option<usize>,
    pub(super) rows: Vec<OpenRow>,
    /// How many of them are bad.
    bad: usize,
    /// Rows since the last blank line.
    band: usize,
    /// Rows of a band with a blank line behind it; 0 before the first blank line.
    band_rows: usize,
    /// Rows since the last rule, and rules between the rows.
    behind_rule: usize,
    rules: usize,
    /// Whether a rule comes behind the last row.
    has_rule: bool,
    /// Whether the last line was blank.
    is_behind_blank: bool,
}

/// The rows of a grid that ended before a line, and with it.
#[derive(Default)]
pub(super) struct Ended {
    pub(super) before: Vec<OpenRow>,
    pub(super) with: Vec<OpenRow>,
    pub(super) is_too_long: bool,
}

impl Open {
    pub(super) fn new(side: usize, height: Option<usize>) -> Open {
        Open {
            side,
            height,
            rows: Vec::new(),
            bad: 0,
            band: 0,
            band_rows: 0,
            behind_rule: 0,
            rules: 0,
            has_rule: false,
            is_behind_blank: false,
        }
    }

    /// Takes in a line: its number, its place, and the start of the next one.
    pub(super) fn add(&mut self, line: Line, number: u64, text: Range<usize>, next: usize) -> Ended {
        let before = match &line {
            _ if self.rows.is_empty() => Vec::new(),
            Line::Row(row) => self.take(self.rows_before(row)),
            Line::Blank => self.divide(),
            Line::Drawn { is_rule: true } => self.rule(),
            Line::Drawn { is_rule: false } => Vec::new(),
            Line::Text | Line::Alone => self.take(self.rows.len()),
        };
        let mut ended = Ended { before, ..Ended::default() };
        if let Line::Row(cells) = line {
            self.bad += usize::from(cells.is_err());
            self.rows.push(OpenRow { line: number, text, cells });
            (self.band, self.behind_rule) = (self.band + 1, self.behind_rule + 1);
            (self.has_rule, self.is_behind_blank) = (false, false);
            if self.rows.len() == self.side && self.band_rows == 0 && !self.is_unclear() {
                ended.with = self.take(self.side);
            }
        }
        if let Some(first) = self.rows.first()
            && next - first.text.start > MAX_LINE_BYTES
        {
            (ended.with, ended.is_too_long) = (self.take(self.rows.len()), true);
        }
        ended
    }

    /// Rows of the grid that ends because `row` follows it at once.
    fn rows_before(&self, row: &Result<Row, LineError>) -> usize {
        let all = self.rows.len();
        if self.band_rows > 0 {
            return if self.band == self.band_rows { all - self.band } else { 0 };
        }
        // The last band of a grid has no rule behind it.
        if self.rules > 0 && self.height == Some(self.behind_rule) {
            return all;
        }
        match row {
            _ if all < self.side => 0,
            Err(_) => all,
            Ok(row) if labels::are_numbers(row, self.side) => all,
            Ok(_) if all > self.side && self.has_numbers() => self.side,
            Ok(_) => 0,
        }
    }

    /// Takes in a blank line; returns the rows of the grid that ends with it, unless it divides bands.
    fn divide(&mut self) -> Vec<OpenRow> {
        let is_band = |rows: usize| match self.band_rows {
            0 => rows > 1 && rows < self.side && self.side.is_multiple_of(rows),
            band_rows => rows == band_rows,
        };
        let is_behind_blank = std::mem::replace(&mut self.is_behind_blank, true);
        if self.band == 0 && !is_behind_blank {
            // A rule has a blank line on each side.
            return Vec::new();
        }
        let over = match self.rows.len() < self.side && is_band(self.band) {
            true => 0,
            false if self.band_rows == 0 && self.is_unclear() && is_band(self.band - 1) => 1,
            false => self.rows.len(),
        };
        let ended = self.take(over);
        if !self.rows.is_empty() {
            (self.band_rows, self.band, self.is_behind_blank) = (self.band, 0, true);
        }
        ended
    }

    /// Takes in a rule; returns the rows of the grid that ends with it, or before the band above it.
    fn rule(&mut self) -> Vec<OpenRow> {
        let (all, is_unclear) = (self.rows.len(), self.is_unclear());
        let ended = match self.height.filter(|_| self.band_rows == 0) {
            _ if self.has_rule => all,
            // It is below the last band.
            Some(height) if (self.rules + 1) * height == self.side && all + height > self.side => all,
            // The first band is not as high, so that other rows come before it.
            Some(height) if self.rules == 0 && all > height + usize::from(is_unclear) && all < self.side => {
                all - height
            }
            _ => 0,
        };
        let ended = self.take(ended);
        if !self.rows.is_empty() {
            // A line over the grid may have a rule below it.
            self.rules += usize::from(all > 1 || !is_unclear);
            (self.behind_rule, self.has_rule, self.is_behind_blank) = (0, true, false);
        }
        ended
    }

    /// Whether the first row may not belong to the grid: it is the only bad one, or the numbers of the columns.
    fn is_unclear(&self) -> bool {
        self.has_numbers() || self.bad == 1 && self.rows[0].cells.is_err()
    }

    fn has_numbers(&self) -> bool {
        self.rows[0].cells.as_ref().is_ok_and(|row| labels::are_numbers(row, self.side))
    }

    /// Takes the first `count` rows out.
    fn take(&mut self, count: usize) -> Vec<OpenRow> {
        if count == self.rows.len() {
            return std::mem::replace(self, Open::new(self.side, self.height)).rows;
        }
        let taken: Vec<OpenRow> = self.rows.drain(..count).collect();
        if count > 0 {
            let (left, bad) = (self.rows.len(), taken.iter().filter(|row| row.cells.is_err()).count());
            (self.bad, self.band, self.behind_rule) =
                (self.bad - bad, self.band.min(left), self.behind_rule.min(left));
            (self.band_rows, self.rules, self.has_rule, self.is_behind_blank) = (0, 0, false, false);
        }
        taken
    }
}

/// The rows between two rules in most grids of a source that begins with `lines`; twice as many are between the last rule
/// of a grid and the first one of the next. `None` if there are no rules, or not at equal distances.
pub(super) fn height<'a>(lines: impl Iterator<Item = &'a Line>, side: usize) -> Option<usize> {
    let (mut distances, mut since) = (Vec::new(), None);
    for line in lines {
        match line {
            Line::Row(_) => since = since.map(|rows| rows + 1),
            Line::Drawn { is_rule: true } => distances.extend(since.replace(0).filter(|&rows| rows > 0)),
            Line::Drawn { is_rule: false } => {}
            Line::Blank | Line::Text | Line::Alone => since = None,
        }
    }
    let fitting =
        |height: usize| distances.iter().filter(|&&rows| rows == height || rows == 2 * height).count();
    let heights = (2..side).filter(|&height| side.is_multiple_of(height));
    heights.max_by_key(|&height| fitting(height)).filter(|&height| 3 * fitting(height) > 2 * distances.len())
}

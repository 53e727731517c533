//! A sample of the puzzles, evenly spread over a run, for plots of single puzzles.
//!
//! Every `step`th puzzle is kept. When the sample is full, every other puzzle is dropped and the step doubled. The
//! choice depends on the puzzles' places alone, and memory stays bounded.

use crate::puzzle::Effort;

/// What one puzzle cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Point {
    /// Guesses.
    pub guesses: u64,
    /// Time in nanoseconds.
    pub nanos: u64,
}

impl Point {
    /// The point of a puzzle with this effort.
    pub fn of(effort: Effort) -> Point {
        Point { guesses: effort.guesses, nanos: effort.nanos }
    }
}

/// A sample of at most `Points::CAPACITY` puzzles, evenly spread over their places.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Points {
    points: Vec<Point>,
    /// Every `step`th puzzle is kept.
    step: u64,
    /// The place of the next puzzle.
    place: u64,
}

impl Default for Points {
    fn default() -> Points {
        Points { points: Vec::new(), step: 1, place: 0 }
    }
}

impl Points {
    /// Puzzles kept at most; when one more comes, every other one is dropped.
    pub(crate) const CAPACITY: usize = 4096;

    /// Adds the next puzzle.
    #[inline]
    pub fn add(&mut self, point: Point) {
        if self.place.is_multiple_of(self.step) {
            self.keep(point);
        }
        self.place += 1;
    }

    fn keep(&mut self, point: Point) {
        if self.points.len() == Points::CAPACITY {
            let mut is_odd = true;
            self.points.retain(|_| {
                is_odd = !is_odd;
                !is_odd
            });
            self.step *= 2;
            if !self.place.is_multiple_of(self.step) {
                return;
            }
        }
        self.points.push(point);
    }

    /// The puzzles kept, in order.
    pub fn as_slice(&self) -> &[Point] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_evenly_spread_and_bounded() {
        for count in [0, 1, 4096, 4097, 8192, 8193, 100_000] {
            let mut points = Points::default();
            (0..count).for_each(|nanos| points.add(Point { guesses: 0, nanos }));
            let kept = points.as_slice();
            let step = (count as usize).div_ceil(Points::CAPACITY).next_power_of_two() as u64;
            let expected: Vec<u64> = (0..count).step_by(step as usize).collect();
            assert_eq!(kept.iter().map(|point| point.nanos).collect::<Vec<_>>(), expected, "{count}");
        }
    }
}

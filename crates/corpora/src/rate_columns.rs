//! What can be written of a rating: [`RATE_COLUMNS`] is the table, one row adds a column.

use std::io::Write;

use crate::explain::Level;
use crate::output::{Column, Kind};
use crate::rating::{ImageGuesses, Rating, TechniqueRating};

/// A column with something of a rating.
pub type RateColumn = Column<RatePush, RatedBy>;

/// Appends a value of a rating.
#[derive(Clone, Copy, Debug)]
pub struct RatePush(pub(super) fn(&RecordRating, &mut Vec<u8>));

/// What a rating is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatedBy {
    /// The guesses for a puzzle.
    Guesses,
    /// The guesses for its symmetric images. Without images the column is empty.
    Images,
    /// The techniques that people need.
    Techniques,
}

/// Every column.
pub static RATE_COLUMNS: &[RateColumn] = galop_batch::columns! { RatePush;
    level: Kind::STATUS, RatedBy::Techniques,
        "easy, medium, hard, very hard, fiendish or ultra-hard; none, multiple: it has no solution or several; limit: its \
         techniques are not found" =>
        |rated, out| {
            let word = rated.techniques.level().map_or(rated.techniques.status.word(), Level::name);
            out.extend_from_slice(word.as_bytes());
        };
    score: Kind::Real, RatedBy::Techniques,
        "the highest score of a step, on a scale like Sudoku Explainer's" =>
        |rated, out| {
            let tenths = rated.techniques.score;
            if rated.techniques.level().is_some() {
                // Vectors of bytes take all that is written.
                let _ = write!(out, "{}.{}", tenths / 10, tenths % 10);
            }
        };
    hardest: Kind::Word(TECHNIQUE), RatedBy::Techniques,
        "the technique of the hardest step; nothing for a full grid" =>
        |rated, out| {
            let technique = rated.techniques.hardest.filter(|_| rated.techniques.level().is_some());
            out.extend_from_slice(technique.map_or("", |technique| technique.name).as_bytes());
        };
    guesses: Kind::Whole, RatedBy::Guesses,
        "guesses of the engine, up to the proof that there is no second solution; empty without one solution" =>
        |rated, out| {
            let _ = rated.rating.guesses().map(|guesses| write!(out, "{guesses}"));
        };
    mean: Kind::Real, RatedBy::Images,
        "the mean of the guesses for the images" =>
        |rated, out| push_decimal(rated.images.map(|images| images.mean()), out);
    geometric_mean: Kind::Real, RatedBy::Images,
        "the geometric mean of guesses + 1, minus 1" =>
        |rated, out| push_decimal(rated.images.map(|images| images.geometric_mean()), out);
    deviation: Kind::Real, RatedBy::Images,
        "the standard deviation of the guesses for the images; empty for a single image" =>
        |rated, out| push_decimal(rated.images.and_then(|images| images.deviation()), out);
};

/// Characters of the longest name of a technique.
const TECHNIQUE: usize = 32;

fn push_decimal(number: Option<f64>, out: &mut Vec<u8>) {
    let _ = number.map(|number| write!(out, "{number:.3}"));
}

/// The rating of a puzzle and of its images.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordRating {
    pub(super) rating: Rating,
    pub(super) techniques: TechniqueRating,
    /// The guesses for its images; `None` if there are none, or if the engine gave up on one of them.
    pub(super) images: Option<ImageGuesses>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::TECHNIQUES;

    #[test]
    fn the_words_of_a_column_have_its_width() {
        assert!(TECHNIQUES.iter().all(|technique| technique.name.len() <= TECHNIQUE));
        let fits = |level: Level| matches!(Kind::STATUS, Kind::Word(width) if level.name().len() <= width);
        assert!(Level::ALL.into_iter().all(fits));
    }
}

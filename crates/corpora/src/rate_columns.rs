//! What can be written of a rating: [`RATE_COLUMNS`] is the table, one row adds a column.

use std::io::Write;

use crate::columns::{Value, push_number};
use crate::explain::Level;
use crate::rating::{ImageGuesses, Rating, TechniqueRating};

/// A column with something of a rating.
#[derive(Clone, Copy, Debug)]
pub struct RateColumn {
    /// Its name in the header, or its key.
    pub name: &'static str,
    /// One line: what it holds.
    pub about: &'static str,
    /// Whether it describes the symmetric images of a puzzle. Without images the column is empty.
    pub is_of_images: bool,
    /// Whether it is for ratings by techniques, not by guesses.
    pub is_of_techniques: bool,
    /// Appends the value as text.
    pub(super) push: fn(&RecordRating, &mut Vec<u8>) -> Value,
}

/// Every column.
pub static RATE_COLUMNS: &[RateColumn] = &[
    RateColumn {
        name: "tier",
        about: "singles: naked and hidden singles solve it; no-guess: the engine needs no guess; guesses; \
                none, multiple: it has no solution or several; limit, stuck: the engine gave up",
        is_of_images: false,
        is_of_techniques: false,
        push: |rated, out| {
            out.extend_from_slice(rated.rating.tier.name().as_bytes());
            Value::Text
        },
    },
    RateColumn {
        name: "blanks",
        about: "cells that singles leave blank",
        is_of_images: false,
        is_of_techniques: false,
        push: |rated, out| rated.only_single(rated.rating.blanks.into(), out),
    },
    RateColumn {
        name: "guesses",
        about: "guesses of the engine, up to the proof that there is no second solution",
        is_of_images: false,
        is_of_techniques: false,
        push: |rated, out| rated.only_single(rated.rating.guesses, out),
    },
    RateColumn {
        name: "mean",
        about: "the mean of the guesses for the images",
        is_of_images: true,
        is_of_techniques: false,
        push: |rated, out| push_decimal(rated.images.map(|images| images.mean()), out),
    },
    RateColumn {
        name: "geometric_mean",
        about: "the geometric mean of guesses + 1, minus 1",
        is_of_images: true,
        is_of_techniques: false,
        push: |rated, out| push_decimal(rated.images.map(|images| images.geometric_mean()), out),
    },
    RateColumn {
        name: "deviation",
        about: "the standard deviation of the guesses for the images; empty for a single image",
        is_of_images: true,
        is_of_techniques: false,
        push: |rated, out| push_decimal(rated.images.and_then(|images| images.deviation()), out),
    },
    RateColumn {
        name: "level",
        about: "easy, medium, hard, very hard or ultra-hard; none, multiple: it has no solution or several; limit: its techniques \
                are not found",
        is_of_images: false,
        is_of_techniques: true,
        push: |rated, out| {
            let word = rated.techniques.level().map_or(rated.techniques.status.word(), Level::name);
            out.extend_from_slice(word.as_bytes());
            Value::Text
        },
    },
    RateColumn {
        name: "score",
        about: "the highest score of a step, on a scale like Sudoku Explainer's",
        is_of_images: false,
        is_of_techniques: true,
        push: |rated, out| {
            let tenths = rated.techniques.score;
            if rated.techniques.level().is_none() {
                return Value::Missing;
            }
            let _ = write!(out, "{}.{}", tenths / 10, tenths % 10);
            Value::Number
        },
    },
    RateColumn {
        name: "hardest",
        about: "the hardest technique; nothing for a full grid",
        is_of_images: false,
        is_of_techniques: true,
        push: |rated, out| match rated.techniques.hardest.filter(|_| rated.techniques.level().is_some()) {
            Some(technique) => {
                out.extend_from_slice(technique.name.as_bytes());
                Value::Text
            }
            None => Value::Missing,
        },
    },
];

fn push_decimal(number: Option<f64>, out: &mut Vec<u8>) -> Value {
    let Some(number) = number else { return Value::Missing };
    // Vectors of bytes take all that is written.
    let _ = write!(out, "{number:.3}");
    Value::Number
}

/// The rating of a puzzle and of its images.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordRating {
    pub(super) rating: Rating,
    pub(super) techniques: TechniqueRating,
    /// The guesses for its images; `None` if there are none, or if the engine gave up on one of them.
    pub(super) images: Option<ImageGuesses>,
}

impl RecordRating {
    /// Appends a number that only puzzles with one solution have.
    fn only_single(&self, number: u64, out: &mut Vec<u8>) -> Value {
        push_number(self.rating.is_single().then_some(number), out)
    }
}

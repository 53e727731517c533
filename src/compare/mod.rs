//! Engines side by side on the same puzzles: which is faster, by how much, on which puzzles, with how many guesses.

mod figures;

pub use figures::{Asked, Comparison, Difference, EngineFigures, Input, Ratio, Spread, Told};

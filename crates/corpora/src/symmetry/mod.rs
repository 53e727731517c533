//! The symmetries of a puzzle: transformations that change its looks and keep its solutions. Canonical forms and random
//! symmetries.
//!
//! ```text
//! digits 9!   bands 3!   rows within a band 3!^3   stacks 3!   columns within a stack 3!^3   transposition 2
//! ```
//! These are all the symmetries of the 9x9 sudoku (Russell and Jarvis, "Mathematics of Sudoku II", 2006):
//! 3,359,232 of the grid times 362,880 relabellings. Sudokus of 4x4 and 6x6 have theirs; other grids are
//! [`NotSupported`].
//!
//! All images of a puzzle are its *class*. The *canonical form* is the least of them, so two puzzles are equivalent if
//! and only if their forms are equal.
//!
//! | to | use |
//! |---|---|
//! | find canonical forms, automorphisms and keys of many records | [`Canonizer`], [`Forms`], [`key`] |
//! | draw random symmetries | [`Symmetries`] |
//! | apply symmetries to many grids | [`Images`] |
//! | write down one symmetry, apply it, invert it | [`Symmetry`] |
//!
//! | file | what |
//! |---|---|
//! | `shape` | the sizes that are supported; orders of rows and columns |
//! | `transformation` | one symmetry |
//! | `random`, `images` | random symmetries; the images of many grids |
//! | `canonizer`, `forms`, `key` | canonical forms of many records; one of them; 128 bits that identify it |
//! | `grids`, `bands` | the least image of a solution grid, 9x9; the classes of bands |
//! | `direct` | the least image of any puzzle, 9x9 |
//! | `board` | rows, columns and blocks of a 9x9 grid as vectors |
//! | `brute` | every symmetry tried: small sizes, and the oracle |

use crate::error::Fact;

mod bands;
mod board;
mod brute;
mod canonizer;
mod direct;
mod forms;
mod grids;
mod images;
mod key;
mod random;
mod shape;
#[cfg(test)]
mod tests;
mod transformation;

pub use canonizer::Canonizer;
pub use forms::{Form, FormKind, Forms, NoForm};
pub use images::Images;
pub use key::key;
pub(crate) use key::push_key;
pub use random::{Distinct, Symmetries};
pub use shape::NotSupported;
pub use transformation::{Symmetry, WrongSize};

impl Fact for NotSupported {}
impl Fact for WrongSize {}

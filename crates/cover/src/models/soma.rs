//! Piet Hein's Soma: the seven pieces of three or four unit cubes that are not boxes, packed into a 3 x 3 x 3 cube.
//!
//! [`packing`](super::packing) describes the items and options. Two of the pieces, A and B, are mirror images that no
//! rotation turns into each other. The 240 solutions are found 48 times each: in the 24 rotations of the cube and of
//! its mirror image.
//!
//! Source: Martin Gardner, Scientific American 199, 3 (September 1958), 182-188; 240 by J. H. Conway and M. J. T. Guy,
//! by hand (1961), in Berlekamp, Conway, Guy, "Winning Ways" (1982), chapter 24. Knuth, "The Art of Computer
//! Programming" 4B, section 7.2.2.1.

use super::cells::in_digits;
use super::packing::{Cell, pack};
use super::{Model, ModelError};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "soma",
    usage: "",
    about: "the seven pieces of the Soma cube",
    make: |words| {
        words.end()?;
        soma()
    },
};

/// The seven pieces of the Soma cube, packed into the cube.
///
/// # Errors
/// None.
pub fn soma() -> Result<ExactCover, ModelError> {
    let side = || 0..3_usize;
    let places = side().flat_map(|x| side().flat_map(move |y| side().map(move |z| [x, y, z])));
    let cells = places.map(|place| (place.map(|at| at as i32), in_digits("", place)));
    Ok(pack(&PIECES.map(|(name, cells)| (name, cells.to_vec())), cells)?)
}

const PIECES: [(&str, &[Cell]); 7] = [
    ("V", &[[0, 0, 0], [0, 0, 1], [0, 1, 0]]),
    ("L", &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0]]),
    ("T", &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 1]]),
    ("Z", &[[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2]]),
    ("A", &[[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 0, 0]]),
    ("B", &[[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 1, 1]]),
    ("P", &[[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]),
];

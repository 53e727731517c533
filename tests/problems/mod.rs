//! Exact cover problems of the books, by the words of `galop make`.

#![allow(clippy::unwrap_used)]

use galop_cover::ExactCover;
use galop_cover::models::model;

/// The problem that `galop make` makes of these words: `queens 8`.
pub(crate) fn make(words: &str) -> ExactCover {
    let words: Vec<&str> = words.split(' ').collect();
    (model(words[0]).unwrap().make)(&words[1..]).unwrap()
}

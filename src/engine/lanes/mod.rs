//! Lanes: many puzzles at once, one bit of a vector each. (In the making.)
#![allow(dead_code)]

mod planes;
mod slice;
mod transpose;
mod vector;

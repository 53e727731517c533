//! The published solvers against the figures of their authors, and against their programs retyped.

#![allow(clippy::unwrap_used)]

mod norvig;
mod seeds;
mod sinai;

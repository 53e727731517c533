//! The plots of the page, one file for each kind.
//!
//! [`frame`] draws axes, which are logarithmic but for a few, and [`ink`] writes the marks. A crate would do it too:
//! `plotters` writes colours into every element; `poloto` has no logarithmic axes, `charts-rs` no scatter on them;
//! `charming` and `plotly` draw in the browser, with a megabyte of script.
//!
//! All plots are [`WIDTH`](frame::WIDTH) units wide and shown 22 to 30 rem wide: side by side if there is room, one
//! below the other on a phone. On both, letters have the size of the text around them.

mod axis;
mod cactus;
mod cumulative;
mod frame;
mod growth;
mod histogram;
mod ink;
mod ratio;
mod scatter;

pub(super) use cactus::cactus;
pub(super) use cumulative::cumulative;
pub(super) use frame::Series;
pub(super) use growth::growth;
pub(super) use histogram::{guesses, times};
pub(super) use ink::series_class;
pub(super) use ratio::{Interval, ratios};
pub(super) use scatter::scatter;

//! The plots of the page, one file for each kind.
//!
//! The crate `plotters` draws them. It places axes, labels and marks on a logarithmic scale, has few dependencies with
//! its default features off, and accepts a [backend](ink) of the program's own. So colours can follow the theme of the
//! page, and the file stays small. Alternatives considered: `poloto` writes SVG with classes as well, but has no
//! logarithmic axes. `charming` and `plotly` draw in the browser, with a megabyte of script. `charts-rs` fixes colours
//! at drawing time, and has no scatter on logarithmic axes.
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

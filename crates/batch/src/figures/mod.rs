//! What a run measured: counts that add up, and the words and numbers in which they are written.
//!
//! Every worker counts into its own [`Tally`]; the sum of them is the tally of the run. Nothing here depends on the
//! order of adding, so the same input gives the same counts for any number of threads.
//!
//! `compare` and `report` build on this folder; it imports neither of them.
mod counts;
mod cpu_info;
mod distribution;
mod histogram;
mod numbers;
mod points;
mod rules_info;
mod slowest;
mod tally;
pub use counts::Counts;
pub use cpu_info::CpuInfo;
pub use distribution::Distribution;
pub use histogram::Bucket;
pub use histogram::Histogram;
pub use numbers::{duration, group_digits, pluralize};
pub use numbers::{fraction_percent, percent, rounded, three_digits};
pub use points::{Point, Points};
pub use rules_info::RulesInfo;
pub use slowest::Slow;
pub(crate) use slowest::Slowest;
pub use tally::Tally;
pub(crate) use tally::TallyCounts;

//! What a run measured: counts that add up, and the words and numbers in which they are written.
//!
//! Every worker counts into its own [`Tally`]; the sum of them is the tally of the run. Nothing here depends on the
//! order of adding, so the same input gives the same counts for any number of threads.
//!
//! `compare` and `report` build on this folder; it imports neither of them.

#[cfg(feature = "report")]
mod counts;
#[cfg(feature = "report")]
mod cpu_info;
#[cfg(feature = "report")]
mod distribution;
mod histogram;
#[cfg(feature = "report")]
mod numbers;
mod points;
#[cfg(feature = "report")]
mod rules_info;
mod slowest;
mod tally;

#[cfg(feature = "report")]
pub use counts::Counts;
#[cfg(feature = "report")]
pub use cpu_info::CpuInfo;
#[cfg(feature = "report")]
pub use distribution::{Distribution, count_label, time_label};
#[cfg(feature = "report")]
pub use histogram::Bucket;
pub use histogram::Histogram;
#[cfg(feature = "report")]
pub use numbers::{duration, group_digits, pluralize};
#[cfg(feature = "report")]
pub use numbers::{fraction_percent, percent, rounded, three_digits};
pub use points::{Point, Points};
#[cfg(feature = "report")]
pub use rules_info::RulesInfo;
pub use slowest::Slow;
pub(crate) use slowest::Slowest;
pub use tally::Tally;
pub(crate) use tally::TallyCounts;

//! The techniques, a file for each, and their table.

mod full_house;
mod hidden_single;
mod naked_single;

use crate::technique::{Level, Technique};

/// Every technique, the easiest first. An explanation takes the first one that finds something.
pub static TECHNIQUES: [Technique; 3] =
    [full_house::TECHNIQUE, hidden_single::TECHNIQUE, naked_single::TECHNIQUE];

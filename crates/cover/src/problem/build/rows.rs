//! Problems from lists of numbers: a matrix of zeros and ones, given by rows.

use crate::problem::BuildError;
use crate::{ExactCover, ItemId};

impl ExactCover {
    /// A problem from options that are lists of item numbers. The items `0..primary_count` are primary, the
    /// `secondary_count` items after them are secondary. Each item has its number as its name.
    ///
    /// ```
    /// use galop_cover::ExactCover;
    ///
    /// let problem = ExactCover::from_options(4, 0, [&[0, 1][..], &[2, 3], &[0, 2], &[1, 3], &[3]])?;
    /// assert_eq!(problem.count()?, 2);
    ///
    /// // Rows of a matrix with a column for each item.
    /// let matrix = [[true, false, true], [false, true, false], [true, true, true]];
    /// let ones = matrix.iter().map(|row| (0..3).filter(|&item| row[item as usize]).collect::<Vec<u32>>());
    /// assert_eq!(ExactCover::from_options(3, 0, ones)?.count()?, 2);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// The first wrong option: it has an unknown item, an item twice, or no primary item.
    pub fn from_options<O: AsRef<[u32]>>(
        primary_count: usize,
        secondary_count: usize,
        options: impl IntoIterator<Item = O>,
    ) -> Result<ExactCover, BuildError> {
        let mut builder = ExactCover::builder();
        builder.primary_items(primary_count);
        builder.secondary_items(secondary_count);
        for option in options {
            builder.try_option(option.as_ref().iter().map(|&item| ItemId(item)), 0)?;
        }
        builder.finish()
    }
}

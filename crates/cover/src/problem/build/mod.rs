//! Builds a problem in code, item by item and option by option.
//!
//! ```
//! use galop_cover::ExactCover;
//!
//! let mut builder = ExactCover::builder();
//! let (ann, bob) = (builder.primary("Ann"), builder.primary("Bob"));
//! let hours = builder.primary_with_bounds("hours of use", 2, 3);
//! let room = builder.secondary("room of maths");
//! // Items are given by number or by name; a colour is a text or a number.
//! let first = builder.option([ann, bob, hours]);
//! builder.option_with_colours([ann, hours], [(room, 7)]);
//! let last = builder.option_with_cost(["Bob", "hours of use", "room of maths:7"], 5);
//! let problem = builder.finish()?;
//! assert_eq!([first, last], [0, 2]);
//! assert_eq!(problem.cost(last), 5);
//! assert_eq!(problem.solve()?.unwrap_or_default(), [1, 2]);
//! # Ok::<(), galop_cover::CoverError>(())
//! ```
//!
//! Errors: [`primary`](Builder::primary), [`secondary`](Builder::secondary) and [`option`](Builder::option) never fail.
//! The builder keeps the first error with the place in the program that caused it, and [`finish`](Builder::finish)
//! returns it. Their twins [`try_primary`](Builder::try_primary), [`try_secondary`](Builder::try_secondary) and
//! [`try_option`](Builder::try_option) return the error at once: they are for items and options that come from users.

mod assemble;
mod rows;
mod terms;
#[cfg(test)]
mod tests;

use std::panic::Location;

use crate::problem::index::Index;
use crate::problem::{BuildError, Fault};
use crate::{Bounds, ExactCover, ItemId, OptionId, Term};

pub(crate) use assemble::renumber_colours;
pub use terms::TermRef;
pub(in crate::problem) use terms::{ColourRef, ItemRef};

impl ExactCover {
    /// A builder without items and options.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

/// Builds an [`ExactCover`].
///
/// ```
/// use galop_cover::ExactCover;
///
/// let mut builder = ExactCover::builder();
/// let (a, b) = (builder.primary("a"), builder.primary("b"));
/// let one = builder.option([a]);
/// let other = builder.option([b]);
/// let both = builder.option([a, b]);
/// let problem = builder.finish()?;
/// assert_eq!(problem.count()?, 2);
/// assert_eq!([one, other, both], [0, 1, 2], "solutions name options by these numbers");
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    items: Index,
    colours: Index,
    primary_count: usize,
    /// Whether the name of any item has a colon.
    has_colons: bool,
    bounds: Vec<Bounds>,
    terms: Vec<Term>,
    starts: Vec<u32>,
    /// Costs of the options, up to the last one that has a cost.
    costs: Vec<u64>,
    /// For each item the last option of more than `NOTED_TERMS` terms that named it, counted from 1.
    named_by: Vec<u32>,
    /// Whether the current option names a primary item.
    has_primary: bool,
    /// Whether an option was dropped after it named a colour: some colours may be unused.
    has_dropped: bool,
    error: Option<BuildError>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder {
            items: Index::default(),
            colours: Index::default(),
            primary_count: 0,
            has_colons: false,
            bounds: Vec::new(),
            terms: Vec::new(),
            starts: vec![0],
            costs: Vec::new(),
            named_by: Vec::new(),
            has_primary: false,
            has_dropped: false,
            error: None,
        }
    }
}

impl Builder {
    /// Adds an item that is covered exactly once, and returns its number. A name is any text that is not empty and
    /// that no other item has.
    #[track_caller]
    pub fn primary(&mut self, name: &str) -> ItemId {
        self.primary_with_bounds(name, 1, 1)
    }

    /// Adds an item that is covered `low` to `high` times, and returns its number. Primary items must be added before
    /// secondary ones.
    #[track_caller]
    pub fn primary_with_bounds(&mut self, name: &str, low: u32, high: u32) -> ItemId {
        let added = self.add_primary(name, Bounds { low, high });
        self.keep(added, None)
    }

    /// Adds an item that is covered at most once, or any number of times in one colour, and returns its number.
    #[track_caller]
    pub fn secondary(&mut self, name: &str) -> ItemId {
        let added = self.add_secondary(name);
        self.keep(added, None)
    }

    /// Adds `count` items that are covered exactly once, and returns their numbers. The number is also the name.
    #[track_caller]
    pub fn primary_items(&mut self, count: usize) -> Vec<ItemId> {
        self.numbered_items(count, |builder, name| builder.add_primary(name, Bounds::ONCE))
    }

    /// Adds `count` items that are covered at most once, and returns their numbers. The number is also the name.
    #[track_caller]
    pub fn secondary_items(&mut self, count: usize) -> Vec<ItemId> {
        self.numbered_items(count, Builder::add_secondary)
    }

    #[track_caller]
    fn numbered_items(
        &mut self,
        count: usize,
        add: fn(&mut Builder, &str) -> Result<ItemId, Fault>,
    ) -> Vec<ItemId> {
        let start = self.item_count();
        for item in start..start.saturating_add(u32::try_from(count).unwrap_or(u32::MAX)) {
            if self.error.is_none() {
                let added = add(self, &item.to_string());
                self.keep(added, None);
            }
        }
        (start..self.item_count()).map(ItemId).collect()
    }

    /// Adds an option, a set of items that are covered together, and returns its number: options are numbered from 0
    /// in the order in which they are added.
    #[track_caller]
    pub fn option<'a>(&mut self, terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>) -> OptionId {
        self.option_with_cost(terms, 0)
    }

    /// Adds an option that has items without colours, `terms`, and secondary items with colours, `coloured`.
    ///
    /// ```
    /// let mut builder = galop_cover::ExactCover::builder();
    /// let (a, b) = (builder.primary("a"), builder.primary("b"));
    /// let (x, y) = (builder.secondary("x"), builder.secondary("y"));
    /// builder.option_with_colours([a], [(x, 1), (y, 7)]);
    /// builder.option_with_colours([b], [("x", "1"), ("y", "7")]);
    /// assert_eq!(builder.finish()?.count()?, 1, "both options give x and y the same colours");
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    #[track_caller]
    pub fn option_with_colours<'a>(
        &mut self,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
        coloured: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
    ) -> OptionId {
        self.option(terms.into_iter().map(Into::into).chain(coloured.into_iter().map(Into::into)))
    }

    /// Adds an option with a cost of choosing it. (See [`ExactCover::rank`]. Costs do not change which covers there
    /// are.)
    #[track_caller]
    pub fn option_with_cost<'a>(
        &mut self,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
        cost: u64,
    ) -> OptionId {
        let option = self.option_count();
        if self.error.is_none() {
            let added = self.add_option(terms, cost);
            self.keep(added, Some(option));
        }
        option
    }

    /// Adds an item that is covered `low` to `high` times, as [`primary_with_bounds`](Self::primary_with_bounds) does.
    ///
    /// ```
    /// use galop_cover::{ExactCover, ItemId};
    ///
    /// let mut builder = ExactCover::builder();
    /// assert_eq!(builder.try_primary("a", 1, 1), Ok(ItemId(0)));
    /// let error = builder.try_primary("a", 1, 1).unwrap_err();
    /// assert_eq!(error.to_string(), "item `a` is named twice (item names are unique)");
    /// ```
    ///
    /// # Errors
    /// The error in the item, or the first error that the builder keeps.
    pub fn try_primary(&mut self, name: &str, low: u32, high: u32) -> Result<ItemId, BuildError> {
        self.kept_error()?;
        self.add_primary(name, Bounds { low, high }).map_err(BuildError::in_item)
    }

    /// Adds an item that is covered at most once, as [`secondary`](Self::secondary) does.
    ///
    /// # Errors
    /// The error in the item, or the first error that the builder keeps.
    pub fn try_secondary(&mut self, name: &str) -> Result<ItemId, BuildError> {
        self.kept_error()?;
        self.add_secondary(name).map_err(BuildError::in_item)
    }

    /// Adds an option with a cost, and returns its number. After an error the builder is as it was before the call.
    ///
    /// ```
    /// use galop_cover::{ExactCover, OptionId};
    ///
    /// let mut builder = ExactCover::builder();
    /// builder.primary("a");
    /// assert_eq!(builder.try_option(["b"], 0).unwrap_err().option, Some(OptionId(0)));
    /// assert_eq!(builder.try_option(["a"], 0), Ok(OptionId(0)));
    /// ```
    ///
    /// # Errors
    /// The error in the option, or the first error that the builder keeps.
    pub fn try_option<'a>(
        &mut self,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
        cost: u64,
    ) -> Result<OptionId, BuildError> {
        self.kept_error()?;
        let option = self.option_count();
        self.add_option(terms, cost).map(|()| option).map_err(|fault| {
            self.forget_option();
            BuildError { option: Some(OptionId(option.0)), fault, location: None }
        })
    }

    fn kept_error(&self) -> Result<(), BuildError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// Forgets the terms of the current option.
    #[cold]
    fn forget_option(&mut self) {
        let start = self.starts[self.starts.len() - 1] as usize;
        self.has_dropped |= self.terms[start..].iter().any(|term| term.colour != 0);
        self.terms.truncate(start);
        self.has_primary = false;
        let number = self.starts.len() as u32;
        self.named_by.iter_mut().filter(|by| **by == number).for_each(|by| *by = 0);
    }

    /// The finished problem.
    ///
    /// # Errors
    /// The first error in an item or option, or that there is no primary item.
    pub fn finish(mut self) -> Result<ExactCover, BuildError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.build().map_err(BuildError::in_item)
    }

    /// Keeps the first error, with the place of the call.
    #[track_caller]
    fn keep<T: Default>(&mut self, added: Result<T, Fault>, option: Option<OptionId>) -> T {
        let location = Some(Location::caller());
        added.unwrap_or_else(|fault| {
            self.error.get_or_insert(BuildError { option, fault, location });
            T::default()
        })
    }
}

//! Builds a problem in code, item by item and option by option.
//!
//! ```
//! use galop_cover::ExactCover;
//!
//! let mut builder = ExactCover::builder();
//! for item in ["A", "B"] {
//!     builder.primary(item);
//! }
//! builder.primary_with_bounds("C", 2, 3);
//! builder.secondary("X");
//! builder.option(["A", "B", "X:red"]).option(["A", "C", "X:blue"]).option_with_cost(["C", "X:red"], 5);
//! let problem = builder.finish()?;
//! assert_eq!((problem.item_count(), problem.option_count(), problem.cost(2)), (4, 3, 5));
//! # Ok::<(), galop_cover::problem::BuildError>(())
//! ```
//!
//! No call fails: the builder keeps the first error, and [`finish`](Builder::finish) returns it.

use crate::problem::names::{Index, Names, is_blank};
use crate::problem::{BuildError, Fault};
use crate::{Bounds, Colour, ExactCover, ItemId, OptionId, Term};

impl ExactCover {
    /// A builder without items and options.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

/// An item of an option, with or without a colour, as given to a [`Builder`].
///
/// It converts from a name (`"X"`), a name with a colour (`"X:red"`, `("X", "red")`), the number of an item (`3`), or a
/// number with a colour (`(3, "red")`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermRef<'a> {
    key: Key<'a>,
    colour: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key<'a> {
    Name(&'a str),
    Number(ItemId),
}

impl<'a> From<&'a str> for TermRef<'a> {
    fn from(text: &'a str) -> TermRef<'a> {
        match text.split_once(':') {
            Some((name, colour)) => TermRef { key: Key::Name(name), colour: Some(colour) },
            None => TermRef { key: Key::Name(text), colour: None },
        }
    }
}

impl<'a> From<&'a String> for TermRef<'a> {
    fn from(text: &'a String) -> TermRef<'a> {
        text.as_str().into()
    }
}

impl<'a> From<(&'a str, &'a str)> for TermRef<'a> {
    fn from((name, colour): (&'a str, &'a str)) -> TermRef<'a> {
        TermRef { key: Key::Name(name), colour: Some(colour) }
    }
}

impl From<ItemId> for TermRef<'_> {
    fn from(item: ItemId) -> Self {
        TermRef { key: Key::Number(item), colour: None }
    }
}

impl<'a> From<(ItemId, &'a str)> for TermRef<'a> {
    fn from((item, colour): (ItemId, &'a str)) -> TermRef<'a> {
        TermRef { key: Key::Number(item), colour: Some(colour) }
    }
}

/// Builds an [`ExactCover`].
///
/// ```
/// use galop_cover::ExactCover;
///
/// let mut builder = ExactCover::builder();
/// let (a, b) = (builder.primary("a"), builder.primary("b"));
/// builder.option([a]).option([b]).option([a, b]);
/// assert_eq!(builder.finish()?.count()?, 2);
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    items: Index,
    colours: Index,
    primary_count: usize,
    bounds: Vec<Bounds>,
    terms: Vec<Term>,
    starts: Vec<u32>,
    /// Costs of the options, up to the last one that has a cost.
    costs: Vec<u64>,
    /// For each item the last option that named it, counted from 1.
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
    /// Adds an item that is covered exactly once, and returns its number.
    pub fn primary(&mut self, name: &str) -> ItemId {
        self.primary_with_bounds(name, 1, 1)
    }

    /// Adds an item that is covered `low` to `high` times, and returns its number. Primary items must be added before
    /// secondary ones.
    pub fn primary_with_bounds(&mut self, name: &str, low: u32, high: u32) -> ItemId {
        let added = self.add_primary(name, Bounds { low, high });
        self.keep(added, None)
    }

    /// Adds an item that is covered at most once, or any number of times in one colour, and returns its number.
    pub fn secondary(&mut self, name: &str) -> ItemId {
        let added = self.add_secondary(name);
        self.keep(added, None)
    }

    /// Adds an option: a set of items that are covered together.
    pub fn option<'a>(&mut self, terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>) -> &mut Builder {
        self.option_with_cost(terms, 0)
    }

    /// Adds an option with a cost. (See [`ExactCover::best`]. Costs do not change which covers there are.)
    pub fn option_with_cost<'a>(
        &mut self,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
        cost: u64,
    ) -> &mut Builder {
        if self.error.is_none() {
            let option = self.option_count();
            let added = self.add_option(terms, cost);
            self.keep(added, Some(option));
        }
        self
    }

    /// Adds an option with a cost, and returns its number. After an error the builder is as it was before the call.
    ///
    /// ```
    /// let mut builder = galop_cover::ExactCover::builder();
    /// builder.primary("a");
    /// assert_eq!(builder.try_option(["b"], 0).unwrap_err().option, Some(0));
    /// assert_eq!(builder.try_option(["a"], 0), Ok(0));
    /// ```
    ///
    /// # Errors
    /// The error in the option, or the first error of an earlier call.
    pub fn try_option<'a>(
        &mut self,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
        cost: u64,
    ) -> Result<OptionId, BuildError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let option = self.option_count();
        self.add_option(terms, cost).map(|()| option).map_err(|fault| {
            self.forget_option();
            BuildError { option: Some(option), fault }
        })
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
        self.build().map_err(|fault| BuildError { option: None, fault })
    }

    /// Keeps the first error.
    fn keep<T: Default>(&mut self, added: Result<T, Fault>, option: Option<OptionId>) -> T {
        added.unwrap_or_else(|fault| {
            self.error.get_or_insert(BuildError { option, fault });
            T::default()
        })
    }

    fn add_option<'a>(
        &mut self,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
        cost: u64,
    ) -> Result<(), Fault> {
        for term in terms {
            let TermRef { key, colour } = term.into();
            let item = match key {
                Key::Name(name) => self.find(name)?,
                Key::Number(item) if (item as usize) < self.items.names().len() => item,
                Key::Number(item) => {
                    return Err(Fault::UnknownNumber { item, count: self.items.names().len() });
                }
            };
            self.add_term(item, colour)?;
        }
        if self.end_option(cost)? { Ok(()) } else { Err(Fault::NoPrimary) }
    }

    pub(crate) fn option_count(&self) -> OptionId {
        (self.starts.len() - 1) as OptionId
    }

    pub(crate) fn add_primary(&mut self, name: &str, bounds: Bounds) -> Result<ItemId, Fault> {
        if self.primary_count < self.items.names().len() {
            return Err(Fault::LatePrimary(name.into()));
        }
        if bounds.high == 0 {
            return Err(Fault::HighZero(name.into()));
        }
        if bounds.low > bounds.high {
            return Err(Fault::LowAboveHigh { name: name.into(), low: bounds.low, high: bounds.high });
        }
        let item = self.add_secondary(name)?;
        self.primary_count += 1;
        self.bounds.push(bounds);
        Ok(item)
    }

    pub(crate) fn add_secondary(&mut self, name: &str) -> Result<ItemId, Fault> {
        check_name(name)?;
        if self.items.find(name).is_some() {
            return Err(Fault::DuplicateItem(name.into()));
        }
        self.named_by.push(0);
        self.items.insert(name).ok_or(Fault::TooLarge)
    }

    pub(crate) fn find(&self, name: &str) -> Result<ItemId, Fault> {
        self.items.find(name).ok_or_else(|| Fault::UnknownItem(name.into()))
    }

    /// Adds an existing item to the current option.
    pub(crate) fn add_term(&mut self, item: ItemId, colour: Option<&str>) -> Result<(), Fault> {
        let name = || self.items.names().get(item).unwrap_or_default().to_owned();
        let is_primary = (item as usize) < self.primary_count;
        let number = self.starts.len() as u32;
        if self.named_by[item as usize] == number {
            return Err(Fault::ItemTwice(name()));
        }
        self.named_by[item as usize] = number;
        let colour = match colour {
            None => 0,
            Some(_) if is_primary => return Err(Fault::ColourOnPrimary(name())),
            Some("") => return Err(Fault::NoColour(name())),
            Some(colour) => self.colour(colour)?,
        };
        self.has_primary |= is_primary;
        self.terms.push(Term { item, colour });
        Ok(())
    }

    fn colour(&mut self, name: &str) -> Result<Colour, Fault> {
        if let Some(number) = self.colours.find(name) {
            return Ok(number + 1);
        }
        check_name(name)?;
        Ok(self.colours.insert(name).ok_or(Fault::TooLarge)? + 1)
    }

    /// Ends the current option; `false` if it was dropped because it has no primary item.
    pub(crate) fn end_option(&mut self, cost: u64) -> Result<bool, Fault> {
        let end = u32::try_from(self.terms.len()).map_err(|_| Fault::TooLarge)?;
        if self.starts.len() >= u32::MAX as usize {
            return Err(Fault::TooLarge);
        }
        if !std::mem::take(&mut self.has_primary) {
            let start = self.starts[self.starts.len() - 1];
            self.has_dropped |= self.terms[start as usize..].iter().any(|term| term.colour != 0);
            self.terms[start as usize..].iter().for_each(|term| self.named_by[term.item as usize] = 0);
            self.terms.truncate(start as usize);
            return Ok(false);
        }
        if cost > 0 {
            self.costs.resize(self.starts.len() - 1, 0);
            self.costs.push(cost);
        }
        self.starts.push(end);
        Ok(true)
    }

    pub(crate) fn build(mut self) -> Result<ExactCover, Fault> {
        if self.primary_count == 0 {
            return Err(Fault::NoItems);
        }
        if self.bounds.iter().all(|&bounds| bounds == Bounds::ONCE) {
            self.bounds.clear();
        }
        if !self.costs.is_empty() {
            self.costs.resize(self.starts.len() - 1, 0);
        }
        let colour_names = match self.has_dropped {
            true => renumber_colours(&mut self.terms, self.colours.names())?,
            false => self.colours.into_names(),
        };
        Ok(ExactCover {
            primary_count: self.primary_count,
            item_count: self.items.names().len(),
            bounds: self.bounds,
            terms: self.terms,
            starts: self.starts,
            item_names: self.items.into_names(),
            colour_names,
            costs: self.costs,
        })
    }
}

/// Renumbers the colours in order of appearance, so that every number is used.
pub(crate) fn renumber_colours(terms: &mut [Term], names: &Names) -> Result<Names, Fault> {
    let mut numbers = vec![0; names.len() + 1];
    let mut kept = Index::default();
    for term in terms.iter_mut().filter(|term| term.colour != 0) {
        let number = &mut numbers[term.colour as usize];
        if *number == 0 {
            let name = names.get(term.colour - 1).unwrap_or_default();
            *number = kept.insert(name).ok_or(Fault::TooLarge)? + 1;
        }
        term.colour = *number;
    }
    Ok(kept.into_names())
}

/// Checks that a text can contain the name: it is not empty and has no blank, `:` or `|`.
fn check_name(name: &str) -> Result<(), Fault> {
    let is_bad = |byte: u8| byte == b':' || byte == b'|' || is_blank(byte);
    if name.is_empty() || name.bytes().any(is_bad) { Err(Fault::Name(name.into())) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items a, b (0:2), x, y.
    fn items() -> Builder {
        let mut builder = ExactCover::builder();
        builder.primary("a");
        builder.primary_with_bounds("b", 0, 2);
        builder.secondary("x");
        builder.secondary("y");
        builder
    }

    #[test]
    fn names_and_numbers_mean_the_same() {
        let (mut named, mut numbered) = (items(), items());
        named
            .option(["a", "x:red", "y"])
            .option_with_cost([TermRef::from(("x", "blue")), "b".into(), ("y", "red").into()], 3);
        numbered.option([0.into(), (2, "red").into(), TermRef::from(3)]);
        numbered.option_with_cost([(2, "blue").into(), TermRef::from(1), (3, "red").into()], 3);
        let problem = named.finish().unwrap();
        assert_eq!(numbered.finish(), Ok(problem.clone()));
        assert_eq!(problem.option_text(1).to_string(), "x:blue b y:red");
        assert_eq!((problem.cost(0), problem.cost(1), problem.cost(2)), (0, 3, 0));
        assert_eq!((problem.bounds(0), problem.bounds(1)), (Bounds::ONCE, Bounds { low: 0, high: 2 }));
        assert_eq!(problem.option(0)[1], Term { item: 2, colour: 1 });
        assert_eq!((problem.colour_name(2), problem.colour_name(0), problem.item_name(9)), ("blue", "", ""));
    }

    #[test]
    fn the_first_error_is_returned() {
        let fails = |build: &dyn Fn(&mut Builder)| {
            let mut builder = items();
            build(&mut builder);
            builder.option(["never", "there"]);
            builder.finish().unwrap_err()
        };
        let text = String::from;
        assert_eq!(ExactCover::builder().finish(), Err(BuildError { option: None, fault: Fault::NoItems }));
        let of_items: [(fn(&mut Builder) -> ItemId, Fault); 4] = [
            (|builder| builder.primary("c"), Fault::LatePrimary(text("c"))),
            (|builder| builder.secondary("a"), Fault::DuplicateItem(text("a"))),
            (|builder| builder.secondary("a b"), Fault::Name(text("a b"))),
            (|builder| builder.secondary(""), Fault::Name(text(""))),
        ];
        for (build, fault) in of_items {
            let error = fails(&|builder| {
                build(builder);
            });
            assert_eq!(error, BuildError { option: None, fault });
        }
        for (terms, fault) in [
            (&["a", "c"][..], Fault::UnknownItem(text("c"))),
            (&["a", "x", "x:1"], Fault::ItemTwice(text("x"))),
            (&["a:1"], Fault::ColourOnPrimary(text("a"))),
            (&["a", "x:"], Fault::NoColour(text("x"))),
            (&["a", "x:1:2"], Fault::Name(text("1:2"))),
            (&["x", "y"], Fault::NoPrimary),
            (&[], Fault::NoPrimary),
        ] {
            let error = fails(&|builder| {
                builder.option(terms.iter().copied());
            });
            assert_eq!(error, BuildError { option: Some(0), fault });
        }
        let error = fails(&|builder| {
            builder.option([4]);
        });
        assert_eq!(error.fault, Fault::UnknownNumber { item: 4, count: 4 });
        let bounds = |low, high| {
            let mut builder = ExactCover::builder();
            builder.primary_with_bounds("a", low, high);
            builder.finish().unwrap_err().fault
        };
        assert_eq!(bounds(0, 0), Fault::HighZero(text("a")));
        assert_eq!(bounds(3, 2), Fault::LowAboveHigh { name: text("a"), low: 3, high: 2 });
    }
}

//! Exact cover problems: items, options, and what they mean.
//!
//! ```text
//! items      | primary 0 .. primary - 1 | secondary .. item_count - 1 |
//! terms      | (item, colour) (item, colour) .. | .. | ..     the options, one after the other
//! starts       0                                  3    7      where each one starts
//! ```

mod assumptions;
pub(crate) mod build;
mod check;
mod error;
pub(crate) mod index;
pub(crate) mod names;
mod number;
mod select;
pub mod text;

use std::fmt;

use names::Names;

pub use assumptions::Assumptions;
pub use build::{Builder, TermRef};
pub use check::CoverChecker;
pub use error::{BuildError, CoverViolation, Excerpt, Fault, TextError, clip};

pub(crate) use number::has_option;
pub use number::{Colour, ItemId, OptionId};
pub use select::SelectionError;

/// How often a primary item is covered: `low` to `high` times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least number of times.
    pub low: u32,
    /// The greatest number of times; at least 1.
    pub high: u32,
}

impl Bounds {
    /// Exactly once.
    pub const ONCE: Bounds = Bounds { low: 1, high: 1 };
}

/// An item of an option, with the colour that the option gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The item.
    pub item: ItemId,
    /// Its colour; 0 if it is primary or has no colour.
    pub(crate) colour: u32,
}

impl Term {
    /// The colour that the option gives the item. `None` for a primary item, and for a secondary item without a colour,
    /// which clashes with every other option of that item.
    ///
    /// ```
    /// use galop_cover::{ExactCover, OptionId};
    ///
    /// let problem: ExactCover = "a | x y\na x:red y\n".parse()?;
    /// let terms = problem.option(OptionId(0)).iter();
    /// let colours = terms.map(|term| term.colour().map(|colour| problem.colour_name(colour)));
    /// assert!(colours.eq([None, Some("red"), None]));
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    pub fn colour(self) -> Option<Colour> {
        (self.colour != 0).then_some(Colour(self.colour))
    }
}

/// An option of an item, and the colour that it gives the item (0 for none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Use {
    pub(crate) option: u32,
    pub(crate) colour: u32,
}

/// An exact cover problem. It is valid: it has a primary item, every option has a primary item, no option names an item
/// twice, only secondary items have colours, and only primary items have bounds.
///
/// A [`builder`](Self::builder) makes one; so does the text of one, with [`text::read`] or `parse`. In memory it takes
/// 8 bytes a term (an item in an option), 4 bytes an option, and the names of the items; if any option has a cost, 8
/// more bytes an option.
///
/// ```
/// use galop_cover::ExactCover;
///
/// let problem: ExactCover = "a b c d\na b\nc d\na c\nb d\n".parse()?;
/// assert_eq!(problem.solve()?.unwrap_or_default(), [0, 1]);
/// assert_eq!(problem.count()?, 2);
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactCover {
    pub(crate) primary_count: usize,
    pub(crate) item_count: usize,
    /// Bounds of the primary items; empty if all are covered exactly once.
    pub(crate) bounds: Vec<Bounds>,
    pub(crate) terms: Vec<Term>,
    pub(crate) starts: Vec<u32>,
    pub(crate) item_names: Names,
    /// Names of the colours 1, 2, ..
    pub(crate) colour_names: Names,
    /// Costs of the options; empty if no option has one.
    pub(crate) costs: Vec<u64>,
}

impl Default for ExactCover {
    /// A problem without items and options. It has one solution, the empty one.
    fn default() -> ExactCover {
        ExactCover {
            primary_count: 0,
            item_count: 0,
            bounds: Vec::new(),
            terms: Vec::new(),
            starts: vec![0],
            item_names: Names::default(),
            colour_names: Names::default(),
            costs: Vec::new(),
        }
    }
}

impl ExactCover {
    /// A copy for engines, which use neither names nor costs.
    pub(crate) fn without_names(&self) -> ExactCover {
        ExactCover {
            bounds: self.bounds.clone(),
            terms: self.terms.clone(),
            starts: self.starts.clone(),
            item_names: Names::default(),
            colour_names: Names::default(),
            costs: Vec::new(),
            ..*self
        }
    }

    /// The number of items.
    pub fn item_count(&self) -> usize {
        self.item_count
    }

    /// The number of primary items: they are `0..primary_count`.
    pub fn primary_count(&self) -> usize {
        self.primary_count
    }

    /// The number of options.
    pub fn option_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of options of each item.
    pub(crate) fn degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.item_count()];
        self.terms.iter().for_each(|term| degrees[term.item.index()] += 1);
        degrees
    }

    /// The terms of an option, on average and rounded up.
    pub(crate) fn terms_per_option(&self) -> u64 {
        self.terms.len().div_ceil(self.option_count().max(1)) as u64
    }

    /// The items of `option` with their colours, in the order given; empty if there is no such option.
    pub fn option(&self, option: OptionId) -> &[Term] {
        match self.starts.get(option.index()..option.index() + 2) {
            Some(&[start, end]) => &self.terms[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The terms of every option, in order.
    pub fn options(&self) -> impl ExactSizeIterator<Item = &[Term]> {
        self.starts.windows(2).map(|ends| &self.terms[ends[0] as usize..ends[1] as usize])
    }

    /// The options of all items, item by item and ascending, and where each item starts: item `i` has
    /// `uses[starts[i]..starts[i + 1]]`.
    pub(crate) fn uses(&self) -> (Vec<Use>, Vec<u32>) {
        let mut ends = vec![0; self.item_count + 1];
        self.terms.iter().for_each(|term| ends[term.item.index()] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let starts = ends.clone();
        let mut uses = vec![Use::default(); self.terms.len()];
        for (option, terms) in (0..).zip(self.options()) {
            for term in terms {
                let end = &mut ends[term.item.index()];
                uses[*end as usize] = Use { option, colour: term.colour };
                *end += 1;
            }
        }
        (uses, starts)
    }

    /// The name of `item`; empty if there is no such item.
    pub fn item_name(&self, item: ItemId) -> &str {
        self.item_names.get(item.0).unwrap_or_default()
    }

    /// The name of `colour`; empty if there is no such colour, and for 0.
    pub fn colour_name(&self, colour: Colour) -> &str {
        colour.0.checked_sub(1).and_then(|colour| self.colour_names.get(colour)).unwrap_or_default()
    }

    /// The cost of choosing `option`: 0 if none was given.
    pub fn cost(&self, option: OptionId) -> u64 {
        self.costs.get(option.index()).copied().unwrap_or(0)
    }

    /// Whether any option has a cost.
    pub fn has_costs(&self) -> bool {
        !self.costs.is_empty()
    }

    /// The number of terms of all options together.
    pub(crate) fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// `option` as text: the names of its items with their colours, separated by blanks. ([`text::read`] reads it,
    /// unless a name has blanks, `:` or `|`.)
    pub fn option_text(&self, option: OptionId) -> OptionText<'_> {
        OptionText { problem: self, option }
    }

    /// How often `item` is covered; [`Bounds::ONCE`] for secondary items.
    pub fn bounds(&self, item: ItemId) -> Bounds {
        self.bounds.get(item.index()).copied().unwrap_or(Bounds::ONCE)
    }

    /// Options that a solution has at most, by how often the primary items are covered.
    pub fn most_chosen(&self) -> usize {
        let is_primary = |term: &&Term| term.item.index() < self.primary_count;
        let fewest = self.options().map(|terms| terms.iter().filter(is_primary).count()).min().unwrap_or(1);
        let highs = (0..self.primary_count as u32).map(|item| u64::from(self.bounds(ItemId(item)).high));
        let most = highs.sum::<u64>() / fewest.max(1) as u64;
        usize::try_from(most).unwrap_or(usize::MAX).min(self.option_count())
    }

    /// Whether every primary item is covered exactly once.
    pub fn is_simple(&self) -> bool {
        self.bounds.iter().all(|&bounds| bounds == Bounds::ONCE)
    }

    /// Whether any option gives a colour.
    pub fn has_colours(&self) -> bool {
        self.terms.iter().any(|term| term.colour != 0)
    }

    /// Whether two different options exclude each other, because they share a primary item that is covered at most
    /// once, or a secondary item to which they do not give the same colour. (With bounds above 1, options may exclude
    /// each other for other reasons too.)
    pub fn clash(&self, one: OptionId, other: OptionId) -> bool {
        self.option(one).iter().any(|term| {
            self.option(other).iter().any(|against| {
                let is_primary = term.item.index() < self.primary_count;
                term.item == against.item
                    && if is_primary {
                        self.bounds(term.item).high == 1
                    } else {
                        term.colour == 0 || term.colour != against.colour
                    }
            })
        })
    }
}

/// An option as text; see [`ExactCover::option_text`].
#[derive(Clone, Copy, Debug)]
pub struct OptionText<'a> {
    problem: &'a ExactCover,
    option: OptionId,
}

impl fmt::Display for OptionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, term) in self.problem.option(self.option).iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(self.problem.item_name(term.item))?;
            if term.colour != 0 {
                write!(f, ":{}", self.problem.colour_name(Colour(term.colour)))?;
            }
        }
        Ok(())
    }
}

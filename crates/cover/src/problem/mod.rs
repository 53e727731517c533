//! A problem: items, options, and what they mean.
//!
//! ```text
//! items      | primary 0 .. primary - 1 | secondary .. item_count - 1 |
//! terms      | (item, colour) (item, colour) .. | .. | ..     the options, one after the other
//! starts       0                                  3    7      where each one starts
//! ```

pub(crate) mod build;
mod check;
pub(crate) mod names;
pub mod text;

use std::fmt;

use names::Names;

pub use build::{Builder, Place};
pub use check::Checker;

/// An item: a constraint to cover, numbered from 0, primary ones first.
pub type ItemId = u32;
/// An option: a set of items covered together, numbered from 0 in the order they were given.
pub type OptionId = u32;
/// The colour that an option gives a secondary item, numbered from 1; 0 is none, and clashes with everything.
pub type Colour = u32;

/// How often a primary item is covered: at least `low`, at most `high` times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least so often.
    pub low: u32,
    /// At most so often; at least 1.
    pub high: u32,
}

impl Bounds {
    /// Exactly once.
    pub const ONCE: Bounds = Bounds { low: 1, high: 1 };
}

/// An item in an option, with the colour it gets there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The item.
    pub item: ItemId,
    /// Its colour, if it is secondary and has one; else 0.
    pub colour: Colour,
}

/// An exact cover problem, checked: there is a primary item, every option has one, none names an item twice,
/// colours stand on secondary items only, bounds on primary ones.
///
/// Made by a [`builder`](Self::builder) or [read](crate::problem::text::read) from a text. It takes 8 bytes a term (an item
/// in an option), 4 an option, and the names of its items; 8 more an option if any has a cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactCover {
    pub(crate) primary_count: usize,
    pub(crate) item_count: usize,
    /// Of the primary items; empty if all are covered once.
    pub(crate) bounds: Vec<Bounds>,
    pub(crate) terms: Vec<Term>,
    pub(crate) starts: Vec<u32>,
    pub(crate) item_names: Names,
    /// Of colours 1, 2, ..: the name of colour 1 is the first.
    pub(crate) colour_names: Names,
    /// Of the options; empty if none has one.
    pub(crate) costs: Vec<u64>,
}

impl Default for ExactCover {
    /// No items and no options: one solution, which is empty.
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
    /// The same for engines, which need no names and mind no costs.
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

    /// How many items there are.
    pub fn item_count(&self) -> usize {
        self.item_count
    }

    /// How many of them are primary: items `0..primary_count`.
    pub fn primary_count(&self) -> usize {
        self.primary_count
    }

    /// How many options there are.
    pub fn option_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The items of `option` with their colours, in the order given; none for an option that is not there.
    pub fn option(&self, option: OptionId) -> &[Term] {
        match self.starts.get(option as usize..option as usize + 2) {
            Some(&[start, end]) => &self.terms[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The options in order, each as its terms.
    pub fn options(&self) -> impl ExactSizeIterator<Item = &[Term]> {
        self.starts.windows(2).map(|ends| &self.terms[ends[0] as usize..ends[1] as usize])
    }

    /// The name of `item`; empty for an item that is not there.
    pub fn item_name(&self, item: ItemId) -> &str {
        self.item_names.get(item).unwrap_or_default()
    }

    /// The name of `colour`; empty for 0, which is none.
    pub fn colour_name(&self, colour: Colour) -> &str {
        colour.checked_sub(1).and_then(|colour| self.colour_names.get(colour)).unwrap_or_default()
    }

    /// What choosing `option` costs; 0 unless it says so.
    pub fn cost(&self, option: OptionId) -> u64 {
        self.costs.get(option as usize).copied().unwrap_or(0)
    }

    /// Whether any option has a cost.
    pub fn has_costs(&self) -> bool {
        !self.costs.is_empty()
    }

    /// How many terms the options have together.
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// `option` in words: its items' names with their colours, separated by blanks, as in a text.
    pub fn words(&self, option: OptionId) -> Words<'_> {
        Words { problem: self, option }
    }

    /// How often `item` is covered; secondary items have no bounds of their own.
    pub fn bounds(&self, item: ItemId) -> Bounds {
        self.bounds.get(item as usize).copied().unwrap_or(Bounds::ONCE)
    }

    /// Whether every primary item is covered exactly once.
    pub fn is_simple(&self) -> bool {
        self.bounds.iter().all(|&bounds| bounds == Bounds::ONCE)
    }

    /// Whether any option gives a colour.
    pub fn has_colours(&self) -> bool {
        self.terms.iter().any(|term| term.colour != 0)
    }

    /// Whether two different options exclude each other: they share a primary item that is covered once, or a
    /// secondary one in which they do not agree on a colour. (With bounds above 1 this alone does not tell.)
    pub fn clash(&self, one: OptionId, other: OptionId) -> bool {
        self.option(one).iter().any(|term| {
            self.option(other).iter().any(|against| {
                let is_primary = (term.item as usize) < self.primary_count;
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

/// An option in words; see [`ExactCover::words`].
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    problem: &'a ExactCover,
    option: OptionId,
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, term) in self.problem.option(self.option).iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(self.problem.item_name(term.item))?;
            if term.colour != 0 {
                write!(f, ":{}", self.problem.colour_name(term.colour))?;
            }
        }
        Ok(())
    }
}

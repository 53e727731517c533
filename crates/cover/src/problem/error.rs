//! What can be wrong with a problem, as a text or given to a builder, and with a solution.

use std::fmt;
use std::panic::Location;

use crate::{ItemId, OptionId};

/// What is wrong with an exact cover problem, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is no primary item.
    #[error(
        "no primary items (the first line that is not a comment names the items, separated by blanks, primary \
         ones before a lone `|`)"
    )]
    NoItems,
    /// The name of an item is empty.
    #[error("an item without a name (a name has one character or more)")]
    NoName,
    /// Two items have the same name.
    #[error("item `{}` is named twice (item names are unique)", clip(.0))]
    DuplicateItem(String),
    /// A primary item comes after a secondary one.
    #[error("primary item `{}` after a secondary one (primary items come first)", clip(.0))]
    LatePrimary(String),
    /// An option names an unknown item.
    #[error("unknown item `{}` (the first line names all items)", clip(.0))]
    UnknownItem(String),
    /// An option names an item by an unknown number.
    #[error("unknown item {item} (items are numbered from 0, and there are {count})")]
    UnknownNumber {
        /// The number of the item.
        item: ItemId,
        /// Items of the problem.
        count: usize,
    },
    /// An option names an item twice.
    #[error("item `{}` twice in one option (once is enough)", clip(.0))]
    ItemTwice(String),
    /// An option gives a primary item a colour.
    #[error("a colour on the primary item `{}` (only items after the `|` of the first line have colours)", clip(.0))]
    ColourOnPrimary(String),
    /// No colour follows the colon.
    #[error("no colour after `{}:` (write name:colour, or the name alone)", clip(.0))]
    NoColour(String),
    /// A multiplicity is not a number, or is too large.
    #[error("bad multiplicity in `{}` (write n|name or low:high|name with numbers below 2^32)", clip(.0))]
    Multiplicity(String),
    /// The high bound of an item is 0.
    #[error("item `{}` could never be covered (its high bound must be at least 1)", clip(.0))]
    HighZero(String),
    /// The low bound is above the high one.
    #[error("bounds {low}:{high} of item `{}` (the low bound comes first and is not above the high bound)", clip(.name))]
    LowAboveHigh {
        /// The item.
        name: String,
        /// Its low bound.
        low: u32,
        /// Its high bound.
        high: u32,
    },
    /// A secondary item has a multiplicity.
    #[error("a multiplicity on the secondary item `{}` (only items before the lone `|` have multiplicities)", clip(.0))]
    BoundsOnSecondary(String),
    /// The line of items has a second `|`.
    #[error("a second `|` (one separates primary from secondary items)")]
    SecondBar,
    /// A `|` has no meaning here.
    #[error(
        "misplaced `|` in `{}` (a lone one separates the items, n|name gives an item bounds, |n gives an option a \
         cost, and a line that starts with one is a comment)", clip(.0)
    )]
    MisplacedBar(String),
    /// A `:` has no meaning here.
    #[error(
        "misplaced `:` in `{}` (options have name:colour, the line of items low:high|name; a name has no `:`)",
        clip(.0)
    )]
    MisplacedColon(String),
    /// A cost is not a number, or is too large.
    #[error("bad cost `{}` (write |n with a whole number; the costs of an option add up to less than 2^64)", clip(.0))]
    Cost(String),
    /// Bytes outside of comments are not UTF-8.
    #[error("bytes that are not UTF-8 (names are UTF-8; is the file binary, packed or in another encoding?)")]
    NotUtf8,
    /// An option has no primary item.
    #[error("an option without a primary item (no search would ever choose it)")]
    NoPrimary,
    /// A quantity is 2^32 or more.
    #[error("too large (fewer than 2^32 items, options, items in all options together, and bytes of names)")]
    TooLarge,
}

/// A name for a message: shortened, with control characters escaped.
#[must_use]
pub fn clip(name: &str) -> String {
    /// Characters of a name that are shown.
    const SHOWN: usize = 60;
    let text: String = name.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if name.chars().nth(SHOWN).is_some() { text + "..." } else { text }
}

/// The beginning of a text, for a message. `Copy` and without heap memory, as a file may have millions of malformed
/// records.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Excerpt {
    bytes: [u8; 30],
    len: u8,
    is_cut: bool,
}

/// The first characters of a text, up to 30 bytes.
impl From<&str> for Excerpt {
    fn from(text: &str) -> Excerpt {
        let mut bytes = [0; 30];
        let ends = text.char_indices().map(|(start, character)| start + character.len_utf8());
        let len = ends.take_while(|&end| end <= bytes.len()).last().unwrap_or(0);
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        Excerpt { bytes, len: len as u8, is_cut: len < text.len() }
    }
}

impl Excerpt {
    fn get(&self) -> &str {
        self.bytes.get(..self.len.into()).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// With control characters escaped, and dots for what is cut off.
impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.get().escape_debug(), if self.is_cut { "..." } else { "" })
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.get(), f)
    }
}

/// Where the text of a problem is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct TextError {
    /// The line, from 1.
    pub line: u64,
    /// The first wrong byte of the line, from 1.
    pub column: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// The first error of a builder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildError {
    /// The number of the wrong option, from 0; `None` if the error is not in an option.
    pub option: Option<OptionId>,
    /// What is wrong.
    pub fault: Fault,
    /// The call that caused it, if that call could not return it.
    pub location: Option<&'static Location<'static>>,
}

impl BuildError {
    /// An error that is not in an option.
    pub(crate) fn in_item(fault: Fault) -> BuildError {
        BuildError { option: None, fault, location: None }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = self.location {
            write!(f, "{location}: ")?;
        }
        match self.option {
            Some(option) => write!(f, "option {option}: {}", self.fault),
            None => write!(f, "{}", self.fault),
        }
    }
}

impl std::error::Error for BuildError {}

/// Why a set of options is not a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CoverViolation {
    /// The problem does not have this option.
    #[error("there is no option {option}")]
    Option {
        /// The option.
        option: OptionId,
    },
    /// An option is chosen twice.
    #[error("option {option} is chosen twice")]
    Twice {
        /// The option.
        option: OptionId,
    },
    /// A solution lacks an assumed option or contains a forbidden one.
    #[error("option {option} contradicts the assumptions")]
    Assumption {
        /// The option.
        option: OptionId,
    },
    /// A primary item is covered more often than its high bound.
    #[error("item `{item}` is covered more than {high} times")]
    Above {
        /// The item.
        item: Excerpt,
        /// Its high bound.
        high: u32,
    },
    /// A primary item is covered less often than its low bound.
    #[error("item `{item}` is covered fewer than {low} times")]
    Below {
        /// The first such item.
        item: Excerpt,
        /// Its low bound.
        low: u32,
    },
    /// Two options give a secondary item different colours, or no colour.
    #[error("two options do not agree on item `{item}`")]
    Clash {
        /// The item.
        item: Excerpt,
    },
}

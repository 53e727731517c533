//! What can be wrong with an exact cover problem, as a text or as it is built, and with a solution of one.

use std::fmt;

/// What is wrong with an exact cover problem, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is no primary item.
    #[error(
        "no primary items (the first line that is no comment names the items, separated by blanks, primary \
         ones before a lone `|`)"
    )]
    NoItems,
    /// A name has no character, or a blank, `:` or `|` among them.
    #[error("`{}` is no name (one character or more, none of them a blank, `:` or `|`)", clip(.0))]
    Name(String),
    /// Two items have one name.
    #[error("item `{}` is named twice (every item has a name of its own)", clip(.0))]
    DuplicateItem(String),
    /// A primary item comes after a secondary one.
    #[error("primary item `{}` after a secondary one (primary items come first)", clip(.0))]
    LatePrimary(String),
    /// An option names an item that there is not.
    #[error("unknown item `{}` (the line of items names all of them)", clip(.0))]
    UnknownItem(String),
    /// An option names an item by a number that there is not.
    #[error("unknown item {item} (items are numbered from 0, and there are {count})")]
    UnknownNumber {
        /// The number.
        item: u32,
        /// Items there are.
        count: usize,
    },
    /// An option names an item twice.
    #[error("item `{}` twice in one option (once is enough)", clip(.0))]
    ItemTwice(String),
    /// An option gives a primary item a colour.
    #[error("a colour on the primary item `{}` (only items behind the `|` of the first line have colours)", clip(.0))]
    ColourOnPrimary(String),
    /// A colon without a colour.
    #[error("no colour behind `{}:` (write name:colour, or the name alone)", clip(.0))]
    NoColour(String),
    /// A multiplicity is no number, or too large a one.
    #[error("bad multiplicity in `{}` (write n|name or low:high|name with numbers below 2^32)", clip(.0))]
    Multiplicity(String),
    /// An item would be covered 0 times at most.
    #[error("item `{}` could never be covered (its high bound must be at least 1)", clip(.0))]
    HighZero(String),
    /// The low bound is above the high one.
    #[error("bounds {low}:{high} of item `{}` (the low one comes first, and is no more than the high one)", clip(.name))]
    LowAboveHigh {
        /// The item.
        name: String,
        /// Its low bound.
        low: u32,
        /// Its high bound.
        high: u32,
    },
    /// A secondary item has a multiplicity.
    #[error("a multiplicity on the secondary item `{}` (only items before the lone `|` have one)", clip(.0))]
    BoundsOnSecondary(String),
    /// A second `|` among the items.
    #[error("a second `|` (one parts primary from secondary items)")]
    SecondBar,
    /// A `|` where none has a meaning.
    #[error(
        "misplaced `|` in `{}` (a lone one parts the items, n|name gives an item bounds, |n an option a cost, and \
         a line that begins with one is a comment)", clip(.0)
    )]
    MisplacedBar(String),
    /// A `:` where none has a meaning.
    #[error(
        "misplaced `:` in `{}` (name:colour stands in options, low:high|name among the items; names have none)",
        clip(.0)
    )]
    MisplacedColon(String),
    /// A cost is no number, or too large a one.
    #[error("bad cost `{}` (write |n with a whole number; all costs of an option together stay below 2^64)", clip(.0))]
    Cost(String),
    /// Bytes that are not UTF-8, outside of a comment.
    #[error("bytes that are not UTF-8 (names are UTF-8; is the file binary, packed or in another encoding?)")]
    NotUtf8,
    /// An option without a primary item.
    #[error("an option without a primary item (nothing would ever choose it)")]
    NoPrimary,
    /// An option is asked for by a number that there is not.
    #[error("unknown option {option} (options are numbered from 0, and there are {count})")]
    UnknownOption {
        /// The number.
        option: u32,
        /// Options there are.
        count: usize,
    },
    /// More than 2^32 - 1 of something.
    #[error("too large (items, options, places in options and bytes of names are each below 2^32)")]
    TooLarge,
}

/// A name as it is shown: never a line of thousands of characters, and nothing that disturbs a terminal.
fn clip(name: &str) -> String {
    const SHOWN: usize = 60;
    let text: String = name.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if name.chars().nth(SHOWN).is_some() { text + "..." } else { text }
}

/// Why a text is no exact cover problem: where, and what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct TextError {
    /// The line, from 1.
    pub line: u64,
    /// The first byte that is wrong, from 1.
    pub column: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// Why a builder has no exact cover problem to give: the first thing that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// The option it was in, from 0; none if it is not about an option.
    pub option: Option<u32>,
    /// What is wrong.
    pub fault: Fault,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.option {
            Some(option) => write!(f, "option {option}: {}", self.fault),
            None => write!(f, "{}", self.fault),
        }
    }
}

impl std::error::Error for BuildError {}

/// Why a set of options is no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoverViolation {
    /// There is no such option.
    #[error("there is no option {option}")]
    Option {
        /// The option.
        option: u32,
    },
    /// An option is chosen twice.
    #[error("option {option} is chosen twice")]
    Twice {
        /// The option.
        option: u32,
    },
    /// An assumed option is not chosen, or a forbidden one is.
    #[error("option {option} is not as it was assumed to be")]
    Assumption {
        /// The option.
        option: u32,
    },
    /// A primary item is covered too often.
    #[error("item `{item}` is covered more than {high} times")]
    Above {
        /// The item.
        item: String,
        /// Its high bound.
        high: u32,
    },
    /// Primary items are not covered as often as they have to be.
    #[error("item `{item}` is covered fewer than {low} times")]
    Below {
        /// The first of them.
        item: String,
        /// Its low bound.
        low: u32,
    },
    /// Two options do not agree on a secondary item.
    #[error("two options do not agree on item `{item}`")]
    Clash {
        /// The item.
        item: String,
    },
}

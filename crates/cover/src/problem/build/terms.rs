//! How a program names the items and colours of an option; see [`Builder::option`](super::Builder::option).

use crate::ItemId;

/// An item of an option, with or without a colour, as given to a [`Builder`](super::Builder).
///
/// It converts from
/// - the name of an item: `"X"`;
/// - its number, as the builder returned it: `3`;
/// - either of them with a colour, which is a text or a number: `("X", "red")`, `(3, "red")`, `(3, 7)`;
/// - a name and a colour in one text: `"X:red"`.
///
/// The colour 7 is the colour `"7"`. A text that is the whole name of an item means that item, even if it contains a
/// colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermRef<'a> {
    pub(in crate::problem) item: ItemRef<'a>,
    pub(in crate::problem) colour: Option<ColourRef<'a>>,
}

/// An item, as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::problem) enum ItemRef<'a> {
    /// A name, or a name, a colon and a colour.
    Text(&'a str),
    Name(&'a str),
    Number(ItemId),
}

/// A colour, as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::problem) enum ColourRef<'a> {
    Name(&'a str),
    Number(u32),
}

impl<'a> From<&'a str> for TermRef<'a> {
    fn from(text: &'a str) -> TermRef<'a> {
        TermRef { item: ItemRef::Text(text), colour: None }
    }
}

impl<'a> From<&'a String> for TermRef<'a> {
    fn from(text: &'a String) -> TermRef<'a> {
        text.as_str().into()
    }
}

impl From<ItemId> for TermRef<'_> {
    fn from(item: ItemId) -> Self {
        TermRef { item: ItemRef::Number(item), colour: None }
    }
}

impl From<&ItemId> for TermRef<'_> {
    fn from(item: &ItemId) -> Self {
        (*item).into()
    }
}

impl<'a> From<(&'a str, &'a str)> for TermRef<'a> {
    fn from((name, colour): (&'a str, &'a str)) -> TermRef<'a> {
        TermRef { item: ItemRef::Name(name), colour: Some(ColourRef::Name(colour)) }
    }
}

impl<'a> From<(&'a str, u32)> for TermRef<'a> {
    fn from((name, colour): (&'a str, u32)) -> TermRef<'a> {
        TermRef { item: ItemRef::Name(name), colour: Some(ColourRef::Number(colour)) }
    }
}

impl<'a> From<(ItemId, &'a str)> for TermRef<'a> {
    fn from((item, colour): (ItemId, &'a str)) -> TermRef<'a> {
        TermRef { item: ItemRef::Number(item), colour: Some(ColourRef::Name(colour)) }
    }
}

impl From<(ItemId, u32)> for TermRef<'_> {
    fn from((item, colour): (ItemId, u32)) -> Self {
        TermRef { item: ItemRef::Number(item), colour: Some(ColourRef::Number(colour)) }
    }
}

//! The numbers of items, options and colours, as types that cannot be mixed up.

use std::fmt;

/// A number of its own type: made from a `u32`, and an index into slices.
macro_rules! number {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<u32> for $name {
            #[inline]
            fn from(number: u32) -> $name {
                $name(number)
            }
        }

        impl From<$name> for u32 {
            #[inline]
            fn from(number: $name) -> u32 {
                number.0
            }
        }

        /// Lists of numbers are compared with lists of `u32`.
        impl PartialEq<u32> for $name {
            fn eq(&self, number: &u32) -> bool {
                self.0 == *number
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// The number of an item, a constraint to cover: from 0, primary items first.
    ItemId
}
number! {
    /// The number of an option, a set of items covered together: from 0, in the order given.
    OptionId
}
number! {
    /// The number of the colour that an option gives a secondary item: from 1.
    Colour
}

/// Whether `option` is among `options`. The standard library's `contains` compares several numbers at once only in
/// lists of `u32` and the like: with it, sudokus by the engine `hybrid` take 3 % more instructions.
#[inline(always)]
pub(crate) fn has_option(options: &[OptionId], option: OptionId) -> bool {
    let (chunks, rest) = options.as_chunks::<8>();
    let is_in = |chunk: &[OptionId; 8]| chunk.iter().fold(false, |found, other| found | (*other == option));
    chunks.iter().any(is_in) || rest.contains(&option)
}

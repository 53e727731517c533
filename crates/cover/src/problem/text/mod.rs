//! Problems as text: the format of Knuth's programs (DLX1, DLX2, DLX3, DLX5; www-cs-faculty.stanford.edu/~knuth/
//! programs.html), read and written back without loss.
//!
//! ```text
//! | a comment: its line begins with a bar
//! A B 2:3|C | X Y                  the items: primary ones (C is covered 2 to 3 times), a bar, secondary ones
//! A B X:0 Y:0                      every further line is an option; this one gives X the colour 0
//! A C X:1 Y:1 |7                   this option costs 7
//! ```
//! - Blanks (space, tab and the other blanks of ASCII) separate the words. Lines end in LF or CRLF; blank lines are
//!   ignored. A byte-order mark is ignored.
//! - A name or a colour is UTF-8 without blanks, `:` and `|`, of any length. (Knuth's programs accept names of eight
//!   characters and colours of one.) Comments may contain any bytes.
//! - `n|name` means `n:n|name`. The costs of an option add up; a cost of 0 is the same as no cost.
//! - [`read`] drops an option without a primary item, because no search would choose it; [`Text::dropped`] counts such
//!   options. For `parse` they are an error. Equal options count as different options.

mod choices;
mod read;
mod solutions;
mod write;

pub use choices::{ChoiceError, ChoiceFault, ChoiceText};
pub use read::{Dropped, Text, read};
pub use solutions::SolutionText;
pub use write::{to_text, write};

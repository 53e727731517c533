//! How symbols are written: one character per cell.
//!
//! ```text
//! symbol      1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16        for n = 16; 12 and 25 are similar
//! 1-9A-G      1 2 3 4 5 6 7 8 9 A  B  C  D  E  F  G         0 is a blank
//! 0-9A-F      0 1 2 3 4 5 6 7 8 9  A  B  C  D  E  F         0 is a symbol!
//! A-P         A B C D E F G H I J  K  L  M  N  O  P         0 is a blank
//! ```
//! Up to nine symbols are digits from 1. Capital and small letters mean the same. A blank is one of `.` `0` `*` `_` `x`
//! `X` `?`, except those that are symbols of the alphabet.

use std::fmt;

/// The characters of a number of symbols.
#[derive(Clone, PartialEq, Eq)]
pub struct Alphabet {
    style: Style,
    symbols: u8,
    is_small: bool,
    /// The character of a blank, then the character of each symbol.
    characters: [u8; 64],
    /// The meaning of each byte: 0 for a blank, a symbol, or NONE.
    cells: [u8; 256],
}

/// The first character of an alphabet: `1`, `0` or `A`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    FromOne,
    FromZero,
    Letters,
}

/// The value of a byte that is neither a symbol nor a blank.
const NONE: u8 = u8::MAX;

const BLANKS: &[u8] = b".0*_xX?";

impl Alphabet {
    /// The usual alphabet of this number of symbols: digits from 1, then letters.
    pub fn of_symbols(symbols: u8) -> Alphabet {
        Alphabet::new(Style::FromOne, symbols, false)
    }

    /// All alphabets of this number of symbols, the usual one first.
    pub fn all(symbols: u8) -> Vec<Alphabet> {
        let styles: &[Style] = match symbols {
            ..=9 => &[Style::FromOne],
            _ => &[Style::FromOne, Style::FromZero, Style::Letters],
        };
        styles.iter().map(|&style| Alphabet::new(style, symbols, false)).collect()
    }

    /// The alphabet with this name: `1-9`, `1-9A-G`, `0-9A-F`, `A-P`. With small letters, it writes small letters.
    pub fn named(name: &str) -> Option<Alphabet> {
        let is_small = name.bytes().any(|byte| byte.is_ascii_lowercase());
        (1..=MOST)
            .flat_map(Alphabet::all)
            .map(|alphabet| Alphabet::new(alphabet.style, alphabet.symbols, is_small))
            .find(|alphabet| alphabet.name().to_string() == name)
    }

    fn new(style: Style, symbols: u8, is_small: bool) -> Alphabet {
        let letter = |index: u8| if is_small { b'a' + index } else { b'A' + index };
        let mut characters = [b'.'; 64];
        let mut cells = [NONE; 256];
        BLANKS.iter().for_each(|&byte| cells[usize::from(byte)] = 0);
        for symbol in 1..=symbols.min(MOST) {
            let character = match (style, symbol) {
                (Style::FromOne, ..=9) => b'0' + symbol,
                (Style::FromOne, _) => letter(symbol - 10),
                (Style::FromZero, ..=10) => b'0' + symbol - 1,
                (Style::FromZero, _) => letter(symbol - 11),
                (Style::Letters, _) => letter(symbol - 1),
            };
            characters[usize::from(symbol)] = character;
            cells[usize::from(character.to_ascii_uppercase())] = symbol;
            cells[usize::from(character.to_ascii_lowercase())] = symbol;
        }
        Alphabet { style, symbols, is_small, characters, cells }
    }

    /// The same alphabet, which writes small letters.
    #[must_use]
    pub fn small(&self) -> Alphabet {
        Alphabet::new(self.style, self.symbols, true)
    }

    /// The name: `1-9A-G`.
    pub fn name(&self) -> AlphabetName {
        let first = self.characters[1];
        let last = self.characters[usize::from(self.symbols) % 64];
        let mut name = AlphabetName { text: [0; 6], len: 0, has_blank_zero: self.style != Style::FromZero };
        let mut push = |from: u8, to: u8| {
            let range = [from, b'-', to];
            let len = if from == to { 1 } else { 3 };
            for byte in &range[..len] {
                name.text[usize::from(name.len)] = *byte;
                name.len += 1;
            }
        };
        if first.is_ascii_digit() && !last.is_ascii_digit() {
            push(first, b'9');
            push(if self.is_small { b'a' } else { b'A' }, last);
        } else {
            push(first, last);
        }
        name
    }

    /// The number of symbols.
    pub fn symbols(&self) -> u8 {
        self.symbols
    }

    /// Whether the symbols are the digits from 1, so that the character of a symbol is `b'0' + symbol`.
    pub fn is_digits(&self) -> bool {
        self.style == Style::FromOne && self.symbols <= 9
    }

    /// Whether the symbols are the digits 1 to 9.
    pub fn is_nine(&self) -> bool {
        self.is_digits() && self.symbols == 9
    }

    /// The cell that `byte` means: 0 for a blank, 1..=n for a symbol, `None` if it is neither.
    #[inline]
    pub fn cell(&self, byte: u8) -> Option<u8> {
        Some(self.cells[usize::from(byte)]).filter(|&cell| cell != NONE)
    }

    /// Whether all bytes of `text` are cells.
    #[inline]
    pub fn reads(&self, text: &[u8]) -> bool {
        // No jump for each byte.
        text.iter().fold(0, |highest, &byte| highest.max(self.cells[usize::from(byte)])) != NONE
    }

    /// The character of a symbol; `.` for 0 and for numbers above n.
    #[inline]
    pub fn character(&self, symbol: u8) -> u8 {
        self.characters[usize::from(if symbol <= self.symbols { symbol % 64 } else { 0 })]
    }

    /// Fills `cells` from `text`. Returns whether all bytes are cells.
    #[inline]
    pub fn read(&self, text: &[u8], cells: &mut [u8]) -> bool {
        let mut highest = 0;
        for (cell, &byte) in cells.iter_mut().zip(text) {
            *cell = self.cells[usize::from(byte)];
            highest = highest.max(*cell);
        }
        highest != NONE
    }
}

/// Symbols of the largest alphabet: one for each letter.
const MOST: u8 = 26;

impl fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Alphabet({})", self.name())
    }
}

/// The name of an alphabet: the ranges of its symbols, as `1-9A-G`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AlphabetName {
    text: [u8; 6],
    len: u8,
    /// Whether 0 is a blank, not a symbol.
    has_blank_zero: bool,
}

impl AlphabetName {
    /// The characters of a blank, separated by spaces.
    pub fn blanks(&self) -> &'static str {
        if self.has_blank_zero { ". 0 * _ ?" } else { ". * _ ?" }
    }
}

impl fmt::Display for AlphabetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.iter().take(usize::from(self.len)).try_for_each(|&byte| write!(f, "{}", char::from(byte)))
    }
}

impl fmt::Debug for AlphabetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_ranges() {
        let names =
            |symbols| Alphabet::all(symbols).iter().map(|one| one.name().to_string()).collect::<Vec<_>>();
        assert_eq!(names(9), ["1-9"]);
        assert_eq!(names(12), ["1-9A-C", "0-9A-B", "A-L"]);
        assert_eq!(names(16), ["1-9A-G", "0-9A-F", "A-P"]);
        assert_eq!(names(25), ["1-9A-P", "0-9A-O", "A-Y"]);
        for symbols in 1..=25 {
            for alphabet in Alphabet::all(symbols) {
                let named = Alphabet::named(&alphabet.name().to_string()).unwrap();
                assert_eq!((named.name(), named.symbols()), (alphabet.name(), symbols));
                let small = Alphabet::named(&alphabet.small().name().to_string()).unwrap();
                assert_eq!(small.symbols(), symbols);
            }
        }
        assert!(["", "1-9A-Ö", "9-1", "B-D", "1-9A-"].iter().all(|name| Alphabet::named(name).is_none()));
    }

    #[test]
    fn characters_are_symbols_and_back() {
        for alphabet in [4, 9, 12, 16, 25].into_iter().flat_map(Alphabet::all) {
            for symbol in 1..=alphabet.symbols() {
                let character = alphabet.character(symbol);
                assert_eq!(alphabet.cell(character), Some(symbol));
                assert_eq!(alphabet.cell(character.to_ascii_lowercase()), Some(symbol));
                assert_eq!(alphabet.small().character(symbol), character.to_ascii_lowercase());
            }
            assert_eq!(alphabet.cell(b'.'), Some(0));
            assert_eq!((alphabet.cell(b'!'), alphabet.character(200)), (None, b'.'));
        }
        assert_eq!(Alphabet::named("0-9A-F").unwrap().cell(b'0'), Some(1));
        assert_eq!(Alphabet::named("A-Y").unwrap().cell(b'x'), Some(24));
        assert_eq!(Alphabet::named("A-P").unwrap().cell(b'x'), Some(0));
        let mut cells = [9; 3];
        assert!(Alphabet::of_symbols(4).read(b"1.4", &mut cells) && cells == [1, 0, 4]);
        assert!(!Alphabet::of_symbols(4).read(b"1.5", &mut cells));
    }
}

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
use std::sync::LazyLock;

use galop_simd::{Isa, Job, Kernel, Simd};

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

    /// Fills `cells` from `text`, which is as long. Returns whether all bytes are cells.
    #[inline]
    pub fn read(&self, text: &[u8], cells: &mut [u8]) -> bool {
        let len = text.len().min(cells.len());
        cells[..len].copy_from_slice(&text[..len]);
        self.read_in_place(&mut cells[..len]) == len
    }

    /// Replaces characters by the cells that they mean. Returns how many cells come before the first byte that is not
    /// one; the bytes from there on are lost.
    #[inline]
    pub fn read_in_place(&self, text: &mut [u8]) -> usize {
        let are_cells = if self.is_nine() { READ_DIGITS(text) } else { self.look_up(text) };
        match are_cells {
            true => text.len(),
            false => text.iter().position(|&cell| cell == NONE).unwrap_or(text.len()),
        }
    }

    /// Replaces every byte by its meaning. Returns whether all are cells.
    fn look_up(&self, text: &mut [u8]) -> bool {
        let mut highest = 0;
        for byte in text {
            *byte = self.cells[usize::from(*byte)];
            highest = highest.max(*byte);
        }
        highest != NONE
    }
}

/// [`Alphabet::look_up`] for the digits 1 to 9, in vectors.
static READ_DIGITS: LazyLock<fn(&mut [u8]) -> bool> =
    LazyLock::new(|| Isa::best().run(Choose).unwrap_or(read_digits::<galop_simd::Portable>));

struct Choose;

impl Job for Choose {
    type Output = fn(&mut [u8]) -> bool;

    fn run<S: Simd>(self) -> Self::Output {
        read_digits::<S::Base>
    }
}

fn read_digits<S: Simd>(text: &mut [u8]) -> bool {
    S::run(Digits(text))
}

struct Digits<'a>(&'a mut [u8]);

impl Kernel for Digits<'_> {
    type Output = bool;

    /// Block by block. The last block overlaps the one before it, so that no byte is read alone.
    #[inline(always)]
    fn run(self) -> bool {
        let Digits(text) = self;
        let (mut wrong, start) = ([0; BLOCK], text.len().saturating_sub(BLOCK));
        let last = text.last_chunk().copied();
        let (blocks, rest) = text.as_chunks_mut();
        for block in blocks {
            read_block(block, &mut wrong);
        }
        if let Some(mut last) = last {
            read_block(&mut last, &mut wrong);
            text[start..].copy_from_slice(&last);
        } else {
            for byte in rest {
                *byte = digit(*byte);
                wrong[0] |= *byte;
            }
        }
        // A digit has four bits.
        wrong.iter().fold(0, |any, wrong| any | wrong) < 16
    }
}

/// Bytes of the largest vector.
const BLOCK: usize = 32;

#[inline(always)]
fn read_block(block: &mut [u8; BLOCK], wrong: &mut [u8; BLOCK]) {
    let mut at = 0;
    while at < BLOCK {
        block[at] = digit(block[at]);
        wrong[at] |= block[at];
        at += 1;
    }
}

/// The meaning of `byte` among the digits 1 to 9. (Not `matches!` or `||`: vectors compare with all of them at once and
/// never jump.)
#[inline(always)]
fn digit(byte: u8) -> u8 {
    let is_blank = (byte == b'.') | (byte == b'*') | (byte == b'_') | (byte | 0x20 == b'x') | (byte == b'?');
    let digit = byte.wrapping_sub(b'0');
    let other = if is_blank { 0 } else { NONE };
    if digit <= 9 { digit } else { other }
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

    #[test]
    fn digits_are_read_as_the_table_does_in_every_place() {
        let nine = Alphabet::of_symbols(9);
        let reads = Isa::ALL.into_iter().filter_map(|isa| isa.run(Choose).ok());
        for read in reads.chain([read_digits::<galop_simd::Portable> as fn(&mut [u8]) -> bool]) {
            for (len, byte) in
                [1, 31, 32, 81, 96].into_iter().flat_map(|len| (0..=255).map(move |byte| (len, byte)))
            {
                for place in 0..len {
                    let mut text: Vec<u8> = b"5.01".iter().copied().cycle().take(len).collect();
                    text[place] = byte;
                    let mut expected = text.clone();
                    let are_cells = nine.look_up(&mut expected);
                    assert_eq!(read(&mut text), are_cells, "{byte} in {place} of {len}");
                    assert_eq!(text, expected, "{byte} in {place} of {len}");
                }
            }
        }
        let mut text = *b"12.4w6789";
        assert_eq!((nine.read_in_place(&mut text), &text[..4]), (4, &[1, 2, 0, 4][..]));
    }
}

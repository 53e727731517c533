//! Which alphabet puzzles are written in: the one in which every character is a cell.
//!
//! `G` is not a symbol of `0-9A-F`, and a digit is not one of `A-P`. If `0` appears beside another blank, it is a
//! symbol, because a file has only one kind of blank. It is also a symbol in a full grid: one that has as many zeros as
//! symbols and no other blank.

use super::Alphabet;
use super::error::UnclearAlphabet;

/// The characters that occur in puzzles.
#[derive(Clone, Debug)]
pub struct Characters {
    side: usize,
    alphabets: Vec<Alphabet>,
    seen: [bool; 256],
    any: bool,
    /// A full grid has zeros.
    is_zero_symbol: bool,
}

impl Characters {
    /// Nothing seen yet of puzzles of `side` times `side` cells and `side` symbols.
    pub fn new(side: usize) -> Characters {
        Characters {
            side,
            alphabets: Alphabet::all(side.min(64) as u8),
            seen: [false; 256],
            any: false,
            is_zero_symbol: false,
        }
    }

    /// Whether only one alphabet is left.
    pub fn are_settled(&self) -> bool {
        self.alphabets.len() < 2 || self.fitting().len() == 1
    }

    /// Takes in the characters of a puzzle, a solution or a row; returns whether one of them is new.
    pub fn add(&mut self, field: &[u8]) -> bool {
        let fits = |alphabet: &Alphabet| field.iter().all(|&byte| alphabet.cell(byte).is_some());
        if !self.alphabets.iter().any(fits) {
            return false;
        }
        let is_first = !std::mem::replace(&mut self.any, true);
        let mut is_new = false;
        for &byte in field {
            is_new |= !std::mem::replace(&mut self.seen[usize::from(byte)], true);
        }
        let zeros = || field.iter().filter(|&&byte| byte == b'0').count();
        let is_full = field.len() == self.side * self.side
            && field.iter().all(|byte| !self.is_blank(*byte))
            && zeros() == self.side;
        is_new |= is_full && !std::mem::replace(&mut self.is_zero_symbol, true);
        is_new || is_first
    }

    /// Whether `byte` is a blank besides `0`, and in no alphabet a symbol.
    fn is_blank(&self, byte: u8) -> bool {
        byte != b'0' && self.alphabets.iter().all(|alphabet| alphabet.cell(byte) == Some(0))
    }

    /// Takes in numbers: 0 is a blank, and the symbols are written in the usual alphabet.
    pub fn add_numbers(&mut self) {
        self.any = true;
        self.alphabets.truncate(1);
    }

    /// The alphabets in which every character is a cell.
    fn fitting(&self) -> Vec<&Alphabet> {
        if !self.any {
            return Vec::new();
        }
        let seen = |byte: &u8| self.seen[usize::from(*byte)];
        let is_zero_symbol = self.is_zero_symbol || (0..=255).filter(seen).any(|byte| self.is_blank(byte));
        let fits = |alphabet: &&Alphabet| {
            let reads_zero = alphabet.cell(b'0') == Some(1);
            // If 0 is the only blank, it is not a symbol; if there is another blank, it is one.
            let is_zero_right = !seen(&b'0') || reads_zero == is_zero_symbol;
            is_zero_right && (0..=255).filter(seen).all(|byte| alphabet.cell(byte).is_some())
        };
        self.alphabets.iter().filter(fits).collect()
    }

    /// The alphabet that fits; the usual one if no character was seen.
    ///
    /// # Errors
    /// If several alphabets fit, or none.
    pub fn alphabet(&self) -> Result<Alphabet, UnclearAlphabet> {
        let known = |alphabets: &[&Alphabet]| {
            alphabets.iter().map(|one| one.name().to_string()).collect::<Vec<_>>().join(" or ")
        };
        let all: Vec<&Alphabet> = self.alphabets.iter().collect();
        let fitting = if self.any { self.fitting() } else { all[..1].to_vec() };
        match fitting[..] {
            [alphabet] => {
                let seen = |bytes: std::ops::RangeInclusive<u8>| {
                    bytes.into_iter().any(|byte| self.seen[usize::from(byte)])
                };
                let is_small = seen(b'a'..=b'w') && !seen(b'A'..=b'W');
                // The only small letter.
                let is_cross = seen(b'x'..=b'x') && seen(b'A'..=b'W') && !seen(b'a'..=b'w');
                if is_cross && alphabet.cell(b'x') != Some(0) {
                    let reason = "`x` may be a blank or a symbol (write blanks as `.`)";
                    return Err(UnclearAlphabet { reason, known: known(&fitting) });
                }
                Ok(if is_small { alphabet.small() } else { alphabet.clone() })
            }
            [] => {
                let reason = "the puzzles are written in symbols of several alphabets";
                Err(UnclearAlphabet { reason, known: known(&all) })
            }
            _ => {
                let reason = "the symbols of the puzzles fit several alphabets";
                Err(UnclearAlphabet { reason, known: known(&fitting) })
            }
        }
    }
}

//! Any bytes as the map of a jigsaw or of extra regions, up to a NUL byte, then as the name of an alphabet, up to a
//! second one. A map is refused with a place inside it, or written and read back as the same, and the engines agree on
//! a puzzle that the remaining bytes make. A name is refused, or is the name of the alphabet that it names.
#![no_main]

use galop_engines::Rules;
use galop_engines::grid::{Alphabet, ExtraRegions, JIGSAW, LATIN, Regions, Variant};
use galop_engines::puzzle::Limits;
use galop_fuzz::engines::Engines;
use libfuzzer_sys::fuzz_target;

/// Guesses in large grids, where one takes longer, and in small ones.
const GUESSES: [u64; 2] = [30, 500];

/// The map of these rules: a character for each region, in the order of the first cells.
fn map(rules: &Rules) -> Vec<u8> {
    let (cells, side) = (rules.grid().cells(), rules.grid().side());
    let mut map = vec![0; cells];
    for (region, name) in rules.grid().units()[2 * side..].iter().zip(b'!'..) {
        region.iter().for_each(|&cell| map[cell] = name);
    }
    map
}

/// The engines agree on the puzzle that `bytes` make.
fn agree(rules: &Rules, bytes: Option<&[u8]>) {
    let side = rules.grid().side();
    let clue = |byte: u8| if usize::from(byte) <= side { byte } else { 0 };
    let bytes = bytes.unwrap_or_default().iter().copied().chain(std::iter::repeat(0));
    let puzzle: Vec<u8> = bytes.take(side * side).map(clue).collect();
    let guesses = GUESSES[usize::from(side <= galop_fuzz::rules::SMALL)];
    Engines::new(rules, |name| name == "grid").agree(&puzzle, Limits::UNIQUE.with_guesses(guesses));
}

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(3, |&byte| byte == 0);
    let (text, name, bytes) = (parts.next(), parts.next(), parts.next());
    let (text, name) = (text.unwrap_or_default(), String::from_utf8_lossy(name.unwrap_or_default()));

    let alphabet = Alphabet::named(&name);
    if let Some(alphabet) = &alphabet {
        assert_eq!(alphabet.name().to_string(), name);
        for symbol in 1..=alphabet.symbols() {
            assert_eq!(alphabet.cell(alphabet.character(symbol)), Some(symbol));
        }
    }

    if let Ok(extra) = ExtraRegions::read(text) {
        let side = extra.side();
        let rules = Variant::from(LATIN).with_extra(extra).rules(side).expect("a map of this size");
        agree(&rules, bytes);
    }
    let regions = match Regions::read(text) {
        Ok(regions) => regions,
        Err(error) => {
            let line =
                text.split(|&byte| byte == b'\n').nth(error.line as usize - 1).expect("a line of the map");
            assert!((1..=line.len().max(1) as u64).contains(&error.column), "{error}");
            return;
        }
    };
    let side = regions.side();
    let rules = Rules::new(JIGSAW, side, Some(&regions)).expect("a map of this size");
    let written = map(&rules);
    assert_eq!(Regions::read(&written), Ok(regions), "{written:?}");
    if let Some(alphabet) = alphabet {
        assert_eq!(
            rules.clone().written_in(alphabet.clone()).is_ok(),
            usize::from(alphabet.symbols()) == side
        );
    }
    agree(&rules, bytes);
});

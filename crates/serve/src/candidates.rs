//! Grids with the candidates of every cell, as players copy them from programs.
//!
//! ```text
//! .------------.------------.------------.      245  145  1245 | 246  246  8    | 9    3    7
//! | 7  836  8346 | 5  98346  2 | 986 96 1 |     24   6    3    | 24   7    9    | 8    5    1
//! HoDoKu, Simple Sudoku                         galop explain --draw, galop show --candidates
//!
//! https://www.sudokuwiki.org/sudoku.htm?bd=   two characters for each cell: in base 32, or in base 36 after `S9B`
//! ```

use std::collections::BTreeSet;

use galop_engines::grid::Rules;

/// The cells of a puzzle, and what a player has done: nothing if a list is empty.
#[derive(Debug, PartialEq)]
pub(super) struct Start {
    pub(super) cells: Vec<u8>,
    pub(super) entries: Vec<u8>,
    /// Eliminated candidates of each cell: bit `symbol - 1`.
    pub(super) crossed: Vec<u64>,
}

/// The rules and the position of a text that is a grid of candidates. `None` if it is something else. `rules_of` makes the
/// rules of a size.
pub(super) fn read(text: &str, rules_of: impl Fn(usize) -> Option<Rules>) -> Option<(Rules, Start)> {
    if let Some(start) = text.split(|c: char| !c.is_ascii_alphanumeric()).find_map(linked) {
        return Some((rules_of(9)?, start));
    }
    let is_between = |c: char| c.is_whitespace() || c == '|' || c == '!';
    let lines = text.lines().map(|line| line.split(is_between).filter(|field| !field.is_empty()).collect());
    let lines: Vec<Vec<&str>> = lines.collect();
    let sides: BTreeSet<usize> = lines.iter().map(Vec::len).filter(|len| (4..=25).contains(len)).collect();
    sides.into_iter().find_map(|side| {
        let rules = rules_of(side)?;
        let row =
            |line: &&Vec<&str>| line.iter().map(|field| mask(field, &rules)).collect::<Option<Vec<u64>>>();
        let rows = lines.iter().filter(|line| line.len() == side).filter_map(|line| row(&line)).take(side);
        let masks: Vec<u64> = rows.flatten().collect();
        if masks.len() < side * side || masks.iter().all(|mask| mask.is_power_of_two()) {
            return None;
        }
        // A single candidate is a symbol that stands there, unless a cell that sees it has the candidate, too.
        let stands =
            |cell: usize| rules.grid().peers(cell).iter().all(|&peer| masks[peer] & masks[cell] == 0);
        let symbol = |cell: usize| single(masks[cell]).filter(|_| stands(cell)).unwrap_or(0);
        let cells: Vec<u8> = (0..masks.len()).map(symbol).collect();
        let all = (1 << side) - 1;
        let crossed =
            masks.iter().zip(&cells).map(|(mask, &cell)| if cell == 0 { !mask & all } else { 0 }).collect();
        Some((rules, Start { entries: vec![0; cells.len()], cells, crossed }))
    })
}

/// The candidates of a blank 9x9 grid's cell.
const ALL: u64 = 0o777;

/// The symbol of a mask with one bit.
fn single(mask: u64) -> Option<u8> {
    mask.is_power_of_two().then(|| mask.trailing_zeros() as u8 + 1)
}

/// The candidates of a field such as `246` or, in a drawn step, `(57)-2=6`.
fn mask(field: &str, rules: &Rules) -> Option<u64> {
    let symbols = field.bytes().filter(|byte| !b"()=-".contains(byte));
    let mask = symbols.map(|byte| rules.alphabet().cell(byte)).try_fold(0_u64, |mask, symbol| {
        let bit = 1 << (symbol.filter(|&symbol| symbol > 0)? - 1);
        (mask & bit == 0).then_some(mask | bit)
    });
    mask.filter(|&mask| mask != 0)
}

/// The position in a link to `SudokuWiki`, in which each cell is a number. In its older links it is twice the mask of the
/// candidates, and one more for a clue; a single candidate stands there. In its newer ones (`S9B`), 1 to 9 are clues, 10 to
/// 18 entries, and higher numbers the mask of the candidates and 18.
fn linked(word: &str) -> Option<Start> {
    let newer = word.strip_prefix("S9B");
    let digits = newer.unwrap_or(word);
    if digits.len() != 2 * 81 {
        return None;
    }
    let mut start = Start { cells: Vec::new(), entries: Vec::new(), crossed: Vec::new() };
    for pair in digits.as_bytes().chunks(2) {
        let base = if newer.is_some() { 36 } else { 32 };
        let number = u64::from_str_radix(std::str::from_utf8(pair).ok()?, base).ok()?;
        let (clue, entry, mask) = match (newer, number, single(number >> 1)) {
            (None, _, Some(symbol)) if number & 1 == 1 => (symbol, 0, ALL),
            (None, _, Some(symbol)) => (0, symbol, ALL),
            (None, ..) => (0, 0, number >> 1),
            (Some(_), 1..=9, _) => (number as u8, 0, ALL),
            (Some(_), 10..=18, _) => (0, number as u8 - 9, ALL),
            (Some(_), ..) => (0, 0, number.checked_sub(18)?),
        };
        start.cells.push(clue);
        start.entries.push(entry);
        start.crossed.push(ALL & !mask);
        if mask == 0 || mask > ALL {
            return None;
        }
    }
    Some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position in which a hidden pair is next, as `galop explain --draw` prints it.
    const DRAWN: &str = "\
245      145      1245     | 246      246      8        | 9        3        7
24       6        3        | 24       7        9        | 8        5        1
9        7        8        | 1        3        5        | 6        2        4
---------------------------+----------------------------+----------------------------
578      158      15       | (57)-9   19       3        | 2        4        6
24567    145      12456    | (57)-2-6 126      16       | 3        8        9
26       3        9        | 26       8        4        | 1        7        5
---------------------------+----------------------------+----------------------------
3        2        7        | 469      1469     16       | 5        69       8
568      589      56       | 3        69       7        | 4        1        2
1        49       46       | 8        5        2        | 7        69       3
";

    fn of(text: &str) -> Option<Start> {
        read(text, |side| Rules::sudoku(side).ok()).map(|(_, position)| position)
    }

    #[test]
    fn a_drawn_step_and_the_grids_of_other_programs_are_the_same_position() {
        let plain = DRAWN.replace(['(', ')'], "").replace("57-9", "579").replace("57-2-6", "5726");
        let position = of(&plain).unwrap();
        assert_eq!(
            (&position.cells[..9], position.cells.iter().filter(|&&cell| cell > 0).count()),
            (&[0, 0, 0, 0, 0, 8, 9, 3, 7][..], 50)
        );
        assert_eq!((position.crossed[0], position.crossed[5]), (0b1_1110_0101, 0));
        let rows = plain.lines().filter(|line| !line.starts_with('-'));
        let hodoku: String = rows.clone().map(|row| format!("| {} |\n", row.replace("   ", " "))).collect();
        let bare: String = rows.map(|row| row.replace('|', "") + "\n").collect();
        let frame = ".-----.-----.-----.\n";
        for text in [
            DRAWN,
            &format!(" 25. hidden pair: r4c4<>9\n\n{DRAWN}\n 26. X\n"),
            &format!("{frame}{hodoku}{frame}"),
            &bare,
        ] {
            assert_eq!(of(text).as_ref(), Some(&position), "{text}");
        }
    }

    #[test]
    fn a_candidate_that_is_alone_but_not_placed_stays_a_candidate() {
        // The last cell of row 3 is not filled, because another cell of its column still has a 4.
        let text = DRAWN.replacen("| 9        3        7", "| 9        3        47", 1);
        let position = of(&text).unwrap();
        assert_eq!((position.cells[26], position.crossed[26]), (0, 0b1_1111_0111));
    }

    #[test]
    fn a_link_with_candidates_has_clues_entries_and_candidates() {
        let digit = |value: u64| char::from_digit(value as u32, 36).unwrap();
        let word = |base: u64, [clue, entry, single, rest]: [u64; 4]| {
            let number = |packed: u64| format!("{}{}", digit(packed / base), digit(packed % base));
            number(clue) + &number(entry) + &number(single) + &number(rest).repeat(78)
        };
        let link = |word: &str| of(&format!("https://www.sudokuwiki.org/sudoku.htm?bd={word}&x=1"));
        let older = link(&word(32, [1 << 1 | 1, 2 << 1, 4 << 1, 0o770 << 1])).unwrap();
        assert_eq!((&older.cells[..4], &older.entries[..4]), (&[1, 0, 0, 0][..], &[0, 2, 3, 0][..]));
        assert_eq!(older.crossed[..4], [0, 0, 0, 0o7]);
        let newer = word(36, [1, 9 + 2, 18 + 4, 18 + 0o770]);
        // A single candidate of the newer links is not placed.
        let position = link(&format!("S9B{newer}")).unwrap();
        assert_eq!((position.cells, &position.entries[..4]), (older.cells, &[0, 2, 0, 0][..]));
        assert_eq!(position.crossed[..4], [0, 0, 0o773, 0o7]);
        assert_eq!(link(&format!("S9B{}", word(36, [1, 2, 3, 18 + 0o1000]))), None);
    }

    #[test]
    fn puzzles_are_no_grids_of_candidates() {
        const PUZZLE: &str =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let rows: Vec<String> =
            (0..9).map(|row| PUZZLE[9 * row..][..9].split("").collect::<Vec<_>>().join(" ")).collect();
        for text in [
            PUZZLE,
            &rows.join("\n"),
            "",
            "1 2 3 4\n12 3 4 1\n",
            &DRAWN[..200],
            "12 21 3 4\n1 2 3 4\n1 2 3 4\n1 2 3 11\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}

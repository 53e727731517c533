//! Grids with the candidates of every cell, as players copy them from programs.
//!
//! ```text
//! .------------.------------.------------.      245  145  1245 | 246  246  8    | 9    3    7
//! | 7  836  8346 | 5  98346  2 | 986 96 1 |     24   6    3    | 24   7    9    | 8    5    1
//! HoDoKu, Simple Sudoku                         galop explain --draw, galop show --candidates
//!
//! https://www.sudokuwiki.org/sudoku.htm?bd=   two characters in base 32 for each cell
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
    if let Some(cells) = text.split(|c: char| !c.is_ascii_alphanumeric()).find_map(packed) {
        let symbols = |of_clues| {
            let symbol = |&(mask, is_clue): &(u64, bool)| single(mask).filter(|_| is_clue == of_clues);
            cells.iter().map(|cell| symbol(cell).unwrap_or(0)).collect::<Vec<u8>>()
        };
        let crossed = cells.iter().map(|&(mask, _)| if single(mask).is_some() { 0 } else { !mask & 0x1ff });
        return Some((
            rules_of(9)?,
            Start { cells: symbols(true), entries: symbols(false), crossed: crossed.collect() },
        ));
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

/// The candidates of each cell of a link to `SudokuWiki`, and whether it is a clue: a number of two digits in base 32, whose
/// lowest bit says that it is a clue.
fn packed(word: &str) -> Option<Vec<(u64, bool)>> {
    if word.len() != 2 * 81 {
        return None;
    }
    let number = |pair: &[u8]| u64::from_str_radix(std::str::from_utf8(pair).ok()?, 32).ok();
    let cells: Option<Vec<u64>> = word.as_bytes().chunks(2).map(number).collect();
    let cells = cells.filter(|cells| cells.iter().all(|cell| cell >> 1 != 0))?;
    Some(cells.into_iter().map(|cell| (cell >> 1, cell & 1 == 1)).collect())
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
        let number = |mask: u64, is_clue: u64| {
            let digit = |value: u64| char::from_digit(value as u32, 32).unwrap();
            let packed = mask << 1 | is_clue;
            format!("{}{}", digit(packed / 32), digit(packed % 32))
        };
        let cells: String = number(1, 1) + &number(2, 0) + &number(0b1_1111_1000, 0).repeat(79);
        let position = of(&format!("https://www.sudokuwiki.org/sudoku.htm?bd={cells}&x=1")).unwrap();
        assert_eq!((&position.cells[..3], &position.entries[..3]), (&[1, 0, 0][..], &[0, 2, 0][..]));
        assert_eq!(position.crossed[..3], [0, 0, 0b111]);
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

//! Text that holds puzzles or other things which galop does not read: what each is, and the way out.
//!
//! A file of puzzles may contain almost any line, so this table is only asked about a source of which the formats read
//! too little. One row adds a stranger.

use super::line::{is_separator, is_space};
use crate::grid::Regions;

/// A kind of text that is not read.
#[derive(Clone, Copy, Debug)]
pub struct Stranger {
    /// What it is, behind "is".
    pub name: &'static str,
    /// What to do with it.
    pub way_out: &'static str,
    /// Whether it has the map of a jigsaw.
    pub has_map: bool,
    /// What a source of this kind begins with, in lowercase or not. It is refused even if puzzles are read from it.
    marks: &'static [&'static str],
    /// Words in a source of this kind without a puzzle, one of them at least, in lowercase or not.
    words: &'static [&'static str],
    /// Whether a source without a puzzle is of this kind, if no word shows it.
    is: fn(&Start<'_>) -> bool,
    /// Whether that also shows the kind of a source from which puzzles are read.
    is_certain: bool,
}

impl PartialEq for Stranger {
    fn eq(&self, other: &Stranger) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Stranger {}

/// The kind of a text of which nothing could be read, if it is known.
pub fn stranger(text: &[u8]) -> Option<&'static Stranger> {
    recognise(text, 81, false)
}

/// The beginning of a source.
struct Start<'a> {
    /// From the first line on that is neither blank nor a comment.
    text: &'a [u8],
    /// Cells of a puzzle.
    cells: usize,
}

/// The kind of the source that begins with `text`, if it is known. A puzzle has `cells` cells. If the source
/// `is_readable`, because puzzles are read from it, only a mark shows its kind.
pub(super) fn recognise(text: &[u8], cells: usize, is_readable: bool) -> Option<&'static Stranger> {
    let first = text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let start = Start { text: &text[first..], cells };
    STRANGERS.iter().find(|kind| {
        kind.marks.iter().any(|mark| start.is_marked(mark))
            || (kind.is_certain || !is_readable) && (kind.is)(&start)
            || !is_readable && kind.words.iter().any(|word| start.has(word))
    })
}

const AS_DIGITS: &str = "copy the puzzle as digits, one line or one grid, from the program that made it";

/// A kind of which only the name and the way out are not known.
const OF_NAME: Stranger = Stranger {
    name: "",
    way_out: AS_DIGITS,
    has_map: false,
    marks: &[],
    words: &[],
    is: |_| false,
    is_certain: false,
};
const MAP_APART: &str = "write the clues on one line and the map of its regions into a file of its own";

/// Every kind, the most telling first.
static STRANGERS: &[Stranger] = &[
    Stranger {
        name: "a pointer of git-lfs, not the file itself",
        way_out: "fetch the file: git lfs pull",
        marks: &["version https://git-lfs.github.com/spec/"],
        ..OF_NAME
    },
    Stranger {
        name: "a web page (HTML), not puzzles",
        way_out: "download the file behind it, or copy the puzzles out of the page",
        marks: &["<!doctype html", "<html"],
        ..OF_NAME
    },
    Stranger {
        name: "XML, not text of puzzles",
        marks: &["<?xml"],
        is: |start| start.is_markup(),
        ..OF_NAME
    },
    Stranger {
        name: "a link to f-puzzles, which holds its puzzle in a code",
        words: &["f-puzzles.com/"],
        ..OF_NAME
    },
    Stranger {
        name: "a link to SudokuPad, which holds its puzzle in a code",
        words: &["sudokupad.app/", "app.crackingthecryptic.com/"],
        ..OF_NAME
    },
    Stranger { name: "a link to penpa, which holds its puzzle in a code", words: &["penpa-edit"], ..OF_NAME },
    Stranger {
        name: "a link to puzz.link, which holds its puzzle in a code",
        words: &["puzz.link/", "pzv.jp/", "/pzprxs/"],
        ..OF_NAME
    },
    Stranger {
        name: "a link, not a puzzle",
        is: |start| start.begins("http://") || start.begins("https://"),
        ..OF_NAME
    },
    Stranger {
        name: "a file of puzz.link (pzprv3)",
        way_out: "keep the rows of clues alone, `.` for each open cell",
        marks: &["pzprv3"],
        ..OF_NAME
    },
    Stranger {
        name: "a JSON object of f-puzzles",
        is: |start| start.begins("{") && start.has("\"grid\"") && start.has("[[{"),
        ..OF_NAME
    },
    Stranger {
        name: "a sudoku of SadMan Software, in sections",
        way_out: "keep the rows below [Puzzle] alone",
        is: |start| start.has("[puzzle]") && start.has("[state]"),
        ..OF_NAME
    },
    Stranger {
        name: "a jigsaw of SumoCue",
        way_out: MAP_APART,
        has_map: true,
        marks: &["sumocue"],
        ..OF_NAME
    },
    Stranger {
        name: "a jigsaw with its map beside the clues",
        way_out: MAP_APART,
        has_map: true,
        is: |start| start.has_map(),
        is_certain: true,
        ..OF_NAME
    },
    Stranger { name: "a game of Simon Tatham's Solo", is: |start| start.is_solo(), ..OF_NAME },
    Stranger {
        name: "a killer sudoku, with cages and sums",
        way_out: "sums of cells are not read, only clues",
        is: |start| start.is_killer(),
        ..OF_NAME
    },
    Stranger {
        name: "a grid of pencil marks, with the candidates of every cell",
        way_out: "only clues are read: write each open cell as a single `.`",
        is: |start| start.are_candidates(),
        ..OF_NAME
    },
    Stranger { name: "a formula in DIMACS", way_out: "a SAT solver reads it", marks: &["p cnf "], ..OF_NAME },
    Stranger {
        name: "a matrix of 0 and 1",
        way_out: "as an exact cover problem it has the names of the items on the first line, then the items of each option \
                  on a line",
        is: |start| start.is_matrix(),
        ..OF_NAME
    },
    Stranger {
        name: "a list of clues, each with its row and column",
        way_out: "write each puzzle as its cells, row by row, with `.` for a blank",
        is: |start| start.are_places(),
        ..OF_NAME
    },
    Stranger {
        name: "a document of LaTeX",
        way_out: "keep the rows of the grid alone, `.` for each open cell",
        words: &["\\documentclass", "\\begin{"],
        ..OF_NAME
    },
];

impl<'a> Start<'a> {
    /// Whether the text begins with `word`, in lowercase or not.
    fn begins(&self, word: &str) -> bool {
        begins(self.text, word)
    }

    /// The same of the first line that is no comment of DIMACS either.
    fn is_marked(&self, mark: &str) -> bool {
        let is_comment = |line: &&[u8]| *line == b"c" || line.starts_with(b"c ");
        self.lines().find(|line| !is_comment(line)).is_some_and(|line| begins(line, mark))
    }

    /// Whether `word` stands in the text, in lowercase or not.
    fn has(&self, word: &str) -> bool {
        self.text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// The lines, those without the spaces around them that are neither blank nor comments.
    fn lines(&self) -> impl Iterator<Item = &'a [u8]> {
        let lines = self.text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"))
    }

    /// Whether one of several grids in the first two lines is a map of regions: a character for each cell, and beside
    /// each cell another one of its region.
    fn has_map(&self) -> bool {
        let side = self.cells.isqrt();
        let is_map = |field: &[u8]| {
            let is_equal = |a: usize, b: usize| field.get(b) == Some(&field[a]);
            let has_neighbour = |cell: usize| {
                !cell.is_multiple_of(side) && is_equal(cell, cell - 1)
                    || !(cell + 1).is_multiple_of(side) && is_equal(cell, cell + 1)
                    || cell >= side && is_equal(cell, cell - side)
                    || is_equal(cell, cell + side)
            };
            (0..self.cells).all(has_neighbour) && Regions::read(field).is_ok_and(|map| map.side() == side)
        };
        let fields = self.lines().take(2).flat_map(|line| line.split(|&byte| is_separator(byte)));
        let grids: Vec<&[u8]> = fields.filter(|field| field.len() == self.cells).collect();
        // The other grid has clues, or it is a puzzle of blanks with a solution that is wrong.
        let has_clues = |field: &&[u8]| field.iter().any(|byte| *byte != field[0]) && !is_map(field);
        grids.iter().any(has_clues) && grids.into_iter().any(is_map)
    }

    fn is_markup(&self) -> bool {
        let mut bytes = self.text.iter().copied().skip_while(|&byte| is_space(byte));
        let is_name = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?' | b'/');
        bytes.next() == Some(b'<') && bytes.next().is_some_and(is_name) && self.text.contains(&b'>')
    }

    /// `3x3:a1b2_3`: the size, options of letters, then digits between letters that count open cells.
    fn is_solo(&self) -> bool {
        let first = self.lines().next().unwrap_or_default();
        let Some(colon) = first.iter().position(|&byte| byte == b':') else { return false };
        let (size, cells) = (&first[..colon], &first[colon + 1..]);
        let is_cell =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b',');
        size.first().is_some_and(u8::is_ascii_digit)
            && size.iter().all(u8::is_ascii_alphanumeric)
            && size.iter().any(u8::is_ascii_lowercase)
            && cells.iter().any(u8::is_ascii_lowercase)
            && cells.iter().all(is_cell)
    }

    /// Rows of clues with rows of letters beside them, which name cages, or sums of cells: `15=r1c1+r1c2`.
    fn is_killer(&self) -> bool {
        let side = self.cells.isqrt();
        let has_cages = |line: &[u8]| {
            let mut fields = line.split(|&byte| is_space(byte)).filter(|field| !field.is_empty());
            let (clues, cages) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
            clues.len() == side && cages.len() == side && cages.iter().all(u8::is_ascii_alphabetic)
        };
        let is_sum = |line: &[u8]| {
            let equals = line.iter().position(|&byte| byte == b'=').unwrap_or(0);
            let sum = line[..equals].trim_ascii();
            let behind = line[equals..].get(1..).unwrap_or_default().trim_ascii();
            !sum.is_empty()
                && sum.iter().all(u8::is_ascii_digit)
                && behind
                    .first()
                    .is_some_and(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'(' | b'['))
        };
        self.most(|line| side > 1 && has_cages(line)) || self.most(is_sum)
    }

    /// As many characters as all cells have candidates, or rows of cells with several digits each.
    fn are_candidates(&self) -> bool {
        let (cells, side) = (self.cells, self.cells.isqrt());
        let is_long = |line: &[u8]| line.len() == cells * side;
        let is_row = |line: &[u8]| {
            let is_between = |byte: &u8| is_space(*byte) || matches!(byte, b'|' | b'!');
            let fields = || line.split(is_between).filter(|field| !field.is_empty());
            let is_cell = |field: &[u8]| {
                let digits = field.strip_prefix(b"u").unwrap_or(field);
                !digits.is_empty()
                    && digits.len() <= side
                    && digits.iter().all(|byte| matches!(byte, b'1'..=b'9'))
            };
            fields().count() == side && fields().all(is_cell) && fields().any(|field| field.len() > 1)
        };
        let is_drawn = |line: &[u8]| line.iter().all(|byte| !byte.is_ascii_alphanumeric());
        side > 1
            && (self.most(is_long)
                || self.most(|line| is_row(line) || is_drawn(line)) && self.lines().any(is_row))
    }

    /// Rows of 0 and 1 alone, with both.
    fn is_matrix(&self) -> bool {
        let is_row = |line: &[u8]| {
            line.len() > 2 && line.iter().all(|&byte| matches!(byte, b'0' | b'1' | b',') || is_space(byte))
        };
        let numbers = |line: &[u8]| line.iter().all(|&byte| byte.is_ascii_digit() || is_space(byte));
        let mut lines = self.lines();
        let first = lines.next().is_some_and(|line| is_row(line) || line.len() < 16 && numbers(line));
        first
            && self.lines().skip(1).all(is_row)
            && self.lines().nth(1).is_some()
            && self.text.contains(&b'1')
    }

    /// `(1,1): 4` or `r1c1=4`, at least twice.
    fn are_places(&self) -> bool {
        let is_place = |part: &[u8]| {
            matches!(part, [b'(', row, b',', column, b')', ..] if row.is_ascii_digit() && column.is_ascii_digit())
                || matches!(part, [b'r' | b'R', row, b'c' | b'C', column, b'=', ..]
                    if row.is_ascii_digit() && column.is_ascii_digit())
        };
        self.text.windows(5).filter(|part| is_place(part)).count() > 1
    }

    /// Whether more than half of the lines are so.
    fn most(&self, is: impl Fn(&[u8]) -> bool) -> bool {
        let (mut found, mut all) = (0, 0);
        for line in self.lines() {
            found += usize::from(is(line));
            all += 1;
        }
        2 * found > all
    }
}

/// Whether `text` begins with `word`, in lowercase or not.
fn begins(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_testing::puzzles::{PUZZLE, SOLUTION};

    #[test]
    fn each_kind_is_told_by_its_beginning() {
        let clues = "28..5..7. aabbccdde\n..37..84. afghhiide\n";
        let row = "| 7 836 8346 | 5 98346 2 | 986 96 1 |\n";
        let candidates = format!(".-----.-----.-----.\n{row}{row}:-----+-----+-----:\n{row}");
        let long = "1".repeat(729);
        let map = include_str!("../../../../data/jigsaw.map").replace('\n', "");
        for (text, name) in [
            ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "git-lfs"),
            ("<!DOCTYPE html><html><body>404</body></html>", "HTML"),
            ("<?xml version=\"1.0\"?>\n<opensudoku>\n<game data=\"1\"/>", "XML"),
            ("<ksudoku>\n</ksudoku>\n", "XML"),
            ("https://f-puzzles.com/?load=eyJ", "f-puzzles"),
            ("https://sudokupad.app/scl-abc", "SudokuPad"),
            ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7ZT", "penpa"),
            ("https://puzz.link/p?sudoku/9/9/h3", "puzz.link"),
            ("https://example.org/puzzles", "a link"),
            ("pzprv3\nsudoku\n9\n. . 1", "pzprv3"),
            ("{\"size\": 9, \"grid\": [[{\"value\": 4}, {}]]}", "f-puzzles"),
            ("[Puzzle]\n7..5.2..1\n[State]\n7..5.2..1\n", "SadMan"),
            ("SumoCueV1=0J00J0", "SumoCue"),
            (&format!("{PUZZLE}\n{map}\n"), "jigsaw with"),
            (&format!("{PUZZLE};{}\n", map.replace('a', "1")), "jigsaw with"),
            ("3x3:d5_9a1c6c7_8a4_3", "Solo"),
            ("9j:a1b2_3c4,aa_bb_cc", "Solo"),
            ("3=r1c1+r1c2\n15=r1c3+r1c4+r1c5\n", "killer"),
            ("15 = (0,0) (0,1)\n", "killer"),
            (clues, "killer"),
            (
                "7 836 8346 5 98346 2 986 96 1\n14 2 9 86 846 84 3 5 76\nu9 1 679 2 4679 3 4569 8 5\n",
                "candidates",
            ),
            (&candidates, "candidates"),
            (&long, "candidates"),
            ("c sudoku\np cnf 729 2\n1 2 0\n", "DIMACS"),
            ("7\n1 0 0 1 0 0 1\n1 0 0 1 0 0 0\n", "matrix"),
            ("1,0,0\n0,1,1\n", "matrix"),
            ("3\n{(1,1): 4, (1,7): 8}\n", "row and column"),
            ("r1c1=4\nr1c7=8\n", "row and column"),
            ("\\documentclass{article}\n", "LaTeX"),
        ] {
            let found = recognise(text.as_bytes(), 81, false).map(|stranger| stranger.name);
            assert!(found.is_some_and(|found| found.contains(name)), "{text}: {found:?}");
        }
        // Neither the cells of a solution nor all blanks are a map, and a map alone is no puzzle.
        for text in [&map, &".".repeat(81), &format!("{PUZZLE},{SOLUTION}")] {
            assert_eq!(recognise(text.as_bytes(), 81, true), None, "{text}");
        }
        for text in ["", "hello\n", "4.....8.5.3\n", "id,board\n7,12\n", "1 2 3 4 5 6 7 8 9\n", "a < b\n"] {
            assert_eq!(recognise(text.as_bytes(), 81, false).map(|stranger| stranger.name), None, "{text}");
        }
    }
}

//! Drawn grids as people keep them: titles and prose around them, bands, labels, every kind of blank; and puzzles on one
//! line of programs and links. What comes out is in the file.

use std::num::NonZero;

use galop_batch::input::{InputError, RecordReader, detect_rules};
use galop_batch::pipeline::{CHUNK_BYTES, SolveOptions};
use galop_engines::grid::Variant;
use proptest::prelude::*;

use crate::stream;
use galop_testing::chance::Chance;
use galop_testing::engines::named;
use galop_testing::puzzles::{PUZZLE, cells};

/// The side of the grids of `text`, and the cells of each record or its error.
fn read(text: &str, chunk_bytes: usize) -> (usize, Vec<Result<Vec<u8>, String>>) {
    let mut source = stream(text);
    let rules = detect_rules(std::slice::from_mut(&mut source), &Variant::default(), None).unwrap();
    let mut reader = RecordReader::new(&mut source, chunk_bytes, &rules);
    let mut all = Vec::new();
    loop {
        let records = match reader.next_chunk() {
            Ok(Some(records)) => records,
            Ok(None) => break,
            Err(error) if matches!(error.fact(), Some(InputError::Stranger(_))) => {
                all.push(Err(error.to_string()));
                break;
            }
            Err(error) => panic!("{error}"),
        };
        all.extend(records.iter().map(|record| match &record.puzzle {
            Ok(puzzle) => Ok(puzzle.cells.to_vec()),
            Err(error) => Err(records.malformed(&record, *error).to_string()),
        }));
    }
    (rules.grid().side(), all)
}

/// Asserts that `text` has these records in chunks of any size: `P` the puzzle, `M` malformed.
#[track_caller]
fn holds(name: &str, text: &str, expected: &str) {
    let puzzle = cells(PUZZLE);
    let (side, whole) = read(text, CHUNK_BYTES);
    let found: String = whole
        .iter()
        .map(|record| match record {
            Ok(cells) if cells[..] == puzzle => 'P',
            Ok(_) => '?',
            Err(_) => 'M',
        })
        .collect();
    assert_eq!((side, &*found), (9, expected), "{name}\n{text}\n{whole:?}");
    for chunk_bytes in [64, 90, 150, 333] {
        assert_eq!(read(text, chunk_bytes).1, whole, "{name} {chunk_bytes}");
    }
}

/// The rows of the puzzle, each drawn by `draw`, a line each.
fn drawn(draw: impl Fn(&str) -> String) -> Vec<String> {
    (0..9).map(|row| draw(&PUZZLE[9 * row..][..9]) + "\n").collect()
}

fn plain() -> Vec<String> {
    drawn(str::to_owned)
}

/// The cells with `between` them, `of` a blank.
fn spread(row: &str, between: &str, blank: &str) -> String {
    row.chars()
        .map(|cell| if cell == '.' { blank.to_owned() } else { cell.into() })
        .collect::<Vec<_>>()
        .join(between)
}

/// `5 3 . | . 7 . | . . .` with these bars and blanks.
fn barred(row: &str, bar: &str, blank: &str) -> String {
    let parts = [&row[..3], &row[3..6], &row[6..]].map(|part| spread(part, " ", blank));
    format!("{bar} {} {bar}", parts.join(&format!(" {bar} ")))
}

/// `rule` above, between and below the bands.
fn framed(rows: &[String], rule: &str) -> String {
    let bands: Vec<String> = rows.chunks(3).map(<[String]>::concat).collect();
    let rule = format!("{rule}\n");
    format!("{rule}{}{rule}", bands.join(&rule))
}

fn banded(rows: &[String]) -> String {
    rows.chunks(3).map(<[String]>::concat).collect::<Vec<_>>().join("\n")
}

const RULE: &str = "+-------+-------+-------+";

#[test]
fn what_is_around_grids_is_passed_over() {
    let rows = plain();
    let grid = rows.concat();
    let stars =
        framed(&drawn(|row| format!("|{}|{}|{}|", &row[..3], &row[3..6], &row[6..])), "*-----------*");
    let exclaimed = framed(&drawn(|row| format!("     {}", barred(row, "!", "."))), &format!("     {RULE}"));
    let braces: String = drawn(|row| format!("{{{}, }},", spread(row, ", ", "0"))).concat();
    for title in [
        "Puzzle 1:",
        "Sudoku 2",
        "Easy",
        "No. 1",
        "Level 3 (2 stars)",
        "% easy",
        "// easy",
        "[Puzzle]",
        "Grid 1 (easy)",
        "hard: moderate",
        "1",
        "9",
        "3",
        "It needs an XY-wing. Enjoy!",
        "Code: [Select]",
        "see https://example.org/puzzles/of/the/day/with/a/very/long/name/and/more",
    ] {
        holds(title, &format!("{title}\n{grid}{title}\n{grid}"), "PP");
        holds(title, &format!("{grid}{title}\n\n{grid}\n\n{title}\n"), "PP");
        holds(title, &format!("{title}\n{stars}{title}\n{stars}{title}\n"), "PP");
    }
    for (name, text, expected) in [
        ("footers", format!("{stars} Simple Sudoku\n  Version 4.2n\n").repeat(3), "PPP"),
        ("clips", format!("(solve-sudoku-grid \n{exclaimed})\n"), "P"),
        ("C", format!("int grid[9][9] = {{\n{braces}\n}};\n"), "P"),
        ("SAS", format!("data indata;\n   input C1-C9;\n   datalines;\n{grid}\n;\nrun;\n"), "P"),
        ("letters", format!("a\nb\nc\n{grid}{grid}{grid}"), "PPP"),
        ("quoted", format!("They write:\n> {}\n", grid.trim_end().replace('\n', "\n> ")), "P"),
        ("a line between", format!("{grid}And a second one\n{PUZZLE}\nCheers\nM.\n"), "PP"),
        // A word that galop wrote in place of a grid is a record, and what may be a row.
        ("words", format!("{stars}\nnone\n\nmultiple\n\n{stars}"), "PMMP"),
        ("dates", format!("2024-11-28\n{grid}2024-11-29\n{grid}"), "MPMP"),
        ("dates over bands", format!("2024-11-28\n{0}\n2024-11-29\n{0}", banded(&rows)), "MPMP"),
        ("numbers of columns", format!("1 2 3  4 5 6  7 8 9\n{stars}1 2 3  4 5 6  7 8 9\n{stars}"), "PP"),
        ("columns and bands", format!("123456789\n{}", banded(&rows)), "MP"),
    ] {
        holds(name, &text, expected);
    }
}

#[test]
fn rows_of_different_grids_never_join() {
    let rows = plain();
    let grid = rows.concat();
    let bands = banded(&rows);
    let boxed = framed(&drawn(|row| barred(row, "|", ".")), RULE);
    let short = framed(&drawn(|row| barred(row, "|", "."))[..8], RULE);
    for (name, text, expected) in [
        ("bands", bands.clone(), "P"),
        ("bands, one blank line", format!("{bands}\n{bands}\n{bands}"), "PPP"),
        ("bands, two blank lines", format!("{bands}\n\n{bands}"), "PP"),
        ("bands, title", format!("{bands}Next\n{bands}"), "PP"),
        ("bands of one source, framed", framed(&rows, "\n---+---+---\n"), "P"),
        ("a band less", format!("{}\n\n{bands}", rows[..6].concat()), "MP"),
        (
            "a band less, two blank lines",
            format!("{}\n{}\n\n{bands}", rows[..3].concat(), rows[3..6].concat()),
            "MP",
        ),
        ("a band before a grid", format!("{}\n{grid}", rows[..3].concat()), "MP"),
        ("bands before a grid", format!("{}\n{}\n{grid}", rows[..3].concat(), rows[3..6].concat()), "MP"),
        ("a row too many in a band", format!("{}\n{}", rows[..4].concat(), rows[4..].concat()), "MM"),
        ("a title", format!("{}Next\n{grid}", rows[..8].concat()), "MP"),
        ("two rules", format!("{short}{boxed}"), "MP"),
        ("two rules and a blank line", format!("{}\n{boxed}", framed(&plain()[..3], RULE)), "MP"),
        ("a bad first row", format!("4.....8.\n{}", rows[1..].concat()), "M"),
        ("a bad first row and a grid", format!("4.....8.\n{}\n{grid}", rows[1..].concat()), "MP"),
        ("a bad first row, no blank line", format!("4.....8.\n{}{grid}", rows[1..].concat()), "M"),
        ("bad rows", format!("{}\n{grid}", "4.....8.\n".repeat(9)), "MP"),
    ] {
        holds(name, &text, expected);
    }
    // The row 1 to 9 is also the first one of full grids.
    let solved: String = (0..9)
        .map(|row| {
            (0..9)
                .map(|at| (row * 3 + row / 3 + at) % 9 + 1)
                .map(|digit| digit.to_string())
                .collect::<String>()
                + "\n"
        })
        .collect();
    for (count, text) in [
        (1, solved.clone()),
        (3, solved.repeat(3)),
        (2, solved.clone() + "\n" + &solved),
        (2, solved + &grid),
    ] {
        let (_, records) = read(&text, CHUNK_BYTES);
        assert!(records.len() == count && records.iter().all(Result::is_ok), "{text}\n{records:?}");
    }
}

/// Without blank lines between the grids, a row that is lost does not move the rows of the next grids.
#[test]
fn rules_show_where_a_grid_begins() {
    let ways: [(&str, fn(&[String]) -> String); 3] = [
        ("inside", |rows| {
            rows.chunks(3).map(<[String]>::concat).collect::<Vec<_>>().join(&format!("{RULE}\n"))
        }),
        ("below", |rows| rows.chunks(3).map(|band| band.concat() + RULE + "\n").collect()),
        ("around", |rows| framed(rows, RULE)),
    ];
    let rows = drawn(|row| barred(row, "|", "."));
    for (name, draw) in ways {
        let whole = draw(&rows);
        for lost in 0..9 {
            let row = &rows[lost];
            let with = |text: &str| draw(&rows).replacen(row, text, 1);
            let mut damaged = vec![with(&format!("{}\n", &row[..20]))];
            // A title may come before a grid with a rule above it.
            if name != "below" {
                damaged.push(with("(lost)\n"));
            }
            // Without a rule below its last band, a grid with a row less ends like one whose next grid has a row less.
            if lost < 6 || name != "inside" {
                damaged.push(with(""));
            }
            for damaged in damaged {
                let text = format!("{whole}{damaged}{}", whole.repeat(3));
                let (_, records) = read(&text, CHUNK_BYTES);
                let found = records.iter().flatten().collect::<Vec<_>>();
                assert!(
                    found.len() == 4 && found.iter().all(|cells| cells[..] == self::cells(PUZZLE)),
                    "{name} {lost}\n{text}\n{records:?}"
                );
                assert!(records[1].is_err(), "{text}\n{records:?}");
                for chunk_bytes in [64, 150, 333] {
                    assert_eq!(read(&text, chunk_bytes).1, records, "{name} {lost} {chunk_bytes}");
                }
            }
        }
    }
}

/// Ways in which blanks are spaces, nothing, or dashes, each for all grids of a source.
const SPECIAL: usize = 9;

fn special(style: usize, row: &str) -> String {
    match style {
        0 => spread(row, "", "-"),
        1 => spread(row, " ", "-"),
        2 => format!("|{}|", spread(row, "|", "-")),
        3 => barred(row, "|", " "),
        4 => barred(row, "│", " "),
        5 => format!("│ {} │", spread(row, " │ ", " ")),
        6 => format!("|{}|.", spread(row, "|", " ")),
        7 => spread(row, "\t", ""),
        _ => spread(row, "", " "),
    }
}

#[test]
fn every_kind_of_blank() {
    for blank in ["None", "null", "-1", "nan", "NaN", "0", "\".\""] {
        let rows = drawn(|row| format!("[{}],", spread(row, ", ", blank)));
        holds(blank, &rows.concat(), "P");
        holds(blank, &format!("[{}]\n", rows.concat().replace('\n', " ")), "P");
    }
    for (name, rows) in [
        ("middle dots", drawn(|row| row.replace('.', "·"))),
        ("middle dots in bars", drawn(|row| barred(row, "│", "·"))),
        ("e", drawn(|row| spread(row, " ", "e"))),
        ("e without spaces", drawn(|row| spread(row, "", "e"))),
        ("stars", drawn(|row| spread(row, " ", "*"))),
        ("floats", drawn(|row| spread(row, " ", "0").replace(' ', ".000e+00 ") + ".000e+00")),
        ("short floats", drawn(|row| format!("[{}.]", spread(row, ". ", "0")))),
        ("quotes", drawn(|row| format!("> > {}", barred(row, "|", ".")))),
        ("LaTeX", drawn(|row| spread(row, " & ", " ") + "\\\\")),
        ("semicolons", drawn(|row| spread(row, ";", ""))),
    ] {
        holds(name, &rows.concat(), "P");
        holds(name, &format!("A title\n{}\nAnother\n{}", rows.concat(), banded(&rows)), "PP");
    }
    for style in 0..SPECIAL {
        let rows = drawn(|row| special(style, row));
        let name = format!("special {style}");
        holds(&name, &rows.concat(), "P");
        holds(&name, &format!("A title\n{}\n\nAnother\n{}", rows.concat(), banded(&rows)), "PP");
        // A blank row is not dropped, and no other row takes its place.
        let empty = special(style, ".........") + "\n";
        let with_empty = [&rows[..4], &[empty.clone()][..], &rows[5..]].concat().concat();
        let (_, records) = read(&format!("{with_empty}\n{}", rows.concat()), CHUNK_BYTES);
        let expected = [&cells(PUZZLE)[..36], &[0; 9], &cells(PUZZLE)[45..]].concat();
        assert_eq!(records, [Ok(expected), Ok(cells(PUZZLE).to_vec())], "{name}\n{with_empty}");
        if (3..6).contains(&style) {
            holds(&name, &framed(&rows, RULE), "P");
        }
    }
    for labels in
        [["A", "B", "C", "D", "E", "F", "G", "H", "I"], ["1", "2", "3", "4", "5", "6", "7", "8", "9"]]
    {
        for header in ["", "    1 2 3   4 5 6   7 8 9\n"] {
            let label = |rows: Vec<String>| -> String {
                rows.iter().zip(labels).map(|(row, label)| format!("{label} {row}")).collect()
            };
            for text in [label(drawn(|row| barred(row, "|", "."))), label(drawn(|row| barred(row, "|", " ")))]
            {
                holds("labels", &format!("{header}{text}\nNext\n{header}{text}"), "PP");
            }
        }
    }
}

#[test]
fn larger_grids_with_dashes_show_their_size() {
    let rules = galop_testing::rules::sudoku(25);
    let mut cells = vec![0; 625];
    (0..625).step_by(3).for_each(|at| cells[at] = (at % 25) as u8 + 1);
    let word = |cell: &u8| if *cell == 0 { "-".to_owned() } else { cell.to_string() };
    let text: String =
        cells.chunks(25).map(|row| row.iter().map(word).collect::<Vec<_>>().join(" ") + "\n").collect();
    assert_eq!(read(&text, CHUNK_BYTES), (rules.grid().side(), vec![Ok(cells)]));
    let line = "7ED-----4-8--9-G".to_owned() + &"-".repeat(240) + "\n";
    let (side, records) = read(&line.repeat(2), CHUNK_BYTES);
    assert_eq!((side, records.len()), (16, 2));
    assert!(
        records.iter().all(|record| record.as_ref().is_ok_and(|cells| cells[..4] == [7, 14, 13, 0])),
        "{records:?}"
    );
}

#[test]
fn puzzles_on_one_line_of_programs_and_links() {
    let placed = PUZZLE.replacen('8', "+8", 1).replacen('7', "+7", 1);
    for (name, text, expected) in [
        ("dashes", PUZZLE.replace('.', "-"), "P"),
        ("dashes and dots", PUZZLE.replace('.', "-").replacen('-', ".", 1), "M"),
        ("spaces", PUZZLE.replace('.', " "), "P"),
        ("a space less", PUZZLE.replace('.', " ").trim_end().to_owned(), "M"),
        ("middle dots", PUZZLE.replace('.', "·"), "P"),
        ("placed", placed.clone(), "P"),
        ("HoDoKu", format!(":0003:1:{placed}:411:111::\n:0003:1:{PUZZLE}:::111:"), "PP"),
        ("Susser", format!(":0000:x:{placed}:511 711 111::"), "P"),
        ("a link", format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", PUZZLE.replace('.', "0")), "P"),
        ("a link and more", format!("https://www.sudokuwiki.org/sudoku.htm?bd={PUZZLE}&x=1"), "P"),
        (
            "a link with a cell less",
            format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", &PUZZLE[1..]),
            "M",
        ),
        ("only dashes", "-".repeat(81), "M"),
    ] {
        holds(name, &(text + "\n"), expected);
    }
}

#[test]
fn a_source_says_that_eliminations_are_not_used() {
    let has_eliminations = |text: String| {
        let outcome = crate::solve(&mut stream(text), named("bitboard"), SolveOptions::default()).unwrap().1;
        outcome.inputs[0].has_eliminations
    };
    assert!(has_eliminations(format!(":0000:x:{PUZZLE}:511 711::\n")));
    for none in
        [format!(":0003:1:{PUZZLE}:::111:\n"), format!("{PUZZLE}:1:2:3:4\n"), format!(":0:x:{PUZZLE}:w:\n")]
    {
        assert!(!has_eliminations(none.clone()), "{none}");
    }
}

/// A grid in one of the ways that may be mixed in a source.
fn any_way(cells: &[u8], chance: &mut Chance) -> Vec<String> {
    let way = chance.below(11);
    let text: String =
        cells.iter().map(|&cell| if cell == 0 { '.' } else { char::from(b'0' + cell) }).collect();
    let draw = |row: &str| match way {
        0 => row.to_owned(),
        1 => spread(row, " ", "."),
        2 => barred(row, "|", "."),
        3 => barred(row, "!", "0"),
        4 => barred(row, "║", "·"),
        5 => format!("[{}],", spread(row, ", ", "None")),
        6 => format!("{{{}}},", spread(row, ",", "-1")),
        7 => spread(row, "\t", "0"),
        8 => format!("> {}", spread(row, "", "x")),
        9 => spread(row, " ", "e"),
        _ => format!("    \"{row}\","),
    };
    (0..9).map(|row| draw(&text[9 * row..][..9]) + "\n").collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    /// Grids in random ways, whole or without their last rows, with random text between them: the whole ones come out,
    /// and nothing else.
    #[test]
    fn exactly_the_grids_of_a_file_come_out(seed in any::<u64>(), chunk_bytes in 64_usize..2000) {
        const TITLES: &[&str] = &[
            "Puzzle 7", "[State]", "9", "Code: [Select]", "Simple Sudoku", "Version 4.2n", "hard: moderate", "(again", "};",
            "It needs an XY-wing, 3 times. Enjoy!", "https://example.org/?puzzle=1234567890123456789012345678901234567890",
        ];
        let mut chance = Chance::new(seed);
        // Spaces and dashes are blanks of all grids of a source or of none.
        let style = Some(chance.below(2 * SPECIAL)).filter(|&style| style < SPECIAL);
        let (mut text, mut expected, mut short) = (String::new(), Vec::new(), 0);
        for index in 0..1 + chance.below(6) {
            let cells: Vec<u8> = (0..81).map(|_| if chance.below(3) == 0 { 1 + chance.below(9) as u8 } else { 0 }).collect();
            let rows = match style {
                Some(style) => {
                    let row = |row: &[u8]| row.iter().map(|&cell| if cell == 0 { '.' } else { char::from(b'0' + cell) }).collect::<String>();
                    cells.chunks(9).map(|cells| special(style, &row(cells)) + "\n").collect()
                }
                None => any_way(&cells, &mut chance),
            };
            let is_short = index > 0 && chance.below(4) == 0;
            let rows = &rows[..if is_short { 1 + chance.below(8) } else { 9 }];
            for _ in 0..chance.below(3) {
                text += TITLES[chance.below(TITLES.len())];
                text += ["\n", "\n\n", "\r\n"][chance.below(3)];
            }
            text += &match chance.below(3) {
                0 => banded(rows),
                1 => framed(rows, "+---+---+---+"),
                _ => rows.concat(),
            };
            text += ["\n\n", "Next\n", "\nNext\n", "\nNext\n\n"][chance.below(4)];
            if is_short { short += 1 } else { expected.push(cells) }
        }
        let (_, records) = read(&text, chunk_bytes);
        let puzzles: Vec<_> = records.iter().filter_map(|record| record.as_ref().ok()).cloned().collect();
        prop_assert_eq!(&puzzles, &expected, "{}\n{:?}", text, records);
        prop_assert_eq!(records.len() - puzzles.len(), short, "{}\n{:?}", text, records);
        let options = SolveOptions::default().chunk_bytes(NonZero::new(chunk_bytes)).times(false);
        let out = |options| crate::solve(&mut stream(&*text), named("bitboard"), options).unwrap().0;
        prop_assert_eq!(out(options), out(options.chunk_bytes(NonZero::new(1 << 20))));
    }
}

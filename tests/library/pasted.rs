//! Puzzles as people paste them: strings in quotes, lists, groups on one line, `…`, names behind `-`, frames of other
//! characters. One puzzle is read the same however it is written.

use galop_batch::input::{RecordReader, Source, detect_rules};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_engines::Rules;
use galop_engines::grid::{Alphabet, Variant};
use proptest::prelude::*;

use crate::stream;
use galop_testing::chance::Chance;
use galop_testing::puzzles::{PUZZLE, SOLUTION};

/// How a source was read: the side of its grids, the format, and the cells of each record or its error.
type Read = (usize, &'static str, Vec<Result<Vec<u8>, String>>);

fn read_source(source: &mut Source, alphabet: Option<&Alphabet>) -> Read {
    let rules = detect_rules(std::slice::from_mut(source), &Variant::default(), alphabet);
    let Ok(rules) = rules else { return (0, "", vec![Err(format!("{rules:?}"))]) };
    let mut reader = RecordReader::new(source, CHUNK_BYTES, &rules);
    let (mut all, mut format) = (Vec::new(), "");
    while let Some(records) = reader.next_chunk().unwrap() {
        format = records.format();
        all.extend(records.iter().map(|record| match &record.puzzle {
            Ok(puzzle) => Ok(puzzle.cells.to_vec()),
            Err(error) => Err(records.malformed(&record, *error).to_string()),
        }));
    }
    (rules.grid().side(), format, all)
}

fn read(text: &str) -> Read {
    read_source(&mut stream(text), None)
}

/// Asserts that `text` is `count` times the puzzle.
#[track_caller]
fn holds(text: &str, count: usize) {
    let cells = galop_testing::puzzles::cells(PUZZLE).to_vec();
    let (side, _, records) = read(text);
    assert_eq!((side, records), (9, vec![Ok(cells); count]), "{text}");
}

fn rows(cells: &[u8]) -> impl Iterator<Item = &[u8]> {
    cells.chunks(cells.len().isqrt())
}

/// The grid as a list of numbers a row, around each of which `row` puts brackets.
fn numbers(cells: &[u8], between: &str, row: impl Fn(usize, String) -> String) -> Vec<String> {
    let number = |cell: &u8| cell.to_string();
    let text = |row: &[u8]| row.iter().map(number).collect::<Vec<_>>().join(between);
    rows(cells).enumerate().map(|(at, cells)| row(at, text(cells))).collect()
}

/// A list of lists, one row a line.
fn list_of_lists(cells: &[u8]) -> String {
    let last = cells.len().isqrt() - 1;
    numbers(cells, ", ", |at, row| {
        let (open, close) = (if at == 0 { "[[" } else { " [" }, if at == last { "]]" } else { "]," });
        format!("{open}{row}{close}\n")
    })
    .concat()
}

/// Every way of writing one grid: each text is one record.
fn every_way(cells: &[u8], rules: &Rules) -> Vec<String> {
    let side = cells.len().isqrt();
    let characters: Vec<String> = rows(cells)
        .map(|row| row.iter().map(|&cell| char::from(rules.alphabet().character(cell))).collect())
        .collect();
    let (text, lines) = (characters.concat(), characters.join("\n") + "\n");
    let list = list_of_lists(cells);
    let strings = |row: &String| {
        let values: Vec<String> = row.chars().map(|cell| format!("\"{cell}\"")).collect();
        format!("[{}]", values.join(","))
    };
    let strings: Vec<String> = characters.iter().map(strings).collect();
    let quoted: Vec<String> = characters.iter().map(|row| format!("    \"{row}\",\n")).collect();
    let spaced: Vec<String> = characters.iter().map(|row| row.replace("", " ").trim().to_owned()).collect();
    let boxed = |left: &str, rule: &str, right: &str| format!("{left}{}{right}\n", rule.repeat(side));
    let framed = |sides: &str| {
        let row = |row: &String| format!("{sides}{}{sides}\n", row.replace("", " ").trim());
        characters.iter().map(row).collect::<String>()
    };
    let mut ways = vec![
        format!("{text}\n"),
        format!("{lines}\n"),
        format!("\"{text}\",\n"),
        format!("'{text}'\n"),
        format!("grid2 = \"{text}\"\n"),
        format!("puzzle: '{text}'  # one\n"),
        format!("const grid = `{text}`;\n"),
        format!("{text}-Inkala\n"),
        format!("\"\"\"\n{lines}\"\"\"\n"),
        format!("grid1 = \"\"\"\n{lines}\"\"\"\n\n"),
        format!("grid1 = \"\"\"{}\"\"\"\n", lines.trim_end()),
        list.clone(),
        format!("board = {list}"),
        format!("grid = np.array({})\n", list.trim_end()),
        format!("puzzle = [\n{}]\n", list.replacen("[[", " [", 1).replacen("]]", "],", 1)),
        format!("[{}]\n", numbers(cells, ", ", |_, row| format!("[{row}]")).join(", ")),
        format!("grid = [{}]  # [1]\n", numbers(cells, ",", |_, row| format!("[{row}]")).join(",")),
        format!("{}\n", numbers(cells, ", ", |_, row| row).join(", ")),
        format!("{{{}}};\n", numbers(cells, ",", |_, row| format!("{{{row}}}")).join(",")),
        numbers(cells, ",", |_, row| row + "\n").concat(),
        numbers(cells, ", ", |_, row| format!("({row}),  # a row\n")).concat(),
        format!("[{}]\n", strings.join(",")),
        strings.join(",\n") + "\n",
        format!("[\n{}]\n", quoted.concat()),
        format!("{}\n", characters.join(" ")),
        format!("{}\n", characters.join("/")),
        format!("{}\n", characters.join(", ")),
        format!("\"{}\"\n", characters.join("\\n")),
        boxed("┌", "─", "┐") + &framed("│") + &boxed("└", "─", "┘"),
        boxed("╔", "═", "╗") + &framed("║") + &boxed("╚", "═", "╝"),
        boxed("┏", "━", "┓") + &framed("\u{a0}┃\u{a0}") + "┗━━┛\n",
    ];
    if text.contains("...") {
        ways.push(format!("{}\n", text.replace("...", "…")));
        ways.push(format!("grid = \"{}\"\n", text.replace("...", "…")));
        ways.push(format!("{}\n", characters.join(" ").replace("...", "…")));
        ways.push(characters.join("\n").replace("...", "…") + "\n");
    }
    // Spaces between the cells of one line: more cells than a row of any grid.
    if side == 9 {
        ways.push(format!("{}\n", spaced.join("  ")));
        ways.push(format!("{}\n", numbers(cells, " ", |_, row| row).join(" ")));
        ways.push(
            numbers(cells, " ", |at, row| format!("{}[{row}]\n", if at == 0 { "[" } else { " " })).concat(),
        );
    }
    ways
}

#[test]
fn every_way_of_pasting_a_puzzle() {
    let rules = Rules::default();
    let cells = galop_testing::puzzles::cells(PUZZLE);
    for text in every_way(&cells, &rules) {
        holds(&text, 1);
        holds(&text.replace('\n', "\r\n"), 1);
        holds(&format!("\u{feff}# mine\n\n{text}"), 1);
        holds(&format!("{text}\n{text}\n# end\n{text}"), 3);
    }
    // All of them in one file.
    let all = every_way(&cells, &rules);
    let [grids_first, lines_first] = [list_of_lists(&cells), format!("{PUZZLE}\n")];
    holds(&(grids_first.clone() + "\n" + &all.join("\n")), all.len() + 1);
    holds(&(lines_first + &grids_first + "\n" + &all.join("\n")), all.len() + 2);
}

#[test]
fn the_solution_beside_a_quoted_puzzle_is_found() {
    for line in [
        format!("\"{PUZZLE}\",\"{SOLUTION}\"\n"),
        format!("('{PUZZLE}', '{SOLUTION}'),\n"),
        format!("\"{PUZZLE}\": \"{SOLUTION}\",\n"),
        format!("{},{SOLUTION}\n", PUZZLE.replace("...", "…")),
        format!("{PUZZLE}-Inkala,{SOLUTION}\n"),
        format!("7 \"{PUZZLE}\" {SOLUTION}\n"),
    ] {
        let mut source = stream(&*line);
        let mut reader = RecordReader::new(&mut source, CHUNK_BYTES, &Rules::default());
        let records = reader.next_chunk().unwrap().unwrap();
        let record = records.iter().next().unwrap();
        let solution = records.solution(&record).map(|cells| galop_testing::puzzles::digits(&cells));
        assert_eq!(solution.as_deref(), Some(SOLUTION), "{line}");
    }
}

#[test]
fn large_grids_in_numbers_show_their_size_and_their_alphabet() {
    for (side, first) in [(16, 10), (25, 25), (12, 12), (4, 3), (6, 5)] {
        let rules = galop_testing::rules::sudoku(side);
        let mut cells = vec![0; side * side];
        (cells[0], cells[side], cells[side * side - 1]) = (first, 2, 1);
        let list = list_of_lists(&cells);
        let flat = numbers(&cells, ", ", |_, row| row).join(", ") + "\n";
        let csv = numbers(&cells, ",", |_, row| row + "\n").concat();
        for text in [list.clone(), flat.clone(), csv, format!("{list}\n{list}"), flat.repeat(5)] {
            let (found, _, records) = read(&text);
            assert_eq!(found, side, "{text}");
            assert!(records.iter().all(|record| record.as_ref() == Ok(&cells)), "{text}\n{records:?}");
        }
        for text in every_way(&cells, &rules) {
            let (_, _, records) = read_source(&mut stream(&*text), Some(rules.alphabet()));
            assert_eq!(records, [Ok(cells.clone())], "{side}: {text}");
        }
    }
}

/// What is nearly a puzzle is malformed, and the message names the place.
#[test]
fn what_is_nearly_a_puzzle_is_malformed() {
    let cells = galop_testing::puzzles::cells(PUZZLE);
    let list = list_of_lists(&cells);
    let flat = numbers(&cells, ", ", |_, row| row).join(", ");
    let groups =
        PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row)).collect::<Vec<_>>().join(" ");
    let good = format!("{list}\n");
    for (text, place, message) in [
        (format!("{PUZZLE}\n[{flat}, 0]\n"), "2:246", "82 cells (a puzzle has 81"),
        (format!("{PUZZLE}\n[{}]\n", &flat[3..]), "2:24", "80 cells (a puzzle has 81"),
        (
            format!("{PUZZLE}\n{}\n", flat.replacen('8', "10", 1)),
            "2:19",
            "the number 10 (cells are numbers from 1 to 9",
        ),
        (format!("{PUZZLE}\n{}\n", flat.replacen('0', "-1", 1)), "2:4", "unexpected `-`"),
        (format!("{PUZZLE}\n\"{}\"\n", &PUZZLE[1..]), "2:82", "80 cells (a puzzle has 81"),
        (format!("{PUZZLE}\n{}\n", &groups[1..]), "2:19", "9 cells (a puzzle has 81"),
        (format!("{PUZZLE}\n7 {}\n", &PUZZLE[1..]), "2:83", "80 cells (a puzzle has 81"),
        (good.clone() + &list.replacen(", 0]", "]", 1), "12:25", "8 cells in a row of a grid (a row has 9"),
        (good.clone() + &list.replacen('3', "13", 1), "12:6", "the number 13 (cells are numbers from 1 to 9"),
        (good.clone() + &list.replacen(" 0", " x1", 1), "11:", "cells"),
    ] {
        let (_, _, records) = read(&text);
        assert_eq!(records.len(), 2, "{text}\n{records:?}");
        let error = records[1].as_ref().unwrap_err();
        assert!(error.starts_with(&format!("file:{place}")) && error.contains(message), "{error}\n{text}");
    }
    // Values by name are not guessed.
    let object = format!("{PUZZLE}\n{{\"solution\": \"{SOLUTION}\", \"puzzle\": \"{PUZZLE}\"}}\n");
    assert!(read(&object).2[1].is_err());
    // Lines with numbers among grids are not rows.
    let (_, _, records) = read(&format!("{good}100,200,300\n\n{list}"));
    assert!(records[1].is_err() && records.len() == 3, "{records:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Random grids of all sizes are read the same in all ways.
    #[test]
    fn random_grids_are_read_the_same_in_every_way(
        seed in any::<u64>(), side in prop::sample::select(&[4usize, 6, 9, 12, 16, 25][..]), share in 1usize..10,
    ) {
        let rules = galop_testing::rules::sudoku(side);
        let mut chance = Chance::new(seed);
        let cells: Vec<u8> = (0..side * side)
            .map(|_| if chance.below(10) < share { 1 + chance.below(side) as u8 } else { 0 })
            .collect();
        for text in every_way(&cells, &rules) {
            let (_, _, records) = read_source(&mut stream(&*text), Some(rules.alphabet()));
            prop_assert_eq!(&records, &vec![Ok(cells.clone())], "{}", text);
        }
    }
}

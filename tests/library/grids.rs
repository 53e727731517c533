//! The format `grids`, puzzles over several lines: Norvig's three ways, frames as people draw them, files that mix
//! them, and every kind of malformed grid with its place and its message.

use std::num::NonZero;

use galop_batch::Error;
use galop_batch::input::{Count, LineErrorKind, Source};
use galop_batch::output;
use galop_batch::pipeline::{SolveOptions, SolveOutcome, VerifyOptions, verify};
use galop_engines::Rules;

use crate::stream;
use galop_testing::engines::named;
use galop_testing::puzzles::{PUZZLE, SOLUTION};

/// Norvig's third way, from <https://norvig.com/sudoku.html>.
const NORVIG: &str = "\
4 . . |. . . |8 . 5 
. 3 . |. . . |. . . 
. . . |7 . . |. . . 
------+------+------
. 2 . |. . . |. 6 . 
. . . |. 8 . |4 . . 
. . . |. 1 . |. . . 
------+------+------
. . . |6 . 3 |. 7 . 
5 . . |2 . . |. . . 
1 . 4 |. . . |. . . 
";

/// Solves `source` in chunks of `chunk_bytes`, printed in an output format.
fn solve(source: &mut Source, format: &str, chunk_bytes: usize, threads: usize) -> (String, SolveOutcome) {
    try_solve(source, format, chunk_bytes, threads).unwrap()
}

/// The same, or the reason why the source is refused.
fn try_solve(
    source: &mut Source,
    format: &str,
    chunk_bytes: usize,
    threads: usize,
) -> Result<(String, SolveOutcome), Error> {
    let format = output::format(format).unwrap();
    let options = SolveOptions::default()
        .threads(NonZero::new(threads))
        .format(format)
        .chunk_bytes(NonZero::new(chunk_bytes))
        .times(false);
    crate::solve(source, named("bitboard"), options)
}

fn run(input: impl AsRef<[u8]>) -> (String, SolveOutcome) {
    solve(&mut stream(input.as_ref()), "pair", 4096, 1)
}

/// Asserts that `input` is read as `count` grids, each of them the puzzle, and echoed in digits and dots.
#[track_caller]
fn holds(input: impl AsRef<[u8]>, count: usize) {
    let (out, outcome) = run(input.as_ref());
    let text = String::from_utf8_lossy(input.as_ref());
    assert_eq!(out, format!("{PUZZLE},{SOLUTION}\n").repeat(count), "{text}\n{:?}", outcome.malformed);
    assert_eq!(outcome.inputs[0].format, "grids", "{text}");
}

/// Asserts the places and messages of the malformed grids of `input`, and that `others` more records are the puzzle.
#[track_caller]
fn complains(input: impl AsRef<[u8]>, complaints: &[&str], others: usize) {
    let (out, outcome) = run(input);
    let found: Vec<String> = outcome.malformed.iter().map(ToString::to_string).collect();
    assert_eq!(found, complaints, "{out}");
    assert_eq!(out.lines().count(), complaints.len() + others);
    assert_eq!(out.matches(SOLUTION).count(), others, "{out}");
}

/// The puzzle row by row, each row drawn by `draw`.
fn drawn(draw: impl Fn(usize, &str) -> String) -> String {
    (0..9).map(|row| draw(row, &PUZZLE[9 * row..][..9])).collect()
}

fn plain() -> String {
    drawn(|_, row| format!("{row}\n"))
}

/// The puzzle in a frame: `rule` above every band, `side` between the stacks, `end` below.
fn framed(rule: &str, side: &str, end: &str) -> String {
    let line = |row: &str| format!("{side}{}{side}{}{side}{}{side}\n", &row[..3], &row[3..6], &row[6..]);
    drawn(|at, row| if at % 3 == 0 { format!("{rule}\n{}", line(row)) } else { line(row) }) + end + "\n"
}

fn every_way() -> Vec<String> {
    let spaced = |text: String| text.replace("", " ");
    vec![
        plain(),
        plain().replace('.', "0"),
        plain().replace('.', "*"),
        plain().replace('.', "x"),
        NORVIG.to_owned(),
        NORVIG.replace('.', "0"),
        NORVIG.trim_end().to_owned(),
        drawn(|at, row| {
            let rule = if at % 3 == 0 { "-------------------------\n" } else { "" };
            let [one, two, three] = [0, 3, 6].map(|from| row[from..from + 3].replace("", "  "));
            format!("{rule}{}|{}|{}\n", one.trim(), two.trim_end(), three.trim_end())
        }),
        drawn(|_, row| format!("   \t{row}\n")),
        drawn(|_, row| format!("{} \n", spaced(row.to_owned()))),
        framed("+---+---+---+", "|", "+---+---+---+"),
        framed("+-------+-------+-------+", " | ", "+-------+-------+-------+"),
        framed(" *-----------*", "|", " *-----------*"),
        framed("=============", "!", "============="),
        framed(".---.---.---.", "|", "'---'---'---'").replacen("\n.---.---.---.", "\n:---+---+---:", 2),
        framed("* * * *", "*", "* * * *"),
        framed("*---*---*---*", "*", "*---*---*---*").replace('.', "0"),
    ]
}

#[test]
fn every_way_of_writing_a_grid() {
    for grid in every_way() {
        holds(&grid, 1);
        holds(grid.replace('\n', "\r\n"), 1);
        holds(format!("\u{feff}{grid}"), 1);
        holds(format!("# mine\n\n   # yours\n{grid}\n\n# theirs\n"), 1);
        holds(grid.replace('\n', "\n# a comment between rows\n"), 1);
        holds(format!("{}\n\n \t\n{grid}", grid.trim_end()), 2);
        // Without a blank line between.
        holds(format!("{}\n{grid}", grid.trim_end()), 2);
    }
}

#[test]
fn files_mix_the_ways() {
    let all: Vec<String> = every_way().iter().map(|grid| grid.trim_end().to_owned()).collect();
    for between in ["\n\n", "\n", "\r\n\r\n", "\n# next\n", "\n---\n"] {
        holds(all.join(between), all.len());
        holds(
            format!("{PUZZLE}{between}{}{between}{PUZZLE},7{between}id {PUZZLE}\n", all.join(between)),
            all.len() + 3,
        );
    }
    let titled: String = (1..=50).map(|number| format!("Grid {number:02}\n{}", plain())).collect();
    holds(titled, 50);
}

#[test]
fn lines_stay_lines() {
    for text in
        [format!("{PUZZLE}\n\n{PUZZLE}\n"), format!("{PUZZLE}\n123456789\n"), "123\n123\n123\n".to_owned()]
    {
        assert_eq!(run(text).1.inputs[0].format, "lines");
    }
    // A word over a grid is its title, not the header of a table.
    for title in ["puzzle", "Sudoku", "Question, easy"] {
        holds(format!("{title}\n{}", plain()), 1);
    }
}

fn row_of(found: usize) -> String {
    LineErrorKind::GridRow(Count { found: found as u32, expected: 9 }).to_string()
}

fn ends_after(found: usize) -> String {
    LineErrorKind::GridLength(Count { found: found as u32, expected: 81 }).to_string()
}

#[test]
fn a_malformed_grid_is_one_record_and_names_its_first_wrong_byte() {
    let grid = plain();
    let around = |bad: &str| format!("{grid}\n{}\n\n{grid}", bad.trim_end());
    let character =
        "unexpected `a` in a grid (cells are 1-9, a blank is one of . 0 * _ x X ?, frames are of | - + = !)";
    complains(around(&grid.replacen("..8.4", "..a.4", 1)), &[&format!("file:15:5: {character}")], 2);
    complains(around(&grid.replacen("...7.....", "...7....", 1)), &[&format!("file:13:9: {}", row_of(8))], 2);
    complains(
        around(&grid.replacen("...7.....", "...7......", 1)),
        &[&format!("file:13:10: {}", row_of(10))],
        2,
    );
    complains(around(&grid.replacen("...7.....\n", "", 1)), &[&format!("file:18:10: {}", ends_after(72))], 2);
    complains(
        around(&grid.replacen("...7.....\n", "...7.....\n\n", 1)),
        &[&format!("file:13:10: {}", ends_after(27)), &format!("file:20:10: {}", ends_after(54))],
        2,
    );
    complains(around("12345\n"), &[&format!("file:11:6: {}", row_of(5))], 2);
    // A title is no row.
    complains(around("rubbish\n"), &[], 2);
    complains(around("1\n"), &[], 2);
    complains(around(&".".repeat(54)), &[&format!("file:11:10: {}", row_of(54))], 2);
    complains(format!("{grid}{grid}123456789"), &[&format!("file:19:10: {}", ends_after(9))], 2);
    complains(
        around("1\0"),
        &["file:11:2: a NUL byte (text has none; the file may be binary or truncated)"],
        2,
    );
    // Only the first error is reported, at its place.
    complains(
        around(&grid.replacen(".3.......", ".3......", 1).replace('7', "z")),
        &[&format!("file:12:9: {}", row_of(8))],
        2,
    );
}

/// A long line is a puzzle of its own: it does not swallow a row of the next grid.
#[test]
fn a_malformed_line_among_grids_is_a_record_of_its_own() {
    let length = "80 cells (a puzzle has 81, row by row on one line)";
    let character = "unexpected `a` (cells are 1-9, a blank is one of . 0 * _ x X ?, fields end in space, tab or one of , ; : #)";
    let wrong = PUZZLE.replacen('8', "a", 1);
    let text = format!("{}{}\n{wrong},1\n{}{PUZZLE}\n", plain(), &PUZZLE[1..], plain());
    complains(text, &[&format!("file:10:81: {length}"), &format!("file:11:7: {character}")], 3);
}

#[test]
fn grids_beside_each_other_are_one_malformed_record() {
    let beside = drawn(|_, row| format!("{row}   {row}\n"));
    complains(format!("{beside}\n{}", plain()), &[&format!("file:1:13: {}", row_of(18))], 1);
    let framed: String = NORVIG.lines().map(|line| format!("{line} {line}\n")).collect();
    complains(format!("{}\n{framed}\n{NORVIG}", plain()), &[&format!("file:11:22: {}", row_of(18))], 2);
}

/// The grid after a malformed one is found, even without a blank line between.
#[test]
fn a_bad_row_counts_as_a_row() {
    let bad = plain().replacen("...7.....", "...7.....1", 1);
    complains(format!("{0}{bad}{0}{0}", plain()), &[&format!("file:12:10: {}", row_of(10))], 3);
    let short = plain().replacen("...7.....\n", "", 1);
    complains(
        format!("{0}{short}Grid 3\n{0}{short}{PUZZLE}\n", plain()),
        &[&format!("file:17:10: {}", ends_after(72)), &format!("file:35:10: {}", ends_after(72))],
        3,
    );
}

#[test]
fn a_malformed_grid_is_echoed_on_one_line() {
    let bad = plain().replacen("...7.....", "...7....,", 1);
    let input = format!("{}\r\n{}", plain(), bad.replace('\n', "\r\n"));
    for format in ["pair", "csv", "json", "solution"] {
        let (out, _) = solve(&mut stream(&*input), format, 0, 1);
        assert_eq!(out.lines().count(), 2 + usize::from(format == "csv"), "{format}");
        let last = out.lines().last().unwrap();
        assert!(last.contains("malformed"));
        let is_echoed =
            last.replace("\\\\", "\\").contains("4.....8.5\\x0d\\x0a.3.......\\x0d\\x0a...7....\\x2c\\x0d");
        assert!(is_echoed || format == "solution", "{last}");
    }
}

#[test]
fn slow_puzzles_have_the_line_of_their_first_row() {
    let input = format!("# one\n\n{NORVIG}\n{}", plain());
    let (_, outcome) = run(&input);
    let slowest: Vec<(u64, &str)> = outcome.slowest.iter().map(|slow| (slow.line, &*slow.puzzle)).collect();
    assert_eq!(slowest.len(), 2);
    assert!(slowest.contains(&(3, PUZZLE)) && slowest.contains(&(15, PUZZLE)), "{slowest:?}");
    let input = &outcome.inputs[0];
    assert_eq!((input.lines, input.records), (23, 2));
}

#[test]
fn verify_solves_grids_because_they_have_no_solution() {
    let check = |text: String| {
        let mut faults = Vec::new();
        let mut source = stream(text);
        let options = VerifyOptions::default().threads(NonZero::new(2));
        let verified = verify(&Rules::default(), named("bitboard"), &mut source, &options, &mut |faulty| {
            faults.push(faulty.to_string());
            Ok(())
        });
        (verified.unwrap(), faults)
    };
    let twice = plain().replacen("4..", "44.", 1);
    let (verified, faults) = check(format!(
        "{NORVIG}
{twice}
{PUZZLE},{SOLUTION}
{PUZZLE},{PUZZLE}
12345678
"
    ));
    let verdicts = verified.verdicts;
    assert_eq!((verdicts.right, verdicts.faulty, verdicts.solved, verified.input.lines), (1, 3, 1, 25));
    assert!(faults[0].starts_with("file:13:1: none: 4 occurs twice in row 1"), "{faults:?}");
    assert!(faults[1].starts_with("file:24:84: in the solution"), "{faults:?}");
    assert!(faults[2].starts_with("file:25:9: 8 cells in a row"), "{faults:?}");
}

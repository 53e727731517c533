//! Tables whose rows are broken: what comes out is a valid table whose columns are right, or a row marked malformed.

use std::io::Write;
use std::num::NonZero;
use std::process::Command;

use galop_batch::input::MAX_RECORD_BYTES;
use galop_batch::output;
use galop_batch::pipeline::{SolveOptions, SolveOutcome, SolveRun};
use galop_engines::Rules;
use galop_engines::puzzle::Status;

use crate::{solve, stream};
use galop_testing::available::{sized, skip};
use galop_testing::chance::Chance;
use galop_testing::engines::named;
use galop_testing::puzzles::{PUZZLE, SOLUTION};

/// The answers to a table, in the format `csv`, without times.
fn run(table: impl AsRef<[u8]>) -> (String, SolveOutcome) {
    let (out, outcome) = run_in(table.as_ref(), "csv", 64);
    (String::from_utf8(out).unwrap(), outcome)
}

/// The same of a table with long rows.
fn run_wide(table: String) -> (String, SolveOutcome) {
    let (out, outcome) = run_in(table.as_bytes(), "csv", 1 << 16);
    (String::from_utf8(out).unwrap(), outcome)
}

/// The answers in an output format. The table is read in chunks of `chunk_bytes` bytes.
fn run_in(table: &[u8], format: &str, chunk_bytes: usize) -> (Vec<u8>, SolveOutcome) {
    let options = SolveOptions::default()
        .threads(NonZero::new(1))
        .format(output::format(format).unwrap())
        .chunk_bytes(NonZero::new(chunk_bytes))
        .times(false);
    let mut run = SolveRun::open(&Rules::default(), named("bitboard"), options).unwrap();
    let mut out = Vec::new();
    run.solve(&mut stream(table), &mut out, &mut ()).unwrap();
    let outcome = run.finish(&mut out).unwrap();
    (out, outcome)
}

/// Asserts the rows of the output behind its header, and the places and reasons of the malformed ones.
#[track_caller]
fn rows(table: impl AsRef<[u8]>, rows: &[&str], complaints: &[&str]) {
    let (out, outcome) = run(table);
    assert_eq!(out.lines().skip(1).collect::<Vec<_>>(), rows);
    let found: Vec<String> = outcome.malformed.iter().map(ToString::to_string).collect();
    assert_eq!(found, complaints);
}

#[test]
fn a_short_row_is_padded_to_the_width_of_the_header() {
    let answer = format!("{SOLUTION},solved,1,0,");
    for (table, expected) in [
        (format!("id,puzzle,note\n1,{PUZZLE}\n"), format!("1,{PUZZLE},,{answer}")),
        (format!("id,puzzle,a,b,c\r\n1,{PUZZLE},\r\n"), format!("1,{PUZZLE},,,,{answer}")),
        (format!("id,puzzle,note\n1,\"{PUZZLE}\""), format!("1,\"{PUZZLE}\",,{answer}")),
        (format!("puzzle,note\n{PUZZLE}\n"), format!("{PUZZLE},,{answer}")),
        (format!("puzzle,a,b\n{PUZZLE},\"x,y\"\n"), format!("{PUZZLE},\"x,y\",,{answer}")),
        (format!("puzzle,note\n{PUZZLE},\n"), format!("{PUZZLE},,{answer}")),
    ] {
        rows(table, &[&expected], &[]);
    }
}

#[test]
fn a_row_with_too_many_fields_is_malformed() {
    let (start, end) = (&PUZZLE[..3], "malformed,0,0,");
    let echo = |row: &str| format!("\"{}\"", row.replace(',', "\\x2c"));
    let table = format!("id,puzzle\n1,{PUZZLE},{start}\n2,{PUZZLE}\n3,{PUZZLE},,\n");
    let expected = [
        format!(",{},,{end}", echo(&format!("1,{PUZZLE},{start}"))),
        format!("2,{PUZZLE},{SOLUTION},solved,1,0,"),
        format!(",{},,{end}", echo(&format!("3,{PUZZLE},,"))),
    ];
    let complaints = ["file:2:85: 3 fields (the header has 2)", "file:4:85: 4 fields (the header has 2)"];
    rows(table, &expected.each_ref().map(String::as_str), &complaints);
    // The puzzle in the first column.
    let table = format!("puzzle,a\n{PUZZLE},1,2\n{PUZZLE},1\n");
    let expected =
        [format!("{},,,{end}", echo(&format!("{PUZZLE},1,2"))), format!("{PUZZLE},1,{SOLUTION},solved,1,0,")];
    rows(table, &expected.each_ref().map(String::as_str), &["file:2:85: 3 fields (the header has 2)"]);
}

/// A malformed row in the output of a table `puzzle,note`.
fn malformed(echo: &str) -> String {
    let echo = echo.replace(',', "\\x2c").replace('\r', "\\x0d").replace('"', "\"\"");
    format!("\"{echo}\",,,malformed,0,0,")
}

const OPEN: &str = "a quoted field is not closed (a quote ends it, then comes a delimiter or the end of the row, within 16777216 bytes)";

#[test]
fn a_quote_that_is_not_closed_makes_its_row_malformed() {
    let right = |note: &str| format!("{PUZZLE},{note},{SOLUTION},solved,1,0,");
    let table = format!("puzzle,note\n{PUZZLE},\"abc\n{PUZZLE},c\n{PUZZLE},\"d\"\n");
    let expected = [malformed(&format!("{PUZZLE},\"abc")), right("c"), right("\"d\"")];
    rows(table, &expected.each_ref().map(String::as_str), &[&format!("file:2:83: {OPEN}")]);

    // Quotes that are no fault: doubled, inside an unquoted field, with spaces behind.
    for note in ["\"a \"\"b\"\", c\"", "5\" disk", "\"a,b\"  ", "\"\"", " \"a", "\"a\rb\""] {
        rows(format!("puzzle,note\n{PUZZLE},{note}\n"), &[&right(note)], &[]);
    }
}

/// A row reaches to the first line end outside quotes, and keeps its lines.
#[test]
fn a_quoted_field_may_have_several_lines() {
    let table = format!(
        "id,puzzle,note\n1,{PUZZLE},\"a\nb, \"\"c\"\"\r\n\n\"\r\n\"2\n\",\"{PUZZLE}\",x\n\"3\n\",rubbish,\"\n\"\n4,{PUZZLE}\n"
    );
    let answer = format!("{SOLUTION},solved,1,0,");
    let expected = format!(
        "1,{PUZZLE},\"a\nb, \"\"c\"\"\r\n\n\",{answer}\n\"2\n\",\"{PUZZLE}\",x,{answer}\n\
         ,\"\"\"3\\x0a\"\"\\x2crubbish\\x2c\"\"\\x0a\"\"\",,,malformed,0,0,\n4,{PUZZLE},,{answer}\n"
    );
    for chunk_bytes in [64, 100, 4096] {
        let (out, outcome) = run_in(table.as_bytes(), "csv", chunk_bytes);
        let out = String::from_utf8(out).unwrap();
        assert_eq!(out.split_once('\n').unwrap().1, expected);
        assert_eq!((outcome.inputs[0].lines, outcome.inputs[0].records), (11, 4));
        // The line and the column of the fault, not of the row.
        let malformed = outcome.malformed[0].to_string();
        assert!(malformed.starts_with("file:9:3: unexpected `r`"), "{malformed}");
    }
    // The bytes that are held are bounded: a quote that is closed later than that is not closed.
    let line = "x".repeat(1023) + "\n";
    let long = |lines| format!("puzzle,note\n{PUZZLE},\"{}\"\n{PUZZLE},1\n", line.repeat(lines));
    let (_, outcome) = run_in(long(200).as_bytes(), "csv", 4096);
    assert_eq!((outcome.tally.records(), outcome.tally.of(Status::Solved)), (2, 2));
    let lines = MAX_RECORD_BYTES / 1024;
    let (_, outcome) = run_in(long(lines).as_bytes(), "csv", 1 << 20);
    assert_eq!(outcome.tally.records(), lines as u64 + 2);
    assert_eq!(outcome.malformed[0].to_string(), format!("file:2:83: {OPEN}"));
    assert_eq!(outcome.tally.of(Status::Solved), 1);
}

#[test]
fn text_behind_a_quote_and_carriage_returns_make_a_row_malformed() {
    let behind = "text after a closing quote (a quote inside a quoted field is written twice)";
    let carriage = "a carriage return inside a row (a row ends with a line feed)";
    for (note, complaint) in [
        ("\"a\"b", format!("file:2:86: {behind}")),
        ("\"a\" \"b\"", format!("file:2:87: {behind}")),
        ("\"a\"\"b\"c,d\"", format!("file:2:89: {behind}")),
        ("a\rb", format!("file:2:84: {carriage}")),
        ("a\r", format!("file:2:84: {carriage}")),
    ] {
        let row = format!("{PUZZLE},{note}");
        rows(format!("puzzle,note\r\n{row}\r\n"), &[&malformed(&row)], &[&complaint]);
    }
}

#[test]
fn a_malformed_header_is_an_error() {
    let comments = "# nothing\n".repeat(30);
    for (header, message) in [
        ("puzzle,\"note", format!("file:31:8: the header of the table is malformed: {OPEN}")),
        ("puzzle,\"a\"b", "file:31:11: the header of the table is malformed: text after".to_owned()),
        ("id,puzzle,a\rb", "file:31:12: the header of the table is malformed: a carriage".to_owned()),
    ] {
        let options = SolveOptions::default().chunk_bytes(NonZero::new(64));
        let table = format!("{comments}{header}\n{PUZZLE},\"\n");
        let error = solve(&mut stream(table), named("bitboard"), options).unwrap_err();
        assert!(error.to_string().starts_with(&message), "{error}");
        assert!(matches!(error.fact(), Some(galop_batch::input::InputError::Header(_))));
    }
}

#[test]
fn a_row_may_begin_with_a_number_sign() {
    let answer = format!("{SOLUTION},solved,1,0,");
    let table =
        format!("# made by hand\n\nid,puzzle\n#1,{PUZZLE}\n\n #2,{PUZZLE}\n# no puzzle\n3,{PUZZLE}\n");
    let expected = [
        format!("#1,{PUZZLE},{answer}"),
        format!(" #2,{PUZZLE},{answer}"),
        ",\"# no puzzle\",,malformed,0,0,".to_owned(),
        format!("3,{PUZZLE},{answer}"),
    ];
    let (out, outcome) = run(&table);
    assert_eq!(out.lines().collect::<Vec<_>>()[1..], expected);
    assert!(out.starts_with("id,puzzle,solution,"), "{out}");
    assert_eq!((outcome.inputs[0].lines, outcome.inputs[0].records), (8, 4));
    assert!(outcome.malformed[0].to_string().starts_with("file:7:12: no puzzle column"));

    // Tabs separate empty fields, so a line of tabs is a row. A line of other white space is skipped.
    let (out, _) = run(format!("puzzle\tnote\n\t\n{PUZZLE}\ta\n  \n"));
    let expected = ["\"\\x09\",,,malformed,0,0,".to_owned(), format!("{PUZZLE},a,{answer}")];
    assert_eq!(out.lines().skip(1).collect::<Vec<_>>(), expected);
}

/// The rows of a table show the size of its puzzles, also rows that begin with a number sign.
#[test]
fn rows_that_begin_with_a_number_sign_show_the_size() {
    let table = format!("id,puzzle\n#1,1G{}\n", ".".repeat(254));
    let sudoku = galop_engines::grid::Variant::default();
    let rules = galop_batch::input::detect_rules(&mut [stream(table)], &sudoku, None);
    assert_eq!(rules.unwrap().grid().cells(), 256);
}

#[test]
fn two_puzzle_columns_of_one_name_are_an_error() {
    for (header, columns) in [
        ("puzzle,id,puzzle", "`puzzle` twice, in columns 1 and 3"),
        ("id;\"Quiz\"; quiz ;quiz", "`quiz` twice, in columns 2 and 3"),
    ] {
        let table = format!("# two\n{header}\n{PUZZLE};{SOLUTION}\n");
        let error = solve(&mut stream(table), named("bitboard"), SolveOptions::default()).unwrap_err();
        assert!(error.to_string().starts_with(&format!("file:2: the header names {columns}; ")), "{error}");
    }
    // Other columns may share a name.
    rows(format!("id,puzzle,id\n1,{PUZZLE},2\n"), &[&format!("1,{PUZZLE},2,{SOLUTION},solved,1,0,")], &[]);
}

#[test]
fn the_longest_row_is_named() {
    let limit = "a row of more than 16777216 bytes (the limit of a row, wherever its puzzle is; leave out columns that are not needed)";
    let wide = format!(",{}", "1".repeat(999)).repeat(MAX_RECORD_BYTES / 1000 + 1);
    let (_, outcome) = run_wide(format!("puzzle,note\n{PUZZLE}{wide}\n{PUZZLE},1\n"));
    assert_eq!(outcome.malformed[0].to_string(), format!("file:2:16777217: {limit}"));
    assert_eq!(outcome.tally.of(Status::Solved), 1);
    // A longer header is an error: its columns are not known.
    for end in ["", "\n"] {
        let table = format!("puzzle{wide}{end}");
        let error = solve(&mut stream(table), named("bitboard"), SolveOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("file:1:16777217: the header of the table is malformed: {limit}")
        );
    }
}

/// A column is found among very many. (If a name is compared with all others, this takes minutes.)
#[test]
fn a_table_may_have_very_many_columns() {
    const COLUMNS: usize = 30_000;
    let list = |item: &dyn Fn(usize) -> String| (0..COLUMNS).map(item).collect::<Vec<_>>().join(",");
    let header = list(&|column| format!("c{column}"));
    let zeros = list(&|_| "0".to_owned());
    let (lines, outcome) = run_wide(format!("puzzle,{header}\n{PUZZLE},{zeros}\n"));
    assert_eq!(outcome.tally.of(Status::Solved), 1);
    assert!(lines.lines().nth(1).is_some_and(|row| row.split(',').nth(COLUMNS + 1) == Some(SOLUTION)));
    // The keys of an object may have any order, and escapes.
    let ascending = list(&|column| format!("\"c{column}\":{column}"));
    let descending = list(&|column| format!("\"\\u0063{0}\":{0}", COLUMNS - 1 - column));
    let objects =
        format!("{{{ascending},\"board\":\"{PUZZLE}\"}}\n{{\"board\":\"{PUZZLE}\",{descending}}}\n");
    let (lines, outcome) = run_wide(objects);
    assert_eq!(outcome.tally.of(Status::Solved), 2);
    let rows: Vec<&str> = lines.lines().skip(1).collect();
    assert!(rows.len() == 2 && rows[0] == rows[1]);
    assert!(rows[0].starts_with("0,1,2,"));
}

/// What spreadsheets and people do to tables.
#[test]
fn tables_of_spreadsheets() {
    let answer = format!("{SOLUTION},solved,1,0,");
    let zeros = PUZZLE.replace('.', "0");
    for (table, expected) in [
        (format!("sep=;\r\nid;puzzle\r\n1;{PUZZLE}\r\n"), format!("1,{PUZZLE},{answer}")),
        (format!("id|puzzle\n1|{PUZZLE}\n"), format!("1,{PUZZLE},{answer}")),
        (format!("id,puzzle\n1,=\"{zeros}\"\n"), format!("1,=\"{zeros}\",{answer}")),
        (format!("id,puzzle\n1,\"=\"\"{zeros}\"\"\"\n"), format!("1,\"=\"\"{zeros}\"\"\",{answer}")),
        (format!("id,puzzle\n1,'{zeros}\n"), format!("1,'{zeros},{answer}")),
        (format!("id,board\n1,'{zeros}\n\x1a"), format!("1,'{zeros},{answer}")),
    ] {
        rows(table, &[&expected], &[]);
    }
    // `cat a.csv b.csv`, each with a byte-order mark.
    let table = format!("\u{feff}id,puzzle\n1,{PUZZLE}\n\u{feff}id,puzzle\n2,{PUZZLE}\n");
    let (_, outcome) = run(table);
    assert_eq!((outcome.tally.records(), outcome.tally.of(Status::Solved)), (2, 2));
    // A column a cell.
    let cells = zeros.chars().map(|cell| format!("{cell},")).collect::<String>();
    let names = (0..81).map(|cell| format!("c{cell},")).collect::<String>();
    let (_, outcome) = run(format!("{names}\n{cells}\n{cells}\n"));
    assert_eq!((outcome.tally.records(), outcome.tally.of(Status::Solved)), (2, 2));
    // Digits that were taken for a number.
    for lost in ["4.00000805E+80", "4e+80", &zeros[3..]] {
        let (_, outcome) = run(format!("puzzle\n{zeros}\n{lost}\n"));
        assert!(outcome.malformed[0].to_string().starts_with("file:3:1: digits were lost"), "{lost}");
    }
}

/// A reader that is no part of galop reads what comes out of broken tables: Python's csv module. It gets each table
/// with its output, and checks that
/// - the output has a row for each row of the table that is not blank, and as many as the run counted;
/// - every row has all columns of the table and five more;
/// - the columns of the table are those that Python reads in the row of the table, with empty ones for missing ones;
/// - a malformed row holds the escaped row in the column of the puzzle and nothing in the others;
/// - a row in which Python, in its strict mode, finds no fault and a puzzle is not malformed.
const CHECK: &str = r##"
import csv, io, sys
def parse(text, delimiter, strict=False):
    return list(csv.reader(io.StringIO(text, newline=''), delimiter=delimiter, strict=strict))
def escape(line):
    kept = ''.join(c if ' ' <= c <= '~' and c not in ',\\' else '\\x%02x' % ord(c) for c in line[:256])
    return kept + ('...' if len(line) > 256 else '')
def row_end(text, start, delimiter):
    # The end of the row that begins at start: a line end outside quotes. A row with a fault in its quotes, or with a
    # carriage return outside them, is its first line alone.
    first, at = text.find('\n', start) % (len(text) + 1), start
    while True:
        if text[at:at + 1] == '"':
            end = at + 1
            while text[end:end + 1] != '"' or text[end + 1:end + 2] == '"':
                if end >= len(text):
                    return first
                end += 2 if text[end] == '"' else 1
            end += 1
            while text[end:end + 1] == ' ':
                end += 1
        else:
            end = at
            while end < len(text) and text[end] not in delimiter + '\r\n':
                end += 1
        if text[end:end + 1] == delimiter:
            at = end + 1
        elif text[end:end + 1] in ('', '\n'):
            return end
        elif text[end] == '\r' and text[end + 1:end + 2] in ('', '\n'):
            return end + 1 if end + 1 < len(text) else end
        else:
            return first
def rows_of(text, delimiter):
    start = 0
    while start < len(text):
        end = row_end(text, start, delimiter)
        # A line end is a line feed, or a carriage return and a line feed.
        yield text[start:end - 1] if text[start:end].endswith('\r') else text[start:end]
        start = text.find('\n', end) + 1 or len(text)
def is_puzzle(field):
    return len(field) == 81 and all(c in '123456789.0*_xX?' for c in field)
tables = rows = malformed = 0
with open(sys.argv[1], 'rb') as file:
    while head := file.readline():
        delimiter, puzzle, records, length, out_length = (int(word) for word in head.split())
        table, out = (file.read(size).decode('latin-1') for size in (length, out_length))
        try:
            delimiter = chr(delimiter)
            if table.startswith('\xef\xbb\xbf'):
                table = table[3:]
            lines = table.split('\n')
            first = next(i for i, line in enumerate(lines) if line.strip(' \t\r')[:1] not in ('', '#'))
            header = lines[first][:-1] if lines[first].endswith('\r') else lines[first]
            [names] = parse(header, delimiter)
            lines = list(rows_of('\n'.join(lines[first + 1:]), delimiter))
            lines = [line for line in lines if line.strip(' \t\r') or '\t' in line and delimiter == '\t']
            found = parse(out, ',')
            assert len(found) == 1 + len(lines) == 1 + records, (len(found), len(lines), records)
            width = len(names)
            assert all(len(row) == width + 5 for row in found), 'columns'
            assert found[0][:width] == names, 'header'
            for line, row in zip(lines, found[1:]):
                assert row[width + 1] in ('solved', 'none', 'differs', 'malformed'), row
                if row[width + 1] != 'malformed':
                    [read] = parse(line, delimiter)
                    assert row[:width] == read + [''] * (width - len(read)), (line, row)
                    solution = row[width]
                    assert row[width + 1] == 'none' and not solution or len(solution) == 81 and solution.isdigit()
                    continue
                malformed += 1
                expected = [''] * (width + 1)
                expected[puzzle] = escape(line)
                assert row[:width + 1] == expected, (line, row)
                try:
                    read = parse(line, delimiter, True)
                except csv.Error:
                    continue
                if len(read) == 1 and not line.endswith('\r') and puzzle < len(read[0]) <= width:
                    assert not is_puzzle(read[0][puzzle]), ('not malformed', line)
        except AssertionError as error:
            sys.exit(f'table {tables}: {error}\n{table!r}\n{out!r}')
        tables, rows = tables + 1, rows + len(lines)
print(tables, rows, malformed)
"##;

/// 3,000 tables, 10,000 where tests soak, or as many as the variable `GALOP_TEST_TABLES` says.
#[test]
fn another_reader_sees_the_same_records_and_columns_in_broken_tables() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return skip("there is no python3");
    }
    let count =
        std::env::var("GALOP_TEST_TABLES").map_or(sized(3_000, 10_000), |count| count.parse().unwrap());
    let mut chance = Chance::new(11);
    let mut file = std::io::BufWriter::new(tempfile::NamedTempFile::new().unwrap());
    let mut totals = [0, 0, 0];
    for _ in 0..count {
        let table = BrokenTable::new(&mut chance);
        let (out, outcome) = run_in(&table.text, "csv", 64 + chance.below(500));
        assert_eq!(outcome.inputs[0].format, "csv", "{:?}", String::from_utf8_lossy(&table.text));
        let records = outcome.tally.records();
        let sizes = format!("{records} {} {}", table.text.len(), out.len());
        writeln!(file, "{} {} {sizes}", table.delimiter, table.puzzle).unwrap();
        file.write_all(&table.text).unwrap();
        file.write_all(&out).unwrap();
        let all = [1, records, outcome.tally.of(Status::Malformed)];
        totals.iter_mut().zip(all).for_each(|(total, some)| *total += some);
    }
    let file = file.into_inner().unwrap();
    let checked = Command::new("python3").args(["-c", CHECK]).arg(file.path()).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let expected = totals.map(|total: u64| total.to_string()).join(" ");
    assert_eq!(String::from_utf8(checked.stdout).unwrap().trim_end(), expected);
    println!("{expected} (tables, rows, malformed rows)");
    // Rows of both sorts were tried.
    assert!(totals[1] / 5 < totals[2] && totals[2] < totals[1] * 4 / 5, "{expected}");
}

/// A table with a right header and any rows.
struct BrokenTable {
    text: Vec<u8>,
    delimiter: u8,
    /// The column of the puzzle.
    puzzle: usize,
}

impl BrokenTable {
    fn new(chance: &mut Chance) -> BrokenTable {
        const PUZZLES: [&str; 4] = ["puzzle", "Quiz", "\"sudoku\"", " question "];
        const OTHERS: [&str; 11] = [
            "id",
            "note",
            "solution",
            "status",
            "",
            "a b",
            "\"x,y\"",
            "\"a;\"\"b\"",
            "\"\"",
            "\"t\tt\"",
            "5\" x",
        ];
        const BEFORE: [&str; 7] = ["", "", "", "", "# by \"hand\n", "\n", "\u{feff}"];
        let columns = 1 + chance.below(6);
        let puzzle = chance.below(columns);
        let delimiter = if columns == 1 { b',' } else { *pick(chance, b",;\t") };
        let names: Vec<&[u8]> = (0..columns)
            .map(|column| pick(chance, if column == puzzle { &PUZZLES[..] } else { &OTHERS[..] }).as_bytes())
            .collect();
        let mut text = pick(chance, &BEFORE).as_bytes().to_vec();
        text.extend(names.join(&delimiter));
        let rows = chance.below(9);
        for _ in 0..rows {
            text.extend_from_slice(pick(chance, &["\n", "\n", "\r\n"]).as_bytes());
            push_row(chance, (columns, puzzle, delimiter), &mut text);
        }
        text.extend_from_slice(pick(chance, &["", "\n", "\r\n", "\n\n", "\r"]).as_bytes());
        BrokenTable { text, delimiter, puzzle }
    }
}

/// Appends a line: mostly fields, as many as there are columns or not, else any characters.
fn push_row(chance: &mut Chance, (columns, puzzle, delimiter): (usize, usize, u8), text: &mut Vec<u8>) {
    const CHARACTERS: &[u8] = b",,;\t\"\"\"#\r\n  ax1.\\\xff\xc3\xa9'";
    const GOOD: [&str; 14] = [
        "",
        "x",
        "#1",
        "a b",
        "\"q\"",
        "\"\"",
        "\"say \"\"hi\"\"\"",
        "5\" disk",
        " \"a",
        "\"a,b\"",
        "\"a;b\"",
        "\"a\tb\"",
        "\"two\nlines\"",
        "\"\r\n,\"\"\n\"",
    ];
    const BAD: [&[u8]; 14] = [
        b"\"open",
        b"\"x\"y",
        b"\"",
        b"\"\"\"",
        b"a\rb",
        b"\r",
        b"\"a\rb\"",
        b"\"two\nlines",
        b"\"\n\"x",
        b"\"x\"  ",
        b"\xff\"",
        b"a,b",
        b"a;b",
        b"\"a\" \"b\"",
    ];
    if chance.below(8) == 0 {
        let count = chance.below(30);
        text.extend((0..count).map(|_| *pick(chance, CHARACTERS)));
        return;
    }
    let count = match chance.below(6) {
        0 => chance.below(columns + 3),
        1 => columns + 1,
        2 => columns.saturating_sub(1).max(puzzle + 1),
        _ => columns,
    };
    let is_broken = chance.below(3) == 0;
    for column in 0..count {
        if column > 0 {
            text.push(delimiter);
        }
        if column == puzzle {
            let cells = *pick(chance, &[PUZZLE, PUZZLE, SOLUTION, &PUZZLE[1..], ""]);
            let cells = if chance.below(9) == 0 { cells.replacen("4..", "44.", 1) } else { cells.to_owned() };
            let field = match chance.below(9) {
                0 => format!("\"{cells}\""),
                1 => format!(" {cells} "),
                2 => format!("\"{cells}\" "),
                3 if is_broken => format!("\"{cells}"),
                _ => cells,
            };
            text.extend_from_slice(field.as_bytes());
        } else if is_broken && chance.below(2) == 0 {
            text.extend_from_slice(pick::<&[u8]>(chance, &BAD));
        } else {
            text.extend_from_slice(pick(chance, &GOOD).as_bytes());
        }
    }
}

fn pick<'a, T>(chance: &mut Chance, all: &'a [T]) -> &'a T {
    &all[chance.below(all.len())]
}

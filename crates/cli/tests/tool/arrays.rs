//! Arrays of numpy as output, alone (npy) and in archives (npz), and the format by the ending of the output's name.

use crate::program::{Folder, Run};
use galop_testing::npy::{self, rows};
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells, contradictory};
use galop_testing::python::python_with;
use galop_testing::zip::{Member, archive};

/// The number of bytes in the header of an array.
const HEADER: usize = 128;

/// The rows of an array as text, and the text of its header.
fn array(bytes: &[u8]) -> (String, &[u8]) {
    assert!(bytes.starts_with(b"\x93NUMPY\x01\0\x76\0"), "{:?}", &bytes[..10]);
    (String::from_utf8(bytes[10..HEADER].to_vec()).unwrap(), &bytes[HEADER..])
}

#[test]
fn an_array_has_a_row_for_each_record_in_order() {
    let text = format!("{PUZZLE}\nmalformed\n{}\n{PUZZLE}\n", contradictory());
    let folder = Folder::with(&[("in.txt", &text)]);
    let expected = [&cells(SOLUTION)[..], &[0; 162], &cells(SOLUTION)].concat();
    for words in [&["-o", "out.npy"][..], &["-f", "npy", "-o", "out.bin"], &["-j1", "-o", "out.npy"]] {
        folder.run(&[&["solve", "in.txt"], words].concat()).ends(1, &["in.txt:2:1: "]);
        let found = folder.bytes(words[words.len() - 1]);
        let (header, rows) = array(&found);
        let shape = "{'descr': '|u1', 'fortran_order': False, 'shape': (4, 81), } ";
        assert!(header.starts_with(shape) && header.ends_with(" \n"), "{header}");
        assert_eq!(rows, expected);
    }
    // An old file is replaced; without records there are no rows; the sizes follow the rules.
    folder.run_on("", &["solve", "-q", "-", "-o", "out.npy"]).ends(1, &[]);
    assert!(array(&folder.bytes("out.npy")).0.contains("(0, 81)"));
    folder.run_on("1...............\n", &["solve", "-q", "-", "-o", "small.npy"]).ends(0, &[]);
    let small = folder.bytes("small.npy");
    assert!(array(&small).0.contains("(1, 16)") && array(&small).1.len() == 16);
    // What is written is read again.
    folder.run(&["solve", "-q", "small.npy", "-o", "again.npy"]).ends(0, &[]);
    assert_eq!(folder.bytes("again.npy"), small);
}

#[test]
fn the_digits_of_an_array_are_1_to_9_whatever_those_of_the_input_are() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    folder.run(&["solve", "-q", "in.txt", "-o", "one.npy"]).ends(0, &[]);
    let mut input = folder.bytes("one.npy");
    input.truncate(HEADER);
    input.extend(cells(PUZZLE).map(|cell| cell + 1));
    folder.write("hrm.npy", &input);
    folder.run(&["solve", "-q", "--npy-offset", "1", "hrm.npy", "-o", "out.npy"]).ends(0, &[]);
    assert_eq!(folder.bytes("out.npy"), folder.bytes("one.npy"));
}

#[test]
fn many_rows_are_the_same_on_any_number_of_threads() {
    let puzzles = crate::puzzles(20) + &format!("{PUZZLE}\n");
    let text = puzzles.repeat(2000);
    let folder = Folder::with(&[("in.txt", &text)]);
    for name in ["out.npy", "out.npz"] {
        let all: Vec<Vec<u8>> = ["1", "2", "5"]
            .map(|threads| {
                folder.run(&["solve", "-q", "in.txt", "-o", name, "-j", threads]).ends(0, &[]);
                folder.bytes(name)
            })
            .into();
        assert!(all[0] == all[1] && all[0] == all[2], "{name}");
    }
    let solved = folder.run(&["solve", "-q", "in.txt", "-f", "solution"]).out;
    let found = folder.bytes("out.npy");
    let lines: Vec<u8> = solved.lines().flat_map(cells).collect();
    assert!(array(&found).1 == lines);
    assert_eq!(folder.names(), ["in.txt", "out.npy", "out.npz"], "no temporary file is left");
}

#[test]
fn what_cannot_be_changed_at_the_end_is_refused_before_the_work() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    let reason = "begins with its number of rows, which is known only at the end";
    for words in [&["-f", "npy"][..], &["-f", "npz", "-o", "-"], &["-f", "npy", "-o", "/dev/stdout"]] {
        folder.run(&[&["solve", "in.txt"], words].concat()).ends(2, &[reason, "needs a file: -o FILE.np"]);
    }
    for name in ["out.npy.gz", "out.npz.zst"] {
        folder.run(&["solve", "in.txt", "-o", name]).ends(2, &[name, reason, "compress it afterwards"]);
    }
    folder.run(&["solve", "in.txt", "-f", "npy", "-o", "/dev/null"]).ends(2, &[reason]);
    folder.run(&["solve", "in.txt", "-o", "out.zip"]).ends(2, &["zip archives are read, not written"]);
    folder
        .run(&["solve", "in.txt", "-o", "out.npy", "--columns", "status"])
        .ends(2, &["for --format csv, tsv, json, npz"]);
    folder
        .run(&["solve", "in.txt", "-o", "out.npz", "--columns", "source"])
        .ends(2, &["the column `source` has text of any length", "leave it out of --columns"]);
    assert_eq!(folder.names(), ["in.txt"]);
    // Several solutions of a puzzle do not fit in its row.
    for name in ["all.npy", "all.npz"] {
        folder
            .run(&["solve", "--all", PUZZLE, "-o", name])
            .fails("--all writes several records for a puzzle");
    }
}

#[test]
fn the_ending_of_the_output_chooses_the_format() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    let named = |format| folder.run(&["solve", "-q", "--no-times", "in.txt", "-f", format]).ends(0, &[]).out;
    for (names, format) in [
        (&["a.txt", "a"][..], "pair"),
        (&["a.csv", "a.CSV"], "csv"),
        (&["a.json", "a.jsonl", "a.ndjson"], "json"),
    ] {
        for &name in names {
            folder.run(&["solve", "-q", "--no-times", "in.txt", "-o", name]).ends(0, &[]);
            assert_eq!(folder.read(name), named(format), "{name}");
        }
    }
    // An ending of no format is refused before the work.
    for words in [&["solve", "in.txt"][..], &["convert", "in.txt"], &["generate", "-n", "1"]] {
        let message = ["a.xlsx.gz", "no format has the ending .", ".txt, .csv", "-f FORMAT"];
        folder.run(&[words, &["-o", "a.xlsx.gz"]].concat()).ends(2, &message);
    }
    assert!(!folder.names().contains(&"a.xlsx.gz".to_owned()));
    folder.run(&["solve", "-q", "in.txt", "-o", "a.out", "-f", "pair"]).ends(0, &[]);
    // A format that is named counts more.
    folder.run(&["solve", "-q", "in.txt", "-o", "b.csv", "-f", "solution"]).ends(0, &[]);
    assert_eq!(folder.read("b.csv"), format!("{SOLUTION}\n"));
}

/// The rows of `made.csv` are those of the arrays in `made.npz`; the arguments are the names of the grids.
const SAME_AS_TABLE: &str = "
import csv, math, numpy, sys, zipfile
assert zipfile.ZipFile('made.npz').testzip() is None
z = numpy.load('made.npz')
rows = list(csv.DictReader(open('made.csv')))
assert sorted(z.files) == sorted(rows[0]), (z.files, list(rows[0]))
for name in z.files:
    assert len(z[name]) == len(rows) > 0, name
    for value, row in zip(z[name], rows):
        text = row[name]
        if name in sys.argv[1:]:
            text = text if len(text) == 81 else '0' * 81
            assert ''.join(map(str, value)) == text.replace('.', '0'), (name, value, text)
        elif value.dtype.kind == 'U':
            assert value == text, (name, value, text)
        elif value.dtype.kind == 'f':
            assert math.isnan(value) if text == '' else value == float(text), (name, value, text)
        else:
            assert value.dtype == numpy.int64 and value == int(text or -1), (name, value, text)
";

#[test]
fn arrays_have_the_added_columns_of_the_table() {
    let folder = Folder::new();
    let several = format!("5{}", ".".repeat(80));
    let made = folder.run(&["generate", "-n", "30", "-s", "3", "--minimal", "--pairs"]).ends(0, &[]).out;
    folder.write("in.txt", format!("{made}{several}\nx\n"));
    let made = ["generate", "-n", "20", "-s", "1"];
    let columns = ["--columns", "guesses,key"];
    let solved = ["solve", "in.txt", "--unique", "--no-times", "--columns"];
    let cases = [
        ([&solved[..], &["puzzle,solution,status,guesses"]].concat(), "puzzle solution", 1),
        ([&solved[..], &["line,solution,guesses_first,micros,nanos,clues"]].concat(), "solution", 1),
        ([&made[..], &columns].concat(), "puzzle solution", 0),
        ([&made[..], &["--unbiased", "--columns", "weight,guesses"]].concat(), "puzzle solution", 0),
        ([&made[..], &["--minimal"]].concat(), "puzzle solution", 0),
        ([&made[..], &["--status", "none"]].concat(), "puzzle solution", 0),
        ([&made[..], &["--status", "multiple", "--columns", "key"]].concat(), "puzzle solution", 0),
        (vec!["augment", "in.txt", "-s", "1"], "puzzle solution", 1),
        (vec!["rate", "in.txt", "--by", "guesses"], "puzzle solution", 1),
        (vec!["rate", "in.txt"], "puzzle solution", 1),
        (vec!["rate", "in.txt", "--by", "guesses", "--symmetries", "3", "-s", "1"], "puzzle solution", 1),
        (vec!["canon", "in.txt"], "puzzle solution canonical", 1),
        (
            vec!["canon", "in.txt", "--columns", "key,form,automorphisms,canonical_solution,solution_key"],
            "puzzle solution canonical_solution",
            1,
        ),
    ];
    let python = python_with("numpy");
    for (words, grids, code) in cases {
        for file in ["made.csv", "made.npz"] {
            folder.run(&[&words, &["-q", "-o", file][..]].concat()).ends(code, &[]);
        }
        let Some(python) = &python else { continue };
        let words = [&["-c", SAME_AS_TABLE], &*grids.split(' ').collect::<Vec<_>>()].concat();
        let output = folder.start(python, &words).output().unwrap();
        assert!(output.status.success(), "{grids}: {}", String::from_utf8_lossy(&output.stderr));
    }
    folder
        .run(&["rate", "in.txt", "-o", "a.npy"])
        .ends(2, &["no place for ratings (lines, tables, JSON and npz do)"]);
    folder
        .run(&["generate", "-n", "1", "-o", "a.npy", "--columns", "guesses"])
        .ends(2, &["npy has no place for --columns"]);
    assert_eq!(folder.names(), ["in.txt", "made.csv", "made.npz"], "no temporary file is left");
}

#[test]
fn the_arrays_of_an_archive_are_chosen_by_name_or_by_content() {
    let folder = Folder::new();
    let other = other_puzzle();
    let puzzles = [PUZZLE, &other, PUZZLE];
    let count = "(3, 81)";
    let quizzes = npy::array("<i8", "(3, 9, 9)", &rows(&puzzles, 8, 0));
    let answers = npy::array("|u1", count, &rows(&[SOLUTION, SOLUTION, SOLUTION], 1, 0));
    let labels = npy::array("<i8", "(3,)", &[0; 24]);
    let hrm = npy::array("|u1", count, &rows(&[PUZZLE, SOLUTION, PUZZLE], 1, 1));
    let hrm_answers = npy::array("|u1", count, &rows(&[SOLUTION; 3], 1, 1));
    let expected = folder.run_on(puzzles.join("\n"), &["solve", "-q", "-"]).ends(0, &[]).out;
    let write = |members: &[(&str, &Vec<u8>)]| {
        let packed: Vec<Member> =
            members.iter().map(|(name, bytes)| Member::deflated(&format!("{name}.npy"), bytes)).collect();
        folder.write("a.npz", archive(&packed));
    };
    for (members, taken, wrong) in [
        (
            vec![("quizzes", &quizzes), ("solutions", &answers)],
            "puzzles in `quizzes`, answers in `solutions`",
            1,
        ),
        (
            vec![("arr_0", &answers), ("arr_1", &quizzes), ("y", &labels)],
            "puzzles in `arr_1`, answers in `arr_0`",
            1,
        ),
        (vec![("labels", &labels), ("x", &quizzes)], "puzzles in `x`, no answers", 0),
        (vec![("solution", &labels), ("puzzle", &quizzes)], "puzzles in `puzzle`, no answers", 0),
    ] {
        for words in [&[][..], &["-j1", "--no-mmap"]] {
            write(&members);
            let run = folder.run(&[&["solve", "a.npz"], words].concat()).ends(wrong, &[taken]);
            assert_eq!(run.out, expected, "{taken}");
        }
    }
    // The wrong answer is that of the second row; its column is the number of the value that is not the clue.
    write(&[("quizzes", &quizzes), ("solutions", &answers)]);
    let differs = |(clue, symbol)| clue != '.' && clue != symbol;
    let cell = other.chars().zip(SOLUTION.chars()).position(differs).unwrap();
    let place = format!("a.npz:2:{}: the given answer is wrong", 82 + cell);
    folder.run(&["solve", "a.npz"]).ends(1, &[&place, "1 of 3 given answers"]);
    folder.run(&["verify", "a.npz"]).ends(1, &["2 right"]);
    // Puzzles are no answers: they have blanks.
    folder
        .run(&["solve", "a.npz", "--answer-column", "quizzes", "--column", "solutions", "-f", "solution"])
        .ends(1, &["3 of 3 given answers are wrong"]);
    let only = folder.run(&["solve", "-q", "a.npz", "--column", "2", "-f", "solution"]).ends(0, &[]);
    assert_eq!(only.out, format!("{SOLUTION}\n").repeat(3));
    // All values greater by one, in puzzles and answers.
    write(&[("all__inputs", &hrm), ("all__labels", &hrm_answers), ("puzzle_indices", &labels)]);
    let run = folder
        .run(&["verify", "a.npz"])
        .ends(0, &["3 right", "puzzles in `all__inputs`, answers in `all__labels`"]);
    assert_eq!(run.out, "");
    // Nothing shows which one.
    write(&[("a", &quizzes), ("b", &quizzes), ("c", &labels)]);
    folder.run(&["solve", "a.npz"]).fails(
        "a.npz: it is not clear which array holds the puzzles; the arrays are 1 `a (3, 81)`, 2 `b (3, 81)`, 3 `c (3,)`; \
         name it: --column NAME",
    );
    folder.run(&["solve", "-q", "a.npz", "--column", "b"]).ends(0, &[]);
    folder
        .run(&["solve", "a.npz", "--column", "d"])
        .ends(2, &["no column is `d`; the columns are 1 `a`, 2 `b`, 3 `c`"]);
    folder.run(&["solve", "a.npz", "--column", "c"]).ends(2, &["a.npz: a numpy array of the shape (3,)"]);
    let few = npy::array("|u1", "(2, 81)", &rows(&[SOLUTION; 2], 1, 0));
    write(&[("a", &quizzes), ("b", &few)]);
    folder.run(&["solve", "-q", "a.npz"]).ends(0, &[]);
    folder
        .run(&["solve", "a.npz", "--answer-column", "b"])
        .ends(2, &["the array `b` has 2 rows, but the array `a` has 3 puzzles"]);
    write(&[("quizzes", &quizzes), ("solutions", &few)]);
    for command in ["solve", "convert", "verify", "show", "dedup", "compare"] {
        let message = "the array `solutions` has 2 rows, but the array `quizzes` has 3 puzzles";
        let run = folder.run(&[command, "a.npz"]).ends(2, &[message, "--answer-column NAME"]);
        assert_eq!(run.out, "", "{command}");
    }
    // Without the ending the members are files by themselves.
    folder.write("a.zip", archive(&[Member::stored("a.npy", &quizzes), Member::stored("b.npy", &few)]));
    let both = folder.run(&["solve", "-q", "a.zip"]).ends(0, &[]).out;
    assert_eq!(both.lines().count(), 5);
}

/// Zeros are no answer, whatever the number of a blank is. Anything else is one.
#[test]
fn damaged_answers_of_an_archive_are_wrong_and_named() {
    let folder = Folder::new();
    let blank = ".".repeat(81);
    let mut answers = rows(&[SOLUTION, &blank, SOLUTION, SOLUTION], 8, 1);
    answers[81 * 8..2 * 81 * 8].fill(0);
    // A blank in the third answer, and a number that is no digit in the fourth.
    answers[(2 * 81 + 5) * 8] = 1;
    answers[(3 * 81 + 7) * 8] = 77;
    let members = [
        Member::stored("quizzes.npy", &npy::array("|u1", "(4, 81)", &rows(&[PUZZLE; 4], 1, 1))),
        Member::stored("solutions.npy", &npy::array("<i8", "(4, 81)", &answers)),
    ];
    folder.write("a.npz", archive(&members));
    let number = "the number 77 (cells are numbers from 2 to 10";
    let words = ["a.npz", "--npy-offset", "1"];
    let places = [
        "a.npz:3:87: the given answer is wrong: `.` is a blank",
        &format!("a.npz:4:89: the given answer is wrong: {number}"),
        "2 of 3 given answers",
    ];
    let solved = folder.run(&[&["solve", "-f", "csv", "--columns", "status"], &words[..]].concat());
    let solved = solved.ends(1, &places).out;
    let statuses: Vec<&str> = solved.lines().filter_map(|row| row.rsplit(',').next()).collect();
    assert_eq!(statuses, ["status", "solved", "solved", "differs", "differs"]);
    let verified = folder.run(&[&["verify"], &words[..]].concat());
    let verified = verified.ends(1, &["1 right, 2 faulty, 1 claimed unsolved"]).out;
    let found = format!(
        "a.npz:3:87: in the solution: `.` is a blank (every cell of a solution has a symbol)\n\
         a.npz:4:89: in the solution: {number}"
    );
    assert!(verified.starts_with(&found), "{verified}");
}

#[test]
fn arrays_with_one_value_for_each_puzzle_are_columns() {
    let folder = Folder::new();
    let other = other_puzzle();
    let text = |texts: [&str; 2]| -> Vec<u8> {
        let padded =
            texts.map(|text| text.chars().chain(std::iter::repeat('\0')).take(4).collect::<Vec<_>>());
        padded.concat().into_iter().flat_map(|c| (c as u32).to_le_bytes()).collect()
    };
    let arrays = [
        ("puzzle", npy::array("|u1", "(2, 81)", &rows(&[PUZZLE, &other], 1, 0))),
        ("id", npy::array("<i8", "(2,)", &[7_i64, -1].map(i64::to_le_bytes).concat())),
        ("great", npy::array("<u8", "(2,)", &[u64::MAX, 0].map(u64::to_le_bytes).concat())),
        ("name", npy::array("<U4", "(2,)", &text(["a,\u{e9}", "long"]))),
        ("bytes", npy::array("|S3", "(2,)", b"ab\0xyz")),
        ("share", npy::array("<f4", "(2,)", &[0.1_f32, f32::NAN].map(f32::to_le_bytes).concat())),
        ("flag", npy::array("|b1", "(2,)", &[1, 0])),
        ("big", npy::array(">i2", "(2,)", &[1, 0, 0, 9])),
        ("other", npy::array("|u1", "(3,)", &[1, 2, 3])),
        ("pairs", npy::array("|u1", "(2, 2)", &[1, 2, 3, 4])),
        ("objects", npy::array("|O", "(2,)", &[0; 16])),
    ];
    let pack = |arrays: &[&(&str, Vec<u8>)]| {
        let members: Vec<Member> =
            arrays.iter().map(|(name, bytes)| Member::deflated(&format!("{name}.npy"), bytes)).collect();
        folder.write("a.npz", archive(&members));
    };
    pack(&arrays.iter().collect::<Vec<_>>());
    let left_out =
        "a.npz: left out: `other`, `pairs`, `objects`, because they do not have one number or text for each";
    let table = format!(
        "puzzle,id,great,name,bytes,share,flag,big\n{PUZZLE},7,18446744073709551615,\"a,\u{e9}\",ab,0.1,true,256\n\
         {other},-1,0,long,xyz,,false,9\n"
    );
    let run = folder.run(&["convert", "a.npz", "-f", "csv"]).ends(0, &[left_out]);
    assert_eq!(run.out, table);
    let objects = folder.run(&["convert", "a.npz", "-f", "json"]).ends(0, &[left_out]).out;
    let first = format!(
        "{{\"puzzle\":\"{PUZZLE}\",\"id\":7,\"great\":18446744073709551615,\"name\":\"a,\u{e9}\",\"bytes\":\"ab\",\
         \"share\":0.1,\"flag\":true,\"big\":256}}"
    );
    assert_eq!(objects.lines().next(), Some(&*first));
    let solved = folder.run(&["solve", "a.npz", "-f", "csv", "--no-times"]).ends(0, &[left_out]).out;
    assert!(solved.starts_with("puzzle,id,great,name,bytes,share,flag,big,"), "{solved}");
    // A format without columns says that it has none.
    let run = folder.run(&["convert", "a.npz"]).ends(0, &["`id`", "because pair has no columns", "`other`"]);
    assert_eq!(run.out, format!("{PUZZLE}\n{other}\n"));
    // Beside answers, and with puzzles that are one-hot.
    let solutions = ("solution", npy::array("|u1", "(2, 81)", &rows(&[SOLUTION, SOLUTION], 1, 0)));
    let one_hot: Vec<u8> = [PUZZLE, &other]
        .into_iter()
        .flat_map(cells)
        .flat_map(|cell| (0..10).map(move |channel| u8::from(channel == cell)))
        .collect();
    let hot = ("puzzle", npy::array("|b1", "(2, 81, 10)", &one_hot));
    pack(&[&arrays[1], &hot, &solutions, &arrays[4]]);
    let run = folder.run(&["convert", "-q", "a.npz", "-f", "csv"]).ends(0, &[]);
    let expected = format!("puzzle,solution,id,bytes\n{PUZZLE},{SOLUTION},7,ab\n{other},{SOLUTION},-1,xyz\n");
    assert_eq!(run.out, expected);
    folder.run(&["verify", "a.npz"]).ends(1, &["1 right"]);
}

/// A puzzle whose solution is not [`SOLUTION`]: 1 and 2 change places.
fn other_puzzle() -> String {
    PUZZLE
        .chars()
        .map(|character| match character {
            '1' => '2',
            '2' => '1',
            other => other,
        })
        .collect()
}

#[test]
fn an_archive_that_is_damaged_is_an_error_behind_its_complete_rows() {
    let folder = Folder::new();
    let count = 10_000;
    let puzzles = npy::array("|u1", "(10000, 81)", &rows(&vec![PUZZLE; count], 1, 0));
    let answers = npy::array("|u1", "(10000, 81)", &rows(&vec![SOLUTION; count], 1, 0));
    let whole = [Member::stored("puzzle.npy", &puzzles), Member::stored("solution.npy", &answers)];
    folder.write("a.npz", archive(&whole));
    let expected = folder.run(&["solve", "-q", "a.npz"]).ends(0, &[]).out;
    assert_eq!(expected.lines().count(), count);
    let line = format!("{PUZZLE},{SOLUTION}\n");
    for (members, message) in [
        ([whole[0].clone(), whole[1].clone().wrong_sum()], "a.npz: its zip data are damaged at byte"),
        ([whole[0].clone().wrong_sum(), whole[1].clone()], "a.npz: its zip data are damaged at byte"),
        (
            [whole[0].clone(), Member::stored("solution.npy", &answers[..128 + 81 * 5000])],
            "inside row 5001 of 10000",
        ),
        (
            [Member::stored("puzzle.npy", &puzzles[..128 + 81 * 5000 + 7]), whole[1].clone()],
            "inside row 5001 of 10000",
        ),
    ] {
        folder.write("a.npz", archive(&members));
        let run = folder.run(&["solve", "-q", "a.npz"]).ends(2, &[message]);
        assert!(run.out.len().is_multiple_of(line.len()) && expected.starts_with(&run.out), "{message}");
    }
    // Cut anywhere it has no directory; with a wrong byte anywhere it is an error or another text.
    folder.run_on(format!("{PUZZLE}\n"), &["convert", "-q", "-", "-o", "a.npz"]).ends(0, &[]);
    let small = folder.bytes("a.npz");
    for at in (4..small.len()).step_by(11) {
        folder.write("b.npz", &small[..at]);
        folder.run(&["solve", "b.npz"]).ends(2, &["b.npz: "]);
        let mut wrong = small.clone();
        wrong[at] ^= 0x15;
        folder.write("b.npz", &wrong);
        let run = folder.run(&["solve", "-q", "b.npz"]);
        assert!(run.code.is_some_and(|code| code <= 2) && !run.err.contains("panicked"), "{at} {}", run.err);
    }
}

#[test]
fn an_archive_that_was_written_is_read_again() {
    let text = crate::puzzles(30) + &format!("{PUZZLE}\n");
    let folder = Folder::with(&[("in.txt", &text)]);
    folder.run(&["solve", "-q", "in.txt", "-o", "out.npz"]).ends(0, &[]);
    folder.run(&["verify", "out.npz"]).ends(0, &["31 right", "puzzles in `puzzle`, answers in `solution`"]);
    // A puzzle without a solution has a row of zeros.
    let none = format!("11{}", &PUZZLE[2..]);
    folder.write("none.txt", format!("{PUZZLE}\n{none}\n"));
    folder.run(&["solve", "-q", "none.txt", "-o", "none.npz"]).ends(0, &[]);
    folder.run(&["verify", "none.npz"]).ends(0, &["1 right, 0 faulty, 1 claimed unsolved"]);
    let table = folder.run(&["convert", "-q", "none.npz", "-f", "csv"]).ends(0, &[]).out;
    assert!(table.starts_with("puzzle,solution,status,guesses\n"), "{table}");
    folder.run(&["solve", "-q", "out.npz", "-o", "again.npz"]).ends(0, &[]);
    assert_eq!(folder.bytes("again.npz"), folder.bytes("out.npz"));
}

const SAVE_NPZ: &str = "
import numpy, sys
lines = [line.strip().split(',') for line in sys.stdin if line.strip()]
grids = lambda column: numpy.array([[0 if c == '.' else int(c) for c in line[column]] for line in lines])
numpy.savez('plain.npz', quizzes=grids(0).reshape(-1, 9, 9), solutions=grids(1).astype('uint8'), clues=grids(0)[:, 0])
numpy.savez_compressed('packed.npz', grids(1).astype('int32'), grids(0).astype('uint8'))
";

#[test]
fn archives_that_numpy_wrote_are_read() {
    let Some(python) = python_with("numpy") else { return };
    let folder = Folder::new();
    let solved = folder.run_on(crate::puzzles(200), &["solve", "-q"]).ends(0, &[]).out;
    Run::on(solved.clone(), &mut folder.start(python, &["-c", SAVE_NPZ])).ends(0, &[]);
    for name in ["plain.npz", "packed.npz"] {
        assert!(folder.run(&["solve", "-q", name]).ends(0, &[]).out == solved, "{name}");
        folder.run(&["verify", name]).ends(0, &["200 right"]);
    }
}

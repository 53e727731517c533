//! Tables and files that are no tables, as every command reads them.

use crate::program::{Folder, run_on};
use galop_testing::npy;
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells, open_puzzle};
use galop_testing::zip::{Member, archive};

/// The commands that read all records of a file.
const COMMANDS: [&[&str]; 4] = [&["solve"], &["verify"], &["show"], &["compare", "--engines", "dlx"]];

#[test]
fn all_commands_read_the_same_rows() {
    let rows = [
        format!("#1,{PUZZLE},{SOLUTION},short"),
        format!("2,{PUZZLE},{SOLUTION},\"not closed,x"),
        format!("3,{PUZZLE},{SOLUTION},a,b,too many"),
        format!("4,{PUZZLE},{SOLUTION}"),
    ];
    let table = format!("# comment\nid,puzzle,solution,note,more\n{}\n", rows.join("\n"));
    let folder = Folder::with(&[("t.csv", &table)]);
    let [open, many] = [":4:167: a quoted field is not closed", ":5:171: 6 fields (the header has 5)"]
        .map(|complaint| format!("t.csv{complaint}"));
    let solved = folder.run(&["solve", "t.csv", "-f", "csv", "--no-times"]).ends(1, &[&open, &many]);
    let lines: Vec<&str> = solved.out.lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[1], format!("{},,{SOLUTION},solved,1,0,", rows[0]));
    assert_eq!(lines[4], format!("{},,,{SOLUTION},solved,1,0,", rows[3]));
    let run = folder.run(&["verify", "t.csv"]).ends(1, &["4 records in "]);
    assert!(run.out.contains(&open) && run.out.contains(&many) && run.out.lines().count() == 2, "{run:?}");
    let shown = folder.run(&["show", "t.csv"]).ends(1, &[&open, &many]);
    assert_eq!(shown.out.matches("| 4 1 7 |").count(), 2, "the solutions are shown too: {}", shown.out);
    assert!(folder.run(&["make", "sudoku", "t.csv"]).ends(0, &[]).out.contains(PUZZLE));
    // The output can be read and verified again.
    let again =
        folder.run_on(solved.out, &["verify", "-"]).ends(0, &["2 right, 0 faulty, 2 claimed unsolved"]);
    assert_eq!(again.out, "");
    // A header that cannot be read ends every command.
    for (header, message) in
        [("puzzle,\"a", ":1:8: the header of the table"), ("puzzle,puzzle", ":1: the header names")]
    {
        folder.write("h.csv", format!("{header}\n{PUZZLE},1\n"));
        for words in COMMANDS.into_iter().chain([&["make", "sudoku"][..]]) {
            folder.run(&[words, &["h.csv"]].concat()).fails(&format!("h.csv{message}"));
        }
    }
}

/// Tables keep the bytes of names and fields. JSON, which is UTF-8, has no place for others.
#[test]
fn text_that_is_not_utf_8_stays_or_is_refused() {
    let folder = Folder::new();
    let table = |name: &[u8], field: &[u8]| {
        [b"# comment\npuzzle,", name, b"\n", PUZZLE.as_bytes(), b",", field, b"\n"].concat()
    };
    folder.write("in.csv", table(b"n\xe9m", b"caf\xe9"));
    folder.write("field.csv", table(b"name", b"caf\xe9"));
    folder.write("utf8.csv", table("n\u{e9}m".as_bytes(), "caf\u{e9}".as_bytes()));
    let object = [b"{\"puzzle\":\"", PUZZLE.as_bytes(), b"\",\"n\xe9m\":\"caf\xe9\"}\n"].concat();
    folder.write("in.jsonl", object);
    let letters = npy::array("|S4", "(1,)", b"caf\xe9");
    let puzzle = npy::array("|u1", "(1, 81)", &cells(PUZZLE));
    folder.write(
        "in.npz",
        archive(&[Member::stored("puzzle.npy", &puzzle), Member::stored("name.npy", &letters)]),
    );
    let has = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    for command in ["convert", "rate", "canon", "solve"] {
        for (input, output, name) in [
            ("in.csv", "out.csv", &b"n\xe9m"[..]),
            ("in.csv", "out.tsv", b"n\xe9m"),
            ("in.jsonl", "out.csv", b"n\xe9m"),
            ("in.npz", "out.csv", b"name"),
        ] {
            folder.run(&[command, "-q", input, "-o", output]).ends(0, &[]);
            let found = folder.bytes(output);
            assert!(has(&found, name) && has(&found, b"caf\xe9"), "{command} {input} {output}");
        }
        let reason = "has text that is not UTF-8, as JSON must be";
        for (input, line) in [("in.csv", 2), ("field.csv", 3)] {
            let help = format!("; convert it: iconv -f LATIN1 -t UTF-8 < {input} | galop {command} -");
            folder.run(&[command, input, "-f", "json"]).fails(&format!("{input}:{line}: {reason}"));
            folder.run(&[command, input, "-f", "json"]).fails(&help);
        }
        folder.run(&[command, "in.npz", "-f", "json"]).ends(2, &[reason, "np.char.decode(a, 'latin1')"]);
        let run = folder.run(&[command, "-q", "utf8.csv", "-f", "json"]).ends(0, &[]);
        assert!(run.out.contains("\"n\u{e9}m\":\"caf\u{e9}\""), "{command}: {}", run.out);
    }
    folder.run(&["rate", "in.jsonl", "-f", "json"]).fails("in.jsonl:1: has text that is not UTF-8");
}

/// Each command takes the column that the user names, and says what helps if it cannot.
#[test]
fn all_commands_take_the_chosen_column() {
    let table = format!("easy,hard\n{PUZZLE},{SOLUTION}\n");
    let folder = Folder::with(&[("t.csv", &table), ("two.csv", &table.replace(SOLUTION, PUZZLE))]);
    for words in COMMANDS {
        let unclear = folder.run(&[words, &["two.csv"]].concat()).ends(2, &["two.csv:1: it is not clear"]);
        assert!(unclear.err.contains("1 `easy`, 2 `hard`; name it: --column NAME|N"), "{}", unclear.err);
        let unknown = folder.run(&[words, &["two.csv", "--column", "medium"]].concat());
        unknown
            .ends(2, &["no column is `medium`; the columns are 1 `easy`, 2 `hard`; choose one by its name"]);
        let columns = ["two.csv", "--column", "2"];
        let run = folder.run(&[words, &columns].concat());
        assert_eq!(run.code, Some(0), "{words:?}: {run:?}");
    }
    for words in [["verify", "t.csv"], ["solve", "t.csv"]] {
        folder.run(&words).ends(0, &["puzzles in `easy`, answers in `hard`"]);
    }
    assert!(!folder.run(&["verify", "-q", "t.csv"]).err.contains("puzzles in"));
    folder.run(&["verify", "two.csv", "--column", "hard", "--answer-column", "1"]).ends(1, &["1 faulty"]);
}

#[test]
fn wrong_answers_of_a_table_end_with_code_1() {
    let wrong = SOLUTION.replacen("41", "14", 1);
    let table = format!("puzzle,answer\n{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n");
    let folder = Folder::with(&[("t.csv", &table)]);
    let place = "t.csv:3:83: the given answer is wrong: row 1, column 1 holds 1, but the clue is 4";
    let words =
        ["solve", "t.csv", "--report", "r.json", "--report", "r.md", "-f", "csv", "--columns", "status"];
    let run = folder.run(&words).ends(1, &[place, "1 of 2 given answers are wrong"]);
    assert!(run.out.ends_with(&format!("{SOLUTION},solved\n{PUZZLE},{wrong},differs\n")), "{}", run.out);
    assert!(run.err.contains("2 given with the puzzles, 1 wrong"), "{}", run.err);
    let report = folder.json("r.json");
    assert_eq!(report["answers"]["first_wrong"], serde_json::json!([place]));
    assert_eq!(report["inputs"][0]["columns"], serde_json::json!({"puzzle": "puzzle", "answer": "answer"}));
    assert!(folder.read("r.md").contains("2 given with the puzzles, 1 wrong"));
    folder.run(&["solve", "t.csv", "--allow-malformed"]).ends(0, &[place]);
    folder.run(&["solve", "t.csv", "--strict"]).ends(1, &[place]);
    let right = folder.run_on(table.replace(&wrong, SOLUTION), &["solve", "--strict"]).ends(0, &[]);
    assert!(!right.err.contains("wrong:"), "{}", right.err);
}

/// Answers that are damaged, each with its place in the field, from 0, and what is wrong with it.
fn damaged() -> Vec<(String, usize, &'static str)> {
    vec![
        (SOLUTION[..80].to_owned(), 0, "80 cells (a puzzle has 81"),
        (format!("{}0", &SOLUTION[..80]), 80, "`0` is a blank"),
        ("x".to_owned(), 0, "`x` is a blank"),
        ("Solved".to_owned(), 0, "unexpected `S`"),
    ]
}

/// (What is an answer and what says that there is none is tested beside the code.)
#[test]
fn damaged_answers_are_wrong_and_named() {
    let folder = Folder::new();
    let damaged = damaged();
    let answers = || damaged.iter().map(|(answer, ..)| &**answer).chain(["none", ""]);
    let row = |answer: &str| format!("7,{PUZZLE},{answer},easy\n");
    let object = |answer: &str| {
        format!("{{\"id\":7,\"puzzle\":\"{PUZZLE}\",\"answer\":\"{answer}\",\"status\":\"easy\"}}\n")
    };
    folder.write("t.csv", "id,puzzle,answer,status\n".to_owned() + &answers().map(row).collect::<String>());
    folder.write("t.jsonl", answers().map(object).collect::<String>());
    for (name, lines_before, column) in [("t.csv", 1, 85), ("t.jsonl", 0, 112)] {
        let words = ["solve", name, "-f", "csv", "--columns", "status", "--report", "r.json"];
        let places = |words: &str| {
            let place = |(line, (_, at, what)): (usize, &(String, usize, &str))| {
                format!("{name}:{}:{}: {words}{what}", line + lines_before + 1, column + at)
            };
            damaged.iter().enumerate().map(place).collect::<Vec<String>>()
        };
        let solved = folder.run(&words).ends(1, &["4 of 4 given answers are wrong"]);
        for place in places("the given answer is wrong: ") {
            assert!(solved.err.contains(&place), "{place}\n{}", solved.err);
        }
        let statuses: Vec<&str> = solved.out.lines().filter_map(|row| row.rsplit(',').next()).collect();
        assert_eq!(statuses[1..], [["differs"; 4].as_slice(), &["solved"; 2]].concat(), "{name}");
        assert_eq!(folder.json("r.json")["answers"]["wrong"], 4);
        // The audit finds the same. The record without any answer is solved.
        let verified = folder.run(&["verify", name]).ends(1, &["1 claimed unsolved, 1 solvable"]);
        for place in places("in the solution: ") {
            assert!(verified.out.contains(&place), "{place}\n{}", verified.out);
        }
        assert_eq!(verified.out.lines().count(), 4, "{}", verified.out);
    }
}

/// The value of a key may be anything.
#[test]
fn damaged_answers_of_objects_are_wrong_and_named() {
    let list = |cells: &str| {
        format!("[{}]", cells.split("").filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(", "))
    };
    let zeros = list(&"0".repeat(81));
    for (answer, fault) in [
        (list(SOLUTION), None),
        (format!("\"{SOLUTION}\""), None),
        ("null".to_owned(), None),
        ("\"\"".to_owned(), None),
        ("[ ]".to_owned(), None),
        (zeros.clone(), None),
        (list(&SOLUTION[..80]), Some("104: the given answer is wrong: 80 cells")),
        (list(&format!("0{}", &SOLUTION[1..])), Some("105: the given answer is wrong: `.` is a blank")),
        (zeros.replacen('0', "10", 1), Some("105: the given answer is wrong: the number 10")),
        ("[4, true]".to_owned(), Some("108: the given answer is wrong: unexpected `t`")),
        ("7".to_owned(), Some("104: the given answer is wrong: 1 cell")),
        ("true".to_owned(), Some("104: the given answer is wrong: unexpected `t`")),
        ("{\"a\": 1}".to_owned(), Some("104: the given answer is wrong: unexpected `{`")),
    ] {
        let object = format!("{{\"puzzle\":\"{PUZZLE}\",\"answer\":{answer}}}\n");
        let run = run_on(object, &["solve", "-f", "json"]);
        let run = run.ends(i32::from(fault.is_some()), &[]);
        assert_eq!(run.out.contains("\"status\":\"differs\""), fault.is_some(), "{}", run.out);
        assert!(
            fault.is_none_or(|fault| run.err.contains(&format!("<stdin>:1:{fault}"))),
            "{answer}: {}",
            run.err
        );
    }
}

/// The names are those that no key of the first object has, nor any of the same record.
#[test]
fn added_keys_shadow_no_key_of_an_object() {
    let objects = format!(
        "{{\"status\":1,\"puzzle\":\"{PUZZLE}\",\"galop_status\":2}}\n\
         {{\"puzzle\":\"{PUZZLE}\",\"galop_galop_status\":3,\"\\u0067uesses\":4}}\n"
    );
    let words = ["solve", "-q", "--no-times", "-f", "json", "--columns", "status,guesses"];
    let out = run_on(objects.clone(), &words).ends(0, &[]).out;
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].ends_with(",\"galop_status\":2,\"galop_galop_status\":\"solved\",\"guesses\":0}"),
        "{out}"
    );
    assert!(lines[1].ends_with(":4,\"galop_galop_galop_status\":\"solved\",\"galop_guesses\":0}"), "{out}");
    // The same from a table, and with several solutions of a record.
    let table = format!("status,puzzle,galop_status\n1,{PUZZLE},2\n");
    let out = run_on(table, &words).ends(0, &[]).out;
    assert!(out.ends_with(",\"galop_status\":2,\"galop_galop_status\":\"solved\",\"guesses\":0}\n"), "{out}");
    let open = objects.lines().nth(1).unwrap().replace(PUZZLE, &open_puzzle());
    let out = run_on(open, &[&words[..], &["--all"]].concat()).ends(0, &[]).out;
    let is_whole = |line: &str| {
        let added = line.split_once("\"\\u0067uesses\":4,").unwrap().1;
        added.starts_with("\"status\":\"solved\",\"galop_guesses\":")
    };
    assert!(out.lines().count() > 10 && out.lines().all(is_whole), "{out:.1000}");
}

/// One damaged line is one malformed record, wherever it is.
#[test]
fn a_damaged_line_of_objects_is_one_malformed_record_wherever_it_is() {
    let object = format!("{{\"id\": 1, \"puzzle\":\"{PUZZLE}\"}}");
    for damaged in [
        format!("{object} trailing"),
        object[40..].to_owned(),
        object[1..].to_owned(),
        object[..60].to_owned(),
        object[..object.len() - 1].to_owned(),
        "{\"id".to_owned(),
        "junk".to_owned(),
        format!("{{\"a\":{}}}{{", "[".repeat(300)),
    ] {
        for place in 0..4 {
            let mut lines = vec![&object; 3];
            lines.insert(place, &damaged);
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let run = run_on(text, &["solve", "-f", "csv", "--columns", "status"]);
            let run = run.ends(1, &[&format!("<stdin>:{}:", place + 1), "1 malformed record"]);
            let statuses: Vec<&str> =
                run.out.lines().skip(1).filter_map(|row| row.rsplit(',').next()).collect();
            let expected: Vec<&str> =
                (0..4).map(|at| if at == place { "malformed" } else { "solved" }).collect();
            assert_eq!(statuses, expected, "{damaged} {place}");
        }
    }
    let deep =
        format!("{{\"a\":{}{},\"puzzle\":\"{PUZZLE}\"}}\n{object}\n", "[".repeat(300), "]".repeat(300));
    assert_eq!(run_on(deep, &["solve", "-q"]).ends(0, &[]).out, format!("{PUZZLE},{SOLUTION}\n").repeat(2));
}

/// The fields beside the puzzle are written in the format of the output, whatever that of the input.
#[test]
fn rows_become_objects_and_objects_rows() {
    let table =
        format!("id,quizzes,rating,note\n7,{PUZZLE},1.50,\"a, \"\"b\"\"\"\n08,{PUZZLE},,x\n9,oops,3,y\n");
    let folder = Folder::with(&[("t.csv", &table)]);
    let run = |words: &[&str], code| {
        folder.run(&[&["solve", "-q", "--no-times"], words].concat()).ends(code, &[]).out
    };
    let objects = run(&["t.csv", "-f", "json"], 1);
    let found = format!(r#""solution":"{SOLUTION}","status":"solved","count":1,"guesses":0,"nanos":null}}"#);
    let expected = [
        format!(r#"{{"id":"7","quizzes":"{PUZZLE}","rating":1.50,"note":"a, \"b\"",{found}"#),
        format!(r#"{{"id":"08","quizzes":"{PUZZLE}","rating":null,"note":"x",{found}"#),
    ];
    assert_eq!(objects.lines().take(2).collect::<Vec<_>>(), expected);
    assert!(objects.contains(r#"{"quizzes":"9\\x2coops"#), "{objects}");

    folder.write("o.jsonl", objects.lines().take(2).collect::<Vec<_>>().join("\n"));
    let rows = run(&["o.jsonl", "-f", "csv"], 0);
    let header =
        "id,quizzes,rating,note,solution,status,count,guesses,nanos,galop_solution,galop_status,galop_count,";
    assert!(
        rows.starts_with(&format!("{header}galop_guesses,galop_nanos\n7,{PUZZLE},1.50,\"a, \"\"b")),
        "{rows}"
    );
    let tabs = run(&["t.csv", "-f", "tsv"], 1);
    let as_tabs =
        run(&["t.csv", "-f", "csv"], 1).replace("a, ", "a; ").replace(',', "\t").replace("a; ", "a, ");
    assert_eq!(tabs.lines().take(3).collect::<Vec<_>>(), as_tabs.lines().take(3).collect::<Vec<_>>());
    run(&["t.csv", "-o", "t.tsv"], 1);
    assert_eq!(folder.read("t.tsv"), tabs);
    // A table with tabs stays as it is.
    assert!(
        run(&["t.tsv", "-f", "tsv"], 1).contains(&format!("7\t{PUZZLE}\t1.50\t\"a, \"\"b\"\"\"\t{SOLUTION}"))
    );

    // All solutions of a puzzle have its fields.
    folder.write("s.csv", format!("id,puzzle\n5,{}\n", SOLUTION.replace(['1', '2', '3', '4'], ".")));
    let all = run(&["s.csv", "-f", "json", "--all", "--limit", "3"], 4);
    assert_eq!(all.matches("{\"id\":5,\"puzzle\"").count(), 4, "{all}");
}

#[test]
fn columns_of_the_output_are_chosen() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    let words = ["solve", "-q", "in.txt", "-f", "csv", "--columns", "clues,status,source"];
    assert_eq!(folder.run(&words).ends(0, &[]).out, "clues,status,source\n17,solved,in.txt\n");
    folder
        .run(&["solve", "in.txt", "--columns", "clues"])
        .fails("--columns is for --format csv, tsv, json, npz; `pair` has no columns");
    folder.run(&["solve", "in.txt", "-f", "csv", "--columns", "level"]).ends(2, &["guesses_first, clues"]);
}

/// `solve -f json` is read by every command, and other forms of JSON are refused with what helps.
#[test]
fn json_lines_are_read_back() {
    let lines = format!("{PUZZLE}\n44{}\nrubbish \"\n", ".".repeat(79));
    let folder = Folder::new();
    let solved = folder.run_on(lines, &["solve", "-f", "json", "--no-times"]).ends(1, &[]).out;
    let wrong = solved.replace(SOLUTION, &SOLUTION.replacen("41", "14", 1));
    let run = folder.run_on(wrong, &["verify", "-"]).ends(1, &["0 right, 1 faulty"]);
    assert!(run.out.starts_with("<stdin>:1:107: wrong solution"), "{}", run.out);
    assert!(folder.run_on(&*solved, &["show"]).ends(1, &[]).out.contains("| 4 1 7 |"));
    let again = folder.run_on(&*solved, &["solve", "-f", "json", "--no-times"]).ends(1, &[]).out;
    assert!(
        again.starts_with(&format!("{},\"galop_solution\":", solved.split_once('}').unwrap().0)),
        "{again}"
    );
    folder.write("a.json", format!("[{{\"puzzle\":\"{PUZZLE}\"}}]\n"));
    folder.write("p.json", format!("{{\n  \"puzzle\": \"{PUZZLE}\"\n}}\n"));
    for name in ["a.json", "p.json"] {
        assert_eq!(folder.run(&["convert", "-q", name]).ends(0, &[]).out, format!("{PUZZLE}\n"), "{name}");
    }
}

#[test]
fn files_that_are_no_text_are_named_with_what_helps() {
    let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
    let kinds: Vec<(&str, &[u8], &str, &str)> = vec![
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0\x04", "is a 7-Zip archive, not text", "7z x -so a.7z"),
        ("a.tar", &tar, "is a tar archive, not text", "tar -xOf a.tar"),
        ("a.h5", b"\x89HDF\r\n\x1a\n\0", "is an HDF5 file, not text", "write it as CSV first"),
        ("a.pkl", b"\x80\x04\x95\x05", "is a Python pickle, not text", "load it in Python"),
        ("a b.lz4", b"\x04\x22\x4d\x18\x64", "is lz4-compressed, not text", "lz4 -dc 'a b.lz4'"),
        ("a.lzma", b"\x5d\0\0\x80\0", "is lzma-compressed, not text", "xz --format=lzma -dc a.lzma"),
        ("a.parquet", b"PAR1\x15\x04", "is a Parquet file, not text", "-c \"FROM 'a.parquet'\" | galop"),
        ("a.db", b"SQLite format 3\0\x10", "is an SQLite database, not text", "sqlite3 -csv -header a.db"),
        ("a.txt", b"\xff\xfe4\0.\0", "is text in UTF-16, not in UTF-8", "iconv -f UTF-16 -t UTF-8 < a.txt"),
        ("b.txt", b"\xfe\xff\x004\0.", "is text in UTF-16, not in UTF-8", "iconv -f UTF-16 -t UTF-8 < b.txt"),
    ];
    let folder = Folder::new();
    for &(name, bytes, message, remedy) in &kinds {
        folder.write(name, bytes);
        for words in COMMANDS.into_iter().chain([&["make", "sudoku"][..]]) {
            let run =
                folder.run(&[words, &[name]].concat()).ends(2, &[&format!("{name}: {message}; "), remedy]);
            let galop = format!("| galop {} -", words[0]);
            let has_program = !["a.h5", "a.pkl"].contains(&name);
            assert!(run.err.contains(&galop) || !has_program, "{}", run.err);
        }
        // In a pipe, with the rules known and unknown.
        for words in [&["solve"][..], &["solve", "--alphabet", "1-9"]] {
            let run = folder.run_on(bytes, words).ends(2, &[&format!("<stdin>: {message}; ")]);
            assert_eq!(run.out, "");
            assert!(!run.err.contains("< <stdin>") && !run.err.contains(" <stdin> "), "{}", run.err);
        }
    }
    assert_eq!(folder.names().len(), kinds.len(), "no output was begun");
}

#[test]
fn parquet_is_refused_with_the_ways_that_python_and_duckdb_have() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    folder.write("a b.parquet", b"PAR1\x15\x04");
    folder.write("it's.parquet", b"PAR1\x15\x04");
    for (command, call) in [
        ("solve", "solve_file('a b.parquet', ...)"),
        ("verify", "verify_file('a b.parquet')"),
        ("convert", "convert(Path('a b.parquet'), ...)"),
    ] {
        folder.run(&[command, "a b.parquet"]).fails(&format!(
            "a b.parquet: is a Parquet file, not text; galop reads no Parquet: pip install galop pyarrow, \
             then galop.{call} in Python; or duckdb -csv -nullvalue \"\" -c \"FROM 'a b.parquet'\" | galop {command} -"
        ));
    }
    folder
        .run(&["dedup", "it's.parquet"])
        .ends(2, &["Parquet: duckdb -csv -nullvalue \"\" -c \"FROM 'FILE.parquet'\" | galop dedup -"]);
    let copy = |name: &str| {
        format!(
            "write csv, then duckdb -c \"COPY (FROM read_csv('FILE.csv', all_varchar = true)) TO '{name}'\""
        )
    };
    for words in [&["-o", "b.parquet"][..], &["-o", "b.parquet", "-f", "csv"]] {
        folder.run(&[&["solve", "in.txt"], words].concat()).fails(&format!(
            "b.parquet: galop writes no Parquet: pip install galop pyarrow, \
             then galop.solve_file(..., 'b.parquet') in Python; or {}",
            copy("b.parquet")
        ));
    }
    for (command, call) in [
        ("solve", "solve_file(..., 'FILE.parquet')"),
        ("convert", "convert(..., output='FILE.parquet')"),
        ("generate", ""),
        ("dedup", ""),
    ] {
        let run = folder.run(&[command, "-f", "parquet"]);
        let run = run.ends(2, &["--format", "galop writes no Parquet: ", call, &copy("FILE.parquet")]);
        assert!(run.err.contains("pip install") != call.is_empty(), "{}", run.err);
    }
    folder.run(&["dedup", "in.txt", "-o", "b.parquet.gz"]).ends(2, &["galop writes no Parquet: write csv"]);
    assert_eq!(folder.names().len(), 3, "no output was begun");
}

#[test]
fn lines_that_end_in_carriage_returns_are_an_error() {
    let folder = Folder::new();
    folder.write("mac.txt", format!("{PUZZLE}\r{PUZZLE}\r"));
    let message =
        "mac.txt: its lines end in carriage returns, not in line feeds; convert it: tr '\\r' '\\n' < mac.txt";
    for words in [&["solve"][..], &["show"], &["solve", "--no-mmap"]] {
        folder.run(&[words, &["mac.txt"]].concat()).fails(&format!("{message} | galop {} -", words[0]));
    }
}

/// A grid in a field, as spreadsheets and notebooks write it: cells between spaces, rows on lines of their own.
#[test]
fn a_field_may_hold_a_drawn_grid() {
    let spaced = |text: &str| {
        let rows: Vec<String> = text
            .as_bytes()
            .chunks(9)
            .map(|row| row.iter().map(|&cell| char::from(cell).to_string()).collect::<Vec<_>>().join(" "))
            .collect();
        rows.join("\n").replace('.', "0")
    };
    let (puzzle, solution) = (galop_testing::puzzles::PUZZLE, galop_testing::puzzles::SOLUTION);
    let csv = format!("sudoku,solution,rating\n\"{}\",\"{}\",7\n", spaced(puzzle), spaced(solution));
    let folder = Folder::with(&[("in.csv", &csv)]);
    let run = folder.run(&["solve", "in.csv"]).ends(0, &["1 given with the puzzles, 0 wrong"]);
    assert_eq!(run.out, format!("{puzzle},{solution}\n"));
    // Whatever the names of the columns are.
    folder.write("other.csv", csv.replace("sudoku,solution", "a,b"));
    assert_eq!(folder.run(&["solve", "other.csv"]).ends(0, &[]).out, run.out);
    assert_eq!(folder.run(&["convert", "in.csv", "-f", "pair"]).ends(0, &[]).out, run.out);
    // A cell too few is named as before.
    folder.write("short.csv", csv.replacen("4 0", "0", 1));
    folder.run(&["solve", "short.csv"]).ends(1, &["short.csv:2:"]);
}

/// The columns of a later table go to the columns of the first one: the puzzle and the answer to theirs, the others by
/// their names, the first of a name to the first of that name, each to a place of its own.
#[test]
fn a_later_table_is_joined_by_place_and_name_or_refused() {
    let table = |header: &str, row: &str| format!("{header}\n{row}\n").replace('P', PUZZLE);
    let folder = Folder::with(&[
        ("twice.csv", &table("puzzle,x,x", "P,1,2")),
        ("turned.csv", &table("x,puzzle,x", "3,P,4")),
        ("key.csv", &table("puzzle,key", "P,MINE")),
        ("plain.csv", &table("puzzle,x", "P,1")),
        ("answers.csv", &table("puzzle,answers", &format!("P,{SOLUTION}"))),
        ("both.csv", &table("puzzle,solution,answers", &format!("P,{SOLUTION},other"))),
        ("quizzes.csv", &table("quizzes,id", "P,7")),
        ("more.csv", &table("puzzle,quizzes,id", "P,lost,7")),
        ("lines.txt", &table("P", "P")),
        ("pairs.txt", &table("rubbish", &format!("P {SOLUTION}"))),
        ("alone.csv", &table("puzzle", "P")),
    ]);
    for format in ["csv", "tsv"] {
        let joined = folder.run(&["convert", "-q", "twice.csv", "turned.csv", "-f", format]).ends(0, &[]).out;
        let expected = format!("puzzle,x,x\n{PUZZLE},1,2\n{PUZZLE},3,4\n");
        assert_eq!(joined.replace('\t', ","), expected);
        for words in [
            &["canon", "--columns", "key", "plain.csv", "key.csv"][..],
            &["convert", "answers.csv", "both.csv"],
            &["convert", "quizzes.csv", "more.csv"],
            &["solve", "quizzes.csv", "more.csv"],
            // The columns of a table behind lines have no place.
            &["solve", "lines.txt", "plain.csv"],
        ] {
            folder.run(&[words, &["-q", "-f", format]].concat()).ends(2, &["its columns differ"]);
        }
        folder.run(&["solve", "-q", "lines.txt", "alone.csv", "-f", format]).ends(0, &[]);
        // The answers of later lines have no column.
        let lost = "1 field is left out, because the first record has no such column";
        folder.run(&["convert", "-q", "lines.txt", "pairs.txt", "-f", format]).ends(1, &[lost]);
        // A line has the puzzle alone.
        let behind =
            folder.run(&["solve", "-q", "--no-times", "plain.csv", "lines.txt", "-f", format]).ends(0, &[]);
        let row = behind.out.replace('\t', ",").lines().nth(2).map(str::to_owned);
        assert_eq!(row, Some(format!("{PUZZLE},,{SOLUTION},solved,1,0,")));
    }
    let named = folder.run(&["canon", "-q", "--columns", "key", "key.csv", "-f", "csv"]).ends(0, &[]).out;
    assert!(named.starts_with(&format!("puzzle,key,galop_key\n{PUZZLE},MINE,")), "{named}");
}

/// A name may hold other delimiters; a key with line ends becomes a name that can be read.
#[test]
fn names_of_columns_are_read_again() {
    let folder = Folder::with(&[
        ("t.csv", &format!("a,b;puzzle\nx,y;{PUZZLE}\n")),
        ("o.json", &format!("{{\"puzzle\":\"{PUZZLE}\",\"a\\nb\":1}}\n")),
    ]);
    let table = folder.run(&["convert", "-q", "t.csv", "-f", "csv"]).ends(0, &[]).out;
    assert_eq!(table, format!("\"a,b\",puzzle\n\"x,y\",{PUZZLE}\n"));
    folder.run(&["convert", "-q", "o.json", "-o", "o.csv"]).ends(0, &[]);
    assert_eq!(folder.read("o.csv"), format!("puzzle,a b\n{PUZZLE},1\n"));
    folder.run(&["solve", "-q", "o.csv"]).ends(0, &[]);
}

/// Spaces and quotes of a table are part of its fields, and a key of a later object is kept.
#[test]
fn rows_and_objects_of_the_same_format_are_kept_as_they_are() {
    let rows = format!("puzzle, pad ,\"q\"\"q\"\n{PUZZLE},  y  ,\"a\"\n{PUZZLE},,\"b\"\"\"\n");
    let objects =
        format!("{{\"puzzle\": \"{PUZZLE}\"}}\n{{\"puzzle\":\"{PUZZLE}\",\"later\":[1, 2],\"level\":0}}\n");
    let folder = Folder::with(&[
        ("a.csv", &rows),
        ("a.json", &objects),
        ("b.csv", &format!("puzzle;x\n{PUZZLE};\"1,5\"\n")),
    ]);
    let kept = folder.run(&["convert", "-q", "a.csv", "-f", "csv"]).ends(0, &[]).out;
    assert_eq!(kept, rows);
    let rated = folder.run(&["rate", "-q", "a.csv", "-f", "csv"]).ends(0, &[]).out;
    let expected = rows.replacen("q\"\n", "q\",level,score,hardest\n", 1);
    assert_eq!(
        rated,
        expected
            .replace("\"a\"\n", "\"a\",medium,2.6,pointing\n")
            .replace("\"\"\"\n", "\"\"\",medium,2.6,pointing\n")
    );
    let rated = folder.run(&["rate", "-q", "a.json", "-f", "json"]).ends(0, &[]).out;
    assert!(
        rated.ends_with(
            ",\"later\":[1, 2],\"level\":0,\"galop_level\":\"medium\",\"score\":2.6,\"hardest\":\"pointing\"}\n"
        ),
        "{rated}"
    );
    // A table in csv has commas, whatever the table that is read has.
    folder.run(&["solve", "-q", "--no-times", "b.csv", "-o", "o.csv"]).ends(0, &[]);
    let expected =
        format!("puzzle,x,solution,status,count,guesses,nanos\n{PUZZLE},\"1,5\",{SOLUTION},solved,1,0,\n");
    assert_eq!(folder.read("o.csv"), expected);
}

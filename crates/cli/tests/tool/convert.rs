//! `galop convert`: every format to every other one and back, compressed or not.

use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells};
use galop_testing::python::python_with;

/// Lines as galop writes them: puzzles, or puzzles and their answers.
fn lines(has_answers: bool) -> String {
    let solved = Folder::new().run_on(crate::puzzles(40), &["solve", "-q", "-"]).ends(0, &[]).out;
    let line = |line: &str| if has_answers { format!("{line}\n") } else { format!("{}\n", &line[..81]) };
    solved.lines().map(line).collect()
}

/// Makes a file of `lines` with each ending, and converts each to each other one and back.
#[track_caller]
fn converts_there_and_back(lines: &str, endings: &[&str]) {
    let folder = Folder::new();
    folder.write("made.txt", lines);
    for ending in endings {
        folder.run(&["convert", "-q", "made.txt", "-o", &format!("from.{ending}")]).ends(0, &[]);
    }
    assert_eq!(folder.read("from.txt"), lines);
    for from in endings {
        let source = format!("from.{from}");
        for to in endings {
            let (there, back) = (format!("there.{to}"), format!("back.{from}"));
            folder.run(&["convert", "-q", &source, "-o", &there]).ends(0, &[]);
            folder.run(&["convert", "-q", &there, "-o", &back]).ends(0, &[]);
            assert!(folder.bytes(&back) == folder.bytes(&source), "{from} to {to} and back");
            // The way does not matter.
            assert!(folder.bytes(&there) == folder.bytes(&format!("from.{to}")), "{from} to {to}");
        }
    }
}

#[test]
fn every_format_goes_to_every_other_one_and_back() {
    converts_there_and_back(
        &lines(false),
        &["txt", "csv", "tsv", "json", "npy", "npz", "csv.gz", "jsonl.zst", "txt.xz"],
    );
    converts_there_and_back(&lines(true), &["txt", "csv", "json", "npz", "txt.bz2"]);
    // A drawn grid has no ending of its own.
    let folder = Folder::new();
    folder.write("made.txt", lines(false));
    for name in ["a.txt", "a.npz"] {
        folder.run(&["convert", "-q", "made.txt", "-o", name]).ends(0, &[]);
        folder.run(&["convert", "-q", name, "-f", "grid", "-o", "grids"]).ends(0, &[]);
        assert!(folder.read("grids").starts_with("+-------+-------+-------+\n| "));
        folder.run(&["convert", "-q", "grids", "-o", &format!("back-{name}")]).ends(0, &[]);
        assert!(folder.bytes(&format!("back-{name}")) == folder.bytes(name), "{name}");
        folder.run(&["convert", "-q", "grids", "-f", "grid", "-o", "again"]).ends(0, &[]);
        assert_eq!(folder.read("again"), folder.read("grids"));
    }
}

#[test]
fn other_sizes_and_alphabets_go_there_and_back() {
    let small = "1...............\n.2.4............\n";
    let large = format!("{:.<256}\n{:.<256}\n", "1G2", "F...7");
    for (text, kind) in [(small, "1-4"), (&*large, "1-9A-G")] {
        let folder = Folder::with(&[("a.txt", text)]);
        for name in ["a.csv", "a.json", "a.npy", "a.npz"] {
            folder.run(&["convert", "-q", "a.txt", "-o", name]).ends(0, &[]);
            let back = folder.run(&["convert", "-q", name]).ends(0, &[]).out;
            assert_eq!(back, text, "{kind} {name}");
        }
    }
}

#[test]
fn tables_and_objects_keep_all_columns() {
    let table = format!(
        "id,quizzes,solutions,note,rating,hash\n\
         7,{PUZZLE},{SOLUTION},\"a, \"\"b\"\"\",1.50,007\n\
         8,{PUZZLE},{SOLUTION},,-2,12345678\n"
    );
    let objects = format!(
        "{{\"id\":7,\"quizzes\":\"{PUZZLE}\",\"solutions\":\"{SOLUTION}\",\"note\":\"a, \\\"b\\\"\",\"rating\":1.50,\"hash\":\"007\"}}\n\
         {{\"id\":8,\"quizzes\":\"{PUZZLE}\",\"solutions\":\"{SOLUTION}\",\"note\":null,\"rating\":-2,\"hash\":\"12345678\"}}\n"
    );
    let folder = Folder::with(&[("a.csv", &table), ("a.json", &objects)]);
    let convert = |words: &[&str]| folder.run(&[&["convert", "-q"], words].concat()).ends(0, &[]).out;
    assert_eq!(convert(&["a.csv", "-f", "json"]), objects);
    assert_eq!(convert(&["a.json", "-f", "csv"]), table);
    assert_eq!(convert(&["a.csv", "-f", "csv"]), table);
    assert_eq!(convert(&["a.json", "-f", "json"]), objects);
    // Other delimiters and quotes where they are not needed are made alike.
    folder.write("b.tsv", table.replace("a, \"\"b\"\"", "X").replace(',', "\t").replace('X', "a, \"\"b\"\""));
    assert_eq!(convert(&["b.tsv", "-f", "csv"]), table);
    // What has no place is named.
    let run = folder.run(&["convert", "a.csv"]).ends(
        0,
        &[
            "puzzles in `quizzes`, answers in `solutions`",
            "left out: `hash`, `id`, `note`, `rating`, because pair has",
        ],
    );
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n").repeat(2));
    folder
        .run(&["convert", "a.csv", "-o", "a.npy"])
        .ends(0, &["left out: 2 answers, because npy holds only puzzles", "`solutions`"]);
    // Columns are chosen as in solve.
    let swapped = convert(&["a.csv", "--column", "solutions", "--answer-column", "2", "-f", "pair"]);
    assert_eq!(swapped, format!("{SOLUTION},{PUZZLE}\n").repeat(2));
    // Several files: the columns of the first one, wherever they are in the others.
    let other = format!("{{\"solutions\":\"{SOLUTION}\",\"quizzes\":\"{PUZZLE}\",\"id\":9}}\n");
    folder.write("c.json", &other);
    assert_eq!(convert(&["a.csv", "c.json", "-f", "csv"]), format!("{table}9,{PUZZLE},{SOLUTION},,,\n"));
    folder.run(&["convert", "c.json", "a.csv", "-f", "csv"]).ends(
        2,
        &["its columns differ from the columns of the first input", "; give that file a run of its own, or"],
    );
    // A key that comes later.
    folder.write("d.json", objects.clone() + &" ".repeat(9000) + "\n" + &other.replace("\"id\"", "\"new\""));
    folder
        .run(&["convert", "d.json", "-f", "csv"])
        .ends(1, &["1 field is left out, because the first record has no"]);
    folder.run(&["convert", "d.json", "-f", "csv", "--allow-malformed"]).ends(0, &["1 field is left out"]);
}

#[test]
fn grids_keep_their_characters_where_the_output_is_text() {
    let zeros = PUZZLE.replace('.', "0");
    let text = format!("{zeros} ED=7\n# comment\n\n  {PUZZLE},none\n{PUZZLE}:x\n");
    let folder = Folder::with(&[("a.txt", &text)]);
    let convert =
        |words: &[&str]| folder.run(&[&["convert", "-q", "a.txt"], words].concat()).ends(0, &[]).out;
    assert_eq!(convert(&[]), format!("{zeros} ED=7\n  {PUZZLE},none\n{PUZZLE}:x\n"));
    // The first line has no answer, so the table has no column for one.
    folder.run(&["convert", "-q", "a.txt", "-f", "csv"]).ends(1, &["1 field is left out"]);
    folder.write(
        "a.txt",
        format!("{zeros},{SOLUTION}\n{PUZZLE},none\n[{}]\n", zeros.replace("", ",").trim_matches(',')),
    );
    assert_eq!(
        convert(&["-f", "csv"]),
        format!("puzzle,solution\n{zeros},{SOLUTION}\n{PUZZLE},none\n{PUZZLE},\n")
    );
    let object = |puzzle: &str, answer: &str| format!("{{\"puzzle\":\"{puzzle}\",\"solution\":{answer}}}\n");
    let objects =
        object(&zeros, &format!("\"{SOLUTION}\"")) + &object(PUZZLE, "\"none\"") + &object(PUZZLE, "null");
    assert_eq!(convert(&["-f", "json"]), objects);
    // Grids as arrays of numbers become text.
    let numbers = format!("{:?}", cells(PUZZLE));
    folder.write("a.txt", format!("{{\"puzzle\":{numbers},\"answer\":{numbers},\"x\":[1, 2]}}\n"));
    assert_eq!(convert(&["-f", "csv"]), format!("puzzle,answer,x\n{PUZZLE},{PUZZLE},\"[1, 2]\"\n"));
    // An empty input is an empty output; a table has its header.
    let empty = |format: &str| folder.run_on("", &["convert", "-q", "-", "-f", format]).ends(0, &[]).out;
    assert_eq!(
        (empty("pair"), empty("json"), empty("csv")),
        (String::new(), String::new(), "puzzle,solution\n".into())
    );
}

#[test]
fn malformed_records_are_named_and_keep_their_place() {
    let text = format!("{PUZZLE},{SOLUTION}\nbad \"one\"\n{PUZZLE}\n");
    let folder = Folder::with(&[("a.txt", &text)]);
    let convert = |words: &[&str]| {
        let run = folder.run(&[&["convert", "-q", "a.txt"], words].concat());
        run.ends(1, &["a.txt:2:5: unexpected `\\\"`", " malformed record"]).out
    };
    assert_eq!(convert(&[]), format!("{PUZZLE},{SOLUTION}\nbad \"one\",malformed\n{PUZZLE}\n"));
    let table = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n\"bad \"\"one\"\"\",malformed\n{PUZZLE},\n");
    assert_eq!(convert(&["-f", "csv"]), table);
    assert!(convert(&["-f", "json"]).contains(r#"{"puzzle":"bad \"one\"","solution":"malformed"}"#));
    assert!(convert(&["-f", "grid"]).contains("\nmalformed\n\n"));
    convert(&["-o", "a.npy"]);
    let rows = [cells(PUZZLE), [0; 81], cells(PUZZLE)].concat();
    assert_eq!(folder.bytes("a.npy")[128..], rows);
    folder.run(&["convert", "-q", "a.txt", "--allow-malformed"]).ends(0, &[]);
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let folder = Folder::with(&[("a.txt", &format!("{PUZZLE}\n"))]);
    folder.run(&["convert", "a.txt", "-f", "npy"]).fails("--format npy needs a file");
    folder.run(&["convert", "a.txt", "-f", "solution"]).fails("invalid value 'solution'");
    folder.run(&["convert", "a.txt", "-o", "a.txt"]).fails("is also read");
    folder.run(&["convert", "none.txt", "-o", "b.txt"]).fails("none.txt: cannot read");
    folder.run(&["convert", "a.txt", "-o", "/dev/full"]).fails("No space left");
    assert_eq!(folder.names(), ["a.txt"]);
}

const READ: &str = "
import io, json, numpy, pandas, subprocess
table = pandas.read_csv('a.csv', dtype={'puzzle': str, 'solution': str})
assert list(table.columns) == ['id', 'puzzle', 'solution', 'note'], table.columns
assert len(table) == 3 and list(table['id']) == [1, 2, 3] and table['note'][1] == 'two\\nlines, \"quoted\"'
lines = pandas.read_json('a.jsonl', lines=True, dtype={'puzzle': str, 'solution': str})
assert list(lines['note'])[:2] == list(table['note'])[:2] and list(lines['id']) == [1, 2, 3], lines
assert [json.loads(line)['puzzle'] for line in open('a.jsonl')] == list(table['puzzle'])
z = numpy.load('a.npz')
as_text = lambda row: ''.join(str(c) if c else '.' for c in row)
assert [as_text(row) for row in z['puzzle']] == list(table['puzzle'])
assert [as_text(row) for row in z['solution']] == list(table['solution'])
assert (numpy.load('a.npy') == z['puzzle']).all()
table.to_csv('b.csv', index=False)
table.to_json('b.jsonl', orient='records', lines=True)
";

#[test]
fn pandas_and_numpy_read_what_is_written() {
    let Some(python) = python_with("pandas, numpy") else { return };
    let note = "\"two\nlines, \"\"quoted\"\"\"";
    let table = format!(
        "id,puzzle,solution,note\n1,{PUZZLE},{SOLUTION},x\n2,{PUZZLE},{SOLUTION},{note}\n3,{PUZZLE},{SOLUTION},\n"
    );
    let folder = Folder::with(&[("in.csv", &table)]);
    for name in ["a.csv", "a.jsonl", "a.npy", "a.npz"] {
        folder.run(&["convert", "-q", "in.csv", "-o", name]).ends(0, &[]);
    }
    let output = folder.start(python, &["-c", READ]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // And back.
    assert_eq!(folder.run(&["convert", "-q", "b.csv", "-f", "csv"]).ends(0, &[]).out, table);
    assert_eq!(folder.run(&["convert", "-q", "b.jsonl", "-f", "csv"]).ends(0, &[]).out, table);
}

const READ_BY_ARROW: &str = "
import pyarrow.csv, pyarrow.json
table = pyarrow.csv.read_csv('a.csv.gz', convert_options=pyarrow.csv.ConvertOptions(column_types={'puzzle': 'string', 'solution': 'string'}))
lines = pyarrow.json.read_json('a.json')
assert table.column_names == ['id', 'puzzle', 'solution', 'rating'] == lines.column_names, lines.column_names
assert table.to_pydict() == lines.to_pydict() and table.num_rows == 2, lines
assert table.schema.field('rating').type == 'double' == lines.schema.field('rating').type, lines.schema
";

#[test]
fn pyarrow_reads_what_is_written() {
    let Some(python) = python_with("pyarrow") else { return };
    let table = format!("id,puzzle,solution,rating\n1,{PUZZLE},{SOLUTION},1.5\n2,{PUZZLE},{SOLUTION},\n");
    let folder = Folder::with(&[("in.csv", &table)]);
    for name in ["a.csv.gz", "a.json"] {
        folder.run(&["convert", "-q", "in.csv", "-o", name]).ends(0, &[]);
    }
    let output = folder.start(python, &["-c", READ_BY_ARROW]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A table and objects keep the text of any answer. Where only grids have a place, damaged ones are counted.
#[test]
fn damaged_answers_are_not_left_out_in_silence() {
    let short = &SOLUTION[..80];
    let table = format!(
        "puzzle,answer\n{PUZZLE},{SOLUTION}\n{PUZZLE},{short}\n{PUZZLE},\n{PUZZLE},none\n{PUZZLE},x\n"
    );
    let folder = Folder::with(&[("t.csv", &table)]);
    let json = folder.run(&["convert", "-q", "t.csv", "-f", "json"]).ends(0, &[]).out;
    assert!(json.contains(&format!("\"answer\":\"{short}\"")) && json.contains("\"answer\":\"x\""), "{json}");
    let warning = |format| {
        format!(
            "galop: warning: 2 damaged answers are left out, because {format} holds only grids; `galop verify` names them\n"
        )
    };
    let pairs = folder.run(&["convert", "-q", "t.csv", "-f", "pair"]).ends(1, &[]);
    assert_eq!(pairs.err, warning("pair"));
    assert_eq!(pairs.out, format!("{PUZZLE},{SOLUTION}\n{PUZZLE}\n{PUZZLE}\n{PUZZLE},none\n{PUZZLE}\n"));
    assert_eq!(folder.run(&["convert", "-q", "t.csv", "-o", "t.npz"]).ends(1, &[]).err, warning("npz"));
    folder.run(&["convert", "-q", "t.csv", "-f", "pair", "--allow-malformed"]).ends(0, &[&warning("pair")]);
    // What follows a puzzle on a line may be anything.
    folder.run_on(format!("{PUZZLE},{short}\n"), &["convert", "-f", "grid"]).ends(0, &[]);
}

/// Fields of lines beside the puzzle and its answer have no names. They stay in lines, and are named where they do not.
#[test]
fn other_fields_of_lines_are_not_left_out_in_silence() {
    let text = format!(
        "{PUZZLE},{SOLUTION},author,7\n7 {PUZZLE}\n{PUZZLE} # hard\n{PUZZLE},{SOLUTION}\n{PUZZLE}\n\
         {PUZZLE},\n{PUZZLE},none\n\"{PUZZLE}\",\n"
    );
    let folder = Folder::with(&[("a.txt", &text)]);
    let told = "left out: the other fields of 3 records, because fields of plain lines have no names\n";
    for words in [
        &["convert", "a.txt", "-f", "csv"][..],
        &["convert", "a.txt", "-f", "json"],
        &["convert", "a.txt", "-o", "a.npz"],
        &["rate", "a.txt"],
        &["rate", "a.txt", "-f", "pair"],
    ] {
        let run = folder.run(words).ends(0, &[]);
        assert_eq!(run.err.matches("left out").count(), 1, "{words:?}: {}", run.err);
        assert!(run.err.contains(told), "{words:?}: {}", run.err);
    }
    let run = folder.run(&["convert", "a.txt"]).ends(0, &[]);
    assert_eq!(run.out, text);
    assert!(!run.err.contains("left out"), "{}", run.err);
    folder.write("b.txt", format!("{PUZZLE},{SOLUTION}\n{PUZZLE}\n"));
    assert!(!folder.run(&["rate", "b.txt"]).ends(0, &[]).err.contains("left out"));
}

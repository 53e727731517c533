//! All tables of columns in all formats that have columns: each value is read again by another reader, and has the type
//! that its row names.

use std::collections::{BTreeMap, BTreeSet};

use galop_batch::output::{self, Kind};
use galop_corpora::{CANON_COLUMNS, MADE_COLUMNS, RATE_COLUMNS};
use serde_json::Value;

use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, contradictory, open_puzzle};

/// The values of a record by the names of their columns; an empty text for none.
type Row = BTreeMap<String, String>;

/// A command, and columns that it has together; those that are no arrays are text.
const RUNS: &[(&str, &str)] = &[
    ("solve --unique --no-times in.txt", "puzzle,solution,status,count,guesses,clues,nanos,micros,line,cost"),
    ("solve --no-times in.txt", "guesses_first,source"),
    ("solve --no-times -e singles in.txt", "calls,depth"),
    ("solve --no-times -e logic in.txt", "partial"),
    ("solve --no-times --all --limit 3 in.txt", "solution_number"),
    (
        "canon in.txt",
        "canonical,form,automorphisms,key,canonical_solution,solution_automorphisms,solution_key",
    ),
    ("rate --by guesses --symmetries 2 --seed 1 in.txt", "guesses,mean,geometric_mean,deviation"),
    ("rate in.txt", "level,score,hardest"),
    ("generate -n 3 --seed 1", "guesses,key"),
    ("generate -n 3 --seed 1 --unbiased", "weight"),
];

/// Columns without arrays: a text of any length, and what only runs with several records a puzzle have.
const NO_ARRAYS: [&str; 2] = ["source", "solution_number"];

/// The kinds of the columns that a command may have.
fn kinds(command: &str) -> BTreeMap<&'static str, Kind> {
    match command {
        "solve" => output::COLUMNS.iter().map(|column| (column.name, column.kind)).collect(),
        "canon" => CANON_COLUMNS.iter().map(|column| (column.name, column.kind)).collect(),
        "rate" => RATE_COLUMNS.iter().map(|column| (column.name, column.kind)).collect(),
        _ => MADE_COLUMNS.iter().map(|column| (column.name, column.kind)).collect(),
    }
}

/// The rows of a table whose fields need no quotes.
fn table(text: &str, delimiter: char) -> Vec<Row> {
    let mut lines = text.lines().map(|line| line.split(delimiter).map(str::to_owned));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|fields| names.iter().cloned().zip(fields).collect()).collect()
}

/// The rows of objects, whose values have the types of their columns.
fn objects(text: &str, kinds: &BTreeMap<&str, Kind>) -> Vec<Row> {
    let value = |(name, value): (&String, &Value)| {
        let kind = kinds.get(&**name);
        let text = match value {
            Value::Null => String::new(),
            Value::String(text) if !matches!(kind, Some(Kind::Whole | Kind::Real)) => text.clone(),
            Value::Number(number) if matches!(kind, None | Some(Kind::Whole | Kind::Real)) => {
                number.to_string()
            }
            other => panic!("{name}: {other}"),
        };
        (name.clone(), text)
    };
    let row =
        |line| serde_json::from_str::<Value>(line).unwrap().as_object().unwrap().iter().map(value).collect();
    text.lines().map(row).collect()
}

/// The arrays of an archive whose members are stored as they are, one behind the other: `name -> (type, rows as text)`.
fn arrays(bytes: &[u8]) -> BTreeMap<String, (String, Vec<String>)> {
    let number = |at: usize| usize::from(bytes[at]) | usize::from(bytes[at + 1]) << 8;
    let (mut at, mut found) = (0, BTreeMap::new());
    while bytes[at..].starts_with(b"PK\x03\x04") {
        let name = String::from_utf8(bytes[at + 30..][..number(at + 26)].to_vec()).unwrap();
        at += 30 + number(at + 26) + number(at + 28);
        let data = &bytes[at..];
        let header = String::from_utf8(data[10..128].to_vec()).unwrap();
        let between = |begin: &str, end: char| header.split(begin).nth(1).unwrap().split(end).next().unwrap();
        let descr = between("'descr': '", '\'').to_owned();
        let shape: Vec<usize> =
            between("'shape': (", ')').split(',').filter_map(|side| side.trim().parse().ok()).collect();
        let width = match (&*descr, shape.get(1)) {
            ("|u1", side) => *side.unwrap(),
            ("<i8" | "<f8", None) => 8,
            (text, None) => 4 * text.strip_prefix("<U").unwrap().parse::<usize>().unwrap(),
            other => panic!("{name}: {other:?}"),
        };
        let text = |row: &[u8]| match &*descr {
            "|u1" if row.iter().all(|&cell| cell == 0) => String::new(),
            "|u1" => row.iter().map(|&cell| if cell == 0 { '.' } else { char::from(b'0' + cell) }).collect(),
            "<i8" => Some(i64::from_le_bytes(row.try_into().unwrap()))
                .filter(|&number| number != -1)
                .map_or(String::new(), |number| number.to_string()),
            "<f8" => Some(f64::from_le_bytes(row.try_into().unwrap()))
                .filter(|number| !number.is_nan())
                .map_or(String::new(), |number| number.to_string()),
            _ => row.iter().step_by(4).take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect(),
        };
        let rows = data[128..][..shape[0] * width].chunks(width).map(text).collect();
        found.insert(name.trim_end_matches(".npy").to_owned(), (descr, rows));
        at += 128 + shape[0] * width;
    }
    found
}

/// Whether both texts are the same number or the same text.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.parse::<f64>().is_ok_and(|one| other.parse::<f64>() == Ok(one))
}

#[test]
fn every_column_has_its_values_and_its_type_in_every_format() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n{}\n{}\n", contradictory(), open_puzzle()))]);
    let mut tried = BTreeSet::new();
    for (words, names) in RUNS {
        let words: Vec<&str> = words.split(' ').collect();
        let kinds = kinds(words[0]);
        tried.extend(names.split(',').map(|name| (words[0], name)));
        let run = |format: &str, names: &str| {
            let run = folder.run(&[&words[..], &["-q", "--columns", names, "-f", format]].concat());
            // A puzzle with more solutions than are listed.
            assert!([Some(0), Some(4)].contains(&run.code), "{}", run.err);
            run.out
        };
        let rows = table(&run("csv", names), ',');
        assert!(
            rows.len() >= 3 && rows.iter().all(|row| names.split(',').all(|name| row.contains_key(name)))
        );
        let others =
            [("tsv", table(&run("tsv", names), '\t')), ("json", objects(&run("json", names), &kinds))];
        for (format, other) in others {
            assert_eq!(other.len(), rows.len(), "{words:?} {format}");
            for (row, other) in rows.iter().zip(&other) {
                for name in names.split(',') {
                    let value = &row[name];
                    assert!(
                        is_same(value, &other[name]),
                        "{words:?} {format} {name}: {value} {}",
                        other[name]
                    );
                }
            }
        }
        let in_arrays: Vec<&str> = names.split(',').filter(|name| !NO_ARRAYS.contains(name)).collect();
        if in_arrays.is_empty() {
            continue;
        }
        let archive = ["-q", "--columns", &in_arrays.join(","), "-o", "o.npz"];
        folder.run(&[&words[..], &archive].concat()).ends(0, &[]);
        let arrays = arrays(&folder.bytes("o.npz"));
        for name in in_arrays {
            let (descr, values) = &arrays[name];
            let is_right = match kinds[name] {
                Kind::Grid => descr == "|u1",
                Kind::Whole => descr == "<i8",
                Kind::Real => descr == "<f8",
                Kind::Word(characters) => *descr == format!("<U{characters}"),
                Kind::Text => false,
            };
            assert!(is_right, "{words:?} {name}: {descr} for {:?}", kinds[name]);
            assert_eq!(values.len(), rows.len(), "{words:?} {name}");
            for (row, value) in rows.iter().zip(values) {
                assert!(is_same(&row[name], value), "{words:?} {name}: {} {value}", row[name]);
            }
        }
    }
    let all = ["solve", "canon", "rate", "generate"]
        .into_iter()
        .flat_map(|command| kinds(command).into_keys().map(move |name| (command, name)));
    assert_eq!(tried, all.collect(), "a row of a table that no run above has");
}

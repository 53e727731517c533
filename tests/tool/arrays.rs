//! Arrays of numpy as output, alone (npy) and in archives (npz), and the format by the ending of the output's name.

use crate::common::program::Folder;
use crate::common::puzzles::{PUZZLE, SOLUTION, cells, contradictory};
use crate::common::python::python_with;

/// The number of bytes in the header of an array.
const HEADER: usize = 128;

/// The rows of an array as text, and the text of its header.
fn array(bytes: &[u8]) -> (String, &[u8]) {
    assert!(bytes.starts_with(b"\x93NUMPY\x01\0\x76\0"), "{:?}", &bytes[..10]);
    (String::from_utf8(bytes[10..HEADER].to_vec()).unwrap(), &bytes[HEADER..])
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path(name)).unwrap()
}

#[test]
fn an_array_has_a_row_for_each_record_in_order() {
    let text = format!("{PUZZLE}\nmalformed\n{}\n{PUZZLE}\n", contradictory());
    let folder = Folder::with(&[("in.txt", &text)]);
    let expected = [&cells(SOLUTION)[..], &[0; 162], &cells(SOLUTION)].concat();
    for words in [&["-o", "out.npy"][..], &["-f", "npy", "-o", "out.bin"], &["-j1", "-o", "out.npy"]] {
        folder.run(&[&["solve", "in.txt"], words].concat()).ends(1, &["in.txt:2:1: "]);
        let found = bytes(&folder, words[words.len() - 1]);
        let (header, rows) = array(&found);
        let shape = "{'descr': '|u1', 'fortran_order': False, 'shape': (4, 81), } ";
        assert!(header.starts_with(shape) && header.ends_with(" \n"), "{header}");
        assert_eq!(rows, expected);
    }
    // An old file is replaced; without records there are no rows; the sizes follow the rules.
    folder.run_on("", &["solve", "-q", "-", "-o", "out.npy"]).ends(0, &[]);
    assert!(array(&bytes(&folder, "out.npy")).0.contains("(0, 81)"));
    folder.run_on("1...............\n", &["solve", "-q", "-", "-o", "small.npy"]).ends(0, &[]);
    let small = bytes(&folder, "small.npy");
    assert!(array(&small).0.contains("(1, 16)") && array(&small).1.len() == 16);
    // What is written is read again.
    folder.run(&["solve", "-q", "small.npy", "-o", "again.npy"]).ends(0, &[]);
    assert_eq!(bytes(&folder, "again.npy"), small);
}

#[test]
fn the_digits_of_an_array_are_1_to_9_whatever_those_of_the_input_are() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    folder.run(&["solve", "-q", "in.txt", "-o", "one.npy"]).ends(0, &[]);
    let mut input = bytes(&folder, "one.npy");
    input.truncate(HEADER);
    input.extend(cells(PUZZLE).map(|cell| cell + 1));
    folder.write("hrm.npy", &input);
    folder.run(&["solve", "-q", "--npy-offset", "1", "hrm.npy", "-o", "out.npy"]).ends(0, &[]);
    assert_eq!(bytes(&folder, "out.npy"), bytes(&folder, "one.npy"));
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
                bytes(&folder, name)
            })
            .into();
        assert!(all[0] == all[1] && all[0] == all[2], "{name}");
    }
    let solved = folder.run(&["solve", "-q", "in.txt", "-f", "solution"]).out;
    let found = bytes(&folder, "out.npy");
    let lines: Vec<u8> = solved.lines().flat_map(|line| cells(line)).collect();
    assert!(array(&found).1 == lines);
    assert_eq!(folder.names(), ["in.txt", "out.npy", "out.npz"], "no temporary file is left");
}

#[test]
fn what_cannot_be_changed_at_the_end_is_refused_before_the_work() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    let reason = "begins with the number of its rows, which is known only at the end";
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
        .ends(2, &["for --format csv, json, npz"]);
    folder
        .run(&["solve", "in.txt", "-o", "out.npz", "--columns", "source"])
        .ends(2, &["the column `source` has text of any length", "leave it out of --columns"]);
    assert_eq!(folder.names(), ["in.txt"]);
}

#[test]
fn the_ending_of_the_output_chooses_the_format() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    let named = |format| folder.run(&["solve", "-q", "--no-times", "in.txt", "-f", format]).ends(0, &[]).out;
    for (name, format) in [
        ("a.txt", "pair"),
        ("a", "pair"),
        ("a.csv", "csv"),
        ("a.CSV", "csv"),
        ("a.json", "json"),
        ("a.jsonl", "json"),
        ("a.ndjson", "json"),
        ("a.out", "pair"),
    ] {
        folder.run(&["solve", "-q", "--no-times", "in.txt", "-o", name]).ends(0, &[]);
        assert_eq!(folder.read(name), named(format), "{name}");
        let packed = format!("{name}.gz");
        folder.run(&["solve", "-q", "--no-times", "in.txt", "-o", &packed]).ends(0, &[]);
        assert!(bytes(&folder, &packed).starts_with(b"\x1f\x8b"));
        // `galop show` would draw it; `solve` reads all of these.
        let again = folder.run(&["solve", "-q", &packed, "-f", "solution"]).ends(0, &[]).out;
        assert_eq!(again, format!("{SOLUTION}\n"), "{name}");
    }
    // A format that is named counts more.
    folder.run(&["solve", "-q", "in.txt", "-o", "b.csv", "-f", "solution"]).ends(0, &[]);
    assert_eq!(folder.read("b.csv"), format!("{SOLUTION}\n"));
}

const READ_NPY: &str = "
import numpy
a = numpy.load('out.npy')
assert a.shape == (3, 81) and a.dtype == numpy.uint8 and a.flags['C_CONTIGUOUS'], (a.shape, a.dtype)
b = numpy.load('out.npy', mmap_mode='r')
assert (a == b).all() and not a[1].any()
print(''.join(map(str, a[0])))
";

const READ_NPZ: &str = "
import numpy, sys, zipfile
assert zipfile.ZipFile('out.npz').testzip() is None
z = numpy.load('out.npz')
assert sorted(z.files) == sorted(sys.argv[1:]), z.files
assert all(len(z[name]) == 4 for name in z.files)
assert list(z['status']) == ['solved', 'malformed', 'none', 'solved'], z['status']
assert (z['status'] == 'solved').sum() == 2
print(''.join(map(str, z['solution'][0])))
assert not z['solution'][1:3].any() and z['solution'].dtype == numpy.uint8
if 'puzzle' in z.files:
    print(''.join(map(str, z['puzzle'][3])))
    assert not z['puzzle'][1].any()
if 'line' in z.files:
    assert list(z['line']) == [1, 2, 3, 4] and z['line'].dtype == numpy.int64
    assert list(z['guesses_first'])[1:3] == [-1, -1] and list(z['nanos']) == [-1] * 4
    assert numpy.isnan(z['micros']).all() and z['micros'].dtype == numpy.float64
";

#[test]
fn numpy_reads_the_arrays() {
    let Some(python) = python_with("numpy") else { return };
    let bad = contradictory();
    let folder = Folder::with(&[
        ("in.txt", &format!("{PUZZLE}\n{bad}\n{PUZZLE}\n")),
        ("bad.txt", &format!("{PUZZLE}\nx\n{bad}\n{PUZZLE}\n")),
    ]);
    let read = |script: &str, names: &[&str]| {
        let words = [&["-c", script], names].concat();
        let output = folder.start(&python, &words).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    folder.run(&["solve", "-q", "in.txt", "-o", "out.npy"]).ends(0, &[]);
    assert_eq!(read(READ_NPY, &[]), format!("{SOLUTION}\n"));
    folder.run(&["solve", "-q", "bad.txt", "-o", "out.npz"]).ends(1, &[]);
    let puzzle = PUZZLE.replace('.', "0");
    let usual = ["puzzle", "solution", "status", "guesses"];
    assert_eq!(read(READ_NPZ, &usual), format!("{SOLUTION}\n{puzzle}\n"));
    let chosen = "line,solution,status,guesses_first,micros,nanos,clues";
    folder.run(&["solve", "-q", "bad.txt", "-o", "out.npz", "--no-times", "--columns", chosen]).ends(1, &[]);
    assert_eq!(read(READ_NPZ, &chosen.split(',').collect::<Vec<_>>()), format!("{SOLUTION}\n"));
}

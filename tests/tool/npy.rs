//! Arrays of numpy as input: types, shapes, the layout with 1 as the blank, faults of the file, and arrays that numpy
//! itself wrote.

use crate::common::program::Folder;
use crate::common::puzzles::{PUZZLE, SOLUTION, cells, contradictory};
use crate::common::python::python_with;

/// An array as numpy writes it: version, type, order and shape as text, and the bytes of the rows.
fn npy(version: u8, descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    with_header(version, &format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"), data)
}

fn with_header(version: u8, text: &str, data: &[u8]) -> Vec<u8> {
    let before = if version == 1 { 10 } else { 12 };
    let padded = (before + text.len() + 1).next_multiple_of(64) - before;
    let text = format!("{text:<width$}\n", width = padded - 1);
    let mut bytes = [b"\x93NUMPY", &[version, 0][..]].concat();
    match version {
        1 => bytes.extend((padded as u16).to_le_bytes()),
        _ => bytes.extend((padded as u32).to_le_bytes()),
    }
    [bytes, text.into_bytes(), data.to_vec()].concat()
}

/// The puzzles of some rows, each value of `width` bytes, greater by `offset`.
fn rows(puzzles: &[&str], width: usize, offset: u8) -> Vec<u8> {
    let values = puzzles.iter().flat_map(|puzzle| cells(puzzle));
    values.flat_map(|cell| (0..width).map(move |at| if at == 0 { cell + offset } else { 0 })).collect()
}

#[test]
fn every_type_shape_and_version_is_read() {
    let bad = contradictory();
    let puzzles = [PUZZLE, SOLUTION, &bad];
    let expected = format!("{PUZZLE},{SOLUTION}\n{SOLUTION},{SOLUTION}\n{bad},none\n");
    let folder = Folder::new();
    for (index, (descr, width)) in
        [("|u1", 1), ("|i1", 1), ("<u2", 2), ("<i2", 2), ("<u4", 4), ("<i4", 4), ("<u8", 8), ("<i8", 8)]
            .into_iter()
            .enumerate()
    {
        let shape = ["(3, 81)", "(3, 9, 9)", "(3,81)"][index % 3];
        for offset in [0, 1] {
            let bytes = npy(1 + index as u8 % 3, descr, shape, &rows(&puzzles, width, offset));
            folder.write("a.npy", &bytes);
            for words in [&["solve", "a.npy"][..], &["solve", "a.npy", "--no-mmap"], &["solve", "-"]] {
                let run = folder.run_on(bytes.clone(), words).ends(0, &[]);
                assert_eq!(run.out, expected, "{descr} {offset} {words:?}");
                let is_said = run.err.contains("numbers  1 is a blank, and symbols are greater by one, in ");
                assert_eq!(is_said, offset == 1, "{}", run.err);
            }
            let offset = offset.to_string();
            assert_eq!(
                folder.run(&["solve", "-q", "a.npy", "--npy-offset", &offset]).ends(0, &[]).out,
                expected
            );
            assert_eq!(folder.run(&["show", "a.npy"]).ends(0, &[]).out.matches("| 4 1 7 |").count(), 1);
            folder.run(&["check", "a.npy"]).ends(1, &["2 possible, 1 impossible, 0 malformed"]);
        }
    }
    folder.write("empty.npy", npy(1, "|u1", "(0, 81)", b""));
    assert_eq!(folder.run(&["solve", "empty.npy"]).ends(0, &["no puzzles"]).out, "");
}

#[test]
fn large_grids_and_many_rows_are_the_same_mapped_and_streamed() {
    let folder = Folder::new();
    let mut values = vec![0_u8; 5 * 256];
    (values[0], values[300], values[1279]) = (16, 10, 1);
    folder.write("large.npy", npy(1, "|u1", "(5, 16, 16)", &values));
    let shown = folder.run(&["show", "large.npy"]).ends(0, &[]).out;
    assert!(shown.contains("| G . . . |") && shown.contains('A'), "{shown}");

    // More rows than a chunk has; a newline is a value too, and a wrong one.
    let puzzles: Vec<&str> = std::iter::repeat_n(PUZZLE, 20_000).collect();
    for (descr, width) in [("|u1", 1), ("<i8", 8)] {
        let mut data = rows(&puzzles, width, 0);
        data[81 * width * 12_345 + 7 * width] = b'\n';
        folder.write("many.npy", npy(1, descr, "(20000, 81)", &data));
        let message = "many.npy:12346:8: the number 10 (cells are numbers from 1 to 9, a blank is 0)";
        let mapped = folder.run(&["solve", "many.npy"]).ends(1, &[message]);
        let lines: Vec<&str> = mapped.out.lines().collect();
        assert_eq!(lines.len(), 20_000);
        assert!(lines[12_345].starts_with("\\x04") && lines[12_345].ends_with(",malformed"));
        let others = lines.iter().enumerate().filter(|(index, _)| *index != 12_345);
        assert!(others.into_iter().all(|(_, line)| *line == format!("{PUZZLE},{SOLUTION}")));
        for words in [&["--no-mmap"][..], &["-j", "1"], &["-e", "bitboard"]] {
            let run = folder.run(&[&["solve", "many.npy"], words].concat()).ends(1, &[message]);
            assert!(run.out == mapped.out, "{words:?}");
        }
    }
}

#[test]
fn values_out_of_range_are_malformed_and_named() {
    let folder = Folder::new();
    let run = |descr: &str, data: Vec<u8>, words: &[&str]| {
        folder.write("a.npy", npy(1, descr, "(2, 81)", &data));
        folder.run(&[&["solve", "a.npy"], words].concat())
    };
    let mut data = rows(&[PUZZLE, PUZZLE], 1, 0);
    data[80] = 0xff;
    let out = run("|i1", data.clone(), &[])
        .ends(1, &["a.npy:1:81: the number -1 (cells are numbers from 1 to 9"])
        .out;
    assert_eq!(out.lines().last(), Some(&*format!("{PUZZLE},{SOLUTION}")));
    run("|u1", data, &[]).ends(1, &["a.npy:1:81: the number 255 "]);
    let mut data = rows(&[PUZZLE, PUZZLE], 8, 0);
    data[81 * 8 + 6] = 1;
    run("<i8", data, &[]).ends(1, &["a.npy:2:1: the number 2147483647 "]);
    let data = rows(&[PUZZLE, PUZZLE], 1, 0);
    run("|u1", data, &["--npy-offset", "1"])
        .ends(1, &["a.npy:1:2: the number 0 (cells are numbers from 2 to 10, a blank is 1)"]);
    let mut data = rows(&[PUZZLE, PUZZLE], 1, 1);
    data[5] = 11;
    run("|u1", data, &["--npy-offset", "1"]).ends(1, &["a.npy:1:6: the number 11 "]);
    run("|u1", rows(&[PUZZLE, PUZZLE], 1, 0), &["--npy-offset", "2"]).ends(2, &["2 is not in 0..=1"]);
}

#[test]
fn a_file_that_ends_early_or_late_is_an_error_behind_its_complete_rows() {
    let folder = Folder::new();
    let data = rows(&[PUZZLE; 3], 1, 0);
    let line = format!("{PUZZLE},{SOLUTION}\n");
    for cut in [0, 1, 80, 81, 100, 162, 200, 242] {
        let bytes = npy(1, "|u1", "(3, 81)", &data[..cut]);
        folder.write("a.npy", &bytes);
        let row = cut / 81 + 1;
        let message =
            format!("ends at byte {}, inside row {row} of 3; the output is not complete", 128 + cut);
        for words in [&["solve", "a.npy"][..], &["solve", "a.npy", "--no-mmap"], &["solve", "-"]] {
            let run = folder.run_on(bytes.clone(), words).ends(2, &[&message]);
            assert_eq!(run.out, line.repeat(cut / 81), "{cut} {words:?}");
        }
    }
    folder.write("a.npy", npy(1, "|u1", "(2, 81)", &data));
    let run =
        folder.run(&["solve", "a.npy"]).ends(2, &["has 2 rows by its header, and other bytes behind them"]);
    assert_eq!(run.out, line.repeat(2));
    folder.run(&["solve", "a.npy", "-o", "out.txt"]).ends(2, &["from byte 290 on"]);
    assert_eq!(folder.names(), ["a.npy"]);
    // A header that ends early, at every byte.
    let bytes = npy(1, "|u1", "(2, 81)", &data[..162]);
    for cut in 6..128 {
        folder.write("a.npy", &bytes[..cut]);
        folder.run(&["solve", "a.npy"]).fails("a.npy: the header of the numpy array is malformed");
    }
}

#[test]
fn other_arrays_are_refused_with_what_helps() {
    let folder = Folder::new();
    let text = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")
    };
    for (header, fact, remedy) in [
        (text("'|u1'", "True", "(2, 81)"), "in Fortran order", "np.ascontiguousarray(a)"),
        (
            text("'>i4'", "False", "(2, 81)"),
            "type `>i4`, whose bytes are in big-endian order",
            "a.astype(np.uint8)",
        ),
        (text("'|O'", "False", "(2, 81)"), "type `|O` (cells are whole numbers)", "a.astype(np.uint8)"),
        (text("'<f8'", "False", "(2, 81)"), "type `<f8`", "np.save(\"new.npy\", a.astype(np.uint8))"),
        (text("[('a', '<i4')]", "False", "(2, 81)"), "type `structure`", "astype"),
        (
            text("'|u1'", "False", "(81,)"),
            "shape (81,) (9x9 puzzles are of the shape (n, 81)",
            "a.reshape(-1, 81)",
        ),
        (text("'|u1'", "False", "(2, 80)"), "shape (2, 80)", "a.reshape(-1, 81)"),
        (text("'|u1'", "False", "()"), "shape ()", "a.reshape(-1, 81)"),
        (text("'|u1'", "False", "(9, 9, 9, 9)"), "shape (9, 9, 9, 9)", "a.reshape(-1, 81)"),
        (text("'|u1'", "False", "(18446744073709551615, 81)"), "shape (18446744073709551615, 81)", "reshape"),
        (text("'|u1'", "Maybe", "(2, 81)"), "header of the numpy array is malformed", ""),
        ("{}".to_owned(), "header of the numpy array is malformed", ""),
        ("'descr': '".to_owned(), "header of the numpy array is malformed", ""),
    ] {
        folder.write("a.npy", with_header(1, &header, &[0; 162]));
        for command in ["solve", "check", "show", "verify"] {
            folder.run(&[command, "a.npy"]).fails("a.npy: ");
            folder.run(&[command, "a.npy"]).ends(2, &[fact, remedy]);
        }
    }
    // Versions and lengths that no numpy wrote.
    for bytes in
        [&b"\x93NUMPY\x04\0\x10\0"[..], b"\x93NUMPY\x02\0\xff\xff\xff\xff{}", b"\x93NUMPY\x01\0\0\0........"]
    {
        folder.write("a.npy", bytes);
        folder.run(&["solve", "a.npy"]).fails("the header of the numpy array is malformed");
    }
    folder.write("a.npy", npy(1, "|u1", "(2, 16)", &[0; 32]));
    folder.write("b.txt", format!("{PUZZLE}\n"));
    folder.run(&["solve", "b.txt", "a.npy"]).ends(2, &["16 cells a row (a puzzle of these rules has 81)"]);
}

const SAVE: &str = r#"
import numpy, sys
lines = [line.strip() for line in sys.stdin if line.strip()]
a = numpy.array([[0 if c == '.' else int(c) for c in line] for line in lines])
for name in ('uint8', 'int8', 'uint16', 'int32', 'int64'):
    numpy.save(name + '.npy', a.astype(name))
    numpy.save(name + '9.npy', (a + 1).astype(name).reshape(-1, 9, 9))
with open('two.npy', 'wb') as file:
    numpy.lib.format.write_array(file, a.astype('uint8'), version=(2, 0))
numpy.save('fortran.npy', numpy.asfortranarray(a))
numpy.save('big.npy', a.astype('>i4'))
numpy.save('object.npy', a.astype(object))
"#;

#[test]
fn arrays_that_numpy_wrote_are_read() {
    let Some(python) = python_with("numpy") else { return };
    let folder = Folder::new();
    let puzzles = crate::puzzles(200);
    let expected = folder.run_on(&*puzzles, &["solve", "-q"]).ends(0, &[]).out;
    folder.start(python, &["-c", SAVE]).write_stdin(puzzles).assert().success();
    let types = ["uint8", "int8", "uint16", "int32", "int64"];
    for name in
        types.into_iter().flat_map(|name| [name.to_owned(), format!("{name}9")]).chain(["two".to_owned()])
    {
        let run = folder.run(&["solve", "-q", &format!("{name}.npy")]).ends(0, &[]);
        assert!(run.out == expected, "{name}");
    }
    for name in ["fortran", "big", "object"] {
        folder.run(&["solve", &format!("{name}.npy")]).fails("a numpy array ");
    }
}

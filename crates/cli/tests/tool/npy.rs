//! Arrays of numpy as input: types, shapes, the layout with 1 as the blank, faults of the file, and arrays that numpy
//! itself wrote.

use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells, contradictory};
use galop_testing::python::python_with;

/// An array as numpy writes it: version, type, order and shape as text, and the bytes of the rows.
pub(crate) fn npy(version: u8, descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
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
pub(crate) fn rows(puzzles: &[&str], width: usize, offset: u8) -> Vec<u8> {
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
                let is_said = run.err.contains("numbers  a blank is 1, and a symbol n is n + 1, in ");
                assert_eq!(is_said, offset == 1, "{}", run.err);
            }
            let offset = offset.to_string();
            assert_eq!(
                folder.run(&["solve", "-q", "a.npy", "--npy-offset", &offset]).ends(0, &[]).out,
                expected
            );
            assert_eq!(folder.run(&["show", "a.npy"]).ends(0, &[]).out.matches("| 4 1 7 |").count(), 1);
            folder.run(&["verify", "a.npy"]).ends(1, &["1 faulty, 0 without a solution, 2 solvable"]);
        }
    }
    folder.write("empty.npy", npy(1, "|u1", "(0, 81)", b""));
    assert_eq!(folder.run(&["solve", "empty.npy"]).ends(0, &["no puzzles"]).out, "");
}

#[test]
fn large_grids_are_read() {
    let folder = Folder::new();
    let mut values = vec![0_u8; 5 * 256];
    (values[0], values[300], values[1279]) = (16, 10, 1);
    folder.write("large.npy", npy(1, "|u1", "(5, 16, 16)", &values));
    let shown = folder.run(&["show", "large.npy"]).ends(0, &[]).out;
    assert!(shown.contains("| G . . . |") && shown.contains('A'), "{shown}");
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
    let most = [&data[..81 * 8], &[0xff; 8], &data[82 * 8..]].concat();
    run("<i8", data, &[]).ends(1, &["a.npy:2:1: the number 281474976710660 "]);
    run("<u8", most, &[]).ends(1, &["a.npy:2:1: the number 9223372036854775807 or more "]);
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
        folder.run(&["solve", "a.npy"]).ends(2, &["has 2 rows by its header, but more bytes after them"]);
    assert_eq!(run.out, line.repeat(2));
    folder.run(&["solve", "a.npy", "-o", "out.txt"]).ends(2, &["from byte 290 on"]);
    assert_eq!(folder.names(), ["a.npy"]);
    // A header that ends early: in the magic number's version, in its length, and in its text.
    let bytes = npy(1, "|u1", "(2, 81)", &data[..162]);
    for cut in [6, 7, 8, 9, 10, 11, 50, 126, 127] {
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
        (text("'|b1'", "False", "(2, 81)"), "type `|b1` (cells are whole numbers)", "a.astype(np.uint8)"),
        (text("'|O'", "False", "(2, 81)"), "type `|O` (cells are whole numbers)", "a.astype(np.uint8)"),
        (text("'<c8'", "False", "(2, 81)"), "type `<c8`", "np.save(\"new.npy\", a.astype(np.uint8))"),
        (text("[('a', '<i4')]", "False", "(2, 81)"), "type `structure`", "astype"),
        (
            text("'|u1'", "False", "(81,)"),
            "shape (81,) (9x9 puzzles are of the shape (n, 81)",
            "a.reshape(-1, 81)",
        ),
        (text("'|u1'", "False", "(2, 80)"), "shape (2, 80)", "a.reshape(-1, 81)"),
        (text("'|u1'", "False", "()"), "shape ()", "a.reshape(-1, 81)"),
        (text("'|u1'", "False", "(9, 9, 9, 8)"), "shape (9, 9, 9, 8)", "a.reshape(-1, 81)"),
        (text("'|u1'", "False", "(2, 81, 11)"), "shape (2, 81, 11)", "a.reshape(-1, 81)"),
        (text("'|u1'", "False", "(18446744073709551615, 81)"), "shape (18446744073709551615, 81)", "reshape"),
        (text("'|u1'", "Maybe", "(2, 81)"), "header of the numpy array is malformed", ""),
        ("{}".to_owned(), "header of the numpy array is malformed", ""),
        ("'descr': '".to_owned(), "header of the numpy array is malformed", ""),
    ] {
        folder.write("a.npy", with_header(1, &header, &[0; 162]));
        for command in ["solve", "show", "verify"] {
            let run = folder.run(&[command, "a.npy"]).ends(2, &["a.npy: ", fact, remedy]);
            assert_eq!(run.out, "");
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
    folder.run(&["solve", "b.txt", "a.npy"]).ends(2, &["16 cells per row (a puzzle of these rules has 81)"]);
}

/// The values of some rows as floats.
fn floats(puzzles: &[&str], blank: f64) -> Vec<f64> {
    let cell = |cell: u8| if cell == 0 { blank } else { cell.into() };
    puzzles.iter().flat_map(|puzzle| cells(puzzle)).map(cell).collect()
}

#[test]
fn floats_of_whole_numbers_are_cells_and_nan_is_a_blank() {
    let folder = Folder::new();
    let expected = format!("{PUZZLE},{SOLUTION}\n").repeat(2);
    for blank in [0.0, f64::NAN, -0.0] {
        let values = floats(&[PUZZLE, PUZZLE], blank);
        let arrays = [
            ("<f8", values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>()),
            (">f8", values.iter().flat_map(|value| value.to_be_bytes()).collect()),
            ("<f4", values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect()),
        ];
        for (descr, data) in arrays {
            for shape in ["(2, 81)", "(2, 9, 9)"] {
                folder.write("a.npy", npy(1, descr, shape, &data));
                assert_eq!(
                    folder.run(&["solve", "-q", "a.npy"]).ends(0, &[]).out,
                    expected,
                    "{descr} {blank}"
                );
            }
        }
    }
    // All values greater by one, and values that are no cells.
    let mut values = floats(&[PUZZLE, SOLUTION], 0.0);
    let write = |values: &[f64]| {
        let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        folder.write("a.npy", npy(1, "<f8", "(2, 81)", &data));
    };
    write(&values.iter().map(|value| value + 1.0).collect::<Vec<_>>());
    folder.run(&["solve", "a.npy"]).ends(0, &["a blank is 1"]);
    for (value, message) in [
        (4.5, "a.npy:1:3: the number 4.5 (cells are whole numbers from 1 to 9, a blank is 0 or NaN)"),
        (10.0, "a.npy:1:3: the number 10 (cells are numbers from 1 to 9, a blank is 0)"),
        (-1.0, "a.npy:1:3: the number -1 "),
        (1e300, "a.npy:1:3: the number 1e300 "),
        (f64::INFINITY, "a.npy:1:3: the number inf "),
    ] {
        values[2] = value;
        write(&values);
        let run = folder.run(&["solve", "a.npy"]).ends(1, &[message]);
        assert!(run.out.ends_with(&format!("{SOLUTION},{SOLUTION}\n")));
    }
}

/// The cells of `puzzle` as channels, each value of `width` bytes, with or without a channel of blanks.
fn channels(puzzle: &[u8], symbols: u8, has_blank: bool, width: usize) -> Vec<u8> {
    let first = u8::from(!has_blank);
    let values =
        puzzle.iter().flat_map(|&cell| (first..=symbols).map(move |symbol| u8::from(symbol == cell)));
    values.flat_map(|value| (0..width).map(move |at| if at == 0 { value } else { 0 })).collect()
}

#[test]
fn one_hot_arrays_are_puzzles() {
    let folder = Folder::new();
    let puzzle = cells(PUZZLE);
    let expected = format!("{PUZZLE},{SOLUTION}\n").repeat(3);
    for (has_blank, shapes) in
        [(true, ["(3, 81, 10)", "(3, 9, 9, 10)"]), (false, ["(3, 81, 9)", "(3, 9, 9, 9)"])]
    {
        for (descr, width) in [("|u1", 1), ("|b1", 1), ("<i8", 8)] {
            for shape in shapes {
                let bytes = npy(1, descr, shape, &channels(&puzzle, 9, has_blank, width).repeat(3));
                folder.write("a.npy", &bytes);
                for words in [
                    &["solve", "-q", "a.npy"][..],
                    &["solve", "-q", "-"],
                    &["solve", "-q", "a.npy", "--npy-offset", "1"],
                ] {
                    assert_eq!(
                        folder.run_on(bytes.clone(), words).ends(0, &[]).out,
                        expected,
                        "{shape} {descr}"
                    );
                }
            }
        }
    }
    // Floats, and other sizes: a row of the largest one has 130,000 bytes.
    let floats = channels(&puzzle, 9, true, 1).into_iter().flat_map(|value| f32::from(value).to_le_bytes());
    folder.write("a.npy", npy(1, "<f4", "(1, 81, 10)", &floats.collect::<Vec<u8>>()));
    folder.run(&["solve", "-q", "a.npy"]).ends(0, &[]);
    for side in [4_u8, 16, 25] {
        let grid: Vec<u8> =
            (0..u32::from(side).pow(2)).map(|cell| if cell == 7 { side } else { 0 }).collect();
        for has_blank in [true, false] {
            let count = usize::from(side) + usize::from(has_blank);
            let data: Vec<u8> = channels(&grid, side, has_blank, 1)
                .into_iter()
                .flat_map(|value| f64::from(value).to_le_bytes())
                .collect();
            let bytes = npy(1, "<f8", &format!("(4, {}, {count})", grid.len()), &data.repeat(4));
            folder.write("a.npy", &bytes);
            for words in [
                &["convert", "-q", "a.npy"][..],
                &["convert", "-q", "-"],
                &["convert", "-q", "-j1", "--no-mmap", "a.npy"],
            ] {
                let out = folder.run_on(bytes.clone(), words).ends(0, &[]).out;
                let line = out.lines().next().unwrap();
                assert_eq!((line.len(), line.bytes().position(|byte| byte != b'.')), (grid.len(), Some(7)));
                assert_eq!(out.lines().filter(|other| *other == line).count(), 4);
            }
        }
    }
}

#[test]
fn a_cell_with_no_channel_or_two_is_malformed_and_named() {
    let folder = Folder::new();
    let puzzle = cells(PUZZLE);
    for (has_blank, value, message) in [
        (true, 1, "a.npy:1:5: 2 of the 10 channels of this cell are 1 (one channel is 1, the others are 0)"),
        (true, 7, "a.npy:1:5: 1 of the 10 channels of this cell are 1, and 1 neither 0 nor 1"),
        (false, 1, "a.npy:1:5: 2 of the 9 channels of this cell are 1"),
    ] {
        let count = if has_blank { 10 } else { 9 };
        let mut data = channels(&puzzle, 9, has_blank, 1).repeat(2);
        // Cell 5 is a blank; without a channel for that, two others are set.
        data[4 * count + 8] = value;
        data[4 * count + 7] = u8::from(!has_blank);
        folder.write("a.npy", npy(1, "|u1", &format!("(2, 81, {count})"), &data));
        let out = folder.run(&["solve", "a.npy"]).ends(1, &[message]).out;
        assert!(out.ends_with(&format!(",malformed\n{PUZZLE},{SOLUTION}\n")), "{out}");
    }
    // Without any channel, a cell is a blank only if blanks have none.
    let mut data = channels(&puzzle, 9, true, 1);
    data[40] = 0;
    folder.write("a.npy", npy(1, "|u1", "(1, 81, 10)", &data));
    folder.run(&["solve", "a.npy"]).ends(1, &["a.npy:1:5: 0 of the 10 channels of this cell are 1"]);
}

const SAVE: &str = r#"
import numpy, sys
lines = [line.strip() for line in sys.stdin if line.strip()]
a = numpy.array([[0 if c == '.' else int(c) for c in line] for line in lines])
for name in ('uint8', 'int8', 'uint16', 'int32', 'int64', 'float16', 'float32', 'float64', '>i4', '>f8'):
    numpy.save(name + '.npy', a.astype(name))
    numpy.save(name + '9.npy', (a + 1).astype(name).reshape(-1, 9, 9))
with open('two.npy', 'wb') as file:
    numpy.lib.format.write_array(file, a.astype('uint8'), version=(2, 0))
numpy.save('fortran.npy', numpy.asfortranarray(a))
for kind in ('bool', 'uint8', 'int64', 'float32'):
    numpy.save(kind + '_hot10.npy', numpy.eye(10)[a].astype(kind))
    numpy.save(kind + '_hot9.npy', numpy.eye(10)[a][:, :, 1:].reshape(-1, 9, 9, 9).astype(kind))
numpy.save('object.npy', a.astype(object))
"#;

#[test]
fn arrays_that_numpy_wrote_are_read() {
    let Some(python) = python_with("numpy") else { return };
    let folder = Folder::new();
    let puzzles = crate::puzzles(200);
    let expected = folder.run_on(&*puzzles, &["solve", "-q"]).ends(0, &[]).out;
    folder.start(python, &["-c", SAVE]).write_stdin(puzzles).assert().success();
    let types = ["uint8", "int8", "uint16", "int32", "int64", "float16", "float32", "float64", ">i4", ">f8"];
    for kind in ["bool", "uint8", "int64", "float32"] {
        for name in ["hot10", "hot9"] {
            let run = folder.run(&["solve", "-q", &format!("{kind}_{name}.npy")]).ends(0, &[]);
            assert!(run.out == expected, "{kind} {name}");
        }
    }
    for name in
        types.into_iter().flat_map(|name| [name.to_owned(), format!("{name}9")]).chain(["two".to_owned()])
    {
        let run = folder.run(&["solve", "-q", &format!("{name}.npy")]).ends(0, &[]);
        assert!(run.out == expected, "{name}");
    }
    for name in ["fortran", "object"] {
        folder.run(&["solve", &format!("{name}.npy")]).fails("a numpy array ");
    }
}

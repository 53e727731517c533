//! Arrays of numpy as input: types, shapes, the layout with 1 as the blank, faults of the file, and arrays that numpy
//! itself wrote.

use crate::program::{Folder, Run};
use galop_testing::npy::{array, rows, with_header, with_version};
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells, contradictory};
use galop_testing::python::python_with;

#[test]
fn every_type_shape_and_version_is_read() {
    let bad = contradictory();
    let puzzles = [PUZZLE, SOLUTION, &bad];
    let expected = format!("{PUZZLE},{SOLUTION}\n{SOLUTION},{SOLUTION}\n{bad},none\n");
    let folder = Folder::new();
    let shapes = ["(3, 81)", "(3, 9, 9)", "(3,81)"].into_iter().cycle();
    let types = ["|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8"];
    for ((index, descr), shape) in types.into_iter().enumerate().zip(shapes) {
        let (width, offset) = (1 << (index / 2), index as u8 / 2 % 2);
        let bytes = with_version(1 + index as u8 % 3, descr, shape, &rows(&puzzles, width, offset));
        folder.write("a.npy", &bytes);
        let offset = offset.to_string();
        for words in [&["a.npy"][..], &["a.npy", "--no-mmap"], &["-"], &["a.npy", "--npy-offset", &offset]] {
            let run = folder.run_on(bytes.clone(), &[&["solve"], words].concat()).ends(0, &[]);
            assert_eq!(run.out, expected, "{descr} {offset} {words:?}");
            let is_said = run.err.contains("numbers  a blank is 1, and a symbol n is n + 1, in ");
            assert_eq!(is_said, offset == "1", "{}", run.err);
        }
    }
    assert_eq!(folder.run(&["show", "a.npy"]).ends(0, &[]).out.matches("| 4 1 7 |").count(), 1);
    folder.run(&["verify", "a.npy"]).ends(1, &["1 faulty, 0 claimed unsolved, 2 solvable"]);
    folder.write("empty.npy", array("|u1", "(0, 81)", b""));
    assert_eq!(folder.run(&["solve", "empty.npy"]).ends(1, &["no puzzles"]).out, "");
}

#[test]
fn values_out_of_range_are_malformed_and_named() {
    let folder = Folder::new();
    let run = |descr: &str, data: Vec<u8>, words: &[&str]| {
        folder.write("a.npy", array(descr, "(2, 81)", &data));
        folder.run(&[&["solve", "a.npy"], words].concat())
    };
    let mut data = rows(&[PUZZLE, PUZZLE], 1, 0);
    data[80] = 0xfe;
    let out = run("|i1", data.clone(), &[])
        .ends(1, &["a.npy:1:81: the number -2 (cells are numbers from 1 to 9"])
        .out;
    assert_eq!(out.lines().last(), Some(&*format!("{PUZZLE},{SOLUTION}")));
    run("|u1", data, &[]).ends(1, &["a.npy:1:81: the number 254 "]);
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
    for cut in [0, 80, 81, 100, 242] {
        let bytes = array("|u1", "(3, 81)", &data[..cut]);
        folder.write("a.npy", &bytes);
        let row = cut / 81 + 1;
        let message =
            format!("ends at byte {}, inside row {row} of 3; the output is not complete", 128 + cut);
        for words in [&["solve", "a.npy"][..], &["solve", "a.npy", "--no-mmap"], &["solve", "-"]] {
            let run = folder.run_on(bytes.clone(), words).ends(2, &[&message]);
            assert_eq!(run.out, line.repeat(cut / 81), "{cut} {words:?}");
        }
    }
    folder.write("a.npy", array("|u1", "(2, 81)", &data));
    let run =
        folder.run(&["solve", "a.npy"]).ends(2, &["has 2 rows by its header, but more bytes after them"]);
    assert_eq!(run.out, line.repeat(2));
    folder.run(&["solve", "a.npy", "-o", "out.txt"]).ends(2, &["from byte 290 on"]);
    assert_eq!(folder.names(), ["a.npy"]);
    // A header that ends early: in the magic number's version, in its length, and in its text.
    let bytes = array("|u1", "(2, 81)", &data[..162]);
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
        (text("'|O'", "False", "(2, 81)"), "type `|O` (cells are whole numbers)", "allow_pickle=True"),
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
        let run = folder.run(&["solve", "a.npy"]).ends(2, &["a.npy: ", fact, remedy]);
        assert_eq!(run.out, "");
    }
    // Versions and lengths that no numpy wrote.
    for bytes in
        [&b"\x93NUMPY\x04\0\x10\0"[..], b"\x93NUMPY\x02\0\xff\xff\xff\xff{}", b"\x93NUMPY\x01\0\0\0........"]
    {
        folder.write("a.npy", bytes);
        folder.run(&["solve", "a.npy"]).fails("the header of the numpy array is malformed");
    }
    folder.write("a.npy", array("|u1", "(2, 16)", &[0; 32]));
    folder.write("b.txt", format!("{PUZZLE}\n"));
    folder.run(&["solve", "b.txt", "a.npy"]).ends(2, &["16 cells per row (a puzzle of these rules has 81)"]);
}

/// (What the bytes of every type are is tested beside the code.)
#[test]
fn floats_of_whole_numbers_are_cells_and_nan_is_a_blank() {
    let folder = Folder::new();
    let solve = |values: &[f64]| {
        let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        folder.write("a.npy", array("<f8", "(2, 81)", &data));
        folder.run(&["solve", "a.npy"])
    };
    let mut values: Vec<f64> = [PUZZLE, SOLUTION].into_iter().flat_map(cells).map(f64::from).collect();
    let answer = format!("{SOLUTION},{SOLUTION}\n");
    let blanks = values.iter().map(|value| if *value == 0.0 { f64::NAN } else { *value });
    let out = solve(&blanks.collect::<Vec<_>>()).ends(0, &[]).out;
    assert_eq!(out, format!("{PUZZLE},{SOLUTION}\n{answer}"));
    // All values greater by one, and values that are no cells.
    let greater: Vec<f64> = values.iter().map(|value| value + 1.0).collect();
    assert_eq!(solve(&greater).ends(0, &["a blank is 1"]).out, out);
    for (value, message) in [
        (4.5, "a.npy:1:3: the number 4.5 (cells are whole numbers from 1 to 9, a blank is 0 or NaN)"),
        (10.0, "a.npy:1:3: the number 10 (cells are numbers from 1 to 9, a blank is 0)"),
        (-2.0, "a.npy:1:3: the number -2 "),
        (1e300, "a.npy:1:3: the number 1e300 "),
        (f64::INFINITY, "a.npy:1:3: the number inf "),
    ] {
        values[2] = value;
        assert!(solve(&values).ends(1, &[message]).out.ends_with(&answer));
    }
}

/// The cells of `puzzle` as channels, with or without a channel of blanks.
fn channels(puzzle: &[u8], symbols: u8, has_blank: bool) -> Vec<u8> {
    let first = u8::from(!has_blank);
    puzzle.iter().flat_map(|&cell| (first..=symbols).map(move |symbol| u8::from(symbol == cell))).collect()
}

/// What people write instead of an array of cells: each is read, or refused with what makes one of it.
#[test]
fn arrays_of_people_are_read_or_turned() {
    let folder = Folder::new();
    let refused = |shape: &str, data: &[u8], remedy: &str| {
        folder.write("a.npy", array("|u1", shape, data));
        folder.run(&["solve", "a.npy"]).fails(remedy);
    };
    let puzzle = cells(PUZZLE);
    // The digit first, as PyTorch has channels. Without a channel of blanks, each cell is a symbol or blank both ways.
    let first = |symbols: std::ops::RangeInclusive<u8>| -> Vec<u8> {
        symbols.flat_map(|symbol| puzzle.iter().map(move |&cell| u8::from(symbol == cell))).collect()
    };
    refused(
        "(2, 9, 9, 9)",
        &first(1..=9).repeat(2),
        "a.transpose(0, 2, 3, 1).reshape(-1, 81, 9)); or if they are last: a.reshape(-1, 81, 9)",
    );
    refused("(2, 10, 81)", &first(0..=9).repeat(2), "a.transpose(0, 2, 1)");
    refused("(2, 10, 9, 9)", &first(0..=9).repeat(2), "a.transpose(0, 2, 3, 1)");
    refused(
        "(1, 2, 81)",
        &[puzzle, cells(SOLUTION)].concat(),
        "take the puzzles alone: in Python, a = np.load(\"a.npy\"); np.save(\"new.npy\", a[:, 0])",
    );
    // -1 for a blank.
    let signed: Vec<u8> = puzzle.iter().map(|&cell| if cell == 0 { 0xff } else { cell }).collect();
    folder.write("a.npy", array("|i1", "(1, 81)", &signed));
    assert_eq!(folder.run(&["solve", "a.npy"]).ends(0, &[]).out, format!("{PUZZLE},{SOLUTION}\n"));
}

#[test]
fn one_hot_arrays_are_puzzles() {
    let folder = Folder::new();
    let puzzle = cells(PUZZLE);
    let expected = format!("{PUZZLE},{SOLUTION}\n{SOLUTION},{SOLUTION}\n{PUZZLE},{SOLUTION}\n");
    for (has_blank, shapes) in
        [(true, ["(3, 81, 10)", "(3, 9, 9, 10)"]), (false, ["(3, 81, 9)", "(3, 9, 9, 9)"])]
    {
        for (shape, descr) in shapes.into_iter().zip(["|b1", "|u1"]) {
            // A grid without blanks shows which axis has the digits.
            let rows = [&puzzle, &cells(SOLUTION), &puzzle].map(|row| channels(row, 9, has_blank)).concat();
            folder.write("a.npy", array(descr, shape, &rows));
            for words in [&["solve", "-q", "a.npy"][..], &["solve", "-q", "a.npy", "--npy-offset", "1"]] {
                assert_eq!(folder.run(words).ends(0, &[]).out, expected, "{shape} {descr}");
            }
        }
    }
    // A row of the largest size has 130,000 bytes.
    let mut grid = [0; 625];
    grid[7] = 25;
    for (has_blank, shape) in [(true, "(4, 625, 26)"), (false, "(4, 625, 25)")] {
        let data: Vec<u8> =
            channels(&grid, 25, has_blank).into_iter().map(f64::from).flat_map(f64::to_le_bytes).collect();
        let bytes = array("<f8", shape, &data.repeat(4));
        folder.write("a.npy", &bytes);
        for words in [&["a.npy"][..], &["-"], &["-j1", "--no-mmap", "a.npy"]] {
            let out = folder.run_on(bytes.clone(), &[&["convert", "-q"], words].concat()).ends(0, &[]).out;
            let line = format!("{}P{}\n", ".".repeat(7), ".".repeat(617));
            assert_eq!(out, line.repeat(4), "{shape} {words:?}");
        }
    }
}

#[test]
fn a_cell_with_no_channel_or_two_is_malformed_and_named() {
    let folder = Folder::new();
    // Cell 5 is a blank.
    for (channel, value, message) in [
        (8, 1, "2 of the 10 channels of this cell are 1 (one channel is 1, the others are 0)"),
        (8, 7, "1 of the 10 channels of this cell are 1, and 1 neither 0 nor 1"),
        (0, 0, "0 of the 10 channels of this cell are 1"),
    ] {
        let mut data = channels(&cells(PUZZLE), 9, true).repeat(2);
        data[40 + channel] = value;
        folder.write("a.npy", array("|u1", "(2, 81, 10)", &data));
        let out = folder.run(&["solve", "a.npy"]).ends(1, &[&format!("a.npy:1:5: {message}")]).out;
        assert!(out.ends_with(&format!(",malformed\n{PUZZLE},{SOLUTION}\n")), "{out}");
    }
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
    Run::on(puzzles, &mut folder.start(python, &["-c", SAVE])).ends(0, &[]);
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

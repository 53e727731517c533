//! Arrays of numpy, alone and two in an archive: a row is a record with the values of the row, or the array is refused.
//! What is read does not depend on how the bytes come.
//!
//! ```text
//! byte 0    type of the values (3 bits), shape of three dimensions (1), header of any bytes (1), archive (1), its
//!           arrays have known names (1)
//! byte 1    the rows that the header claims, and those that are there more or less
//! then      the values of both arrays, one byte each; or the text of the header, and the values
//! ```
#![no_main]

use std::io::Write;

use galop_batch::Error;
use galop_batch::input::Source;
use galop_engines::Rules;
use galop_fuzz::inputs::{Found, Pace, records_before, source};
use galop_testing::zip::{Member, archive};
use libfuzzer_sys::fuzz_target;

/// The types, and the bytes of their values.
const TYPES: [(&str, usize); 8] =
    [("|u1", 1), ("|i1", 1), ("<u2", 2), ("<i2", 2), ("<u4", 4), ("<i4", 4), ("<u8", 8), ("<i8", 8)];

/// Rows and columns of a grid.
const SIDE: usize = 4;

/// An array with a header of version 1.
fn array(header: &[u8], values: &[u8]) -> Vec<u8> {
    let len = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &len[..], header, values].concat()
}

fn header(kind: &str, is_deep: bool, rows: usize) -> Vec<u8> {
    let row = if is_deep { format!("{SIDE}, {SIDE}") } else { (SIDE * SIDE).to_string() };
    format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {row}), }}\n").into_bytes()
}

/// Each byte as a value of this many bytes; the highest ones are negative, or too great.
fn values(bytes: &[u8], width: usize) -> Vec<u8> {
    bytes.iter().flat_map(|&byte| i64::from(byte as i8).to_le_bytes()[..width].to_vec()).collect()
}

/// The records, and the error behind them without its place.
fn read(source: &mut Source, chunk_bytes: usize, rules: &Rules) -> (Found, Option<String>) {
    let (found, error) = records_before(source, chunk_bytes, rules);
    (found, error.as_ref().map(text))
}

fn text(error: &Error) -> String {
    error.kind().to_string()
}

/// A file with these bytes.
fn file(bytes: &[u8], ending: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(ending).tempfile().expect("a temporary file");
    file.write_all(bytes).expect("a temporary file");
    file
}

fuzz_target!(|data: &[u8]| {
    let Some((&[choice, rows], data)) = data.split_first_chunk() else { return };
    let (kind, width) = TYPES[usize::from(choice % 8)];
    let [is_deep, is_any_header, is_archive, are_known] = [8, 16, 32, 64].map(|bit| choice & bit != 0);
    let rules = Rules::sudoku(SIDE).expect("a size of sudokus");

    if is_archive {
        let (puzzles, answers) = data.split_at(data.len() / 2);
        let members = [puzzles, answers]
            .map(|bytes| array(&header(kind, is_deep, bytes.len() / (SIDE * SIDE)), &values(bytes, width)));
        let names = if are_known { ["puzzle.npy", "solution.npy"] } else { ["a.npy", "b.npy"] };
        let stored = [0, 1].map(|number| Member::stored(names[number], &members[number]));
        let npz = file(&archive(&stored), ".npz");
        let open = || Source::open_each(npz.path()).expect("an archive").0;
        let mut sources = open();
        assert_eq!(sources.len(), 1, "an archive of arrays is one source");
        let (found, error) = read(&mut sources[0], 64, &rules);
        let again = read(&mut open()[0], 1 << 20, &rules);
        assert_eq!((&found, &error), (&again.0, &again.1));
        if error.is_none() && !found.records.is_empty() {
            let alone = members.map(|member| read(&mut source(&member, Pace::Whole), 64, &rules).0);
            let puzzles =
                |found: &Found| found.records.iter().map(|record| record.puzzle.clone()).collect::<Vec<_>>();
            assert!(!are_known || puzzles(&alone[0]) == puzzles(&found), "{found:?} {alone:?}");
            assert!(alone.iter().any(|alone| puzzles(alone) == puzzles(&found)), "{found:?} {alone:?}");
        }
        return;
    }

    let (claimed, missing) = (usize::from(rows % 16), usize::from(rows / 16));
    let bytes = if is_any_header {
        let (header, bytes) = data.split_at(data.len().min(usize::from(rows)));
        array(header, bytes)
    } else {
        let cells = (claimed * SIDE * SIDE + 7).saturating_sub(missing);
        let cells: Vec<u8> = data.iter().copied().chain(std::iter::repeat(0)).take(cells).collect();
        array(&header(kind, is_deep, claimed), &values(&cells, width))
    };
    let whole = read(&mut source(&bytes, Pace::Whole), 1 << 20, &rules);
    assert_eq!(read(&mut source(&bytes, Pace::ByteByByte), 64, &rules), whole);
    let named = file(&bytes, ".npy");
    match Source::open(named.path()) {
        Ok(mut source) => assert_eq!(read(&mut source, 200, &rules), whole),
        Err(error) => assert_eq!(Some(text(&error)), whole.1),
    }
    let (found, error) = whole;
    if is_any_header || !found.format.starts_with("npy") {
        return;
    }
    // 7 cells more or up to 8 less than the rows.
    assert_eq!(error.is_none(), missing == 7, "{error:?}");
    let blank = u8::from(found.format == "npy-offset-1");
    assert_eq!(found.records.len(), if missing > 7 { claimed.saturating_sub(1) } else { claimed });
    for (row, record) in data.chunks(SIDE * SIDE).chain(std::iter::repeat(&[][..])).zip(&found.records) {
        let mut values = [0; SIDE * SIDE];
        values[..row.len()].copy_from_slice(row);
        let is_puzzle = values.iter().all(|&value| value.wrapping_sub(blank) <= SIDE as u8);
        match &record.puzzle {
            Ok(cells) => assert!(values.iter().zip(cells).all(|(value, cell)| value - blank == *cell)),
            Err(_) => assert!(!is_puzzle, "{record:?}"),
        }
    }
});

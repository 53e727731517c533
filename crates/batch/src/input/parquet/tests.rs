#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::io::Write;

use parquet::basic::Compression;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::*;
use galop_testing::wait;

/// A column of each type, most of them with rows that have no value.
const TYPES: &str = "message table {
    required int64 id;
    optional binary puzzle (UTF8);
    required binary note (UTF8);
    optional binary bytes;
    optional boolean yes;
    optional int32 day (DATE);
    optional int32 small (INT_8);
    optional int64 time (TIMESTAMP_MICROS);
    optional int64 large (UINT_64);
    optional int32 price (DECIMAL(9,2));
    optional int96 old;
    optional float single;
    optional double twice;
    optional fixed_len_byte_array(4) four;
}";

/// Rows of the groups of a table. One has none.
const GROUPS: [usize; 5] = [1, 2500, 0, 1024, 777];

/// Writes the values of some rows; `value` is `None` where a row has none.
fn write<T: DataType>(column: &mut SerializedColumnWriter<'_>, values: impl Iterator<Item = Option<T::T>>) {
    let values: Vec<Option<T::T>> = values.collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    column.typed::<T>().write_batch(&values, Some(&levels), None).unwrap();
}

/// Makes a table of this schema. Its pages have 100 rows, and its dictionaries are given up soon.
fn table(
    schema: &str,
    groups: &[usize],
    fill: impl Fn(&mut SerializedRowGroupWriter<'_, File>, std::ops::Range<usize>),
) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(50)
        .set_dictionary_page_size_limit(4000)
        .build();
    let mut writer = SerializedFileWriter::new(file.reopen().unwrap(), schema, Arc::new(properties)).unwrap();
    let mut from = 0;
    for rows in groups {
        let mut group = writer.next_row_group().unwrap();
        fill(&mut group, from..from + rows);
        group.close().unwrap();
        from += rows;
    }
    writer.close().unwrap();
    file
}

/// A table of all types.
fn typed(groups: &[usize]) -> tempfile::NamedTempFile {
    table(TYPES, groups, |group, rows| {
        let mut at = 0;
        while let Some(mut column) = group.next_column().unwrap() {
            let bytes = |text: String| ByteArray::from(text.into_bytes());
            // Every column lacks other rows.
            let given = |row: &usize| !(row + at).is_multiple_of(at + 2);
            let some = rows.clone().map(|row| Some(row).filter(given));
            let all = rows.clone().map(Some);
            match at {
                0 => write::<Int64Type>(&mut column, all.map(|row| row.map(|row| row as i64 - 5))),
                1 => write::<ByteArrayType>(
                    &mut column,
                    some.map(|row| row.map(|row| bytes(format!("{row:.>81}")))),
                ),
                2 => write::<ByteArrayType>(
                    &mut column,
                    all.map(|row| {
                        row.map(|row| bytes(["", " a", "b,\"c\"", "d\ne", "#"][row % 5].to_owned()))
                    }),
                ),
                3 => write::<ByteArrayType>(
                    &mut column,
                    some.map(|row| row.map(|row| ByteArray::from(vec![row as u8, 0xff]))),
                ),
                4 => write::<BoolType>(&mut column, some.map(|row| row.map(|row| row % 3 == 0))),
                5 => write::<Int32Type>(&mut column, some.map(|row| row.map(|row| row as i32 * 17))),
                6 => write::<Int32Type>(&mut column, some.map(|row| row.map(|row| row as i32 % 200 - 100))),
                7 => write::<Int64Type>(&mut column, some.map(|row| row.map(|row| row as i64 * 1_000_003))),
                8 => write::<Int64Type>(&mut column, some.map(|row| row.map(|row| -(row as i64)))),
                9 => write::<Int32Type>(&mut column, some.map(|row| row.map(|row| row as i32 - 1000))),
                10 => write::<Int96Type>(
                    &mut column,
                    some.map(|row| row.map(|row| Int96::from(vec![row as u32, 0, 2_440_588]))),
                ),
                11 => write::<FloatType>(&mut column, some.map(|row| row.map(|row| row as f32 / 8.0 - 9.0))),
                12 => write::<DoubleType>(&mut column, some.map(|row| row.map(|row| row as f64 / 3.0))),
                _ => write::<FixedLenByteArrayType>(
                    &mut column,
                    some.map(|row| {
                        row.map(|row| FixedLenByteArray::from(format!("{:04}", row % 10_000).into_bytes()))
                    }),
                ),
            }
            column.close().unwrap();
            at += 1;
        }
    })
}

fn opened(file: &tempfile::NamedTempFile) -> Table {
    Table::open(&Arc::new(file.reopen().unwrap())).unwrap()
}

/// What is read up to the end or an error.
fn read(mut text: impl Read) -> (Vec<u8>, Option<io::Error>) {
    let mut all = Vec::new();
    let error = text.read_to_end(&mut all).err();
    (all, error)
}

/// The text as the crate's own rows have it.
fn by_rows(table: &Table) -> Vec<u8> {
    let mut text = table.header();
    for part in table.parts(u64::MAX) {
        let mut rows = RowReader::open(&*table.file, part).unwrap();
        rows.fill(usize::MAX, &mut text).unwrap();
    }
    text
}

#[test]
fn the_text_does_not_depend_on_parts_and_threads() {
    let file = typed(&GROUPS);
    let table = opened(&file);
    assert!(table.is_flat);
    let expected = by_rows(&table);
    let lines = expected.iter().filter(|&&byte| byte == b'\n').count();
    assert!(lines > GROUPS.iter().sum::<usize>());
    for (part_bytes, threads) in [(u64::MAX, 1), (u64::MAX, 3), (1, 2), (1000, 4), (30_000, 1), (100_000, 3)]
    {
        let parts = table.parts(part_bytes);
        assert_eq!(parts.iter().map(|part| part.rows).sum::<usize>(), GROUPS.iter().sum::<usize>());
        let (text, error) = read(table.clone().text(part_bytes, threads));
        assert!(error.is_none(), "{error:?}");
        assert!(text == expected, "{part_bytes} {threads}");
    }
    let empty = opened(&typed(&[]));
    assert_eq!(read(empty.clone().text(PART_BYTES, 2)).0, empty.header());
}

#[test]
fn a_row_group_of_lists_is_one_part() {
    let schema = "message table { required int64 id; required group numbers (LIST) {
        repeated group list { optional int32 element; } } }";
    let file = table(schema, &GROUPS, |group, rows| {
        let mut ids = group.next_column().unwrap().unwrap();
        write::<Int64Type>(&mut ids, rows.clone().map(|row| Some(row as i64)));
        ids.close().unwrap();
        let mut lists = group.next_column().unwrap().unwrap();
        let values: Vec<i32> = rows.clone().flat_map(|row| [row as i32, 7]).collect();
        let (present, starts) = (vec![2; values.len()], [0, 1].repeat(rows.len()));
        lists.typed::<Int32Type>().write_batch(&values, Some(&present), Some(&starts)).unwrap();
        lists.close().unwrap();
    });
    let table = opened(&file);
    assert!(!table.is_flat);
    let mut expected = b"id,numbers\n".to_vec();
    (0..GROUPS.iter().sum()).for_each(|row| writeln!(expected, "{row},\"[{row}, 7]\"").unwrap());
    for threads in [1, 3] {
        assert!(read(table.clone().text(1, threads)).0 == expected, "{threads}");
    }
}

/// Each byte of the pages of the last row group is changed in turn: what comes before an error are whole rows of the
/// table.
#[test]
fn an_error_comes_behind_the_rows_before_it() {
    let schema = "message table { optional binary puzzle (UTF8); required int64 id; }";
    let file = table(schema, &[300, 400], |group, rows| {
        let mut puzzles = group.next_column().unwrap().unwrap();
        write::<ByteArrayType>(
            &mut puzzles,
            rows.clone().map(|row| Some(ByteArray::from(format!("{row:.>81}").into_bytes()))),
        );
        puzzles.close().unwrap();
        let mut ids = group.next_column().unwrap().unwrap();
        write::<Int64Type>(&mut ids, rows.map(|row| Some(row as i64)));
        ids.close().unwrap();
    });
    let table = opened(&file);
    let expected = by_rows(&table);
    let lines: Vec<&[u8]> = expected.split_inclusive(|&byte| byte == b'\n').collect();
    let first = lines[..301].concat();
    let group = table.file.metadata().row_group(1);
    let pages = group.column(0).byte_range();
    let whole = std::fs::read(file.path()).unwrap();
    let mut errors = 0;
    for at in (pages.0..pages.0 + pages.1).step_by(37) {
        let mut damaged = whole.clone();
        damaged[at as usize] ^= 0x55;
        std::fs::write(file.path(), damaged).unwrap();
        for (part_bytes, threads) in [(u64::MAX, 1), (5000, 3)] {
            let (text, error) = read(opened(&file).text(part_bytes, threads));
            let Some(error) = error else { continue };
            errors += 1;
            let error = error.to_string();
            let row: usize =
                error.strip_prefix("after row ").unwrap().split_once(':').unwrap().0.parse().unwrap();
            let lines = text.iter().filter(|&&byte| byte == b'\n').count();
            // The header is a line.
            assert!(row + 1 == lines && (300..700).contains(&row), "{at} {row} {lines}: {error}");
            assert!(text.starts_with(&first) && text.ends_with(b"\n"), "{at}");
        }
    }
    assert!(errors > 10, "{errors}");
}

#[test]
fn threads_end_when_the_reader_is_dropped() {
    let file = typed(&[5000, 5000, 5000]);
    for read in [0, 1, 100_000] {
        let table = opened(&file);
        let shared = Arc::downgrade(&table.file);
        let mut text = table.text(20_000, 3);
        io::copy(&mut text.by_ref().take(read), &mut io::sink()).unwrap();
        drop(text);
        wait::until("the threads have ended", || shared.strong_count() == 0);
    }
}

#[test]
fn dates_that_have_no_text_are_an_error() {
    let schema = "message table { optional int32 day (DATE); optional int64 time (TIMESTAMP_MILLIS); }";
    let file = table(schema, &[3], |group, _| {
        let mut days = group.next_column().unwrap().unwrap();
        write::<Int32Type>(&mut days, [Some(95_000_000), Some(-95_000_000), Some(i32::MAX)].into_iter());
        days.close().unwrap();
        let mut times = group.next_column().unwrap().unwrap();
        let far = 95_000_000 * 86_400_000;
        write::<Int64Type>(&mut times, [Some(far), Some(-far), Some(i64::MAX)].into_iter());
        times.close().unwrap();
    });
    let (text, error) = read(opened(&file).text(PART_BYTES, 1));
    assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), 3, "{}", String::from_utf8_lossy(&text));
    assert!(error.unwrap().to_string().starts_with("after row 2: "));
}

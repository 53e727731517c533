//! Parquet files: read with the feature `parquet`, and without it refused with what helps.

use crate::program::Folder;

/// The start of a file of which nothing else is left.
const BROKEN: &[u8] = b"PAR1\x15\x04\x15\x10PAR1";

#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_a_table_is_refused_with_what_helps() {
    let folder = Folder::new();
    folder.write("a.parquet", BROKEN);
    folder.run(&["solve", "a.parquet"]).ends(2, &["a Parquet file", "build galop with --features parquet"]);
    folder
        .run_on("", &["solve", "-", "-o", "b.parquet"])
        .ends(2, &["b.parquet: ", "built with --features parquet"]);
    folder.run(&["solve", "-", "-f", "parquet"]).ends(2, &["--format", "built with --features parquet"]);
    folder.run(&["convert", "a.parquet", "-f", "csv"]).ends(2, &["a Parquet file", "DuckDB or pandas"]);
}

#[cfg(feature = "parquet")]
mod with_the_feature {
    use super::*;
    use galop_testing::puzzles::{PUZZLE, SOLUTION};
    use galop_testing::python::python_with;

    #[test]
    fn a_table_that_is_broken_is_an_error_and_a_pipe_is_refused() {
        let folder = Folder::new();
        for len in 5..=BROKEN.len() {
            folder.write("a.parquet", &BROKEN[..len]);
            folder.run(&["solve", "a.parquet"]).ends(2, &["a.parquet: cannot read: "]);
        }
        folder.run_on(BROKEN, &["solve", "-"]).ends(2, &["a Parquet file", "save it as a file"]);
    }

    const SAVE: &str = "
import pyarrow, pyarrow.csv, pyarrow.parquet
text = {'quizzes': 'string', 'solutions': 'string'}
table = pyarrow.csv.read_csv('in.csv', convert_options=pyarrow.csv.ConvertOptions(column_types=text, strings_can_be_null=True))
for name in ('none', 'snappy', 'gzip', 'zstd', 'lz4'):
    pyarrow.parquet.write_table(table, name + '.parquet', compression=name, row_group_size=300)
pyarrow.parquet.write_table(table, 'plain.parquet', use_dictionary=False, version='1.0', data_page_version='2.0')
pyarrow.parquet.write_table(table.slice(0, 0), 'empty.parquet')
";

    #[test]
    fn tables_that_pyarrow_wrote_are_read_with_all_columns() {
        let Some(python) = python_with("pyarrow") else { return };
        let row = |id: usize| {
            let note = if id.is_multiple_of(3) { "\"a, \"\"b\"\"\"" } else { "" };
            format!("{id},{PUZZLE},{SOLUTION},{note},{id}.5\n")
        };
        let header = "id,quizzes,solutions,note,rating\n";
        let table: String = header.to_owned() + &(0..1000).map(row).collect::<String>();
        let folder = Folder::with(&[("in.csv", &table)]);
        folder.start(python, &["-c", SAVE]).assert().success();
        let expected = folder.run(&["solve", "-q", "in.csv"]).ends(0, &[]).out;
        for name in ["none", "snappy", "gzip", "zstd", "lz4", "plain"] {
            let name = format!("{name}.parquet");
            let taken = "puzzles in `quizzes`, answers in `solutions`";
            assert!(folder.run(&["solve", &name]).ends(0, &[taken]).out == expected, "{name}");
            assert!(folder.run(&["convert", "-q", &name, "-f", "csv"]).ends(0, &[]).out == table, "{name}");
            folder.run(&["verify", &name]).ends(0, &["1,000 right"]);
        }
        let chosen = folder.run(&["solve", "-q", "zstd.parquet", "--column", "solutions", "-f", "solution"]);
        assert_eq!(chosen.ends(0, &[]).out, format!("{SOLUTION}\n").repeat(1000));
        assert_eq!(folder.run(&["convert", "-q", "empty.parquet", "-f", "csv"]).ends(0, &[]).out, header);
        // Cut short, it has no schema.
        let whole = folder.bytes("zstd.parquet");
        for len in [whole.len() - 1, whole.len() / 2, 100] {
            folder.write("cut.parquet", &whole[..len]);
            folder.run(&["solve", "cut.parquet"]).ends(2, &["cut.parquet: cannot read: "]);
        }
        // Damage inside a page: an error, or another text, but no panic.
        for at in (4..whole.len() - 8).step_by(whole.len() / 60) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            folder.write("cut.parquet", &damaged);
            let run = folder.run(&["solve", "-q", "cut.parquet"]);
            assert!(
                run.code.is_some_and(|code| code <= 2) && !run.err.contains("panicked"),
                "{at} {}",
                run.err
            );
        }
    }

    const READ: &str = "
import pyarrow.parquet, pandas
table = pyarrow.parquet.read_table('out.parquet')
assert table.column_names == ['puzzle', 'solution', 'status', 'guesses'], table.column_names
assert [str(field.type) for field in table.schema] == ['string', 'string', 'string', 'int64'], table.schema
rows = table.to_pylist()
assert [row['status'] for row in rows[:4]] == ['solved', 'malformed', 'none', 'solved'], rows[:4]
assert rows[1]['solution'] is None and rows[1]['puzzle'] == 'x'
assert len(rows) == 4 * 30000 and pyarrow.parquet.ParquetFile('out.parquet').num_row_groups == 2
print(rows[0]['solution'])
frame = pandas.read_parquet('all.parquet')
assert list(frame.columns) == ['id', 'quizzes', 'solutions', 'note'] and pandas.isna(frame['note'][0]), frame
";

    #[test]
    fn pyarrow_reads_the_tables_that_are_written() {
        let Some(python) = python_with("pyarrow, pandas") else { return };
        let bad = galop_testing::puzzles::contradictory();
        let text = format!("{PUZZLE}\nx\n{bad}\n{PUZZLE}\n").repeat(30_000);
        let table = format!(
            "id,quizzes,solutions,note\n7,{PUZZLE},{SOLUTION},\n8,{PUZZLE},{SOLUTION},\"a, \"\"b\"\"\"\n"
        );
        let folder = Folder::with(&[("in.txt", &text), ("in.csv", &table)]);
        folder.run(&["solve", "-q", "in.txt", "-o", "out.parquet"]).ends(1, &[]);
        folder.run(&["convert", "-q", "in.csv", "-o", "all.parquet"]).ends(0, &[]);
        let output = folder.start(python, &["-c", READ]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{SOLUTION}\n"));
    }

    /// A solved table keeps the columns of the input, from whatever format, and malformed rows stay rows.
    #[test]
    fn columns_are_kept_when_tables_are_solved() {
        let table = format!("id,puzzle,solution\n7,{PUZZLE},\n8,x,\n9,{PUZZLE},{SOLUTION}\n");
        let folder = Folder::with(&[("t.csv", &table)]);
        for name in ["t.parquet", "t.json"] {
            folder.run(&["convert", "-q", "t.csv", "-o", name]).ends(1, &[]);
        }
        let columns = ["--columns", "solution,status,guesses"];
        let csv = [&["solve", "-q", "t.csv", "-f", "csv"], &columns[..]].concat();
        let csv = folder.run(&csv).ends(1, &[]).out;
        let header = "id,puzzle,solution,galop_solution,status,guesses\n";
        assert!(csv.starts_with(header), "{csv}");
        // The number of a malformed row is in its echo.
        let expected = csv.replace("8,x,", "8\\x2cx\\x2c");
        for name in ["t.csv", "t.parquet", "t.json"] {
            folder.run(&["solve", "-q", name, "-o", "s.parquet"]).ends(1, &[]);
            let back = folder.run(&["convert", "-q", "s.parquet", "-f", "csv"]).ends(1, &[]).out;
            let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            let (back, expected) = (lines(&back), lines(&expected));
            assert_eq!((&back[..2], &back[3..]), (&expected[..2], &expected[3..]), "{name}");
            assert_eq!(back.len(), 4);
        }
    }

    #[test]
    fn every_format_goes_to_parquet_and_back() {
        let table = format!("id,puzzle,solution\nx,{PUZZLE},{SOLUTION}\ny,{PUZZLE},{SOLUTION}\n");
        let folder = Folder::with(&[("from.csv", &table)]);
        for name in ["from.txt", "from.npz", "from.npy", "from.json", "from.csv.gz", "from.parquet"] {
            folder.run(&["convert", "-q", "from.csv", "-o", name]).ends(0, &[]);
        }
        let bytes = |name: &str| folder.bytes(name);
        for name in ["txt", "npz", "npy", "json", "csv", "csv.gz", "parquet"] {
            let (from, back) = (format!("from.{name}"), format!("back.{name}"));
            folder.run(&["convert", "-q", &from, "-o", "there.parquet"]).ends(0, &[]);
            folder.run(&["convert", "-q", "there.parquet", "-o", &back]).ends(0, &[]);
            assert!(bytes(&from) == bytes(&back), "{name}");
        }
        folder.run(&["convert", "from.csv", "-f", "parquet"]).ends(2, &["needs a file: -o FILE.parquet"]);
        folder.run_on("", &["solve", "-q", "-", "-o", "empty.parquet"]).ends(0, &[]);
        folder.run(&["solve", "-q", "empty.parquet"]).ends(0, &[]);
    }
}

"""Files of Parquet, read and written through pyarrow."""

from __future__ import annotations

import csv
import datetime
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import galop

pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow reads and writes the files")
pa = pytest.importorskip("pyarrow", reason="pyarrow reads and writes the files")

FOUR, SOLVED = "12..34....1....2", "1243342123144132"
NONE = "11.............."

ADDED = ["solution", "status", "count", "guesses", "nanos"]
"""The columns that solving adds to a table."""


@pytest.fixture
def table() -> Any:
    """Puzzles with a column of each type that is kept."""
    return pa.table(
        {
            "id": pa.array([7, None, 9], pa.int16()),
            "puzzle": [FOUR, "x", NONE],
            "share": [0.1, None, 1e300],
            "is_new": [True, False, None],
            "day": [datetime.date(2026, 11, 28)] * 3,
            "note": [None, "b", 'a, "b"\nc'],
            "group": pa.array(["a", "b", "a"]).dictionary_encode(),
        }
    )


def save(table: Any, path: Path, **options: Any) -> Path:
    pq.write_table(table, path, **options)
    return path


def kept(table: Any) -> list[Any]:
    """The rows that are not malformed, which have only a text in csv, without the columns that were added."""
    rows = table.take([0, *range(2, len(table))])
    return list(rows.select([name for name in rows.column_names if name not in ADDED]).to_pylist())


def test_a_table_is_solved_with_its_columns(table: Any, tmp_path: Path) -> None:
    source, target = save(table, tmp_path / "in.parquet"), tmp_path / "out.parquet"
    found = galop.solve_file(source, target)
    assert found.counts == {"solved": 1, "none": 1, "malformed": 1}
    assert found.malformed == [f"{source}:3:4: 1 cell (a puzzle has 16, row by row on one line)"]
    solved = pq.read_table(target)
    assert solved.column_names == [*table.column_names, *ADDED]
    assert [str(one) for one in solved.schema.types[-5:]] == ["string", "string", "int64", "int64", "int64"]
    assert solved.schema.field("id").type == pa.int16() and solved.schema.field("day").type == pa.date32()
    assert kept(solved) == kept(table) and solved["puzzle"][1].as_py() == '\\x2c"x"\\x2c\\x2cfalse\\x2c2026-11-28\\x2c"b"\\x2c"b"'
    assert solved["solution"].to_pylist() == [SOLVED, None, None]
    assert solved["status"].to_pylist() == ["solved", "malformed", "none"]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["in.parquet", "out.parquet"]


def test_the_columns_are_those_of_csv(table: Any, tmp_path: Path) -> None:
    text, source = tmp_path / "in.csv", save(table.select(["id", "puzzle", "note"]), tmp_path / "in.parquet")
    text.write_text(f'id,puzzle,note\n7,{FOUR},\n8,x,b\n9,{NONE},"a, ""b""\nc"\n')
    for given in (text, source):
        galop.solve_file(given, tmp_path / "out.csv")
        galop.solve_file(given, tmp_path / "out.parquet")
        with open(tmp_path / "out.csv", newline="") as lines:
            names, *rows = csv.reader(lines)
        solved = pq.read_table(tmp_path / "out.parquet")
        assert solved.column_names == names == ["id", "puzzle", "note", *ADDED]
        for row, expected in zip(solved.to_pylist(), rows, strict=True):
            # Times differ.
            assert ["" if value is None else str(value) for value in row.values()][:-1] == expected[:-1]


def test_convert(table: Any, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text(f"id,puzzle,solution\na,{FOUR},{SOLVED}\nb,{NONE},\n")
    galop.convert(pairs, output=tmp_path / "there.parquet")
    there = pq.read_table(tmp_path / "there.parquet")
    assert there.to_pydict() == {"id": ["a", "b"], "puzzle": [FOUR, NONE], "solution": [SOLVED, None]}
    galop.convert(tmp_path / "there.parquet", output=tmp_path / "again.parquet")
    assert pq.read_table(tmp_path / "again.parquet").equals(there)
    assert galop.convert(tmp_path / "there.parquet", "pair") == f"{FOUR},{SOLVED}\n{NONE}\n"
    galop.convert([FOUR], output=tmp_path / "one.parquet", solutions=[SOLVED])
    assert pq.read_table(tmp_path / "one.parquet").to_pydict() == {"puzzle": [FOUR], "solution": [SOLVED]}
    galop.convert([], output=tmp_path / "none.parquet")
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0
    galop.convert(save(table, tmp_path / "types.parquet"), output=tmp_path / "types2.parquet")
    assert kept(pq.read_table(tmp_path / "types2.parquet")) == kept(table)
    records = galop.read_file(tmp_path / "there.parquet")
    assert records.strings() == [FOUR, NONE] and galop.solve(tmp_path / "one.parquet").strings() == [SOLVED]


def test_rows_without_a_puzzle_are_rows(tmp_path: Path) -> None:
    source = save(pa.table({"puzzle": [FOUR, None, "", FOUR]}), tmp_path / "in.parquet")
    assert galop.solve_file(source, tmp_path / "out.parquet").counts == {"solved": 2, "malformed": 2}
    assert pq.read_table(tmp_path / "out.parquet")["solution"].to_pylist() == [SOLVED, None, None, SOLVED]
    empty = save(pa.table({"puzzle": pa.array([], pa.string())}), tmp_path / "empty.parquet")
    assert galop.solve_file(empty, tmp_path / "out.parquet").counts == {}
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


CALLS: list[Callable[[Path, Path], Any]] = [
    galop.solve_file,
    lambda source, target: galop.convert(source, output=target),
]


@pytest.mark.parametrize("call", CALLS)
def test_after_an_error_the_output_is_as_before(call: Callable[[Path, Path], Any], tmp_path: Path) -> None:
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    whole = save(pa.table({"puzzle": [FOUR] * 10_000}), source).read_bytes()

    def refused(expected: type[BaseException], words: str) -> None:
        for before in (None, b"before"):
            if before is not None:
                target.write_bytes(before)
            with pytest.raises(expected) as raised:
                call(source, target)
            assert words in str(raised.value) and "table.csv" not in str(raised.value), raised.value
            assert (target.read_bytes() if target.exists() else None) == before
            assert not [path for path in tmp_path.iterdir() if path.name not in ("in.parquet", "out.parquet")]
            target.unlink(missing_ok=True)

    source.unlink()
    refused(FileNotFoundError, str(source))
    for data in (b"", b"PAR1\x15\x04\x15\x10PAR1", whole[:-1], whole[: len(whole) // 2]):
        source.write_bytes(data)
        refused(ValueError, f"{source}: ")
    source.write_bytes(whole[:30] + bytes(len(whole[30:-400])) + whole[-400:])
    refused(OSError, f"{source}: ")
    save(pa.table({"number": [1, 2], "name": ["a", "b"]}), source)
    refused(ValueError, "(the columns are number, name)")
    save(pa.table({"puzzle": [FOUR], "steps": [[1, 2]]}), source)
    refused(ValueError, f"{source}: the column steps is of the type list<")
    with pytest.raises(FileNotFoundError):
        call(save(pa.table({"puzzle": [FOUR]}), source), tmp_path / "missing" / "out.parquet")


def test_verify_file(tmp_path: Path) -> None:
    wrong = SOLVED[::-1]
    table = pa.table({"puzzle": [FOUR, FOUR, "x"], "solution": [SOLVED, wrong, SOLVED]})
    found = galop.verify_file(save(table, tmp_path / "in.parquet"))
    assert found.faulty == 2 and found.counts == {"right": 1, "faulty": 2}
    assert [line.split(":")[1] for line in found.faults] == ["3", "4"]
    assert all(line.startswith(f"{tmp_path}/in.parquet:") for line in found.faults)
    assert galop.verify_file(save(table[:1], tmp_path / "in.parquet"), unique=True).faulty == 0
    # Puzzles alone are solved.
    alone = galop.verify_file(save(pa.table({"puzzle": [FOUR, "11" + "." * 14]}), tmp_path / "in.parquet"))
    assert alone.faulty == 1 and alone.counts == {"faulty": 1, "solvable": 1} and "none: 1 occurs twice in row 1" in alone.faults[0]


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = save(pa.table({"puzzle": [FOUR]}), tmp_path / "in.parquet")
    for name in ("pyarrow", "pyarrow.csv", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    for call in (
        lambda: galop.solve_file(source, tmp_path / "out.csv"),
        lambda: galop.convert([FOUR], output=tmp_path / "out.parquet"),
        lambda: galop.verify_file(source),
    ):
        with pytest.raises(ImportError, match="pip install pyarrow"):
            call()
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


MANY = """
import resource, sys
from pathlib import Path
import pyarrow as pa
import galop
source, target, back = map(Path, sys.argv[1:])
found = galop.solve_file(source, target)
galop.convert(target, output=back)
assert galop.verify_file(back).faulty == 0
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(found.counts["solved"], pa.default_memory_pool().max_memory(), peak)
"""


def test_memory_is_bounded(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="it tells how much memory a process had")

    def measured(rows: int) -> tuple[int, int]:
        """The most memory that pyarrow had, and the process."""
        source, target, back = (tmp_path / f"{name}.parquet" for name in ("in", "out", "back"))
        part = pa.table({"id": range(50_000), "puzzle": [FOUR] * 50_000, "note": [f"{row:0200}" for row in range(50_000)]})
        with pq.ParquetWriter(source, part.schema) as writer:
            # One group of rows, which is more than may be in memory.
            writer.write_table(pa.concat_tables([part] * (rows // 50_000)), row_group_size=rows)
        run = subprocess.run([sys.executable, "-c", MANY, source, target, back], stdout=subprocess.PIPE, check=True)
        solved, pool, peak = map(int, run.stdout.split())
        assert solved == rows == pq.ParquetFile(back).metadata.num_rows
        return pool, peak

    some, many = measured(100_000), measured(1_000_000)
    # A million rows are more than 300 MB of csv.
    assert many[0] < 120e6 and many[1] - some[1] < 200e6, (some, many)

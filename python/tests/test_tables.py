"""Results as tables: the columns, what other libraries read of them, whose memory they read, and how notebooks show them."""

from __future__ import annotations

import ctypes
import gc
import io
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import galop
from galop._results import Column, Solved, _Rows
from galop._tables import Columns
from galop.cover import Problem

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOUR, FOUR_SOLVED = "12..34....1....2", "1243342123144132"
MIXED = [PUZZLE, "44" + "." * 79, "short", EASY, "." * 81]
JIGSAW = galop.Kind(regions="aabbaabbccddccdd")


def problem() -> Problem:
    made = Problem("abc")
    for option in ("a", "b c", "a b", "c"):
        made.option(option.split())
    return made


RESULTS: dict[str, Callable[[], Any]] = {
    "solved": lambda: galop.solve(MIXED, unique=True),
    "solved, letters": lambda: galop.solve(["AP" + "." * 254]),
    "solved, jigsaw": lambda: galop.solve([FOUR, "x"], kind=JIGSAW),
    "solved, stuck": lambda: galop.solve([PUZZLE, EASY], engine="singles"),
    "solved, problem": lambda: galop.solve(["", "1 2", "9"], problem=problem()),
    "verified": lambda: galop.verify([PUZZLE] * 3, [SOLUTION, SOLUTION[::-1], SOLUTION]),
    "rated": lambda: galop.rate([EASY, PUZZLE, "short"], by="guesses"),
    "rated, images": lambda: galop.rate([EASY, PUZZLE, "short"], by="guesses", images=2, seed=1),
    "canonical": lambda: galop.canonical([PUZZLE, "short", EASY]),
    "augmented": lambda: galop.augment([FOUR, "." * 16], 3, solutions=[FOUR_SOLVED] * 2, seed=1, distinct=True),
    "augmented, puzzles": lambda: galop.augment([PUZZLE, EASY], 2, seed=1),
    "generated": lambda: galop.generate(3, seed=1),
    "generated, changed": lambda: galop.generate(3, seed=1, status="none"),
}

every = pytest.mark.parametrize("make", RESULTS.values(), ids=list(RESULTS))


def lists(columns: dict[str, Column]) -> dict[str, list[Any]]:
    return {name: column if isinstance(column, list) else column.tolist() for name, column in columns.items()}


def same(one: dict[str, list[Any]], other: dict[str, list[Any]]) -> bool:
    """Whether columns are equal, where NaN is equal to NaN."""
    return repr(one) == repr(other)


def parts(result: Any) -> list[Any]:
    """The result, and results of some of its rows, whose arrays are views with steps, or empty."""
    return [result, result[1:], result[::-2], result[:0], result[[0, 0]]]


def test_columns() -> None:
    solved = RESULTS["solved"]()
    assert lists(solved.columns()) == {
        "solution": solved.strings(),
        "status": ["solved", "none", "malformed", "solved", "multiple"],
        "count": solved.count.tolist(),
        "guesses": solved.guesses.tolist(),
    }
    assert solved.columns()["count"] is solved.count
    right = RESULTS["verified"]()
    assert lists(right.columns()) == {"right": [True, False, True], "reason": [None, right.reasons[1], None]}
    assert list(RESULTS["rated"]().columns()) == ["guesses"]
    rated = RESULTS["rated, images"]()
    assert list(rated.columns()) == ["guesses", "mean", "geometric_mean", "deviation"]
    assert rated.columns()["mean"] is rated.mean
    forms = RESULTS["canonical"]()
    assert lists(forms.columns()) == {
        "canonical": forms.strings(),
        "form": ["solution", "malformed", "solution"],
        "key": [forms.keys[0].decode(), None, forms.keys[2].decode()],
        "automorphisms": forms.automorphisms.tolist(),
    }
    made, changed = RESULTS["generated"](), RESULTS["generated, changed"]()
    assert lists(made.columns()) == {"puzzle": list(made), "solution": galop.solve(made).strings()}
    assert lists(changed.columns()) == {"puzzle": list(changed), "change": changed.changes}
    images = RESULTS["augmented"]()
    table = lists(images.columns())
    assert table["row"] == [0, 0, 0, 1] and table["puzzle"] == [*images[0], *images[1]]
    assert galop.verify(table["puzzle"], table["solution"]).right.all()
    assert list(RESULTS["augmented, puzzles"]().columns()) == ["row", "puzzle"]


@every
def test_pandas(make: Callable[[], Any]) -> None:
    pd = pytest.importorskip("pandas")
    for result in parts(make()):
        table = result.to_pandas()
        expected = lists(result.columns())
        read = {name: table[name].tolist() for name in table}
        for name, column in expected.items():
            if any(value is None or isinstance(value, str) for value in column):
                read[name] = [None if pd.isna(value) else value for value in read[name]]
        assert same(read, expected)
        texts = {name for name, column in result.columns().items() if isinstance(column, list) or column.dtype.kind == "U"}
        assert all((table[name].dtype == pd.Series(["a"]).dtype) == (name in texts) for name in table)
        # The result does not change with the table.
        if len(table) and "count" in table:
            table.loc[0, "count"] = 77
            assert 77 not in result.count


@every
def test_polars(make: Callable[[], Any]) -> None:
    pytest.importorskip("polars")
    for result in parts(make()):
        assert same(result.to_polars().to_dict(as_series=False), lists(result.columns()))


@every
def test_pyarrow(make: Callable[[], Any]) -> None:
    pa = pytest.importorskip("pyarrow")
    for result in parts(make()):
        table = result.to_arrow()
        table.validate(full=True)
        assert same(table.to_pydict(), lists(result.columns())) and table.equals(pa.table(result)) == ("nan" not in repr(table))
        stream = pa.RecordBatchReader.from_stream(result, schema=table.schema)
        assert stream.read_all().num_rows == table.num_rows
        for name, column in table.to_pydict().items():
            assert table[name].null_count == column.count(None)


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    solved = RESULTS["solved"]()
    query = "select status, count(*), sum(count), min(solution) from solved group by all order by all"
    assert duckdb.sql(query).fetchall() == [
        ("malformed", 1, 0, None),
        ("multiple", 1, 2, None),
        ("none", 1, 0, None),
        ("solved", 2, 2, SOLUTION),
    ]
    nothing = solved[:0]
    assert duckdb.sql("select * from nothing").fetchall() == []
    puzzles = galop.generate(3_000, seed=1)
    assert duckdb.sql("select count(distinct puzzle), count(distinct solution) from puzzles").fetchall() == [(3_000, 3_000)]
    assert duckdb.sql("select puzzle from puzzles").fetchall() == [(puzzle,) for puzzle in puzzles]
    assert nothing is not None and puzzles is not None


@dataclass(frozen=True, repr=False, eq=False)
class Other(_Rows[int]):
    """A result of other columns."""

    table: dict[str, Any]

    def _lent(self) -> Columns:
        return self.table

    def _items(self) -> list[int]:
        return list(range(len(self)))

    def __len__(self) -> int:
        return 3


def test_types() -> None:
    pa = pytest.importorskip("pyarrow")
    numbers = {name: np.array([1, 0, 100], name) for name in "i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 >i4 >f8".split()}
    wide = np.array(["ä€😀", "", "a"])
    texts = {"U": wide, ">U": wide.astype(">U3"), "S": np.array([b"abc", b"", b"a\0b"]), "list": [None, "ä€😀\0", ""]}
    fields = np.zeros(3, [("number", "i4"), ("empty", "S0"), ("byte", "u1")])
    steps = {"steps": np.arange(6)[::-2], "field": fields["number"], "empty": fields["empty"]}
    other = Other({**numbers, **texts, **steps, "bool": np.array([1, 0, 1], bool)})
    table = pa.table(other)
    table.validate(full=True)
    names = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 halffloat float double int32 double".split()
    assert [str(one) for one in table.schema.types[:13]] == names
    assert all(table.column(at).to_pylist() == [1, 0, 100] for at in range(13))
    read = table.to_pydict()
    assert read["U"] == read[">U"] == ["ä€😀", "", "a"] and read["S"] == ["abc", "", "a\0b"]
    assert read["steps"] == [5, 3, 1] and read["field"] == [0, 0, 0] and read["bool"] == [True, False, True]
    assert read["list"] == [None, "ä€😀\0", ""] and read["empty"] == ["", "", ""]
    for wrong in (np.zeros((3, 2)), np.zeros(3, complex), np.zeros(3, object), np.zeros(3, "M8[s]")):
        with pytest.raises(ValueError, match="the column x is an array of"):
            Other({"x": wrong}).__arrow_c_stream__()
    with pytest.raises(ValueError, match="the column b has 2 rows"):
        Other({"a": np.zeros(3), "b": np.zeros(2)}).__arrow_c_stream__()
    with pytest.raises(ValueError, match="NUL"):
        Other({"a\0": np.zeros(3)}).__arrow_c_stream__()
    with pytest.raises(TypeError, match="row 1: int"):
        Other({"a": ["x", 1, None]}).__arrow_c_stream__()


def large() -> Solved:
    """A result that readers get in two batches."""
    count = (1 << 20) + 5
    solved = galop.solve(["1243342123144132", "short"])
    rows = np.arange(count) % 2
    return Solved(solved.solutions[rows], solved.status[rows], np.arange(count), np.arange(count)[::-1], [], solved._rules)


def test_batches() -> None:
    pa = pytest.importorskip("pyarrow")
    result = large()
    batches = list(pa.RecordBatchReader.from_stream(result))
    assert [len(batch) for batch in batches] == [1 << 20, 5]
    table = pa.Table.from_batches(batches)
    table.validate(full=True)
    assert table["solution"].null_count == len(result) // 2 and table["solution"][-1].as_py() == "1243342123144132"
    assert (table["count"].to_numpy() == result.count).all() and (table["guesses"].to_numpy() == result.guesses).all()


def test_numbers_are_not_copied() -> None:
    pa = pytest.importorskip("pyarrow")
    solved = RESULTS["solved"]()
    for result in (solved, solved[1:], solved[2:4]):
        for name in ("count", "guesses"):
            chunk = pa.table(result)[name].chunk(0)
            assert chunk.buffers()[1].address + 8 * chunk.offset == result.columns()[name].ctypes.data
    assert np.shares_memory(solved.to_arrow()["count"].chunk(0).to_numpy(), solved.count)


def references(result: Solved) -> tuple[int, int]:
    """How many references keep the memory of the counts, and the rules. (In an assertion, pytest has some of its own.)"""
    array = result.count
    owner = array if array.base is None else array.base
    del array
    return sys.getrefcount(owner), sys.getrefcount(result._rules)


def test_memory_is_released_once() -> None:
    pa = pytest.importorskip("pyarrow")
    result = large()
    small = result[:3]
    before = references(result)

    def is_free() -> bool:
        gc.collect()
        return references(result) == before

    capsule = result.__arrow_c_stream__()
    assert not is_free()
    del capsule
    assert is_free()
    # Streams that nobody reads, and streams that are read in part.
    for _ in range(300):
        small.__arrow_c_stream__()
        pa.RecordBatchReader.from_stream(small)
    for read in (0, 1, 2):
        reader = pa.RecordBatchReader.from_stream(result)
        batches = [reader.read_next_batch() for _ in range(read)]
        column = batches[0].column(2) if batches else None
        del reader
        del batches
        assert is_free() == (column is None)
        del column
        assert is_free()
    # A capsule can be read once.
    capsule = small.__arrow_c_stream__()
    assert pa.RecordBatchReader._import_from_c_capsule(capsule).read_all().num_rows == 3
    with pytest.raises(pa.ArrowInvalid):
        pa.RecordBatchReader._import_from_c_capsule(capsule)
    del capsule
    assert is_free()
    # Another thread releases it.
    tables = [pa.table(result[: 1 << 10]) for _ in range(8)]
    threads = [threading.Thread(target=tables.pop) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert is_free()


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_readers_outlive_results(library: str) -> None:
    pytest.importorskip(library)
    result: Any = galop.solve([PUZZLE, EASY] * 1_000)
    expected, memory = lists(result.columns()), weakref.ref(result.count.base)
    table = result.to_arrow() if library == "pyarrow" else result.to_polars()
    del result
    gc.collect()
    assert memory() is not None
    np.full(100_000, 9)
    assert (table.to_pydict() if library == "pyarrow" else table.to_dict(as_series=False)) == expected
    del table
    gc.collect()
    assert memory() is None


class CStream(ctypes.Structure):
    """`ArrowArrayStream`."""


FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
CStream._fields_ = [
    ("get_schema", FUNCTION),
    ("get_next", FUNCTION),
    ("get_last_error", ctypes.c_void_p),
    ("release", RELEASE),
    ("private_data", ctypes.c_void_p),
]


def test_the_interface() -> None:
    """A reader that calls the functions itself: a structure that was released, or has ended, has no `release`."""
    result = galop.solve([FOUR] * 3)
    before = references(result)
    capsule = result.__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer(capsule, b"arrow_array_stream")
    stream = CStream.from_address(address)
    word = ctypes.sizeof(ctypes.c_void_p)
    schema, first, second = (np.full(10, -1, np.int64) for _ in range(3))
    for structure, fill, release in ((schema, stream.get_schema, 7), (first, stream.get_next, 8)):
        assert word == 8 and fill(address, structure.ctypes.data) == 0 and structure[release] != 0
    assert schema[4] == first[4] == 4 and first[0] == 3 and first[3] == 1
    assert stream.get_next(address, second.ctypes.data) == 0 and second[8] == 0
    # The structures are independent of the stream.
    stream.release(address)
    assert ctypes.c_void_p.from_buffer(stream, CStream.release.offset).value is None
    del capsule
    assert references(result) > before
    for structure, release in ((schema, 7), (first, 8)):
        RELEASE(int(structure[release]))(structure.ctypes.data)
        assert structure[release] == 0
    assert references(result) == before


def test_numpy() -> None:
    solved = RESULTS["solved"]()
    array = np.asarray(solved)
    assert array.dtype == object and array.shape == (5,) and array.tolist() == solved.strings()
    assert np.array(solved[solved.ok], dtype=str).dtype.kind == "U" and np.asarray(solved[:0]).shape == (0,)
    assert np.asarray(RESULTS["rated"]()).tolist() == [0, 0, -1]
    # Lists of the same length do not become a second dimension.
    images = RESULTS["augmented, puzzles"]()
    assert np.asarray(images).shape == (2,) and np.asarray(images).tolist() == list(images)
    verified = RESULTS["verified"]()
    assert np.asarray(verified).dtype == bool and np.shares_memory(np.asarray(verified), verified.right)
    assert not np.shares_memory(np.array(verified), verified.right) and np.asarray(verified, int).sum() == 2
    with pytest.raises(ValueError, match="copy=False"):
        solved.__array__(copy=False)


def test_results_are_puzzles() -> None:
    made = RESULTS["generated"]()
    solved = galop.solve(made)
    assert galop.verify(made, solved).right.all() and galop.canonical(solved).kind.tolist() == ["solution"] * 3
    assert galop.verify([PUZZLE, "short"], galop.solve([PUZZLE, "short"])).right.tolist() == [True, False]


class Tags(HTMLParser):
    """Checks that tags are closed, and counts them. Collects the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: dict[str, int] = {}
        self.text: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.open.append(tag)
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_startendtag(self, tag: str, attributes: Any) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@every
def test_html_of_results(make: Callable[[], Any]) -> None:
    for result in parts(make()):
        tags = Tags(result._repr_html_())
        if "svg" in tags.count:
            assert len(result) == 1
        else:
            assert tags.count["tr"] == len(result) + 1 and tags.text[0] == repr(result)


def test_tables_of_html() -> None:
    solved = galop.solve([PUZZLE, "short", *[EASY] * 30, PUZZLE])
    tags = Tags(solved._repr_html_())
    assert tags.text[0] == repr(solved) and tags.count["tr"] == 1 + 10 + 1
    assert tags.text.count(SOLUTION) == 2 and "…" in tags.text
    assert {"4", "28", "32"} <= {*tags.text} and not {"5", "27", "33"} & {*tags.text}
    assert Tags(solved[:10]._repr_html_()).count["tr"] == 11
    script = "<script>alert('&')</script>"
    html = galop.Verified(np.array([False]), {0: script * 20})._repr_html_()
    assert "<script" not in html and Tags(html).text.count((script * 20)[:99] + "…") == 1


def test_one_puzzle_is_drawn() -> None:
    for result in (galop.solve([FOUR]), galop.generate(1, seed=1), galop.canonical([PUZZLE]), galop.solve(["AP" + "." * 254])):
        html = result._repr_html_()
        cells = [text for text in Tags(html).text if text.strip()]
        text = next(iter(result))
        assert html.startswith("<svg") and text is not None and cells == list(text.replace(".", ""))
    # Solutions have the colour of found cells, puzzles of clues.
    assert "bold" not in galop.solve([FOUR])._repr_html_() and "bold" in galop.generate(1, seed=1)._repr_html_()
    # Without a solution, or without a grid, there is nothing to draw.
    of_problem = galop.solve([""], problem=problem())
    for nothing in (galop.solve([MIXED[1]]), of_problem, galop.rate([EASY]), galop.canonical(["short"])):
        assert nothing._repr_html_().startswith("<table>")
    # Cells that are no symbols are left out.
    made = galop.generate(1, seed=1)
    assert "<svg" in galop.Generated(made.puzzles | np.uint8(128), None, [], 1, made._rules)._repr_html_()


def test_columns_of_numbers_are_refused() -> None:
    pd = pytest.importorskip("pandas")
    puzzle, solution = EASY, galop.solve(EASY)
    table = f"puzzle,solution\n{puzzle.replace('.', '0')},{solution}\n"
    numbers = pd.read_csv(io.StringIO(table))
    with pytest.raises(ValueError, match=r"column of numbers.*dtype=str"):
        galop.solve(numbers["puzzle"])
    with pytest.raises(ValueError, match=r"column of numbers.*dtype=str"):
        galop.verify(numbers["puzzle"], numbers["solution"])
    for column in ([int(solution)] * 3, np.array([1234.0, 4.1e80]), np.full(81, 123456789)):
        with pytest.raises(ValueError, match="column of numbers"):
            galop.solve(column)
    text = pd.read_csv(io.StringIO(table), dtype=str)
    assert galop.verify(text["puzzle"], text["solution"]).right.tolist() == [True]

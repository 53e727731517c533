"""What puzzles may be, and what is found of them."""

from __future__ import annotations

import copy
import gzip
import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import galop
from galop._choices import Engine
from galop import Status

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
IMPOSSIBLE = "44" + "." * 79
EMPTY = "." * 81
FOUR, FOUR_SOLVED = "12..34....1....2", "1243342123144132"


def cells(*texts: str) -> np.ndarray[Any, Any]:
    return np.array([[int(c) if c.isdigit() else 0 for c in text] for text in texts], np.uint8)


def same(found: galop.Solved) -> None:
    """Whether two puzzles are solved."""
    assert found.strings() == [SOLUTION, SOLUTION]
    assert found.status.tolist() == [0, 0] and found.count.tolist() == [1, 1]
    dtypes = [str(array.dtype) for array in (found.solutions, found.status, found.count, found.guesses)]
    assert dtypes == ["uint8", "uint8", "int64", "int64"]
    assert found.solutions.shape == (2, 81) and found.malformed == []


def test_a_str_gives_a_str() -> None:
    assert galop.solve(PUZZLE) == SOLUTION
    rows = "\n".join(PUZZLE[at : at + 9] for at in range(0, 81, 9))
    assert galop.solve(rows + "\n") == SOLUTION
    assert galop.solve(FOUR, unique=True) == FOUR_SOLVED


@pytest.mark.parametrize("write", [list, tuple, iter, lambda texts: (text for text in texts), np.array])
def test_strings(write: Any) -> None:
    same(galop.solve(write([PUZZLE, PUZZLE])))


def test_bytes_are_a_file() -> None:
    text = f"{PUZZLE}\n{PUZZLE}\n".encode()
    for lines in (text, bytearray(text), memoryview(text), text.replace(b"\n", b"\r\n"), gzip.compress(text)):
        same(galop.solve(lines))
    same(galop.solve(f"id,puzzle\n1,{PUZZLE}\n2,{PUZZLE}\n".encode()))
    array = io.BytesIO()
    np.save(array, cells(PUZZLE, PUZZLE))
    same(galop.solve(array.getvalue()))
    found = galop.solve(f"# a comment\n{PUZZLE}\n\nrubbish\n".encode())
    assert found.words.tolist() == ["solved", "malformed"]
    assert found.malformed[0][0] == 1 and found.malformed[0][1].startswith("<bytes>:4:"), found.malformed


@pytest.mark.parametrize("dtype", ["u1", "i1", "i2", ">i2", "i8", "u8"])
def test_arrays_of_integers(dtype: str) -> None:
    rows = cells(PUZZLE, PUZZLE).astype(dtype)
    same(galop.solve(rows))
    same(galop.solve(rows.reshape(2, 9, 9)))
    same(galop.solve(np.asfortranarray(rows)))
    same(galop.solve(np.repeat(rows, 2, axis=0)[::2]))
    assert galop.solve(rows[0]).strings() == galop.solve(rows[0].reshape(9, 9)).strings() == [SOLUTION]
    same(galop.solve(rows.tolist()))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f8", "longdouble"])
def test_arrays_of_whole_floats(dtype: str) -> None:
    rows = cells(PUZZLE, PUZZLE).astype(dtype)
    same(galop.solve(rows))
    rows[rows == 0] = np.nan
    same(galop.solve(rows.reshape(2, 9, 9)))
    assert galop.verify(rows, cells(SOLUTION, SOLUTION).astype(dtype)).right.all()
    wrong = np.repeat(rows[:1], 7, axis=0)
    wrong[:, 80] = [0, -0.0, 0.5, -1, np.inf, -np.inf, 10]
    found = galop.solve(wrong)
    assert found.words.tolist() == ["solved"] * 2 + ["malformed"] * 5
    assert [row for row, _ in found.malformed] == [2, 3, 4, 5, 6]
    assert found.malformed[0][1] == "a number that is no cell (cells are numbers from 1 to 9, a blank is 0 or NaN)"
    many = np.zeros((9_000, 16), dtype)
    many[8_999, 3] = 1.5
    assert galop.solve(many).counts == {"solved": 8_999, "malformed": 1}


@pytest.mark.parametrize("dtype", ["bool", "u1", "i8", "f4"])
@pytest.mark.parametrize("side", [4, 6, 9, 16])
def test_one_hot_arrays(dtype: str, side: int) -> None:
    made = galop.generate(20, seed=1, side=side)
    assert made.solutions is not None
    with_blank = np.eye(side + 1, dtype=dtype)[made.puzzles]
    assert with_blank.shape == (20, side * side, side + 1)
    for hot in (with_blank, with_blank[:, :, 1:]):
        for shaped in (hot, hot.reshape(20, side, side, -1), np.asfortranarray(hot)):
            found = galop.solve(shaped)
            assert (found.solutions == made.solutions).all() and found.ok.all()
    assert galop.verify(with_blank, np.eye(side, dtype=dtype)[made.solutions - 1]).right.all()


def test_rows_that_are_not_one_hot_are_malformed() -> None:
    hot = np.eye(10)[cells(*[PUZZLE] * 6)]
    hot[1, 80, :2] = 1
    hot[2, 0] = 0
    hot[3, 40, 4] = 0.25
    hot[4, 40, 4] = np.nan
    hot[5, 40] = -hot[5, 40]
    found = galop.solve(hot)
    assert found.words.tolist() == ["solved"] + ["malformed"] * 5
    assert [why.split(" is ")[0] for _, why in found.malformed] == ["cell 81", "cell 1", "cell 41", "cell 41", "cell 41"]
    assert "one of its 10 numbers is 1; argmax(-1) makes" in found.malformed[0][1]
    nine = hot[:, :, 1:]
    assert galop.solve(nine).words.tolist() == ["solved", "none", "solved", "malformed", "malformed", "malformed"]
    assert "argmax(-1) + 1 makes" in galop.solve(nine).malformed[0][1]
    many = np.zeros((9_000, 16, 4))
    many[8_999, 3] = 1
    assert galop.solve(many).malformed[0][0] == 8_999


def test_arrays_of_text() -> None:
    for dtype in ("U81", "S81", "S90", object):
        same(galop.solve(np.array([PUZZLE, PUZZLE], dtype)))


def test_an_array_is_not_written_to() -> None:
    rows = cells(PUZZLE, PUZZLE)
    rows.setflags(write=False)
    same(galop.solve(rows))


def test_puzzles_that_are_kept_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join(galop.generate(5_000, seed=2)))
    records = galop.read_file(path)
    before = records.puzzles.copy()
    from_records, from_lines = galop.solve(records), galop.solve(path.read_bytes())
    assert np.array_equal(records.puzzles, before)
    for found in (from_records, from_lines):
        assert galop.verify(records, found.solutions, unique=True).right.all()
    assert np.array_equal(from_records.guesses, from_lines.guesses)
    texts = path.read_text().split()
    assert galop.verify(texts, list(from_lines), unique=True).right.all()


def test_columns_of_pyarrow() -> None:
    pa = pytest.importorskip("pyarrow")
    texts = [PUZZLE, PUZZLE]
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary()):
        same(galop.solve(pa.array(texts, kind)))
    same(galop.solve(pa.chunked_array([[PUZZLE], [PUZZLE]])))
    same(galop.solve(pa.array(["x", *texts, "x"])[1:3]))
    same(galop.solve(pa.array(texts).dictionary_encode()))
    same(galop.solve(pa.array(cells(*texts).tolist())))
    holes = galop.solve(pa.array([None, PUZZLE, None, "short"] * 5)[1:7])
    assert holes.words.tolist() == ["solved", "malformed", "malformed", "malformed", "solved", "malformed"]
    assert holes.malformed[0] == (1, "no text")
    words = r'a table with the columns id, puzzle \(give one column, for example table\["puzzle"\]\)'
    table = pa.table({"id": [1, 2], "puzzle": texts})
    for whole in (table, table.to_batches()[0]):
        with pytest.raises(ValueError, match=words):
            galop.solve(whole)
    with pytest.raises(ValueError, match="a table"):
        galop.solve(table.to_reader())
    same(galop.solve(table["puzzle"]))
    lent = type("Lent", (), {"__arrow_c_array__": lambda self, requested=None: pa.array(texts).__arrow_c_array__()})
    same(galop.solve(lent()))
    sixteen = galop.generate(3, seed=1, side=16)
    binary = pa.array([text.encode() for text in sixteen], pa.binary())
    assert (galop.solve(binary).solutions == sixteen.solutions).all()


def test_columns_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    for dtype in (object, "string", str):
        same(galop.solve(pd.Series([PUZZLE, PUZZLE], dtype=dtype)))
    same(galop.solve(pd.DataFrame({"puzzle": [PUZZLE, PUZZLE]}).puzzle))
    df = pd.DataFrame({"quiz": [PUZZLE, PUZZLE], "id": [1, 2]})
    with pytest.raises(ValueError, match=r'a table with the columns quiz, id \(give one column, for example table\["quiz"\]\)'):
        galop.solve(df)
    same(galop.solve(pd.DataFrame(cells(PUZZLE, PUZZLE)).replace(0, float("nan"))))
    holes = galop.solve(pd.Series([PUZZLE, None, float("nan")], dtype=object))
    assert holes.words.tolist() == ["solved", "malformed", "malformed"]


def test_columns_of_polars() -> None:
    pl = pytest.importorskip("polars")
    same(galop.solve(pl.Series([PUZZLE, PUZZLE])))
    same(galop.solve(pl.Series([PUZZLE, PUZZLE]).cast(pl.Categorical)))
    with pytest.raises(ValueError, match="a table with the columns puzzle"):
        galop.solve(pl.DataFrame({"puzzle": [PUZZLE, PUZZLE]}))
    holes = galop.solve(pl.Series([None, PUZZLE, "short", PUZZLE]))
    assert holes.words.tolist() == ["malformed", "solved", "malformed", "solved"]


@pytest.mark.parametrize("puzzles", [[], b"", np.zeros((0, 81), np.uint8), np.zeros((0, 9, 9), int), "array"])
def test_no_puzzles(puzzles: Any) -> None:
    found = galop.solve(np.array([], "S81") if isinstance(puzzles, str) else puzzles)
    assert len(found) == 0 and found.solutions.shape[0] == 0 and repr(found) == "Solved(0 puzzles)"


def test_every_byte_is_read_as_by_the_library() -> None:
    """The fast reader of 81 characters and the one for any text agree."""
    for byte in range(256):
        for text in (bytes([byte]) + EMPTY[1:].encode(), EMPTY[1:].encode() + bytes([byte])):
            row = galop.solve(np.array([text], "S81"))
            slow = galop.solve([b" " + text])
            if byte not in b"\0 \t\n\x0c\r":
                assert row.status.tolist() == slow.status.tolist(), byte
            is_cell = bytes([byte]) in b"123456789.0*_xX?" and byte != 0
            assert (row.status[0] == Status.SOLVED) == is_cell, byte


def test_no_row_is_lost() -> None:
    found = galop.solve([PUZZLE, IMPOSSIBLE, "short", None, EMPTY, 5, "é" * 81], unique=True)
    assert found.words.tolist() == ["solved", "none", "malformed", "malformed", "multiple", "malformed", "malformed"]
    assert found.counts == {"solved": 1, "none": 1, "multiple": 1, "malformed": 4}
    assert found.ok.tolist() == [True] + 6 * [False]
    assert found.strings() == [SOLUTION] + 6 * [None]
    assert not found.solutions[1:].any()
    assert found.count.tolist()[:5] == [1, 0, 0, 0, 2]
    assert [row for row, _ in found.malformed] == [2, 3, 5, 6]
    assert "column 1: unexpected `é`" in found.malformed[3][1]


def test_numbers_that_are_no_cells_are_malformed() -> None:
    for dtype, wrong in (("u1", 10), ("u1", 255), ("i1", -1), ("i8", -1), ("i8", 256), ("i8", 1 << 40), ("u8", 1 << 60)):
        rows = cells(PUZZLE, PUZZLE).astype(dtype)
        rows[1, 80] = wrong
        found = galop.solve(rows)
        assert found.words.tolist() == ["solved", "malformed"], (dtype, wrong)
        assert found.malformed[0][0] == 1 and "cells are numbers from 1 to 9" in found.malformed[0][1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"puzzles": ""}, "0 cells"),
        ({"puzzles": PUZZLE.replace("8.4", "8!4")}, "column 42: unexpected `!`"),
        ({"puzzles": IMPOSSIBLE}, "no solution: 4 occurs twice in row 1: in row 1, column 1 and in row 1, column 2"),
        ({"puzzles": EMPTY, "unique": True}, "more than one solution"),
        ({"puzzles": EMPTY, "engine": "logic"}, "the engine `logic` never guesses"),
        ({"puzzles": EMPTY, "unique": True, "max_guesses": 0}, "gave up after 0 guesses"),
        ({"puzzles": [PUZZLE], "engine": "x"}, "unknown engine `x`"),
        ({"puzzles": [PUZZLE], "engine": "bitboard", "kind": "latin"}, "9x9 sudoku only"),
        ({"puzzles": [PUZZLE], "kind": "x"}, "there is no kind `x`"),
        ({"puzzles": [PUZZLE], "kind": "jigsaw"}, "needs a map"),
        ({"puzzles": [PUZZLE], "unique": True, "limit": 3}, "leave out limit"),
        ({"puzzles": [PUZZLE], "limit": -1}, "limit=-1"),
        ({"puzzles": [PUZZLE], "threads": -1}, "threads=-1"),
        ({"puzzles": [PUZZLE], "max_guesses": -1}, "max_guesses=-1"),
        ({"puzzles": np.zeros((3, 7), np.uint8)}, "an array of shape"),
        ({"puzzles": np.zeros((3, 81), complex)}, "an array of complex128 (cells are whole numbers"),
        ({"puzzles": np.zeros((3, 81, 8))}, "one-hot arrays have a last dimension more"),
        ({"puzzles": np.zeros((3, 80, 9))}, "one-hot arrays have a last dimension more"),
        ({"puzzles": [[1, 2], [3]]}, "different lengths"),
        ({"puzzles": 3}, "int is not puzzles"),
        ({"puzzles": {"a": 1}}, "dict is not puzzles"),
        ({"puzzles": ["G" + "." * 255]}, "several alphabets"),
    ],
)
def test_bad_input_is_a_value_error(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as raised:
        galop.solve(**arguments)
    assert words in str(raised.value)


def test_the_name_of_a_file_is_not_a_puzzle(tmp_path: Path) -> None:
    (tmp_path / "puzzles").write_text(PUZZLE)
    for name in ("puzzles.txt", "data/Puzzles.CSV.gz", str(tmp_path / "puzzles")):
        for call in (galop.solve, galop.count, galop.verify, galop.canonical, lambda name: galop.verify(name, SOLUTION)):
            with pytest.raises(ValueError, match="is the name of a file .put it in pathlib.Path, or use galop.solve_file"):
                call(name)
    assert galop.solve(tmp_path / "puzzles").strings() == [SOLUTION]
    with pytest.raises(FileNotFoundError, match="missing: cannot read"):
        galop.solve(Path("missing"))
    for text, words in ((PUZZLE[1:], "80 cells"), (".", "1 cell "), ("\0", "column 1: unexpected")):
        with pytest.raises(ValueError, match=words):
            galop.solve(text)


def test_other_rules() -> None:
    assert galop.solve([FOUR]).strings() == [FOUR_SOLVED]
    assert galop.solve("1.2.3..........." , kind="diagonal") == "1423324141322314"
    solved = galop.solve("0F" + "." * 254, alphabet="0-9A-F")
    assert len(solved) == 256 and solved.startswith("0F") and galop.verify("0F" + "." * 254, solved, alphabet="0-9A-F")
    latin = galop.solve(np.zeros((1, 25), np.uint8), kind="latin")
    assert (np.sort(latin.solutions.reshape(5, 5), axis=0).T == np.arange(1, 6)).all()
    regions = "aabbaabbccddccdd"
    assert galop.solve(FOUR, kind=galop.Kind(regions=regions)) == FOUR_SOLVED
    miracle = "." * 38 + "1" + "." * 12 + "2" + "." * 29
    solved = galop.solve(miracle, kind=galop.Kind("anti-knight+anti-king+non-consecutive"))
    assert isinstance(solved, str) and solved.startswith("483726159726159483")
    with pytest.raises(ValueError, match="`diagonal` is named twice"):
        galop.solve(miracle, kind="diagonal+diagonal")  # type: ignore[call-overload]


WINDOWS = "\n".join("." * 9 if row in (0, 4, 8) else f".{'aaaccc'[row // 5 * 3:][:3]}.{'bbbddd'[row // 5 * 3:][:3]}." for row in range(9))
"""The four extra regions of a windoku."""


def test_maps_and_blocks_make_a_kind() -> None:
    windoku = galop.generate(20, seed=3, kind="windoku")
    extra = galop.solve(windoku.puzzles, unique=True, kind=galop.Kind("sudoku", extra=WINDOWS))
    assert extra.ok.all() and (extra.solutions == windoku.solutions).all()
    assert not galop.solve(windoku.puzzles, unique=True).ok.all()
    left, right = WINDOWS.replace("b", ".").replace("d", "."), WINDOWS.replace("a", ".").replace("c", ".")
    several = galop.Kind("diagonal", extra=[left, right])
    made = galop.generate(3, seed=3, kind=several)
    assert all(galop.verify(made.puzzles, made.solutions, unique=True, kind=several))
    assert (galop.solve(made.puzzles, unique=True, kind=galop.Kind("windoku+diagonal")).solutions == made.solutions).all()
    assert galop.generate(1, seed=1, kind=galop.Kind(blocks=(3, 2))).puzzles.shape == (1, 36)
    empty = np.zeros((1, 36), np.uint8)
    high, wide = (galop.solve(empty, kind=galop.Kind(blocks=blocks)).solutions.reshape(6, 6) for blocks in ((3, 2), (2, 3)))
    assert sorted(high[:3, :2].ravel().tolist()) == [1, 2, 3, 4, 5, 6] == sorted(wide[:2, :3].ravel().tolist())
    assert (galop.solve(empty).solutions == wide.ravel()).all() and (high != wide).any()


def test_kinds_are_values() -> None:
    kind = galop.Kind("anti-knight", regions="aabbaabbccddccdd", extra=["1111" + "." * 12], blocks=None)
    assert repr(kind) == "Kind(\"anti-knight\", regions=\"aabbaabbccddccdd\", extra=[\"1111............\"])"
    for other in (copy.copy(kind), copy.deepcopy(kind), pickle.loads(pickle.dumps(kind))):
        assert other == kind and hash(other) == hash(kind) and galop.solve([FOUR], kind=other) == galop.solve([FOUR], kind=kind)
    assert galop.Kind("sudoku", extra="1111" + "." * 12) != kind
    for arguments, words in (
        ({"name": "sudoko"}, "sudoko"),
        ({"regions": "aab"}, "regions: "),
        ({"extra": ["1111" + "." * 12, "111" + "." * 13]}, "extra: "),
        ({"blocks": (1, 9)}, "1x9"),
        ({"name": "latin", "blocks": (3, 2)}, "latin"),
    ):
        with pytest.raises(ValueError, match=words):
            galop.Kind(**arguments)


def test_limits() -> None:
    empty = np.zeros((3, 16), np.uint8)
    assert galop.solve(empty, limit=0).count.tolist() == [288] * 3
    assert galop.solve(empty, limit=10).count.tolist() == [10] * 3
    assert galop.solve([EMPTY], limit=0, max_guesses=100).words.tolist() == ["limit"]
    assert galop.count(FOUR) == 1 and galop.count([FOUR, "." * 16, "1"]).tolist() == [1, 288, -1]
    with pytest.raises(ValueError, match="gave up after 100 guesses"):
        galop.count(EMPTY, max_guesses=100)


@pytest.mark.parametrize("engine", list(galop.engines()))
def test_engines(engine: Engine) -> None:
    found = galop.solve([SOLUTION[:-1] + "."] * 70, engine=engine)
    assert found.strings() == [SOLUTION] * 70


def test_the_result_does_not_depend_on_threads() -> None:
    made = galop.generate(9_000, seed=3)
    one, three = (galop.solve(made.puzzles, threads=threads) for threads in (1, 3))
    for field in ("solutions", "status", "count", "guesses"):
        assert (getattr(one, field) == getattr(three, field)).all()
    assert (one.solutions == made.solutions).all()
    assert (galop.solve(made.strings()).solutions == made.solutions).all()


def test_progress() -> None:
    seen: list[tuple[int, int | None]] = []
    galop.solve([PUZZLE] * 3_000, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (3_000, 3_000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)

    def refuse(done: int, total: int | None) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError):
        galop.solve([PUZZLE] * 3_000, progress=refuse)
    assert galop.solve([PUZZLE] * 3_000, progress=True).ok.all()


def test_other_threads_run_meanwhile() -> None:
    counted, is_over = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not is_over.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    hard = galop.solve(np.zeros((400, 81), np.uint8), engine="dlx", limit=2_000)
    is_over.set()
    thread.join()
    assert hard.count.tolist() == [2_000] * 400 and counted > 5


def test_several_threads_may_call_at_once() -> None:
    puzzles, found = galop.generate(5_000, seed=1), []
    threads = [
        threading.Thread(target=lambda: found.append(galop.solve(puzzles.puzzles, threads=2).solutions)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all((solutions == puzzles.solutions).all() for solutions in found)


FOREVER = "import galop, numpy; print('go', flush=True); {call}"


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    "call",
    [
        "galop.solve(numpy.zeros((10**4, 81), 'u1'), limit=0, max_guesses=10**18)",
        "galop.count(['.' * 81] * 100, max_guesses=10**18)",
        "galop.solve(numpy.zeros((10**6, 81), 'u1'), engine='dlx', limit=10**4)",
        "galop.generate(10**9)",
        "galop.canonical(numpy.zeros((10**7, 81), 'u1'))",
        "galop.rate(galop.generate(10**4, minimal=True, seed=1).puzzles, by='guesses', images=10**6)",
        "galop.compare(galop.generate(100, seed=1).puzzles, runs=10**8)",
        "__import__('test_cover').huge().count()",
        "list(__import__('test_cover').huge().solutions())",
    ],
)
def test_ctrl_c_stops_a_long_call(call: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, os.path.dirname(__file__)])}
    child = subprocess.Popen(
        [sys.executable, "-c", FOREVER.format(call=call)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert child.stdout is not None and child.stdout.readline() == "go\n"
    time.sleep(1.0)
    assert child.poll() is None, child.communicate()
    child.send_signal(signal.SIGINT)
    try:
        _, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    assert "KeyboardInterrupt" in errors and child.returncode in (-signal.SIGINT, 130), errors


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_forked_process_has_its_own_threads() -> None:
    """Spark's and PyTorch's workers are forked after the package was used."""
    script = (
        "import os, galop; p = [%r] * 5000; galop.solve(p, threads=2)\n"
        "child = os.fork()\n"
        "ok = galop.solve(p, threads=2).ok.all()\n"
        "if child == 0: os._exit(0 if ok else 1)\n"
        "print(os.waitpid(child, 0)[1], ok)" % PUZZLE
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "0 True\n", done.stderr

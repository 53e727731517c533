"""Results: they can be pickled and copied, and they are sequences with a row for each puzzle."""

from __future__ import annotations

import ast
import copy
import inspect
import multiprocessing
import pickle
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

import galop
from galop import _galop
from galop.cover import LimitReached, Problem

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
IMPOSSIBLE = "44" + "." * 79
FOUR, FOUR_SOLVED = "12..34....1....2", "1243342123144132"
MIXED = [PUZZLE, IMPOSSIBLE, "short", EASY, "." * 81]

RESULTS: dict[str, Callable[[], Any]] = {
    "Solved": lambda: galop.solve(MIXED, unique=True),
    "Verified": lambda: galop.verify([PUZZLE] * 3, [SOLUTION, SOLUTION[::-1], SOLUTION]),
    "Rated": lambda: galop.rate([EASY, PUZZLE, "short"], by="guesses", images=2, seed=1),
    "Canonical": lambda: galop.canonical([PUZZLE, "short", EASY]),
    "Augmented": lambda: galop.augment([FOUR, "." * 16], 3, solutions=[FOUR_SOLVED] * 2, seed=1, distinct=True),
    "Generated": lambda: galop.generate(3, seed=1),
    "Generated, changed": lambda: galop.generate(3, seed=1, status="none"),
}


def copies(value: Any) -> list[Any]:
    """Copies of a value by all ways there are."""
    ways = [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    return [*ways, copy.copy(value), copy.deepcopy(value)]


@pytest.mark.parametrize("make", RESULTS.values(), ids=list(RESULTS))
def test_results_can_be_pickled_and_copied(make: Callable[[], Any]) -> None:
    result = make()
    for other in copies(result):
        assert type(other) is type(result) and other == result and repr(other) == repr(result)
        assert list(other) == list(result)


def test_the_other_results_can_be_pickled_and_copied(tmp_path: Any) -> None:
    (tmp_path / "puzzles.txt").write_text(f"{PUZZLE}\nrubbish\n")
    file = galop.solve_file(tmp_path / "puzzles.txt", tmp_path / "solved.txt")
    compared = galop.compare([PUZZLE] * 10, ["lanes"], runs=1)
    for result in (file, compared, galop.Status.MULTIPLE, galop.verify(MIXED)):
        assert all(type(other) is type(result) and other == result for other in copies(result))


@pytest.mark.parametrize(("name", "about", "sides"), _galop.kinds())
def test_rules_can_be_pickled_and_copied(name: str, about: str, sides: list[int]) -> None:
    for side in sides:
        block = next(size for size in range(int(side**0.5), 0, -1) if side % size == 0)
        rows = ["".join(chr(65 + row // block * block + column // (side // block)) for column in range(side)) for row in range(side)]
        kind = galop.Kind(name, regions="\n".join(rows)) if name == "jigsaw" else name
        usual = _galop.Rules(kind, side)
        named = [usual] if side <= 9 else [usual, *(_galop.Rules(kind, side, word) for word in alphabets(side))]
        grid = np.arange(side * side, dtype=np.uint8).reshape(1, -1) % (side + 1)
        for rules in named:
            for other in copies(rules):
                assert (other.name, other.cells, other.symbols) == (rules.name, rules.cells, rules.symbols)
                assert other.write(grid) == rules.write(grid)


def alphabets(side: int) -> list[str]:
    """The names of the other ways to write more than nine symbols."""
    last = chr(64 + side - 10)
    from_zero = "0-9" if side == 10 else "0-9A" if side == 11 else f"0-9A-{last}"
    return [from_zero, from_zero.lower(), f"A-{chr(64 + side)}", f"a-{chr(96 + side)}"]


def test_rules_that_were_found_in_texts_are_kept() -> None:
    text = "0F" + "." * 254
    found = galop.solve([text], alphabet="0-9A-F")
    assert all(other.strings() == found.strings() for other in copies(found))
    letters = galop.solve(["AP" + "." * 254])
    assert set("".join(copies(letters)[-1].strings())) == set("ABCDEFGHIJKLMNOP")
    jigsaw = galop.solve([FOUR], kind=galop.Kind(regions="aabbaabbccddccdd"))
    assert all(other.strings() == [FOUR_SOLVED] for other in copies(jigsaw))


def test_problems_can_be_pickled_and_copied() -> None:
    problem = Problem([("room: 1", 1, 2), "p", "q", "s"], ["x"])
    for person in "pqs":
        problem.option([person, ("x", "red")], cost=3)
        problem.option([person, "room: 1"])
    matrix = Problem.from_exact_cover(np.eye(3, dtype=int))
    for one in (problem, matrix, Problem(["a"]), Problem.from_text("a b c | x\na b x:red\nc x\nc |2\n")):
        for other in copies(one):
            assert repr(other) == repr(one) and other.to_text() == one.to_text() and other.count() == one.count()
    changed = copy.deepcopy(matrix)
    assert changed.option(["0", "1", "2"]) == 3 and len(matrix) == 3
    for other in copies(LimitReached("stopped", 7)):
        assert isinstance(other, LimitReached) and (str(other), other.count) == ("stopped", 7)


def test_other_processes_give_results() -> None:
    parts = [[PUZZLE, "short"], [EASY], [IMPOSSIBLE]]
    expected = [galop.solve(part) for part in parts]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(galop.solve, parts)) == expected
        # A result goes there, too.
        assert list(pool.map(list, expected)) == [[SOLUTION, None], [galop.solve(EASY)], [None]]


def test_joblib_gives_results() -> None:
    joblib = pytest.importorskip("joblib")
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(galop.canonical)(part) for part in ([PUZZLE], [EASY]))
    assert found == [galop.canonical([PUZZLE]), galop.canonical([EASY])]


def test_rows() -> None:
    found = galop.solve(MIXED, unique=True)
    solutions = [SOLUTION, None, None, galop.solve(EASY), None]
    assert list(found) == found.strings() == solutions and SOLUTION in found
    assert [found[at] for at in range(5)] == solutions == [found[at - 5] for at in range(5)]
    assert found[np.int64(3)] == solutions[3] and list(reversed(found)) == solutions[::-1]
    for place in (slice(1, 4), slice(None, None, -2), [4, 2, 2], np.array([3, 0]), found.ok, found.status == 5, []):
        some, rows = found[place], np.arange(5)[place]
        assert isinstance(some, galop.Solved) and list(some) == [solutions[row] for row in rows]
        assert (some.status == found.status[rows]).all() and (some.count == found.count[rows]).all()
        assert [rows[at] for at, _ in some.malformed] == [row for row in rows if row == 2]
    assert np.shares_memory(found[1:].solutions, found.solutions)
    for wrong in (5, -6, "solutions", (1, 2), None, 1.5):
        with pytest.raises(IndexError):
            found[wrong]  # type: ignore[index]


def test_rows_of_other_results() -> None:
    verified = RESULTS["Verified"]()
    assert list(verified) == [True, False, True] and verified[1] is False
    assert list(verified[1:].reasons) == [0] and verified[::2].right.all()
    rated = RESULTS["Rated"]()
    assert list(rated) == [0, 0, -1] and rated[-1] == -1
    assert rated[1:].mean.shape == (2,) and galop.rate([EASY], by="guesses")[:].mean is None
    canonical = RESULTS["Canonical"]()
    assert list(canonical) == canonical.strings() and canonical[1] is None and canonical[[0]].keys[0] == canonical.keys[0]
    augmented = RESULTS["Augmented"]()
    assert [len(images) for images in augmented] == augmented.count.tolist() == [3, 1]
    assert augmented[0] == augmented.strings()[:3] and augmented[1] == ["." * 16]
    assert augmented[1:].solutions.shape == (1, 3, 16)
    made, changed = RESULTS["Generated"](), RESULTS["Generated, changed"]()
    assert list(made) == made.strings() and galop.solve(made) == galop.solve(made.puzzles)
    assert changed[1:].changes == changed.changes[1:] and changed[:2].solutions is None and made[1:].changes == []


@pytest.mark.parametrize("make", RESULTS.values(), ids=list(RESULTS))
def test_results_have_no_truth_value(make: Callable[[], Any]) -> None:
    """``if galop.leak(...)`` and ``if galop.dedup(...)`` would mean different things."""
    for found in [make(), make()[:0]]:
        with pytest.raises(ValueError, match="the truth value of .* is ambiguous"):
            bool(found)


OF_CORPORA: dict[str, Callable[[], Any]] = {
    "Levels": lambda: galop.rate([EASY, "short"]),
    "Repeats": lambda: galop.dedup([FOUR, FOUR, "short"]),
    "Leaks": lambda: galop.leak([FOUR], [FOUR, "." * 16]),
    "Split": lambda: galop.split([FOUR, "." * 16], seed=1),
}
TYPES = {"uint8": "u1", "uint32": "u4", "int64": "i8", "float64": "f8", "bool": "b1", "bytes": "S", "str": "U"}


@pytest.mark.parametrize("make", [*RESULTS.values(), *OF_CORPORA.values()], ids=[*RESULTS, *OF_CORPORA])
def test_fields_have_the_types_and_shapes_that_their_documents_say(make: Callable[[], Any]) -> None:
    """The fields of a class are the table of its columns: name, type, shape and what they are."""
    result = make()
    (cls,) = ast.parse(inspect.getsource(type(result))).body
    assert isinstance(cls, ast.ClassDef)
    shown = 0
    for field, text in zip(cls.body, cls.body[1:]):
        if not (isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)):
            continue
        assert isinstance(field.target, ast.Name)
        value = getattr(result, field.target.id)
        said = re.match(r"(\w+)(?: of length 32)? ``\[([\w, ]+)\]``", str(text.value.value))
        if said is None or not isinstance(value, np.ndarray):
            assert said is None or value is None or isinstance(value, list)
            continue
        kind = TYPES[said[1]]
        assert value.dtype.kind == kind if len(kind) == 1 else value.dtype == kind.replace("b1", "?"), field.target.id
        assert value.ndim == said[2].count(",") + 1 and len(value) == len(result), field.target.id
        shown += 1
    assert shown > 0


def test_equality() -> None:
    found = galop.solve(MIXED)
    assert found == galop.solve(MIXED) and found != found[:4] and found != MIXED and found[:0] != galop.generate(0, seed=1)
    assert RESULTS["Rated"]() == RESULTS["Rated"]() and galop.rate([EASY]) != galop.rate([PUZZLE])


def test_columns_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    df = pd.DataFrame({"puzzle": [PUZZLE, "short", EASY]}, index=[5, 3, 1])
    solutions = [SOLUTION, None, galop.solve(EASY)]
    found = galop.solve(df.puzzle)
    with_solutions = df.assign(s=found)
    df["s"] = found
    for column in (df.s, with_solutions.s, pd.Series(found), pd.DataFrame({"s": found}).s):
        assert [None if pd.isna(text) else text for text in column] == solutions
        assert all(isinstance(text, str) for text in column.dropna())
    assert galop.verify(df.puzzle, df.s).right.tolist() == [True, False, True]
    df = df.assign(right=galop.verify(df.puzzle, found), form=galop.canonical(df.puzzle), level=galop.rate(df.puzzle))
    assert df.right.dtype == bool and df.level.tolist() == ["medium", "malformed", "easy"]
    assert df.form.iloc[0] == galop.canonical(PUZZLE)
    assert len(df[list(galop.verify(df.puzzle, df.s))]) == 2
    with pytest.raises(ValueError):
        df.assign(s=found[:2])


def test_columns_of_polars() -> None:
    pl = pytest.importorskip("polars")
    df = pl.DataFrame({"puzzle": [PUZZLE, "short", EASY]})
    found = galop.solve(df["puzzle"])
    df = df.with_columns(pl.Series("s", found), pl.Series("right", galop.verify(df["puzzle"], found)))
    assert df.schema["s"] == pl.String and df["s"].to_list() == [SOLUTION, None, galop.solve(EASY)]
    assert df["right"].to_list() == [True, False, True]
    assert pl.DataFrame({"s": found})["s"].to_list() == df["s"].to_list()


def test_arrays_of_numpy_and_pyarrow() -> None:
    found = galop.solve([PUZZLE, EASY])
    assert np.asarray(found).tolist() == found.strings()
    pa = pytest.importorskip("pyarrow")
    assert pa.array(galop.solve(MIXED)).null_count == 2


def test_what_results_say() -> None:
    assert repr(galop.solve([PUZZLE])) == "Solved(1 puzzle: 1 solved)"
    assert repr(galop.verify([PUZZLE], [SOLUTION])) == "Verified(1 solution: 1 right)"
    assert repr(galop.rate([EASY])) == "Levels(1 puzzle: 1 easy)" and repr(galop.rate([])) == "Levels(0 puzzles)"
    assert repr(galop.rate([EASY], by="guesses")) == "Rated(1 puzzle)"
    assert repr(galop.canonical([PUZZLE])) == "Canonical(1 puzzle, 1 different)"
    assert repr(galop.augment([PUZZLE], 1, seed=1)) == "Augmented(1 puzzle, 1 image, seed 1)"
    assert repr(galop.generate(1, seed=1)) == "Generated(1 puzzle, seed 1)"
    assert repr(galop.generate(2_000, seed=1)) == "Generated(2,000 puzzles, seed 1)"
    with pytest.raises(ValueError, match="gave up after 1 guess"):
        galop.count("." * 81, max_guesses=1)


def test_results_of_bool_are_masks() -> None:
    right = galop.verify([PUZZLE, PUZZLE], [SOLUTION, SOLUTION[::-1]])
    kept = galop.dedup([PUZZLE, PUZZLE])
    sides = galop.split([PUZZLE, "short"], 1.0, seed=1)
    leaked = galop.leak([PUZZLE], [PUZZLE, EASY])
    for mask in (right, kept, sides, leaked):
        array = np.asarray(mask)
        assert array.dtype == bool and array.tolist() == [True, False] == list(mask)
        assert np.array([7, 8])[mask].tolist() == [7]
    both = (~right, right & ~kept, right | ~kept, right ^ kept, np.array([True, True]) & right, [True, True] & right)
    assert [one.tolist() for one in both] == [
        [False, True],
        [False, False],
        [True, True],
        [False, False],
        [True, False],
        [True, False],
    ]


def test_a_mask_selects_rows_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    df = pandas.DataFrame({"puzzle": [PUZZLE, PUZZLE, EASY], "solution": [SOLUTION, SOLUTION[::-1], SOLUTION]})
    right, kept = galop.verify(df.puzzle, df.solution), galop.dedup(df.puzzle)
    assert df[right].index.tolist() == [0] and df[~right].index.tolist() == [1, 2]
    assert df[kept].index.tolist() == [0, 2] and df.loc[right & kept].index.tolist() == [0]
    assert df.assign(kept=kept).kept.tolist() == [True, False, True] == pandas.Series(kept).tolist()


def test_images_are_puzzles() -> None:
    more = galop.augment([PUZZLE, EASY], times=3, seed=1, solutions=galop.solve([PUZZLE, EASY]).solutions)
    assert galop.verify(more.puzzles, more.solutions).right.tolist() == [True] * 6
    assert galop.solve(more.puzzles).ok.tolist() == [True] * 6 == galop.solve(more).ok.tolist()
    assert galop.dedup(more).keep.tolist() == [True, False, False] * 2
    assert galop.solve(galop.augment([FOUR], times=5, seed=1).puzzles).solutions.shape == (5, 16)


def test_puzzles_are_made_of_a_level() -> None:
    assert galop.rate(galop.generate(3, seed=1, level="hard")).counts == {"hard": 3}
    assert galop.generate(1, seed=1, level="very-hard") == galop.generate(1, seed=1, level="very hard")
    with pytest.raises(ValueError, match="easy"):
        galop.generate(1, level="harder")  # type: ignore[call-overload]


def test_the_names_of_the_package_are_its_own() -> None:
    names = {name for name in dir(galop) if not name.startswith("__")}
    assert names == {*galop.__all__, "cover", "pandas", "polars", "spark"} - {"__version__"}


def test_a_problem_is_read_from_a_file(tmp_path: Any) -> None:
    path = tmp_path / "small.dlx"
    path.write_text("a b\na\nb\na b\n")
    assert Problem.from_file(path).count() == 2 == Problem.from_file(str(path)).count()
    for text in (str(path), "missing.dlx"):
        with pytest.raises(ValueError, match="is the name of a file"):
            Problem.from_text(text)
    with pytest.raises(ValueError, match="expected a list of names"):
        Problem("a b c")

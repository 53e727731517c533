"""Records of an exact-cover problem."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import galop
from galop.cover import Problem

TEXT = "a b c d\na b\nc d\na c\nb d\na\n"
RECORDS = ["a b", ":- a b", "| a", "a b | a c", "e", "|", None]


def test_records_are_completed() -> None:
    problem = Problem.from_text(TEXT)
    solved = galop.solve(RECORDS, problem=problem, unique=True)
    assert list(solved) == ["a b | c d", "a c | b d", None, None, None, None, None]
    words = [galop.Status(status).word for status in solved.status]
    assert words == ["solved", "solved", "none", "malformed", "malformed", "multiple", "malformed"]
    assert solved.solutions.shape == (7, 5) and solved.solutions[0].tolist() == [1, 1, 0, 0, 0]
    reasons = dict(solved.malformed)
    assert reasons[3] == "column 7: options 1 and 3 exclude each other, because of item `a`"
    assert reasons[4].startswith("column 1: unknown item `e`") and set(reasons) == {3, 4, 6}
    assert galop.count(RECORDS, problem=problem).tolist() == [1, 1, 0, -1, -1, 2, -1]
    assert problem.solve_many(RECORDS, unique=True, threads=1) == solved
    assert galop.solve("a b", problem=problem) == "a b | c d"
    with pytest.raises(ValueError, match="no solution"):
        galop.solve("| a", problem=problem)
    with pytest.raises(ValueError, match="column 1: unknown item `x`"):
        galop.solve("x y", problem=problem)


def test_rows_and_lines_are_records_as_well() -> None:
    problem = Problem.from_text(TEXT)
    rows = np.array([[1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [3, 0, 0, 0, 0]], np.uint8)
    solved = problem.solve_many(rows)
    assert list(solved)[:2] == ["a b | c d", "a c | b d"]
    assert [galop.Status(status).word for status in solved.status] == ["solved", "solved", "malformed"]
    lines = galop.solve(b"# comment\na b\n:- :1\tnone\n", problem=problem)
    assert list(lines) == ["a b | c d", "a c | b d"]


def test_wrong_rows_are_named() -> None:
    problem = Problem.from_text(TEXT)
    clash = "options 1 and 3 exclude each other, because of item `a`"
    mark = "that is no mark (1 chooses an option, 2 forbids it, 0 or NaN does neither)"
    for rows in (
        np.array([[1, 0, 1, 0, 0], [0, 3, 0, 0, 0], [0, 0, -1, 0, 0]]),
        np.array([[1.0, np.nan, 1, 0, 0], [0, 3, 0, 0, 0], [0, 0, 0.5, 0, 0]]),
    ):
        solved = galop.solve(rows, problem=problem)
        assert solved.malformed == [(0, clash), (1, f"the number 3 {mark}"), (2, f"a number {mark}")]
        assert galop.count(rows, problem=problem).tolist() == [-1, -1, -1]
    board = Problem(8)
    for item in range(64):
        board.option([item % 8])
    for shape in ((2, 64, 8), (2, 8, 8), (8, 8), (2, 9), (2, 64, 9)):
        with pytest.raises(ValueError, match=r"an array of shape .* \(records of this problem are \[N, 64\], one number for each"):
            galop.solve(np.zeros(shape, np.uint8), problem=board)
    assert galop.count(np.zeros((2, 64), np.uint8), 5, problem=board).tolist() == [5, 5]
    assert galop.count(np.zeros(64, np.uint8), 5, problem=board).tolist() == [5]


def test_a_solution_of_no_option_is_a_text() -> None:
    problem = Problem([("a", 0, 1)])
    problem.option(["a"])
    assert galop.solve(":- :1", problem=problem) == "|"
    assert list(galop.solve([":- :1", ":1", "x"], problem=problem)) == ["|", "| a", None]


@pytest.mark.parametrize(("module", "column"), [("pandas", "Series"), ("polars", "Series"), ("pyarrow", "array")])
def test_a_column_is_solved(module: str, column: str) -> None:
    library = pytest.importorskip(module)
    problem = Problem.from_text(TEXT)
    for threads in (1, 3):
        solved = galop.solve(getattr(library, column)(RECORDS), problem=problem, unique=True, threads=threads)
        assert list(solved) == ["a b | c d", "a c | b d", None, None, None, None, None], threads


def test_a_batch_of_a_wide_problem_is_worked_on_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    arrow = pytest.importorskip("pyarrow")
    from galop import _columns

    problem = Problem.from_text(TEXT)
    monkeypatch.setattr(_columns, "_CELLS", 10)
    rules = _columns.RulesOf("sudoku", None, None, problem._problem)
    work = _columns.Solve(rules, (0,), 2, None, "lanes", names=("puzzle", "solution", "status", "count", "guesses", "reason"))
    batch = arrow.RecordBatch.from_arrays([arrow.array(RECORDS)], names=["puzzle"])
    parts = list(work(iter([batch])))
    assert [part.num_rows for part in parts] == [2, 2, 2, 1]
    assert [text for part in parts for text in part.column(1).to_pylist()] == list(problem.solve_many(RECORDS, unique=True))


def test_solutions_are_verified() -> None:
    problem = Problem.from_text(TEXT)
    solutions = ["a b | c d", "a c | b d", "a b | c d", "a b", "a c | b d", "a b | a c", "a b | c d", "x"]
    records = ["a b", ":- a b", ":- a b", "a b", "a b", "a b", "|", "|"]
    verified = galop.verify(records, solutions, problem=problem)
    assert verified.right.tolist() == [True, True, False, False, False, False, True, False]
    assert verified.reasons[3] == "wrong solution: item `c` is covered fewer than 1 times"
    assert verified.reasons[5].startswith("in the solution: column 7: options 1 and 3 exclude each other")
    unique = galop.verify(records, solutions, problem=problem, unique=True)
    assert not unique[6] and unique.reasons[6] == "several solutions" and unique[0]
    assert galop.verify("a b", "a b | c d", problem=problem) is True
    solved = problem.solve_many(records[:2])
    assert galop.verify(records[:2], solved.solutions, problem=problem, threads=1).right.all()


def test_every_name_is_kept() -> None:
    problem = Problem(["room of maths", "x:y", "#|"])
    problem.option(["room of maths", "x:y"])
    problem.option(["#|"])
    problem.option(["room of maths", "#|"])
    solved = problem.solve_many([":1", ":3"])
    again = pickle.loads(pickle.dumps(solved))
    assert again == solved and list(again) == list(solved) and solved[0] is not None and again[1] is None
    assert galop.verify([":1"], [solved[0]], problem=problem).right.all()


def test_results_and_problems_are_pickled() -> None:
    problem = Problem.from_text(TEXT)
    solved = problem.solve_many(["a b"])
    again = pickle.loads(pickle.dumps(solved))
    assert again == solved and list(again) == ["a b | c d"]
    assert list(pickle.loads(pickle.dumps(problem)).solve_many(["a b"])) == ["a b | c d"]


def test_an_option_that_is_added_counts() -> None:
    problem, other = Problem.from_text(TEXT), Problem.from_text("a b\na\nb\na b\n")
    assert galop.count("|", problem=problem) == 2
    assert galop.count("|", problem=other) == 2
    problem.option(["b", "c", "d"])
    assert galop.count("|", problem=problem) == 3
    assert galop.count("|", problem=other) == 2
    assert list(problem.solve_many(["b c d"])) == ["a | b c"]


def test_other_calls_take_grids_only() -> None:
    solved = Problem.from_text(TEXT).solve_many(["a b"])
    calls: list[Callable[[Any], Any]] = [galop.explain, galop.rate, galop.canonical, galop.dedup]
    calls += [lambda records: galop.sample(records, 1), lambda records: galop.convert(records, "csv")]
    for call in calls:
        with pytest.raises(ValueError, match=r"records of a problem \(expected puzzles that are grids\)"):
            call(solved)


def test_files_and_arguments(tmp_path: Path) -> None:
    problem = Problem.from_text(TEXT)
    (tmp_path / "in.txt").write_text("a b\n|\nx\n")
    figures = galop.solve_file(tmp_path / "in.txt", tmp_path / "out.txt", problem=problem, unique=True)
    assert (tmp_path / "out.txt").read_text() == "a b\ta b | c d\n|\tmultiple\nx\tmalformed\n"
    assert figures.counts == {"solved": 1, "multiple": 1, "malformed": 1}
    for arguments in ({"kind": "latin"}, {"alphabet": "1-9"}):
        with pytest.raises(ValueError, match="rules of its own"):
            galop.solve(["|"], problem=problem, **arguments)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="problem='a b' is no galop.cover.Problem"):
        galop.solve(["|"], problem="a b")  # type: ignore[call-overload]

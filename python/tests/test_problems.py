"""Records of an exact-cover problem."""

from __future__ import annotations

import pickle
from pathlib import Path

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
    assert list(problem.solve_many(["b c d"])) == ["| a | b c d"] or len(problem.solve_many(["b c d"])) == 1


def test_files_and_arguments(tmp_path: Path) -> None:
    problem = Problem.from_text(TEXT)
    (tmp_path / "in.txt").write_text("a b\n|\nx\n")
    figures = galop.solve_file(tmp_path / "in.txt", tmp_path / "out.txt", problem=problem, unique=True)
    assert (tmp_path / "out.txt").read_text() == "a b\ta b | c d\n|\tmultiple\nx\tmalformed\n"
    assert figures.counts == {"solved": 1, "multiple": 1, "malformed": 1}
    for arguments in ({"kind": "latin"}, {"alphabet": "1-9"}):
        with pytest.raises(ValueError, match="rules of its own"):
            galop.solve(["|"], problem=problem, **arguments)  # type: ignore[call-overload]

"""Exact cover."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import numpy as np
import pytest

from galop.cover import LimitReached, Problem

KNUTH = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"


def queens(n: int) -> Problem:
    lines = [f"{kind}{at}" for kind in "rc" for at in range(n)]
    diagonals = [f"{kind}{at}" for kind in "ab" for at in range(2 * n - 1)]
    problem = Problem(lines, diagonals)
    for row, column in itertools.product(range(n), range(n)):
        problem.option([f"r{row}", f"c{column}", f"a{row + column}", f"b{row - column + n - 1}"])
    return problem


def huge() -> Problem:
    """A problem whose search takes longer than anybody waits."""
    return queens(30)


def test_knuths_example() -> None:
    problem = Problem.from_text(KNUTH)
    assert problem.count() == 1 and problem.first() == [0, 3, 4] and list(problem.solutions()) == [[0, 3, 4]]
    assert len(problem) == 6 and problem.option_text(3) == "a d f"
    assert Problem.from_text(problem.to_text().encode()).first() == [0, 3, 4]
    assert repr(problem) == "Problem(6 options, 7 primary and 0 secondary items)"


def test_options_can_be_added_at_any_time() -> None:
    problem = Problem(["a", "b"], ["x"])
    assert problem.count() == 0 and problem.first() is None and list(problem.solutions()) == []
    assert [problem.option(["a", "x"]), problem.option(["b"])] == [0, 1]
    assert problem.count() == 1
    assert problem.option(["a", "b"]) == 2
    assert problem.count() == 2
    read = Problem.from_text(KNUTH)
    assert read.option(list("abcdefg")) == 6 and read.count() == 2


def test_colours_bounds_and_costs() -> None:
    problem = Problem(["a", "b"], ["x"])
    for colour in ("red", "blue"):
        problem.option(["a", ("x", colour)])
        problem.option(["b", f"x:{colour}"], cost=2)
    assert problem.count() == 2
    assert "|2" in problem.to_text()
    twice = Problem([("room", 2, 2), "p", "q", "s"])
    for person in "pqs":
        twice.option([person])
        twice.option([person, "room"])
    assert twice.count() == 3


def test_numbers_name_items() -> None:
    problem = Problem(3, 1)
    assert [problem.option([0, 1, 3]), problem.option([2]), problem.option([2, 3])] == [0, 1, 2]
    assert list(problem.solutions()) == [[0, 1]]


def test_a_matrix() -> None:
    text = [line.split() for line in KNUTH.splitlines()]
    matrix = np.array([[int(item in option) for item in text[0]] for option in text[1:]])
    assert Problem.from_exact_cover(matrix).first() == [0, 3, 4]
    assert Problem.from_exact_cover(matrix.astype(bool)).first() == [0, 3, 4]
    sparse = pytest.importorskip("scipy.sparse")
    for form in (sparse.csr_matrix, sparse.coo_array, sparse.csc_matrix):
        assert Problem.from_exact_cover(form(matrix)).first() == [0, 3, 4]
    # Column 0 may be left out.
    optional = Problem.from_exact_cover(np.array([[1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 1]]), secondary=[0])
    assert sorted(optional.solutions()) == [[0, 1], [1, 2], [2, 3]]
    for wrong in (np.array([[1, 2]]), np.array([1, 1]), np.array([[0, 0]])):
        with pytest.raises(ValueError):
            Problem.from_exact_cover(wrong)
    with pytest.raises(ValueError, match="a column that the matrix lacks"):
        Problem.from_exact_cover(matrix, secondary=[7])


def test_queens() -> None:
    assert queens(8).count() == 92
    assert queens(8).count(threads=2) == queens(8).count(engine="links") == 92
    assert queens(8).count(limit=10) == 10
    assert len(list(queens(8).solutions(limit=5))) == 5
    assert len({tuple(solution) for solution in queens(8).solutions()}) == 92


def test_iterators_may_be_left() -> None:
    iterator = iter(huge().solutions())
    assert len(next(iterator)) == 30 and len(next(iterator)) == 30
    del iterator


def test_a_large_count_is_exact() -> None:
    pairs = Problem(range(200))
    for item in range(200):
        pairs.option([item])
        pairs.option([item])
    assert pairs.count() == 2**200


def test_limits() -> None:
    with pytest.raises(LimitReached) as stopped:
        huge().count(max_nodes=10_000)
    assert stopped.value.count >= 0 and "stopped by max_nodes: at least" in str(stopped.value)
    with pytest.raises(LimitReached):
        huge().count(max_seconds=0.01)
    with pytest.raises(LimitReached):
        Problem.from_text(huge().to_text()).first(max_nodes=1)


def test_what_is_wrong_is_a_value_error_and_changes_nothing() -> None:
    items: list[Any] = [(["a", "a"],), ([],), ([""],), (["a"], ["a"]), ([("a", 2, 1)],)]
    for arguments in items:
        with pytest.raises(ValueError):
            Problem(*arguments)
    problem = Problem(["a", "b"], ["x"])
    options: list[tuple[list[Any], str]] = [
        (["c"], "unknown item `c`"),
        (["x"], "primary"),
        (["a", "x", "a"], "a"),
        (["a", ("b", "red")], "b"),
        ([], "primary"),
    ]
    for option, words in options:
        with pytest.raises(ValueError) as raised:
            problem.option(option)
        assert words in str(raised.value)
    assert problem.option(["a", "x"]) == 0 and problem.option(["b"]) == 1 and problem.count() == 1
    for call in (
        lambda: problem.count(engine="x"),  # type: ignore[arg-type]
        lambda: problem.solutions(engine="x"),  # type: ignore[arg-type]
        lambda: problem.count(limit=-1),
        lambda: problem.option_text(2),
        lambda: Problem.from_text("a b\nc\n"),
    ):
        with pytest.raises(ValueError):
            call()


def test_progress() -> None:
    seen: list[tuple[int, int | None]] = []
    queens(8).count(progress=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][1] == 10**6


def test_options_are_items() -> None:
    problem = Problem.from_text("a b | x\na x:red |3\nb\n")
    assert problem[0] == ["a", ("x", "red")] and problem[-1] == ["b"] and list(problem) == [problem[0], problem[1]]
    assert (problem.cost(0), problem.cost(1)) == (3, 0)
    assert problem.option(problem[0]) == 2 and problem[2] == problem[0]
    with pytest.raises(IndexError, match="unknown option 3 .*there are 3"):
        problem[3]
    with pytest.raises(ValueError, match="unknown option 3 .*there are 3"):
        problem.cost(3)


def test_lists_of_items() -> None:
    options: list[list[Any]] = [[1, 4, 7], [1, 4], [4, 5, 7], [3, 5, 6], [2, 3, 6, 7], [2, 7]]
    problem = Problem.from_exact_cover(options)
    assert problem.first() == [1, 3, 5] and problem.names == ()
    assert problem[0] == ["1", "4", "7"] and problem.to_text().startswith("1 4 7 5 3 6 2\n")
    named = Problem.from_exact_cover(dict(zip("ABCDEF", options)))
    for one in (named, pickle.loads(pickle.dumps(named)), copy.deepcopy(named)):
        assert [one.names[option] for option in one.first() or []] == ["B", "D", "F"]
    texts = Problem.from_exact_cover(["b a", "b", "a x", "x"][:3], secondary="x")
    assert sorted(texts.solutions()) == [[0], [1, 2]] and texts.to_text().startswith("b a | x\n")
    # A set has the order of its names, which no hash changes.
    assert Problem.from_exact_cover([{"c", "b", "a"}, frozenset("bd")]).to_text().startswith("a b c d\n")
    tuples = Problem.from_exact_cover(([("row", row), ("column", column)] for row in range(3) for column in range(3)))
    assert tuples.count() == 6
    wrong: list[tuple[Any, Any, str]] = [
        ([["a", "a"]], (), "twice|a"),
        ([["a"], []], (), "primary"),
        ([["a"], ["x"]], ["x"], "primary"),
        ([["a"]], ["x"], "secondary has the item 'x', which no option has"),
        ([[1, "1"]], (), "1"),
    ]
    for rows, secondary, words in wrong:
        with pytest.raises(ValueError, match=words):
            Problem.from_exact_cover(rows, secondary)

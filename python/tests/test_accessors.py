"""The calls as methods of tables of pandas and polars."""

from __future__ import annotations

from typing import Any

import pytest

import galop

PUZZLES = ["12..34....1....2", "rubbish", "." * 16, ".12.34....1....2"]
SOLUTION = "1243342123144132"


@pytest.fixture(params=["pandas", "polars"])
def table(request: pytest.FixtureRequest) -> Any:
    """A table with puzzles, one after the other."""
    library = pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    getattr(galop, request.param)
    return library.DataFrame({"id": [5, 6, 7, 8], "puzzle": PUZZLES})


def values(table: Any, column: str) -> list[Any]:
    found = table[column].to_list()
    return [None if value != value else value for value in found]


def test_solve(table: Any) -> None:
    found = table.galop.solve(unique=True)
    assert list(found.columns) == ["id", "puzzle", "solution", "status", "count", "guesses"]
    assert values(found, "solution") == [SOLUTION, None, None, None]
    assert values(found, "status") == ["solved", "malformed", "multiple", "none"]
    assert values(found, "id") == [5, 6, 7, 8] and list(table.columns) == ["id", "puzzle"]


def test_steps_follow_each_other(table: Any) -> None:
    found = table.galop.solve().galop.verify().galop.rate().galop.canonical(prefix="form_")
    assert values(found, "right") == [True, False, True, False]
    assert list(found.columns[6:8]) == ["right", "reason"]
    assert values(found, "level")[0] == "easy" and values(found, "form_canonical")[1] is None
    again = table.galop.solve().galop.solve()
    assert values(again, "solve_solution") == values(again, "solution")
    with pytest.raises(ValueError, match="a column is called 'solve_solution' already"):
        again.galop.solve()
    with pytest.raises(ValueError, match="no column 'quiz' .the columns are id, puzzle"):
        table.galop.solve("quiz")


def test_rows_are_kept(table: Any) -> None:
    image = galop.augment(PUZZLES[0], seed=1).strings()[0] or ""
    table = type(table)({"id": [1, 2, 3], "puzzle": [PUZZLES[0], image, "1" + "." * 15]})
    assert values(table.galop.dedup(), "id") == [1, 3]
    assert values(table.galop.without_leaks([image]), "id") == [3]


def test_an_index_stays() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    table = pandas.DataFrame({"puzzle": PUZZLES}, index=list("dcba"))
    getattr(galop, "pandas")
    assert list(table.galop.solve().index) == list("dcba")
    assert table.galop.solve().loc["d", "solution"] == SOLUTION


def test_expressions() -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    getattr(galop, "polars")
    puzzle = polars.col("puzzle")
    lazy = polars.LazyFrame({"puzzle": PUZZLES}).select(
        puzzle.galop.solve().alias("solution"),
        puzzle.galop.count(100).alias("count"),
        puzzle.galop.rate().alias("level"),
        puzzle.galop.rate(by="guesses").alias("guesses"),
        puzzle.galop.canonical().alias("form"),
    )
    found = lazy.collect()
    assert found["solution"].to_list()[:2] == [SOLUTION, None] and found["count"].to_list() == [1, -1, 100, 0]
    assert found["level"].to_list() == list(galop.rate(PUZZLES)) and found["form"].to_list() == list(galop.canonical(PUZZLES))
    assert lazy.collect_schema().dtypes() == [polars.String, polars.Int64, polars.String, polars.Int64, polars.String]

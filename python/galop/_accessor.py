"""What a table of pandas or polars can do with a column of puzzles: the calls of the package, which add columns to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import galop
from galop._names import new_names

Table = TypeVar("Table")


class Accessor(Generic[Table]):
    """The calls on the columns of a table.

    Each call returns the table with columns added; the names are those of ``columns()`` of its result. A name that is there
    already gets the name of the call before it (``solve_solution``), or the names have ``prefix``. The other arguments are
    those of the call.
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    def solve(self, column: str = "puzzle", *, prefix: str = "", **options: Any) -> Table:
        """Adds ``solution``, ``status``, ``count`` and ``guesses``: see :func:`galop.solve`."""
        return self._with("solve", galop.solve(self._column(column), **options).columns(), prefix)

    def verify(
        self, puzzle: str = "puzzle", solution: str = "solution", *, prefix: str = "", **options: Any
    ) -> Table:
        """Adds ``right`` and ``reason``: see :func:`galop.verify`."""
        found = galop.verify(self._column(puzzle), self._column(solution), **options)
        return self._with("verify", found.columns(), prefix)

    def rate(self, column: str = "puzzle", *, prefix: str = "", **options: Any) -> Table:
        """Adds ``level``, ``score`` and ``hardest``, or with ``by="guesses"`` ``guesses``: see :func:`galop.rate`."""
        return self._with("rate", galop.rate(self._column(column), **options).columns(), prefix)

    def canonical(self, column: str = "puzzle", *, prefix: str = "", **options: Any) -> Table:
        """Adds ``canonical``, ``form``, ``key`` and ``automorphisms``: see :func:`galop.canonical`."""
        return self._with("canonical", galop.canonical(self._column(column), **options).columns(), prefix)

    def dedup(self, column: str = "puzzle", **options: Any) -> Table:
        """Keeps the first row of each class of equivalent puzzles: see :func:`galop.dedup`."""
        return self._only(galop.dedup(self._column(column), **options).keep)

    def without_leaks(self, train: Any, column: str = "puzzle", **options: Any) -> Table:
        """Keeps the rows that are not in the training data, up to symmetry: see :func:`galop.leak`.

        :param train: the puzzles of the training data, a column of another table.
        """
        return self._only(~galop.leak(train, self._column(column), **options).leaked)

    def _with(self, step: str, columns: Mapping[str, Any], prefix: str) -> Table:
        names = new_names(self._names(), step, list(columns), prefix)
        return self._added(dict(zip(names, columns.values())))

    def _column(self, name: str) -> Any:
        if name not in self._names():
            raise ValueError(f"no column {name!r} (the columns are {', '.join(self._names())})")
        return self._table[name]  # type: ignore[index]

    def _names(self) -> list[str]:
        return [str(name) for name in self._table.columns]  # type: ignore[attr-defined]

    def _added(self, columns: Mapping[str, Any]) -> Table:
        """The table with columns behind its own."""
        raise NotImplementedError

    def _only(self, mask: Any) -> Table:
        """The rows of the table where a bool ``[N]`` is true."""
        raise NotImplementedError

"""The namespace ``galop`` of tables and expressions of polars. ``import galop.polars`` registers it.

>>> import polars
>>> import galop.polars
>>> df = polars.DataFrame({"puzzle": ["12..34....1....2", "rubbish"]})
>>> df.galop.solve("puzzle").columns  # type: ignore[attr-defined]
['puzzle', 'solution', 'status', 'count', 'guesses']
>>> solution = polars.col("puzzle").galop.solve()  # type: ignore[attr-defined]
>>> df.lazy().select(solution).collect()["puzzle"].to_list()
['1243342123144132', None]

The methods are those of :class:`Galop` and :class:`GalopExpression`. Type checkers do not know namespaces that are registered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

try:
    import polars
except ImportError as error:
    raise ImportError(f"galop.polars needs polars: pip install polars ({error})") from error

import galop
from galop._accessor import Accessor

__all__ = ["Galop", "GalopExpression"]


@polars.api.register_dataframe_namespace("galop")
class Galop(Accessor[polars.DataFrame]):
    """``df.galop``: the calls of this package on the columns of a table."""

    def _added(self, columns: Mapping[str, Any]) -> polars.DataFrame:
        return self._table.with_columns([polars.Series(name, values) for name, values in columns.items()])

    def _only(self, mask: Any) -> polars.DataFrame:
        return self._table.filter(polars.Series(mask))


@polars.api.register_expr_namespace("galop")
class GalopExpression:
    """``polars.col("puzzle").galop``: calls that give a value for each puzzle, also in lazy tables. The options are those of the
    calls."""

    def __init__(self, column: polars.Expr) -> None:
        self._expression = column

    def solve(self, **options: Any) -> polars.Expr:
        """The solution as text; null without one: :func:`galop.solve`."""
        return self._map(lambda puzzles: list(galop.solve(puzzles, **options)), polars.String())

    def count(self, limit: int = 0, **options: Any) -> polars.Expr:
        """The number of solutions; -1 of a row that is not a puzzle: :func:`galop.count`."""
        return self._map(lambda puzzles: galop.count(puzzles, limit, **options), polars.Int64())

    def rate(self, **options: Any) -> polars.Expr:
        """The level, or with ``by="guesses"`` the guesses: :func:`galop.rate`."""
        kind = polars.Int64() if options.get("by") == "guesses" else polars.String()
        return self._map(lambda puzzles: list(galop.rate(puzzles, **options)), kind)

    def canonical(self, **options: Any) -> polars.Expr:
        """The canonical form as text; null without one: :func:`galop.canonical`."""
        return self._map(lambda puzzles: list(galop.canonical(puzzles, **options)), polars.String())

    def _map(self, call: Callable[[polars.Series], Any], kind: polars.DataType) -> polars.Expr:
        def values(puzzles: polars.Series) -> polars.Series:
            return polars.Series(puzzles.name, call(puzzles), kind)

        return self._expression.map_batches(values, return_dtype=kind)

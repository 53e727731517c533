"""Problems from lists of items, arrays and sparse matrices: the items, and the rows of their numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Rows(NamedTuple):
    """Options that are lists of items: option ``row`` has ``items[starts[row]:starts[row + 1]]``."""

    primary: list[str]
    secondary: list[str]
    starts: npt.NDArray[np.int64]
    items: npt.NDArray[np.int64]
    names: tuple[Hashable, ...]


def read(rows: Any, secondary: Iterable[Hashable]) -> Rows:
    """Reads the argument of :meth:`galop.cover.Problem.from_exact_cover`."""
    optional = set([secondary] if isinstance(secondary, str) else secondary)
    if isinstance(rows, Mapping):
        return _of_lists(rows.values(), optional, tuple(rows))
    if hasattr(rows, "tocsr") or hasattr(rows, "__array__"):
        return _of_matrix(rows, optional)
    return _of_lists(rows, optional, ())


def _of_lists(rows: Iterable[Any], optional: set[Hashable], names: tuple[Hashable, ...]) -> Rows:
    numbers: dict[Hashable, int] = {}
    starts, items = [0], []
    for row in rows:
        # The order of a set differs from run to run.
        ordered = row.split() if isinstance(row, str) else sorted(row, key=str) if isinstance(row, (set, frozenset)) else row
        for item in ordered:
            items.append(numbers.setdefault(item, len(numbers)))
        starts.append(len(items))
    lacking = next((item for item in optional if item not in numbers), None)
    if lacking is not None:
        raise ValueError(f"secondary has the item {lacking!r}, which no option has")
    is_optional = [item in optional for item in numbers]
    return _ordered([str(item) for item in numbers], is_optional, np.array(starts), np.array(items, np.int64), names)


def _of_matrix(rows: Any, optional: set[Hashable]) -> Rows:
    if hasattr(rows, "tocsr"):
        matrix = rows.tocsr(copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        if (matrix.data != 1).any():
            raise ValueError("a matrix of other numbers than 0 and 1")
        starts, items, columns = matrix.indptr, matrix.indices, matrix.shape[1]
    else:
        array = np.asarray(rows)
        if array.ndim != 2:
            raise ValueError(f"an array of shape {array.shape} (expected [options, items])")
        is_one = array == 1
        if (~is_one & (array != 0)).any():
            raise ValueError("a matrix of other numbers than 0 and 1")
        starts = np.concatenate([[0], np.cumsum(is_one.sum(axis=1))])
        items, columns = np.nonzero(is_one)[1], array.shape[1]
    if not optional <= set(range(columns)):
        raise ValueError(f"secondary has a column that the matrix lacks (columns are 0 to {columns - 1})")
    names = [str(column) for column in range(columns)]
    return _ordered(names, [column in optional for column in range(columns)], starts, items, ())


def _ordered(items: list[str], is_optional: list[bool], starts: Any, numbers: Any, names: tuple[Hashable, ...]) -> Rows:
    """The rows with the numbers that the items get in a problem: primary items come first."""
    order = [item for item, optional in enumerate(is_optional) if not optional]
    count = len(order)
    order += [item for item, optional in enumerate(is_optional) if optional]
    renumbered = np.empty(len(order), np.int64)
    renumbered[order] = np.arange(len(order))
    named = [items[item] for item in order]
    starts, numbers = np.ascontiguousarray(starts, np.int64), np.ascontiguousarray(renumbered[numbers])
    return Rows(named[:count], named[count:], starts, numbers, names)

"""Columns of results, lent to other libraries through the Arrow C data interface.

| column | lent as |
|---|---|
| an array of numbers | the memory of the array, without a copy |
| an array of bool | bits |
| an array of ``str`` or ``bytes``, a list of ``str`` | large utf8 |
| cells of grids | large utf8, without a Python string for each row |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from galop import _galop

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Column = Union["npt.NDArray[Any]", "list[str | None]"]
"""A column of a table: an array of one dimension, or a list of ``str``, or ``None`` for a missing one."""


@dataclass(frozen=True)
class Texts:
    """A column of texts. They become Python strings only where Python needs them."""

    values: npt.NDArray[Any]
    """uint8 ``[N, C]``, cells of the rules; or ``str`` or ``bytes`` ``[N]``."""
    is_there: npt.NDArray[np.bool_] | None = None
    """bool ``[N]``: the rows that have a text."""
    rules: _galop.Rules | None = None
    """The rules of cells."""

    def strings(self) -> list[str | None]:
        texts: list[str] = self.values.astype(str).tolist() if self.rules is None else self.rules.write(self._cells())
        if self.is_there is None:
            return list(texts)
        return [text if there else None for text, there in zip(texts, self.is_there.tolist())]

    def arrow(self) -> _galop.ArrowColumn:
        flags = None if self.is_there is None else _bytes(self.is_there)
        if self.rules is not None:
            return _galop.ArrowColumn.cells(self.rules, _bytes(self._cells().reshape(-1)), flags)
        values = self.values.astype(self.values.dtype.newbyteorder("="), copy=False)
        size = values.dtype.itemsize
        if size == 0:
            return _galop.ArrowColumn.texts(self.strings())
        if values.dtype.kind == "S":
            return _galop.ArrowColumn.narrow(size, _bytes(values), flags)
        return _galop.ArrowColumn.wide(size // 4, _bytes(values), flags)

    def _cells(self) -> npt.NDArray[np.uint8]:
        assert self.rules is not None
        return np.ascontiguousarray(self.values.reshape(-1, self.rules.cells))


Columns = Mapping[str, Union[Column, Texts]]


def lend(columns: Columns) -> object:
    """A capsule with a stream of a table of these columns. The stream keeps the arrays alive."""
    return _galop.lend_table([(name, _arrow(name, column)) for name, column in columns.items()])


def _arrow(name: str, column: Column | Texts) -> _galop.ArrowColumn:
    if isinstance(column, Texts):
        return column.arrow()
    if isinstance(column, list):
        return _galop.ArrowColumn.texts(column)
    kind = column.dtype.kind
    if column.ndim == 1 and kind in "US":
        return Texts(column).arrow()
    if column.ndim == 1 and kind == "b":
        return _galop.ArrowColumn.flags(_bytes(column))
    if column.ndim == 1 and kind in "iuf" and column.dtype.itemsize <= 8:
        native = column.dtype.newbyteorder("=")
        return _galop.ArrowColumn.numbers(native.name, _bytes(column.astype(native, copy=False)))
    raise ValueError(
        f"the column {name} is an array of {column.dtype} of shape {column.shape} (expected one dimension, of numbers of at most"
        " 8 bytes, bool or text)"
    )


def _bytes(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The memory of an array. An array whose elements are not one after the other is copied."""
    return np.ascontiguousarray(array).view(np.uint8)


class Lender:
    """A table that can be read as a stream of Arrow, and as nothing else: polars prefers the sequence that a result is."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return lend(self._columns)


def as_pandas(columns: Mapping[str, Column]) -> pandas.DataFrame:
    import pandas

    # Lists that are empty or have only None do not show that they are of texts.
    texts = "str" if int(pandas.__version__.split(".")[0]) >= 3 else object
    return pandas.DataFrame(
        {name: pandas.Series(column, dtype=texts) if isinstance(column, list) else column for name, column in columns.items()}
    )


def as_polars(columns: Columns) -> polars.DataFrame:
    import polars

    return polars.DataFrame(Lender(columns))


def as_arrow(columns: Columns) -> pyarrow.Table:
    import pyarrow

    return pyarrow.table(Lender(columns))

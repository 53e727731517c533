"""What puzzles may be, and how they become rows of cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from galop import _galop
from galop._natural import natural
from galop._results import Bytes

Puzzles = Union[str, bytes, Iterable[Any], Any]
"""A ``str``; ``bytes`` of lines; a list of ``str``; integers of shape ``[N, C]`` or ``[N, side, side]``; a column of strings of
pandas, polars or pyarrow; an array of ``str`` or ``bytes``; or anything with ``__array__`` or ``__arrow_c_stream__``."""

MALFORMED = 255
"""The cells of a row that is not a puzzle."""

_SAMPLE = 50
"""Texts at which the size and the alphabet are looked for."""

_ROWS = 65_536
"""Rows of wide integers that are converted at a time."""


@dataclass
class Batch:
    """Puzzles as rows of cells."""

    rules: _galop.Rules
    cells: Bytes
    malformed: list[tuple[int, str]]

    def numbers(self, rows: Iterable[int]) -> list[tuple[int, str]]:
        """What is wrong with these rows of numbers."""
        known = dict(self.malformed)
        symbols = self.rules.symbols
        found = []
        for row in rows:
            wrong = self.cells[row][self.cells[row] > symbols]
            why = known.get(row)
            if why is None:
                found_number = "a number" if wrong[0] == MALFORMED else f"the number {wrong[0]}"
                why = f"{found_number} that is no cell (cells are numbers from 1 to {symbols}, a blank is 0)"
            found.append((int(row), why))
        return found


def read(
    puzzles: Puzzles,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    rules: _galop.Rules | None = None,
) -> Batch:
    """Reads puzzles. With ``rules``, they are what the puzzles must be."""
    natural(threads=threads)

    def rules_of(side: int) -> _galop.Rules:
        return rules or _galop.Rules(kind, side, regions, alphabet)

    def detected(texts: Iterable[Any]) -> _galop.Rules:
        if rules:
            return rules
        sample = ["".join(text.split()) for text in texts if isinstance(text, str)]
        text = "\n".join(line for line in sample if line)
        return _galop.detect(text.encode(errors="replace"), kind, regions, alphabet)

    def from_texts(texts: list[Any]) -> Batch:
        found = detected(text.decode(errors="replace") if isinstance(text, bytes) else text for text in texts[:_SAMPLE])
        cells = _places(found, len(texts))
        return Batch(found, cells, _galop.read_texts(found, texts, cells))

    def from_array(array: np.ndarray[Any, Any]) -> Batch:
        if array.dtype.kind == "S":
            width = array.dtype.itemsize
            found = detected(text.decode(errors="replace") for text in array.ravel()[:_SAMPLE].tolist())
            if width == 0:
                return from_texts(array.ravel().tolist())
            rows = np.ascontiguousarray(array.ravel()).view(np.uint8).reshape(-1, width)
            cells = _places(found, len(rows))
            return Batch(found, cells, _galop.read_rows(found, rows, cells))
        if array.dtype.kind in "UOT":
            if array.ndim == 1:
                return from_texts(array.tolist())
            raise ValueError(f"an array of text of shape {array.shape} (expected one dimension)")
        if array.dtype.kind not in "iub":
            raise ValueError(f"an array of {array.dtype} (cells are integers, 0 for a blank)")
        rows = _as_rows(array, kind, rules)
        found = rules_of(_side(rows.shape[1]))
        return Batch(found, _as_bytes(rows), [])

    if isinstance(puzzles, str):
        return from_texts([puzzles])
    if isinstance(puzzles, (bytes, bytearray, memoryview)):
        text = bytes(puzzles)
        found = rules or _galop.detect(text, kind, regions, alphabet)
        # Each record has a line of its own, or several. Arrays and compressed bytes do not show how many there are.
        most = text.count(b"\n") + text.count(b"\r") + 1
        while True:
            cells = _places(found, most)
            count, malformed = _galop.read_lines(found, text, cells)
            if count is not None:
                return Batch(found, cells[:count], malformed)
            most *= 4
    if isinstance(puzzles, np.ndarray):
        return from_array(puzzles)
    if isinstance(puzzles, (list, tuple)):
        if all(isinstance(text, (str, bytes)) or text is None for text in puzzles[:1]):
            return from_texts(list(puzzles))
        return from_array(_as_array(puzzles))
    is_of_objects = getattr(puzzles, "dtype", None) == np.dtype(object)
    if not is_of_objects and (hasattr(puzzles, "__arrow_c_stream__") or hasattr(puzzles, "__arrow_c_array__")):
        try:
            column: Any = puzzles
            found = detected(_head(column))
            cells = _places(found, len(column))
            count, malformed = _galop.read_arrow(found, column, cells)
            if count == len(column):
                return Batch(found, cells, malformed)
        except (TypeError, ImportError, NotImplementedError):
            # It is no column of strings, or the library needs another one to lend it.
            pass
    for to_list in ("tolist", "to_list", "to_pylist"):
        if hasattr(puzzles, to_list) and not _is_numeric(puzzles):
            return read(getattr(puzzles, to_list)(), kind, regions, alphabet, threads, rules)
    if hasattr(puzzles, "__array__"):
        return from_array(np.asarray(puzzles))
    if isinstance(puzzles, Iterable) and not isinstance(puzzles, dict):
        return read(list(puzzles), kind, regions, alphabet, threads, rules)
    raise ValueError(f"{type(puzzles).__name__} is not puzzles (expected text, integers, or a column of strings)")


def _places(rules: _galop.Rules, count: int) -> Bytes:
    return np.empty((count, rules.cells), np.uint8)


def _is_numeric(column: Any) -> bool:
    dtype = getattr(column, "dtype", None)
    return getattr(dtype, "kind", "O") in "iubf" and hasattr(column, "__array__")


def _head(column: Any) -> list[Any]:
    """The first texts of a column."""
    if hasattr(column, "to_pylist"):
        return list(column[:_SAMPLE].to_pylist())
    if hasattr(column, "head"):
        return list(column.head(_SAMPLE))
    return []


def _side(cells: int) -> int:
    return int(cells**0.5 + 0.5)


def _as_array(puzzles: Any) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(puzzles)
    except ValueError as error:
        raise ValueError(f"puzzles of different lengths ({error})") from None


def _as_rows(array: np.ndarray[Any, Any], kind: str, rules: _galop.Rules | None) -> np.ndarray[Any, Any]:
    """The array as ``[N, C]``."""
    sides = next((sides for name, _, sides in _galop.kinds() if name == kind), [9])
    known = [rules.cells] if rules else [side * side for side in sides]
    shape = array.shape
    if array.ndim == 3 and shape[1] == shape[2] and shape[1] ** 2 in known:
        return array.reshape(len(array), shape[1] ** 2)
    if array.ndim == 2 and shape[1] in known:
        return array
    if array.ndim == 2 and shape[0] == shape[1] and shape[0] ** 2 in known:
        return array.reshape(1, -1)
    if array.ndim == 1 and shape[0] in known:
        return array.reshape(1, -1)
    if array.size == 0:
        return array.reshape(0, known[0] if len(known) == 1 else 81)
    numbers = " or ".join(str(cells) for cells in known)
    raise ValueError(f"an array of shape {shape} (expected [N, cells] or [N, side, side], with {numbers} cells)")


def _as_bytes(rows: np.ndarray[Any, Any]) -> Bytes:
    """The rows as bytes one after the other; they are copied only if they are not."""
    if rows.dtype == np.uint8:
        return np.ascontiguousarray(rows)
    if rows.dtype == np.bool_:
        return np.ascontiguousarray(rows).view(np.uint8)
    result = np.empty(rows.shape, np.uint8)
    for start in range(0, len(rows), _ROWS):
        part = rows[start : start + _ROWS]
        # Numbers that do not fit a byte must not become symbols.
        is_wrong = (part < 0) | (part > MALFORMED) if part.dtype.kind == "i" else part > MALFORMED
        written = result[start : start + _ROWS]
        np.copyto(written, part, casting="unsafe")
        if is_wrong.any():
            written[is_wrong] = MALFORMED
    return result

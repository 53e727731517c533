"""What puzzles may be, and how they become rows of cells."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isqrt
from numbers import Number
from typing import Any, Union

import numpy as np

from galop import _galop, _parquet
from galop._choices import AnyKind
from galop._natural import counted, natural
from galop._records import Records
from galop._results import Augmented, Bytes, _Rows

Puzzles = Union[str, bytes, "os.PathLike[Any]", Iterable[Any], Any]
"""A ``str``; the ``pathlib.Path`` of a file, in any format that the tool reads; the result of :func:`read_file`; ``bytes`` of
lines; a list of ``str``; whole numbers of shape ``[N, C]`` or ``[N, side, side]``, or one-hot in one more dimension; a column of
strings of pandas, polars or pyarrow; an array of ``str`` or ``bytes``; or anything with ``__array__``, ``__arrow_c_stream__`` or
``__arrow_c_array__``."""

MALFORMED = 255
"""The cells of a row that is not a puzzle."""

_SAMPLE = 50
"""Texts at which the size and the alphabet are looked for."""

_ROWS = 4_096
"""Rows of numbers that are converted at a time."""

_NUMBERS = (
    "a column of numbers: zeros at the front and digits behind the 15th are lost"
    " (read it as text, for example pandas.read_csv(..., dtype=str))"
)
"""What is wrong with digits that were read as a number."""

_GREATEST = 99_999
"""The greatest number that is taken for a wrong cell, and not for a whole puzzle."""

_ENDINGS = ".txt .csv .tsv .json .jsonl .ndjson .sdk .sdm .npy .npz .parquet .gz .bz2 .xz .zst".split()
"""Of the names of files."""


@dataclass
class Batch:
    """Puzzles as rows of cells."""

    rules: _galop.Rules
    cells: Bytes
    malformed: list[tuple[int, str]]
    is_text: bool = False
    """The rows were read from texts: nobody else has them, and the first of those that are malformed are known."""

    def numbers(self, rows: Iterable[int]) -> list[tuple[int, str]]:
        """What is wrong with these rows of numbers."""
        known = dict(self.malformed)
        numbers = [int(row) for row in rows]
        faults = self.rules.faults(np.ascontiguousarray(self.cells[numbers]))
        return [(row, known.get(row, why)) for row, why in zip(numbers, faults)]


def read(
    puzzles: Puzzles,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    rules: _galop.Rules | None = None,
) -> Batch:
    """Reads puzzles. With ``rules``, they are what the puzzles must be."""
    natural(threads=threads)

    def rules_of(side: int) -> _galop.Rules:
        return rules or _galop.Rules(kind, side, alphabet)

    def detected(texts: Iterable[Any]) -> _galop.Rules:
        if rules:
            return rules
        sample = ["".join(text.split()) for text in texts if isinstance(text, str)]
        text = "\n".join(line for line in sample if line)
        return _galop.detect(text.encode(errors="replace"), kind, alphabet)

    def from_texts(texts: list[Any]) -> Batch:
        # NaN stands for a text that is missing.
        sample = [text for text in texts[:_SAMPLE] if text is not None and text == text]
        if sample and all(isinstance(text, Number) for text in sample):
            raise ValueError(_NUMBERS)
        found = detected(text.decode(errors="replace") if isinstance(text, bytes) else text for text in texts[:_SAMPLE])
        cells = _places(found, len(texts))
        return Batch(found, cells, _galop.read_texts(found, texts, cells), True)

    def from_array(array: np.ndarray[Any, Any]) -> Batch:
        if array.dtype.kind == "S":
            width = array.dtype.itemsize
            found = detected(text.decode(errors="replace") for text in array.ravel()[:_SAMPLE].tolist())
            if width == 0:
                return from_texts(array.ravel().tolist())
            rows = np.ascontiguousarray(array.ravel()).view(np.uint8).reshape(-1, width)
            cells = _places(found, len(rows))
            return Batch(found, cells, _galop.read_rows(found, rows, cells), True)
        if array.dtype.kind in "UOT":
            if array.ndim == 1:
                return from_texts(array.tolist())
            raise ValueError(f"an array of text of shape {array.shape} (expected one dimension)")
        if array.dtype.kind not in "iubf":
            raise ValueError(f"an array of {array.dtype} (cells are whole numbers, 0 or NaN for a blank)")
        if array.ndim == 1 and array.dtype.kind in "iuf" and (array > _GREATEST).any():
            raise ValueError(_NUMBERS)
        rows = _as_rows(array, kind, rules)
        found = rules_of(isqrt(rows.shape[1]))
        if rows.ndim == 3:
            return Batch(found, *_of_one_hot(rows))
        return Batch(found, _as_bytes(rows), [])

    def from_arrow(column: Any) -> Batch:
        def place(sample: list[str | None], count: int) -> tuple[_galop.Rules, Bytes]:
            found = detected(sample)
            return found, _places(found, count)

        return Batch(*_galop.read_arrow(column, _SAMPLE, place), True)

    if isinstance(puzzles, str):
        try:
            batch = from_texts([puzzles])
        except ValueError:
            _refuse_a_file(puzzles)
            raise
        if batch.malformed:
            _refuse_a_file(puzzles)
        return batch
    if isinstance(puzzles, os.PathLike):
        found, cells, _, malformed = _parquet.read_file(os.fspath(puzzles), kind, alphabet, rules)
        return Batch(found, cells, malformed, True)
    if isinstance(puzzles, Records):
        if kind == "sudoku" and alphabet is None and rules is None:
            return Batch(puzzles._rules, np.ascontiguousarray(puzzles.puzzles), puzzles.malformed)
        batch = from_array(puzzles.puzzles)
        return Batch(batch.rules, batch.cells, puzzles.malformed)
    if isinstance(puzzles, (bytes, bytearray, memoryview)):
        text = bytes(puzzles)
        found = rules or _galop.detect(text, kind, alphabet)
        # Each record has a line of its own, or several. Arrays and compressed bytes do not show how many there are.
        most = text.count(b"\n") + text.count(b"\r") + 1
        while True:
            cells = _places(found, most)
            count, malformed = _galop.read_lines(found, text, cells)
            if count is not None:
                return Batch(found, cells[:count], malformed, True)
            most *= 4
    if isinstance(puzzles, np.ndarray):
        return from_array(puzzles)
    if isinstance(puzzles, (list, tuple)):
        if all(isinstance(text, (str, bytes)) or text is None for text in puzzles[:1]):
            return from_texts(puzzles if isinstance(puzzles, list) else list(puzzles))
        return from_array(_as_array(puzzles))
    if isinstance(puzzles, Augmented):
        return from_array(puzzles.puzzles)
    if isinstance(puzzles, _Rows):
        # Its values are puzzles. To other libraries it is a table.
        return read(list(puzzles), kind, alphabet, threads, rules)
    columns = _columns_of(puzzles)
    if columns is not None:
        # A table of numbers may have a column for each cell.
        array = np.asarray(puzzles) if hasattr(puzzles, "__array__") else None
        if array is None or array.dtype.kind not in "iubf":
            names = ", ".join(columns)
            example = "puzzle" if "puzzle" in columns or not columns else columns[0]
            raise ValueError(f'a table with the columns {names} (give one column, for example table["{example}"])')
        return from_array(array)
    is_of_objects = getattr(puzzles, "dtype", None) == np.dtype(object)
    expected = "expected text, numbers, or a column of strings"
    if not is_of_objects and (hasattr(puzzles, "__arrow_c_stream__") or hasattr(puzzles, "__arrow_c_array__")):
        try:
            return from_arrow(puzzles)
        except (TypeError, ImportError, NotImplementedError) as error:
            # It is no column of strings, or the library needs another one to lend it.
            expected = str(error)
    for to_list in ("tolist", "to_list", "to_pylist"):
        if hasattr(puzzles, to_list) and not _is_numeric(puzzles):
            return read(getattr(puzzles, to_list)(), kind, alphabet, threads, rules)
    if hasattr(puzzles, "__array__"):
        return from_array(np.asarray(puzzles))
    if isinstance(puzzles, Sequence):
        # A column of Hugging Face gives all rows at once sixty times as fast as one by one.
        rows = puzzles[:]
        if isinstance(rows, list):
            return read(rows, kind, alphabet, threads, rules)
    if isinstance(puzzles, Iterable) and not isinstance(puzzles, dict):
        return read(list(puzzles), kind, alphabet, threads, rules)
    raise ValueError(f"{type(puzzles).__name__} is not puzzles ({expected})")


def read_grids(
    puzzles: Puzzles,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    rules: _galop.Rules | None = None,
) -> Batch:
    """Reads puzzles that are grids."""
    given = getattr(puzzles, "_rules", None)
    if given is not None and given.is_problem:
        raise ValueError("records of a problem (expected puzzles that are grids)")
    return read(puzzles, kind, alphabet, threads, rules)


def read_beside(
    puzzles: Puzzles,
    solutions: Puzzles | None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    rules: _galop.Rules | None = None,
) -> tuple[Batch, Bytes | None]:
    """Reads grids, and the cells of the solutions beside them if there are any."""
    batch = read_grids(puzzles, kind, alphabet, threads, rules)
    return batch, None if solutions is None else read_solutions(batch, solutions, threads).cells


def read_solutions(batch: Batch, solutions: Puzzles, threads: int | None = None) -> Batch:
    """Reads the solutions of puzzles, one for each: of a file the solutions beside its puzzles, if it has any."""
    if isinstance(solutions, os.PathLike):
        _, cells, beside, malformed = _parquet.read_file(os.fspath(solutions), "sudoku", None, batch.rules)
        given = Batch(batch.rules, cells, malformed) if beside is None else Batch(batch.rules, beside, [])
    elif isinstance(solutions, Records) and solutions.solutions is not None:
        given = read(solutions.solutions, threads=threads, rules=batch.rules)
    else:
        given = read(solutions, threads=threads, rules=batch.rules)
    if len(batch.cells) != len(given.cells):
        raise ValueError(f"{counted(len(batch.cells), 'puzzle')} with {counted(len(given.cells), 'solution')}")
    return given


def _places(rules: _galop.Rules, count: int) -> Bytes:
    return np.empty((count, rules.cells), np.uint8)


def _is_numeric(column: Any) -> bool:
    dtype = getattr(column, "dtype", None)
    return getattr(dtype, "kind", "O") in "iubf" and hasattr(column, "__array__")


def _columns_of(puzzles: Any) -> list[str] | None:
    """The names of the columns of a table of pandas, polars, pyarrow or Spark; ``None`` if it is no table."""
    names = getattr(puzzles, "column_names", None)
    if names is None:
        names = getattr(puzzles, "columns", None)
    return None if names is None or callable(names) else [str(name) for name in names]


def _refuse_a_file(name: str) -> None:
    """Fails if it is the name of a file."""
    if name.lower().endswith(tuple(_ENDINGS)) or os.path.isfile(name):
        raise ValueError(f"{name!r} is the name of a file (put it in pathlib.Path, or use galop.solve_file)")


def _as_array(puzzles: Any) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(puzzles)
    except ValueError as error:
        raise ValueError(f"puzzles of different lengths ({error})") from None


def _as_rows(array: np.ndarray[Any, Any], kind: AnyKind, rules: _galop.Rules | None) -> np.ndarray[Any, Any]:
    """The array as ``[N, C]``."""
    known = [rules.cells] if rules else [side * side for side in _galop.sides(kind)]
    shape: tuple[int, ...] = array.shape
    if rules and rules.is_problem:
        if array.size == 0 or shape == (rules.cells,) or array.ndim == 2 and shape[1] == rules.cells:
            return array.reshape(-1, rules.cells)
        raise ValueError(f"an array of shape {shape} (records of this problem are [N, {rules.cells}], one number for each option)")
    if array.ndim == 3 and shape[1] == shape[2] and shape[1] ** 2 in known:
        return array.reshape(len(array), shape[1] ** 2)
    if array.ndim == 2 and shape[1] in known:
        return array
    if array.ndim == 2 and shape[0] == shape[1] and shape[0] ** 2 in known:
        return array.reshape(1, -1)
    if array.ndim == 1 and shape[0] in known:
        return array.reshape(1, -1)
    if array.ndim == 3 and shape[2] in known and shape[2] - isqrt(shape[1]) not in (0, 1):
        # Images of puzzles, as `augment` gives them.
        return array.reshape(-1, shape[2])
    if array.ndim == 4 and shape[1] == shape[2]:
        shape = (shape[0], shape[1] ** 2, shape[3])
    if len(shape) == 3 and shape[1] in known and shape[2] - isqrt(shape[1]) in (0, 1):
        return array.reshape(shape)
    if array.size == 0:
        return array.reshape(0, known[0] if len(known) == 1 else 81)
    numbers = " or ".join(str(cells) for cells in known)
    raise ValueError(
        f"an array of shape {array.shape} (expected [N, cells], [N, images, cells] or [N, side, side], with {numbers} cells; one-hot arrays have"
        " a last dimension more, of side, or of side + 1 with the blank first)"
    )


def _of_one_hot(rows: np.ndarray[Any, Any]) -> tuple[Bytes, list[tuple[int, str]]]:
    """The rows of ``[N, C, side]`` or ``[N, C, side + 1]`` as cells, and what is wrong with the first that are no puzzles. The
    place of the 1 of a cell is its symbol. The blank has the first place of side + 1, and no 1 among side."""
    count, cells, places = rows.shape
    has_blank = places > isqrt(cells)
    result = np.empty((count, cells), np.uint8)
    malformed: list[tuple[int, str]] = []
    for start in range(0, count, _ROWS):
        part = rows[start : start + _ROWS]
        is_one = part == 1
        ones = is_one.sum(axis=2)
        is_wrong = (ones > 1) | ~(is_one | (part == 0)).all(axis=2)
        if has_blank:
            is_wrong |= ones == 0
        symbols = is_one.argmax(axis=2) + (0 if has_blank else ones)
        written = result[start : start + _ROWS]
        np.copyto(written, symbols, casting="unsafe")
        is_malformed = is_wrong.any(axis=1)
        written[is_malformed] = MALFORMED
        for row in np.flatnonzero(is_malformed)[: 10 - len(malformed)].tolist():
            cell = int(is_wrong[row].argmax()) + 1
            symbol = "argmax(-1)" if has_blank else "argmax(-1) + 1"
            why = f"cell {cell} is not one-hot (one of its {places} numbers is 1; {symbol} makes symbols of probabilities)"
            malformed.append((start + row, why))
    return result, malformed


def _as_bytes(rows: np.ndarray[Any, Any]) -> Bytes:
    """The rows as bytes one after the other; they are copied only if they are not."""
    if rows.dtype == np.uint8:
        return np.ascontiguousarray(rows)
    if rows.dtype == np.bool_:
        return np.ascontiguousarray(rows).view(np.uint8)
    result = np.empty(rows.shape, np.uint8)
    for start in range(0, len(rows), _ROWS):
        part, written = rows[start : start + _ROWS], result[start : start + _ROWS]
        # Numbers that do not fit a byte must not become symbols.
        if part.dtype.kind == "f":
            is_whole = (part >= 0) & (part <= MALFORMED) & (part == np.floor(part))
            part = np.where(is_whole, part, np.where(np.isnan(part), 0, MALFORMED))
            np.copyto(written, part, casting="unsafe")
            continue
        is_wrong = (part < 0) | (part > MALFORMED) if part.dtype.kind == "i" else part > MALFORMED
        np.copyto(written, part, casting="unsafe")
        if is_wrong.any():
            written[is_wrong] = MALFORMED
    return result

"""What the calls return."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

from galop import _tables
from galop._drawn import board
from galop._natural import counted, listed
from galop._preview import ENDS, table
from galop._tables import Column as Column
from galop._tables import Columns, Texts

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from typing_extensions import Self

    from galop._galop import Rules

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


class Status(IntEnum):
    """What was found of a puzzle."""

    SOLVED = 0
    """The search found what was asked for."""
    NONE = 1
    """There is no solution."""
    MULTIPLE = 2
    """There are several solutions, and ``unique=True`` asked for one."""
    LIMIT = 3
    """The search gave up at ``max_guesses``."""
    STUCK = 4
    """An engine that never guesses could not finish the puzzle."""
    MALFORMED = 5
    """It is not a puzzle."""

    @property
    def word(self) -> str:
        """The word that the tool prints: ``solved``, ``none``, ``multiple``, ``limit``, ``stuck`` or ``malformed``."""
        return self.name.lower()


_WORDS = np.array([status.word for status in Status])


_Item = TypeVar("_Item")
_Solutions = TypeVar("_Solutions", Bytes, None)
"""The solutions of a result that may have none."""
_Places = Union[slice, "npt.NDArray[Any]", "list[int]", "list[bool]"]


class _Rows(Generic[_Item]):
    """A result with a row for each puzzle. It is a sequence of one value a row: ``list(found)``, ``found[0]``, a column of
    pandas or polars and an array of numpy have these values. Slices, lists of row numbers and masks give the same result of these
    rows. As a table it has a column for each field.

    The fields of a class are the table of its columns: each field with a value for each row is a column, by its name, and the
    first field gives the number of rows and, if the class says nothing else, the values of the sequence."""

    def _items(self) -> list[_Item]:
        return list(self._first().tolist())

    def _first(self) -> npt.NDArray[Any]:
        """The first field."""
        rows: npt.NDArray[Any] = getattr(self, fields(self)[0].name)  # type: ignore[arg-type]
        return rows

    def columns(self) -> dict[str, Column]:
        """The result as columns with a row for each puzzle, by the names that the tool uses in csv: arrays of numbers, of bool or
        of ``str``, and lists of ``str`` with ``None`` for a missing text. Images of :func:`augment` have a row each.

        >>> import galop
        >>> list(galop.solve(["1" + "." * 15, "rubbish"]).columns())
        ['solution', 'status', 'count', 'guesses']
        """
        return {name: column.strings() if isinstance(column, Texts) else column for name, column in self._lent().items()}

    def _lent(self) -> Columns:
        """The columns for libraries that read Arrow: the same names and values."""
        columns = {one.name: getattr(self, one.name) for one in fields(self) if one.compare}  # type: ignore[arg-type]
        return {name: column for name, column in columns.items() if column is not None}

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a table of pandas.

        :raises ImportError: without pandas.
        """
        return _tables.as_pandas(self.columns())

    def to_polars(self) -> polars.DataFrame:
        """The columns as a table of polars; numbers are not copied.

        :raises ImportError: without polars.
        """
        return _tables.as_polars(self._lent())

    def to_arrow(self) -> pyarrow.Table:
        """The columns as a table of pyarrow; numbers are not copied, so do not write to the arrays of the result meanwhile.

        :raises ImportError: without pyarrow.
        """
        return _tables.as_arrow(self._lent())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The columns for any library that reads Arrow, such as DuckDB, polars and pyarrow: a capsule with a stream of structs.
        Numbers are not copied. The reader converts columns if it wants other types than these."""
        return _tables.lend(self._lent())

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The value of each row, as an array of objects: ``str``, ``None`` or lists; of a result that is a mask, an array of bool.
        The cells are in the fields, for example ``solutions`` of :class:`Solved`.

        :raises ValueError: with ``copy=False``: the values are made for the array.
        """
        if copy is False:
            raise ValueError("copy=False: the values of the rows are made for the array (the fields are arrays of their own)")
        array = np.fromiter(self._items(), dtype=object, count=len(self))
        return array if dtype is None else array.astype(dtype)

    def _grids(self) -> tuple[Rules, Bytes, bool] | None:
        """The rules and the cells of grids ``[N, C]``, to draw one, and whether the cells are clues. Else they were found."""
        return None

    def _preview(self) -> dict[str, Column]:
        """The columns of a small table, with a row for each puzzle."""
        return self.columns()

    def _repr_html_(self) -> str:
        count, grids = len(self), self._grids()
        if grids is not None and count == 1 and not grids[0].is_problem and grids[1].any():
            rules, cells, is_clues = grids
            symbols = cells.reshape(-1).tolist()
            return board(rules, symbols if is_clues else [0] * len(symbols), symbols)
        rows = list(range(count)) if count <= 2 * ENDS else [*range(ENDS), *range(count - ENDS, count)]
        return table(rows, self[rows]._preview(), repr(self))

    def _named(self, counts: dict[str, int]) -> str:
        """The class, the number of puzzles, and how many of them are what."""
        return f"{type(self).__name__}({counted(len(self), 'puzzle')}{': ' if counts else ''}{listed(counts)})"

    def __len__(self) -> int:
        return len(self._first())

    def __bool__(self) -> bool:
        """As of an array of numpy: whether there is a row, or one or all rows are meant, is not clear.

        :raises ValueError: always.
        """
        name = type(self).__name__
        raise ValueError(f"the truth value of {name} is ambiguous: use len(), or any() or all() of one of its fields")

    def __iter__(self) -> Iterator[_Item]:
        return iter(self._items())

    @overload
    def __getitem__(self, place: int | np.integer[Any]) -> _Item: ...

    @overload
    def __getitem__(self, place: _Places) -> Self: ...

    def __getitem__(self, place: int | np.integer[Any] | _Places) -> _Item | Self:
        if isinstance(place, (int, np.integer)):
            if not -len(self) <= place < len(self):
                raise IndexError(f"row {place} of {len(self):,}")
            row = int(place) % len(self)
            return self[row : row + 1]._items()[0]
        rows = np.arange(len(self))[place]
        if rows.ndim != 1:
            raise IndexError("an index of several dimensions (expected a row, a slice, a list of rows or a mask)")
        # A slice gives views of the arrays.
        where = place if isinstance(place, slice) else rows
        found = {one.name: _of_rows(getattr(self, one.name), where, rows) for one in fields(self)}  # type: ignore[arg-type]
        return replace(self, **found)  # type: ignore[type-var]

    def __eq__(self, other: object) -> bool:
        """Whether all rows are equal."""
        if type(other) is not type(self):
            return NotImplemented
        compared = [one.name for one in fields(self) if one.compare]  # type: ignore[arg-type]
        return all(_is_equal(getattr(self, name), getattr(other, name)) for name in compared)

    __hash__ = None  # type: ignore[assignment]


class _Mask(_Rows[bool]):
    """A result whose rows are ``bool``: it is used as an array of bool. ``df[found]`` selects the rows of a table of pandas, and
    ``~found``, ``found & other``, ``found | other`` and ``found ^ other`` are arrays of bool."""

    def _mask(self) -> npt.NDArray[np.bool_]:
        return self._first()

    def _items(self) -> list[bool]:
        return list(self._mask().tolist())

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The mask, which is copied only if it must be."""
        return np.array(self._mask(), dtype, copy=copy)

    def __call__(self, table: object = None) -> npt.NDArray[np.bool_]:
        """The mask. pandas calls what selects rows and can be called."""
        return self._mask()

    def __invert__(self) -> npt.NDArray[np.bool_]:
        return ~self._mask()

    def __and__(self, other: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        return self._mask() & np.asarray(other, dtype=np.bool_)

    def __or__(self, other: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        return self._mask() | np.asarray(other, dtype=np.bool_)

    def __xor__(self, other: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        return self._mask() ^ np.asarray(other, dtype=np.bool_)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__


# polars looks for a sequence. It is not inherited from: its method `count` is a field here.
Sequence.register(_Rows)


def _of_rows(value: Any, place: Any, rows: npt.NDArray[np.int64]) -> Any:
    """What a field of a result is of some rows: of an array, of a list with an item a row, of texts by row."""
    if isinstance(value, np.ndarray):
        return value[place]
    if isinstance(value, dict):
        return {at: value[row] for at, row in enumerate(rows.tolist()) if row in value}
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return list(_of_rows(dict(value), place, rows).items())
    if isinstance(value, list) and value:
        return [value[row] for row in rows.tolist()]
    return value


def numbers_of(words: npt.NDArray[np.str_]) -> dict[str, int]:
    """How often each word is there, in the order of the alphabet."""
    names, numbers = np.unique(words, return_counts=True)
    return dict(zip(names.tolist(), numbers.tolist()))


def _is_equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return bool(one == other)


@dataclass(frozen=True, repr=False, eq=False)
class Solved(_Rows[Union[str, None]]):
    """The answers to ``N`` puzzles of ``C`` cells (81 for a 9x9 sudoku). As a sequence, it has the solution of each puzzle as a
    ``str``, or ``None``."""

    solutions: Bytes
    """uint8 ``[N, C]``: the solutions, 0 in the rows of puzzles that are not solved. Of a stuck puzzle, the cells found."""
    status: Bytes
    """uint8 ``[N]``: a :class:`Status` for each puzzle."""
    count: Ints
    """int64 ``[N]``: solutions found, at most as many as were asked for."""
    guesses: Ints
    """int64 ``[N]``: guesses of the engine."""
    malformed: list[tuple[int, str]]
    """The first ten malformed rows: the number of the row, and what is wrong with it."""
    _rules: Rules = field(compare=False)

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """bool ``[N]``: the puzzles that are solved."""
        return np.equal(self.status, Status.SOLVED)

    @property
    def words(self) -> npt.NDArray[np.str_]:
        """str ``[N]``: the status of each puzzle as the word that the tool prints."""
        return _WORDS[self.status]

    @property
    def counts(self) -> dict[str, int]:
        """How many puzzles have each status; a status that none has is left out."""
        numbers = np.bincount(self.status, minlength=len(Status))
        return {status.word: int(numbers[status]) for status in Status if numbers[status]}

    def strings(self) -> list[str | None]:
        """The solutions as text; ``None`` for a puzzle that is not solved."""
        return self._texts().strings()

    _items = strings

    def _texts(self) -> Texts:
        return Texts(self.solutions, self.ok, self._rules)

    def _lent(self) -> Columns:
        return {"solution": self._texts(), "status": self.words, "count": self.count, "guesses": self.guesses}

    def _grids(self) -> tuple[Rules, Bytes, bool]:
        return self._rules, self.solutions, False

    def __repr__(self) -> str:
        return self._named(self.counts)


@dataclass(frozen=True, repr=False, eq=False)
class Verified(_Mask):
    """Which of ``N`` solutions are right. As a sequence, it has a ``bool`` for each."""

    right: npt.NDArray[np.bool_]
    """bool ``[N]``."""
    reasons: dict[int, str]
    """What is wrong, by row, of those that are not right."""

    def _lent(self) -> Columns:
        return {"right": self.right, "reason": [self.reasons.get(row) for row in range(len(self))]}

    def __repr__(self) -> str:
        return f"Verified({counted(len(self), 'solution')}: {int(self.right.sum()):,} right)"


@dataclass(frozen=True, repr=False, eq=False)
class Rated(_Rows[int]):
    """The guesses of an engine for ``N`` puzzles. As a sequence, it has the guesses for each."""

    guesses: Ints
    """int64 ``[N]``: guesses to the proof that there is no second solution; -1 of a puzzle that is not known to have one
    solution."""
    mean: npt.NDArray[np.float64] | None = None
    """float64 ``[N]``: the mean of the guesses for the images, if there are images."""
    geometric_mean: npt.NDArray[np.float64] | None = None
    """float64 ``[N]``: the geometric mean of guesses + 1, minus 1."""
    deviation: npt.NDArray[np.float64] | None = None
    """float64 ``[N]``: the standard deviation of the guesses for the images."""

    def __repr__(self) -> str:
        return f"Rated({counted(len(self), 'puzzle')})"


@dataclass(frozen=True, repr=False, eq=False)
class Canonical(_Rows[Union[str, None]]):
    """The canonical forms of ``N`` puzzles. Two puzzles are the same but for a symmetry if their forms are equal. As a sequence,
    it has the form of each puzzle as a ``str``, or ``None``."""

    forms: Bytes
    """uint8 ``[N, C]``: the forms; 0 in the rows of puzzles without a form."""
    keys: npt.NDArray[np.bytes_]
    """bytes of length 32 ``[N]``: 128 bits that identify the form, in hexadecimal digits; empty without a form."""
    kind: npt.NDArray[np.str_]
    """str ``[N]``: ``solution`` if the form is the least image of the solution with its clues, which is so of a puzzle with one
    solution; ``direct`` if it is the least image of the clues; ``malformed`` without a form."""
    automorphisms: npt.NDArray[np.uint32]
    """uint32 ``[N]``: symmetries that lead from the puzzle to itself."""
    _rules: Rules = field(compare=False)

    def strings(self) -> list[str | None]:
        """The forms as text; ``None`` without a form."""
        return self._texts().strings()

    _items = strings

    def _texts(self) -> Texts:
        return Texts(self.forms, np.not_equal(self.kind, "malformed"), self._rules)

    def _lent(self) -> Columns:
        forms = self._texts()
        keys = Texts(self.keys, forms.is_there)
        return {"canonical": forms, "form": self.kind, "key": keys, "automorphisms": self.automorphisms}

    def _grids(self) -> tuple[Rules, Bytes, bool]:
        return self._rules, self.forms, True

    def __repr__(self) -> str:
        return f"Canonical({counted(len(self), 'puzzle')}, {len(np.unique(self.keys)):,} different)"


@dataclass(frozen=True, repr=False, eq=False)
class Augmented(_Rows["list[str]"], Generic[_Solutions]):
    """Images of ``N`` puzzles under random symmetries, ``times`` of each. As a sequence, it has a list of images, as ``str``, for each
    puzzle."""

    puzzles: Bytes
    """uint8 ``[N, times, C]``; 0 where a puzzle has fewer different images."""
    solutions: _Solutions
    """uint8 ``[N, times, C]``: the images of the solutions under the same symmetries; ``None`` if none were given."""
    count: Ints
    """int64 ``[N]``: images of each puzzle."""
    seed: int
    """The seed of the symmetries: with it, another call gives the same."""
    _rules: Rules = field(compare=False)

    def strings(self) -> list[str | None]:
        """All images as text; the images of the first puzzle come first."""
        return Texts(self.puzzles, None, self._rules).strings()

    def _items(self) -> list[list[str]]:
        texts = [text or "" for text in self.strings()]
        most = self.puzzles.shape[1]
        return [texts[row * most : row * most + count] for row, count in enumerate(self.count.tolist())]

    def _lent(self) -> Columns:
        """A row for each image, with the number of its puzzle."""
        is_there = np.arange(self.puzzles.shape[1]) < self.count[:, None]
        columns: dict[str, Column | Texts] = {
            "row": np.nonzero(is_there)[0],
            "puzzle": Texts(self.puzzles[is_there], None, self._rules),
        }
        if self.solutions is not None:
            columns["solution"] = Texts(self.solutions[is_there], None, self._rules)
        return columns

    def _preview(self) -> dict[str, Column]:
        images = [row[0] if row else None for row in self._items()]
        return {"first image": images, "count": self.count}

    def __repr__(self) -> str:
        images = counted(int(self.count.sum()), "image")
        return f"Augmented({counted(len(self), 'puzzle')}, {images}, seed {self.seed})"


@dataclass(frozen=True, repr=False, eq=False)
class Generated(_Rows[str], Generic[_Solutions]):
    """``N`` new puzzles. As a sequence, it has each puzzle as a ``str``."""

    puzzles: Bytes
    """uint8 ``[N, C]``."""
    solutions: _Solutions
    """uint8 ``[N, C]``; ``None`` if the puzzles should not have one solution."""
    changes: list[str]
    """What was changed so that a puzzle has no solution, or several: ``r3c5=7 was 2``, ``r3c5 r8c1 removed``. Else empty."""
    seed: int
    """The seed: with it, another call gives the same."""
    _rules: Rules = field(compare=False)

    def strings(self) -> list[str]:
        """The puzzles as text."""
        return [text or "" for text in Texts(self.puzzles, None, self._rules).strings()]

    _items = strings

    def _lent(self) -> Columns:
        puzzles = Texts(self.puzzles, None, self._rules)
        if self.solutions is not None:
            return {"puzzle": puzzles, "solution": Texts(self.solutions, None, self._rules)}
        return {"puzzle": puzzles, "change": [*self.changes] if self.changes else [None] * len(self)}

    def _grids(self) -> tuple[Rules, Bytes, bool]:
        return self._rules, self.puzzles, True

    def __repr__(self) -> str:
        return f"Generated({counted(len(self), 'puzzle')}, seed {self.seed})"


@dataclass(frozen=True, repr=False)
class Comparison:
    """Engines side by side."""

    text: str
    """The table that the tool prints."""
    figures: dict[str, Any]
    """All figures, as in an element of ``comparisons`` in the JSON report of the tool."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each engine, fastest first, for ``pandas.DataFrame``: its name, nanoseconds of processor time a puzzle, its
        time divided by the reference's, the share of the puzzles that it answered, and its mean number of guesses."""
        return [
            {
                "engine": engine["name"],
                "nanos": engine["cpu_nanos"]["median"],
                "ratio": engine["ratio"]["middle"] if engine["ratio"] else 1.0,
                "share": engine["share"],
                "guesses": engine["guesses"]["mean"],
            }
            for engine in self.figures["engines"]
        ]

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the figures."""
        return list(self.figures["warnings"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Comparison({', '.join(row['engine'] for row in self.rows)})"


@dataclass(frozen=True, repr=False)
class FileFigures:
    """What was found in a file."""

    counts: dict[str, int]
    """How many records have each status; a status that none has is left out."""
    guesses: int
    """Guesses of the engine for all puzzles together."""
    malformed: list[str]
    """The first malformed records: file, line and column, and what is wrong."""

    def __repr__(self) -> str:
        return f"FileFigures({listed(self.counts) or '0 records'})"


@dataclass(frozen=True, repr=False)
class FileVerdicts:
    """What was verified in a file."""

    counts: dict[str, int]
    """How many records have each verdict; a verdict that none has is left out."""
    faults: list[str]
    """The first records with a fault: file, line and column, and what is wrong."""
    faulty: int
    """How many records have a fault."""

    def __bool__(self) -> bool:
        """:raises ValueError: always, as other results do."""
        raise ValueError("the truth value of FileVerdicts is ambiguous: use faulty == 0, or counts")

    def __repr__(self) -> str:
        return f"FileVerdicts({listed(self.counts) or '0 records'})"

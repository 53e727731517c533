"""Exact cover: choose options so that every item is covered.

>>> from galop.cover import Problem
>>> problem = Problem(["a", "b", "c", "d"])
>>> [problem.option(items) for items in (["a", "b"], ["c", "d"], ["a", "c"], ["b", "d"])]
[0, 1, 2, 3]
>>> problem.count()
2
>>> list(problem.solutions())
[[0, 1], [2, 3]]

The words are Knuth's, "The Art of Computer Programming" 4B, section 7.2.2.1: primary items are covered exactly once, or as
often as their bounds allow; secondary items at most once, or any number of times in one colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from galop import _galop
from galop._choices import CoverEngine, Engine
from galop._natural import natural
from galop._progress import Progress, shown

if TYPE_CHECKING:
    from galop._inputs import Puzzles
    from galop._results import Solved

    Item = Union[str, int]
    PrimaryItem = Union[Item, tuple[Item, int, int]]
    Term = Union[Item, tuple[Item, str]]

__all__ = ["LimitReached", "Problem"]


class LimitReached(RuntimeError):
    """A limit on nodes or time stopped a search before its end."""

    def __init__(self, message: str, count: int) -> None:
        super().__init__(message)
        self.count = count
        """Solutions found until then."""

    def __reduce__(self) -> tuple[type[LimitReached], tuple[str, int]]:
        # An exception is pickled with `args`, which lack the count.
        return type(self), (self.args[0], self.count)


class Problem:
    """A problem: items, and options that can be added at any time.

    :param primary: the names of the items that must be covered; a number ``n`` stands for ``0`` to ``n - 1``. An item
        ``(name, low, high)`` is covered ``low`` to ``high`` times.
    :param secondary: the names of the items that may be covered; a number ``n`` stands for the next ``n`` numbers.
    :raises ValueError: if two items have the same name, or if there is no primary item.
    """

    def __init__(self, primary: int | Iterable[PrimaryItem], secondary: int | Iterable[Item] = ()) -> None:
        items = [_bounded(item) for item in _numbered(primary, 0)]
        names = [str(item) for item in _numbered(secondary, len(items))]
        self._problem = _galop.Problem(items, names)

    @classmethod
    def _of(cls, problem: _galop.Problem) -> Problem:
        self = cls.__new__(cls)
        self._problem = problem
        return self

    @classmethod
    def from_text(cls, text: str | bytes) -> Problem:
        """A problem in Knuth's text form: a line of items, secondary ones behind ``|``, then a line for each option.

        :raises ValueError: if the text is not a problem, or if an option has no primary item.

        >>> Problem.from_text("a b c | x\\na b x\\nc x\\nc\\n").count()
        1
        """
        return cls._of(_galop.Problem.read(text.encode() if isinstance(text, str) else bytes(text)))

    @classmethod
    def from_matrix(cls, matrix: Any, secondary: Iterable[int] = ()) -> Problem:
        """A problem in which each row of a matrix of 0 and 1 is an option, and each column an item.

        :param matrix: ``[options, items]``: an array, or a sparse matrix of scipy.
        :param secondary: the numbers of the columns that are secondary items.
        :raises ValueError: if an entry is neither 0 nor 1, or if a row covers no primary item.

        >>> import numpy as np
        >>> Problem.from_matrix(np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])).count()
        2
        """
        import numpy as np

        if hasattr(matrix, "tocsr"):
            rows = matrix.tocsr(copy=True)
            rows.sum_duplicates()
            rows.eliminate_zeros()
            if (rows.data != 1).any():
                raise ValueError("a matrix of other numbers than 0 and 1")
            starts, items, columns = rows.indptr, rows.indices, rows.shape[1]
        else:
            array = np.asarray(matrix)
            if array.ndim != 2:
                raise ValueError(f"an array of shape {array.shape} (expected [options, items])")
            is_one = array == 1
            if (~is_one & (array != 0)).any():
                raise ValueError("a matrix of other numbers than 0 and 1")
            starts = np.concatenate([[0], np.cumsum(is_one.sum(axis=1))])
            items, columns = np.nonzero(is_one)[1], array.shape[1]
        optional = set(secondary)
        if not optional <= set(range(columns)):
            raise ValueError(f"secondary has a column that the matrix lacks (columns are 0 to {columns - 1})")
        order = [column for column in range(columns) if column not in optional] + sorted(optional)
        numbers = np.empty(columns, np.int64)
        numbers[order] = np.arange(columns)
        primary = columns - len(optional)
        problem = cls(order[:primary], order[primary:])
        problem._problem.rows(np.ascontiguousarray(starts, np.int64), np.ascontiguousarray(numbers[items]))
        return problem

    def option(self, items: Iterable[Term], cost: int = 0) -> int:
        """Adds an option and returns its number, from 0.

        :param items: the names of items; a secondary one may have a colour: ``"x:red"`` or ``("x", "red")``.
        :param cost: is kept and written by :meth:`to_text`; searches do not use it.
        :raises ValueError: if an item is unknown, or there twice, or if none is primary. The problem is then as before.
        """
        natural(cost=cost)
        return self._problem.option([_term(item) for item in items], cost)

    def option_text(self, option: int) -> str:
        """The option of that number as text."""
        return self._problem.option_text(option)

    def to_text(self) -> str:
        """The problem in Knuth's text form."""
        return self._problem.write()

    def __len__(self) -> int:
        """The number of options."""
        return self._problem.size()[0]

    def __repr__(self) -> str:
        options, items, primary = self._problem.size()
        return f"Problem({options:,} options, {primary:,} primary and {items - primary:,} secondary items)"

    def solve_many(
        self,
        records: Puzzles,
        *,
        unique: bool = False,
        limit: int | None = None,
        max_guesses: int | None = None,
        engine: Engine = "lanes",
        threads: int | None = None,
        progress: Progress = None,
    ) -> Solved:
        """Completes many records of the problem on all cores: each chooses some options, and forbids others.

        The same as :func:`galop.solve` with ``problem=self``, which says what a record may be and what the result is. The
        problem is prepared once, until an option is added.

        >>> problem = Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n")
        >>> list(problem.solve_many(["a b", ":- :1", "a b | a c", "|"], unique=True))
        ['a b | c d', 'a c | b d', None, None]
        """
        from galop._solve import solve

        return solve(
            [records] if isinstance(records, str) else records,
            unique=unique,
            limit=limit,
            max_guesses=max_guesses,
            engine=engine,
            problem=self,
            threads=threads,
            progress=progress,
        )

    def count(
        self,
        limit: int | None = None,
        *,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        engine: CoverEngine = "auto",
        threads: int | None = 1,
        progress: Progress = None,
    ) -> int:
        """Counts the solutions, up to ``limit``.

        :param max_nodes: nodes of the search after which it stops.
        :param max_seconds: seconds after which it stops.
        :param engine: ``auto``, or ``links``, ``sparse``, ``masks``, ``bitset``, ``planes``.
        :param threads: threads that search; ``None`` for one for each core. One thread can find out that equal subproblems
            occur again, which may be much faster than many threads.
        :param progress: as in :func:`galop.solve`, in parts of a million.
        :raises LimitReached: if ``max_nodes`` or ``max_seconds`` stopped it; the exception has what was counted until then.
        """
        natural(limit=limit, max_nodes=max_nodes, threads=threads)
        with shown(progress, "parts") as callback:
            digits, end = self._problem.count(limit, max_nodes, max_seconds, engine, threads, callback)
        if end in ("nodes", "deadline"):
            raise LimitReached(f"stopped at the limit: at least {digits} solutions", int(digits))
        return int(digits)

    def first(
        self, *, max_nodes: int | None = None, max_seconds: float | None = None, engine: CoverEngine = "auto"
    ) -> list[int] | None:
        """The numbers of the options of a solution, ascending; ``None`` if there is no solution.

        :raises LimitReached: if ``max_nodes`` or ``max_seconds`` stopped the search before it found one.
        """
        natural(max_nodes=max_nodes)
        found, end = self._problem.first(max_nodes, max_seconds, engine)
        if found is None and end in ("nodes", "deadline"):
            raise LimitReached("stopped at the limit, before a solution was found", 0)
        return found

    def solutions(self, limit: int | None = None, *, engine: CoverEngine = "auto") -> Iterator[list[int]]:
        """Iterates over the solutions, each the numbers of its options, ascending.

        The search runs on another thread, a few solutions ahead. It ends with the iterator.
        """
        natural(limit=limit)
        return self._problem.solutions(limit, engine)


def _numbered(items: Any, start: int) -> Iterable[Any]:
    return range(start, start + items) if isinstance(items, int) else items


def _bounded(item: PrimaryItem) -> tuple[str, int, int]:
    if isinstance(item, tuple):
        name, low, high = item
        return str(name), low, high
    return str(item), 1, 1


def _term(item: Term) -> tuple[str, str | None]:
    if isinstance(item, tuple):
        name, colour = item
        return str(name), colour
    return str(item), None

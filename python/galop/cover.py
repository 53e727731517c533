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

import os
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from galop import _galop
from galop._choices import Engine
from galop._diagram import Diagram
from galop._natural import natural
from galop._progress import Progress
from galop._searches import Given, Item, LimitReached, Searches, Selection, Solution, Term, given, term

if TYPE_CHECKING:
    from galop._inputs import Puzzles
    from galop._results import Solved

PrimaryItem = Union[Item, tuple[Item, int, int]]

__all__ = ["Assumed", "Diagram", "LimitReached", "Problem", "Solution"]


class Problem(Searches):
    """A problem: items, and options that can be added at any time.

    :param primary: the names of the items that must be covered; a number ``n`` stands for ``0`` to ``n - 1``. An item
        ``(name, low, high)`` is covered ``low`` to ``high`` times.
    :param secondary: the names of the items that may be covered; a number ``n`` stands for the next ``n`` numbers.
    :raises ValueError: if two items have the same name, or if there is no primary item.
    """

    def __init__(self, primary: int | Iterable[PrimaryItem], secondary: int | Iterable[Item] = ()) -> None:
        if any(isinstance(items, str) and len(items.split()) != 1 for items in (primary, secondary) if items):
            raise ValueError("items as one text (expected a list of names; Problem.from_text reads a whole problem)")
        items = [_bounded(item) for item in _numbered(primary, 0)]
        names = [str(item) for item in _numbered(secondary, len(items))]
        self._problem = _galop.Problem(items, names)
        self.names: tuple[Hashable, ...] = ()
        """The names of the options of :meth:`from_exact_cover`, by number, if it was given a dict."""

    @classmethod
    def _of(cls, problem: _galop.Problem) -> Problem:
        self = cls.__new__(cls)
        self._problem, self.names = problem, ()
        return self

    @classmethod
    def from_text(cls, text: str | bytes) -> Problem:
        """A problem in Knuth's text form: a line of items, secondary ones behind ``|``, then a line for each option.

        :raises ValueError: if the text is not a problem, or if an option has no primary item.

        >>> Problem.from_text("a b c | x\\na b x\\nc x\\nc\\n").count()
        1
        """
        if isinstance(text, str) and "\n" not in text and (text.endswith((".dlx", ".txt")) or os.path.isfile(text)):
            raise ValueError(f"{text!r} is the name of a file (use Problem.from_file)")
        return cls._of(_galop.Problem.read(text.encode() if isinstance(text, str) else bytes(text)))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Problem:
        """The problem of a file, in the form of :meth:`from_text`.

        :raises ValueError: if the file is not a problem.
        :raises OSError: if it cannot be read.
        """
        return cls.from_text(Path(path).read_bytes())

    @classmethod
    def from_exact_cover(cls, rows: Any, secondary: Iterable[Hashable] = ()) -> Problem:
        """A problem from the items of its options.

        :param rows: for each option a list of hashable items, whose ``str`` are the names of the items, in the order in
            which they first appear; or a text of names with blanks between them. A dict also names the options: see
            ``names``. Or a matrix of 0 and 1 of shape ``[options, items]``, an array or a sparse matrix of scipy, whose
            columns are the items ``0``, ``1`` and so on.
        :param secondary: the items, or the numbers of columns, that are covered at most once. All others are primary.
        :raises ValueError: if an option has an item twice or no primary item, if two items have the same name, if no
            option has an item of ``secondary``, or if an entry of a matrix is neither 0 nor 1.

        >>> problem = Problem.from_exact_cover({"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6],
        ...                                     "E": [2, 3, 6, 7], "F": [2, 7]})
        >>> [problem.names[option] for option in problem.first() or ()]
        ['B', 'D', 'F']
        >>> import numpy as np
        >>> Problem.from_exact_cover(np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])).count()
        2
        """
        from galop import _exact_cover

        read = _exact_cover.read(rows, secondary)
        problem = cls(read.primary, read.secondary)
        problem._problem.rows(read.starts, read.items)
        problem.names = read.names
        return problem

    def option(self, items: Iterable[Term], cost: int = 0) -> int:
        """Adds an option and returns its number, from 0.

        :param items: the names of items; a secondary one may have a colour: ``"x:red"`` or ``("x", "red")``.
        :param cost: what :meth:`best` and :meth:`worst` add up.
        :raises ValueError: if an item is unknown, or there twice, or if none is primary. The problem is then as before.
        """
        natural(cost=cost)
        return self._problem.option([term(item) for item in items], cost)

    def option_text(self, option: int) -> str:
        """The option of that number as text."""
        return self._problem.option_text(option)

    def to_text(self) -> str:
        """The problem in Knuth's text form."""
        return self._problem.write()

    def __len__(self) -> int:
        """The number of options."""
        return self._problem.size()[0]

    def __getitem__(self, option: int) -> list[Term]:
        """The items of the option of that number, as :meth:`option` takes them.

        >>> Problem.from_text("a b | x\\na x:red\\na b\\n")[0]
        ['a', ('x', 'red')]
        """
        number = option.__index__()
        if not -len(self) <= number < len(self):
            raise IndexError(f"unknown option {number} (options are numbered from 0, and there are {len(self)})")
        terms, _ = self._problem.terms(number % len(self))
        return [name if colour is None else (name, colour) for name, colour in terms]

    def __iter__(self) -> Iterator[list[Term]]:
        """Iterates over the options, each as its items."""
        return (self[option] for option in range(len(self)))

    def cost(self, option: int) -> int:
        """The cost of the option of that number."""
        natural(option=option)
        return self._problem.terms(option)[1]

    def assume(
        self, with_: int | str | Iterable[Selection] = (), without: int | str | Iterable[Selection] = ()
    ) -> Assumed:
        """The problem restricted to the solutions that have some options and not others. The problem is not copied.

        An option is given by its number or by some of its items: a text (``"r0 c3"``, ``"x:red"``) or a list of items as
        for :meth:`option`. Several options are a list of them.

        :param with_: options that solutions have. If several options have the items, each solution has one of them.
        :param without: options that solutions do not have, among them every option that has the items.
        :raises ValueError: if an item or an option is unknown, if no option has all the items, or if several options of
            ``with_`` have the items and none of the items is covered exactly once.

        >>> problem = Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n")
        >>> problem.assume(with_="a c").first(), problem.assume(without=[0]).count()
        ([2, 3], 1)
        """
        return Assumed(self, given(with_, without))

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


class Assumed(Searches):
    """A problem restricted to some of its solutions; :meth:`Problem.assume` makes it.

    It has all searches of the problem. Options that are added to the problem later count.

    >>> problem = Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n")
    >>> restricted = problem.assume(with_="a", without="a b")
    >>> restricted.count(), restricted.sample(2, seed=1), restricted.best()
    (1, [[2, 3], [2, 3]], [Solution(options=[2, 3], cost=0)])
    """

    def __init__(self, problem: Problem, given: Given) -> None:
        problem._problem.check(given)
        self.problem = problem
        """The whole problem."""
        self._problem, self._given = problem._problem, given

    def __repr__(self) -> str:
        with_, without = map(len, self._given)
        return f"Assumed({self.problem!r}, {with_:,} with, {without:,} without)"

    def assume(
        self, with_: int | str | Iterable[Selection] = (), without: int | str | Iterable[Selection] = ()
    ) -> Assumed:
        """The problem restricted further; see :meth:`Problem.assume`."""
        more_with, more_without = given(with_, without)
        return Assumed(self.problem, (self._given[0] + more_with, self._given[1] + more_without))


def _numbered(items: Any, start: int) -> Iterable[Any]:
    return range(start, start + items) if isinstance(items, int) else items


def _bounded(item: PrimaryItem) -> tuple[str, int, int]:
    if isinstance(item, tuple):
        name, low, high = item
        return str(name), low, high
    return str(item), 1, 1

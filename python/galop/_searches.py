"""Searches of a problem, of all its solutions or of those that keep to assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Union

from galop import _galop
from galop._choices import CoverEngine
from galop._natural import natural
from galop._progress import Progress, shown

if TYPE_CHECKING:
    from galop._diagram import Diagram

Item = Union[str, int]
Term = Union[Item, tuple[Item, str]]
Selection = Union[int, str, Sequence[Term]]
Given = tuple[list[Union[int, list[tuple[str, Union[str, None]]]]], list[Union[int, list[tuple[str, Union[str, None]]]]]]


class Solution(NamedTuple):
    """A solution and what it costs."""

    options: list[int]
    """The numbers of its options, ascending."""
    cost: int
    """The sum of their costs."""


class LimitReached(RuntimeError):
    """A limit on nodes, time or memory stopped a search before its end."""

    def __init__(
        self, message: str, count: int, solutions: Iterable[tuple[list[int], int]] = (), bound: int | None = None
    ) -> None:
        super().__init__(message)
        self.count = count
        """Solutions found until then."""
        self.solutions = [Solution(*solution) for solution in solutions]
        """The best solutions found until then by :meth:`~galop.cover.Problem.best` or
        :meth:`~galop.cover.Problem.worst`, the best first."""
        self.bound = bound
        """No other solution costs less (``best``) or more (``worst``) than this; ``None`` if no bound is known."""

    def __reduce__(self) -> tuple[type[LimitReached], tuple[str, int, list[Solution], int | None]]:
        # An exception is pickled with `args`, which lack the rest.
        return type(self), (self.args[0], self.count, self.solutions, self.bound)


class Searches:
    """What a problem and its restriction by assumptions have in common."""

    _problem: _galop.Problem
    _given: Given = ([], [])

    def count(
        self,
        limit: int | None = None,
        *,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        engine: CoverEngine = "auto",
        threads: int | None = 1,
        progress: Progress = None,
    ) -> int:
        """Counts the solutions, up to ``limit``.

        :param max_nodes: nodes of the search after which it stops.
        :param max_seconds: seconds after which it stops.
        :param max_memory: bytes that the search may remember counts in; a count that needs more forgets some of them
            and takes longer.
        :param engine: ``auto``, or an engine of :data:`galop._choices.CoverEngine`, for example ``links``.
        :param threads: threads that search; ``None`` for one for each core. One thread can find out that equal subproblems
            occur again, which may be much faster than many threads.
        :param progress: as in :func:`galop.solve`, in parts of a million.
        :raises LimitReached: if ``max_nodes`` or ``max_seconds`` stopped it; the exception has what was counted until then.

        >>> from galop.cover import Problem
        >>> Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n").count()
        2
        """
        natural(limit=limit, max_nodes=max_nodes, max_memory=max_memory, threads=threads)
        with shown(progress, "parts") as callback:
            limits = (limit, max_nodes, max_seconds, max_memory)
            return self._problem.count(self._given, limits, (engine, threads, 0, False), callback)

    def first(
        self,
        *,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        engine: CoverEngine = "auto",
        threads: int | None = 1,
        seed: int = 0,
        progress: Progress = None,
    ) -> list[int] | None:
        """The numbers of the options of a solution, ascending; ``None`` if there is no solution.

        :param seed: of the random choices of the search. One thread finds the same solution with the same seed.
        :raises LimitReached: if ``max_nodes`` or ``max_seconds`` stopped the search before it found one.

        The other arguments are those of :meth:`count`.

        >>> from galop.cover import Problem
        >>> Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n").first()
        [0, 1]
        """
        natural(max_nodes=max_nodes, max_memory=max_memory, threads=threads, seed=seed)
        with shown(progress, "parts") as callback:
            limits = (None, max_nodes, max_seconds, max_memory)
            return self._problem.first(self._given, limits, (engine, threads, seed, False), callback)

    def solutions(
        self,
        limit: int | None = None,
        *,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        engine: CoverEngine = "auto",
        threads: int | None = 1,
        ordered: bool = False,
        seed: int = 0,
    ) -> _galop.Solutions:
        """Iterates over the solutions, each the numbers of its options, ascending.

        The search runs on other threads, a few solutions ahead. It ends with the iterator, or when its method ``close`` is
        called.

        :param ordered: with several threads, give the solutions in the order in which one thread finds them.
        :param seed: of the random choices of a search with a ``limit``, which may find solutions in any order. One thread
            finds the same solutions with the same seed.
        :raises LimitReached: if ``max_nodes`` or ``max_seconds`` stopped the search, after the solutions found until then.

        The other arguments are those of :meth:`count`.

        >>> from contextlib import closing
        >>> from galop.cover import Problem
        >>> problem = Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n")
        >>> with closing(problem.solutions()) as solutions:
        ...     next(solutions)
        [0, 1]
        >>> list(solutions)
        []
        """
        natural(limit=limit, max_nodes=max_nodes, max_memory=max_memory, threads=threads, seed=seed)
        limits = (limit, max_nodes, max_seconds, max_memory)
        return self._problem.solutions(self._given, limits, (engine, threads, seed, ordered))

    def best(
        self,
        n: int = 1,
        *,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        threads: int | None = 1,
        progress: Progress = None,
    ) -> list[Solution]:
        """The ``n`` solutions of least total cost, the cheapest first; fewer if there are no more.

        Solutions that cost the same are in the order of their options. The costs are those given to
        :meth:`~galop.cover.Problem.option`.

        :raises LimitReached: if ``max_nodes`` or ``max_seconds`` stopped the search; the exception has the best
            ``solutions`` found until then, and a ``bound`` on the cost of all others.

        >>> from galop.cover import Problem
        >>> problem = Problem.from_text("a b c\\na b |5\\nc |1\\na |2\\nb c |3\\nb |2\\n")
        >>> problem.best(2)
        [Solution(options=[1, 2, 4], cost=5), Solution(options=[2, 3], cost=5)]
        """
        return self._ranked(False, n, max_nodes, max_seconds, threads, progress)

    def worst(
        self,
        n: int = 1,
        *,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        threads: int | None = 1,
        progress: Progress = None,
    ) -> list[Solution]:
        """The ``n`` solutions of greatest total cost, the dearest first; else as :meth:`best`.

        >>> from galop.cover import Problem
        >>> Problem.from_text("a b c\\na b |5\\nc |1\\na |2\\nb c |3\\nb |2\\n").worst()
        [Solution(options=[0, 1], cost=6)]
        """
        return self._ranked(True, n, max_nodes, max_seconds, threads, progress)

    def _ranked(
        self,
        is_dearest: bool,
        n: int,
        max_nodes: int | None,
        max_seconds: float | None,
        threads: int | None,
        progress: Progress,
    ) -> list[Solution]:
        natural(n=n, max_nodes=max_nodes, threads=threads)
        with shown(progress, "parts") as callback:
            limits = (n, max_nodes, max_seconds, None)
            setup = ("auto", threads, 0, False)
            return [Solution(*one) for one in self._problem.best(self._given, limits, setup, is_dearest, callback)]

    def diagram(
        self, *, max_nodes: int | None = None, max_seconds: float | None = None, max_memory: int | None = None
    ) -> Diagram:
        """The decision diagram of the solutions: all of them as one object, which counts, numbers and samples them.

        The problem keeps the diagram of all its solutions until an option is added.

        :param max_memory: bytes that the diagram and its construction may take.
        :raises LimitReached: if a limit stopped the search for it.
        :raises ValueError: if an item has bounds, or if the options have too many items and colours for a diagram.

        >>> from galop.cover import Problem
        >>> diagram = Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n").diagram()
        >>> diagram.count(), diagram.nth(1)
        (2, [2, 3])
        """
        from galop._diagram import Diagram

        natural(max_nodes=max_nodes, max_memory=max_memory)
        diagram = self._problem.diagram((None, max_nodes, max_seconds, max_memory))
        return Diagram._of(diagram.assume(self._given) if any(self._given) else diagram)

    def nth(self, k: int) -> list[int]:
        """Solution number ``k``, from 0, in the order of the diagram; see :meth:`Diagram.nth <galop.cover.Diagram.nth>`.

        (Call :meth:`diagram` first to set limits for it.)

        >>> from galop.cover import Problem
        >>> Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n").nth(1)
        [2, 3]
        """
        return self.diagram().nth(k)

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[list[int]]:
        """``n`` solutions at random, each equally likely; see :meth:`Diagram.sample <galop.cover.Diagram.sample>`.

        >>> from galop.cover import Problem
        >>> problem = Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n")
        >>> sorted(map(tuple, set(map(tuple, problem.sample(50, seed=1)))))
        [(0, 1), (2, 3)]
        """
        return self.diagram().sample(n, seed=seed)

    def marginals(self) -> list[int]:
        """The number of solutions that contain each option, in the order of the options.

        >>> from galop.cover import Problem
        >>> Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\na b d\\n").marginals()
        [1, 1, 1, 1, 0]
        """
        return self.diagram().marginals()


def term(value: Term) -> tuple[str, str | None]:
    """The name of an item, and its colour."""
    if isinstance(value, tuple):
        name, colour = value
        return str(name), colour
    return str(value), None


def given(with_: int | str | Iterable[Selection], without: int | str | Iterable[Selection]) -> Given:
    """What solutions must have and must not have, for the extension module."""
    return _selections("with_", with_), _selections("without", without)


def _selections(
    name: str, values: int | str | Iterable[Selection]
) -> list[int | list[tuple[str, str | None]]]:
    chosen: list[int | list[tuple[str, str | None]]] = []
    for value in [values] if isinstance(values, (str, int)) else values:
        if isinstance(value, str):
            chosen.append([(word, None) for word in value.split()])
        elif hasattr(value, "__index__"):
            number = value.__index__()
            natural(**{name: number})
            chosen.append(number)
        else:
            chosen.append([term(one) for one in value])
    return chosen

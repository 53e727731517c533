"""Decision diagrams: all solutions of a problem as one object."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

from galop import _galop
from galop._natural import counted, natural
from galop._searches import Selection, Solution, given

if TYPE_CHECKING:
    from galop.cover import Problem

_MOST_COST = 2**90


class Diagram:
    """All solutions of a problem; :meth:`Problem.diagram <galop.cover.Problem.diagram>` makes it.

    It takes little memory where solutions have parts in common, and then answers questions about all solutions, however
    many there are. It iterates over the solutions. It can be pickled.

    >>> from galop.cover import Problem
    >>> pairs = Problem(100)
    >>> numbers = [pairs.option([item]) for item in range(100) for _ in range(2)]
    >>> diagram = pairs.diagram()
    >>> diagram.count() == 2**100, diagram.nth(2**99)[:3], len(diagram.sample(seed=1)[0])
    (True, [1, 2, 4], 100)
    """

    _diagram: _galop.Diagram

    def __init__(self) -> None:
        raise TypeError("a diagram is made by Problem.diagram or Diagram.from_text")

    @classmethod
    def _of(cls, diagram: _galop.Diagram) -> Diagram:
        self = cls.__new__(cls)
        self._diagram = diagram
        return self

    @classmethod
    def from_text(cls, text: str | bytes) -> Diagram:
        """A diagram as :meth:`to_text` and ``galop cover diagram`` write it.

        :raises ValueError: if the text is not a diagram.
        """
        return cls._of(_galop.Diagram.read(text.encode() if isinstance(text, str) else bytes(text)))

    def to_text(self) -> str:
        """The diagram and its problem as text, which ``galop cover`` reads in place of a problem.

        >>> from galop.cover import Problem
        >>> diagram = Problem.from_text("a b\\na\\nb\\na b\\n").diagram()
        >>> list(Diagram.from_text(diagram.to_text())) == list(diagram)
        True
        """
        return self._diagram.write()

    @property
    def problem(self) -> Problem:
        """A copy of the problem."""
        from galop.cover import Problem

        return Problem._of(self._diagram.problem())

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self._diagram.size()[0]

    @property
    def nbytes(self) -> int:
        """Bytes in memory, without the problem."""
        return self._diagram.size()[1]

    def __repr__(self) -> str:
        return f"Diagram({counted(self.nodes, 'node')})"

    def count(self) -> int:
        """The number of solutions, exact however large it is."""
        return self._diagram.count()

    def __iter__(self) -> _galop.DiagramSolutions:
        return self.solutions()

    def solutions(self, limit: int | None = None) -> _galop.DiagramSolutions:
        """Iterates over the solutions, at most ``limit`` of them: solution 0 of :meth:`nth` first."""
        natural(limit=limit)
        return self._diagram.solutions(limit)

    def nth(self, k: int) -> list[int]:
        """Solution number ``k``, from 0: the numbers of its options, ascending.

        Numbers may be of any size. The order is the order of :meth:`solutions`; the problem alone determines it.

        :raises ValueError: if there is no such solution.

        >>> from galop.cover import Problem
        >>> Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n").diagram().nth(2)
        Traceback (most recent call last):
        ValueError: no solution 2 (solutions are numbered from 0, and there are 2)
        """
        k = k.__index__()
        found = None if k < 0 else self._diagram.nth(k.to_bytes((k.bit_length() + 7) // 8, "little"))
        if found is None:
            raise ValueError(f"no solution {k} (solutions are numbered from 0, and there are {self.count()})")
        return found

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[list[int]]:
        """``n`` solutions at random, each equally likely and drawn anew; none if there is no solution.

        :param seed: the same seed gives the same solutions; ``None`` draws a seed.
        """
        natural(n=n, seed=seed)
        return self._diagram.sample(n, secrets.randbits(64) if seed is None else seed)

    def marginals(self) -> list[int]:
        """The number of solutions that contain each option, in the order of the options."""
        return self._diagram.marginals()

    def best(self, n: int = 1, *, costs: Iterable[int] | None = None) -> list[Solution]:
        """The ``n`` solutions of least total cost, the cheapest first; fewer if there are no more.

        :param costs: a cost for each option, which may be negative, instead of the costs of the problem.
        :raises ValueError: if there are not as many costs as options, or if a cost is beyond ``2**90``.

        >>> from galop.cover import Problem
        >>> Problem.from_text("a b\\na |1\\nb |1\\na b |3\\n").diagram().best(costs=[5, 5, -3])
        [Solution(options=[2], cost=-3)]
        """
        return self._ranked(n, False, costs)

    def worst(self, n: int = 1, *, costs: Iterable[int] | None = None) -> list[Solution]:
        """The ``n`` solutions of greatest total cost, the dearest first; else as :meth:`best`."""
        return self._ranked(n, True, costs)

    def _ranked(self, n: int, is_dearest: bool, costs: Iterable[int] | None) -> list[Solution]:
        natural(n=n)
        numbers = None if costs is None else [cost.__index__() for cost in costs]
        if wrong := [cost for cost in numbers or () if abs(cost) > _MOST_COST]:
            raise ValueError(f"a cost of {wrong[0]} (costs are numbers from -2**90 to 2**90)")
        return [Solution(*one) for one in self._diagram.best(n, is_dearest, numbers)]

    def assume(
        self, with_: int | str | Iterable[Selection] = (), without: int | str | Iterable[Selection] = ()
    ) -> Diagram:
        """The diagram of the solutions that have some options and not others; see
        :meth:`Problem.assume <galop.cover.Problem.assume>`.

        >>> from galop.cover import Problem
        >>> Problem.from_text("a b c d\\na b\\nc d\\na c\\nb d\\n").diagram().assume("a c").count()
        1
        """
        return Diagram._of(self._diagram.assume(given(with_, without)))

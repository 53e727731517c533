"""Decision diagrams: all solutions of a problem as one object."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

from galop import _galop
from galop._natural import counted, natural
from galop._searches import Selection, given

if TYPE_CHECKING:
    from galop.cover import Problem


class Diagram:
    """All solutions of a problem; :meth:`Problem.diagram <galop.cover.Problem.diagram>` makes it.

    It takes little memory where solutions have parts in common, and then answers questions about all solutions, however
    many there are. It iterates over the solutions.

    >>> from galop.cover import Problem
    >>> pairs = Problem(100)
    >>> numbers = [pairs.option([item]) for item in range(100) for _ in range(2)]
    >>> diagram = pairs.diagram()
    >>> diagram.count() == 2**100, diagram.nth(2**99)[:3], len(diagram.sample(seed=1)[0])
    (True, [1, 2, 4], 100)
    """

    _diagram: _galop.Diagram

    def __init__(self) -> None:
        raise TypeError("a diagram is made by Problem.diagram")

    @classmethod
    def _of(cls, diagram: _galop.Diagram) -> Diagram:
        self = cls.__new__(cls)
        self._diagram = diagram
        return self

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

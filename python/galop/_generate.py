"""New puzzles."""

from __future__ import annotations

import secrets
from typing import Literal, overload

from galop import _galop
from galop._choices import AnyKind, ClueSymmetry, LevelName
from galop._natural import natural
from galop._progress import Progress, shown
from galop._results import Bytes, Generated


@overload
def generate(
    n: int = 1,
    *,
    seed: int | None = None,
    clues: int | tuple[int, int] | range | None = None,
    minimal: bool = False,
    symmetric: ClueSymmetry | None = None,
    level: LevelName | None = None,
    pattern: str | None = None,
    status: None = None,
    first: int = 0,
    kind: AnyKind = "sudoku",
    side: int | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Generated[Bytes]: ...


@overload
def generate(
    n: int = 1,
    *,
    seed: int | None = None,
    clues: int | tuple[int, int] | range | None = None,
    minimal: bool = False,
    symmetric: ClueSymmetry | None = None,
    level: LevelName | None = None,
    pattern: str | None = None,
    status: Literal["none", "multiple"],
    first: int = 0,
    kind: AnyKind = "sudoku",
    side: int | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Generated[None]: ...


def generate(
    n: int = 1,
    *,
    seed: int | None = None,
    clues: int | tuple[int, int] | range | None = None,
    minimal: bool = False,
    symmetric: ClueSymmetry | None = None,
    level: LevelName | None = None,
    pattern: str | None = None,
    status: Literal["none", "multiple"] | None = None,
    first: int = 0,
    kind: AnyKind = "sudoku",
    side: int | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Generated[Bytes] | Generated[None]:
    """Makes ``n`` new puzzles, each with exactly one solution: ``puzzles`` and ``solutions`` uint8 ``[n, C]``.

    The same arguments give the same puzzles on every machine.

    :param seed: another seed gives other puzzles. Without it one is drawn; it is in the result.
    :param clues: the number of clues, or the least and the greatest number: ``(28, 30)`` and ``range(28, 31)`` are the same.
    :param minimal: without any one of the clues there is a second solution.
    :param symmetric: place the clues symmetrically: ``rotate180``, ``mirror`` and others; a wrong name tells all of them.
    :param level: make puzzles of this level, as :func:`rate` names it: ``easy``, ``hard``, ``very hard``. They are
        minimal, unless ``clues`` or ``pattern`` is given or the level is ``easy``.
    :param pattern: place clues in exactly these cells: a character for each cell, ``.`` for a blank.
    :param status: ``none`` or ``multiple``: change each puzzle so that it has no solution, or several.
    :param first: the place of the first puzzle, so that several machines make parts of one run.
    :param side: the side of the grids; the default is the only one that ``kind`` has, or else 9.

    The other parameters are as in :func:`solve`.

    >>> import galop
    >>> galop.generate(1, seed=1, clues=30).strings()
    ['5....84...4.9....3.7..24......2....7.23..7..4...346.8.156.8........9...8489..31..']
    """
    natural(n=n, seed=seed, first=first, threads=threads, side=side)
    if isinstance(clues, int):
        clues = (clues, clues)
    elif isinstance(clues, range):
        if len(clues) == 0 or clues.step != 1:
            raise ValueError(f"clues={clues} (expected a range of consecutive numbers)")
        clues = (clues[0], clues[-1])
    if clues is not None:
        natural(clues=clues[0])
        natural(clues=clues[1])
    if pattern is not None and (clues is not None or minimal):
        raise ValueError("pattern fixes the clues: leave out clues and minimal")
    seed = secrets.randbits(64) if seed is None else seed
    rules = _galop.Rules(kind, side, alphabet)
    with shown(progress) as callback:
        puzzles, solutions, changes = _galop.generate(
            rules, n, seed, first, clues, minimal, pattern, symmetric, status, level, threads, callback
        )
    if solutions is None:
        return Generated(puzzles, None, changes, seed, rules)
    return Generated(puzzles, solutions, changes, seed, rules)

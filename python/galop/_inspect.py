"""Whether solutions are right, and how hard puzzles are: `verify` and `rate`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from galop import _galop
from galop._choices import AnyKind, Engine
from galop._inputs import Batch, Puzzles, read, read_grids, read_solutions
from galop._natural import natural
from galop._levels import Levels
from galop._progress import Progress, shown
from galop._records import Records
from galop._results import Rated, Status, Verified
from galop._solve import rules_of, solve_rows

if TYPE_CHECKING:
    from galop.cover import Problem


@overload
def verify(
    puzzles: str,
    solutions: str | None = None,
    *,
    unique: bool = False,
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> bool: ...


@overload
def verify(
    puzzles: Any,
    solutions: Any = None,
    *,
    unique: bool = False,
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Verified: ...


def verify(
    puzzles: Puzzles,
    solutions: Puzzles | None = None,
    *,
    unique: bool = False,
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> bool | Verified:
    """Verifies that each solution keeps the clues of its puzzle and holds every symbol once in every unit; with ``problem``, that
    it has the choices of its record, none that is forbidden, and covers every item.

    A ``str`` gives a ``bool``. Everything else gives :class:`Verified`, with ``right`` bool ``[N]``, and ``reasons``, which says
    what is wrong with the others.

    :param solutions: a solution for each puzzle. Without it, they are those that a file has beside its puzzles, a
        ``pathlib.Path`` or the result of :func:`read_file`; other puzzles are solved, and right if they have a solution.
    :param unique: also prove that each solution is the only one.

    The other parameters are as in :func:`solve`.

    >>> import galop
    >>> galop.verify("12..34....1....2", "1243342123144132")
    True
    >>> galop.verify(["12..34....1....2"], ["1243342123144123"]).reasons
    {0: 'wrong solution: row 4, column 4 holds 3, but the clue is 2'}
    >>> galop.verify(["44" + "." * 79]).reasons
    {0: 'none: 4 occurs twice in row 1: in row 1, column 1 and in row 1, column 2'}
    """
    rules = rules_of(problem, kind, alphabet)
    if solutions is None:
        if isinstance(puzzles, os.PathLike):
            found, cells, beside, malformed = _galop.read_file(os.fspath(puzzles), kind, alphabet, rules)
            puzzles = Records(cells, beside, malformed, found)
        if isinstance(puzzles, Records) and puzzles.solutions is not None:
            solutions = puzzles
    batch = read(puzzles, kind, alphabet, threads, rules)
    if solutions is None:
        if isinstance(puzzles, str) and batch.malformed:
            raise ValueError(batch.malformed[0][1])
        verified = verify_alone(batch, unique, threads, progress)
        return bool(verified.right.all()) if isinstance(puzzles, str) else verified
    given = read_solutions(batch, solutions, threads)
    verified = verify_rows(batch, given, unique, threads, progress)
    return bool(verified.right.all()) if isinstance(puzzles, str) else verified


def verify_rows(
    batch: Batch, given: Batch, unique: bool, threads: int | None, progress: Progress
) -> Verified:
    """Which rows of ``given`` are right, and what is wrong with the others."""
    with shown(progress) as callback:
        reasons = dict(_galop.verify(batch.rules, batch.cells, given.cells, threads, callback))
    for row, why in given.malformed:
        if reasons.get(row, "").endswith("solution is malformed"):
            reasons[row] = f"in the solution: {why}"
    for row, why in batch.malformed:
        reasons[row] = why
    if unique:
        solved = solve_rows(batch, 2, None, "lanes", threads, progress, keeps=True)
        for row in np.flatnonzero(solved.status != Status.SOLVED).tolist():
            several = solved.status[row] == Status.MULTIPLE
            reasons.setdefault(row, "several solutions" if several else "not proved to be the only solution")
    right = np.ones(len(batch.cells), np.bool_)
    right[list(reasons)] = False
    return Verified(right, dict(sorted(reasons.items())))


_ALONE = {
    Status.NONE: "none: the puzzle has no solution",
    Status.MULTIPLE: "multiple: the puzzle has several solutions",
    Status.LIMIT: "limit: the engine gave up at the limit on guesses",
    Status.MALFORMED: "the puzzle is malformed",
}
"""What is wrong with a puzzle that stands alone."""


def verify_alone(batch: Batch, unique: bool, threads: int | None, progress: Progress) -> Verified:
    """Which puzzles have a solution, or with ``unique`` one only, and what is wrong with the others."""
    solved = solve_rows(batch, 2 if unique else 1, None, "lanes", threads, progress, keeps=True)
    right = solved.status == Status.SOLVED
    reasons = {row: _ALONE[Status(solved.status[row])] for row in np.flatnonzero(~right).tolist()}
    none = np.flatnonzero(solved.status == Status.NONE)
    for row, clash in zip(none.tolist(), _galop.clashes(batch.rules, batch.cells[none])):
        if clash is not None:
            reasons[row] = f"none: {clash}"
    reasons.update(solved.malformed)
    return Verified(right, reasons)


@overload
def rate(
    puzzles: Puzzles,
    *,
    by: Literal["guesses"],
    engine: Engine = "lanes",
    images: int = 0,
    seed: int = 0,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Rated: ...


@overload
def rate(
    puzzles: Puzzles,
    *,
    by: Literal["techniques"] = "techniques",
    unique: bool = False,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Levels: ...


def rate(
    puzzles: Puzzles,
    *,
    by: Literal["techniques", "guesses"] = "techniques",
    unique: bool = False,
    engine: Engine = "lanes",
    images: int = 0,
    seed: int = 0,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Rated | Levels:
    """Rates how hard puzzles are. By techniques: the hardest step that a person needs (:class:`Levels`). By guesses: the guesses
    of an engine to the proof that the solution is the only one (:class:`Rated`).

    :param by: ``techniques`` or ``guesses``.
    :param unique: by techniques: also use techniques that rely on a puzzle having one solution.
    :param images: by guesses: also count the guesses for this number of random images of each puzzle, which does away with luck.
    :param seed: the seed of the images.
    :param engine: the engine whose guesses are counted; by techniques, the engine that finds out which puzzles have one solution.

    The other parameters are as in :func:`solve`. The ratings equal the output of ``galop rate`` for a file with these puzzles.

    >>> import galop
    >>> easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> levels = galop.rate([easy, "." * 81])
    >>> levels.level.tolist(), levels.score.tolist(), levels.hardest.tolist()
    (['easy', 'multiple'], [1.5, nan], ['hidden single', ''])
    >>> galop.rate([easy, "." * 81], by="guesses").guesses.tolist()
    [0, -1]
    """
    natural(images=images, seed=seed)
    if by not in ("guesses", "techniques"):
        raise ValueError(f"by={by!r} (one of techniques, guesses)")
    if by == "techniques" and images:
        raise ValueError(f"images={images} counts guesses (leave it out, or rate by='guesses')")
    if by == "guesses" and unique:
        raise ValueError("unique=True is about techniques (leave it out, or rate by techniques)")
    batch = read_grids(puzzles, kind, alphabet, threads)
    with shown(progress) as callback:
        if by == "techniques":
            level, score, hardest = _galop.levels(batch.rules, batch.cells, engine, unique, threads, callback)
            return Levels(np.array(level, np.str_), score, np.array(hardest, np.str_))
        guesses, means = _galop.rate(batch.rules, batch.cells, engine, images, seed, threads, callback)
    return Rated(guesses, *(means or ()))

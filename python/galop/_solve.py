"""Calls that search for solutions: `solve` and `count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from galop import _galop
from galop._choices import AnyKind, Engine
from galop._inputs import Batch, Puzzles, read
from galop._natural import counted, natural
from galop._progress import Progress, shown
from galop._results import Ints, Solved, Status

if TYPE_CHECKING:
    from galop.cover import Problem


def solve_rows(
    batch: Batch,
    solutions: int,
    max_guesses: int | None,
    engine: Engine,
    threads: int | None,
    progress: Progress,
    keeps: bool = False,
) -> Solved:
    """The answers to rows of cells. They overwrite the rows of a batch of texts, unless it ``keeps`` them."""
    natural(max_guesses=max_guesses)
    rows = len(batch.cells)
    is_overwritten = batch.is_text and not keeps
    puzzles, solved = (None, batch.cells) if is_overwritten else (batch.cells, np.empty(batch.cells.shape, np.uint8))
    status = np.empty(rows, np.uint8)
    count, guesses = np.empty(rows, np.uint64), np.empty(rows, np.uint64)
    with shown(progress) as callback:
        places = (solved, status, count, guesses)
        _galop.solve_cells(batch.rules, puzzles, engine, solutions, max_guesses, threads, callback, places)
    malformed = batch.malformed
    if not malformed:
        malformed = batch.numbers(np.flatnonzero(status == Status.MALFORMED)[:10].tolist())
    return Solved(solved, status, count.view(np.int64), guesses.view(np.int64), malformed, batch.rules)


def is_counted(solved: Solved) -> npt.NDArray[np.bool_]:
    """bool ``[N]``: the puzzles whose solutions are counted, up to the limit. The others are malformed or given up."""
    status = solved.status
    return np.isin(status, [Status.SOLVED, Status.NONE, Status.MULTIPLE])


def limit_of(unique: bool, limit: int | None) -> int:
    """The number of solutions at which a search stops; 0 is no limit."""
    if limit is None:
        return 2 if unique else 1
    if unique:
        raise ValueError("unique=True looks for two solutions: leave out limit")
    natural(limit=limit)
    return limit


def rules_of(problem: Problem | None, kind: AnyKind, alphabet: str | None) -> _galop.Rules | None:
    """The rules of records of a problem."""
    from galop.cover import Problem

    if problem is None:
        return None
    if not isinstance(problem, Problem):
        raise ValueError(f"problem={problem!r:.40} is no galop.cover.Problem (Problem.from_text reads a text)")
    if kind != "sudoku" or alphabet is not None:
        raise ValueError("problem=... has rules of its own: leave out kind and alphabet")
    return _galop.Rules.of_problem(problem._problem)


@overload
def solve(
    puzzles: str,
    *,
    unique: bool = False,
    limit: int | None = None,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str: ...


@overload
def solve(
    puzzles: Any,
    *,
    unique: bool = False,
    limit: int | None = None,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Solved: ...


def solve(
    puzzles: Puzzles,
    *,
    unique: bool = False,
    limit: int | None = None,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str | Solved:
    """Solves puzzles on all cores. Every solution is checked by an independent verifier.

    A single ``str`` gives the solution as a ``str``. Everything else gives :class:`Solved`, with a row for each puzzle in
    the order of the input: ``solutions`` uint8 ``[N, C]``, ``status`` uint8 ``[N]``, ``count`` and ``guesses`` int64 ``[N]``,
    where ``C`` is 81 for a 9x9 sudoku. A row that is not a puzzle gets the status ``MALFORMED``; no row is left out. The result is
    a sequence of the solutions, each a ``str`` or ``None``: ``df.assign(solution=galop.solve(df.puzzle))``.

    :param puzzles: a ``str``; a list of ``str``; ``bytes`` of lines, in any format that the tool reads; whole numbers of shape
        ``[N, C]`` or ``[N, side, side]`` with 0 for a blank (in floats also NaN); a one-hot array with one more dimension, of
        ``side`` numbers, or of ``side + 1`` with the blank first; or a column of strings of pandas, polars or pyarrow. An array
        of uint8 in C order is used where it is (do not write to it meanwhile), and so are the strings of a column.
    :param unique: prove that each solution is the only one. A puzzle with several gets the status ``MULTIPLE``.
    :param limit: stop the search of a puzzle at this number of solutions; 0 counts all of them.
    :param max_guesses: give a puzzle up after this number of guesses. The default is the limit of the engine.
    :param engine: a name of :func:`galop.engines`. ``lanes`` solves 9x9 sudokus 256 at once; for other puzzles it stands
        for the fastest engine that there is.
    :param kind: a name of :func:`galop.kinds`, or several with a plus between them: ``"diagonal+anti-knight"``; with a map of
        regions or blocks of another shape a :class:`galop.Kind`. The puzzles show the size.
    :param problem: a :class:`galop.cover.Problem`, whose records are solved: each is a line of choices, options by some of
        their items, by numbers from 1, or forbidden, ``"r1 c1 | :12 | :- r2 c3"``, or a row of uint8 with 1 for each chosen
        option and 2 for each forbidden one. Solutions are choices, and rows with 1 for each of their options. It goes with
        neither ``kind`` nor ``alphabet``.
    :param alphabet: how more than nine symbols are written, for example ``1-9A-G`` or ``0-9A-F``, if the puzzles do not show it.
    :param threads: the number of threads; the default is one for each core. The result does not depend on it.
    :param progress: ``True`` for a bar, or a function that is called with the puzzles done and all puzzles.
    :raises ValueError: if the input cannot be read, or if a single ``str`` has no solution: the message says why.
    :raises KeyboardInterrupt: after Ctrl-C. (An engine that solves one puzzle at a time ends its puzzle first.)

    >>> import galop
    >>> easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> galop.solve(easy)
    '534678912672195348198342567859761423426853791713924856961537284287419635345286179'
    >>> galop.solve([easy, "." * 81, "rubbish"], unique=True)
    Solved(3 puzzles: 1 solved, 1 multiple, 1 malformed)
    """
    most = limit_of(unique, limit)
    rules = rules_of(problem, kind, alphabet)
    if isinstance(puzzles, str):
        batch = read(puzzles, kind, alphabet, rules=rules)
        if batch.malformed:
            raise ValueError(batch.malformed[0][1])
        natural(max_guesses=max_guesses)
        return _galop.solve_text(batch.rules, puzzles, engine, most == 2, max_guesses)
    batch = read(puzzles, kind, alphabet, threads, rules)
    return solve_rows(batch, most, max_guesses, engine, threads, progress)


@overload
def count(
    puzzles: str,
    limit: int = 0,
    *,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> int: ...


@overload
def count(
    puzzles: Any,
    limit: int = 0,
    *,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Ints: ...


def count(
    puzzles: Puzzles,
    limit: int = 0,
    *,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> int | Ints:
    """Counts solutions: of a single ``str`` as an ``int``, else as int64 ``[N]``.

    A puzzle that is malformed, or that the engine gave up, has -1 in the array; a single one raises ``ValueError``.
    :func:`solve` with ``limit=0`` tells them apart.

    :param limit: stop at this number of solutions; 0 counts all.

    The other parameters are as in :func:`solve`.

    >>> import galop
    >>> galop.count("1" + "." * 15), galop.count("." * 16, limit=100)
    (72, 100)
    """
    batch = read(puzzles, kind, alphabet, threads, rules_of(problem, kind, alphabet))
    if isinstance(puzzles, str) and batch.malformed:
        raise ValueError(batch.malformed[0][1])
    solved = solve_rows(batch, limit_of(False, limit), max_guesses, engine, threads, progress)
    is_known = is_counted(solved)
    if not isinstance(puzzles, str):
        return np.where(is_known, solved.count, -1)
    if not is_known[0]:
        guesses, solutions = counted(int(solved.guesses[0]), "guess"), counted(int(solved.count[0]), "solution")
        raise ValueError(f"gave up after {guesses}, with {solutions}")
    return int(solved.count[0])

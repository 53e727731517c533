"""The calls of the package."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from typing import Any, Union, overload

import numpy as np

from galop import _galop
from galop._inputs import Batch, Puzzles, read
from galop._natural import natural
from galop._progress import Progress, shown
from galop._results import (
    Augmented,
    Canonical,
    Comparison,
    FileFigures,
    Generated,
    Ints,
    Rated,
    Solved,
    Status,
    Verified,
)

_Path = Union[str, "os.PathLike[str]"]


def _solve_batch(
    batch: Batch,
    solutions: int,
    max_guesses: int | None,
    engine: str,
    threads: int | None,
    progress: Progress,
) -> Solved:
    natural(max_guesses=max_guesses)
    rows, cells = batch.cells.shape
    solved = np.empty((rows, cells), np.uint8)
    status = np.empty(rows, np.uint8)
    count, guesses = np.empty(rows, np.uint64), np.empty(rows, np.uint64)
    with shown(progress) as callback:
        places = (solved, status, count, guesses)
        _galop.solve_cells(batch.rules, batch.cells, engine, solutions, max_guesses, threads, callback, places)
    malformed = batch.malformed
    if not malformed:
        malformed = batch.numbers(np.flatnonzero(status == Status.MALFORMED)[:10].tolist())
    return Solved(solved, status, count.view(np.int64), guesses.view(np.int64), malformed, batch.rules)


def _limit(unique: bool, solutions: int | None) -> int:
    if solutions is None:
        return 2 if unique else 1
    if unique:
        raise ValueError("unique=True looks for two solutions: leave out solutions")
    natural(solutions=solutions)
    return solutions


@overload
def solve(
    puzzles: str,
    *,
    unique: bool = False,
    solutions: int | None = None,
    max_guesses: int | None = None,
    engine: str = "lanes",
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str: ...


@overload
def solve(
    puzzles: Any,
    *,
    unique: bool = False,
    solutions: int | None = None,
    max_guesses: int | None = None,
    engine: str = "lanes",
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Solved: ...


def solve(
    puzzles: Puzzles,
    *,
    unique: bool = False,
    solutions: int | None = None,
    max_guesses: int | None = None,
    engine: str = "lanes",
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str | Solved:
    """Solves puzzles on all cores. Every solution is checked by an independent verifier.

    A single ``str`` gives the solution as a ``str``. Everything else gives :class:`Solved`, with a row for each puzzle in
    the order of the input: ``solutions`` uint8 ``[N, C]``, ``status`` uint8 ``[N]``, ``count`` and ``guesses`` int64 ``[N]``,
    where ``C`` is 81 for a 9x9 sudoku. A row that is not a puzzle gets the status ``MALFORMED``; no row is left out.

    :param puzzles: a ``str``; a list of ``str``; ``bytes`` of lines, in any format that the tool reads; integers of shape
        ``[N, C]`` or ``[N, side, side]`` with 0 for a blank; or a column of strings of pandas, polars or pyarrow. An array of
        uint8 in C order is used where it is (do not write to it meanwhile), and so are the strings of a column.
    :param unique: prove that each solution is the only one. A puzzle with several gets the status ``MULTIPLE``.
    :param solutions: stop the search of a puzzle at this number of solutions; 0 counts all of them.
    :param max_guesses: give a puzzle up after this number of guesses. The default is that of the engine.
    :param engine: a name of :func:`galop.engines`. ``lanes`` solves 9x9 sudokus 256 at once; for other puzzles it stands
        for the fastest engine that there is.
    :param kind: a name of :func:`galop.kinds`. The size is that of the puzzles.
    :param regions: the map of the regions of a jigsaw: a letter or digit for each cell.
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
    limit = _limit(unique, solutions)
    if isinstance(puzzles, str):
        batch = read(puzzles, kind, regions, alphabet)
        if batch.malformed:
            raise ValueError(batch.malformed[0][1])
        natural(max_guesses=max_guesses)
        return _galop.solve_text(batch.rules, puzzles, engine, limit == 2, max_guesses)
    batch = read(puzzles, kind, regions, alphabet, threads)
    return _solve_batch(batch, limit, max_guesses, engine, threads, progress)


@overload
def count(
    puzzles: str,
    limit: int = 0,
    *,
    max_guesses: int | None = None,
    engine: str = "lanes",
    kind: str = "sudoku",
    regions: str | None = None,
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
    engine: str = "lanes",
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Ints: ...


def count(
    puzzles: Puzzles,
    limit: int = 0,
    *,
    max_guesses: int | None = None,
    engine: str = "lanes",
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> int | Ints:
    """Counts solutions: of a single ``str`` as an ``int``, else as int64 ``[N]``.

    A puzzle that is malformed, or that the engine gave up, has -1 in the array; a single one raises ``ValueError``.
    :func:`solve` with ``solutions=0`` tells them apart.

    :param limit: stop at this number of solutions; 0 counts all.

    The other parameters are those of :func:`solve`.

    >>> import galop
    >>> galop.count("1" + "." * 15), galop.count("." * 16, limit=100)
    (72, 100)
    """
    batch = read(puzzles, kind, regions, alphabet, threads)
    if isinstance(puzzles, str) and batch.malformed:
        raise ValueError(batch.malformed[0][1])
    solved = _solve_batch(batch, _limit(False, limit), max_guesses, engine, threads, progress)
    is_known = (solved.status == Status.SOLVED) | (solved.status == Status.NONE) | (solved.status == Status.MULTIPLE)
    if not isinstance(puzzles, str):
        return np.where(is_known, solved.count, -1)
    if not is_known[0]:
        raise ValueError(f"gave up after {solved.guesses[0]} guesses, with {solved.count[0]} solutions")
    return int(solved.count[0])


@overload
def verify(
    puzzles: str,
    solutions: str,
    *,
    unique: bool = False,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> bool: ...


@overload
def verify(
    puzzles: Any,
    solutions: Any,
    *,
    unique: bool = False,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Verified: ...


def verify(
    puzzles: Puzzles,
    solutions: Puzzles,
    *,
    unique: bool = False,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> bool | Verified:
    """Verifies that each solution keeps the clues of its puzzle and holds every symbol once in every unit.

    Two ``str`` give a ``bool``. Everything else gives :class:`Verified`, with ``right`` bool ``[N]``, and ``reasons``, which says
    what is wrong with the others.

    :param unique: also prove that each solution is the only one.

    The other parameters are those of :func:`solve`.

    >>> import galop
    >>> galop.verify("12..34....1....2", "1243342123144132")
    True
    >>> galop.verify(["12..34....1....2"], ["1243342123144123"]).reasons
    {0: 'wrong solution: row 4, column 4 holds 3, but the clue is 2'}
    """
    batch = read(puzzles, kind, regions, alphabet, threads)
    given = read(solutions, kind, regions, alphabet, threads, rules=batch.rules)
    if len(batch.cells) != len(given.cells):
        raise ValueError(f"{len(batch.cells)} puzzles with {len(given.cells)} solutions")
    with shown(progress) as callback:
        reasons = dict(_galop.verify(batch.rules, batch.cells, given.cells, threads, callback))
    for row, why in given.malformed:
        if reasons.get(row, "").endswith("solution is malformed"):
            reasons[row] = f"in the solution: {why}"
    for row, why in batch.malformed:
        reasons[row] = why
    if unique:
        solved = _solve_batch(batch, 2, None, "lanes", threads, progress)
        for row in np.flatnonzero(solved.status != Status.SOLVED).tolist():
            several = solved.status[row] == Status.MULTIPLE
            reasons.setdefault(row, "several solutions" if several else "not proved to be the only solution")
    if isinstance(puzzles, str):
        return not reasons
    right = np.ones(len(batch.cells), np.bool_)
    right[list(reasons)] = False
    return Verified(right, dict(sorted(reasons.items())))


@overload
def check(
    puzzles: str,
    *,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str | None: ...


@overload
def check(
    puzzles: Any,
    *,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> list[str | None]: ...


def check(
    puzzles: Puzzles,
    *,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str | None | list[str | None]:
    """Says why puzzles are impossible: for each a ``str``, or ``None`` if no reason is found without a guess.

    A puzzle without a reason may still have no solution. The parameters are those of :func:`solve`.

    >>> import galop
    >>> galop.check("44" + "." * 79)
    '4 stands twice in row 1: in row 1, column 1 and in row 1, column 2'
    >>> galop.check(["." * 81, "44" + "." * 79])[0] is None
    True
    """
    batch = read(puzzles, kind, regions, alphabet, threads)
    if isinstance(puzzles, str) and batch.malformed:
        raise ValueError(batch.malformed[0][1])
    with shown(progress) as callback:
        reasons = _galop.check(batch.rules, batch.cells, threads, callback)
    for row, why in batch.malformed:
        reasons[row] = f"malformed: {why}"
    return reasons[0] if isinstance(puzzles, str) else reasons


def rate(
    puzzles: Puzzles,
    *,
    engine: str = "lanes",
    images: int = 0,
    seed: int = 0,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Rated:
    """Rates how hard puzzles are: what singles leave of them, and the guesses of an engine to the proof that the solution is the
    only one.

    :param images: also count the guesses for this number of random images of each puzzle, which does away with luck.
    :param seed: the seed of the images.

    The other parameters are those of :func:`solve`. The ratings are those of ``galop rate`` for a file with these puzzles.

    >>> import galop
    >>> rated = galop.rate(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
    >>> rated.tier.tolist(), rated.guesses.tolist()
    (['singles'], [0])
    """
    batch = read(puzzles, kind, regions, alphabet, threads)
    natural(images=images, seed=seed)
    with shown(progress) as callback:
        names, rows = _galop.rate(batch.rules, batch.cells, engine, images, seed, threads, callback)
    columns = dict(zip(names, zip(*rows))) if rows else {name: () for name in names}
    known: dict[str, Any] = {"tier": np.array(columns.pop("tier"), dtype=np.str_)}
    for name, texts in columns.items():
        is_whole = name in ("blanks", "guesses")
        missing = "-1" if is_whole else "nan"
        known[name] = np.array([text or missing for text in texts], dtype=np.int64 if is_whole else np.float64)
    return Rated(**known)


@overload
def canonical(
    puzzles: str,
    *,
    direct: bool = False,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str: ...


@overload
def canonical(
    puzzles: Any,
    *,
    direct: bool = False,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Canonical: ...


def canonical(
    puzzles: Puzzles,
    *,
    direct: bool = False,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str | Canonical:
    """Finds canonical forms: two puzzles are the same but for a symmetry (rows, columns, digits, transposition) if and only if
    their forms are equal.

    A single ``str`` gives the form as a ``str``. Everything else gives :class:`Canonical`, with ``forms`` uint8 ``[N, C]`` and
    ``keys``, bytes of length 32 ``[N]``, by which tables can be joined.

    :param direct: find the least image of the clues of every puzzle, which is slower. Without it, this is done only for puzzles
        that have not one solution. A form of one kind is not comparable with one of the other kind.

    The other parameters are those of :func:`solve`. Sudokus of 4x4, 6x6 and 9x9 have such forms.
    """
    batch = read(puzzles, kind, regions, alphabet, threads)
    if isinstance(puzzles, str) and batch.malformed:
        raise ValueError(batch.malformed[0][1])
    rows, cells = batch.cells.shape
    forms, keys = np.empty((rows, cells), np.uint8), np.empty((rows, 32), np.uint8)
    kinds, automorphisms = np.empty(rows, np.uint8), np.empty(rows, np.uint32)
    with shown(progress) as callback:
        places = (forms, keys, kinds, automorphisms)
        _galop.canonical(batch.rules, batch.cells, direct, threads, callback, places)
    if isinstance(puzzles, str):
        return batch.rules.write(forms, False)[0] or ""
    names = np.array(["malformed", "solution", "direct"])[kinds]
    return Canonical(forms, keys.view("S32").reshape(rows), names, automorphisms, batch.rules)


def augment(
    puzzles: Puzzles,
    n: int = 1,
    *,
    solutions: Puzzles | None = None,
    seed: int | None = None,
    distinct: bool = False,
    kind: str = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Augmented:
    """Makes images of puzzles under random symmetries: ``puzzles`` uint8 ``[N, n, C]``.

    :param n: images of each puzzle.
    :param solutions: the solutions of the puzzles. The result then has their images under the same symmetries.
    :param seed: another seed gives other images. Without it one is drawn; it is in the result.
    :param distinct: all images of a puzzle are different.

    The other parameters are those of :func:`solve`. Image ``i`` of row ``r`` is that which ``galop augment`` writes for line
    ``r + 1`` of a file. Sudokus of 4x4, 6x6 and 9x9 have such symmetries.

    >>> import galop
    >>> galop.augment("12..34....1....2", 3, seed=1).puzzles.shape
    (1, 3, 16)
    """
    natural(n=n, seed=seed)
    batch = read(puzzles, kind, None, alphabet, threads)
    if batch.malformed:
        row, why = batch.malformed[0]
        raise ValueError(f"row {row}: {why}")
    wrong = np.flatnonzero((batch.cells > batch.rules.symbols).any(axis=1))[:1].tolist()
    if wrong:
        row, why = batch.numbers(wrong)[0]
        raise ValueError(f"row {row}: {why}")
    given = None
    if solutions is not None:
        given = read(solutions, kind, None, alphabet, threads, rules=batch.rules)
        if given.malformed:
            row, why = given.malformed[0]
            raise ValueError(f"row {row}, in the solution: {why}")
        if given.cells.shape != batch.cells.shape:
            raise ValueError(f"{len(batch.cells)} puzzles with {len(given.cells)} solutions")
    seed = secrets.randbits(64) if seed is None else seed
    rows, cells = batch.cells.shape
    images = np.zeros((rows, n, cells), np.uint8)
    solved = None if given is None else np.zeros((rows, n, cells), np.uint8)
    counts = np.zeros(rows, np.uint64)
    with shown(progress) as callback:
        flat = None if solved is None else solved.reshape(-1, cells)
        places = (images.reshape(-1, cells), flat, counts)
        theirs = None if given is None else given.cells
        _galop.augment(batch.rules, batch.cells, seed, distinct, threads, callback, theirs, places)
    return Augmented(images, solved, counts.view(np.int64), seed, batch.rules)


def generate(
    n: int = 1,
    *,
    seed: int | None = None,
    clues: int | tuple[int, int] | range | None = None,
    minimal: bool = False,
    symmetric: str | None = None,
    pattern: str | None = None,
    status: str | None = None,
    first: int = 0,
    kind: str = "sudoku",
    side: int = 9,
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Generated:
    """Makes ``n`` new puzzles, each with exactly one solution: ``puzzles`` and ``solutions`` uint8 ``[n, C]``.

    The same arguments give the same puzzles on every machine.

    :param seed: another seed gives other puzzles. Without it one is drawn; it is in the result.
    :param clues: the number of clues, or the least and the greatest number: ``(28, 30)`` and ``range(28, 31)`` are the same.
    :param minimal: without any one of the clues there is a second solution.
    :param symmetric: place the clues symmetrically: ``rotate180``, ``mirror`` and others; a wrong name tells all of them.
    :param pattern: place clues in exactly these cells: a character for each cell, ``.`` for a blank.
    :param status: ``none`` or ``multiple``: change each puzzle so that it has no solution, or several.
    :param first: the place of the first puzzle, so that several machines make parts of one run.
    :param side: the side of the grids.

    The other parameters are those of :func:`solve`.

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
    rules = _galop.Rules(kind, side, regions, alphabet)
    with shown(progress) as callback:
        puzzles, solutions, changes = _galop.generate(
            rules, n, seed, first, clues, minimal, pattern, symmetric, status, threads, callback
        )
    return Generated(puzzles, solutions, changes, seed, rules)


def compare(
    puzzles: Puzzles,
    engines: Sequence[str] | None = None,
    *,
    runs: int = 10,
    unique: bool = False,
    solutions: int | None = None,
    max_guesses: int | None = None,
    seed: int = 0,
    as_is: bool = False,
    budget: float | None = 10.0,
    kind: str = "sudoku",
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = 1,
    progress: Progress = None,
) -> Comparison:
    """Compares engines on the same puzzles: which one is faster, by how much, with how many guesses.

    ``print`` the result for the table; ``rows`` are the figures for a table of pandas. Malformed puzzles are left out.

    :param engines: names of :func:`galop.engines`, the first one the reference. The default is those that suit the puzzles.
    :param runs: measured runs of each engine.
    :param seed: the seed of orders and symmetries.
    :param as_is: do not permute the puzzles in each run.
    :param budget: seconds of processor time after which a run of an engine ends; ``None`` for no limit.

    The other parameters are those of :func:`solve`.
    """
    natural(runs=runs, max_guesses=max_guesses, seed=seed, threads=threads)
    batch = read(puzzles, kind, regions, alphabet, None)
    keep = (batch.cells <= batch.rules.symbols).all(axis=1)
    cells = batch.cells if keep.all() else np.ascontiguousarray(batch.cells[keep])
    names = None if engines is None else list(engines)
    with shown(progress, "answers") as callback:
        limit = _limit(unique, solutions)
        text, figures = _galop.compare(
            batch.rules, cells, names, runs, limit, max_guesses, seed, as_is, budget, threads, callback
        )
    return Comparison(text, json.loads(figures))


def solve_file(
    input: _Path,
    output: _Path,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    engine: str = "lanes",
    kind: str = "sudoku",
    format: str | None = None,
    regions: str | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> FileFigures:
    """Solves a file of puzzles to another file, in constant memory.

    The input is read in any format that the tool reads (lines, CSV, JSON lines, grids, ``.npy``, compressed or not); it may be a
    folder. The output has a record for each one of the input, in the same order. It appears when it is complete.

    :param format: the format of the output, for example ``csv``; the default is that of the name of the output, or pairs
        ``puzzle,solution``.
    :raises OSError: if a file cannot be read or written.
    :raises ValueError: if what is in the input is wrong as a whole. Malformed records are not errors: they are in the result.

    The other parameters are those of :func:`solve`.
    """
    natural(max_guesses=max_guesses, threads=threads)
    with shown(progress) as callback:
        counts, guesses, malformed = _galop.solve_file(
            os.fspath(input),
            os.fspath(output),
            unique,
            max_guesses,
            engine,
            kind,
            format,
            regions,
            alphabet,
            threads,
            callback,
        )
    return FileFigures({word: number for word, number in counts if number}, guesses, malformed)

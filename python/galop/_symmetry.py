"""Calls with symmetries: `canonical` and `augment`."""

from __future__ import annotations

import secrets
from typing import Any, overload

import numpy as np

from galop import _galop
from galop._choices import AnyKind
from galop._inputs import Batch, Puzzles, read_grids, read_solutions
from galop._natural import natural
from galop._progress import Progress, shown
from galop._results import Augmented, Bytes, Canonical


@overload
def canonical(
    puzzles: str,
    *,
    direct: bool = False,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str: ...


@overload
def canonical(
    puzzles: Any,
    *,
    direct: bool = False,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Canonical: ...


def canonical(
    puzzles: Puzzles,
    *,
    direct: bool = False,
    kind: AnyKind = "sudoku",
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

    The other parameters are as in :func:`solve`. Sudokus of 4x4, 6x6 and 9x9 have such forms.
    """
    batch = read_grids(puzzles, kind, alphabet, threads)
    if isinstance(puzzles, str) and batch.malformed:
        raise ValueError(batch.malformed[0][1])
    found = canonical_rows(batch, direct, threads, progress)
    if isinstance(puzzles, str):
        return found.strings()[0] or ""
    return found


def canonical_rows(batch: Batch, direct: bool, threads: int | None, progress: Progress) -> Canonical:
    """The canonical forms of rows of cells."""
    rows, cells = batch.cells.shape
    forms, keys = np.empty((rows, cells), np.uint8), np.empty((rows, 32), np.uint8)
    kinds, automorphisms = np.empty(rows, np.uint8), np.empty(rows, np.uint32)
    with shown(progress) as callback:
        places = (forms, keys, kinds, automorphisms)
        _galop.canonical(batch.rules, batch.cells, direct, threads, callback, places)
    names = np.array(["malformed", "solution", "direct"])[kinds]
    return Canonical(forms, keys.view("S32").reshape(rows), names, automorphisms, batch.rules)


@overload
def augment(
    puzzles: Puzzles,
    times: int = 1,
    *,
    solutions: None = None,
    seed: int | None = None,
    distinct: bool = False,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Augmented[None]: ...


@overload
def augment(
    puzzles: Puzzles,
    times: int = 1,
    *,
    solutions: Any,
    seed: int | None = None,
    distinct: bool = False,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Augmented[Bytes]: ...


def augment(
    puzzles: Puzzles,
    times: int = 1,
    *,
    solutions: Puzzles | None = None,
    seed: int | None = None,
    distinct: bool = False,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Augmented[Bytes] | Augmented[None]:
    """Makes images of puzzles under random symmetries: ``puzzles`` uint8 ``[N, times, C]``, which :func:`solve` and
    :func:`verify` take as ``N * times`` puzzles.

    :param times: images of each puzzle.
    :param solutions: the solutions of the puzzles. The result then has their images under the same symmetries.
    :param seed: another seed gives other images. Without it one is drawn; it is in the result.
    :param distinct: all images of a puzzle are different.

    The other parameters are as in :func:`solve`. Image ``i`` of row ``r`` is that which ``galop augment`` writes for line
    ``r + 1`` of a file. Sudokus of 4x4, 6x6 and 9x9 have such symmetries.

    >>> import galop
    >>> galop.augment("12..34....1....2", 3, seed=1).puzzles.shape
    (1, 3, 16)
    """
    natural(times=times, seed=seed)
    batch = read_grids(puzzles, kind, alphabet, threads)
    if batch.malformed:
        row, why = batch.malformed[0]
        raise ValueError(f"row {row}: {why}")
    wrong = np.flatnonzero((batch.cells > batch.rules.symbols).any(axis=1))[:1].tolist()
    if wrong:
        row, why = batch.numbers(wrong)[0]
        raise ValueError(f"row {row}: {why}")
    given = None
    if solutions is not None:
        given = read_solutions(batch, solutions, threads)
        if given.malformed:
            row, why = given.malformed[0]
            raise ValueError(f"row {row}, in the solution: {why}")
    seed = secrets.randbits(64) if seed is None else seed
    rows, cells = batch.cells.shape
    images = np.zeros((rows, times, cells), np.uint8)
    solved = None if given is None else np.zeros((rows, times, cells), np.uint8)
    counts = np.zeros(rows, np.uint64)
    with shown(progress) as callback:
        flat = None if solved is None else solved.reshape(-1, cells)
        places = (images.reshape(-1, cells), flat, counts)
        theirs = None if given is None else given.cells
        _galop.augment(batch.rules, batch.cells, seed, distinct, threads, callback, theirs, places)
    found = counts.view(np.int64)
    if solved is None:
        return Augmented(images, None, found, seed, batch.rules)
    return Augmented(images, solved, found, seed, batch.rules)

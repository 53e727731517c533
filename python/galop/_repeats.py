"""Puzzles that are the same but for a symmetry: `dedup`, `leak` and `split`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from galop import _galop
from galop._choices import AnyKind, By
from galop._inputs import Puzzles, read_beside
from galop._natural import counted, natural, share_of
from galop._progress import Progress, shown
from galop._results import Ints, _Mask

_Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, repr=False, eq=False)
class Repeats(_Mask):
    """Which of ``N`` puzzles repeat an earlier one. As a sequence, it has for each whether it is kept, a ``bool``:
    ``df[galop.dedup(df.puzzle)]`` has the first row of each class."""

    keep: _Bools
    """bool ``[N]``: the first puzzle of each class. Malformed rows are not kept."""
    first: Ints
    """int64 ``[N]``: the row of the first puzzle of the class: the row itself if it is kept; -1 of malformed rows."""

    @property
    def counts(self) -> dict[str, int]:
        """How many rows are ``kept``, are ``repeats``, and are ``malformed``."""
        kept, malformed = int(self.keep.sum()), int((self.first < 0).sum())
        return {"kept": kept, "repeats": len(self) - kept - malformed, "malformed": malformed}

    def __repr__(self) -> str:
        counts = self.counts
        malformed = f", {counts['malformed']:,} malformed" if counts["malformed"] else ""
        repeats = counted(counts["repeats"], "repeat")
        return f"Repeats({counted(len(self), 'puzzle')}: {counts['kept']:,} kept, {repeats}{malformed})"


@dataclass(frozen=True, repr=False, eq=False)
class Leaks(_Mask):
    """Which of ``M`` tests are in the training data. As a sequence, it has a ``bool`` for each:
    ``test[~galop.leak(train.puzzle, test.puzzle)]`` has the tests that are not."""

    leaked: _Bools
    """bool ``[M]``: the tests that equal a training puzzle, or whose solution equals a training solution, up to symmetry."""
    train_row: Ints
    """int64 ``[M]``: the row of the first such training puzzle; -1 of tests that are not in the training data."""
    by: npt.NDArray[np.str_]
    """str ``[M]``: ``puzzle`` if the puzzles are equal up to symmetry, ``grid`` if only the solutions are; else empty."""
    symmetry: list[str]
    """The symmetry that makes the test puzzle the training puzzle (of ``grid``: its solution the other solution), as the tool
    prints it: ``t`` for a transposition, then the new order of the rows (``r``) and columns (``c``), and the new symbols (``d``).
    Empty of tests that are not in the training data."""

    @property
    def counts(self) -> dict[str, int]:
        """How many tests share the ``puzzle``, how many only the solution ``grid``, and how many are ``clean``."""
        puzzles, grids = int((self.by == "puzzle").sum()), int((self.by == "grid").sum())
        return {"puzzle": puzzles, "grid": grids, "clean": len(self) - puzzles - grids}

    def __repr__(self) -> str:
        counts = self.counts
        return (
            f"Leaks({counted(len(self), 'test')}: {counted(counts['puzzle'], 'puzzle')} and the"
            f" {counted(counts['grid'], 'solution').partition(' ')[2]} of {counts['grid']:,} in the training data)"
        )


@dataclass(frozen=True, repr=False, eq=False)
class Split(_Mask):
    """The sides of ``N`` puzzles. As a sequence, it has for each whether it is a test, a ``bool``."""

    is_train: _Bools
    """bool ``[N]``: the training data."""
    is_test: _Bools
    """bool ``[N]``: the tests. Malformed rows are neither."""

    @property
    def train(self) -> Ints:
        """int64: the rows of the training data, in order."""
        return np.flatnonzero(self.is_train).astype(np.int64)

    @property
    def test(self) -> Ints:
        """int64: the rows of the tests, in order."""
        return np.flatnonzero(self.is_test).astype(np.int64)

    def _mask(self) -> _Bools:
        return self.is_test

    def __repr__(self) -> str:
        train, test = int(self.is_train.sum()), int(self.is_test.sum())
        malformed = len(self) - train - test
        return f"Split({train:,} for training, {counted(test, 'test')}{f', {malformed:,} malformed' if malformed else ''})"


def dedup(
    puzzles: Puzzles,
    *,
    by: By = "puzzle",
    solutions: Puzzles | None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Repeats:
    """Finds puzzles that repeat an earlier one up to symmetry: renamed symbols, exchanged rows, columns, bands or stacks, a
    transposition. The result is :class:`Repeats`, with ``keep`` bool ``[N]`` and ``first`` int64 ``[N]``.

    The rows that are kept are those that ``galop dedup`` writes for a file with these puzzles. A malformed row is not kept, as
    the tool leaves it out; it has -1 in ``first`` and counts in ``counts["malformed"]``.

    :param by: what makes two puzzles equal. ``puzzle``: a symmetry turns one into the other. ``grid``: a symmetry turns one
        solution into the other; puzzles without exactly one solution equal no other. ``text``: the cells are the same.
    :param solutions: the solutions of the puzzles, if each puzzle is known to have only one: they save the search, as
        ``--trust-solutions`` does. A wrong solution is not used. If a puzzle has several, its class depends on the given one.

    The other parameters are as in :func:`solve`. Sudokus of 4x4, 6x6 and 9x9 have symmetries; ``by="text"`` takes all kinds.

    >>> import galop
    >>> puzzle = "12..34....1....2"
    >>> image = galop.augment(puzzle, seed=1).strings()[0]
    >>> galop.dedup([puzzle, "1...............", image, "short"]).first.tolist()
    [0, 1, 0, -1]
    """
    batch, answers = read_beside(puzzles, solutions, kind, alphabet, threads)
    first = np.empty(len(batch.cells), np.int64)
    with shown(progress) as callback:
        _galop.dedup(batch.rules, batch.cells, answers, by, threads, callback, first)
    return Repeats(first == np.arange(len(first)), first)


def leak(
    train: Puzzles,
    test: Puzzles,
    *,
    train_solutions: Puzzles | None = None,
    test_solutions: Puzzles | None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Leaks:
    """Finds the tests that are in the training data up to symmetry, and those that only have the solution of a training puzzle up
    to symmetry. The result is :class:`Leaks`, with ``leaked`` bool ``[M]``, ``train_row`` int64 ``[M]``, ``by`` and ``symmetry``.

    It finds what ``galop leak`` finds in files with these puzzles. Malformed rows of both sides are not compared.

    :param train: the training data, puzzles as in :func:`solve`.
    :param test: the tests, of the same kind and size.
    :param train_solutions: the solutions of the training puzzles, if each is known to have only one: they save the search. A
        wrong solution is not used.
    :param test_solutions: the same for the tests.

    The other parameters are as in :func:`solve`. Sudokus of 4x4, 6x6 and 9x9 have symmetries.

    >>> import galop
    >>> train = ["1...............", "12..34....1....2"]
    >>> found = galop.leak(train, galop.augment(train[1], 2, seed=1).strings())
    >>> found.train_row.tolist(), found.by.tolist(), found.symmetry[0]
    ([1, 1], ['puzzle', 'puzzle'], 't-r3412-c2143-d3124')
    """
    training, answers = read_beside(train, train_solutions, kind, alphabet, threads)
    tests, test_answers = read_beside(test, test_solutions, kind, alphabet, threads, training.rules)
    with shown(progress) as callback:
        pairs = (training.cells, answers), (tests.cells, test_answers)
        found = _galop.leak(training.rules, *pairs, threads, callback)
    count = len(tests.cells)
    rows, by, symmetry = np.full(count, -1, np.int64), np.zeros(count, np.uint8), [""] * count
    for row, train_row, is_puzzle, how in found:
        rows[row], by[row], symmetry[row] = train_row, 1 if is_puzzle else 2, how
    return Leaks(rows >= 0, rows, np.array(["", "puzzle", "grid"])[by], symmetry)


def split(
    puzzles: Puzzles,
    test: float = 0.2,
    *,
    seed: int,
    by: By = "puzzle",
    solutions: Puzzles | None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Split:
    """Splits puzzles into training data and tests, with all puzzles of a class on one side. The result is :class:`Split`, with the
    masks ``is_train`` and ``is_test``, bool ``[N]``, and the row numbers ``train`` and ``test``.

    The sides are those that ``galop split`` chooses. With a share, the class and the seed decide the side, so it does not change
    when puzzles are added, and the share is exact only on average. Malformed rows are on neither side.

    :param test: the share of the tests, from 0 to 1, or how many there are, such as 2000. A class that would make the tests too
        many is training data.
    :param seed: another seed gives another split.
    :param by: what makes two puzzles one class, as in :func:`dedup`. With ``grid``, tests and training data share no solution.

    The other parameters are as in :func:`dedup`.

    >>> import galop
    >>> made = galop.generate(100, seed=1)
    >>> found = galop.split(made.puzzles, 0.25, seed=1, by="grid")
    >>> found
    Split(86 for training, 14 tests)
    >>> galop.leak(made.puzzles[found.train], made.puzzles[found.test]).leaked.any().item()
    False
    """
    natural(seed=seed)
    is_count = isinstance(test, (int, np.integer)) and test > 1
    share, count = (0.0, int(test)) if is_count else (share_of(test=test), None)
    batch, answers = read_beside(puzzles, solutions, kind, alphabet, threads)
    sides = np.full(len(batch.cells), 2, np.uint8)
    with shown(progress) as callback:
        _galop.split(batch.rules, batch.cells, answers, by, share, count, seed, threads, callback, sides)
    return Split(sides == 0, sides == 1)

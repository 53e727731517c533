"""Engines side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from galop import _galop
from galop._choices import AnyKind
from galop._inputs import Puzzles, read
from galop._natural import natural
from galop._progress import Progress, shown
from galop._results import Comparison
from galop._solve import limit_of


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
    kind: AnyKind = "sudoku",
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

    The other parameters are as in :func:`solve`.
    """
    natural(runs=runs, max_guesses=max_guesses, seed=seed, threads=threads)
    batch = read(puzzles, kind, alphabet, None)
    keep = (batch.cells <= batch.rules.symbols).all(axis=1)
    cells = batch.cells if keep.all() else np.ascontiguousarray(batch.cells[keep])
    names = None if engines is None else list(engines)
    with shown(progress, "answers") as callback:
        limit = limit_of(unique, solutions)
        text, figures = _galop.compare(
            batch.rules, cells, names, runs, limit, max_guesses, seed, as_is, budget, threads, callback
        )
    return Comparison(text, json.loads(figures))

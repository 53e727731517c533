"""Some of the puzzles, drawn at random: `sample`."""

from __future__ import annotations

import secrets

from galop import _galop
from galop._choices import AnyKind
from galop._inputs import Puzzles, read_grids
from galop._natural import natural, share_of
from galop._progress import Progress, shown
from galop._results import Ints


def sample(
    puzzles: Puzzles,
    n: int | None = None,
    *,
    share: float | None = None,
    seed: int | None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Ints:
    """Draws puzzles at random: int64, the numbers of their rows in order. ``df.iloc[galop.sample(df.puzzle, 1000, seed=1)]`` has
    these rows. Malformed rows are never drawn.

    :param n: how many are drawn, all choices equally likely; all of them if there are not more.
    :param share: in place of ``n``: draw each with this probability, from 0 to 1.
    :param seed: another seed draws other rows. Without it one is drawn. With the same seed, ``galop sample`` draws the same records
        of a file with these puzzles.

    The other parameters are as in :func:`solve`.

    >>> import galop
    >>> galop.sample(["1" + "." * 15] * 100, 5, seed=1).tolist()
    [6, 9, 22, 84, 88]
    """
    natural(n=n, seed=seed)
    if (n is None) == (share is None):
        raise ValueError("give n or share: how many puzzles are drawn, or with which probability each is")
    probability = 0.0 if share is None else share_of(share=share)
    batch = read_grids(puzzles, kind, alphabet, threads)
    drawn = secrets.randbits(64) if seed is None else seed
    with shown(progress) as callback:
        return _galop.sample(batch.rules, batch.cells, n, probability, drawn, threads, callback)

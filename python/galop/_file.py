"""Files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Union

from galop import _galop
from galop._choices import AnyKind, Engine, Format
from galop._natural import natural
from galop._progress import Progress, shown
from galop._results import FileFigures
from galop._solve import rules_of

if TYPE_CHECKING:
    from galop.cover import Problem

_Path = Union[str, "os.PathLike[str]"]


def solve_file(
    input: _Path,
    output: _Path,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    problem: Problem | None = None,
    format: Format | None = None,
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> FileFigures:
    """Solves a file of puzzles to another file, in constant memory.

    The input is read in any format that the tool reads (lines, CSV, JSON lines, grids, ``.npy``, compressed or not); it may be a
    folder. The output has a record for each one of the input, in the same order. It appears when it is complete.

    :param format: the format of the output, for example ``csv``; the default is the format of its name, or pairs
        ``puzzle,solution``.
    :raises OSError: if a file cannot be read or written.
    :raises ValueError: if what is in the input is wrong as a whole. Malformed records are not errors: they are in the result.

    The other parameters are as in :func:`solve`.
    """
    natural(max_guesses=max_guesses, threads=threads)
    rules_of(problem, kind, alphabet)
    with shown(progress) as callback:
        counts, guesses, malformed = _galop.solve_file(
            os.fspath(input),
            os.fspath(output),
            unique,
            max_guesses,
            engine,
            kind,
            None if problem is None else problem._problem,
            format,
            alphabet,
            threads,
            callback,
        )
    return FileFigures({word: number for word, number in counts if number}, guesses, malformed)

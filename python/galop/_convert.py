"""Puzzles in the formats of files: `convert`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import Any, Literal, overload

from galop import _galop
from galop._choices import AnyKind, ConvertedFormat, TextFormat
from galop._inputs import Puzzles, read_beside
from galop._natural import natural
from galop._parquet import created, is_parquet, opened
from galop._progress import Progress, shown
from galop._records import Records


@overload
def convert(
    puzzles: Any,
    format: TextFormat,
    *,
    solutions: Puzzles | None = None,
    output: None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str: ...


@overload
def convert(
    puzzles: Any,
    format: Literal["npy", "npz"],
    *,
    solutions: Puzzles | None = None,
    output: None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> bytes: ...


@overload
def convert(
    puzzles: Any,
    format: ConvertedFormat | None = None,
    *,
    solutions: Puzzles | None = None,
    output: str | os.PathLike[str],
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> None: ...


def convert(
    puzzles: Puzzles,
    format: ConvertedFormat | None = None,
    *,
    solutions: Puzzles | None = None,
    output: str | os.PathLike[str] | None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> str | bytes | None:
    """Writes puzzles in another format, without solving them: a ``str`` for formats of text, ``bytes`` for the others, or the file
    ``output``.

    The ``bytes`` and the ``pathlib.Path`` of a file are converted as ``galop convert`` does it: each puzzle keeps its characters,
    and its other columns where the format has columns. All other puzzles are written in galop's notation, with ``.`` for a blank,
    as the tool converts a file of such puzzles with their solutions.

    :param format: ``pair``, ``csv``, ``tsv``, ``json``, ``grid``, ``npy`` or ``npz``.
        Without it, the ending of ``output`` chooses the format, or else it is ``pair``.
    :param solutions: the solutions beside the puzzles; 0 in all cells stands for none. What :func:`read_file` returned has its own.
    :param output: the name of a file, which appears when it is complete. Endings like ``.gz`` and ``.zst`` compress it. pyarrow
        writes files of Parquet (``.parquet``), and reads them.

    The other parameters are as in :func:`solve`.

    :raises ValueError: if the format is unknown, or has no place for puzzles of this kind.
    :raises OSError: if a file cannot be read or written.

    >>> import galop
    >>> print(galop.convert("12..34....1....2", "csv", solutions="1243342123144132"), end="")
    puzzle,solution
    12..34....1....2,1243342123144132
    >>> galop.convert(["12..34....1....2"], "npy")[:6]
    b'\\x93NUMPY'
    """
    natural(threads=threads)
    if format is None and output is None:
        raise ValueError("give a format, for example 'csv', or output, the name of a file")
    target = None if output is None else os.fspath(output)
    if format is None and target is not None and is_parquet(target):
        name, is_text = "csv", True
    else:
        name, is_text = _galop.format_of(format, target)
    if solutions is None and isinstance(puzzles, Records):
        solutions = puzzles.solutions
    rows = data = path = None
    if solutions is None and isinstance(puzzles, os.PathLike):
        path = os.fspath(puzzles)
    elif solutions is None and isinstance(puzzles, (bytes, bytearray, memoryview)):
        data = bytes(puzzles)
    else:
        batch, answers = read_beside(puzzles, solutions, kind, alphabet, threads)
        rows = (batch.rules, batch.cells, answers)

    with ExitStack() as stack:
        table = None if path is None else stack.enter_context(opened(path, kind, alphabet))
        into = None if target is None else stack.enter_context(created(target, table, format))
        callback = stack.enter_context(shown(progress))
        written = _galop.convert(rows, data, table.path if table else None, kind, alphabet, name, into, threads, callback)
    if written is None:
        return None
    if not is_text:
        return written
    try:
        return written.decode()
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8 (with output=, the name of a file, all bytes are kept)") from None

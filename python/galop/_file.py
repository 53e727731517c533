"""Files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Union

from galop import _galop
from galop._choices import AnyKind, Engine, Format
from galop._natural import natural
from galop._parquet import created, opened
from galop._progress import Progress, shown
from galop._results import FileFigures, FileVerdicts
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
    folder, of which the files with an ending of these formats are read. The output has a record for each one of the input, in the
    same order. It appears when it is complete. Both may be files of Parquet (``.parquet``), which pyarrow reads and writes: the
    output is as in csv, and the columns of a table keep their types.

    :param format: the format of the output, for example ``csv``; the default is the format of its name, or pairs
        ``puzzle,solution``.
    :raises OSError: if a file cannot be read or written.
    :raises ImportError: for Parquet, without pyarrow.
    :raises ValueError: if what is in the input is wrong as a whole. Malformed records are not errors: they are in the result.

    The other parameters are as in :func:`solve`.
    """
    natural(max_guesses=max_guesses, threads=threads)
    rules = rules_of(problem, kind, alphabet)
    path, target = os.fspath(input), os.fspath(output)
    with opened(path, kind, alphabet, rules) as table, created(target, table, format) as written, shown(progress) as callback:
        counts, guesses, malformed = _galop.solve_file(
            table.path,
            written,
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
        malformed = [line.replace(table.path, path) for line in malformed]
    return FileFigures({word: number for word, number in counts if number}, guesses, malformed)


def verify_file(
    input: _Path,
    *,
    unique: bool = False,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
) -> FileVerdicts:
    """Verifies the solutions beside the puzzles of a file, in constant memory. A puzzle without a solution is solved: it is faulty
    if it has none. The input is read as :func:`solve_file` does it; it may be a file of Parquet.

    :param unique: also prove that each solution is the only one, or that each puzzle has one only.
    :raises OSError: if the file cannot be read.
    :raises ImportError: for Parquet, without pyarrow.
    :raises ValueError: if what is in it is wrong as a whole.

    The other parameters are as in :func:`solve`.

    >>> import galop, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "puzzles.csv")
    >>> lines = path.write_text("puzzle,solution\\n12..34....1....2,1243342123144132\\n12..34....1....2,1243342123144123\\n")
    >>> found = galop.verify_file(path)
    >>> found, found.faulty
    (FileVerdicts(1 right, 1 faulty), 1)
    >>> found.faults[0].removeprefix(str(path))
    ':3:33: wrong solution: row 4, column 4 holds 3, but the clue is 2'
    """
    natural(threads=threads)
    path = os.fspath(input)
    with opened(path, kind, alphabet) as table:
        counts, faults, faulty = _galop.verify_file(table.path, unique, kind, alphabet, threads)
        faults = [line.replace(table.path, path) for line in faults]
    return FileVerdicts({words: number for words, number in counts if number}, faults, faulty)

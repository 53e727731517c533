"""The records of files as arrays: `read_file`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from galop import _parquet
from galop._choices import AnyKind
from galop._natural import counted
from galop._results import Bytes, Column, _Rows
from galop._tables import Columns, Texts

if TYPE_CHECKING:
    from galop._galop import Rules


@dataclass(frozen=True, repr=False, eq=False)
class Records(_Rows[Union[str, None]]):
    """The ``N`` records of a file. As a sequence, it has each puzzle as a ``str``, or ``None`` if it is malformed. A mask keeps
    puzzles and solutions side by side: ``records[galop.dedup(records).keep]``."""

    puzzles: Bytes
    """uint8 ``[N, C]``: the puzzles, 0 for a blank; 255 in malformed rows."""
    solutions: Bytes | None
    """uint8 ``[N, C]``: the solutions beside them, 0 in the rows of records without one. ``None`` if no record has one."""
    malformed: list[tuple[int, str]]
    """The first ten malformed rows: the number of the row, and what is wrong: file, line, column and the reason."""
    _rules: Rules = field(compare=False)

    @property
    def is_puzzle(self) -> npt.NDArray[np.bool_]:
        """bool ``[N]``: the rows that are not malformed."""
        return np.asarray((self.puzzles <= self._rules.symbols).all(axis=1), np.bool_)

    def strings(self) -> list[str | None]:
        """The puzzles as text; ``None`` for malformed rows."""
        return self._texts().strings()

    _items = strings

    def _texts(self) -> Texts:
        is_puzzle = self.is_puzzle
        return Texts(np.where(is_puzzle[:, None], self.puzzles, 0), is_puzzle, self._rules)

    def _lent(self) -> Columns:
        found: dict[str, Column | Texts] = {"puzzle": self._texts()}
        if self.solutions is not None:
            found["solution"] = Texts(self.solutions, np.asarray(self.solutions.any(axis=1), np.bool_), self._rules)
        return found

    def _grids(self) -> tuple[Rules, Bytes, bool]:
        return self._rules, np.where(self.is_puzzle[:, None], self.puzzles, 0), True

    def __repr__(self) -> str:
        words = [counted(len(self), "record")]
        if self.solutions is not None:
            words.append(counted(int(self.solutions.any(axis=1).sum()), "solution"))
        wrong = len(self) - int(self.is_puzzle.sum())
        return f"Records({', '.join(words)}{f', {wrong:,} malformed' if wrong else ''})"


def read_file(
    path: str | os.PathLike[str],
    *,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
) -> Records:
    """Reads the puzzles of a file and the solutions beside them: :class:`Records`, with ``puzzles`` uint8 ``[N, C]``, and
    ``solutions`` uint8 ``[N, C]``, or ``None`` if the file has none.

    Every call takes the result in place of puzzles, and in place of the solutions beside them. A ``pathlib.Path`` does the same
    for one call: ``galop.solve(Path("puzzles.csv"))``, ``galop.verify(Path("puzzles.csv"))``.

    :param path: a file in any format that the tool reads: lines, CSV, JSON lines, grids, ``.npy``, ``.npz``, Parquet, compressed
        or not; a zip archive; or a folder of such files, in the order of their names. Members of an archive and files of a
        folder with other endings are passed over. The columns of puzzles and solutions are found as the tool finds them, by
        their names and contents.

    The other parameters are as in :func:`solve`. Malformed records are not errors: each keeps its row.

    :raises OSError: if the file cannot be read; ``FileNotFoundError`` if it is not there.
    :raises ValueError: if what is in it is wrong as a whole.

    >>> import galop, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "puzzles.csv")
    >>> lines = path.write_text("id,puzzle,solution\\n1,12..34....1....2,1243342123144132\\n2,12..,\\n")
    >>> records = galop.read_file(path)
    >>> records
    Records(2 records, 1 solution, 1 malformed)
    >>> galop.verify(records).reasons[1].removeprefix(str(path))
    ':3:7: 4 cells (a puzzle has 16, row by row on one line)'
    >>> galop.solve(path)
    Solved(2 puzzles: 1 solved, 1 malformed)
    """
    rules, puzzles, solutions, malformed = _parquet.read_file(os.fspath(path), kind, alphabet, None)
    return Records(puzzles, solutions, malformed, rules)

"""Answers puzzles by the million: sudokus, other grids, exact cover.

>>> import galop
>>> galop.solve("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
'417369825632158947958724316825437169791586432346912758289643571573291684164875293'

| to | use |
|---|---|
| solve, count solutions | :func:`solve`, :func:`count` |
| check answers, or that puzzles have one | :func:`verify` |
| explain step by step | :func:`explain`, :func:`hint`, :func:`techniques` |
| draw a grid | :func:`show` |
| say how hard | :func:`rate` |
| find duplicates | :func:`dedup`, :func:`canonical` |
| find tests in the training data | :func:`leak` |
| split, draw some | :func:`split`, :func:`sample` |
| make more data | :func:`generate`, :func:`augment` |
| compare engines | :func:`compare` |
| give a map of regions | :class:`Kind` |
| read a file | :func:`read_file` |
| write a file | :func:`convert` |
| solve a file, verify one | :func:`solve_file`, :func:`verify_file` |
| exact cover | :mod:`galop.cover` |
| tables of pandas and polars | :mod:`galop.pandas`, :mod:`galop.polars` |
| a table of Spark | :mod:`galop.spark` |

Puzzles are a ``str``, a list of ``str``, the ``pathlib.Path`` of a file, ``bytes`` of lines, an array of whole numbers of shape
``[N, 81]`` or ``[N, 9, 9]`` (0 is a blank), a one-hot array, or a column of strings of pandas, polars or pyarrow. Results are
sequences with a row for each puzzle: ``df.assign(solution=galop.solve(df.puzzle))``. They can be pickled and copied. They are
also tables: ``to_pandas()``, ``to_polars()``, ``to_arrow()``, and any library that reads streams of Arrow, such as DuckDB.

The interpreter is free while galop works, so that other threads run; Ctrl-C stops a call. Bad input raises ``ValueError``, and
files that cannot be read or written raise ``OSError``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from galop._galop import Kind as Kind
from galop._galop import __version__ as __version__
from galop._galop import engines as _engines
from galop._galop import kinds as _kinds

if TYPE_CHECKING:
    from galop import cover as cover
    from galop import pandas as pandas
    from galop import polars as polars
    from galop import spark as spark
    from galop._compare import compare as compare
    from galop._convert import convert as convert
    from galop._explain import Board as Board
    from galop._explain import Candidate as Candidate
    from galop._explain import Explanation as Explanation
    from galop._explain import Node as Node
    from galop._explain import Step as Step
    from galop._explain import Technique as Technique
    from galop._explain import explain as explain
    from galop._explain import hint as hint
    from galop._explain import show as show
    from galop._explain import techniques as techniques
    from galop._file import solve_file as solve_file
    from galop._file import verify_file as verify_file
    from galop._generate import generate as generate
    from galop._inspect import rate as rate
    from galop._inspect import verify as verify
    from galop._levels import Levels as Levels
    from galop._records import Records as Records
    from galop._records import read_file as read_file
    from galop._repeats import Leaks as Leaks
    from galop._repeats import Repeats as Repeats
    from galop._repeats import Split as Split
    from galop._repeats import dedup as dedup
    from galop._repeats import leak as leak
    from galop._repeats import split as split
    from galop._results import Augmented as Augmented
    from galop._results import Canonical as Canonical
    from galop._results import Comparison as Comparison
    from galop._results import FileFigures as FileFigures
    from galop._results import FileVerdicts as FileVerdicts
    from galop._results import Generated as Generated
    from galop._results import Rated as Rated
    from galop._results import Solved as Solved
    from galop._results import Status as Status
    from galop._results import Verified as Verified
    from galop._sample import sample as sample
    from galop._solve import count as count
    from galop._solve import solve as solve
    from galop._symmetry import augment as augment
    from galop._symmetry import canonical as canonical

# numpy takes longer to import than the command-line tool, which is in the same package, takes to start. So it is imported with
# the first name that needs it.
_HOMES = {
    "galop._compare": ["compare"],
    "galop._convert": ["convert"],
    "galop._explain": "Board Candidate Explanation Node Step Technique explain hint show techniques".split(),
    "galop._file": ["solve_file", "verify_file"],
    "galop._generate": ["generate"],
    "galop._inspect": ["rate", "verify"],
    "galop._levels": ["Levels"],
    "galop._records": ["Records", "read_file"],
    "galop._repeats": ["Leaks", "Repeats", "Split", "dedup", "leak", "split"],
    "galop._results": (
        "Augmented Canonical Comparison FileFigures FileVerdicts Generated Rated Solved Status Verified".split()
    ),
    "galop._sample": ["sample"],
    "galop._solve": ["count", "solve"],
    "galop._symmetry": ["augment", "canonical"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ["cover", "pandas", "polars", "spark"]

__all__ = ["Kind", *sorted(_HOME_OF), "__version__", "engines", "kinds"]


def engines() -> dict[str, str]:
    """The engines: the name of each, and what it does."""
    return {name: about for name, about, _ in _engines()}


def kinds() -> dict[str, list[int]]:
    """The kinds of puzzles: the name of each, and the sides that its grids may have."""
    return {name: sides for name, _, sides in _kinds()}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"galop.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'galop' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    # Not what this module imports for itself.
    return sorted({*__all__, *_MODULES, *(name for name in globals() if name.startswith("__"))})

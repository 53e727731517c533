"""The words that arguments may have, for type checkers and editors. A test holds them against the tables of the extension
module."""

from __future__ import annotations

from typing import Literal, Union

from galop._galop import Kind

KindName = Literal[
    "sudoku",
    "diagonal",
    "windoku",
    "latin",
    "jigsaw",
    "anti-knight",
    "anti-king",
    "non-consecutive",
]
"""A name of :func:`galop.kinds`."""

AnyKind = Union[KindName, Kind]
"""What ``kind`` may be. At run time several names joined by a plus are accepted, too: ``Kind("diagonal+anti-knight")`` says the
same to a type checker."""

Engine = Literal[
    "lanes",
    "bitboard",
    "hybrid",
    "hybrid-links",
    "grid",
    "dlx",
    "logic",
    "reduce",
    "norvig",
    "strategies",
    "singles",
    "backtrack",
    "masks",
    "wide",
    "sparse",
    "planes",
]
"""A name of :func:`galop.engines`, or an engine for the records of a problem."""

CoverEngine = Literal["auto", "links", "masks", "wide", "sparse", "rows", "planes"]
"""An engine of :class:`galop.cover.Problem`."""

ClueSymmetry = Literal[
    "rotate180",
    "rotate90",
    "mirror",
    "flip",
    "mirror-flip",
    "diagonal",
    "antidiagonal",
    "diagonals",
    "full",
]
"""A symmetry of the clues of generated puzzles."""

LevelName = Literal["easy", "medium", "hard", "very hard", "very-hard", "fiendish", "ultra-hard"]
"""A level of techniques; the tool writes a hyphen for the space."""

By = Literal["puzzle", "grid", "text"]
"""What makes two puzzles equal: a symmetry between them, a symmetry between their solutions, or the same cells."""

Format = Literal[
    "pair",
    "solution",
    "csv",
    "tsv",
    "json",
    "grid",
    "npy",
    "npz",
]
"""A format of files that are written."""

TextFormat = Literal["pair", "csv", "tsv", "json", "grid"]
"""A format of text that puzzles are written in."""

ConvertedFormat = Literal["pair", "csv", "tsv", "json", "grid", "npy", "npz"]
"""A format that puzzles are written in."""

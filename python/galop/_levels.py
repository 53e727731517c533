"""Ratings by the techniques that people need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from galop._results import _Rows, numbers_of

_ORDER = "easy,medium,hard,very hard,fiendish,ultra-hard,none,multiple,limit,stuck,malformed".split(",")
"""Levels and then reasons, in the order in which they are counted."""


@dataclass(frozen=True, repr=False, eq=False)
class Levels(_Rows[str]):
    """How hard ``N`` puzzles are for people. As a sequence, it has the level of each."""

    level: npt.NDArray[np.str_]
    """str ``[N]``: ``easy``, ``medium``, ``hard``, ``very hard``, ``fiendish`` or ``ultra-hard``; ``none`` or ``multiple`` of a
    puzzle that has no solution or several, ``limit`` if its techniques are not found, ``malformed``."""
    score: npt.NDArray[np.float64]
    """float64 ``[N]``: the highest score of a step, on a scale like Sudoku Explainer's; NaN of puzzles without a level."""
    hardest: npt.NDArray[np.str_]
    """str ``[N]``: the technique of the hardest step; empty for a full grid and for puzzles without a level."""

    @property
    def counts(self) -> dict[str, int]:
        """How many puzzles have each level, the easiest first; a level that none has is left out."""
        found = numbers_of(self.level)
        return {name: found.pop(name) for name in _ORDER if name in found} | found

    def __repr__(self) -> str:
        return self._named(self.counts)

"""The functions that SQL has after :func:`galop.spark.register`: a row of the table for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from galop import _galop
from galop._choices import Engine
from galop._columns import RulesOf, read_column, slices, strings
from galop._inputs import MALFORMED, Batch
from galop._inspect import verify_rows
from galop._natural import counted
from galop._solve import is_counted, solve_rows
from galop._symmetry import canonical_rows
from galop._tables import Texts


@dataclass(frozen=True)
class Choices:
    """What the functions of a session have in common."""

    rules: RulesOf
    unique: bool
    limit: int
    max_guesses: int | None
    engine: Engine
    direct: bool


def _solve(choices: Choices, batch: Batch) -> Any:
    solved = solve_rows(batch, 2 if choices.unique else 1, choices.max_guesses, choices.engine, 1, None)
    return strings(Texts(solved.solutions, solved.ok, batch.rules), pa.string())


def _count(choices: Choices, batch: Batch) -> Any:
    solved = solve_rows(batch, choices.limit, choices.max_guesses, choices.engine, 1, None)
    return pa.array(solved.count, mask=~is_counted(solved))


def _verify(choices: Choices, batch: Batch, given: Batch) -> Any:
    verified = verify_rows(batch, given, choices.unique, 1, None)
    return pa.array(verified.right, mask=batch.cells[:, 0] == MALFORMED)


def _canonical(choices: Choices, batch: Batch) -> Any:
    found = canonical_rows(batch, choices.direct, 1, None)
    return strings(Texts(found.forms, found.kind != "malformed", batch.rules), pa.string())


def _key(choices: Choices, batch: Batch) -> Any:
    found = canonical_rows(batch, choices.direct, 1, None)
    return strings(Texts(found.keys, found.kind != "malformed"), pa.string())


@dataclass(frozen=True)
class Function:
    """A function of columns of texts."""

    column: Callable[..., Any]
    """Its column for batches of rows, one for each argument."""
    returns: str
    """The type of its column, as Spark writes it."""
    arguments: int = 1
    is_general: bool = True
    """Whether puzzles of every kind have it, and the records of a problem."""


FUNCTIONS = {
    "solve": Function(_solve, "string"),
    "count": Function(_count, "bigint"),
    "verify": Function(_verify, "boolean", arguments=2),
    "canonical": Function(_canonical, "string", is_general=False),
    "key": Function(_key, "string", is_general=False),
}
"""The names of SQL, behind the prefix."""


@dataclass
class Call:
    """A function as Spark calls it: with the columns of a batch, which are columns of Arrow."""

    name: str
    function: Function
    choices: Choices
    rules: _galop.Rules | None = None
    """Made once in each process."""

    def __call__(self, *columns: Any) -> Any:
        if len(columns) != self.function.arguments:
            raise ValueError(f"{self.name} has {counted(len(columns), 'argument')} (it takes {self.function.arguments})")
        texts = [self.texts(column) for column in columns]
        rules = self.rules = self.rules or self.choices.rules.make()
        parts = [
            self.function.column(self.choices, *[read_column(rules, text.slice(start, rows)) for text in texts])
            # A batch without rows shows what is wrong with the choices.
            for start, rows in [*slices(rules, len(texts[0]))] or [(0, 0)]
        ]
        found = pa.concat_arrays(parts)
        for text in texts:
            if text.null_count:
                found = pc.if_else(text.is_valid(), found, None)
        return found

    def texts(self, column: Any) -> Any:
        """A column of strings. ``NULL`` without a type is one."""
        if pa.types.is_null(column.type):
            return column.cast(pa.string())
        if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            raise ValueError(f"{self.name}: a column of {column.type} (puzzles are strings)")
        return column


@dataclass
class CallOfPandas:
    """The same for a Spark before 4.1, which gives functions columns of pandas only."""

    call: Call

    def __call__(self, *columns: Any) -> Any:
        found = self.call(*[pa.Array.from_pandas(column) for column in columns])
        return type(columns[0])(found.to_pylist(), dtype=object)

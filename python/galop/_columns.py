"""Columns of Arrow that are added to the batches of a table, in the processes of a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from galop import _galop
from galop._choices import AnyKind, Engine
from galop._inputs import MALFORMED, Batch, read
from galop._inspect import verify_rows
from galop._solve import solve_rows
from galop._symmetry import canonical_rows
from galop._tables import Texts, as_arrow

_CELLS = 1 << 24
"""The most cells, or options of a problem, that are worked on at once. A column of strings of Arrow holds 2**31 bytes."""

_ROWS = 65_536
"""The most rows that are worked on at once."""

_REASONS = 10
"""Rows of which `read_texts` says what is wrong in one call."""


@dataclass(frozen=True)
class RulesOf:
    """What each process makes its rules of."""

    kind: AnyKind
    side: int | None
    alphabet: str | None
    problem: _galop.Problem | None = None
    """The problem whose records the rows are."""

    def make(self) -> _galop.Rules:
        if self.problem is not None:
            return _galop.Rules.of_problem(self.problem)
        return _galop.Rules(self.kind, self.side, self.alphabet)


def slices(rules: _galop.Rules, count: int) -> Iterator[tuple[int, int]]:
    """The parts of ``count`` rows that are worked on at once: the first row and the number of rows of each."""
    rows = min(_ROWS, max(1, _CELLS // rules.cells))
    for start in range(0, count, rows):
        yield start, min(rows, count - start)


@dataclass(frozen=True)
class Work:
    """A function from the batches of a partition to the same batches with columns added."""

    rules: RulesOf
    places: tuple[int, ...]
    """The numbers of the columns of texts."""
    names: tuple[str, ...] = field(default=(), kw_only=True)
    """The names of all columns: the columns of the batches, then the added ones."""

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rules = self.rules.make()
        for whole in batches:
            for start, rows in slices(rules, whole.num_rows):
                batch = whole.slice(start, rows)
                added = self.columns(rules, [batch.column(place) for place in self.places])
                yield pa.RecordBatch.from_arrays([*batch.columns, *added], names=list(self.names))

    def columns(self, rules: _galop.Rules, texts: list[Any]) -> list[Any]:
        """The columns that are added to rows with these texts."""
        raise NotImplementedError


@dataclass(frozen=True)
class Solve(Work):
    """Solutions, words of status, counts, guesses, and reasons of malformed rows."""

    limit: int
    max_guesses: int | None
    engine: Engine

    def columns(self, rules: _galop.Rules, texts: list[Any]) -> list[Any]:
        kind = texts[0].type
        batch = read_column(rules, texts[0])
        solved = solve_rows(batch, self.limit, self.max_guesses, self.engine, 1, None)
        return [
            strings(Texts(solved.solutions, solved.ok, rules), kind),
            pa.array(solved.words, kind),
            pa.array(solved.count),
            pa.array(solved.guesses),
            _sparse(dict(batch.malformed), len(solved), kind),
        ]


@dataclass(frozen=True)
class Verify(Work):
    """Whether solutions are right, and reasons of those that are not."""

    unique: bool

    def columns(self, rules: _galop.Rules, texts: list[Any]) -> list[Any]:
        verified = verify_rows(read_column(rules, texts[0]), read_column(rules, texts[1]), self.unique, 1, None)
        return [pa.array(verified.right), _sparse(verified.reasons, len(verified), texts[0].type)]


@dataclass(frozen=True)
class Canonical(Work):
    """Canonical forms, their kinds, their keys, and reasons of malformed rows."""

    direct: bool

    def columns(self, rules: _galop.Rules, texts: list[Any]) -> list[Any]:
        kind = texts[0].type
        batch = read_column(rules, texts[0])
        found = canonical_rows(batch, self.direct, 1, None)
        has_form = found.kind != "malformed"
        return [
            strings(Texts(found.forms, has_form, rules), kind),
            pa.array(found.kind, kind, mask=~has_form),
            strings(Texts(found.keys, has_form), kind),
            _sparse(dict(batch.malformed), len(found), kind),
        ]


def read_column(rules: _galop.Rules, texts: Any) -> Batch:
    """The rows of a column of strings, with a reason for each malformed one."""
    batch = read(texts, rules=rules)
    known = dict(batch.malformed)
    rows = [row for row in np.flatnonzero(batch.cells[:, 0] == MALFORMED).tolist() if row not in known]
    for start in range(0, len(rows), _REASONS):
        some = rows[start : start + _REASONS]
        cells = np.empty((len(some), rules.cells), np.uint8)
        found = _galop.read_texts(rules, texts.take(pa.array(some)).to_pylist(), cells)
        known.update((some[place], why) for place, why in found)
    return Batch(rules, batch.cells, sorted(known.items()), batch.is_text)


def strings(texts: Texts, kind: Any) -> Any:
    """Texts as a column of this kind of strings, without a Python string for each."""
    return as_arrow({"": texts}).column(0).combine_chunks().cast(kind)


def _sparse(texts: Mapping[int, str], count: int, kind: Any) -> Any:
    """A column with some texts, by row, and null in the other rows."""
    if not texts:
        return pa.nulls(count, kind)
    return pa.array([texts.get(row) for row in range(count)], kind)

"""Puzzles explained with the techniques of people, and drawn: `explain`, `hint`, `techniques` and `show`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from typing import Any, NamedTuple, overload

import numpy as np

from galop import _galop
from galop._choices import AnyKind
from galop._drawn import board
from galop._inputs import Puzzles, read, read_grids
from galop._progress import Progress, shown


class Candidate(NamedTuple):
    """A symbol in a cell. Rows and columns count from 1."""

    row: int
    column: int
    symbol: int


class Node(NamedTuple):
    """A node of a chain: one of the cells holds the symbol, or none does."""

    cells: tuple[tuple[int, int], ...]
    """Rows and columns, counted from 1."""
    symbol: int
    is_true: bool


class Technique(NamedTuple):
    """A technique of people."""

    name: str
    level: str
    """``easy``, ``medium``, ``hard``, ``very hard``, ``fiendish`` or ``ultra-hard``."""
    score: float
    """Its difficulty, on a scale like that of Sudoku Explainer."""
    group: str
    needs_uniqueness: bool
    """Whether it relies on the puzzle having one solution."""
    description: str


@dataclass(frozen=True)
class Step:
    """A technique, applied once."""

    technique: str
    level: str
    score: float
    text: str
    """The step in words: what it places or eliminates, and why."""
    places: tuple[Candidate, ...]
    """What is placed. The symbol also leaves the other cells of the units, which is not in ``eliminates``."""
    eliminates: tuple[Candidate, ...]
    because: tuple[Candidate, ...]
    """The candidates, clues and placed symbols that prove it."""
    units: tuple[str, ...]
    """The rows, columns and blocks that it is about: ``row 3``."""
    chains: tuple[tuple[Node, ...], ...]
    sets: tuple[tuple[tuple[int, int], ...], ...]
    """The cells of the almost locked sets that prove it, each a row and a column."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Board:
    """A grid. As a ``str`` it is drawn with characters; a notebook draws it as a picture."""

    clues: tuple[int, ...]
    """The cells of the puzzle, row by row; 0 is a blank."""
    cells: tuple[int, ...] | None = None
    """The cells of its solution, or of a position."""
    candidates: tuple[int, ...] | None = None
    """The candidates of each cell: bit ``symbol - 1``."""
    _rules: _galop.Rules = field(kw_only=True, repr=False, compare=False)
    _step: Step | None = field(default=None, kw_only=True, repr=False)

    def __str__(self) -> str:
        if self.candidates is not None:
            return _galop.framed_candidates(self._rules, list(self.candidates)).rstrip("\n")
        grids = [list(self.clues)] + ([] if self.cells is None else [list(self.cells)])
        return _galop.framed(self._rules, grids).rstrip("\n")

    def _repr_html_(self) -> str:
        places: list[tuple[int, int]] = []
        eliminates: list[tuple[int, int]] = []
        proof: list[int] = []
        if self._step is not None:
            places = [self._at(one) for one in self._step.places]
            eliminates = [self._at(one) for one in self._step.eliminates]
            proof = [self._at(one)[0] for one in self._step.because]
        return board(self._rules, self.clues, self.cells, self.candidates, places, eliminates, proof)

    def _at(self, candidate: Candidate) -> tuple[int, int]:
        side = round(len(self.clues) ** 0.5)
        return (candidate.row - 1) * side + candidate.column - 1, candidate.symbol


@dataclass(frozen=True, repr=False)
class Explanation(Sequence[Step]):
    """The steps from the clues of a puzzle to its solution, or as far as techniques lead. It is a sequence of its steps. As a
    ``str`` it is what ``galop explain`` prints; a notebook draws it."""

    puzzle: str
    steps: tuple[Step, ...]
    end: str
    """``solved``; ``none`` if there is no solution; ``multiple`` if there are several; ``stuck`` if the techniques find nothing
    more; ``limit`` after a billion looks at candidates, which take some seconds."""
    reason: str | None
    """Why there is no solution."""
    cells: str
    """The cells at the end."""
    clues: int
    """Clues at the start."""
    singles: int
    """Hidden singles at the start."""
    text: str
    _board: Board = field(repr=False)

    @property
    def hardest(self) -> str | None:
        """The technique of the hardest step: of those with the highest score, the last of :func:`techniques`; ``None`` without a
        step."""
        return None if not self.steps else max(self.steps, key=_rank).technique

    @property
    def level(self) -> str | None:
        """The level of the score; ``None`` without a step."""
        return None if not self.steps else max(self.steps, key=_rank).level

    @property
    def score(self) -> float:
        """The highest score of a step; 0 without a step."""
        return max((step.score for step in self.steps), default=0.0)

    @property
    def counts(self) -> dict[str, int]:
        """How often each technique is used, the easiest first."""
        used = [step.technique for step in self.steps]
        return {name: used.count(name) for name in sorted(set(used), key=_order().__getitem__)}

    def before(self, step: int) -> Board:
        """The position before a step, with its candidates; the picture shows the step. ``before(len(explanation))`` is the end."""
        if not 0 <= step <= len(self):
            raise IndexError(f"step {step} of {len(self)}")
        start = self._board
        cells = list(start.clues)
        for taken in self.steps[:step]:
            for one in taken.places:
                cells[start._at(one)[0]] = one.symbol
        marks = _galop.candidates(start._rules, cells)
        for taken in self.steps[:step]:
            for one in taken.eliminates:
                cell, symbol = start._at(one)
                marks[cell] &= ~(1 << (symbol - 1))
        shown_step = self.steps[step] if step < len(self) else None
        return Board(start.clues, tuple(cells), tuple(marks), _rules=start._rules, _step=shown_step)

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    @overload
    def __getitem__(self, place: int) -> Step: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Step, ...]: ...

    def __getitem__(self, place: int | slice) -> Step | tuple[Step, ...]:
        return self.steps[place]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        level = "" if self.level is None else f", level {self.level}, hardest technique {self.hardest}"
        return f"Explanation({self.end}: {len(self)} step{'' if len(self) == 1 else 's'}{level})"

    def _repr_html_(self) -> str:
        """The board at the end, and the steps; those that are harder than singles open to a board each."""
        parts = [f"<p>{escape(repr(self)[12:-1])}</p>", self._end()._repr_html_(), "<ol>"]
        for number, step in enumerate(self.steps):
            text = escape(step.text)
            if step.level == "easy":
                parts.append(f"<li>{text}</li>")
            else:
                drawn = self.before(number)._repr_html_()
                parts.append(f"<li><details><summary>{text}</summary>{drawn}</details></li>")
        return "".join(parts) + "</ol>"

    def _end(self) -> Board:
        """The board at the end, without candidates if it is full."""
        last = self.before(len(self))
        return Board(last.clues, last.cells, last.candidates if 0 in (last.cells or ()) else None, _rules=last._rules)


@cache
def _order() -> dict[str, int]:
    return {row[0]: number for number, row in enumerate(_galop.techniques())}


def _rank(step: Step) -> tuple[float, int]:
    return step.score, _order()[step.technique]


def techniques() -> list[Technique]:
    """The techniques that :func:`explain` uses, the easiest first.

    >>> import galop
    >>> galop.techniques()[0].name, galop.techniques()[0].level
    ('full house', 'easy')
    """
    return [
        Technique(name, level, score / 10, group, unique, description)
        for name, level, score, group, unique, description in _galop.techniques()
    ]


@overload
def explain(
    puzzles: str,
    *,
    hardest: str | None = None,
    without: Sequence[str] = (),
    unique: bool = False,
    max_steps: int | None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Explanation: ...


@overload
def explain(
    puzzles: Any,
    *,
    hardest: str | None = None,
    without: Sequence[str] = (),
    unique: bool = False,
    max_steps: int | None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> list[Explanation | None]: ...


def explain(
    puzzles: Puzzles,
    *,
    hardest: str | None = None,
    without: Sequence[str] = (),
    unique: bool = False,
    max_steps: int | None = None,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Explanation | list[Explanation | None]:
    """Explains puzzles step by step, each step with the easiest technique that finds something.

    A single ``str`` gives an :class:`Explanation`. Everything else gives a list with one for each puzzle, or ``None`` for a row
    that is not a puzzle. The steps are those of ``galop explain``.

    :param hardest: the hardest technique that is used: a name of :func:`techniques`.
    :param without: names of techniques that are not used.
    :param unique: also use techniques that rely on the puzzle having one solution.
    :param max_steps: steps after which an explanation ends.

    The other parameters are as in :func:`solve`.

    >>> import galop
    >>> found = galop.explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> found
    Explanation(solved: 51 steps, level easy, hardest technique hidden single)
    >>> print(found[0])
    hidden single: r1c6=8, the only cell for 8 in block 2
    """
    batch = read_grids(puzzles, kind, alphabet, threads)
    if isinstance(puzzles, str) and batch.malformed:
        raise ValueError(batch.malformed[0][1])
    is_puzzle = batch.cells.max(axis=1, initial=0) <= batch.rules.symbols
    rows = np.ascontiguousarray(batch.cells[is_puzzle])
    with shown(progress) as callback:
        found = _galop.explain(batch.rules, rows, hardest, list(without), unique, max_steps, threads, callback)
    explanations: list[Explanation | None] = [None] * len(batch.cells)
    places = np.flatnonzero(is_puzzle).tolist()
    for place, cells, text, fields in zip(places, rows.tolist(), batch.rules.write(rows), found):
        explanations[place] = _explanation(batch.rules, cells, text, fields)
    if isinstance(puzzles, str):
        first = explanations[0]
        assert first is not None, "a text that is read is a puzzle"
        return first
    return explanations


def _explanation(rules: _galop.Rules, clues: list[int], puzzle: str, fields: Any) -> Explanation:
    text, (end, reason), (clue_count, singles), cells, steps = fields
    start = Board(tuple(clues), _rules=rules)
    return Explanation(puzzle, tuple(_step(step) for step in steps), end, reason, cells, clue_count, singles, text, start)


def _step(fields: Any) -> Step:
    (technique, level, score, text), (places, eliminates, because), units, chains, sets = fields
    return Step(
        technique,
        level,
        score / 10,
        text,
        tuple(Candidate(*one) for one in places),
        tuple(Candidate(*one) for one in eliminates),
        tuple(Candidate(*one) for one in because),
        tuple(units),
        tuple(tuple(Node(tuple(cells), symbol, is_true) for cells, symbol, is_true in chain) for chain in chains),
        tuple(tuple(cells) for cells in sets),
    )


def hint(
    puzzle: str, *, unique: bool = False, kind: AnyKind = "sudoku", alphabet: str | None = None
) -> Step | None:
    """The easiest next step of a puzzle; ``None`` if there is none. The parameters are as in :func:`explain`.

    >>> import galop
    >>> print(galop.hint("1234341221434321".replace("3", ".")))
    full house: r1c3=3, the last cell of row 1
    """
    steps = explain(puzzle, unique=unique, max_steps=1, kind=kind, alphabet=alphabet).steps
    return steps[0] if steps else None


def show(
    puzzle: Puzzles,
    solution: Puzzles | None = None,
    *,
    candidates: bool = False,
    kind: AnyKind = "sudoku",
    alphabet: str | None = None,
) -> Board:
    """Draws a puzzle, with its solution beside it if it is given. ``print`` the result for a drawing of characters; a notebook
    shows a picture.

    :param puzzle: a puzzle as a ``str``, or an array with one row.
    :param candidates: also draw the candidates that the clues leave in each blank cell.

    >>> import galop
    >>> print(galop.show("12..34....1....2"))
    +-----+-----+
    | 1 2 | . . |
    | 3 4 | . . |
    +-----+-----+
    | . . | 1 . |
    | . . | . 2 |
    +-----+-----+
    """
    batch = read_grids(puzzle, kind, alphabet)
    given = None if solution is None else read(solution, kind, alphabet, rules=batch.rules)
    for one in (batch, given):
        if one is None:
            continue
        if len(one.cells) != 1:
            raise ValueError(f"{len(one.cells)} puzzles (galop.show draws one: give it puzzles[0])")
        if one.malformed or (one.cells > one.rules.symbols).any():
            raise ValueError((one.malformed or one.numbers([0]))[0][1])
    clues = tuple(batch.cells[0].tolist())
    marks = tuple(_galop.candidates(batch.rules, list(clues))) if candidates else None
    cells = None if given is None else tuple(given.cells[0].tolist())
    return Board(clues, cells, marks, _rules=batch.rules)

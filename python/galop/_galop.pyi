"""The extension module. What it has is for the modules of this package only."""

from collections.abc import Callable, Sequence
from typing import Any, Optional, Union, final

import numpy as np
import numpy.typing as npt

from galop._searches import Given

_Bytes = npt.NDArray[np.uint8]
_Malformed = list[tuple[int, str]]
_Limits = tuple[Optional[int], Optional[int], Optional[float], Optional[int]]
_Setup = tuple[str, Optional[int], int, bool]
_Callback = Optional[Callable[[int, Optional[int]], object]]

_Placed = tuple[int, int, int]
_Step = tuple[
    tuple[str, str, int, str],
    tuple[list[_Placed], list[_Placed], list[_Placed]],
    list[str],
    list[list[tuple[list[tuple[int, int]], int, bool]]],
    list[list[tuple[int, int]]],
]

__version__: str

@final
class Kind:
    def __new__(
        cls,
        name: str | None = None,
        regions: str | None = None,
        extra: str | Sequence[str] = ...,
        blocks: tuple[int, int] | None = None,
    ) -> Kind: ...
    def __hash__(self) -> int: ...

@final
class Rules:
    def __new__(cls, kind: str | Kind, side: int | None, alphabet: str | None = None) -> Rules: ...
    @property
    def is_problem(self) -> bool: ...
    @staticmethod
    def of_problem(problem: Problem) -> Rules: ...
    @property
    def name(self) -> str: ...
    @property
    def cells(self) -> int: ...
    @property
    def symbols(self) -> int: ...
    @property
    def characters(self) -> str: ...
    def write(self, cells: _Bytes) -> list[str]: ...
    def faults(self, rows: _Bytes) -> list[str]: ...

@final
class Problem:
    def __new__(cls, primary: list[tuple[str, int, int]], secondary: list[str]) -> Problem: ...
    @staticmethod
    def read(bytes: bytes) -> Problem: ...
    def write(self) -> str: ...
    def option(self, terms: list[tuple[str, str | None]], cost: int) -> int: ...
    def rows(self, starts: npt.NDArray[np.int64], items: npt.NDArray[np.int64]) -> None: ...
    def size(self) -> tuple[int, int, int]: ...
    def option_text(self, option: int) -> str: ...
    def terms(self, option: int) -> tuple[list[tuple[str, str | None]], int]: ...
    def check(self, given: Given) -> None: ...
    def count(self, given: Given, limits: _Limits, setup: _Setup, progress: _Callback) -> int: ...
    def first(self, given: Given, limits: _Limits, setup: _Setup, progress: _Callback) -> list[int] | None: ...
    def solutions(self, given: Given, limits: _Limits, setup: _Setup) -> Solutions: ...
    def best(
        self, given: Given, limits: _Limits, setup: _Setup, is_dearest: bool, progress: _Callback
    ) -> list[tuple[list[int], int]]: ...
    def diagram(self, limits: _Limits) -> Diagram: ...

@final
class Solutions:
    def __iter__(self) -> Solutions: ...
    def __next__(self) -> list[int]: ...
    def close(self) -> None: ...

@final
class Diagram:
    def size(self) -> tuple[int, int]: ...
    def problem(self) -> Problem: ...
    def count(self) -> int: ...
    def marginals(self) -> list[int]: ...
    def nth(self, rank: bytes) -> list[int] | None: ...
    def sample(self, count: int, seed: int) -> list[list[int]]: ...
    def assume(self, given: Given) -> Diagram: ...
    def solutions(self, limit: int | None) -> DiagramSolutions: ...

@final
class DiagramSolutions:
    def __iter__(self) -> DiagramSolutions: ...
    def __next__(self) -> list[int]: ...

@final
class ArrowColumn:
    @staticmethod
    def numbers(kind: str, values: _Bytes) -> ArrowColumn: ...
    @staticmethod
    def flags(values: _Bytes) -> ArrowColumn: ...
    @staticmethod
    def wide(width: int, values: _Bytes, is_there: _Bytes | None = None) -> ArrowColumn: ...
    @staticmethod
    def narrow(width: int, values: _Bytes, is_there: _Bytes | None = None) -> ArrowColumn: ...
    @staticmethod
    def cells(rules: Rules, values: _Bytes, is_there: _Bytes | None = None) -> ArrowColumn: ...
    @staticmethod
    def texts(list: list[str | None]) -> ArrowColumn: ...

def lend_table(columns: list[tuple[str, ArrowColumn]]) -> object: ...
def detect(text: bytes, kind: str | Kind, alphabet: str | None = None) -> Rules: ...
def kinds() -> list[tuple[str, str, list[int]]]: ...
def sides(kind: str | Kind) -> list[int]: ...
def engines() -> list[tuple[str, str, int]]: ...
def read_texts(rules: Rules, texts: list[Any], cells: _Bytes) -> _Malformed: ...
def read_rows(rules: Rules, characters: _Bytes, cells: _Bytes) -> _Malformed: ...
def read_lines(rules: Rules, text: bytes, cells: _Bytes) -> tuple[int | None, _Malformed]: ...
def read_arrow(
    column: object, sample: int, place: Callable[[list[str | None], int], tuple[Rules, _Bytes]]
) -> tuple[Rules, _Bytes, _Malformed]: ...
def solve_text(
    rules: Rules, puzzle: str, engine: str, unique: bool, max_guesses: int | None
) -> str: ...
def solve_cells(
    rules: Rules,
    puzzles: _Bytes | None,
    engine: str,
    solutions: int,
    max_guesses: int | None,
    threads: int | None,
    progress: _Callback,
    results: tuple[_Bytes, _Bytes, npt.NDArray[np.uint64], npt.NDArray[np.uint64]],
) -> None: ...
def verify(
    rules: Rules, puzzles: _Bytes, solutions: _Bytes, threads: int | None, progress: _Callback
) -> list[tuple[int, str]]: ...
def clashes(rules: Rules, puzzles: _Bytes) -> list[str | None]: ...
def rate(
    rules: Rules,
    puzzles: _Bytes,
    engine: str,
    images: int,
    seed: int,
    threads: int | None,
    progress: _Callback,
) -> tuple[npt.NDArray[np.int64], list[npt.NDArray[np.float64]] | None]: ...
def explain(
    rules: Rules,
    puzzles: _Bytes,
    hardest: str | None,
    without: list[str],
    unique: bool,
    max_steps: int | None,
    threads: int | None,
    progress: _Callback,
) -> list[tuple[str, tuple[str, str | None], tuple[int, int], str, list[_Step]]]: ...
def techniques() -> list[tuple[str, str, int, str, bool, str]]: ...
def candidates(rules: Rules, cells: list[int]) -> list[int]: ...
def parts(rules: Rules) -> list[int]: ...
def framed(rules: Rules, grids: list[list[int]]) -> str: ...
def framed_candidates(rules: Rules, marks: list[int]) -> str: ...
def canonical(
    rules: Rules,
    puzzles: _Bytes,
    direct: bool,
    threads: int | None,
    progress: _Callback,
    results: tuple[_Bytes, _Bytes, _Bytes, npt.NDArray[np.uint32]],
) -> None: ...
def augment(
    rules: Rules,
    puzzles: _Bytes,
    seed: int,
    distinct: bool,
    threads: int | None,
    progress: _Callback,
    solutions: _Bytes | None,
    results: tuple[_Bytes, _Bytes | None, npt.NDArray[np.uint64]],
) -> None: ...
def generate(
    rules: Rules,
    count: int,
    seed: int,
    first: int,
    clues: tuple[int, int] | None,
    minimal: bool,
    pattern: str | None,
    symmetric: str | None,
    status: str | None,
    level: str | None,
    threads: int | None,
    progress: _Callback,
) -> tuple[_Bytes, _Bytes | None, list[str]]: ...
def compare(
    rules: Rules,
    puzzles: _Bytes,
    engines: list[str] | None,
    runs: int,
    solutions: int,
    max_guesses: int | None,
    seed: int,
    as_is: bool,
    budget: float | None,
    threads: int | None,
    progress: _Callback,
) -> tuple[str, str]: ...
def solve_file(
    input: str,
    output: str,
    unique: bool,
    max_guesses: int | None,
    engine: str,
    kind: str | Kind,
    problem: Problem | None,
    format: str | None,
    alphabet: str | None,
    threads: int | None,
    progress: _Callback,
) -> tuple[list[tuple[str, int]], int, list[str]]: ...
def verify_file(
    input: str, unique: bool, kind: str | Kind, alphabet: str | None, threads: int | None
) -> tuple[list[tuple[str, int]], list[str], int]: ...
def read_file(
    path: str, kind: str | Kind, alphabet: str | None, rules: Rules | None
) -> tuple[Rules, _Bytes, _Bytes | None, _Malformed]: ...
def dedup(
    rules: Rules,
    puzzles: _Bytes,
    solutions: _Bytes | None,
    by: str,
    threads: int | None,
    progress: _Callback,
    first: npt.NDArray[np.int64],
) -> None: ...
def leak(
    rules: Rules,
    training: tuple[_Bytes, _Bytes | None],
    tests: tuple[_Bytes, _Bytes | None],
    threads: int | None,
    progress: _Callback,
) -> list[tuple[int, int, bool, str]]: ...
def split(
    rules: Rules,
    puzzles: _Bytes,
    solutions: _Bytes | None,
    by: str,
    share: float,
    count: int | None,
    seed: int,
    threads: int | None,
    progress: _Callback,
    sides: _Bytes,
) -> None: ...
def sample(
    rules: Rules,
    puzzles: _Bytes,
    count: int | None,
    share: float,
    seed: int,
    threads: int | None,
    progress: _Callback,
) -> npt.NDArray[np.int64]: ...
def levels(
    rules: Rules,
    puzzles: _Bytes,
    engine: str,
    unique: bool,
    threads: int | None,
    progress: _Callback,
) -> tuple[list[str], npt.NDArray[np.float64], list[str]]: ...
def format_of(name: str | None, path: str | None) -> tuple[str, bool]: ...
def convert(
    rows: tuple[Rules, _Bytes, _Bytes | None] | None,
    bytes: bytes | None,
    path: str | None,
    kind: str | Kind,
    alphabet: str | None,
    format: str,
    target: str | None,
    threads: int | None,
    progress: _Callback,
) -> bytes | None: ...
def main(words: Sequence[Union[str, bytes]]) -> None: ...

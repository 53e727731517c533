"""What ``progress`` means: a function, or ``True`` for a bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

Progress = Union[bool, None, Callable[[int, Union[int, None]], object]]
"""``None`` or ``False``: no progress is shown. ``True``: a bar of tqdm if it is installed, else a line on standard error. A
function: it is called about twenty times a second with the puzzles done and with all puzzles, or ``None`` if their number is not
known. If it raises, the call stops and raises the same."""

_Callback = Union[Callable[[int, Union[int, None]], object], None]


@contextmanager
def shown(progress: Progress, unit: str = "puzzles") -> Iterator[_Callback]:
    """The function to call with the progress, until the call ends."""
    if not progress:
        yield None
    elif callable(progress):
        yield progress
    else:
        bar = _bar(unit)
        try:
            yield bar
        finally:
            bar.close()


def _bar(unit: str) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(unit)
    return _Tqdm(tqdm, unit)


class _Tqdm:
    """A bar of tqdm, made when the total is known."""

    def __init__(self, tqdm: Any, unit: str) -> None:
        self.tqdm, self.unit = tqdm, unit
        self.bar: Any = None

    def __call__(self, done: int, total: int | None) -> None:
        if self.bar is None:
            self.bar = self.tqdm(total=total, unit=f" {self.unit}", unit_scale=True)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


class _Line:
    """A line on standard error."""

    def __init__(self, unit: str) -> None:
        self.unit, self.is_used = unit, False

    def __call__(self, done: int, total: int | None) -> None:
        self.is_used = True
        share = f"{100 * done // total:3} %  " if total else ""
        print(f"\r{share}{done:,} {self.unit}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.is_used:
            print(file=sys.stderr)

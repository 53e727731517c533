"""What ``progress`` means: a function, or ``True`` for a bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, util
from typing import Any, Union

Progress = Union[bool, None, Callable[[int, Union[int, None]], object]]
"""``None`` or ``False``: no progress is shown. ``True``: a bar of tqdm if it is installed, else a bar in a notebook, or a line on
standard error. A function: it is called about twenty times a second with the puzzles done and with all puzzles, or ``None`` if
their number is not known. If it raises, the call stops and raises the same."""

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
    in_notebook = _is_notebook()
    # In a notebook, tqdm needs ipywidgets, and warns without it.
    if not in_notebook or util.find_spec("ipywidgets") is not None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            return _Tqdm(tqdm, unit)
    return _Notebook(unit) if in_notebook else _Line(unit)


def _is_notebook() -> bool:
    """Whether the call was made in a cell of Jupyter or of a notebook like it."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


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


def _words(done: int, total: int | None, unit: str) -> str:
    share = f"{100 * done // total:3} %  " if total else ""
    return f"{share}{done:,} {unit}"


class _Line:
    """A line on standard error."""

    def __init__(self, unit: str) -> None:
        self.unit, self.length = unit, 0

    def __call__(self, done: int, total: int | None) -> None:
        words = _words(done, total, self.unit)
        # A shorter line must cover the one before it.
        print(f"\r{words.ljust(self.length)}", end="", file=sys.stderr, flush=True)
        self.length = len(words)

    def close(self) -> None:
        if self.length:
            print(file=sys.stderr)


class _Notebook:
    """A bar below the cell of a notebook. It is drawn in its place again and again; front ends without HTML show its words."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.handle: Any = None

    def __call__(self, done: int, total: int | None) -> None:
        words = _words(done, total, self.unit)
        state = f' value="{done}" max="{total}"' if total else ""
        shown = {"text/plain": words, "text/html": f"<progress{state}></progress> {words}"}
        if self.handle is None:
            # IPython does not say its types.
            display: Any = import_module("IPython.display").display
            self.handle = display(shown, raw=True, display_id=True)
        else:
            self.handle.update(shown, raw=True)

    def close(self) -> None:
        pass

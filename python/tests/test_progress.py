"""`progress=True`: a bar of tqdm, a bar in a notebook, or a line on standard error."""

from __future__ import annotations

import sys
from importlib import util
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import galop
from galop import _progress

PUZZLES = ["." * 81] * 50


class Handle:
    """What is shown below the cell of a notebook."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def update(self, shown: dict[str, str], raw: bool) -> None:
        assert raw
        self.shown.append(shown)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> list[Handle]:
    """An IPython whose front end is a notebook."""
    handles: list[Handle] = []

    def display(shown: dict[str, str], raw: bool, display_id: bool) -> Handle:
        assert display_id
        handles.append(Handle())
        handles[-1].update(shown, raw)
        return handles[-1]

    ipython, module = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = lambda: SimpleNamespace(config={"IPKernelApp": {}})  # type: ignore[attr-defined]
    module.display = display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    return handles


def without(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Lets Python find no module of this name."""
    find = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda wanted: None if wanted == name else find(wanted))
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, f"{name}.auto", None)


def test_a_notebook_without_widgets_has_a_bar_of_its_own(
    notebook: list[Handle], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without(monkeypatch, "ipywidgets")
    galop.dedup(PUZZLES, progress=True)
    galop.sample(PUZZLES, 5, progress=True)
    assert len(notebook) == 2 and capsys.readouterr() == ("", "")
    last = notebook[0].shown[-1]
    assert last["text/plain"] == "100 %  50 puzzles"
    assert last["text/html"] == '<progress value="50" max="50"></progress> 100 %  50 puzzles'


def test_a_notebook_without_tqdm(notebook: list[Handle], monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "tqdm")
    monkeypatch.setattr(util, "find_spec", lambda name: object())
    galop.dedup(PUZZLES, progress=True)
    assert notebook[0].shown[-1]["text/plain"] == "100 %  50 puzzles"


def test_a_line_on_standard_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    without(monkeypatch, "tqdm")
    galop.dedup(PUZZLES, progress=True)
    assert capsys.readouterr().err.endswith("\r100 %  50 puzzles\n")
    line: Any = _progress._Line("puzzles")
    line(1000, None)
    line(1, None)
    line.close()
    assert capsys.readouterr().err == "\r1,000 puzzles\r1 puzzles    \n"

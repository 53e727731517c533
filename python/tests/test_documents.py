"""The examples of the README and of the modules give what they say."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import galop

README = Path(__file__).parents[1] / "README.md"


WITHOUT_EXAMPLES = {"__main__", "_galop", "spark", "_columns", "_executors", "_sql"}
"""Modules whose examples cannot run here, or that have none and cannot be imported everywhere."""

NEED_A_LIBRARY = {"galop.pandas", "galop.polars"}
"""Modules that need a library that is not required."""

MODULES = ["galop", *(f"galop.{one.name}" for one in pkgutil.iter_modules(galop.__path__) if one.name not in WITHOUT_EXAMPLES)]


@pytest.mark.parametrize("name", MODULES)
def test_modules(name: str) -> None:
    if name in NEED_A_LIBRARY:
        pytest.importorskip(name, reason=f"{name} needs a library that is not installed", exc_type=ImportError)
    module = import_module(name)
    failed, tried = doctest.testmod(module)
    has_examples = ">>> " in Path(module.__file__ or "").read_text()
    assert failed == 0 and (tried > 0) == has_examples


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert tried > 20 and failed == 0

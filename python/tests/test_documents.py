"""The examples of the README and of the modules give what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import galop
import galop._diagram
import galop._generate
import galop._inspect
import galop._names
import galop._searches
import galop._solve
import galop._symmetry
import galop.cover

README = Path(__file__).parents[1] / "README.md"


MODULES = [
    galop,
    galop._diagram,
    galop._generate,
    galop._inspect,
    galop._names,
    galop._searches,
    galop._solve,
    galop._symmetry,
    galop.cover,
]


@pytest.mark.parametrize("module", MODULES)
def test_modules(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried > 0 and failed == 0


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert tried > 20 and failed == 0

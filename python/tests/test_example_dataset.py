"""The example that makes a data set."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import galop

pq = pytest.importorskip("pyarrow.parquet", reason="the example writes Parquet files")

# In the folder of the tests of the gate, or in a checkout.
SCRIPT = next(path for path in (Path(__file__).parents[up] / "examples/dataset.py" for up in (1, 2)) if path.is_file())


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *map(str, words)], capture_output=True, text=True, timeout=120)


def figures(report: str) -> dict[str, int]:
    return {name: int(number) for name, number in re.findall(r"^\| (.+) \| (-?\d+) \|$", report, re.M)}


def test_the_faults_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    done = run("-o", folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "report.md").read_text() == done.stdout
    found = figures(done.stdout)
    assert found["read"] == 650
    assert found["wrong solution"] == -1 and found["malformed or without a solution"] == -1
    assert found["several solutions"] == -3
    assert found["repeats, up to symmetry"] == -20
    assert found["puzzles of the test set"] == -30 and found["solutions of the test set"] == 0
    assert found["kept"] == 650 - 1 - 1 - 3 - 20 - 30
    assert sum(found.get(level, 0) for level in ("easy", "medium", "hard", "very hard", "fiendish", "ultra-hard")) == found["kept"]
    assert "- record 101: wrong solution: " in done.stdout
    assert re.search(r"^- record 301: .*80 cells", done.stdout, re.M)
    assert "- record 201: several solutions" in done.stdout

    tables = {name: pq.read_table(folder / "data" / f"{name}-00000-of-00001.parquet").to_pydict() for name in ("train", "test")}
    train, test = tables["train"], tables["test"]
    assert list(train) == ["puzzle", "solution", "level", "score", "hardest", "group"] == list(test)
    tests = found["of these, tests"]
    assert len(test["puzzle"]) == tests == found["rows of test"] and 0.05 < tests / found["kept"] < 0.15
    assert len(train["puzzle"]) == 5 * (found["kept"] - tests) == found["rows of train"]
    for table in (train, test):
        assert galop.verify(table["puzzle"], table["solution"], unique=True).right.all()
    assert not galop.leak(train["puzzle"], test["puzzle"]).leaked.any()
    assert not galop.leak([*train["puzzle"], *test["puzzle"]], folder / "input" / "faulty-test.csv").leaked.any()
    assert len(set(train["puzzle"])) == len(train["puzzle"])
    # The images of a puzzle follow it, and have its group.
    groups = np.array(train["group"]).reshape(-1, 5)
    assert (groups == groups[:, :1]).all()
    once = galop.dedup(train["puzzle"])
    assert (once.first == np.repeat(np.arange(0, len(once), 5), 5)).all()
    card = (folder / "README.md").read_text()
    assert card.startswith("---\n") and "path: data/train-*.parquet" in card and "path: data/test-*.parquet" in card


def test_files_are_given(tmp_path: Path) -> None:
    first = tmp_path / "first"
    assert run("-o", first).returncode == 0
    inputs = [first / "input" / f"faulty-{name}.csv" for name in ("train", "test")]
    done = run(*inputs, "-o", tmp_path / "second")
    assert done.returncode == 0 and done.stdout == (first / "report.md").read_text()
    for file in (first / "data").iterdir():
        assert (tmp_path / "second" / "data" / file.name).read_bytes() == file.read_bytes()
    assert run(inputs[0]).returncode == 2

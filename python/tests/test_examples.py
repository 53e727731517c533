"""The programs of examples/ run, on small files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import galop

# In the folder of the tests of the gate, or in a checkout.
EXAMPLES = next(folder for folder in (Path(__file__).parents[up] / "examples" for up in (1, 2)) if folder.is_dir())


def run(folder: Path, program: str, *words: str) -> str:
    """The output of an example, run in a folder, without a network."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "home")}
    command = [sys.executable, str(EXAMPLES / program), *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


def test_hugging_face(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="the datasets of Hugging Face are not installed")
    puzzles = galop.generate(20, seed=3).strings()
    (tmp_path / "puzzles.csv").write_text("id,puzzle\n" + "".join(f"{at},{one}\n" for at, one in enumerate([*puzzles, "x"])))
    text = run(tmp_path, "huggingface.py", "puzzles.csv", "solved")
    assert "Solved(21 puzzles: 20 solved, 1 malformed)" in text and "21 rows with the columns id, puzzle, solution" in text
    saved = datasets.load_from_disk(str(tmp_path / "solved"))
    assert saved["solution"][:] == [*galop.solve(puzzles), None] and saved["status"][20] == "malformed"


def test_columns_of_hugging_face() -> None:
    datasets = pytest.importorskip("datasets", reason="the datasets of Hugging Face are not installed")
    puzzles = galop.generate(5, seed=3).strings()
    for kind in (None, "numpy", "arrow", "pandas", "polars"):
        if kind == "polars":
            pytest.importorskip("polars", reason="polars is not installed")
        dataset = datasets.Dataset.from_dict({"puzzle": puzzles}).with_format(kind)
        assert list(galop.solve(dataset["puzzle"])) == list(galop.solve(puzzles))
    with pytest.raises(ValueError, match='a table with the columns puzzle .give one column, for example table."puzzle"'):
        galop.solve(dataset)

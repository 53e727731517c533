"""The programs of examples/ run, on small files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
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


def test_the_arrays_of_hrm(tmp_path: Path) -> None:
    made = galop.generate(3, seed=3)
    galop.convert(made.puzzles, "csv", solutions=made.solutions, output=tmp_path / "pairs.csv")
    for images, groups in ((4, [0, 5, 10, 15]), (0, [0, 1, 2, 3])):
        run(tmp_path, "hrm.py", "pairs.csv", "hrm/train", str(images))
        found = {path.name: np.load(path) for path in (tmp_path / "hrm/train").glob("*.npy")}
        inputs, labels = found.pop("all__inputs.npy"), found.pop("all__labels.npy")
        assert inputs.dtype == labels.dtype == np.uint8 and inputs.shape == labels.shape == (groups[-1], 81)
        assert (inputs[:: images + 1] == made.puzzles + 1).all() and (labels[:: images + 1] == made.solutions + 1).all()
        assert galop.verify(inputs - 1, labels - 1, unique=True).right.all() and len(np.unique(inputs, axis=0)) == groups[-1]
        expected = {"puzzle_identifiers": [0] * groups[-1], "puzzle_indices": [*range(groups[-1] + 1)], "group_indices": groups}
        assert {name: array.tolist() for name, array in found.items()} == {f"all__{name}.npy": row for name, row in expected.items()}
        assert all(array.dtype == np.int32 for array in found.values())
    assert json.loads((tmp_path / "hrm/train/dataset.json").read_text()) == {
        "pad_id": 0, "ignore_label_id": 0, "blank_identifier_id": 0, "vocab_size": 11, "seq_len": 81, "num_puzzle_identifiers": 1,
        "total_groups": 3, "mean_puzzle_examples": 1, "sets": ["all"],
    }
    (tmp_path / "wrong.csv").write_text("puzzle,solution\n" + "." * 81 + "," + "1" * 81 + "\n")
    with pytest.raises(AssertionError, match="wrong.csv: every record must be a puzzle with its solution"):
        run(tmp_path, "hrm.py", "wrong.csv", "none")
    assert not (tmp_path / "none").exists()


def test_the_notebook(tmp_path: Path) -> None:
    """Its cells give what is saved with them."""
    nbformat = pytest.importorskip("nbformat", reason="nbclient and ipykernel are not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient and ipykernel are not installed")
    pytest.importorskip("pandas", reason="pandas is not installed")
    saved = nbformat.read(EXAMPLES / "galop.ipynb", 4)
    ran = nbformat.from_dict(json.loads(json.dumps(saved)))
    nbclient.NotebookClient(ran, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    cells = [(before, after) for before, after in zip(saved.cells, ran.cells) if before.cell_type == "code"]
    assert len(cells) > 8
    for before, after in cells:
        # Tables of pandas are drawn in another way by each version.
        texts = [[out.get("data", {}).get("text/plain") for out in cell.outputs] for cell in (before, after)]
        assert texts[0] == texts[1] and texts[0] or not before.outputs

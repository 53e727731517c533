"""A data set for training, from a file that may have faults: verified, without repeats and leaks, rated, split, augmented, saved.

    python examples/dataset.py [TRAIN TEST] [-o FOLDER]

TRAIN is a file of 9x9 sudokus with their solutions, in any format that galop reads, and TEST is the test set that the trained model
will be measured with. Without them the script makes a small training file with faults, and a test set. FOLDER (`dataset` without
-o) gets `data/train-*.parquet`, `data/test-*.parquet` and `README.md`, which `datasets.load_dataset(FOLDER)` reads, and `report.md`,
which says what was left out and why. Equal inputs give equal files.

It needs galop, numpy and pyarrow.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import galop
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SEED = 1
IMAGES = 4
"""Images of each training puzzle."""

CARD = """---
pretty_name: Sudokus
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train-*.parquet
  - split: test
    path: data/test-*.parquet
---

# Sudokus

Each row is a 9x9 sudoku with its only solution. `level`, `score` and `hardest` say which techniques a person needs. `group` is the
row of the puzzle in the input: its images under symmetries have the same number. No puzzle and no solution of one split is in the
other, or in the test set that it was compared with, up to symmetry. `report.md` says what was left out.
"""


def texts(cells: np.ndarray) -> list[str]:
    """Rows of cells as text, with a dot for a blank."""
    return [str(text) for text in np.array(list(".123456789"))[cells].view("U81").ravel()]


def faulty_input(folder: Path) -> tuple[Path, Path]:
    """Writes a training file with 1 wrong solution, 1 short puzzle, 3 puzzles with several solutions, 20 repeats (10 of them in
    disguise) and 30 tests in disguise, and a test set."""
    made, tests = galop.generate(600, seed=SEED), galop.generate(100, seed=SEED + 1)
    hidden = galop.augment(made.puzzles[400:410], solutions=made.solutions[400:410], seed=SEED)
    leaks = galop.augment(tests.puzzles[:30], solutions=tests.solutions[:30], seed=SEED)
    puzzles = np.concatenate([made.puzzles, made.puzzles[500:510], hidden.puzzles[:, 0], leaks.puzzles[:, 0]])
    solutions = np.concatenate([made.solutions, made.solutions[500:510], hidden.solutions[:, 0], leaks.solutions[:, 0]])
    solutions[100, -1] = solutions[100, -2]
    puzzles[200:203, :36] = 0
    rows = [list(pair) for pair in zip(texts(puzzles), texts(solutions))]
    rows[300][0] = rows[300][0][:-1]
    folder.mkdir(parents=True, exist_ok=True)
    train, test = folder / "faulty-train.csv", folder / "faulty-test.csv"
    train.write_text("puzzle,solution\n" + "".join(f"{puzzle},{solution}\n" for puzzle, solution in rows))
    galop.convert(tests.puzzles, "csv", solutions=tests.solutions, output=test)
    return train, test


def fault(reason: str) -> str:
    """The fault in a word, from the reason that `galop.verify` gives."""
    if reason == "several solutions":
        return reason
    return "wrong solution" if reason.startswith("wrong solution") else "malformed or without a solution"


def save(folder: Path, split: str, puzzles: np.ndarray, solutions: np.ndarray, more: dict[str, np.ndarray]) -> None:
    """Writes the file of a split."""
    table = pa.table({"puzzle": texts(puzzles), "solution": texts(solutions), **more})
    pq.write_table(table, folder / "data" / f"{split}-00000-of-00001.parquet", compression="zstd")


def build(train: Path, test: Path, folder: Path) -> str:
    """Makes the data set; the report."""
    records, tests = galop.read_file(train), galop.read_file(test)
    if records.solutions is None:
        raise SystemExit(f"{train}: no column of solutions (galop.solve finds them)")
    steps = [("read", len(records))]

    # Each solution must be right, and the only one.
    verified = galop.verify(records, unique=True)
    faults = Counter(fault(reason) for reason in verified.reasons.values())
    steps += [(name, -faults[name]) for name in sorted(faults)]
    rows = np.flatnonzero(verified.right)

    # From here on every puzzle has one solution, which is beside it: giving it saves the searches.
    repeats = galop.dedup(records.puzzles[rows], solutions=records.solutions[rows])
    rows = rows[repeats.keep]
    steps.append(("repeats, up to symmetry", -repeats.counts["repeats"]))

    # The side that is searched for is the training data here, so that leaks are taken out of it and the test set stays as it is.
    leaks = galop.leak(tests.puzzles, records.puzzles[rows], test_solutions=records.solutions[rows])
    rows = rows[~leaks.leaked]
    steps += [("puzzles of the test set", -leaks.counts["puzzle"]), ("solutions of the test set", -leaks.counts["grid"])]

    puzzles, solutions = records.puzzles[rows], records.solutions[rows]
    steps.append(("kept", len(rows)))
    levels = galop.rate(puzzles)
    # Puzzles with equivalent solutions are on one side.
    split = galop.split(puzzles, 0.1, seed=SEED, by="grid", solutions=solutions)
    steps.append(("of these, tests", len(split.test)))

    (folder / "data").mkdir(parents=True, exist_ok=True)
    for name, side in (("train", split.train), ("test", split.test)):
        # The puzzle itself comes first, then its images, which get its level.
        grids = [puzzles[side, None], solutions[side, None]]
        if name == "train":
            images = galop.augment(puzzles[side], IMAGES, solutions=solutions[side], seed=SEED, distinct=True)
            grids = [np.concatenate([grids[0], images.puzzles], 1), np.concatenate([grids[1], images.solutions], 1)]
        each = grids[0].shape[1]
        columns = {**levels[side].columns(), "group": rows[side]}
        more = {column: np.repeat(values, each) for column, values in columns.items()}
        save(folder, name, grids[0].reshape(-1, 81), grids[1].reshape(-1, 81), more)
        steps.append((f"rows of {name}", each * len(side)))

    lines = [f"# Data set from {train.name}", "", "| | records |", "|---|---:|"]
    lines += [f"| {name} | {number} |" for name, number in steps]
    lines += ["", "| level | puzzles |", "|---|---:|"]
    lines += [f"| {level} | {number} |" for level, number in levels.counts.items()]
    lines += ["", "The first records with faults:", ""]
    lines += [f"- record {row + 1}: {reason}" for row, reason in list(verified.reasons.items())[:10]]
    lines += ["", f"Made by galop {galop.__version__}, seed {SEED}."]
    report = "\n".join(lines) + "\n"
    (folder / "README.md").write_text(CARD)
    (folder / "report.md").write_text(report)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes a data set from a file with faults.")
    parser.add_argument("files", nargs="*", metavar="TRAIN TEST", help="training data with solutions, and a test set")
    parser.add_argument("-o", "--output", default="dataset", metavar="FOLDER", help="the folder of the data set")
    given = parser.parse_args()
    folder = Path(given.output)
    if len(given.files) not in (0, 2):
        parser.error("give TRAIN and TEST, or neither")
    train, test = map(Path, given.files) if given.files else faulty_input(folder / "input")
    print(build(train, test, folder), end="")


if __name__ == "__main__":
    main()

"""Writes the folder of arrays from which HRM and TRM are trained (Wang et al., "Hierarchical Reasoning Model", 2025).

    python examples/hrm.py PUZZLES FOLDER [IMAGES]

PUZZLES is a file of sudokus with their solutions, in any format that galop reads. A group is a puzzle with IMAGES (8) random images
of it. FOLDER gets:

    all__inputs.npy              uint8 [examples, 81]: 1 for a blank, 2 to 10 for the digits
    all__labels.npy              uint8 [examples, 81]: the solutions
    all__puzzle_identifiers.npy  int32 [examples]: 0 for all
    all__puzzle_indices.npy      int32 [examples + 1]: where each example begins: 0, 1, 2, ...
    all__group_indices.npy       int32 [groups + 1]: where each group begins
    dataset.json                 sizes, and what the numbers mean

It needs galop and numpy.
"""

import json
import math
import sys
from pathlib import Path

import galop
import numpy as np


def main(source: str, target: str, images: str = "8") -> None:
    records = galop.read_file(Path(source))
    puzzles, solutions = records.puzzles, records.solutions
    if solutions is None or not galop.verify(records).right.all():
        sys.exit(f"{source}: every record must be a puzzle with its solution")
    made = galop.augment(puzzles, int(images), solutions=solutions, seed=1)
    inputs = np.concatenate([puzzles[:, None], made.puzzles], axis=1)
    labels = np.concatenate([solutions[:, None], made.solutions], axis=1)
    groups, group, cells = inputs.shape
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "all__inputs.npy", inputs.reshape(-1, cells) + np.uint8(1))
    np.save(folder / "all__labels.npy", labels.reshape(-1, cells) + np.uint8(1))
    np.save(folder / "all__puzzle_identifiers.npy", np.zeros(groups * group, np.int32))
    np.save(folder / "all__puzzle_indices.npy", np.arange(groups * group + 1, dtype=np.int32))
    np.save(folder / "all__group_indices.npy", np.arange(groups + 1, dtype=np.int32) * np.int32(group))
    facts = {"pad_id": 0, "ignore_label_id": 0, "blank_identifier_id": 0, "vocab_size": math.isqrt(cells) + 2, "seq_len": cells}
    facts |= {"num_puzzle_identifiers": 1, "total_groups": groups, "mean_puzzle_examples": 1}
    (folder / "dataset.json").write_text(json.dumps({**facts, "sets": ["all"]}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

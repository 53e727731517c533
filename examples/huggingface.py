"""Solves the column `puzzle` of a data set of Hugging Face, and saves the data set with its solutions.

python huggingface.py INPUT OUTPUT

INPUT is a file of csv, json or Parquet, or the name of a data set of the hub. OUTPUT is a folder, which
`datasets.load_from_disk` reads.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import datasets

import galop


def load(name: str) -> datasets.Dataset:
    """A file, or the training data of a data set of the hub."""
    ending = Path(name).suffix.lstrip(".")
    if ending in ("csv", "json", "jsonl", "parquet"):
        return datasets.load_dataset(ending.rstrip("l"), data_files=name, split="train")
    return datasets.load_dataset(name, split="train")


def solve(batch: dict[str, Any]) -> dict[str, Any]:
    """The columns that are added to the rows of a batch."""
    solved = galop.solve(batch["puzzle"], unique=True)
    return {"solution": solved.strings(), "status": solved.words.tolist()}


def main(name: str, output: str) -> None:
    dataset = load(name)
    # The whole column at once, without changing the data set.
    print(galop.solve(dataset["puzzle"], unique=True))
    # Batch by batch, as far as the memory goes: a batch fills the 256 lanes of the engine many times.
    dataset = dataset.map(solve, batched=True, batch_size=50_000)
    dataset.save_to_disk(output)
    print(f"{len(dataset):,} rows with the columns {', '.join(dataset.column_names)} are in {output}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])

#!/usr/bin/env python3
"""Measures what a call from Python costs over the engine alone: nanoseconds of processor time a puzzle, on one thread, and
their ratios. The figures of python/README.md, "Beside the engine".

taskset -c 1 scripts/measure-python.py [--runs N] FILE...     # files of one puzzle a line; it needs the package galop
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import galop


def engine(rows: Any) -> float:
    """Nanoseconds a puzzle of the engine alone."""
    return float(galop.compare(rows, ["lanes"], runs=1, as_is=True, threads=1).rows[0]["nanos"])


def call(puzzles: Any) -> float:
    """Nanoseconds a puzzle of a call: the processor time of all its threads."""
    began = time.process_time_ns()
    found = galop.solve(puzzles, threads=1)
    return (time.process_time_ns() - began) / len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    print(f"{'':28}{'puzzles':>9}{'engine':>8}{'arrays':>8}{'':6}{'lists':>8}")
    for path in options.files:
        records = galop.read_file(path)
        rows = records.puzzles
        works: list[tuple[Callable[[Any], float], Any]] = [(engine, rows), (call, rows), (call, list(records))]
        times: list[list[float]] = [[] for _ in works]
        for _ in range(options.runs):
            for (work, puzzles), taken in zip(works, times):
                # The second call of a kind gets the memory of the first one, as do all calls of a loop.
                work(puzzles)
                taken.append(work(puzzles))
        alone, arrays, lists = (statistics.median(taken) for taken in times)
        print(f"{path.name:28}{len(rows):9}{alone:8.1f}{arrays:8.1f}{arrays / alone:6.2f}{lists:8.1f}{lists / alone:6.2f}")


if __name__ == "__main__":
    main()

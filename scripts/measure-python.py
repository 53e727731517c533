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


def nanoseconds(work: Callable[[], Any]) -> float:
    """Processor time of all threads. The result is let go of afterwards."""
    began = time.process_time_ns()
    result = work()
    used = time.process_time_ns() - began
    del result
    return float(used)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    print(f"{'':28}{'puzzles':>9}{'engine':>8}{'arrays':>8}{'':6}{'lists':>8}")
    for path in options.files:
        records = galop.read_file(path)
        rows, texts = records.puzzles, list(records)

        def engine(rows: Any = rows) -> float:
            compared = galop.compare(rows, ["lanes"], runs=1, as_is=True, threads=1)
            return float(compared.rows[0]["nanos"])

        def arrays(rows: Any = rows) -> float:
            return nanoseconds(lambda: galop.solve(rows, threads=1)) / len(rows)

        def lists(texts: Any = texts) -> float:
            return nanoseconds(lambda: galop.solve(texts, threads=1)) / len(texts)

        times: dict[Callable[..., float], list[float]] = {engine: [], arrays: [], lists: []}
        for _ in range(options.runs):
            for work in times:
                # The second call of a kind gets the memory of the first one, as do all calls of a loop.
                work()
                times[work].append(work())
        alone, of_arrays, of_lists = (statistics.median(taken) for taken in times.values())
        print(
            f"{path.name:28}{len(rows):9}{alone:8.1f}{of_arrays:8.1f}{of_arrays / alone:6.2f}"
            f"{of_lists:8.1f}{of_lists / alone:6.2f}"
        )


if __name__ == "__main__":
    main()

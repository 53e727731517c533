#!/usr/bin/env python3
"""Measures what galop costs under Spark: microseconds of processor time a row, of Spark's processes together, for each kind of
work, and the same for galop alone. The figures of docs/clusters.md.

measure-spark.py [ROWS]     # it needs pyspark, pyarrow, Java and the package galop
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

import galop
import galop.spark

RUNS = 5


def cpu_seconds(root: int) -> float:
    """Processor time of a process and of those below it, that are there or have been waited for."""
    parents, ticks = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        parents[int(entry.name)] = int(fields[1])
        ticks[int(entry.name)] = sum(int(field) for field in fields[11:15])
    below = {root}
    while True:
        more = {process for process, parent in parents.items() if parent in below} - below
        if not more:
            return sum(ticks.get(process, 0) for process in below) / os.sysconf("SC_CLK_TCK")
        below |= more


def passed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows: the transport alone."""
    yield from batches


def written(of: Callable[[], DataFrame]) -> Callable[[], None]:
    """Makes every row and keeps none."""
    return lambda: of().write.format("noop").mode("overwrite").save()


def interleaved(
    works: Mapping[str, Callable[[], Any]], runs: int, clock: Callable[[], float]
) -> dict[str, list[float]]:
    """The seconds of each work in each run. The works take turns. The first round, which compiles Java's code, does not count."""
    taken: dict[str, list[float]] = {}
    for number in range(runs + 1):
        for what, work in works.items():
            start = clock()
            work()
            if number > 0:
                taken.setdefault(what, []).append(clock() - start)
    return taken


def line(title: str, what: str, seconds: list[float], rows: int) -> str:
    """Microseconds of processor time a row: the median, the least and the most."""
    micros = [second / rows * 1e6 for second in seconds]
    return f"{title:14} {what:28} {statistics.median(micros):8.2f} us   {min(micros):.2f} .. {max(micros):.2f}"


def main(rows: int) -> None:
    minimal = galop.generate(10_000, seed=1, minimal=True)
    easy = galop.generate(10_000, seed=1)
    sets = {"easy": easy, "minimal": minimal}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYSPARK_PYTHON"] = sys.executable
        session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        spark = session.config("spark.sql.shuffle.partitions", "1").config("spark.local.dir", folder).getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        java = spark.sparkContext._gateway.proc.pid  # type: ignore[union-attr]
        tables = {}
        alone: dict[str, list[float]] = {}
        for name, made in sets.items():
            images = galop.augment(made.puzzles, rows // 10_000, solutions=made.solutions, seed=1)
            assert images.solutions is not None
            texts = pa.array(images.strings(), pa.string())
            solutions = pa.array(galop.solve(texts).strings(), pa.string())
            pq.write_table(pa.table({"puzzle": texts, "solution": solutions}), f"{folder}/{name}.parquet")
            tables[name] = spark.read.parquet(f"{folder}/{name}.parquet")
            local: dict[str, Callable[[], Any]] = {
                "solve": lambda: galop.solve(texts, threads=1),
                "solve unique": lambda: galop.solve(texts, unique=True, threads=1),
                "canonical": lambda: galop.canonical(texts, threads=1),
            }
            for work, call in local.items():
                for _ in range(RUNS):
                    start = time.process_time()
                    call()
                    alone.setdefault(f"{name}, {work}", []).append(time.process_time() - start)
        works: dict[str, Callable[[DataFrame], DataFrame]] = {
            "read": lambda df: df,
            "transport": lambda df: df.mapInArrow(passed, df.schema),
            "solve": lambda df: galop.spark.solve(df.drop("solution")),
            "solve unique": lambda df: galop.spark.solve(df.drop("solution"), unique=True),
            "verify": lambda df: galop.spark.verify(df),
            "canonical": lambda df: galop.spark.canonical(df),
            "dedup": lambda df: galop.spark.dedup(df),
        }
        calls = {
            f"{name}, {work}": written(partial(of, table)) for name, table in tables.items() for work, of in works.items()
        }
        taken = interleaved(calls, RUNS, lambda: cpu_seconds(java))
        for title, figures in (("galop alone", alone), ("Spark", taken)):
            for what, seconds in figures.items():
                print(line(title, what, seconds, rows))
        spark.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)

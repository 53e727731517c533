"""Large sets, crashes, malformed rows, slow tasks and uneven partitions: each row is there once, with its answer."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import write_rows
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import galop
import galop.spark

SECONDS = 120
"""Time after which a test that waits gives up."""


def solved_by(df: DataFrame, folder: Path) -> pa.Table:
    """The rows that Spark writes, by id."""
    df.write.parquet(str(folder))
    return pq.read_table(str(folder)).sort_by("id")


def assert_complete(table: pa.Table, texts: list[str]) -> None:
    """Each row is there once, as a local run has it."""
    local = galop.solve(pa.array(texts))
    assert table.num_rows == len(texts)
    assert np.array_equal(table["id"].to_numpy(), np.arange(len(texts)))
    assert table["puzzle"].combine_chunks().equals(pa.array(texts))
    assert table["solution"].combine_chunks().equals(pa.array(local.strings(), pa.string()))
    assert table["status"].to_pylist() == local.words.tolist()


def test_10_000_rows(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    write_rows(str(tmp_path / "in"), [*puzzles], 4)
    df = spark.read.parquet(str(tmp_path / "in"))
    assert_complete(solved_by(galop.spark.solve(df), tmp_path / "out"), puzzles)


def test_1_000_000_rows(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    many = galop.augment(puzzles, 100, seed=5).strings()
    write_rows(str(tmp_path / "in"), [*many], 8)
    df = spark.read.parquet(str(tmp_path / "in"))
    assert_complete(solved_by(galop.spark.solve(df), tmp_path / "out"), [text or "" for text in many])


def _started(folder: str, seconds: float) -> Any:
    """A step that notes each task that begins in a folder, and then takes its time."""

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        task = TaskContext.get()
        assert task is not None
        Path(folder, f"{task.partitionId()}-{task.attemptNumber()}").touch()
        for batch in batches:
            time.sleep(seconds)
            yield batch

    return work


def _executors(driver: int) -> list[int]:
    """The processes of the executors, which the Java machine of this program started."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == driver and any(word.endswith(b"CoarseGrainedExecutorBackend") for word in words):
            found.append(int(entry.name))
    return found


def test_an_executor_is_killed(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    some = puzzles[:2_000]
    write_rows(str(tmp_path / "in"), [*some], 8)
    notes = tmp_path / "notes"
    notes.mkdir()
    df = spark.read.option("mergeSchema", "false").parquet(str(tmp_path / "in")).repartition(8, "id")
    slow = galop.spark.solve(df).mapInArrow(_started(str(notes), 1.0), galop.spark.solve(df).schema)
    killed: list[int] = []

    def kill() -> None:
        end = time.monotonic() + SECONDS
        # Some tasks are done, some run, some have not begun.
        while len(list(notes.iterdir())) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        java = spark.sparkContext._gateway.proc.pid  # type: ignore[union-attr]
        for process in _executors(java)[:1]:
            os.kill(process, signal.SIGKILL)
            killed.append(process)

    killer = threading.Thread(target=kill)
    killer.start()
    table = solved_by(slow, tmp_path / "out")
    killer.join()
    assert len(killed) == 1
    assert len(list(notes.iterdir())) > 8, "no task began a second time"
    assert_complete(table, some)


def test_a_partition_of_malformed_rows(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    some: list[str | None] = [*puzzles[:3_000]]
    # The whole third file, one row of the first, and three kinds of wrong.
    poisoned = range(1_500, 2_250)
    for at in poisoned:
        some[at] = [None, "", "9" * 80, "\u20ac" * 81, "rubbish"][at % 5]
    some[7] = "x" * 200_000
    write_rows(str(tmp_path / "in"), some, 4)
    df = spark.read.parquet(str(tmp_path / "in"))
    table = solved_by(galop.spark.solve(df), tmp_path / "out")
    assert table["id"].to_pylist() == list(range(3_000)) and table["puzzle"].to_pylist() == some
    wrong = {7, *poisoned}
    status, reason = table["status"].to_pylist(), table["reason"].to_pylist()
    assert [at for at in range(3_000) if status[at] == "malformed"] == sorted(wrong)
    assert all((reason[at] is not None) == (at in wrong) for at in range(3_000))
    assert all(table["solution"][at].as_py() is None for at in wrong)
    assert reason[1_500] == "no text" and reason[1_502].startswith("80 cells")


def test_all_hard_puzzles_in_one_partition(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    hard = galop.generate(200, seed=2, minimal=True).strings()
    some = puzzles[:600] + hard
    write_rows(str(tmp_path / "in"), [*some], 4)
    df = spark.read.parquet(str(tmp_path / "in"))
    engine: dict[str, Any] = {"engine": "norvig"}
    assert_complete(solved_by(galop.spark.solve(df, **engine), tmp_path / "out"), some)
    # As docs/clusters.md advises: by rows, not by a key.
    spread = df.repartition(8)
    hard_in = spread.where(F.col("id") >= 600).groupBy(F.spark_partition_id()).count().collect()
    assert len(hard_in) == 8 and max(row["count"] for row in hard_in) < 200 // 4
    assert_complete(solved_by(galop.spark.solve(spread, **engine), tmp_path / "even"), some)


RECIPE = "sh -c 'galop solve -q - || [ $? -eq 1 ]'"
"""The recipe of docs/clusters.md. The exit code 1 means that the output is complete and has malformed records."""


def test_the_recipe_is_that_of_the_page() -> None:
    pages = (Path(__file__).parents[up] / "docs" / "clusters.md" for up in (1, 3))
    page = next(page for page in pages if page.is_file()).read_text()
    assert f'command = "{RECIPE}"' in page and ".pipe(command, checkCode=True)" in page


def test_pipes(spark: SparkSession, puzzles: list[str]) -> None:
    some = [*puzzles[:500], "rubbish"]
    lines = spark.sparkContext.parallelize(some, 4)
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    found = lines.pipe(RECIPE, env={"PATH": path}, checkCode=True).collect()
    answers = galop.solve(some)
    assert found == [f"{text},{answer or 'malformed'}" for text, answer in zip(some, answers.strings())]
    # More partitions than lines.
    few = spark.sparkContext.parallelize(some[:2], 5).pipe(RECIPE, env={"PATH": path}, checkCode=True)
    assert few.collect() == found[:2]
    # A child that dies: by default its lines are gone without a word.
    dies = "sh -c 'head -n 100 | galop solve -q -; kill -9 $$'"
    assert len(lines.pipe(dies, env={"PATH": path}).collect()) < len(some)
    with pytest.raises(Exception, match="Pipe function .* exited with error code"):
        lines.pipe(dies, env={"PATH": path}, checkCode=True).collect()


# The last one: the other tests have two executors.
@pytest.mark.usefixtures("third_executor")
def test_a_slow_task_is_started_twice(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    some = puzzles[:1_000]
    write_rows(str(tmp_path / "in"), [*some], 4)
    notes = str(tmp_path / "notes")
    os.mkdir(notes)

    def slow(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        task = TaskContext.get()
        assert task is not None
        Path(notes, f"{task.partitionId()}-{task.attemptNumber()}").touch()
        for batch in batches:
            yield batch
        if task.partitionId() == 0 and task.attemptNumber() == 0:
            time.sleep(SECONDS)

    df = galop.spark.solve(spark.read.parquet(str(tmp_path / "in")).repartition(4, "id"))
    table = solved_by(df.mapInArrow(slow, df.schema), tmp_path / "out")
    assert Path(notes, "0-1").exists()
    assert_complete(table, some)

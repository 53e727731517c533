"""Large sets, malformed rows, slow tasks and uneven partitions: each row is there once, with its answer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import SECONDS, assert_complete, solved_by, write_rows
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import galop
import galop.spark


def test_10_000_rows(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    write_rows(str(tmp_path / "in"), [*puzzles], 4)
    df = spark.read.parquet(str(tmp_path / "in"))
    assert_complete(solved_by(galop.spark.solve(df), tmp_path / "out"), puzzles)


def test_1_000_000_rows(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    many = galop.augment(puzzles, 100, seed=5).strings()
    write_rows(str(tmp_path / "in"), [*many], 8)
    df = spark.read.parquet(str(tmp_path / "in"))
    assert_complete(solved_by(galop.spark.solve(df), tmp_path / "out"), [text or "" for text in many])


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

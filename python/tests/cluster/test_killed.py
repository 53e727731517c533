"""An executor is killed in the middle of galop's work: the driver loses it, its partition is done again, and each row is there
once, with its answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import assert_complete, solved_by, write_rows
from executors import Killer, begun, stop_once, watched
from pyspark.sql import DataFrame, SparkSession

import galop
import galop.spark
from galop._columns import Canonical, Solve


@pytest.fixture
def notes(spark: SparkSession, tmp_path: Path) -> Iterator[Path]:
    """A folder of notes. A partition has several batches meanwhile."""
    batch = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.set(batch, "100")
    folder = tmp_path / "notes"
    folder.mkdir()
    yield folder
    spark.conf.unset(batch)


def test_while_it_solves(
    spark: SparkSession, tmp_path: Path, puzzles: list[str], notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = puzzles[:2_000]
    write_rows(str(tmp_path / "in"), [*some], 8)
    monkeypatch.setattr(galop.spark, "Solve", watched(Solve, notes, after=4))
    solved = galop.spark.solve(spark.read.parquet(str(tmp_path / "in")).repartition(8, "id"))
    killer = Killer(notes)
    table = killer.during(lambda: solved_by(solved, tmp_path / "out"))
    killer.assert_lost(spark)
    assert_again(killer, notes)
    assert_complete(table, some)


def assert_again(killer: Killer, notes: Path) -> None:
    """galop's work on the partition began a second time, after the executor was killed."""
    place = (killer.task["stage"], killer.task["partition"])
    tasks = [task for stage, partition, task in begun(notes) if (stage, partition) == place]
    assert len(tasks) == 2
    assert [task for stage, partition, task in killer.before if (stage, partition) == place] == [killer.task["task"]]


def images(spark: SparkSession, folder: Path, puzzles: list[str]) -> tuple[DataFrame, list[str]]:
    """Five images of each of 400 puzzles, one after the other."""
    texts = [image or "" for image in galop.augment(puzzles[:400], 5, seed=7).strings()]
    write_rows(str(folder), [*texts], 8)
    return spark.read.parquet(str(folder)).repartition(8, "id"), texts


def assert_first_of_each(table: pa.Table, texts: list[str]) -> None:
    assert table["id"].to_pylist() == list(range(0, len(texts), 5))
    assert table["puzzle"].to_pylist() == texts[::5]


def test_while_dedup_writes_its_shuffle(
    spark: SparkSession, tmp_path: Path, puzzles: list[str], notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    df, texts = images(spark, tmp_path / "in", puzzles)
    monkeypatch.setattr(galop.spark, "Canonical", watched(Canonical, notes, after=4))
    once = galop.spark.dedup(df, order_by="id")
    killer = Killer(notes)
    table = killer.during(lambda: solved_by(once, tmp_path / "out"))
    killer.assert_lost(spark)
    assert_again(killer, notes)
    assert_first_of_each(table, texts)


def test_while_dedup_reads_its_shuffle(
    spark: SparkSession, tmp_path: Path, puzzles: list[str], notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys that the executor had written are lost with it, so galop finds them again."""
    df, texts = images(spark, tmp_path / "in", puzzles)
    # No task of this step stops: the step behind it does.
    monkeypatch.setattr(galop.spark, "Canonical", watched(Canonical, notes, after=1_000))
    folder, stop = str(notes), stop_once

    def last(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            stop(folder, 120)
            yield batch

    once = galop.spark.dedup(df, order_by="id")
    killer = Killer(notes)
    table = killer.during(lambda: solved_by(once.mapInArrow(last, once.schema), tmp_path / "out"))
    killer.assert_lost(spark)
    partitions = {partition for _, partition, _ in killer.before}
    assert partitions == set(range(8)), "some keys were not written before the executor was killed"
    later = begun(notes) - killer.before
    assert later and {partition for _, partition, _ in later} < partitions
    assert_first_of_each(table, texts)

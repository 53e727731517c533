"""Structured Streaming: a stream that is stopped in the middle of a batch and started again gives each row once."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import assert_complete, write_rows
from executors import begun, stopped, watched
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import galop.spark
from galop._columns import Solve

FILES, ROWS = 6, 1_200


def test_stopped_and_started_again(
    spark: SparkSession, tmp_path: Path, puzzles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = puzzles[:ROWS]
    given, out, notes = tmp_path / "in", tmp_path / "out", tmp_path / "notes"
    write_rows(str(given), [*some], FILES)
    held = given / f"{FILES - 1:03}.parquet"
    later = tmp_path / held.name
    held.rename(later)
    notes.mkdir()

    def start() -> StreamingQuery:
        stream = spark.readStream.schema("id long, puzzle string").option("maxFilesPerTrigger", 1).parquet(str(given))
        writer = galop.spark.solve(stream).writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))
        return writer.trigger(availableNow=True).start(str(out))

    def rows() -> int:
        return spark.read.parquet(str(out)).count()

    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    with monkeypatch.context() as patch:
        patch.setattr(galop.spark, "Solve", watched(Solve, notes, after=3))
        query = start()
    # The third file is half done.
    stopped(notes)
    query.stop()
    spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert len(begun(notes)) == 3 and rows() == 2 * ROWS // FILES

    query = start()
    assert query.awaitTermination(120) and query.exception() is None
    assert rows() == (FILES - 1) * ROWS // FILES
    # A file that comes later is the only one that the next run reads.
    later.rename(held)
    query = start()
    assert query.awaitTermination(120) and query.exception() is None
    assert sum(progress["numInputRows"] for progress in query.recentProgress) == ROWS // FILES
    spark.read.parquet(str(out)).coalesce(1).write.parquet(str(tmp_path / "whole"))
    assert_complete(pq.read_table(str(tmp_path / "whole")).sort_by("id"), some)


def test_dedup_says_what_a_stream_has_instead(spark: SparkSession, tmp_path: Path, puzzles: list[str]) -> None:
    write_rows(str(tmp_path / "in"), [puzzles[0], puzzles[1], puzzles[0]], 1)
    stream = spark.readStream.schema("id long, puzzle string").parquet(str(tmp_path / "in"))
    with pytest.raises(ValueError, match=r"canonical\(df\).dropDuplicates\(\['key'\]\)"):
        galop.spark.dedup(stream)
    once = galop.spark.canonical(stream).dropDuplicates(["key"])
    writer = once.writeStream.format("memory").queryName("once").option("checkpointLocation", str(tmp_path / "checkpoint"))
    assert writer.trigger(availableNow=True).start().awaitTermination(120)
    assert sorted(row["puzzle"] for row in spark.table("once").collect()) == sorted(puzzles[:2])

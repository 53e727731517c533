"""Executors whose Python has no galop: the user reads which Python that is, and what to set."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import write_rows
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from test_spark import PUZZLE, SOLUTION

import galop.spark
from galop import _executors


def test_on_this_machine(spark: SparkSession, bare: str, monkeypatch: pytest.MonkeyPatch) -> None:
    df = spark.createDataFrame([(PUZZLE,)], "puzzle string")
    context: Any = spark.sparkContext
    monkeypatch.setattr(context, "pythonExec", bare)
    calls: dict[str, Callable[[], Any]] = {
        "solve": lambda: galop.spark.solve(df),
        "dedup": lambda: galop.spark.dedup(df),
        "register": lambda: galop.spark.register(spark),
    }
    context.setJobGroup("none", "no job of this group starts")
    for call in calls.values():
        with pytest.raises(ImportError) as raised:
            call()
        assert str(raised.value) == (
            f"the executors' Python ({bare}) has no galop: set PYSPARK_PYTHON={sys.executable} before the session starts "
            f"(this program runs {sys.executable})"
        )
    assert list(context.statusTracker().getJobIdsForGroup("none")) == []
    context._jsc.clearJobGroup()
    # Databricks has another Python in the executors than this variable says.
    monkeypatch.setenv("DATABRICKS_RUNTIME_VERSION", "17.3")
    assert galop.spark.solve(df).columns[0] == "puzzle"


def test_an_able_python_is_asked_once(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python, calls = tmp_path / "python", tmp_path / "calls"
    python.write_text(f'#!/bin/sh\necho called >>{calls}\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    context: Any = spark.sparkContext
    monkeypatch.setattr(context, "pythonExec", str(python))
    _executors.require(spark)
    _executors.require(spark)
    assert calls.read_text() == "called\n"
    monkeypatch.setattr(context, "pythonExec", sys.executable)
    calls.unlink()
    _executors.require(spark)
    assert not calls.exists()


@pytest.mark.parametrize("way", ["solve", "sql"])
def test_on_other_machines(spark: SparkSession, bare: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_rows(str(tmp_path / "in"), [PUZZLE], 1)
    df = spark.read.parquet(str(tmp_path / "in"))
    context: Any = spark.sparkContext
    # As if the master were another machine: nobody can be asked, and the first task says it.
    with monkeypatch.context() as patch:
        patch.setattr(context, "master", "spark://another:7077")
        patch.setattr(context, "pythonExec", bare)
        if way == "solve":
            found = galop.spark.solve(df)
        else:
            galop.spark.register(spark, prefix="bare_")
            df.createOrReplaceTempView("bare")
            found = spark.sql("SELECT bare_solve(puzzle) AS solution FROM bare")
        with pytest.raises(PySparkException) as raised:
            found.collect()
    said = str(raised.value)
    assert f"ImportError: the executors' Python ({bare}) has no galop: install galop there, or set PYSPARK_PYTHON to" in said
    assert f"(this program runs {sys.executable})" in said and "ModuleNotFoundError" not in said
    assert galop.spark.solve(df).collect()[0]["solution"] == SOLUTION

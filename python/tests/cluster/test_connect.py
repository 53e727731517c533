"""Spark Connect, whose sessions have no context. It has a process of its own: two sessions of Spark do not fit in one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import galop

SCRIPT = """
import sys
import galop.spark
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.remote("local[1]").getOrCreate()
df = spark.createDataFrame([(puzzle,) for puzzle in sys.argv[1:]], "puzzle string")
try:
    print(galop.spark.solve(df).collect()[0].solution)
    print(galop.spark.verify(galop.spark.solve(df)).where("right").count())
    print(galop.spark.dedup(df, order_by=F.col("puzzle")).count())
    galop.spark.register(spark)
    df.createOrReplaceTempView("t")
    print(spark.sql("SELECT galop_solve(puzzle) FROM t").collect()[0][0])
finally:
    spark.stop()
"""


def run(python: str, *puzzles: str) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("grpc")
    environment = {**os.environ, "PYSPARK_PYTHON": python, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "-c", SCRIPT, *puzzles]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)


def test_functions(puzzles: list[str]) -> None:
    done = run(sys.executable, puzzles[0], puzzles[1], puzzles[0])
    assert done.returncode == 0, done.stderr[-3_000:]
    solution = galop.solve(puzzles[0])
    assert done.stdout.split() == [solution, "3", "2", solution]


def test_a_python_without_galop(puzzles: list[str], bare: str) -> None:
    done = run(bare, puzzles[0])
    assert done.returncode == 1 and done.stdout == ""
    assert f"ImportError: the executors' Python ({bare}) has no galop: install galop there, or set PYSPARK_PYTHON" in done.stderr

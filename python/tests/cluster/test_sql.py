"""The functions of `galop.spark.register`, in SQL, in views and in expressions."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from test_spark import EMPTY, IMPOSSIBLE, PUZZLE, SOLUTION

import galop
import galop.spark
from galop.cover import Problem

ALL = ["galop_solve", "galop_count", "galop_verify", "galop_canonical", "galop_key"]


@pytest.mark.parametrize("has_arrow", [True, False], ids=["arrow_udf", "pandas_udf"])
def test_functions(spark: SparkSession, has_arrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_arrow:
        # As in a Spark before 4.1.
        monkeypatch.delattr(F, "arrow_udf")
    assert galop.spark.register(spark, limit=5) == ALL
    wrong = SOLUTION[:-1] + "1"
    rows: list[Any] = [
        (0, PUZZLE, SOLUTION), (1, PUZZLE, wrong), (2, PUZZLE, "short"), (3, PUZZLE, None),
        (4, EMPTY, SOLUTION), (5, IMPOSSIBLE, SOLUTION), (6, "rubbish", SOLUTION), (7, None, SOLUTION),
    ]
    spark.createDataFrame(rows, "id int, puzzle string, solution string").createOrReplaceTempView("t")
    query = ", ".join(f"{name}(puzzle{', solution' * (name == 'galop_verify')}) AS {name}" for name in ALL)
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW found AS SELECT id, {query} FROM t")
    table = spark.table("found").orderBy("id")
    kinds = {field.name: field.dataType.simpleString() for field in table.schema.fields}
    assert kinds == {
        "id": "int", "galop_solve": "string", "galop_count": "bigint", "galop_verify": "boolean",
        "galop_canonical": "string", "galop_key": "string",
    }
    found = table.collect()
    assert [row.galop_solve for row in found[:4]] == [SOLUTION] * 4 and len(found[4].galop_solve) == 81
    assert [row.galop_solve for row in found[5:]] == [None] * 3
    assert [row.galop_count for row in found] == [1, 1, 1, 1, 5, 0, None, None]
    assert [row.galop_verify for row in found] == [True, False, False, None, True, False, None, None]
    local = galop.canonical([PUZZLE])
    assert {row.galop_canonical for row in found[:4]} == {*local.strings()}
    assert {row.galop_key.encode() for row in found[:4]} == {*local.keys.tolist()}
    assert [(row.galop_canonical, row.galop_key) for row in found[6:]] == [(None, None)] * 2
    # In expressions, behind each other, and of no column.
    right = F.expr("galop_verify(puzzle, galop_solve(puzzle))")
    assert spark.table("t").where(right).select("id").orderBy("id").collect() == [(at,) for at in range(5)]
    assert spark.sql("SELECT galop_solve(NULL), galop_solve('rubbish')").collect() == [(None, None)]
    assert spark.sql("SELECT count(DISTINCT galop_key(puzzle)) FROM t WHERE id < 4").collect() == [(1,)]
    with pytest.raises(PySparkException, match=r"galop_solve: a column of int32 \(puzzles are strings\)"):
        spark.sql("SELECT galop_solve(id) FROM t").collect()
    with pytest.raises(PySparkException, match=r"galop_verify has 1 argument \(it takes 2\)"):
        spark.sql("SELECT galop_verify(puzzle) FROM t").collect()


def test_choices(spark: SparkSession) -> None:
    assert len(galop.spark.register(spark, unique=True, prefix="only_")) == 5
    text = f"SELECT only_solve('{EMPTY}'), only_solve('{PUZZLE}'), only_verify('{EMPTY}', '{SOLUTION}')"
    assert spark.sql(text).collect() == [(None, SOLUTION, False)]
    # Kinds of puzzles without canonical forms, and records of a problem.
    names = galop.spark.register(spark, kind="latin", side=4, prefix="latin_")
    assert names == ["latin_solve", "latin_count", "latin_verify"]
    assert spark.sql("SELECT latin_count('1234 3412 .... ....')").collect() == [(2,)]
    problem = Problem(["a", "b"])
    problem.option(["a"])
    problem.option(["b"])
    names = galop.spark.register(spark, problem=problem, prefix="cover_")
    assert names[:3] == ["cover_solve", "cover_count", "cover_verify"]
    assert spark.sql("SELECT cover_count(''), cover_count('c')").collect() == [(1, None)]
    for wrong in ({"engine": "horse"}, {"limit": -1}, {"kind": "horse"}, {"side": 7}, {"max_guesses": -1}):
        with pytest.raises(ValueError):
            galop.spark.register(spark, **wrong)

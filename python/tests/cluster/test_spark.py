"""galop.spark on a cluster of two executors."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import write_rows
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import galop
import galop.spark
from galop.cover import Problem

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
EMPTY = "." * 81
IMPOSSIBLE = "44" + "." * 79


def test_solve(spark: SparkSession) -> None:
    rows: list[Any] = [(1, PUZZLE, {"a": [1]}), (2, EMPTY, None), (3, IMPOSSIBLE, {}), (4, "rubbish", {}), (5, None, {})]
    df = spark.createDataFrame(rows, "id int, puzzle string, more map<string, array<int>>").repartition(3, "id")
    solved = galop.spark.solve(df, unique=True)
    assert solved.columns == ["id", "puzzle", "more", "solution", "status", "count", "guesses", "reason"]
    found = [row.asDict() for row in solved.orderBy("id").collect()]
    assert [(row["id"], row["puzzle"], row["more"]) for row in found] == rows
    assert [row["solution"] for row in found] == [SOLUTION, None, None, None, None]
    assert [row["status"] for row in found] == ["solved", "multiple", "none", "malformed", "malformed"]
    assert [row["count"] for row in found] == [1, 2, 0, 0, 0]
    assert [row["reason"] for row in found[:3]] == [None] * 3
    assert found[3]["reason"].startswith("column 1: unexpected `r`") and found[4]["reason"] == "no text"
    # White space in a puzzle, a column with another name, and other rules.
    small = spark.createDataFrame([("12..34.. ..1....2",)], "`a b.c` string")
    row = galop.spark.solve(small, "a b.c", side=4, prefix="x_", limit=0).collect()[0]
    assert row["x_solution"] == galop.solve("12..34....1....2") and row["x_count"] == 1
    sixteen = galop.generate(1, seed=1, side=16)
    text = sixteen.strings()[0]
    df = spark.createDataFrame([(text,)], "puzzle string")
    assert sixteen.solutions is not None
    solution = galop.solve([text]).strings()[0]
    assert galop.spark.solve(df, side=16).collect()[0]["solution"] == solution


def test_verify(spark: SparkSession) -> None:
    wrong = SOLUTION[:-1] + "1"
    pairs = [(PUZZLE, SOLUTION), (PUZZLE, wrong), (PUZZLE, None), ("short", SOLUTION), (EMPTY, SOLUTION)]
    df = spark.createDataFrame([(at, *pair) for at, pair in enumerate(pairs)], "id int, puzzle string, solution string")
    found = galop.spark.verify(df).orderBy("id").collect()
    assert [row["right"] for row in found] == [True, False, False, False, True]
    assert found[0]["reason"] is None and found[1]["reason"].startswith("wrong solution: ")
    assert found[2]["reason"] == "in the solution: no text" and found[3]["reason"].startswith("column 1: unexpected `s`")
    unique = galop.spark.verify(df, unique=True).orderBy("id").collect()
    assert [row["right"] for row in unique] == [True, False, False, False, False]
    assert unique[4]["reason"] == "several solutions"


def test_records_of_a_problem(spark: SparkSession) -> None:
    problem = Problem(["room of maths", "b", "c", "d"])
    for items in (["room of maths", "b"], ["c", "d"], ["room of maths", "c"], ["b", "d"]):
        problem.option(items)
    records = ["b", ":- :1", "b | c", "|", ":5", None]
    df = spark.createDataFrame([(at, record) for at, record in enumerate(records)], "id int, puzzle string").repartition(2)
    solved = galop.spark.solve(df, problem=problem, unique=True)
    # Options that are added before the rows are needed do not count.
    problem.option(["b"])
    found = solved.orderBy("id").collect()
    assert [row["status"] for row in found] == ["malformed", "solved", "malformed", "multiple", "malformed", "malformed"]
    assert [row["solution"] for row in found] == [None, ":3 | b d", None, None, None, None]
    assert found[2]["reason"].startswith("column 1: options 1 and 4 have `b`") and found[5]["reason"] == "no text"
    verified = galop.spark.verify(solved, problem=problem).orderBy("id").collect()
    assert [row["right"] for row in verified] == [False, True, False, False, False, False]
    with pytest.raises(ValueError, match="leave out side"):
        galop.spark.solve(df, problem=problem, side=9)


def test_steps_follow_each_other(spark: SparkSession) -> None:
    wrong = SOLUTION[::-1]
    rows = [(0, PUZZLE, SOLUTION), (1, PUZZLE, wrong), (2, "rubbish", None), (3, IMPOSSIBLE, SOLUTION)]
    given = spark.createDataFrame(rows, "id int, puzzle string, solution string")
    solved = galop.spark.solve(given.drop("solution"))
    names = ["id", "puzzle", "solution", "status", "count", "guesses", "reason"]
    assert solved.columns == names

    verified = galop.spark.verify(solved)
    assert verified.columns == [*names, "right", "verify_reason"]
    found = verified.orderBy("id").collect()
    assert [row["right"] for row in found] == [True, True, False, False]
    assert found[2]["reason"] == found[2]["verify_reason"] and found[2]["reason"].startswith("column 1: unexpected `r`")
    assert (found[3]["reason"], found[3]["verify_reason"]) == (None, "in the solution: no text")

    forms = galop.spark.canonical(solved)
    assert forms.columns == [*names, "canonical", "form", "key", "canonical_reason"]
    assert forms.orderBy("id").collect()[0]["canonical"] == galop.canonical(PUZZLE)

    # The user's column of solutions stays what it is.
    again = galop.spark.solve(galop.spark.verify(given)).orderBy("id")
    assert again.columns == [
        *["id", "puzzle", "solution", "right", "reason"],
        *["solve_solution", "status", "count", "guesses", "solve_reason"],
    ]
    found = again.collect()
    assert [row["solution"] for row in found] == [SOLUTION, wrong, None, SOLUTION]
    assert [row["right"] for row in found] == [True, False, False, False]
    assert [row["solve_solution"] for row in found] == [SOLUTION, SOLUTION, None, None]

    leaks = galop.spark.leak(forms, galop.spark.canonical(given.where("id = 1")))
    assert leaks.columns[-4:] == ["reason", "leak_key", "train_puzzle", "train_count"]
    row = leaks.collect()[0]
    assert row["leak_key"] == row["key"] and row["train_count"] == 2
    assert galop.spark.dedup(forms).count() == 3


def test_canonical_dedup_and_leak(spark: SparkSession) -> None:
    made = galop.generate(200, seed=3)
    images = [image or "" for image in galop.augment(made.puzzles, 5, seed=4).strings()]
    rows: list[tuple[int, str | None]] = [(at, image) for at, image in enumerate(images)]
    rows += [(1_000, "rubbish"), (1_001, "rubbish"), (1_002, None)]
    df = spark.createDataFrame(rows, "id int, puzzle string").repartition(4)
    found = galop.spark.canonical(df).orderBy("id").collect()
    local = galop.canonical(images)
    assert [row["canonical"] for row in found[:-3]] == local.strings()
    assert [row["key"] for row in found[:-3]] == [key.decode() for key in local.keys.tolist()]
    assert {row["form"] for row in found[:-3]} == {"solution"} and local.keys[0] == local.keys[4] != local.keys[5]
    assert [(row["canonical"], row["form"], row["key"]) for row in found[-3:]] == [(None, None, None)] * 3
    assert all(row["reason"] for row in found[-3:])

    kept = galop.spark.dedup(df, order_by="id")
    assert kept.columns == ["id", "puzzle"]
    assert sorted(row["id"] for row in kept.collect()) == [*range(0, 1_000, 5), 1_000, 1_001, 1_002]
    by_text = sorted(row["puzzle"] for row in galop.spark.dedup(df.where("id < 1000")).collect())
    assert by_text == sorted(min(images[at : at + 5]) for at in range(0, 1_000, 5))
    last = galop.spark.dedup(df, order_by=F.col("id").desc()).collect()
    assert sorted(row["id"] for row in last) == [*range(4, 1_000, 5), 1_000, 1_001, 1_002]

    train = df.where("id % 5 < 2 and (id < 500 or id >= 1000)")
    test = df.where("id % 5 >= 3 or id >= 1000").withColumnRenamed("puzzle", "quiz")
    leaks = galop.spark.leak(train, test, test_column="quiz")
    assert leaks.columns == ["id", "quiz", "key", "train_puzzle", "train_count"]
    rows_found = leaks.orderBy("id").collect()
    assert [row["id"] for row in rows_found] == [at for at in range(500) if at % 5 >= 3]
    assert {row["train_count"] for row in rows_found} == {2}
    assert rows_found[0]["train_puzzle"] == min(images[:2])
    assert galop.spark.leak(train, df.where("id >= 500")).count() == 0


def test_wrong_arguments(spark: SparkSession) -> None:
    df = spark.createDataFrame([(1, PUZZLE, SOLUTION)], "id int, puzzle string, Solution string")
    twice_solved = galop.spark.solve(galop.spark.solve(df), prefix="galop_")
    with pytest.raises(ValueError, match="a column is called 'solve_solution' already: rename it, or put a prefix"):
        galop.spark.solve(twice_solved)
    with pytest.raises(ValueError, match="a column is called 'galop_solution' already"):
        galop.spark.solve(twice_solved, prefix="galop_")
    assert galop.spark.solve(df, prefix="galop_").collect()[0]["galop_solution"] == SOLUTION
    with pytest.raises(ValueError, match=r"no column 'quiz' \(the columns are id, puzzle, Solution\)"):
        galop.spark.solve(df, "quiz", prefix="galop_")
    with pytest.raises(ValueError, match=r"the column 'id' holds int \(puzzles are strings\)"):
        galop.spark.canonical(df, "id")
    with pytest.raises(ValueError, match="unknown engine"):
        galop.spark.solve(df, engine="horse", prefix="g")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_guesses=-1"):
        galop.spark.solve(df, max_guesses=-1, prefix="g")
    with pytest.raises(ValueError, match="7"):
        galop.spark.solve(df, side=7, prefix="g")
    with pytest.raises(ValueError):
        galop.spark.canonical(df, side=16)
    twice = df.crossJoin(df.select("id", "puzzle"))
    with pytest.raises(ValueError, match="columns"):
        galop.spark.canonical(twice)
    with pytest.raises(ValueError, match="'idkey' already"):
        galop.spark.leak(df, df.withColumnRenamed("Solution", "idkey"), prefix="id")
    with pytest.raises(ValueError, match="DataFrame is no DataFrame of Spark"):
        galop.spark.solve(df.toPandas())


def test_sources(spark: SparkSession, tmp_path: Any, puzzles: list[str]) -> None:
    some = puzzles[:100]
    (tmp_path / "puzzles.csv").write_text("id,puzzle\n" + "".join(f"{at},{text}\n" for at, text in enumerate(some)))
    csv = spark.read.csv(str(tmp_path / "puzzles.csv"), header=True)
    json_file = tmp_path / "puzzles.jsonl"
    json_file.write_text("".join(f'{{"id": "{at}", "puzzle": "{text}"}}\n' for at, text in enumerate(some)))
    expected = galop.solve(some).strings()
    for df in (csv, spark.read.json(str(json_file))):
        found = {int(row["id"]): row["solution"] for row in galop.spark.solve(df).collect()}
        assert [found[at] for at in range(100)] == expected
    write_rows(str(tmp_path / "parquet"), [*some], 3)
    galop.spark.solve(spark.read.parquet(str(tmp_path / "parquet"))).write.parquet(str(tmp_path / "solved"))
    assert spark.read.parquet(str(tmp_path / "solved")).count() == 100

"""galop on the rows of Spark: columns are added to a ``DataFrame``, and the joins are Spark's.

>>> from pyspark.sql import SparkSession                       # doctest: +SKIP
>>> import galop.spark                                         # doctest: +SKIP
>>> spark = SparkSession.builder.getOrCreate()                 # doctest: +SKIP
>>> solved = galop.spark.solve(spark.read.csv("puzzles.csv", header=True), unique=True)      # doctest: +SKIP
>>> solved.where("status <> 'solved'").show()                  # doctest: +SKIP

| to | use |
|---|---|
| solve a column | :func:`solve` |
| check a column of solutions | :func:`verify` |
| find which puzzles are equivalent | :func:`canonical` |
| keep one puzzle of each class | :func:`dedup` |
| find tests that are training data | :func:`leak` |
| call these from SQL | :func:`register` |

The work is done inside the executors, which need this package; no other program is started. Each row of the input gives one
row, with all its columns. A row that is not a puzzle keeps its place and says what is wrong with it. The rows may come from
any source of Spark.

Steps can follow each other: ``verify(solve(df))``, ``canonical(solve(df))``, ``solve(verify(df))``. No column is replaced: if the
name of a new column is there already, the new one has the name of its function before it, ``verify_reason`` or
``solve_solution``. With ``prefix``, the new names are what you say.

Nothing is computed before Spark needs the rows. What is wrong with the arguments raises ``ValueError`` at once. If the
executors' Python has no galop, ``ImportError`` says which Python that is: at once if the executors run on this machine, else in
the first task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

try:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, SparkSession, Window
    from pyspark.sql import functions as F
    from pyspark.sql.types import (
        BooleanType,
        CharType,
        DataType,
        LongType,
        StringType,
        StructField,
        StructType,
        VarcharType,
    )
except ImportError as error:
    raise ImportError(f"galop.spark needs pyspark and pyarrow: pip install pyspark pyarrow ({error})") from error

from galop import _executors
from galop._choices import AnyKind, Engine
from galop._columns import Canonical, RulesOf, Solve, Verify, Work
from galop._names import new_names
from galop._natural import natural
from galop._solve import limit_of, rules_of
from galop._sql import FUNCTIONS, Call, CallOfPandas, Choices
from galop.cover import Problem

__all__ = ["canonical", "dedup", "leak", "register", "solve", "verify"]

_OWN = "__galop_"
"""Before the names of columns that are gone from the result."""


def solve(
    df: DataFrame,
    column: str = "puzzle",
    *,
    unique: bool = False,
    limit: int | None = None,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    kind: AnyKind = "sudoku",
    side: int | None = None,
    problem: Problem | None = None,
    alphabet: str | None = None,
    prefix: str = "",
) -> DataFrame:
    """Solves the puzzles of a column. Every solution is checked by an independent verifier.

    The result has all columns of ``df``, and these:

    - ``solution``: the solution as text; null without one
    - ``status``: ``solved``, ``none``, ``multiple`` (only with ``unique``), ``limit``, ``stuck`` or ``malformed``
    - ``count``: solutions found, at most as many as were asked for
    - ``guesses``: guesses of the engine
    - ``reason``: what is wrong with a malformed row; else null

    :param df: rows of any source.
    :param column: the column of the puzzles, which are strings. White space in them is skipped.
    :param side: the side of the grids; the default is the only one that ``kind`` has, or else 9. It is not looked for in the
        rows: each batch must have the same rules.
    :param problem: a :class:`galop.cover.Problem`, whose records are solved: lines of choices. It has no ``kind``, ``side`` or
        ``alphabet`` beside it. Options that are added later do not count.
    :param prefix: put before the names of the new columns, for example ``galop_``. Without it, a name that ``df`` has already
        gets ``solve_`` before it: ``solve_solution``.
    :raises ValueError: if an argument is wrong, or if ``df`` has that column, too.
    :raises ImportError: if the executors run on this machine and their Python lacks this package.

    The other parameters are as in :func:`galop.solve`. If a puzzle has several solutions, which one is found may depend on
    the rows around it. So may the number of guesses of the engine ``lanes``.
    """
    most = limit_of(unique, limit)
    rules = _rules(kind, side, problem, alphabet)
    work = Solve(rules, (_place(df, column),), most, max_guesses, engine)
    text, number = StringType(), LongType()
    added = {"solution": text, "status": text, "count": number, "guesses": number, "reason": text}
    return _with_columns(df, work, "solve", added, prefix)


def verify(
    df: DataFrame,
    puzzle: str = "puzzle",
    solution: str = "solution",
    *,
    unique: bool = False,
    kind: AnyKind = "sudoku",
    side: int | None = None,
    problem: Problem | None = None,
    alphabet: str | None = None,
    prefix: str = "",
) -> DataFrame:
    """Verifies a column of solutions against a column of puzzles.

    The result has all columns of ``df``, and these:

    - ``right``: whether the solution keeps the clues and holds every symbol once in every unit; of a problem, whether it has
      the choices and covers every item
    - ``reason``: what is wrong, if it is not right; else null

    :param puzzle: the column of the puzzles.
    :param solution: the column of the solutions.
    :param unique: also prove that each solution is the only one.

    The other parameters are as in :func:`solve`.
    """
    rules = _rules(kind, side, problem, alphabet)
    work = Verify(rules, (_place(df, puzzle), _place(df, solution)), unique)
    return _with_columns(df, work, "verify", {"right": BooleanType(), "reason": StringType()}, prefix)


def canonical(
    df: DataFrame,
    column: str = "puzzle",
    *,
    direct: bool = False,
    kind: AnyKind = "sudoku",
    side: int | None = None,
    alphabet: str | None = None,
    prefix: str = "",
) -> DataFrame:
    """Finds canonical forms: two puzzles are the same but for a symmetry if and only if their forms are equal.

    The result has all columns of ``df``, and these:

    - ``canonical``: the form as text
    - ``form``: ``solution`` if it is the least image of the solution with its clues, ``direct`` if of the clues alone
    - ``key``: 128 bits that identify the form, as 32 hexadecimal digits: the column to join by
    - ``reason``: what is wrong with a malformed row, which has no form; else null

    :param direct: find the least image of the clues of every puzzle, which is slower; see :func:`galop.canonical`.

    The other parameters are as in :func:`solve`. Sudokus of 4x4, 6x6 and 9x9 have such forms.
    """
    rules = RulesOf(kind, side, alphabet)
    work = Canonical(rules, (_place(df, column),), direct)
    text = StringType()
    added = {"canonical": text, "form": text, "key": text, "reason": text}
    return _with_columns(df, work, "canonical", added, prefix)


def dedup(
    df: DataFrame,
    column: str = "puzzle",
    *,
    order_by: str | Column | Sequence[str | Column] | None = None,
    direct: bool = False,
    kind: AnyKind = "sudoku",
    side: int | None = None,
    alphabet: str | None = None,
) -> DataFrame:
    """Keeps one row of each class of equivalent puzzles. Rows that are not puzzles are kept, all of them.

    The result has the columns of ``df``. Spark moves each row to the others of its class.

    :param order_by: columns, as names or ``F.col``; the first row of a class in this order is kept. By default it is the one
        whose text is the least. Rows that are equal in these columns are alike to Spark: order by a column that tells them
        apart if a second run must keep the same ones.
    :raises ValueError: if an argument is wrong, or if ``df`` is a stream, which has no end.

    The other parameters are as in :func:`canonical`.
    """
    if getattr(df, "isStreaming", False):
        raise ValueError(
            "a stream has no end, so its classes have no first row: use "
            "galop.spark.canonical(df).dropDuplicates(['key']), which keeps the row of each class that comes first"
        )
    found = canonical(df, column, direct=direct, kind=kind, side=side, alphabet=alphabet, prefix=_OWN)
    text = F.col(_quoted(column))
    orders: Any = [text] if order_by is None else [order_by] if isinstance(order_by, (str, Column)) else list(order_by)
    key = F.col(f"{_OWN}key")
    # Rows without a key are grouped by their text, so that they are not all in one place.
    group = F.coalesce(key, F.concat(F.lit("malformed "), text), F.lit(""))
    number = F.row_number().over(Window.partitionBy(group).orderBy(*orders))
    numbered = found.withColumn(f"{_OWN}number", number)
    kept = numbered.where(key.isNull() | (F.col(f"{_OWN}number") == 1))
    return kept.select(*[_quoted(name) for name in df.columns])


def leak(
    train: DataFrame,
    test: DataFrame,
    column: str = "puzzle",
    *,
    test_column: str | None = None,
    direct: bool = False,
    kind: AnyKind = "sudoku",
    side: int | None = None,
    alphabet: str | None = None,
    prefix: str = "",
) -> DataFrame:
    """Finds the tests that are equivalent to a puzzle of the training data. None is found if there is no leak.

    The result has those rows of ``test``, each once, with all columns, and these:

    - ``key``: the key of the class
    - ``train_puzzle``: a puzzle of the training data that is equivalent, the one whose text is the least
    - ``train_count``: how many rows of the training data are equivalent

    Rows that are not puzzles are equivalent to none.

    :param column: the column of the puzzles.
    :param test_column: the column of ``test``, if it has another name.

    The other parameters are as in :func:`canonical`.
    """
    new = new_names(test.columns, "leak", ("key", "train_puzzle", "train_count"), prefix, _fold(test))

    def keyed(df: DataFrame, puzzles: str) -> DataFrame:
        found = canonical(df, puzzles, direct=direct, kind=kind, side=side, alphabet=alphabet, prefix=_OWN)
        return found.where(F.col(f"{_OWN}key").isNotNull())

    groups = keyed(train, column).groupBy(F.col(f"{_OWN}key").alias(new[0]))
    least = F.min(F.col(_quoted(column)).cast("string"))
    classes = groups.agg(least.alias(new[1]), F.count(F.lit(1)).alias(new[2]))
    tests = keyed(test, test_column or column)
    kept = [_quoted(name) for name in test.columns]
    tests = tests.select(*kept, F.col(f"{_OWN}key").alias(new[0]))
    return tests.join(classes, new[0]).select(*kept, *[_quoted(name) for name in new])


def register(
    spark: SparkSession,
    *,
    unique: bool = False,
    limit: int = 2,
    max_guesses: int | None = None,
    engine: Engine = "lanes",
    direct: bool = False,
    kind: AnyKind = "sudoku",
    side: int | None = None,
    problem: Problem | None = None,
    alphabet: str | None = None,
    prefix: str = "galop_",
) -> list[str]:
    """Gives the SQL of a session these functions, and returns their names:

    =================================  ========  ================================================================
    function                           type      value
    =================================  ========  ================================================================
    ``galop_solve(puzzle)``            string    the solution; with ``unique`` only if it is the only one
    ``galop_count(puzzle)``            bigint    the number of solutions, at most ``limit``
    ``galop_verify(puzzle, solution)`` boolean   whether the solution is right; with ``unique``, the only one, too
    ``galop_canonical(puzzle)``        string    the canonical form
    ``galop_key(puzzle)``              string    the key of the canonical form, 32 hexadecimal digits
    =================================  ========  ================================================================

    A value is ``NULL`` if there is none: for a malformed puzzle, or if an argument is ``NULL``. (``galop_verify`` is false for a
    solution that is malformed.) The functions are temporary functions of the session, also in its views and in ``F.expr``. Each
    works on batches of rows, as :func:`solve` does. Several columns of one puzzle cost less with :func:`solve`, which searches
    once.

    :param spark: the session.
    :param limit: where ``galop_count`` stops; 0 counts all solutions, which may take for ever.
    :param prefix: put before the names. Functions for another kind of puzzles need another prefix.
    :raises ValueError: if an argument is wrong.
    :raises ImportError: if the executors run on this machine and their Python lacks this package.

    The other parameters are as in :func:`solve` and :func:`canonical`. Puzzles of kinds without canonical forms lack the last
    two functions, and so do records of a problem.

    >>> from pyspark.sql import SparkSession                                            # doctest: +SKIP
    >>> import galop.spark
    >>> spark = SparkSession.builder.getOrCreate()                          # doctest: +SKIP
    >>> galop.spark.register(spark, limit=100)                                         # doctest: +SKIP
    >>> spark.sql("SELECT puzzle, galop_solve(puzzle) AS solution FROM puzzles")       # doctest: +SKIP
    """
    natural(limit=limit)
    choices = Choices(_rules(kind, side, problem, alphabet), unique, limit, max_guesses, engine, direct)
    calls: dict[str, Call] = {}
    for name, function in FUNCTIONS.items():
        call = Call(f"{prefix}{name}", function, choices)
        try:
            # What is wrong with the arguments shows without any row.
            call(*[pa.array([], pa.string())] * function.arguments)
        except ValueError:
            if function.is_general:
                raise
            continue
        calls[call.name] = replace(call, rules=None)
    _executors.require(spark)
    # Which of the two there is depends on the version of Spark.
    functions: Any = F
    for name, call in calls.items():
        has_arrow = hasattr(functions, "arrow_udf")
        make = functions.arrow_udf if has_arrow else functions.pandas_udf
        work = _executors.by_value(call if has_arrow else CallOfPandas(call), name)
        spark.udf.register(name, make(work, call.function.returns))
    return list(calls)


def _rules(kind: AnyKind, side: int | None, problem: Problem | None, alphabet: str | None) -> RulesOf:
    """The rules of the rows; a problem as it is now."""
    rules_of(problem, kind, alphabet)
    if problem is not None and side is not None:
        raise ValueError("problem=... has rules of its own: leave out side")
    return RulesOf(kind, side, alphabet, None if problem is None else copy(problem._problem))


def _with_columns(df: DataFrame, work: Work, step: str, added: Mapping[str, DataType], prefix: str) -> DataFrame:
    """The rows with the columns of `work`, which have the names and types `added`."""
    names = new_names(df.columns, step, list(added), prefix, _fold(df))
    work = replace(work, names=(*df.columns, *names))
    # What is wrong with the arguments shows without any row, here and not in an executor.
    work.columns(work.rules.make(), [pa.array([], pa.string()) for _ in work.places])
    fields = [StructField(name, kind) for name, kind in zip(names, added.values())]
    schema = StructType([*df.schema.fields, *fields])
    if any("." in name or "`" in name for name in df.columns):
        # `mapInArrow` itself does not find columns with such names.
        df = df.toDF(*[f"column{number}" for number in range(len(df.columns))])
    _executors.require(df.sparkSession)
    return df.mapInArrow(_executors.by_value(work, f"galop_{step}"), schema)


def _place(df: DataFrame, column: str) -> int:
    """The number of a column of strings."""
    fold = _fold(df)
    places = [place for place, name in enumerate(df.columns) if fold(name) == fold(column)]
    if len(places) != 1:
        how_many = "no column" if not places else "several columns"
        raise ValueError(f"{how_many} {column!r} (the columns are {', '.join(df.columns)})")
    kind = df.schema.fields[places[0]].dataType
    if not isinstance(kind, (StringType, CharType, VarcharType)):
        raise ValueError(f"the column {column!r} holds {kind.simpleString()} (puzzles are strings)")
    return places[0]


def _fold(df: DataFrame) -> Any:
    """What makes names equal that are the same to Spark."""
    if not hasattr(df, "mapInArrow"):
        raise ValueError(f"{type(df).__name__} is no DataFrame of Spark (spark.createDataFrame makes one of a table of pandas)")
    is_sensitive = df.sparkSession.conf.get("spark.sql.caseSensitive", "false") == "true"
    return str if is_sensitive else str.lower


def _quoted(name: str) -> str:
    """The name of a column, with dots and spaces, as an expression."""
    return "`" + name.replace("`", "``") + "`"

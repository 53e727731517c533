"""A cluster of Spark with two executors, each in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

import galop

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


SECONDS = 120
"""Time after which a test that waits gives up."""


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Two executors of one core and 1 GB. A task that takes longer than others is started a second time."""
    # The workers keep what executors wrote to standard error in this folder.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPARK_WORKER_DIR"] = folder
        session = (
            SparkSession.builder.master("local-cluster[2,1,1024]")
            .appName("galop")
            .config("spark.ui.enabled", "false")
            # The tests are many short jobs: time that goes into compiling is lost.
            .config("spark.driver.extraJavaOptions", JAVA_OPTIONS)
            .config("spark.executor.extraJavaOptions", JAVA_OPTIONS)
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.sql.adaptive.enabled", "false")
            .config("spark.local.dir", folder)
            .config("spark.sql.warehouse.dir", f"{folder}/warehouse")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.speculation", "true")
            .config("spark.speculation.interval", "100ms")
            .config("spark.speculation.quantile", "0.5")
            .config("spark.speculation.multiplier", "3")
            .config("spark.speculation.minTaskRuntime", "2s")
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


@pytest.fixture
def third_executor(spark: SparkSession, tmp_path: Path) -> None:
    """An executor at another address. Spark starts no second attempt of a task at the address of the first one, and the
    executors of a local cluster have the same."""
    context: Any = spark.sparkContext
    java = context._jvm
    scheduler = context._jsc.sc().schedulerBackend()
    masters = scheduler.getClass().getDeclaredField("masters")
    masters.setAccessible(True)
    worker = getattr(getattr(java.org.apache.spark.deploy.worker, "Worker$"), "MODULE$")
    supplier = getattr(worker, "startRpcEnvAndEndpoint$default$10")()
    number, conf = java.scala.Option.apply(3), context._jsc.sc().conf()
    addresses = masters.get(scheduler)
    worker.startRpcEnvAndEndpoint("127.0.0.2", 0, 0, 1, 1024, addresses, str(tmp_path / "worker"), number, conf, supplier)
    end = time.monotonic() + 120
    # The driver is one of them.
    while context._jsc.sc().getExecutorMemoryStatus().size() < 4 and time.monotonic() < end:
        time.sleep(0.1)


@pytest.fixture(scope="session")
def puzzles() -> list[str]:
    """10,000 puzzles with one solution."""
    return galop.generate(10_000, seed=14).strings()


def write_rows(path: str, texts: list[str | None], files: int) -> None:
    """A table of ids and puzzles in files of equal size."""
    os.makedirs(path)
    table = pa.table({"id": np.arange(len(texts)), "puzzle": pa.array(texts, pa.string())})
    for file in range(files):
        first, end = (at * len(texts) // files for at in (file, file + 1))
        pq.write_table(table.slice(first, end - first), f"{path}/{file:03}.parquet")


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


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python with what Spark needs there, and without galop."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    packages = next(folder.glob("lib/python3*/site-packages"))
    for name in ("numpy", "pandas", "pyarrow", "dateutil", "pytz", "six"):
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            # dateutil needs it before version 4.
            assert name == "six"
            continue
        origin = Path(spec.origin)
        source = origin.parent if origin.name == "__init__.py" else origin
        (packages / source.name).symlink_to(source)
        libraries = source.parent / f"{name}.libs"
        if libraries.is_dir():
            (packages / libraries.name).symlink_to(libraries)
    python = str(folder / "bin" / "python")
    done = subprocess.run([python, "-c", "import pyarrow, galop"], capture_output=True, text=True)
    assert done.stderr.strip().endswith("No module named 'galop'")
    return python

"""The examples for clusters give what one machine gives."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import write_rows

import galop

# In the folder of the tests of the gate, or in a checkout.
EXAMPLES = next(
    folder for folder in (Path(__file__).parents[up] / "examples" for up in (1, 3)) if folder.is_dir()
)
SHARDS = 4


@pytest.fixture
def file(tmp_path: Path, puzzles: list[str]) -> Path:
    """A file of puzzles, with a line that is none."""
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join([*puzzles[:2_000], "rubbish", *puzzles[2_000:3_000]]) + "\n")
    return path


def run(*words: str | Path, check: bool = True, variables: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **(variables or {})}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 or not check, done.stderr[-3_000:]
    return done


def assert_whole(file: Path, parts: Path) -> None:
    """The parts, one after the other, are the output for the whole file."""
    whole = run("galop", "solve", "-q", file, check=False).stdout
    names = sorted(parts.iterdir())
    assert len(names) == SHARDS and all(name.name.startswith("part.") for name in names)
    assert "".join(name.read_text() for name in names) == whole
    assert whole.count("\n") == 3_001 and "rubbish,malformed\n" in whole


def test_slurm(file: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    # A task that is started again does nothing twice.
    for task in [*range(1, SHARDS + 1), 2]:
        numbers = {"SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_COUNT": str(SHARDS), "SLURM_CPUS_PER_TASK": "1"}
        run("bash", EXAMPLES / "slurm.sh", file, parts, variables=numbers)
    assert_whole(file, parts)


def test_slurm_says_what_is_wrong(tmp_path: Path) -> None:
    numbers = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "2"}
    done = run("bash", EXAMPLES / "slurm.sh", tmp_path / "missing", tmp_path / "parts", check=False, variables=numbers)
    assert done.returncode == 1 and "missing: " in done.stderr


def test_kubernetes(file: Path, tmp_path: Path) -> None:
    lines = (EXAMPLES / "kubernetes.yaml").read_text().splitlines()
    begin = next(at for at, line in enumerate(lines) if line.strip() == "- |")
    indent = lines[begin + 1][: -len(lines[begin + 1].lstrip())]
    block = []
    for line in lines[begin + 1 :]:
        if not line.startswith(indent):
            break
        block.append(line[len(indent) :])
    assert any("completionMode: Indexed" in line for line in lines) and len(block) == 6
    variables = {"INPUT": str(file), "FOLDER": str(tmp_path / "parts"), "SHARDS": str(SHARDS)}
    for index in [*range(SHARDS), 1]:
        variables["JOB_COMPLETION_INDEX"] = str(index)
        run("/bin/sh", "-euc", "\n".join(block), variables=variables)
    assert_whole(file, tmp_path / "parts")


STAND_IN = """#!/usr/bin/env bash
# What GNU parallel does with its last argument: each line of the input takes the place of {}.
while read -r line; do bash -c "$(sed "s/{}/$line/g" <<<"${@: -1}")" || exit 1; done
"""


def test_parallel(file: Path, tmp_path: Path) -> None:
    variables: dict[str, str] = {}
    if shutil.which("parallel") is None:
        # Without the engine: its place is taken by a loop.
        stand_in = tmp_path / "bin" / "parallel"
        stand_in.parent.mkdir()
        stand_in.write_text(STAND_IN)
        stand_in.chmod(0o755)
        variables["PATH"] = f"{Path(sys.executable).parent}:{stand_in.parent}:{os.environ['PATH']}"
    for _ in range(2):
        run("bash", EXAMPLES / "parallel.sh", file, tmp_path / "parts", str(SHARDS), variables=variables)
    assert_whole(file, tmp_path / "parts")


def test_ray(tmp_path: Path, puzzles: list[str]) -> None:
    pytest.importorskip("ray.data")
    some = [*puzzles[:3_000], "rubbish", None]
    write_rows(str(tmp_path / "in"), some, 3)
    files = sorted((tmp_path / "in").iterdir())
    quiet = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
    run(sys.executable, EXAMPLES / "ray_data.py", *files, tmp_path / "out", variables=quiet)
    found = pq.read_table(str(tmp_path / "out"))
    local = galop.solve(some)
    assert found["id"].to_pylist() == list(range(3_002)) and found["puzzle"].to_pylist() == some
    assert found["solution"].to_pylist() == local.strings()
    assert found["status"].to_pylist() == local.words.tolist()

"""The examples for clusters give what one machine gives."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import write_rows
from executors import is_alive, wait_for

import galop

# In the folder of the tests of the gate, or in a checkout.
EXAMPLES = next(
    folder for folder in (Path(__file__).parents[up] / "examples" for up in (1, 3)) if folder.is_dir()
)
SHARDS = 4
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
"""Variables of Ray."""


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
    names = sorted(parts.glob("part.*"))
    assert len(names) == SHARDS
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
    assert done.returncode == 2 and "missing: " in done.stderr


def test_kubernetes(file: Path, tmp_path: Path) -> None:
    lines = (EXAMPLES / "kubernetes.yaml").read_text().splitlines()
    begin = next(at for at, line in enumerate(lines) if line.strip() == "- |")
    indent = lines[begin + 1][: -len(lines[begin + 1].lstrip())]
    block = []
    for line in lines[begin + 1 :]:
        if not line.startswith(indent):
            break
        block.append(line[len(indent) :])
    assert any("completionMode: Indexed" in line for line in lines) and len(block) == 3
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
    run(sys.executable, EXAMPLES / "ray_data.py", *files, tmp_path / "out", variables=QUIET)
    found = pq.read_table(str(tmp_path / "out"))
    local = galop.solve(some)
    assert found["id"].to_pylist() == list(range(3_002)) and found["puzzle"].to_pylist() == some
    assert found["solution"].to_pylist() == local.strings()
    assert found["status"].to_pylist() == local.words.tolist()


KILLED = """
import os, sys, time
from pathlib import Path

import ray_data

notes, solve = Path(sys.argv.pop(1)), ray_data.solve

def noted(table):
    # Which block this process begins. The first process waits, with its block half done, until it is killed.
    (notes / f"begun-{table['id'][0]}-{os.getpid()}").touch()
    half = table.num_rows // 2
    first = solve(table.slice(0, half))
    try:
        os.close(os.open(notes / "claimed", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return ray_data.pa.concat_tables([first, solve(table.slice(half))])
    (notes / "writing").write_text(f"{table['id'][0]} {os.getpid()}")
    os.rename(notes / "writing", notes / "stopped")
    time.sleep(120)
    raise AssertionError("the worker was not killed")

ray_data.solve = noted
ray_data.main(sys.argv[1:-1], sys.argv[-1])
"""
"""The example, whose function tells where it is."""


def test_a_worker_of_ray_is_killed(tmp_path: Path, puzzles: list[str]) -> None:
    pytest.importorskip("ray.data")
    some: list[str | None] = [*galop.augment(puzzles, 15, seed=6).strings()]
    write_rows(str(tmp_path / "in"), some, 3)
    notes = tmp_path / "notes"
    notes.mkdir()
    (tmp_path / "killed.py").write_text(KILLED)
    files = sorted((tmp_path / "in").iterdir())
    command: list[str | Path] = [sys.executable, tmp_path / "killed.py", notes, *files, tmp_path / "out"]
    # The workers find the module there, too.
    environment = {**os.environ, **QUIET, "PYTHONPATH": str(EXAMPLES)}
    with (tmp_path / "log").open("w") as log, subprocess.Popen(command, env=environment, stdout=log, stderr=log) as job:
        try:
            wait_for(lambda: (notes / "stopped").exists() or job.poll() is not None, "a worker in the middle of its block")
            block, killed = (int(word) for word in (notes / "stopped").read_text().split())
            assert is_alive(killed) and killed != job.pid
            os.kill(killed, signal.SIGKILL)
            wait_for(lambda: not is_alive(killed), "the worker is gone")
            assert job.wait(timeout=300) == 0, (tmp_path / "log").read_text()[-3_000:]
        finally:
            job.kill()
    # Another process began the same block.
    processes = [int(note.name.split("-")[2]) for note in notes.glob(f"begun-{block}-*")]
    assert len(processes) == 2 and killed in processes
    found = pq.read_table(str(tmp_path / "out"))
    local = galop.solve(some)
    assert found["id"].to_pylist() == list(range(len(some))) and found["puzzle"].to_pylist() == some
    assert found["solution"].to_pylist() == local.strings()
    assert found["status"].to_pylist() == local.words.tolist()

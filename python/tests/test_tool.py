"""The console script: exit codes, signals and closed pipes are as in the tool."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import galop

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"

# The script beside the interpreter, or the module that it calls where the package was not installed.
SCRIPT = shutil.which("galop", path=str(Path(sys.executable).parent))
TOOL = [SCRIPT] if SCRIPT else [sys.executable, "-m", "galop._tool"]


def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TOOL, *words], input=text, capture_output=True, text=True, timeout=60)


def test_it_is_the_tool() -> None:
    assert run("--version").stdout == f"galop {galop.__version__}\n"
    solved = run("solve", "-q", "-", text=f"{PUZZLE}\n")
    assert (solved.returncode, solved.stdout) == (0, f"{PUZZLE},{SOLUTION}\n")
    assert "Usage: galop solve" in run("solve", "--help").stdout
    module = subprocess.run([sys.executable, "-m", "galop", "--version"], capture_output=True, text=True, timeout=60)
    assert module.stdout == f"galop {galop.__version__}\n", module.stderr


def test_exit_codes() -> None:
    assert run("solve", "-q", "-", text="rubbish\n").returncode == 1
    wrong = run("solve", "--nonsense")
    assert wrong.returncode == 2 and "--nonsense" in wrong.stderr
    missing = run("solve", "/nonexistent")
    assert missing.returncode == 2 and "cannot read" in missing.stderr and "Traceback" not in missing.stderr


def test_the_command_is_that_which_was_typed(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run("solve", "-q", "--report", str(report), "-", text=f"{PUZZLE}\n")
    assert re.search(r'"command": "galop solve -q', report.read_text()), report.read_text()[:500]


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(number: signal.Signals) -> None:
    child = subprocess.Popen(
        [*TOOL, "generate", "-n", "1000000000", "--seed", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None and child.stdout.read(82)
    child.send_signal(number)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 128 + number, errors
    assert b"Traceback" not in errors and b"stopped before the end" in errors


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_closed_pipe_is_quiet() -> None:
    child = subprocess.Popen(
        [*TOOL, "generate", "-q", "-n", "1000000000", "--seed", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None and child.stderr is not None and child.stdout.read(82)
    child.stdout.close()
    errors = child.stderr.read()
    assert child.wait(timeout=60) == 128 + signal.SIGPIPE and errors == b""


def test_it_imports_nothing_that_takes_long() -> None:
    script = "import sys, galop, galop._tool; print('numpy' in sys.modules, 'galop._solve' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "False False\n", done.stderr

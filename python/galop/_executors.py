"""The Python of Spark's executors, which must have this package: what a user reads where it has not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark import cloudpickle
from pyspark.errors import PySparkException

_SECONDS = 60
"""Seconds that the executors' Python has for its imports. After that it counts as one that has the package."""

_able: set[tuple[str, str]] = set()
"""Sessions, and the Pythons of their executors that were asked and have the package."""


def by_value(work: Callable[..., Any], name: str) -> Callable[..., Any]:
    """``work`` as a function that every Python can load. In one without this package, its first call says so.

    Cloudpickle writes functions of an importable module by name, so an executor without the module fails before it runs
    anything, and Spark shows a trace of the unpickling. A function inside a function is written with its code. This one holds
    ``work`` as bytes, which it reads where it is called.
    """
    pickled: bytes = cloudpickle.dumps(work)  # type: ignore[no-untyped-call,unused-ignore]
    remedy = (
        "install galop there, or set PYSPARK_PYTHON to a Python of the executors that has it, before the session starts "
        f"(this program runs {sys.executable})"
    )
    loaded: list[Any] = []

    def call(*given: Any) -> Any:
        if not loaded:
            import pickle
            import sys

            try:
                loaded.append(pickle.loads(pickled))
            except ModuleNotFoundError as error:
                raise ImportError(f"the executors' Python ({sys.executable}) has no {error.name}: {remedy}") from None
        return loaded[0](*given)

    # The plan of a query shows the name. Spark infers from annotations what a function is for.
    call.__name__ = call.__qualname__ = name
    call.__annotations__.clear()
    return call


def require(session: Any) -> None:
    """Raises ``ImportError`` if the session's executors run on this machine and their Python lacks this package.

    The executors of other machines cannot be asked without a job, and neither can those of Spark Connect: there the first
    task fails with the words of :func:`by_value`.
    """
    try:
        context = session.sparkContext
    except (AttributeError, PySparkException):
        # Spark Connect has none.
        return
    # Databricks runs the notebook's Python in the executors, whatever PYSPARK_PYTHON says.
    if not context.master.startswith("local") or "DATABRICKS_RUNTIME_VERSION" in os.environ:
        return
    python = shutil.which(context.pythonExec)
    if python is None or _is_this(python) or (context.applicationId, python) in _able:
        return
    environment = {**os.environ, **context.environment}
    command = [python, "-c", "import galop._columns"]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return
    missing = re.search(r"^ModuleNotFoundError: No module named '(.*)'$", done.stderr, re.MULTILINE)
    if missing:
        raise ImportError(
            f"the executors' Python ({python}) has no {missing[1]}: set PYSPARK_PYTHON={sys.executable} before the session "
            f"starts (this program runs {sys.executable})"
        )
    _able.add((context.applicationId, python))


def _is_this(python: str) -> bool:
    """Whether a program is the Python that runs this one. The Python of a virtual environment is a link, so its folder tells it
    from the Pythons of other environments."""
    here, there = Path(sys.executable), Path(python)
    return here.parent == there.parent and here.resolve() == there.resolve()

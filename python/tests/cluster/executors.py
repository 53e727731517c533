"""Executors of a local cluster that stop in the middle of galop's work: where one did, and what the driver knows of it."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
from conftest import SECONDS
from pyspark import TaskContext
from pyspark.sql import SparkSession

from galop._columns import Work


def wait_for(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end, f"not after {SECONDS} s: {what}"
        time.sleep(0.05)


def watched(base: type[Work], folder: Path, after: int = 1) -> type[Work]:
    """`base`, which notes each task that begins in a folder. One task stops inside the second batch of its partition: the first
    that gets there when `after` tasks have begun. It is a class of a function, so the executors need not import it."""
    notes, seconds = str(folder), SECONDS

    class Watched(base):  # type: ignore[misc, valid-type]
        def columns(self, rules: Any, texts: list[Any]) -> list[Any]:
            task = TaskContext.get()
            if task is not None:
                name = f"{task.stageId()}-{task.partitionId()}-{task.taskAttemptId()}"
                begun = os.path.join(notes, f"begun-{name}")
                if not os.path.exists(begun):
                    Path(begun).touch()
                elif sum(note.startswith("begun-") for note in os.listdir(notes)) >= after:
                    stop_once(notes, seconds)
            return super().columns(rules, texts)  # type: ignore[no-any-return]

    stop_once = _stop_once()
    return Watched


def _stop_once() -> Callable[[str, float], None]:
    """A function that executors need not import."""

    def stop_once(notes: str, seconds: float) -> None:
        """The first task that calls it says which it is, and waits until it is killed."""
        task = TaskContext.get()
        assert task is not None
        try:
            os.close(os.open(os.path.join(notes, "claimed"), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        about = {"stage": task.stageId(), "partition": task.partitionId(), "task": task.taskAttemptId(), "process": os.getpid()}
        Path(notes, "writing").write_text(json.dumps(about))
        os.rename(os.path.join(notes, "writing"), os.path.join(notes, "stopped"))
        time.sleep(seconds)
        raise AssertionError("the executor was not killed")

    return stop_once


stop_once = _stop_once()


def begun(notes: Path) -> set[tuple[int, int, int]]:
    """The tasks that have begun: stage, partition, task."""
    found = set()
    for note in notes.glob("begun-*"):
        stage, partition, task = note.name.split("-")[1:]
        found.add((int(stage), int(partition), int(task)))
    return found


def stopped(notes: Path) -> dict[str, int]:
    """The task that waits in the middle of its partition."""
    wait_for((notes / "stopped").exists, "a task in the middle of its partition")
    return dict(json.loads((notes / "stopped").read_text()))


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def _executor_of(process: int) -> tuple[int, str]:
    """The executor above a Python process: its Java process, and its name to the driver."""
    while process > 1:
        words = Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
        if any(word.endswith("CoarseGrainedExecutorBackend") for word in words):
            return process, words[words.index("--executor-id") + 1]
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    raise AssertionError("the task does not run in an executor")


@dataclass
class Killer:
    """Kills the executor whose task waits, and then knows what was lost."""

    notes: Path
    task: dict[str, int] = field(default_factory=dict)
    executor: str = ""
    before: set[tuple[int, int, int]] = field(default_factory=set)
    """The tasks that had begun before."""

    def during(self, job: Callable[[], pa.Table]) -> pa.Table:
        thread = threading.Thread(target=self._kill)
        thread.start()
        table = job()
        thread.join()
        return table

    def _kill(self) -> None:
        self.task = stopped(self.notes)
        java, self.executor = _executor_of(self.task["process"])
        self.before = begun(self.notes)
        os.kill(java, signal.SIGKILL)
        wait_for(lambda: not is_alive(java) and not is_alive(self.task["process"]), "the processes are gone")

    def assert_lost(self, spark: SparkSession) -> None:
        """The driver lost that executor, and that task with it; a later attempt of the partition succeeded elsewhere."""
        assert self.executor, "no executor was killed"
        context: Any = spark.sparkContext
        store = context._jsc.sc().statusStore()

        def executor() -> Any:
            all_of_them = store.executorList(False)
            return next(one for one in _items(all_of_them) if one.id() == self.executor)

        wait_for(lambda: not executor().isActive(), "the driver has lost the executor")
        assert "137" in executor().removeReason().get()
        no_tasks, no_quantiles = context._jvm.java.util.ArrayList(), context._gateway.new_array(context._jvm.double, 0)

        def attempts() -> list[Any]:
            stages = _items(store.stageData(self.task["stage"], False, no_tasks, False, no_quantiles))
            tasks = [task for one in stages for task in _items(store.taskList(self.task["stage"], one.attemptId(), 1_000))]
            # In a stage that runs once more, the numbers of tasks are others.
            return [task for task in tasks if task.partitionId() == self.task["partition"]]

        lost = next(task for task in attempts() if task.taskId() == self.task["task"])
        assert lost.executorId() == self.executor and lost.status() == "FAILED"
        assert "ExecutorLostFailure" in lost.errorMessage().get()
        # The driver takes successes down later than it goes on.
        wait_for(lambda: any(task.status() == "SUCCESS" for task in attempts()), "the partition was taken again")
        again = [task for task in attempts() if task.status() == "SUCCESS"]
        assert len(again) == 1 and again[0].taskId() > lost.taskId() and again[0].executorId() != self.executor


def _items(sequence: Any) -> list[Any]:
    """The items of a sequence of Scala."""
    return [sequence.apply(at) for at in range(sequence.size())]

"""The blocks of docs/clusters.md about Spark run as they are written there, one after the other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import galop

PAGE = next(
    page for page in (Path(__file__).parents[up] / "docs" / "clusters.md" for up in (1, 3)) if page.is_file()
)
FILES = ["puzzles.csv", "puzzles.txt", "solved", "incoming", "checkpoint"]


def test_blocks(spark: SparkSession, tmp_path: Path, puzzles: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    some = galop.augment(puzzles[:50], 4, seed=1).strings()
    (tmp_path / "puzzles.csv").write_text("\n".join(["puzzle", *(text or "" for text in some)]) + "\n")
    # A block may write what an earlier one has written.
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict[str, Any] = {"cores": 2}
    for number, block in enumerate(blocks):
        if "pipe(" in block:
            # test_failures.py has it.
            continue
        for file in FILES:
            place = tmp_path / (f"solved-{number}" if file == "solved" else file)
            block = block.replace(f'"{file}"', repr(str(place)))
        if "incoming" in block:
            names["df"].selectExpr("monotonically_increasing_id() AS id", "puzzle").write.parquet(str(tmp_path / "incoming"))
        if "spark.sql(" in block:
            block = re.sub(r"^(spark\.sql.*)$", r"tables.append(\1)", block, flags=re.MULTILINE)
            names["tables"] = []
        exec(block, names)
    assert names["wrong"].count() == 0 and names["once"].count() == 50 and names["leaks"].count() == 0
    solved, classes = names["tables"]
    assert solved.count() == 200 and solved.where("galop_verify(puzzle, solution)").count() == 200
    assert sorted(row[1] for row in classes.collect()) == [4] * 50
    assert spark.read.parquet(str(next(tmp_path.glob(f"solved-{len(blocks) - 2}")))).where("status = 'solved'").count() == 200

"""What is imported with a name, and what columns are called in a table."""

from __future__ import annotations

import subprocess
import sys

import pytest

import galop
from galop._names import new_names


def test_modules_are_imported_with_their_names() -> None:
    script = "import galop; print(galop.cover.Problem(['a']).count())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "0\n", done.stderr


@pytest.mark.parametrize("missing", ["pyspark", "pyarrow"])
def test_spark_says_what_it_needs(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "galop.spark", raising=False)
    with pytest.raises(ImportError, match="galop.spark needs pyspark and pyarrow: pip install pyspark pyarrow"):
        galop.spark


SOLVE = ["solution", "status", "count", "guesses", "reason"]
VERIFY = ["right", "reason"]
CANONICAL = ["canonical", "form", "key", "reason"]


def test_steps_follow_each_other() -> None:
    solved = ["puzzle", *new_names(["puzzle"], "solve", SOLVE, "")]
    assert solved == ["puzzle", *SOLVE]
    verified = [*solved, *new_names(solved, "verify", VERIFY, "")]
    assert verified == [*solved, "right", "verify_reason"]
    assert new_names(verified, "canonical", CANONICAL, "") == ["canonical", "form", "key", "canonical_reason"]
    # The user's column of solutions stays what it is.
    given = ["puzzle", "solution", *new_names(["puzzle", "solution"], "verify", VERIFY, "")]
    again = ["solve_solution", "status", "count", "guesses", "solve_reason"]
    assert new_names(given, "solve", SOLVE, "") == again
    twice = [*solved, *new_names(solved, "solve", SOLVE, "")]
    assert twice[len(solved) :] == [f"solve_{name}" for name in SOLVE]
    with pytest.raises(ValueError, match=r"a column is called 'solve_solution' already: .* \(prefix='galop_'\)"):
        new_names(twice, "solve", SOLVE, "")


def test_names_with_a_prefix_are_what_was_said() -> None:
    assert new_names(["reason"], "verify", VERIFY, "x_") == ["x_right", "x_reason"]
    with pytest.raises(ValueError, match="a column is called 'x_reason' already"):
        new_names(["x_reason"], "verify", VERIFY, "x_")


def test_names_that_are_the_same_to_a_table() -> None:
    assert new_names(["Reason"], "verify", VERIFY, "") == VERIFY
    assert new_names(["Reason"], "verify", VERIFY, "", str.lower) == ["right", "verify_reason"]
    with pytest.raises(ValueError, match="two columns are called 'ID': rename one of them"):
        new_names(["ID", "id"], "verify", VERIFY, "", str.lower)

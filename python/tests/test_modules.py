"""What is imported with a name, and what columns are called in a table."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, get_args

import pytest

import galop
from galop import _choices
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


def _named_in(call: Any) -> set[str]:
    """The names that the message of a call with a wrong name tells."""
    with pytest.raises(ValueError, match="one of ") as raised:
        call()
    return set(str(raised.value).rsplit("(one of ", 1)[1].split(")")[0].split(", "))


def test_the_words_for_type_checkers_are_those_of_the_tables() -> None:
    assert get_args(_choices.KindName) == tuple(galop.kinds())
    wrong: Any = "x"
    assert set(get_args(_choices.Engine)) == _named_in(lambda: galop.solve(["." * 81], engine=wrong))
    assert set(galop.engines()) <= set(get_args(_choices.Engine))
    assert set(get_args(_choices.ClueSymmetry)) == _named_in(lambda: galop.generate(symmetric=wrong))
    assert set(get_args(_choices.CoverEngine)) == _named_in(lambda: galop.cover.Problem(["a"]).count(engine=wrong))
    for name in get_args(_choices.Format):
        # Of a name that is unknown the message is another one.
        with pytest.raises(OSError, match="missing"):
            galop.solve_file("missing", "solved", format=name)

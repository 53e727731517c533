"""The names of columns that a step adds to a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def new_names(
    there: Sequence[str], step: str, names: Sequence[str], prefix: str, fold: Callable[[str], str] = str
) -> list[str]:
    """What the columns ``names`` of a step are called in a table that has the columns ``there``.

    A name that is there already, of a column of the user or of an earlier step, is put behind the name of the step. Names with
    a prefix are not changed.

    :param fold: makes names equal that are the same to the table.
    :raises ValueError: if that name is there, too, or if two columns of the table have the same name.

    >>> new_names(["puzzle", "solution", "reason"], "verify", ["right", "reason"], "")
    ['right', 'verify_reason']
    """
    folded = [fold(name) for name in there]
    for name in there:
        if folded.count(fold(name)) > 1:
            raise ValueError(f"two columns are called {name!r}: rename one of them")
    found = []
    for name in names:
        new = f"{prefix}{name}"
        if not prefix and fold(new) in folded:
            new = f"{step}_{name}"
        if fold(new) in folded:
            raise ValueError(
                f"a column is called {new!r} already: rename it, or put a prefix before the new names (prefix='galop_')"
            )
        found.append(new)
    return found

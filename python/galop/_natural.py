"""Numbers that must not be negative, shares, and numbers with a noun."""

from __future__ import annotations


def natural(**arguments: int | None) -> None:
    """Fails if one of the arguments is a negative number."""
    for name, value in arguments.items():
        if value is not None and not 0 <= value < 2**64:
            raise ValueError(f"{name}={value} (expected a number from 0 to 2**64 - 1)")


def share_of(**arguments: float) -> float:
    """The one argument, a share. Fails unless it is a number from 0 to 1."""
    ((name, value),) = arguments.items()
    if not 0 <= value <= 1:
        raise ValueError(f"{name}={value} (expected a share from 0 to 1)")
    return float(value)


def counted(number: int, noun: str) -> str:
    """``1 puzzle``, ``2,000 puzzles``, ``0 guesses``."""
    ending = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{ending}"


def listed(counts: dict[str, int]) -> str:
    """Numbers of things: ``1,000 solved, 2 none``."""
    return ", ".join(f"{number:,} {name}" for name, number in counts.items())

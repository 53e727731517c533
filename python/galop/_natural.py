"""Numbers that must not be negative."""

from __future__ import annotations


def natural(**arguments: int | None) -> None:
    """Fails if one of the arguments is a negative number."""
    for name, value in arguments.items():
        if value is not None and not 0 <= value < 2**64:
            raise ValueError(f"{name}={value} (expected a number from 0 to 2**64 - 1)")

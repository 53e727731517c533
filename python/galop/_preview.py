"""Results as small tables of HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from galop._tables import Column

ENDS = 5
"""Rows that are shown of each end of a long table."""

_WIDTH = 100
"""Characters of a text that are shown. Grids of 9x9 have 81."""


def table(rows: list[int], columns: Mapping[str, Column], caption: str) -> str:
    """A table of some rows.

    :param rows: the number of each row. A line of dots stands where a row does not follow the one before.
    """
    names = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = []
    for at, row in enumerate(rows):
        if at > 0 and row != rows[at - 1] + 1:
            lines.append("<tr>" + "<td>…</td>" * (len(columns) + 1) + "</tr>")
        values = "".join(_cell(column[at]) for column in columns.values())
        lines.append(f"<tr><th>{row}</th>{values}</tr>")
    return (
        f'<table><caption style="text-align:left">{escape(caption)}</caption>'
        f"<thead><tr><th></th>{names}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )


def _cell(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, str):
        short = value if len(value) <= _WIDTH else value[: _WIDTH - 1] + "…"
        return f'<td style="text-align:left;font-family:monospace">{escape(short)}</td>'
    return f"<td>{escape(f'{value:.4g}' if isinstance(value, float) else str(value))}</td>"

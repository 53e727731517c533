"""Grids drawn as SVG, for notebooks. The colours suit light and dark pages: lines and clues have the colour of the text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from math import isqrt

from galop import _galop

_CELL = 30
"""Pixels of a cell without candidates; with candidates it has half as many again."""

_FOUND = "#3b82f6"
_PLACED = "rgba(34,160,90,.35)"
_ELIMINATED = "#e5484d"
_PROOF = "rgba(230,160,20,.3)"

Candidate = tuple[int, int]
"""A cell from 0, row by row, and a symbol."""


def board(
    rules: _galop.Rules,
    clues: Sequence[int],
    found: Sequence[int] | None = None,
    marks: Sequence[int] | None = None,
    placed: Collection[Candidate] = (),
    eliminated: Collection[Candidate] = (),
    proof: Collection[int] = (),
) -> str:
    """A grid as an ``<svg>``.

    :param clues: the cells of the puzzle, 0 for a blank.
    :param found: the cells of its solution, or of a position. Those that are no clues have another colour.
    :param marks: the candidates of each cell, bit ``symbol - 1``, drawn in blank cells.
    :param placed: candidates on a green ground.
    :param eliminated: candidates that are crossed out.
    :param proof: cells on a yellow ground.
    """
    side = isqrt(len(clues))
    size = _CELL if marks is None else _CELL * 3 // 2
    cells = list(found) if found is not None else list(clues)
    written = ["", *(escape(symbol) for symbol in rules.characters[1:])]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side * size + 4}" height="{side * size + 4}" '
        f'viewBox="-2 -2 {side * size + 4} {side * size + 4}" role="img" aria-label="a grid of {side} by {side} cells" '
        'style="color:inherit;font-family:sans-serif;text-anchor:middle;dominant-baseline:central">'
    ]
    green = {cell for cell, _ in placed}
    for cell in sorted({*green, *proof}):
        row, column = divmod(cell, side)
        colour = _PLACED if cell in green else _PROOF
        parts.append(f'<rect x="{column * size}" y="{row * size}" width="{size}" height="{size}" fill="{colour}"/>')
    for cell, symbol in enumerate(cells):
        row, column = divmod(cell, side)
        x, y = column * size + size / 2, row * size + size / 2
        if 0 < symbol < len(written):
            is_clue = clues[cell] != 0
            look = 'fill="currentColor" font-weight="bold"' if is_clue else f'fill="{_FOUND}"'
            parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size * 0.6:g}" {look}>{written[symbol]}</text>')
        elif marks is not None:
            parts.append(_marks(cell, marks[cell], written, x, y, size, eliminated))
    parts.append(_lines(rules, side, size))
    return "".join(parts) + "</svg>"


def _marks(
    cell: int, marks: int, written: list[str], x: float, y: float, size: int, eliminated: Collection[Candidate]
) -> str:
    """The candidates of a cell, each at its place."""
    across = isqrt(len(written) - 2) + 1
    step = size / (across + 0.4)
    texts = []
    for symbol in range(1, len(written)):
        if not marks >> (symbol - 1) & 1:
            continue
        row, column = divmod(symbol - 1, across)
        at_x, at_y = x + (column - (across - 1) / 2) * step, y + (row - (across - 1) / 2) * step
        is_out = (cell, symbol) in eliminated
        look = f'fill="{_ELIMINATED}" text-decoration="line-through"' if is_out else 'fill="currentColor" opacity=".75"'
        texts.append(f'<text x="{at_x:.1f}" y="{at_y:.1f}" font-size="{step * 0.8:.1f}" {look}>{written[symbol]}</text>')
    return "".join(texts)


def _lines(rules: _galop.Rules, side: int, size: int) -> str:
    """Thin lines between cells, and thick ones where a block or region ends."""
    parts = _galop.parts(rules)
    thin: list[str] = []
    thick = [f"M0 0H{side * size}V{side * size}H0Z"]
    for cell, part in enumerate(parts):
        row, column = divmod(cell, side)
        if column + 1 < side:
            line = thin if parts[cell + 1] == part else thick
            line.append(f"M{(column + 1) * size} {row * size}v{size}")
        if row + 1 < side:
            line = thin if parts[cell + side] == part else thick
            line.append(f"M{column * size} {(row + 1) * size}h{size}")
    paths = (("".join(thin), 0.5), ("".join(thick), 2))
    return "".join(
        f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="{width}"/>' for path, width in paths
    )

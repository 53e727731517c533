#!/usr/bin/env python3
"""Draws a session in a terminal as an SVG. Usage: terminal-svg.py light|dark < SESSION > PICTURE.svg

SESSION is what a terminal shows, with its colour codes. A line that begins with `$ ` is a command. scripts/pictures.sh
makes the sessions. Only the standard library is used.
"""

import html
import re
import sys

# Background, text, and the colours of the codes 31 (red), 32 (green) and 33 (yellow).
THEMES = {
    "light": ("#f6f8fa", "#1f2328", {"31": "#cf222e", "32": "#1a7f37", "33": "#9a6700"}),
    "dark": ("#1e2127", "#c8ccd4", {"31": "#e06c75", "32": "#98c379", "33": "#e5c07b"}),
}
# Pixels: the width of a character, the height of a line, the margin.
WIDTH, HEIGHT, MARGIN = 8.43, 19, 16
CODE = re.compile(r"(\x1b\[[0-9;]*m)")


def spans(line):
    """Yields the pieces of the line, each with the colour codes that apply to it."""
    codes = []
    for piece in CODE.split(line):
        if piece.startswith("\x1b"):
            new = [code for code in piece[2:-1].split(";") if code not in ("", "0")]
            codes = codes + new if new else []
        elif piece:
            yield piece, codes


def main():
    background, text_colour, colours = THEMES[sys.argv[1]]
    session = sys.stdin.read().rstrip("\n").split("\n")
    lines = [f"\x1b[32m$\x1b[0m \x1b[1m{line[2:]}\x1b[0m" if line.startswith("$ ") else line for line in session]
    width = max(len(CODE.sub("", line)) for line in lines) * WIDTH + 2 * MARGIN
    height = len(lines) * HEIGHT + 2 * MARGIN
    label = html.escape("; ".join(line[2:] for line in session if line.startswith("$ ")))
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" role="img" '
          f'aria-label="{label}">')
    print(f'<rect width="100%" height="100%" rx="8" fill="{background}"/>')
    print('<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" '
          f'font-size="14" fill="{text_colour}">')
    for row, line in enumerate(lines):
        column = 0
        for piece, codes in spans(line):
            x, y = MARGIN + column * WIDTH, MARGIN + (row + 1) * HEIGHT - 5
            colour = next((colours[code] for code in codes if code in colours), text_colour)
            bold = ' font-weight="bold"' if "1" in codes else ""
            if re.fullmatch("[█▏▎▍▌▋▊▉]+", piece):
                # Bars are rectangles, because fonts leave gaps between block characters.
                eighths = sum(8 if block == "█" else " ▏▎▍▌▋▊▉".index(block) for block in piece)
                print(f'<rect x="{x:.1f}" y="{y - 11}" width="{eighths / 8 * WIDTH:.1f}" height="13" fill="{colour}"/>')
            elif piece.strip():
                print(f'<text x="{x:.1f}" y="{y}" fill="{colour}"{bold} textLength="{len(piece) * WIDTH:.1f}">'
                      f"{html.escape(piece).replace(' ', chr(0xa0))}</text>")
            column += len(piece)
    print("</g>\n</svg>")


main()

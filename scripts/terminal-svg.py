#!/usr/bin/env python3
"""Draws the coloured output of a terminal as an SVG. Usage: terminal-svg.py TITLE < OUTPUT > PICTURE.svg

This command makes the picture of the README:
    CLICOLOR_FORCE=1 galop solve data/minimal_10k.txt -o solved.txt 2>&1 | scripts/terminal-svg.py 'galop solve ...'
"""
import html
import re
import sys

COLOURS = {"31": "#e06c75", "32": "#98c379", "33": "#e5c07b", "1": None}
WIDTH, HEIGHT, MARGIN = 8.43, 19, 16


def spans(line):
    """Yields the pieces of the line, each with the colour codes that apply to it."""
    codes = []
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b"):
            new = [code for code in piece[2:-1].split(";") if code not in ("", "0")]
            codes = codes + new if new else []
        elif piece:
            yield piece, codes


def main():
    lines = [f"\x1b[32m$\x1b[0m {sys.argv[1]}"] + sys.stdin.read().rstrip("\n").split("\n")
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    width = max(map(len, plain)) * WIDTH + 2 * MARGIN
    height = len(lines) * HEIGHT + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}">')
    print('<rect width="100%" height="100%" rx="8" fill="#1e2127"/>')
    print('<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" '
          'font-size="14" fill="#c8ccd4">')
    for row, line in enumerate(lines):
        column = 0
        for piece, codes in spans(line):
            # Draw bars as rectangles, because fonts leave gaps between block characters.
            x, y = MARGIN + column * WIDTH, MARGIN + (row + 1) * HEIGHT - 5
            colour = next((COLOURS[code] for code in codes if COLOURS.get(code)), "#c8ccd4")
            bold = ' font-weight="bold"' if "1" in codes else ""
            if re.fullmatch("[█▏▎▍▌▋▊▉]+", piece):
                eighths = sum(8 if block == "█" else " ▏▎▍▌▋▊▉".index(block) for block in piece)
                print(f'<rect x="{x:.1f}" y="{y - 11}" width="{eighths / 8 * WIDTH:.1f}" height="13" fill="{colour}"/>')
            else:
                print(f'<text x="{x:.1f}" y="{y}" fill="{colour}"{bold} textLength="{len(piece) * WIDTH:.1f}">'
                      f"{html.escape(piece).replace(' ', chr(0xa0))}</text>")
            column += len(piece)
    print("</g>\n</svg>")


main()

#!/usr/bin/env python3
"""Makes what the page of `galop serve` has ready: puzzles that need each technique, and maps for jigsaws.

Usage: scripts/make-pool.py [GALOP]

GALOP is the program (default: target/release/galop). Writes crates/serve/src/pool.txt (on each line the hardest technique of
a puzzle, its score and the puzzle) and crates/serve/src/maps.txt (on each line the regions of all cells). The seeds are
fixed, so the same program makes the same files. It takes some minutes.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

EACH = 5  # Puzzles for each technique.
MAPS = {side: 4 if side <= 9 else 1 for side in range(4, 26)}  # Maps of each size.
GALOP = sys.argv[1] if len(sys.argv) > 1 else "target/release/galop"
PAGE = pathlib.Path("crates/serve/src")
# What is generated until the techniques have their puzzles: words for `generate`, and for `explain`.
SOURCES = [
    (["-n", "300", "--clues", "66..74"], []),
    (["-n", "300", "--clues", "45..55"], []),
    (["-n", "2000", "--clues", "26..34"], []),
    (["-n", "60000", "--minimal"], []),
    (["-n", "10000", "--minimal"], ["--assume-unique"]),
    (["-n", "300", "--kind", "anti-knight"], ["--kind", "anti-knight"]),
]


def explained(puzzles, words):
    """The last lines of the explanations of a file."""
    with subprocess.Popen([GALOP, "explain", "--format", "json", *words, puzzles], stdout=subprocess.PIPE) as run:
        yield from (json.loads(line) for line in run.stdout if b'"hardest":' in line)


def words_for(name):
    """What `explain` must be told for puzzles that need this technique."""
    return ["--assume-unique"] if "rectangle" in name else ["--kind", "anti-knight"] if name == "common peers" else []


def eased(bases, path):
    """Writes puzzles with some more clues than these, in which fewer techniques are needed."""
    chance = random.Random(1)
    with path.open("w") as file:
        for puzzle, cells in bases:
            for _ in range(100):
                added = chance.sample(range(81), chance.randint(1, 20))
                file.write("".join(cells[at] if at in added else clue for at, clue in enumerate(puzzle)) + "\n")


def pool(folder):
    texts = [path.read_text() for path in sorted(pathlib.Path("crates/explain/src/techniques").glob("*.rs"))]
    examples = re.findall(r'name: "([^"]+)",.*?"([1-9.]{81})"', "".join(texts), re.DOTALL)
    found, bases = {name: [] for name, _ in examples}, {name: [] for name, _ in examples}

    def take(path, words):
        for one in explained(path, words):
            if one["end"] != "solved":
                continue
            of, hardest = found[one["hardest"]], one["hardest"]
            if len(of) < EACH and words == words_for(hardest):
                of.append(f"{hardest} {round(10 * one['score'])} {one['puzzle']}\n")
            for name in one["steps"]:
                if words == words_for(name) and len(bases[name]) < 40:
                    bases[name].append((one["puzzle"], one["cells"]))

    for seed, (generate, words) in enumerate(SOURCES):
        path = folder / f"{seed}.txt"
        subprocess.run([GALOP, "generate", *generate, "--seed", str(seed), "-q", "-o", path], check=True)
        take(path, words)
    # Puzzles that need rare techniques are found near those in which they occur.
    for name, puzzle in examples:
        path = folder / "rare.txt"
        path.write_text(puzzle + "\n")
        take(path, words_for(name))
        if len(found[name]) < EACH:
            eased(bases[name], path)
            take(path, words_for(name))
    for name, of in found.items():
        print(f"{len(of)} of {name}")
    return "".join(sorted(line for of in found.values() for line in of))


def is_joined(cells, side):
    """Whether the cells are one piece."""
    cells, open_ = set(cells), [next(iter(cells))]
    cells.remove(open_[0])
    while open_:
        cell = open_.pop()
        for other in neighbours(cell, side):
            if other in cells:
                cells.remove(other)
                open_.append(other)
    return not cells


def neighbours(cell, side):
    row, column = divmod(cell, side)
    return [side * r + c for r, c in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            if 0 <= r < side and 0 <= c < side]


def regions(side, chance):
    """Regions that were rows, after random exchanges of cells between neighbours."""
    region = [cell // side for cell in range(side * side)]
    exchanged = 0
    while exchanged < 12 * side:
        one = chance.randrange(side * side)
        mine, theirs = region[one], region[chance.choice(neighbours(one, side))]
        borders = [cell for cell in range(side * side)
                   if region[cell] == theirs and any(region[at] == mine for at in neighbours(cell, side))]
        if mine == theirs or not borders:
            continue
        other = chance.choice(borders)
        region[one], region[other] = theirs, mine
        if all(is_joined([cell for cell in range(side * side) if region[cell] == name], side) for name in (mine, theirs)):
            exchanged += 1
        else:
            region[one], region[other] = mine, theirs
    return "".join(chr(ord("A") + name) for name in region)


def maps(folder):
    """Maps for which there are puzzles."""
    chance, made = random.Random(1), []
    for side, wanted in MAPS.items():
        kept = 0
        while kept < wanted:
            drawn, path = regions(side, chance), folder / "map.txt"
            path.write_text("\n".join(drawn[at:at + side] for at in range(0, side * side, side)) + "\n")
            words = ["generate", "-n", "1", "--seed", "1", "-q", "--regions", path]
            run = subprocess.run([GALOP, *words], capture_output=True, timeout=300)
            if run.stdout:
                kept += 1
                made.append(drawn + "\n")
    return "".join(made)


with tempfile.TemporaryDirectory() as work:
    (PAGE / "maps.txt").write_text(maps(pathlib.Path(work)))
    (PAGE / "pool.txt").write_text(pool(pathlib.Path(work)))

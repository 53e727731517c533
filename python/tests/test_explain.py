"""Explanations and drawings."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import galop

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
POINTING = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
CHAINS = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
IMPOSSIBLE = "44" + "." * 79


def by_tool(*words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "galop", *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n")


@pytest.mark.parametrize("puzzle", [EASY, POINTING, CHAINS, IMPOSSIBLE, "." * 81])
def test_explanations_are_those_of_the_tool(puzzle: str) -> None:
    assert str(galop.explain(puzzle)) == by_tool("explain", puzzle)


def test_steps() -> None:
    found = galop.explain(POINTING)
    assert (found.end, found.level, found.hardest, found.clues) == ("solved", "medium", "pointing", 17)
    assert found.cells == galop.solve(POINTING) and found.reason is None
    assert len(found) == len(found.steps) == sum(found.counts.values()) and list(found.counts)[-1] == "pointing"
    step = found[3]
    assert step.technique == "pointing" and step.level == "medium" and step.score == found.score
    assert step.eliminates == (galop.Candidate(2, 1, 7), galop.Candidate(2, 3, 7)) and step.places == ()
    assert {(one.row, one.column) for one in step.because} == {(2, 7), (2, 9)} and step.units == ("block 3", "row 2")
    assert str(step).startswith("pointing: r2c1<>7, r2c3<>7, because ")
    assert found[-1] == found.steps[-1] and found[:2] == found.steps[:2]
    chains = [step for step in galop.explain(CHAINS) if step.chains]
    assert chains and all(node.cells for step in chains for chain in step.chains for node in chain)


def test_positions() -> None:
    found = galop.explain(POINTING)
    start, end = found.before(0), found.before(len(found))
    assert str(start) == str(galop.show(POINTING, candidates=True)) == by_tool("show", "--candidates", POINTING)
    assert "".join(map(str, end.cells or ())) == found.cells
    # A step eliminates what is there before, and it is not there after.
    before, after = found.before(3).candidates, found.before(4).candidates
    assert before is not None and after is not None
    for one in found[3].eliminates:
        cell = (one.row - 1) * 9 + one.column - 1
        assert before[cell] >> (one.symbol - 1) & 1 and not after[cell] >> (one.symbol - 1) & 1
    with pytest.raises(IndexError):
        found.before(len(found) + 1)


def test_options() -> None:
    assert galop.explain(POINTING, hardest="hidden single").end == "stuck"
    assert "pointing" not in galop.explain(POINTING, without=["pointing"]).counts
    assert galop.explain(POINTING, max_steps=2).end == "limit" and len(galop.explain(POINTING, max_steps=2)) == 2
    found = galop.explain(IMPOSSIBLE)
    assert found.end == "none" and found.reason is not None and "4 occurs twice in row 1" in found.reason
    assert (found.level, found.hardest, found.score) == (None, None, 0.0)
    assert galop.explain("." * 81).end == "multiple"
    with pytest.raises(ValueError, match="unknown technique `guess` .one of full house, "):
        galop.explain(EASY, hardest="guess")
    with pytest.raises(ValueError, match="80 cells"):
        galop.explain(EASY[1:])


def test_many_puzzles() -> None:
    seen: list[tuple[int, int | None]] = []
    found = galop.explain([EASY, "rubbish", POINTING], threads=2, progress=lambda done, total: seen.append((done, total)))
    assert [one and one.level for one in found] == ["easy", None, "medium"] and seen[-1] == (2, 2)
    assert found[2] == galop.explain(POINTING)
    rows = np.frombuffer(EASY.replace(".", "0").encode(), np.uint8).reshape(1, 81) - 48
    assert galop.explain(rows) == [galop.explain(EASY)]
    four = galop.explain("12..34....1....2")
    assert four.end == "solved" and four.cells == galop.solve("12..34....1....2")


def test_explanations_can_be_pickled_and_copied() -> None:
    found = galop.explain(POINTING)
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert other == found and str(other.before(5)) == str(found.before(5))


def test_techniques_and_hint() -> None:
    names = [technique.name for technique in galop.techniques()]
    assert len(names) == len(set(names)) > 30 and names[0] == "full house"
    assert {technique.level for technique in galop.techniques()} == {"easy", "medium", "hard", "very hard", "fiendish", "ultra-hard"}
    step = galop.hint(POINTING)
    assert step == galop.explain(POINTING)[0] and str(step) == by_tool("hint", POINTING)
    assert galop.hint(galop.solve(EASY)) is None


def test_drawings() -> None:
    assert str(galop.show(EASY, galop.solve(EASY))) == by_tool("show", f"{EASY},{galop.solve(EASY)}")
    pictures = {
        81: galop.show(EASY),
        16: galop.show("12..34....1....2", candidates=True),
        256: galop.show("1" + "." * 255, alphabet="1-9A-G"),
        25: galop.show("1" + "." * 24, kind="latin"),
    }
    for cells, shown in pictures.items():
        root = ElementTree.fromstring(shown._repr_html_())
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert len(shown.clues) == cells and len(texts) >= sum(symbol > 0 for symbol in shown.clues)
    found = galop.explain(POINTING)
    picture = found.before(3)._repr_html_()
    assert picture.count("line-through") == len(found[3].eliminates) and picture.count("<rect") == 2
    page = found._repr_html_()
    assert page.count("<li>") == len(found) and page.count("<details>") == found.counts["pointing"]
    with pytest.raises(ValueError, match="2 puzzles .galop.show draws one"):
        galop.show([EASY, EASY])
    with pytest.raises(ValueError, match="unexpected `r`"):
        galop.show(["rubbish"])

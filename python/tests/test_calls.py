"""The other calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import galop

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_verify() -> None:
    assert galop.verify(PUZZLE, SOLUTION) is True
    assert galop.verify(PUZZLE, SOLUTION[::-1]) is False
    wrong = SOLUTION[:-1] + "1"
    found = galop.verify([PUZZLE] * 4, [SOLUTION, wrong, PUZZLE, "12345"])
    assert found.right.tolist() == [True, False, False, False] and len(found) == 4
    assert found.reasons[1].startswith("wrong solution: ")
    assert found.reasons[3].startswith("in the solution: 5 cells")
    many = galop.generate(3_000, seed=5)
    assert galop.verify(many.puzzles, many.solutions, unique=True).right.all()
    assert many.solutions is not None
    broken = many.solutions.copy()
    broken[2_999, 0] = broken[2_999, 1]
    assert list(galop.verify(many.puzzles, broken).reasons) == [2_999]
    broken[1_500] = 0
    assert galop.verify(many.puzzles, broken).reasons[1_500] == "no solution"
    several = galop.verify(["." * 81], [SOLUTION], unique=True)
    assert several.reasons == {0: "several solutions"}
    with pytest.raises(ValueError, match="2 puzzles with 1 solution$"):
        galop.verify([PUZZLE] * 2, [SOLUTION])


def test_verify_puzzles_alone() -> None:
    norvig = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
    twice = "4 occurs twice in row 1: in row 1, column 1 and in row 1, column 2"
    puzzles = [norvig, PUZZLE, "12345", "44" + "." * 79, "." * 81]
    found = galop.verify(puzzles)
    assert found.right.tolist() == [False, True, False, False, True]
    assert found.reasons[0] == "none: the puzzle has no solution" and found.reasons[3] == f"none: {twice}"
    assert found.reasons[2].startswith("5 cells")
    assert galop.verify(puzzles, unique=True).reasons == {**found.reasons, 4: "multiple: the puzzle has several solutions"}
    assert galop.verify([PUZZLE] * 3_000 + [norvig]).reasons == {3_000: found.reasons[0]}
    assert galop.verify(PUZZLE) is True and galop.verify(norvig) is False
    with pytest.raises(ValueError, match="5 cells"):
        galop.verify("12345")


def test_rate() -> None:
    puzzles = [EASY, PUZZLE, "short", "." * 81, "44" + "." * 79]
    assert galop.rate(puzzles).level.tolist() == ["easy", "medium", "malformed", "multiple", "none"]
    rated = galop.rate(puzzles, by="guesses")
    assert rated.guesses.tolist() == [0, 0, -1, -1, -1] and rated.mean is None
    images = galop.rate(galop.generate(50, minimal=True, seed=2).puzzles, by="guesses", images=4, seed=1)
    assert images.mean is not None and images.mean.shape == (50,) and (images.mean >= 0).all()
    assert len(galop.rate([])) == 0


def test_canonical() -> None:
    assert galop.canonical(PUZZLE) == galop.canonical(galop.augment(PUZZLE, seed=7).strings()[0] or "")
    made = galop.generate(20, seed=4)
    images = galop.augment(made.puzzles, 50, seed=1)
    one, other = galop.canonical(made.puzzles), galop.canonical(images.puzzles.reshape(-1, 81))
    assert (np.repeat(one.keys, 50) == other.keys).all() and len(np.unique(one.keys)) == 20
    assert (np.repeat(one.forms, 50, axis=0) == other.forms).all() and one.keys.dtype == np.dtype("S32")
    mixed = galop.canonical([PUZZLE, "." * 81, "short"])
    assert mixed.kind.tolist() == ["solution", "direct", "malformed"] and mixed.strings()[2] is None
    assert mixed.automorphisms.tolist() == [1, 3359232, 0]
    assert set(galop.canonical(made.puzzles[:3], direct=True).kind) == {"direct"}
    with pytest.raises(ValueError):
        galop.canonical([PUZZLE], kind="diagonal")


def test_augment() -> None:
    made = galop.generate(300, seed=9)
    images = galop.augment(made.puzzles, 20, solutions=made.solutions, seed=3)
    assert images.puzzles.shape == (300, 20, 81) and images.solutions is not None and images.seed == 3
    assert galop.verify(images.puzzles.reshape(-1, 81), images.solutions.reshape(-1, 81)).right.all()
    again = galop.augment(made.puzzles, 20, seed=3, threads=1)
    assert (again.puzzles == images.puzzles).all()
    few = galop.augment(["." * 16, "1" + "." * 15], 20, seed=1, distinct=True)
    assert few.count.tolist() == [1, 20] and not few.puzzles[0, 1:].any()
    assert len(np.unique(few.puzzles[1], axis=0)) == 20
    assert galop.augment([], 3).puzzles.shape[1] == 3
    for wrong in (["short"], np.full((1, 81), 10, np.uint8)):
        with pytest.raises(ValueError, match="row 0"):
            galop.augment(wrong)


def test_generate() -> None:
    made = galop.generate(40, seed=6, clues=(30, 32))
    clues = (made.puzzles != 0).sum(axis=1)
    assert made.puzzles.shape == (40, 81) and (30 <= clues).all() and (clues <= 32).all()
    assert made.solutions is not None and galop.verify(made.puzzles, made.solutions, unique=True).right.all()
    assert (galop.generate(10, seed=6, clues=range(30, 33), first=30).puzzles == made.puzzles[30:]).all()
    drawn = galop.generate(2)
    assert (galop.generate(2, seed=drawn.seed).puzzles == drawn.puzzles).all()
    none = galop.generate(3, seed=1, status="none")
    assert galop.solve(none.puzzles).counts == {"none": 3} and none.solutions is None and len(none.changes) == 3
    turned = galop.generate(2, seed=1, symmetric="rotate180").puzzles != 0
    assert (turned == turned[:, ::-1]).all()
    assert galop.generate(2, seed=1, kind="latin", side=5).puzzles.shape == (2, 25)
    assert (galop.generate(1, seed=1, pattern=EASY).puzzles != 0).tolist()[0] == [c != "." for c in EASY]
    for wrong in ({"clues": 3}, {"status": "x"}, {"symmetric": "x"}, {"side": 7}, {"n": -1}, {"seed": -1}, {"clues": (-1, 30)}):
        with pytest.raises(ValueError):
            arguments: dict[str, Any] = {"n": 1, "seed": 1, **wrong}
            galop.generate(**arguments)


def test_compare() -> None:
    made = galop.generate(200, seed=8)
    compared = galop.compare(made.puzzles, ["bitboard", "lanes"], runs=2)
    assert {row["engine"] for row in compared.rows} == {"bitboard", "lanes"}
    assert all(row["nanos"] > 0 and row["share"] == 1 for row in compared.rows)
    assert "puzzles/s" in str(compared) and compared.figures["puzzles"] == 200
    for wrong in (["x"], ["lanes", "lanes"], []):
        with pytest.raises(ValueError):
            galop.compare(made.puzzles, wrong, runs=1)


def test_solve_file(tmp_path: Path) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.csv"
    source.write_text(f"{PUZZLE}\nrubbish\n" + f"{PUZZLE}\n" * 500)
    seen: list[int] = []
    found = galop.solve_file(source, target, progress=lambda done, total: seen.append(done))
    assert found.counts == {"solved": 501, "malformed": 1} and seen[-1] == 502
    assert found.malformed[0].startswith(f"{source}:2:")
    assert target.read_text().startswith("puzzle,solution,status")
    galop.solve_file(str(source), str(tmp_path / "out"), format="solution", threads=1)
    assert (tmp_path / "out").read_text().startswith(SOLUTION)
    with pytest.raises(FileNotFoundError) as missing:
        galop.solve_file(tmp_path / "missing", target)
    assert str(missing.value) == f"{tmp_path / 'missing'}: cannot read: No such file or directory (os error 2)"
    with pytest.raises(OSError, match="would be overwritten"):
        galop.solve_file(source, source)
    for wrong in ({"engine": "x"}, {"kind": "x"}, {"format": "x"}, {"alphabet": "x"}):
        with pytest.raises(ValueError):
            galop.solve_file(source, target, **wrong)  # type: ignore[arg-type]


def test_tables() -> None:
    assert list(galop.engines())[0] == "lanes" and galop.kinds()["sudoku"] == [4, 6, 8, 9, 10, 12, 15, 16, 25]
    assert set(galop.__all__) <= set(dir(galop))
    with pytest.raises(AttributeError):
        getattr(galop, "nothing")

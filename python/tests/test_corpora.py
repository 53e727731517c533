"""Data sets: each call gives what the tool gives for a file of the same puzzles."""

from __future__ import annotations

import csv
import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import galop
from galop import _choices

SEVERAL = "1" + "." * 80
NONE = "44" + "." * 79


def run(*words: object, code: int = 0) -> str:
    """What the tool prints."""
    command = [sys.executable, "-m", "galop", *map(str, words), "-q"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def made() -> Any:
    return galop.generate(120, seed=7)


@pytest.fixture(scope="module")
def texts(made: Any) -> list[str]:
    """Puzzles, images of some, repeated texts, puzzles without a solution and with several, and two that are malformed."""
    puzzles: list[str] = made.strings()
    images = [text or "" for text in galop.augment(made.puzzles[:20], 2, seed=3).strings()]
    return [*puzzles, *images, *puzzles[5:9], SEVERAL, NONE, "rubbish", puzzles[0][1:], SEVERAL, *puzzles[100:103]]


@pytest.fixture
def lines(texts: list[str], tmp_path: Path) -> Path:
    """A file with each text on its line."""
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def numbers(printed: str) -> list[tuple[int, int]]:
    """The rows of the lines ``FILE:3: equals FILE:1``."""
    found = []
    for line in printed.splitlines():
        place, _, other = line.partition(": ")
        earlier = other.split()[1].rpartition(":")[2]
        found.append((int(place.rpartition(":")[2]) - 1, int(earlier) - 1))
    return found


@pytest.mark.parametrize("by", ["puzzle", "grid", "text"])
@pytest.mark.parametrize("threads", [1, 4])
def test_dedup(texts: list[str], lines: Path, tmp_path: Path, by: Any, threads: int) -> None:
    kept, dropped = tmp_path / "kept.txt", tmp_path / "dropped.txt"
    run("dedup", lines, "--by", by, "-o", kept, "--dropped", dropped, code=1)
    found = galop.dedup(texts, by=by, threads=threads)
    assert [text for text, keep in zip(texts, found.keep) if keep] == kept.read_text().split()
    repeats = [(row, first) for row, first in enumerate(found.first.tolist()) if first not in (row, -1)]
    assert repeats == numbers(dropped.read_text()) and len(repeats) >= (4 if by == "text" else 40)
    malformed = [row for row, text in enumerate(texts) if len(text) != 81]
    assert np.flatnonzero(found.first < 0).tolist() == malformed
    assert found.counts == {"kept": int(found.keep.sum()), "repeats": len(repeats), "malformed": len(malformed)}
    assert list(found) == found.keep.tolist() and list(found.columns()) == ["keep", "first"]
    assert found.keep.dtype == np.bool_ and found.first.dtype == np.int64
    assert galop.dedup(lines, by=by) == found


def test_dedup_with_solutions(made: Any) -> None:
    both = np.concatenate([made.puzzles, made.puzzles])
    solutions = np.concatenate([made.solutions, made.solutions])
    found = galop.dedup(both, solutions=solutions)
    assert found.first.tolist() == [*range(120), *range(120)]
    assert repr(found) == "Repeats(240 puzzles: 120 kept, 120 repeats)"
    # A wrong solution is not used.
    solutions[:, 0] = solutions[:, 1]
    assert galop.dedup(both, solutions=solutions) == found
    with pytest.raises(ValueError, match="240 puzzles with 120 solutions"):
        galop.dedup(both, solutions=made.solutions)
    with pytest.raises(ValueError, match="puzzle, grid, text"):
        galop.dedup(both, by="row")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="symmetr"):
        galop.dedup(["." * 81], kind="diagonal")
    assert galop.dedup(["." * 81] * 2, kind="diagonal", by="text").first.tolist() == [0, 0]


def test_leak(texts: list[str], lines: Path, made: Any, tmp_path: Path) -> None:
    # Tests with the solution of a training puzzle, but other clues.
    others = [text or "" for text in galop.augment(made.solutions[30:33], seed=5).strings()]
    fewer = ["." * 4 + grid[4:] for grid in others]
    clean = galop.generate(10, seed=99).strings()
    tests = [*texts[120:150], "bad", *fewer, *clean]
    path = tmp_path / "test.txt"
    path.write_text("".join(f"{text}\n" for text in tests))
    found = galop.leak(texts[:120], tests)
    training = tmp_path / "train.txt"
    training.write_text("".join(f"{text}\n" for text in texts[:120]))
    printed = run("leak", training, path, code=1).splitlines()
    words = {"puzzle": "equals", "grid": "has the solution of"}
    expected = [
        f"{path}:{row + 1}: {words[by]} {training}:{train + 1} by {symmetry}"
        for row, (train, by, symmetry) in enumerate(zip(found.train_row, found.by, found.symmetry))
        if by
    ]
    assert sorted(printed) == sorted(expected) and len(expected) >= 30
    assert found.counts["grid"] == 3 and found.counts["clean"] >= 11
    assert found.leaked.any() and not galop.leak(texts[:120], clean).leaked.any()
    assert found.leaked.tolist() == (found.train_row >= 0).tolist()
    assert list(found.columns()) == ["leaked", "train_row", "by", "symmetry"]
    assert galop.leak(training, path, threads=3) == found
    assert galop.leak(made.puzzles, path, train_solutions=made.solutions) == found


@pytest.mark.parametrize("by", ["puzzle", "grid", "text"])
@pytest.mark.parametrize(("share", "seed"), [(0.2, 1), (0.5, 2**64 - 1), (0, 3), (1, 4), (20, 5)])
def test_split(texts: list[str], lines: Path, tmp_path: Path, by: Any, share: float, seed: int) -> None:
    train, test = tmp_path / "train.txt", tmp_path / "test.txt"
    run("split", lines, "--test", share, "--seed", seed, "--by", by, "-o", train, "--test-output", test, code=1)
    found = galop.split(texts, share, seed=seed, by=by)
    assert [texts[row] for row in found.train] == train.read_text().split()
    assert [texts[row] for row in found.test] == test.read_text().split()
    assert found.is_test.sum() == len(found.test) and found.is_train.sum() == len(found.train)
    assert galop.split(lines, share, seed=seed, by=by, threads=3) == found
    assert list(found.columns()) == ["is_train", "is_test"]


def test_split_is_given_a_share() -> None:
    for share in (-0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="expected a share from 0 to 1"):
            galop.split(["." * 81], share, seed=1)
    with pytest.raises(ValueError, match="seed=-1"):
        galop.split(["." * 81], seed=-1)


@pytest.mark.parametrize("seed", [1, 77])
def test_sample(texts: list[str], lines: Path, seed: int) -> None:
    for n in (0, 1, 17, 1000):
        rows = galop.sample(texts, n, seed=seed)
        assert [texts[row] for row in rows] == run("sample", lines, "-n", n, "--seed", seed, code=1).split()
        assert rows.dtype == np.int64 and galop.sample(lines, n, seed=seed).tolist() == rows.tolist()
    rows = galop.sample(texts, share=0.25, seed=seed, threads=3)
    assert [texts[row] for row in rows] == run("sample", lines, "--share", "25%", "--seed", seed, code=1).split()
    assert len(galop.sample(texts, 5)) == 5
    for wrong in ({}, {"n": 1, "share": 0.5}, {"share": 2.0}, {"n": -1}):
        with pytest.raises(ValueError):
            galop.sample(texts, **wrong)


@pytest.mark.parametrize("unique", [False, True])
def test_rate_by_techniques(texts: list[str], lines: Path, unique: bool) -> None:
    words = ["--assume-unique"] if unique else []
    rows = list(csv.DictReader(run("rate", lines, "-f", "csv", *words, code=1).splitlines()))
    found = galop.rate(texts, unique=unique, threads=2)
    columns = found.columns()
    assert list(columns) == ["level", "score", "hardest"]
    whole = [row for row, text in enumerate(texts) if len(text) == 81]
    assert [row["level"] or "malformed" for row in rows] == found.level.tolist()
    assert [float(row["score"] or "nan") for row in rows] == pytest.approx(found.score.tolist(), nan_ok=True)
    assert [row["hardest"] for row in rows] == found.hardest.tolist()
    assert found.level[texts.index("rubbish")] == "malformed"
    assert found.counts["malformed"] == len(texts) - len(whole) and found.counts["none"] == 1
    assert sum(found.counts.values()) == len(found) == len(list(found))
    assert len(set(found.level.tolist())) >= 6
    with pytest.raises(ValueError, match="images=2 counts guesses"):
        galop.rate(texts, images=2)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="is about techniques"):
        galop.rate(texts, by="guesses", unique=True)  # type: ignore[call-overload]


FORMATS = "pair csv tsv json grid npy npz".split()


@pytest.mark.parametrize("format", FORMATS)
def test_convert(made: Any, tmp_path: Path, format: Any) -> None:
    source, target, own = tmp_path / "pairs.csv", tmp_path / f"a.{format}", tmp_path / "own"
    rows = zip(made.strings(), galop.solve(made.puzzles))
    source.write_text("puzzle,solution\n" + "".join(f"{puzzle},{solution}\n" for puzzle, solution in rows))
    run("convert", source, "-f", format, "-o", target)
    expected = target.read_bytes()
    records = galop.read_file(source)
    for found in (
        galop.convert(made.puzzles, format, solutions=made.solutions),
        galop.convert(source, format, threads=2),
        galop.convert(source.read_bytes(), format),
        galop.convert(records, format),
    ):
        assert (found.encode() if isinstance(found, str) else found) == expected
    assert galop.convert(records, format, output=own) is None
    assert own.read_bytes() == expected


def test_convert_keeps_columns_and_picks_formats(tmp_path: Path) -> None:
    source = tmp_path / "a.csv"
    source.write_text("id,puzzle\n7,12..34....1....2\n8,0000000000000000\n")
    galop.convert(source, output=tmp_path / "b.tsv")
    assert (tmp_path / "b.tsv").read_text() == "id\tpuzzle\n7\t12..34....1....2\n8\t0000000000000000\n"
    galop.convert(["12..34....1....2"], output=tmp_path / "b.csv.gz")
    assert gzip.decompress((tmp_path / "b.csv.gz").read_bytes()) == b"puzzle\n12..34....1....2\n"
    with pytest.raises(ValueError, match="no format has this ending"):
        galop.convert(source, output=tmp_path / "b.xlsx")
    with pytest.raises(ValueError, match="one of pair, csv"):
        galop.convert(source, "excel")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="give a format"):
        galop.convert(source)  # type: ignore[call-overload]
    before = source.read_text()
    with pytest.raises(OSError, match="the input would be overwritten"):
        galop.convert(source, output=source)
    assert source.read_text() == before
    with pytest.raises(FileNotFoundError):
        galop.convert(tmp_path / "missing.txt", "csv")


def test_the_formats_of_convert() -> None:
    words = set(_choices.ConvertedFormat.__args__)  # type: ignore[attr-defined]
    assert words == set(FORMATS) and set(_choices.TextFormat.__args__) < words  # type: ignore[attr-defined]


def test_files_are_puzzles(made: Any, tmp_path: Path) -> None:
    solutions = galop.solve(made.puzzles).strings()
    pairs = list(zip(made.strings(), solutions))
    path = tmp_path / "set.csv.gz"
    text = "id,question,answer\n" + "".join(f"{row},{puzzle},{answer}\n" for row, (puzzle, answer) in enumerate(pairs))
    text += f"a,12345,\nb,{SEVERAL},\nc,{pairs[0][0]},{pairs[1][1]}\n"
    (tmp_path / "plain.csv").write_text(text)
    path.write_bytes(gzip.compress(text.encode()))
    records = galop.read_file(path)
    assert repr(records) == "Records(123 records, 121 solutions, 1 malformed)"
    assert (records.puzzles[:120] == made.puzzles).all() and records.solutions is not None
    assert (records.solutions[:120] == made.solutions).all() and not records.solutions[121].any()
    [(row, why)] = records.malformed
    assert row == 120 and why.startswith(f"{path}:122") and "5 cells" in why
    assert records.is_puzzle.sum() == 122 and records[120] is None and list(records) == records.strings()
    columns = records.columns()
    assert columns["puzzle"][0] == pairs[0][0] and columns["solution"][0] == pairs[0][1] and columns["solution"][121] is None
    verified = galop.verify(records, unique=True)
    assert np.flatnonzero(~verified.right).tolist() == [120, 121, 122]
    assert verified.reasons[120] == why
    assert galop.verify(path, unique=True) == verified == galop.verify(records, records, unique=True)
    calls: list[Callable[[Any], Any]] = [
        galop.solve, galop.count, galop.canonical, galop.rate, galop.dedup,
        lambda them: galop.sample(them, 9, seed=1), lambda them: galop.split(them, seed=1), lambda them: galop.leak(them, them),
        lambda them: galop.rate(them, by="guesses"), lambda them: len(galop.explain(them)),
    ]
    for call in calls:
        found = [call(them) for them in (path, records, records.strings(), path.parent / "plain.csv")]
        for one in found[1:]:
            assert np.array_equal(one, found[0]) if isinstance(one, np.ndarray) else str(one) == str(found[0])
    images = galop.augment(records[records.is_puzzle], 2, solutions=made.solutions[[*range(120), 0, 0]], seed=1)
    assert len(images) == 122
    other = galop.read_file(tmp_path / "plain.csv")
    assert (other.puzzles == records.puzzles).all()
    with pytest.raises(FileNotFoundError, match="missing"):
        galop.read_file(tmp_path / "missing.csv")
    with pytest.raises(FileNotFoundError, match="missing"):
        galop.solve(tmp_path / "missing.csv")
    assert galop.verify(made.puzzles).right.all() and galop.verify(records[:120].puzzles, unique=True).right.all()


def test_a_folder_is_read_in_order(made: Any, tmp_path: Path) -> None:
    texts = made.strings()
    (tmp_path / "b.txt").write_text("\n".join(texts[50:]))
    (tmp_path / "a.txt").write_text("\n".join(texts[:50]) + "\n")
    assert galop.read_file(tmp_path).strings() == texts
    (tmp_path / "README").write_text("these are only words\n" * 5)
    assert galop.read_file(tmp_path).strings() == texts


CALLS: list[Callable[..., Any]] = [
    galop.dedup,
    lambda them, **more: galop.leak(them, them, **more),
    lambda them, **more: galop.split(them, seed=1, **more),
    lambda them, **more: galop.sample(them, 3, seed=1, **more),
    galop.rate,
    lambda them, **more: galop.convert(them, "csv", **more),
]


@pytest.mark.parametrize("call", CALLS)
def test_progress(made: Any, call: Callable[..., Any]) -> None:
    seen: list[tuple[int, int | None]] = []
    call(made.puzzles, progress=lambda done, total: seen.append((done, total)))
    done, total = seen[-1]
    assert done == total and total is not None and total >= 120
    assert [one for one, _ in seen] == sorted(one for one, _ in seen)


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_stopped(made: Any, call: Callable[..., Any]) -> None:
    def stop(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(np.tile(made.puzzles, (200, 1)), progress=stop)
    with pytest.raises(ValueError, match="threads=-1"):
        call(made.puzzles, threads=-1)


def test_no_puzzles(tmp_path: Path) -> None:
    empty = np.zeros((0, 81), np.uint8)
    assert len(galop.dedup(empty)) == len(galop.split(empty, seed=1)) == len(galop.sample(empty, 3)) == 0
    assert len(galop.leak(empty, empty)) == len(galop.rate(empty)) == 0
    assert galop.convert(empty, "csv") in ("puzzle\n", "")
    assert json.loads(galop.convert(["1" + "." * 15], "json"))["puzzle"] == "1" + "." * 15


def test_convert_says_which_line_is_not_utf_8(tmp_path: Path) -> None:
    data = b"name,puzzle\nx,12..34....1....2\n\xff,12..34....1....2\n"
    with pytest.raises(ValueError, match="line 3 is not UTF-8 .with output=, the name of a file, all bytes are kept"):
        galop.convert(data, "csv")
    galop.convert(data, "csv", output=tmp_path / "kept.csv")
    assert b"\xff" in (tmp_path / "kept.csv").read_bytes()

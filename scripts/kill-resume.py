#!/usr/bin/env python3
"""Ends runs with `--resume` of `galop solve`, of `galop generate` and of commands that rewrite records at random moments,
and lets them go on.

    scripts/kill-resume.py [GALOP] [--solve 200] [--rewrite 100] [--generate 100] [--size 1] [--workers 2] [--seed N]

Each run is ended up to five times, by kill -9 or by a signal that stops it, often just after a start, and started again with
one, two or three threads. In the end its output must have the bytes of a run that nothing disturbed, its report the same
figures, and no other file may be left. The inputs are of all kinds: lines, grids, tables, JSON, arrays, packed in all ways.

Prints one line at the end. Exit code 1 if anything differs; the files of that run then stay. Needs Python alone.
"""

import argparse
import csv
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

STOPPING = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGALRM]
# Seconds after a start within which it passes over the inputs that are finished.
EARLY = 0.06
# Figures of a report that depend on the time, the machine or the command.
FLEETING = {"date", "command", "elapsed_seconds", "puzzles_per_second", "machine", "name", "threads", "mapped"}


class Difference(Exception):
    """A run that went on did not give what a whole one gives."""


def run(galop, words, folder):
    done = subprocess.run([galop, *words], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Difference(f"exit {done.returncode}: {' '.join(words)}: {done.stderr.strip()}")
    return done.stderr


def make_inputs(galop, folder, each):
    """Files of every kind, most of them of `each` puzzles. Returns the names of those without columns, of tables, of JSON."""
    run(galop, ["generate", "-q", "-n", str(16 * each), "-s", "1", "-o", "all.txt"], folder)
    lines = (folder / "all.txt").read_text().split()
    at = iter(range(0, len(lines), each))

    def some():
        start = next(at)
        return lines[start:start + each]

    def text(puzzles):
        return "".join(puzzle + (" a note\n" if number % 7 == 0 else "\n") for number, puzzle in enumerate(puzzles))

    plain = ["a.txt", "b.txt.gz", "c.txt.xz", "d.txt.zst", "e.txt.bz2", "f.grids.txt", "g.zip", "h.npy"]
    for name in ["a.txt", "one.txt", "two.txt", "three.txt", "four.txt"]:
        (folder / name).write_text(text(some()) + "malformed\n\n# a comment\n")
    for source, name in [("one.txt", "b.txt.gz"), ("two.txt", "c.txt.xz"), ("three.txt", "d.txt.zst"),
                         ("four.txt", "e.txt.bz2"), ("one.txt", "h.npy")]:
        run(galop, ["convert", "-q", "--allow-malformed", source, "-o", name], folder)
    grids = ["\n".join(puzzle[row:row + 9] for row in range(0, 81, 9)) + "\n\n" for puzzle in some()]
    (folder / plain[5]).write_text("".join(grids))
    with zipfile.ZipFile(folder / "g.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.txt", text(some()))
        archive.writestr("2.txt", text(some()))
    # Many small files, some of them without a record.
    many = folder / "many"
    many.mkdir()
    puzzles = some() + some()
    for number in range(each // 5):
        part = text(puzzles[number * 10:number * 10 + 10]) if number % 25 else "# nothing\n"
        path = many / f"{number:04}.txt"
        if number % 3 == 0:
            path.with_suffix(".txt.gz").write_bytes(gzip.compress(part.encode()))
        else:
            path.write_text(part)
    tables = ["i.csv", "j.csv", "k.csv.gz", "l.csv"]
    for name in ["i.csv", "j.csv", "k.csv", "l.csv"]:
        with open(folder / name, "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "puzzle", "note"])
            rows.writerows([number, puzzle, "two\nlines"] for number, puzzle in enumerate(some()))
    (folder / "k.csv.gz").write_bytes(gzip.compress((folder / "k.csv").read_bytes()))
    objects = ["m.jsonl", "n.jsonl.gz"]
    for name in objects:
        rows = "".join(json.dumps({"id": number, "puzzle": puzzle, "more": [number]}) + "\n"
                       for number, puzzle in enumerate(some()))
        packed = gzip.compress(rows.encode()) if name.endswith(".gz") else rows.encode()
        (folder / name).write_bytes(packed)
    return plain, tables, objects


def solve_jobs(plain, tables, objects):
    """Outputs and words."""
    usual = ["solve", "--resume", "--no-times", "--allow-malformed", "-e", "dlx"]
    return [(out, [*usual, *files, *words]) for out, files, words in [
        ("out.txt", [*plain, "many"], []),
        ("out.txt", ["many"], []),
        ("out.txt.gz", [*plain, *tables, *objects], []),
        ("out.txt.zst", [*plain, "many", *objects], ["--unique"]),
        ("out.csv", tables, ["-f", "csv", "--columns", "line,source,solution,guesses"]),
        ("out.csv.bz2", tables, ["-f", "csv"]),
        ("out.json", objects, ["-f", "json"]),
        ("out.jsonl.gz", objects * 3, ["-f", "json", "--limit", "2"]),
        ("out.txt.xz", ["many"], ["--crosscheck", "20%"]),
        ("out.txt", ["a.txt", "i.csv", "m.jsonl", "h.npy"], ["--shard", "2/3"]),
        ("out.txt", plain * 2, ["--only", "malformed,solved"]),
    ]]


def rewrite_jobs(plain, tables, objects):
    seed = ["--seed", "1"]
    return [(out, [command, "--resume", "--allow-malformed", *files, *words]) for out, command, files, words in [
        ("out.csv", "convert", tables * 20, []),
        ("out.json.gz", "convert", [*plain, "many", *objects], []),
        ("out.txt", "canon", [*plain, "many"], []),
        ("out.tsv", "augment", tables, ["-k", "9", *seed]),
        ("out.txt.zst", "augment", ["many", *objects], ["-k", "3", "--distinct", "--with-original", *seed]),
        ("out.jsonl", "rate", [*tables, *objects], ["--by", "guesses", "--symmetries", "2", *seed]),
        ("out.csv", "sample", tables * 10, ["--share", "0.5", *seed]),
        ("out.txt", "sample", plain * 5, ["-n", "5000", *seed]),
        ("out.txt", "dedup", [*plain, "many"], ["--by", "puzzle"]),
        ("out.csv", "convert", tables_of_text(tables), ["--shard", "2/3"]),
        ("out.csv", "augment", tables_of_text(tables), ["-k", "9", "--shard", "2/3", *seed]),
    ]]


def tables_of_text(tables):
    """Those that can be cut into shards."""
    return [name for name in tables if not name.endswith(".gz")] * 5


def generate_jobs(size):
    usual = ["generate", "--resume", "--seed", "3", "-q"]
    return [(out, [*usual, *words]) for out, words in [
        ("out.txt", ["-n", str(3000 * size), "--minimal", "--pairs"]),
        ("out.txt.gz", ["-n", str(12000 * size)]),
        ("out.csv.zst", ["-n", str(1000 * size), "--level", "hard", "--columns", "guesses,key"]),
        ("out.json", ["-n", str(10 * size), "--guesses", "6..", "--from", "7"]),
        ("out.txt", ["-n", str(80 * size), "--side", "16"]),
    ]]


def figures(value):
    """A report without what differs from run to run."""
    if isinstance(value, dict):
        return {key: figures(inner) for key, inner in value.items() if key not in FLEETING}
    return [figures(inner) for inner in value] if isinstance(value, list) else value


class Job:
    """A command, and what it gives if nothing disturbs it."""

    def __init__(self, galop, inputs, out, words):
        self.galop, self.inputs, self.out, self.words = galop, inputs, out, words
        self.has_report = words[0] not in ("generate", "convert")
        with tempfile.TemporaryDirectory(dir=inputs.parent) as name:
            folder = Path(name)
            self.link(folder)
            began = time.monotonic()
            said = run(galop, [*self.typed(), "-j", "2"], folder)
            self.seconds = time.monotonic() - began
            self.result = self.read(folder, said)

    def typed(self):
        return [*self.words, "-o", self.out, *(["--report", "r.json"] if self.has_report else [])]

    def link(self, folder):
        """The inputs under the same names in the folder of a run."""
        for path in self.inputs.iterdir():
            (folder / path.name).symlink_to(path)

    def read(self, folder, said):
        """The bytes of the output, the figures of the report and of the summary."""
        expected = {path.name for path in self.inputs.iterdir()} | {self.out, f".{self.out}.complete"}
        expected |= {"r.json"} if self.has_report else set()
        left = {path.name for path in folder.iterdir()} - expected
        if left:
            raise Difference(f"left behind: {sorted(left)}")
        report = figures(json.loads((folder / "r.json").read_text())) if self.has_report else None
        summary = re.findall(r"^[\d,]+ puzzles? from .*? in |[\d,]+ malformed records?", said, re.M)
        return (folder / self.out).read_bytes(), report, summary

    def is_complete(self, folder):
        return (folder / self.out).exists() and not (folder / f"{self.out}.progress").exists()

    def disturb(self, folder, chance):
        """Ends the run up to five times, then lets it end. Returns the number of ends by force."""
        ends = 0
        for _ in range(chance.randint(1, 5)):
            words = [*self.typed(), "-j", str(chance.randint(1, 3))]
            is_early = ends > 0 and chance.random() < 0.5
            after = chance.uniform(0, EARLY if is_early else 1.1 * self.seconds)
            number = signal.SIGKILL if chance.random() < 0.3 else chance.choice(STOPPING)
            child = subprocess.Popen([self.galop, *words], cwd=folder, stderr=subprocess.PIPE, text=True)
            try:
                said = child.communicate(timeout=after)[1]
            except subprocess.TimeoutExpired:
                child.send_signal(number)
                said = child.communicate()[1]
            if child.returncode not in (0, -number, 128 + number):
                raise Difference(f"exit {child.returncode} after {number.name}: {said.strip()}")
            if self.is_complete(folder):
                return ends, said
            ends += 1
        return ends, run(self.galop, [*self.typed(), "-j", str(chance.randint(1, 3))], folder)

    def check(self, seed):
        """A disturbed run in a folder of its own. Returns the number of ends, and what differs."""
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=self.inputs.parent))
        self.link(folder)
        ends = 0
        try:
            ends, said = self.disturb(folder, random.Random(seed))
            found = self.read(folder, said)
            # A run that was killed behind its summary, or before it, does not say it in the end.
            parts = zip(("output", "report", "summary"), found, self.result)
            wrong = [what for what, here, there in parts if here != there and (what != "summary" or here)]
            if wrong:
                raise Difference(f"differs: {', '.join(wrong)}")
        except Difference as difference:
            return ends, f"{folder}: seed {seed}: {' '.join(self.typed())}: {difference}"
        shutil.rmtree(folder)
        return ends, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("galop", nargs="?", default="target/release/galop")
    parser.add_argument("--solve", type=int, default=200, metavar="N", help="runs of solve (default 200)")
    parser.add_argument("--rewrite", type=int, default=100, metavar="N",
                        help="runs of commands that rewrite records (default 100)")
    parser.add_argument("--generate", type=int, default=100, metavar="N", help="runs of generate (default 100)")
    parser.add_argument("--size", type=int, default=1, metavar="N",
                        help="1: undisturbed runs take some tenths of a second of processor time; N: N times as long")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="runs at the same time (default 2)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), metavar="S")
    args = parser.parse_args()
    # A shell starts a job in the background of a script with SIGINT ignored, and the runs would inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    galop = shutil.which(args.galop) or args.galop
    galop = os.path.abspath(galop)
    began = time.monotonic()
    base = Path(tempfile.mkdtemp(prefix="galop-kill-"))
    inputs, nothing = base / "inputs", base / "nothing"
    inputs.mkdir()
    nothing.mkdir()
    kinds = make_inputs(galop, inputs, 800 * args.size)
    solving = [Job(galop, inputs, out, words) for out, words in solve_jobs(*kinds)]
    rewriting = [Job(galop, inputs, out, words) for out, words in rewrite_jobs(*kinds)]
    making = [Job(galop, nothing, out, words) for out, words in generate_jobs(args.size)]
    tasks = [(solving[number % len(solving)], f"{args.seed} solve {number}") for number in range(args.solve)]
    tasks += [(rewriting[number % len(rewriting)], f"{args.seed} rewrite {number}") for number in range(args.rewrite)]
    tasks += [(making[number % len(making)], f"{args.seed} generate {number}") for number in range(args.generate)]
    ends, faults = 0, []
    with ThreadPoolExecutor(args.workers) as pool:
        for count, fault in pool.map(lambda task: task[0].check(task[1]), tasks):
            ends += count
            if fault:
                faults.append(fault)
                print(fault, file=sys.stderr)
    print(f"{args.solve} runs of solve, {args.rewrite} of rewriting and {args.generate} of generate, ended {ends} times "
          f"by force, seed {args.seed}, in {time.monotonic() - began:.0f} s: {len(faults)} differ")
    if faults:
        sys.exit(1)
    shutil.rmtree(base)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares two builds of galop over commands x formats x inputs: exit code, standard output, messages without times, files.

Usage: scripts/same-outputs.py BEFORE AFTER [PATTERN]

BEFORE and AFTER are programs, PATTERN a regular expression that chooses command lines. Each command line whose outcome
differs is printed with the first difference. The exit code is 1 if there is one.
"""

import itertools
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOLVED = ["pair", "solution", "csv", "tsv", "json", "grid", "npy", "npz"]
CONVERTED = ["pair", "csv", "tsv", "json", "grid", "npy", "npz"]
HAS_COLUMNS = ["csv", "tsv", "json", "npz"]
PAIRS_OF_INPUTS = [
    "lines.txt rows.csv", "rows.csv lines.txt", "rows.csv more.csv", "rows.csv other.csv", "twice.csv twice.csv",
    "objects.json others.json", "objects.json rows.csv", "rows.csv objects.json", "named.csv rows.csv",
    "array.npy rows.csv", "lines.txt arrays.npz", "plain.txt named.csv", "taken.csv objects.json", "empty.txt rows.csv",
    "plain.txt plain.txt", "tabs.tsv rows.csv", "arrays.npz objects.json",
]  # fmt: skip


def make_inputs(galop, folder):
    """Writes a file of each kind: lines, tables, objects, arrays, drawn grids; faulty records in most of them."""

    def run(*words, text=""):
        done = subprocess.run([galop, *words], cwd=folder, input=text, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def write(name, *lines):
        (folder / name).write_text("".join(line + "\n" for line in lines), newline="")

    puzzles = run("generate", "-q", "-n", "4", "-s", "1", "--minimal") + run("generate", "-q", "-n", "2", "-s", "2")
    puzzles += run("generate", "-q", "-n", "1", "-s", "3", "--status", "multiple")
    puzzles += run("generate", "-q", "-n", "1", "-s", "4", "--status", "none")
    solutions = [line.split(",")[1] for line in run("solve", "-q", text="\n".join(puzzles) + "\n")]
    p, s = puzzles, solutions
    wrong = s[0][1:] + s[0][0]
    write("plain.txt", *p[:3])
    write("pairs.txt", *map(",".join, zip(p, s)))
    write("lines.txt", "# comment", p[0], p[1], 'bad,line"x\\', f"{p[2]},{s[2]}", f"{p[3]},{wrong}", p[6], p[7],
          f"{p[4].replace('.', '0')} {s[4]} more 7", p[0])  # fmt: skip
    write("rows.csv", 'id,puzzle,"na""me, x",solution,status', f'1,{p[0]},"a ""q"", b",{s[0]},ok', f"2,{p[1]}, pad ,,",
          f'3,oops,z,{s[2]},"x', f'4,{p[2]},"line\nbreak",{wrong},7', f'5,{p[6]},"",none,1.50', f"6,{p[3]}")  # fmt: skip
    write("more.csv", 'id,puzzle,"na""me, x",solution,status', f"9,{p[5]},q,,r")
    write("other.csv", "a,puzzle", f"1,{p[5]}")
    write("named.csv", "quizzes;solutions;rating", *(f"{a};{b};{i}.5" for i, (a, b) in enumerate(zip(p[:3], s))))
    write("tabs.tsv", "puzzle\tkey\tgroup\ttier\tcanonical", *(f"{a}\tK{i}\t{i}\teasy\tx" for i, a in enumerate(p[:3])))
    write("taken.csv", "puzzle,status,count,guesses,nanos,solution,galop_status,Key",
          *(f"{a},s{i},{i},g,n,{b},gs,k" for i, (a, b) in enumerate(zip(p[:3], s))))  # fmt: skip
    write("twice.csv", "puzzle,x,x", *(f"{a},{i},{i + 1}" for i, a in enumerate(p[:3])))
    write("objects.json", f'{{"puzzle":"{p[0]}","n":1,"name":"a\\"b","l":[1,2]}}',
          f'{{"n":2.5,"puzzle":"{p[1]}","solution":"{s[1]}","name":null}}',
          f'{{"puzzle":"{p[2]}","later":true,"status":"x","galop_status":1}}', f'{{"puzzle":"{p[6]}"}}',
          '{"puzzle":"bad","n":3}')  # fmt: skip
    write("others.json", *(f'{{"quiz":"{a}","answer":"{b}","solution_key":{i}}}' for i, (a, b) in enumerate(zip(p, s))))
    write("small.txt", "1...............", "12343412214343..", "1..............1")
    write("small.csv", "puzzle,a", "1...............,1", "12343412214343..,2")
    write("large.txt", *run("generate", "-q", "-n", "2", "-s", "5", "--side", "16"))
    write("grids.txt", *run("convert", "-q", "plain.txt", "-f", "grid"))
    write("empty.txt")
    write("empty.csv", "puzzle,x")
    run("convert", "-q", "plain.txt", "-o", "array.npy")
    run("solve", "-q", "--no-times", "pairs.txt", "-o", "arrays.npz")
    run("make", "queens", "5", "-o", "queens.dlx")
    write("queens.txt", "|", "r0 c0 | r3 c4", "r0 c0 | :- r3 c1", "r0 c0 | r1 c1")
    write("queens.csv", "puzzle,x", 'r0 c0,"a,b"', "|,2")


def output_of(format):
    return ["-o", f"out.{format}"] if format.startswith("np") else []


def solving(files):
    for format in SOLVED:
        words = ["solve", "--no-times", "-f", format, *output_of(format), *files]
        yield words
        yield [*words, "--unique"]
        yield [*words, "--limit", "3", "--all"]
        yield [*words, "-e", "logic"]
        if format in HAS_COLUMNS:
            yield [*words, "--columns", "line,puzzle,clues,status,count,guesses_first,solution"]
            yield [*words, "--only", "none,multiple,malformed", "--unique"]


def rewriting(files):
    for format in CONVERTED:
        to = ["-f", format, *output_of(format), *files]
        yield ["convert", *to]
        yield ["augment", "-s", "1", "-k", "2", "--distinct", "--with-original", *to]
        yield ["rate", *to]
        yield ["rate", "--by", "guesses", *to]
        yield ["rate", "--by", "guesses", "--columns", "guesses,mean,deviation", "--symmetries", "3", "-s", "1", *to]
        yield ["canon", *to]
        yield ["canon", "--columns", "canonical,form,automorphisms,key,canonical_solution,solution_key", *to]
        yield ["dedup", "--dropped", "dropped.txt", *to]
        yield ["sample", "-s", "1", "--share", "50%", *to]
        yield ["sample", "-s", "1", "-n", "2", *to]
        yield ["split", "--test", "40%", "--seed", "1", "--test-output", f"test.{format}", *to]
    yield ["verify", *files]
    yield ["leak", *(files * 2)[:2]]


def naming():
    inputs = ["lines.txt", "rows.csv", "named.csv", "objects.json", "arrays.npz"]
    endings = ["txt", "csv", "tsv", "json", "npy", "npz", "csv.gz", "json.zst", "foo", "parquet"]
    for name, ending in itertools.product(inputs, endings):
        for words in ["solve --no-times", "convert", "canon", "rate", "augment -s 1", "dedup", "convert --shard 1/2"]:
            yield [*words.split(), name, "-o", f"out.{ending}"]


def generating():
    options = ["", "--minimal", "--pairs", "--status none", "--status multiple --pairs", "--columns key", "--side 4",
               "--kind diagonal", "--unbiased", "--minimal --clues 24..26", "--new-to pairs.txt", "--new-to rows.csv",
               "--from 5", "--symmetric rotate180", "--level easy", "--guesses 0..1", "--problem queens.dlx"]  # fmt: skip
    for format, option in itertools.product(SOLVED, options):
        yield ["generate", "-n", "4", "-s", "1", "-f", format, *output_of(format), *option.split()]
    for number, threads in itertools.product(["100", "700"], ["1", "3"]):
        yield ["generate", "-n", number, "-s", "2", "-j", threads]
        yield ["generate", "-n", number, "-s", "2", "-j", threads, "--minimal", "-o", "out.csv"]
    yield ["generate", "-n", "50", "-s", "2", "--resume", "-o", "out.txt", "--minimal"]
    yield ["generate", "-n", "0", "-s", "2", "-f", "csv"]
    yield ["generate", "-n", "3", "-s", "2", "--clues", "12"]


def of_problems():
    for files in ["queens.txt", "queens.csv", "queens.txt queens.csv"]:
        for format, option in itertools.product(SOLVED, ["", "--unique", "--all", "--columns puzzle,solution,cost,status"]):
            yield ["solve", "--no-times", "--problem", "queens.dlx", "-f", format, *output_of(format), *option.split(),
                   *files.split()]  # fmt: skip
        yield ["verify", "--problem", "queens.dlx", *files.split()]


def others():
    for command in ["solve", "convert", "rate", "canon", "augment", "dedup", "split", "sample", "leak", "generate", "verify",
                    "explain", "hint", "show", "compare", "make", "cover", "serve"]:  # fmt: skip
        yield [command, "--help"]
        yield [command, "-h"]
    yield ["solve", "--resume", "-o", "out.csv", "rows.csv", "--no-times"]
    yield ["convert", "--resume", "-o", "out.csv", "rows.csv"]
    yield ["convert", "--resume", "-o", "out.npz", "rows.csv"]


def command_lines(folder):
    made = {"pairs.txt", "queens.dlx", "queens.txt", "queens.csv", "more.csv", "other.csv"}
    alone = sorted(path.name for path in folder.iterdir() if path.name not in made)
    for files in [[name] for name in alone] + [names.split() for names in PAIRS_OF_INPUTS]:
        yield from solving(files)
        yield from rewriting(files)
    for lines in [naming, generating, of_problems, others]:
        yield from lines()


def without_times(text):
    text = re.sub(rb"\d[\d,.]* ?(ns|\xc2\xb5s|us|ms|min|s)\b", b"TIME", text)
    return re.sub(rb"[\d,.]+ (a second|(puzzles|records)/s)", b"RATE", text)


def outcome(galop, words, inputs):
    """The exit code, both streams, and the files that a run leaves."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for path in inputs.iterdir():
            (folder / path.name).symlink_to(path)
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        done = subprocess.run([galop, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, env=environment)
        found = {"code": done.returncode, "output": done.stdout, "messages": without_times(done.stderr)}
        left = [path for path in folder.iterdir() if not path.is_symlink()]
        found |= {path.name: b"" if path.suffix in (".progress", ".complete") else path.read_bytes() for path in left}
        return found


def first_difference(one, other):
    if not (isinstance(one, bytes) and isinstance(other, bytes)):
        return f"{one!r} | {other!r}"
    at = next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    start = max(0, at - 40)
    return f"at byte {at}\n      {one[start : at + 160]!r}\n      {other[start : at + 160]!r}"


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    before, after = (os.path.abspath(program) for program in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as inputs:
        inputs = Path(inputs)
        make_inputs(before, inputs)
        pattern = re.compile(sys.argv[3] if len(sys.argv) == 4 else "")
        lines = [words for words in command_lines(inputs) if pattern.search(" ".join(words))]

        def compared(words):
            return words, outcome(before, words, inputs), outcome(after, words, inputs)

        differing = 0
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for words, one, other in pool.map(compared, lines):
                if one != other:
                    differing += 1
                    print("galop", *words)
                    for what in sorted(one.keys() | other.keys()):
                        if one.get(what) != other.get(what):
                            print("   ", what, first_difference(one.get(what), other.get(what)))
    print(f"{len(lines)} command lines compared, {differing} differ")
    sys.exit(differing > 0)


main()

#!/usr/bin/env python3
"""Counts what a reader of this repository has to read: lines, names, long sentences, commands and options.

Run it in the root of the repository. With a path to the tool it also counts the options of each command.
"""

import argparse
import collections
import re
import subprocess
from pathlib import Path

# What must be read to change how a puzzle is solved.
CORE = ("crates/simd/", "crates/engines/", "crates/batch/", "src/lib.rs", "tests/library/")
MOST_WORDS = 34
MOST_COLUMNS = 120


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def package(path: Path) -> str:
    return "/".join(path.parts[:2]) if path.parts[0] == "crates" else path.parts[0]


def sentences(text: str) -> list[str]:
    """The sentences of the comments of a file. Tables, drawings and code in comments are left out."""
    found, paragraph, in_code = [], [], False
    for line in [*text.split("\n"), ""]:
        comment = re.match(r"\s*//[/!]? ?(.*)", line)
        words = comment.group(1) if comment else ""
        if words.startswith("```"):
            in_code = not in_code
        if words and not in_code and not re.match(r"[|#`*-]|\s{2,}", words):
            paragraph.append(words)
        else:
            found += re.split(r"(?<=[.!?])\s+", " ".join(paragraph))
            paragraph = []
    return found


def options(tool: str, *command: str) -> dict[str, int]:
    """The number of options of a command, and of its own commands."""
    text = output(tool, *command, "--help")
    if not command or re.search(r"^Commands:", text, re.M):
        names = re.findall(r"^  ([a-z][a-z-]*) {2,}", text, re.M)
        inner = [options(tool, *command, name) for name in names if name != "help"]
        found = {name: number for counts in inner for name, number in counts.items()}
    else:
        found = {}
    if command:
        found[" ".join(command)] = len(re.findall(r"^ +(?:-\w, )?--[a-z]", text, re.M))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("galop", nargs="?", help="the tool")
    tool = parser.parse_args().galop
    files = [Path(name) for name in output("git", "ls-files", "*.rs").split()]
    texts = {path: path.read_text() for path in files if path.exists()}
    lines: collections.Counter[str] = collections.Counter()
    kinds: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    public: collections.Counter[str] = collections.Counter()
    pronouns = wide = any_types = core = 0
    long_sentences = []
    for path, text in texts.items():
        lines[package(path)] += text.count("\n")
        core += text.count("\n") if str(path).startswith(CORE) else 0
        pronouns += len(re.findall(r"//.*\b(?:that|those) of\b", text))
        wide += sum(len(line) > MOST_COLUMNS for line in text.split("\n"))
        any_types += text.count("dyn Any")
        long_sentences += [(len(s.split()), str(path)) for s in sentences(text) if len(s.split()) > MOST_WORDS]
        for name in re.findall(r"^\s*(?:pub(?:\([a-z]+\))? )?(?:struct|enum|trait) (\w+)", text, re.M):
            kinds[package(path)][name] += 1
        if path.parts[0] in ("src", "crates"):
            declared = r"^\s*pub (?:const |unsafe |async )*(?:fn|struct|enum|trait|type) "
            public[package(path)] += len(re.findall(declared, text, re.M))
    frequent = sorted(((n, name, p) for p, names in kinds.items() for name, n in names.items() if n > 3), reverse=True)
    largest = sorted(((text.count("\n"), str(path)) for path, text in texts.items()), reverse=True)[:8]
    print("lines of Rust:", sum(lines.values()), dict(lines.most_common()))
    print("lines of the core:", core)
    print("declared `pub`:", sum(public.values()), dict(public.most_common()))
    print("`dyn Any`:", any_types, "| 'that of', 'those of' in comments:", pronouns)
    print(f"sentences over {MOST_WORDS} words:", len(long_sentences), collections.Counter(p for _, p in long_sentences).most_common(8))
    print(f"lines over {MOST_COLUMNS} columns:", wide)
    print("type names for more than three things:", frequent)
    print("largest files:", largest)
    if tool:
        counts = options(tool)
        print("options:", sum(counts.values()), "in", len(counts), "commands:", counts)


if __name__ == "__main__":
    main()

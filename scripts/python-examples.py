#!/usr/bin/env python3
"""Writes the Python examples of all documents, docstrings and notebooks as programs, for type checkers.

scripts/python-examples.py FOLDER

FOLDER gets a program for each Markdown file, each module and each notebook that has examples, and copies of the programs of
examples/. Nothing is run.
"""

from __future__ import annotations

import ast
import doctest
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""A fenced block of a Markdown file."""


def of_document(text: str) -> str:
    """The blocks of a Markdown file, one after the other: a session with prompts, or lines of a program."""
    blocks = [block.group(1) for block in BLOCK.finditer(text)]
    return "\n".join(doctest.script_from_examples(block) if ">>> " in block else block for block in blocks)


def of_module(name: str, text: str) -> str:
    """The examples of the docstrings of a module, which know its names. Each begins anew, so it is in a function of its own."""
    parts = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            docstring = ast.get_docstring(node) or ""
            script = doctest.script_from_examples(docstring) if ">>> " in docstring else ""
            if script:
                body = "".join(f"    {line}\n" for line in script.splitlines())
                parts.append(f"def example_{len(parts)}() -> None:\n{body}    return\n")
    package = "galop" if name == "__init__" else f"galop.{name}"
    return "\n".join([f"from {package} import *\n", *parts]) if parts else ""


def of_notebook(text: str) -> str:
    """The cells of a notebook."""
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] == "code")


def programs() -> Iterator[tuple[Path, str]]:
    """Each file with examples, and its program."""
    for document in [ROOT / "README.md", ROOT / "python/README.md", *sorted(ROOT.glob("docs/*.md"))]:
        yield document, of_document(document.read_text())
    for module in sorted(ROOT.glob("python/galop/*.py")):
        yield module, of_module(module.stem, module.read_text())
    for notebook in sorted(ROOT.glob("examples/*.ipynb")):
        yield notebook, of_notebook(notebook.read_text())
    for program in sorted(ROOT.glob("examples/*.py")):
        yield program, program.read_text()


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source, program in programs():
        if program.strip():
            name = re.sub(r"\W+", "_", str(source.relative_to(ROOT)))
            (folder / f"{name}.py").write_text(program)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))

#!/usr/bin/env bash
# Builds the pages of the Python package from its docstrings. Usage: scripts/python-docs.sh PYTHON [FOLDER]
#
# PYTHON is an interpreter that has galop and pdoc. FOLDER (target/doc/python, beside the pages of the Rust packages) gets a
# page for galop and one for each public module that PYTHON can import.
set -euo pipefail
if [ "$#" -lt 1 ] || [ "$#" -gt 2 ]; then
    echo "usage: scripts/python-docs.sh PYTHON [FOLDER]" >&2
    exit 2
fi
python=$(realpath -s -- "$1")
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
folder=$(realpath -m -- "${2:-${CARGO_TARGET_DIR:-target}/doc/python}")

modules=(galop galop.cover)
if "$python" -c 'import pyarrow, pyspark' 2>/dev/null; then modules+=(galop.spark); fi
rm -rf "$folder"
# The package that is installed, not the folder beside.
cd /
"$python" -m pdoc --docformat restructuredtext -o "$folder" "${modules[@]}" '!galop\._.*'

# A table of another markup would be printed as it is.
if grep -l '^<p>====' -r "$folder" --include='*.html'; then exit 1; fi

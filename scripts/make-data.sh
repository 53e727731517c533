#!/usr/bin/env bash
# Makes the files of data/ again, byte for byte. Usage: scripts/make-data.sh [GALOP]
#
# GALOP is the program to use. Without it, the script builds galop in release mode and uses that.
set -euo pipefail

if [ "$#" -gt 0 ]; then
    galop=$(realpath -- "$1")
fi
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
if [ "$#" -eq 0 ]; then
    cargo build --release
    galop="${CARGO_TARGET_DIR:-target}/release/galop"
fi

# A..B includes both ends: 33 to 38 clues.
"$galop" generate --count 10000 --seed 1 --clues 33..38 -o data/easy_10k.txt
"$galop" generate --count 10000 --seed 2 --minimal -o data/minimal_10k.txt

# The solutions come from an engine that shares no code with the one that proved the puzzles unique.
for name in easy_10k minimal_10k; do
    "$galop" solve "data/$name.txt" -o "data/${name}_solutions.txt" --engine dlx
done

#!/usr/bin/env bash
# Makes the files of data/ again, byte for byte, and their checksums. Usage: scripts/make-data.sh [GALOP]
#
# GALOP is the program to use. Without it, the script builds galop in release mode and uses that. `git diff data` then shows
# nothing. To compare the files with the checksums alone: (cd data && sha256sum -c SHA256SUMS)
set -euo pipefail
export LC_ALL=C

if [ "$#" -gt 0 ]; then
    galop=$(realpath -- "$1")
fi
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
if [ "$#" -eq 0 ]; then
    cargo build --release
    galop="${CARGO_TARGET_DIR:-target}/release/galop"
fi

# A..B includes both ends: 33 to 38 clues.
"$galop" generate -q --count 10000 --seed 1 --clues 33..38 -o data/easy_10k.txt
"$galop" generate -q --count 10000 --seed 2 --minimal -o data/minimal_10k.txt

# The solutions come from an engine that shares no code with the one that proved the puzzles unique.
for name in easy_10k minimal_10k; do
    "$galop" solve -q "data/$name.txt" -o "data/${name}_solutions.txt" --engine dlx
done

# Few puzzles of other kinds and sizes, for the examples of the README.
"$galop" generate -q --count 100 --seed 3 --minimal --guesses 15.. -o data/hard_100.txt
"$galop" generate -q --count 20 --seed 4 --side 16 -o data/16x16_20.txt
"$galop" generate -q --count 20 --seed 5 --kind diagonal -o data/diagonal_20.txt

# The regions of a jigsaw: the block of each cell, bent at its corners.
cat > data/jigsaw.map <<'MAP'
aaaaccccc
aaaabbbcc
adbbbbbfc
ddbeeeefc
dddeefffi
dgdeehfii
ggdhehffi
ggghhhhfi
ggghhiiii
MAP
"$galop" generate -q --count 20 --seed 6 --kind jigsaw --regions data/jigsaw.map -o data/jigsaw_20.txt

# An extra region: nine cells that hold every symbol.
cat > data/centre_dot.map <<'MAP'
# The centres of the blocks of a 9x9 sudoku.
.........
.a..a..a.
.........
.........
.a..a..a.
.........
.........
.a..a..a.
.........
MAP

# Exact cover problems in the text format of Knuth's programs.
"$galop" make queens 12 -o data/queens12.dlx
"$galop" make pentominoes 6x10 -o data/pentominoes6x10.dlx

cd data
sha256sum -- *.txt *.map *.dlx > SHA256SUMS

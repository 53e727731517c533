#!/usr/bin/env bash
# Makes a corpus of sudokus: different, rated, solved, split in training data and tests, and augmented.
# Usage: scripts/make-corpus.sh COUNT FOLDER [SEED] [GALOP]
#
# COUNT puzzles are made. FOLDER gets train.csv and test.csv with the columns puzzle, solution, level, score and hardest,
# the same as arrays (train.npz, test.npz), each training puzzle with eight images of it (augmented.npz), and a JSON
# report of each step in the folder reports. GALOP is the program to use. Without it, the script builds galop in release
# mode and uses that. docs/corpora.md says what the steps do. Equal COUNT, SEED and version of galop give equal files.
set -euo pipefail

if [ "$#" -lt 2 ]; then
    echo "usage: scripts/make-corpus.sh COUNT FOLDER [SEED] [GALOP]" >&2
    exit 2
fi
count=$1 seed=${3:-1}
mkdir -p -- "$2/reports"
folder=$(realpath -- "$2")
if [ "$#" -gt 3 ]; then
    galop=$(realpath -- "$4")
else
    cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
    cargo build --release
    galop=$(realpath -- "${CARGO_TARGET_DIR:-target}/release/galop")
fi
cd -- "$folder"

# Minimal puzzles, each with its only solution.
"$galop" generate --count "$count" --seed "$seed" --minimal --pairs -o made.txt
# The solutions are the only ones by construction, so they need no search.
"$galop" dedup made.txt --trust-solutions -o different.txt --dropped dropped.txt --report reports/dedup.json
"$galop" rate different.txt -o rated.csv --report reports/rate.json
# Puzzles with equivalent solutions are on one side.
"$galop" split rated.csv --test 10% --seed "$seed" --by grid --trust-solutions \
    -o train.csv --test-output test.csv --report reports/split.json
# It ends with 1, and so does this script, if a test puzzle or its solution is in the training data.
"$galop" leak train.csv test.csv --trust-solutions --report reports/leak.json
"$galop" verify --unique train.csv test.csv --report reports/verify.json

for part in train test; do
    "$galop" convert "$part.csv" -o "$part.npz" -q
done
"$galop" augment train.csv --times 8 --with-original --seed "$seed" -o augmented.npz --report reports/augment.json
rm made.txt different.txt rated.csv

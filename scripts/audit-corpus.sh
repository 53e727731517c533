#!/usr/bin/env bash
# Audits a data set that somebody else made. Usage: scripts/audit-corpus.sh TRAIN TEST FOLDER [GALOP]
#
# It answers: are the solutions right, and the only ones; which puzzles are there twice in another guise; which test puzzles
# are in the training data; how hard are they. FOLDER gets the lists and a JSON report of each step. It ends with 1 if
# something was found. GALOP is the program to use. Without it, the script builds galop in release mode and uses that.
set -euo pipefail

if [ "$#" -lt 3 ]; then
    echo "usage: scripts/audit-corpus.sh TRAIN TEST FOLDER [GALOP]" >&2
    exit 2
fi
train=$(realpath -- "$1") test=$(realpath -- "$2")
mkdir -p -- "$3"
folder=$(realpath -- "$3")
if [ "$#" -gt 3 ]; then
    galop=$(realpath -- "$4")
else
    cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
    cargo build --release
    galop=$(realpath -- "${CARGO_TARGET_DIR:-target}/release/galop")
fi
cd -- "$folder"

found=0
# Each step ends with 1 if it found something, and with more if it could not do its work.
step() {
    local code=0
    "$@" || code=$?
    if [ "$code" -gt 1 ]; then exit "$code"; fi
    if [ "$code" -eq 1 ]; then found=1; fi
}

step "$galop" verify --unique "$train" "$test" --report verify.json > faults.txt
step "$galop" dedup "$train" "$test" -o different.txt --dropped equal.txt --report dedup.json
step "$galop" leak "$train" "$test" --report leak.json > leaks.txt
step "$galop" rate "$train" "$test" -o rated.csv --report rate.json
if [ -s equal.txt ]; then found=1; fi
wc -l faults.txt equal.txt leaks.txt
exit "$found"

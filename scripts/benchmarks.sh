#!/usr/bin/env bash
# Measures everything that docs/benchmarks.md and the table of the README show, on this machine, in one go, and writes the
# tables and charts.
# Usage: scripts/benchmarks.sh [FOLDER]
#
# FOLDER (target/benchmarks) keeps the reports, as JSON. A report that is there already is not measured again, so a run that was
# ended goes on where it was. It takes about half an hour on two cores, and nothing of the network but the crates of
# benches/peers, if cargo does not have them yet. Without them, these peers are left out.
#
# Environment:
#   GALOP_DATA  a folder with published sets: 17_clue.txt, unbiased_100k.txt, easy_100k.txt,
#               forum_hardest_1905_11plus.txt. Without it, the sets of data/ are used, which galop made.
#   TDOKU, JCZSOLVE, FSSS2, SKBFORCE
#               commands of other solvers of sudokus, as in TDOKU='tdoku-solve {}': a line with the solution for each
#               line of the file in place of {}; they find any solution, so they take no part in proofs
#   SSXCC, DLX1, DLX2, DLX3, XCC
#               commands of other exact cover programs, as in SSXCC='ssxcc < {}': they print `N solutions`
#   DLX5        the same for cheapest covers: it prints their options
#   CORE        the core to which the measurements on one thread are pinned (the last one)
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
root=$PWD
out=$(realpath -m -- "${1:-target/benchmarks}")
mkdir -p "$out/sets"

if ! git diff --quiet HEAD 2>/dev/null; then
    echo "warning: the tree has changes that no commit has" >&2
fi
cargo build --release
galop=$(realpath -- "${CARGO_TARGET_DIR:-target}/release/galop")

peer=
if cargo build --release --manifest-path benches/peers/Cargo.toml; then
    peer=$root/benches/peers/target/release/peer
else
    echo "skipped: the crates of benches/peers, which cannot be built" >&2
fi

core=${CORE:-$(($(nproc) - 1))}
pinned=()
if command -v taskset >/dev/null; then pinned=(taskset -c "$core"); fi

# compare NAME WORD...: measures once, and keeps the report.
compare() {
    local name=$1
    shift
    if [ -e "$out/$name.json" ]; then
        echo "$name: measured already"
        return
    fi
    echo "$name: galop compare $*"
    "${pinned[@]}" "$galop" compare "$@" --report "$out/new.json" -q >/dev/null
    mv "$out/new.json" "$out/$name.json"
}

# set_of NAME WORD...: the set that galop generates by these words, made once.
set_of() {
    local file=$out/sets/$1.txt
    shift
    if [ ! -e "$file" ]; then
        "$galop" generate "$@" -o "$out/sets/new.txt" -q
        mv "$out/sets/new.txt" "$file"
    fi
}

# The commands of other programs whose variables are set. In lower case they are the names in the reports.
commands() {
    local name
    for name in "$@"; do
        if [ -n "${!name:-}" ]; then printf '%s\0' --command "${name,,}=${!name}"; fi
    done
}
mapfile -d '' -t solvers < <(commands TDOKU JCZSOLVE FSSS2 SKBFORCE)
mapfile -d '' -t covers < <(commands SSXCC DLX1 DLX2 DLX3 XCC)
mapfile -d '' -t cheapest < <(commands DLX5)

# Sudokus: a run has 100,000 puzzles of a set, or all of it, so that the start of a program counts little.
sets=()
for name in 17_clue unbiased_100k easy_100k forum_hardest_1905_11plus; do
    if [ -n "${GALOP_DATA:-}" ] && [ -e "$GALOP_DATA/$name.txt" ]; then sets+=("$GALOP_DATA/$name.txt"); fi
done
if [ ${#sets[@]} -eq 0 ]; then sets=(data/minimal_10k.txt data/easy_10k.txt data/hard_100.txt); fi
for limit in 1 2; do
    own=(--command "galop=$galop solve -q -j1 -f solution --allow-malformed --limit $limit {}")
    if [ -n "$peer" ]; then own+=(--command "sudoku=$peer sudoku {} --limit $limit"); fi
    for set in "${sets[@]}"; do
        name=$(basename "$set" .txt)
        others=()
        if [ "$limit" = 1 ]; then others=("${solvers[@]}"); fi
        compare "sudoku-$limit-$name" "$set" -n 100000 -r 30 --limit "$limit" -e lanes,bitboard \
            "${own[@]}" "${others[@]}"
    done
done
for set in "${sets[@]}"; do
    compare "engines-$(basename "$set" .txt)" "$set" -n 10000 -r 5 --budget 2 -e all
done

# Instruction sets and threads. The threads are not pinned.
isas=$("$galop" engines | sed -n 's/^instruction sets here: //p' | sed 's/ (default)//; s/, /\n/g' | sed 's/^/lanes@/' |
    paste -sd,)
compare isas "${sets[0]}" -n 20000 -r 30 -e "$isas"
pinned=()
compare threads "${sets[0]}" -r 10 -e "lanes@1..$(nproc),grid@1..$(nproc)"
if command -v taskset >/dev/null; then pinned=(taskset -c "$core"); fi

# Other kinds and sizes: minimal puzzles, the proof that each solution is the only one.
kind() { # NAME COUNT WORD...
    local name=$1 count=$2
    shift 2
    set_of "$name" "$@" --minimal --count "$count" --seed 29001
    # The size is seen from the puzzles.
    if [ "$1" = --side ]; then shift 2; fi
    compare "kind-$name" "$out/sets/$name.txt" "$@" -r 10 --unique -e lanes,grid --budget 5
}
kind 4x4 5000 --side 4
kind 6x6 5000 --side 6
kind 12x12 500 --side 12
kind diagonal 2000 --kind diagonal
kind windoku 2000 --kind windoku
kind latin 2000 --kind latin
kind jigsaw 500 --kind jigsaw --regions data/jigsaw.map
kind anti-king 500 --kind anti-king
set_of 16x16 --side 16 --clues 110..120 --count 200 --seed 29001
compare kind-16x16 "$out/sets/16x16.txt" -r 10 --unique -e grid,dlx --budget 5

# Exact cover: all solutions counted, a few found, the cheapest cover.
problem() { # NAME: the problem of `galop make` with these words
    local file="$out/sets/$*.dlx"
    if [ ! -e "$file" ]; then "$galop" make "$@" -o "$file"; fi
}
counted=("queens 12" "queens 13" "langford 11" "pentominoes 6x10" "pentominoes 8x8" "soma" "dominoes 8x8" "latin 5")
files=()
for words in "${counted[@]}"; do
    # shellcheck disable=SC2086 # the words of a problem
    problem $words
    files+=("$out/sets/$words.dlx")
done
own=()
if [ -n "$peer" ]; then own=(--command "dlx=$peer dlx {}"); fi
compare cover-count "${files[@]}" -r 5 --budget 60 -e auto,links,sparse "${own[@]}" "${covers[@]}"
# Colours and multiplicities, which crate dlx does not have.
problem macmahon
problem queen-domination 8 5
problem mixed 5x6
compare cover-bounds "$out/sets/queen-domination 8 5.dlx" "$out/sets/mixed 5x6.dlx" "$out/sets/macmahon.dlx" \
    -r 5 --budget 60 -e auto,links
problem queens 60
problem latin 20
compare cover-first "$out/sets/queens 60.dlx" "$out/sets/latin 20.dlx" "$out/sets/pentominoes 6x10.dlx" \
    -r 10 --limit 1 --budget 20 -e auto,links,sparse
problem queen-costs 8
problem queen-costs 12
compare cover-best "$out/sets/queen-costs 8.dlx" "$out/sets/queen-costs 12.dlx" -r 10 --best --budget 60 \
    "${cheapest[@]}"

# Growth.
compare growth-queens --series 'queens 6..13' -r 10 --budget 10 -e auto,links,masks,sparse
compare growth-dominoes --series 'dominoes 2..16..2x8' -r 10 --budget 5 -e auto,links
for count in 1000 2000 5000 10000 20000; do head -n "$count" "${sets[0]}" >"$out/sets/first-$count.txt"; done
compare growth-files --series files "$out"/sets/first-*.txt -r 10 -e lanes,dlx

scripts/benchmarks.py "$out" docs/benchmarks.md README.md assets

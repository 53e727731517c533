#!/usr/bin/env bash
# Solves a file with GNU parallel, a share of the input for each job:
#
#     parallel.sh puzzles.txt parts 10 --sshlogin machine1,machine2
#     cat parts/part.* > solved.txt
#
# What follows the number of jobs goes to parallel. The same command again goes on where it was. On one machine galop uses all
# cores without this. On several, all of them must see the files.
set -euo pipefail
input=$(realpath "$1") shards=$3
mkdir -p "$2"
folder=$(realpath "$2")

# Numbers of equal length, so that `cat` has the parts in order. A part has its name when it is complete. The exit code 1 is that of a complete output in which some
# records are malformed.
seq -f '%05.0f' "$shards" | parallel --halt soon,fail=1 --retries 3 --jobs 1 "${@:4}" \
    "[ -e $folder/part.{}.txt ] || galop solve $input --shard {}/$shards --resume -q -o $folder/part.{}.txt || [ \$? -eq 1 ]"

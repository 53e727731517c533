#!/usr/bin/env bash
# Solves a file with GNU parallel, a share of the input for each job:
#
#     parallel.sh puzzles.txt parts 10 --sshlogin machine1,machine2
#     cat parts/part.* > solved.txt
#
# Words after the number of jobs go to parallel. The same command again continues where it was. On one machine galop uses all
# cores without this. On several, all of them must see the files.
set -euo pipefail
input=$(realpath "$1") shards=$3
mkdir -p "$2"
folder=$(realpath "$2")

# Numbers have equal length, so that `cat` reads the parts in order. A part gets its name when it is complete, and nothing is
# done for it again.
seq -f '%05.0f' "$shards" | parallel --halt soon,fail=1 --retries 3 --jobs 1 "${@:4}" \
    "galop solve $input --shard {}/$shards --resume --allow-malformed -q -o $folder/part.{}.txt"

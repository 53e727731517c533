#!/usr/bin/env bash
# Prints the peak memory of `galop solve`, without mapped files. Usage: scripts/memory.sh FILE [GALOP]
#
# GALOP is the program to use. Without it, the script builds galop in release mode and uses that. It prints, for -j1
# and -j2 and for each way to read FILE, the highest RssAnon among samples of /proc/PID/status, 20 ms apart.
#
# It uses RssAnon and not VmHWM, because VmHWM includes the pages of a mapped file, which the kernel can reclaim at any
# time. The kernel counts pages per core and adds them up late, so a figure may be wrong by a few hundred KiB, and a
# peak shorter than 20 ms can be missed. Memory is bounded if FILE repeated ten times gives the same figures. FILE
# should take a second or more: a run that ends before the first sample prints "none". Linux only.
set -euo pipefail

if [ "$#" -lt 1 ] || [ "$#" -gt 2 ]; then
    echo "usage: scripts/memory.sh FILE [GALOP]" >&2
    exit 2
fi
file=$(realpath -- "$1")
if [ "$#" -gt 1 ]; then
    galop=$(realpath -- "$2")
else
    cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
    cargo build --release
    galop=$(realpath -- "${CARGO_TARGET_DIR:-target}/release/galop")
fi
name=${galop##*/}
name=${name:0:15} # the kernel keeps 15 characters

# peak PID: samples until the process ends; sets peak_kib and samples.
peak() {
    local key value rest is_galop
    peak_kib=0 samples=0
    while kill -0 "$1" 2>/dev/null; do
        is_galop=false
        while read -r key value rest; do
            case $key in
                # Until it executes galop, the child is a copy of this shell: do not count its memory.
                Name:) [ "$value" = "$name" ] && is_galop=true ;;
                RssAnon:)
                    if $is_galop; then
                        samples=$((samples + 1))
                        if [ "$value" -gt "$peak_kib" ]; then peak_kib=$value; fi
                    fi
                    ;;
            esac
        done 2>/dev/null <"/proc/$1/status" || true
        sleep 0.02
    done
}

printf '%-4s %-10s %12s %8s\n' "" input "peak KiB" samples
for threads in 1 2; do
    for input in mapped --no-mmap stdin; do
        solve=("$galop" solve -q "-j$threads" -o /dev/null)
        case $input in
            mapped) "${solve[@]}" "$file" & ;;
            --no-mmap) "${solve[@]}" --no-mmap "$file" & ;;
            stdin) "${solve[@]}" <"$file" & ;;
        esac
        pid=$!
        peak "$pid"
        code=0
        wait "$pid" || code=$?
        # Exit code 1: complete, but some records were malformed.
        if [ "$code" -gt 1 ]; then
            echo "galop ended with $code" >&2
            exit "$code"
        fi
        [ "$samples" -gt 0 ] || peak_kib=none
        printf '%-4s %-10s %12s %8s\n' "-j$threads" "$input" "$peak_kib" "$samples"
    done
done

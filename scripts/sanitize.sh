#!/usr/bin/env bash
# Runs the unit tests of the engines under a tool that detects undefined behaviour.
# Usage: scripts/sanitize.sh [TOOL] [FILTER...]
#
# TOOL is `miri`, an interpreter that detects most and is about a thousand times slower, or `address`, AddressSanitizer,
# which runs at about half of native speed. Without TOOL the script takes Miri if the nightly toolchain has it, else
# AddressSanitizer. FILTER is a part of the names of the tests, in all packages. Without it AddressSanitizer runs the
# tests of all engines and of the vectors, and Miri only the vectors and `lanes`, because the others are too slow for it.
#
# Under Miri the machine has only the vectors that RUSTFLAGS names. For `avx2`:
#   RUSTFLAGS="-C target-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt" scripts/sanitize.sh miri
# Needs a nightly toolchain; Miri comes with `rustup component add miri rust-src --toolchain nightly`.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

tool=${1:-}
if [ -z "$tool" ]; then
    if cargo +nightly miri --version >/dev/null 2>&1; then tool=miri; else tool=address; fi
fi
shift || true
tests=(test --workspace --no-default-features --lib --)

case $tool in
    miri)
        [ "$#" -gt 0 ] || set -- vectors engine::lanes
        # proptest reads files and needs random bytes.
        export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation"
        exec cargo +nightly miri "${tests[@]}" "$@"
        ;;
    address)
        [ "$#" -gt 0 ] || set -- vectors engine
        # With --target, cargo does not apply RUSTFLAGS to build scripts.
        target=$(rustc -vV | sed -n 's/^host: //p')
        export RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address"
        exec cargo +nightly "${tests[0]}" --target "$target" "${tests[@]:1}" "$@"
        ;;
    *)
        echo "usage: scripts/sanitize.sh [address|miri] [FILTER...]" >&2
        exit 2
        ;;
esac

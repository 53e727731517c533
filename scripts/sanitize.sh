#!/usr/bin/env bash
# The engines' unit tests under a tool that sees undefined behaviour. Usage: scripts/sanitize.sh [TOOL] [FILTER...]
#
# TOOL is `miri`, an interpreter that sees most and is some thousand times slower, or `address`, AddressSanitizer, at
# about half of native speed. Without one: Miri where the nightly toolchain has it, else AddressSanitizer.
# FILTER is a part of the names of the tests; without one AddressSanitizer runs those of all engines, and Miri those of
# the kernels of `lanes`, the rest being too slow for it.
#
# Under Miri the machine has no vectors but those that RUSTFLAGS names; for `avx2`:
#   RUSTFLAGS="-C target-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt" scripts/sanitize.sh miri
# Needs a nightly toolchain; Miri comes with `rustup component add miri rust-src --toolchain nightly`.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

tool=${1:-}
if [ -z "$tool" ]; then
    if cargo +nightly miri --version >/dev/null 2>&1; then tool=miri; else tool=address; fi
fi
shift || true
tests=(test --no-default-features --lib --)

case $tool in
    miri)
        [ "$#" -gt 0 ] || set -- engine::isa engine::lanes
        # proptest reads files and asks for random bytes.
        export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation"
        exec cargo +nightly miri "${tests[@]}" "$@"
        ;;
    address)
        [ "$#" -gt 0 ] || set -- engine
        # With a target named, the flags are not for build scripts.
        target=$(rustc -vV | sed -n 's/^host: //p')
        export RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address"
        exec cargo +nightly "${tests[0]}" --target "$target" "${tests[@]:1}" "$@"
        ;;
    *)
        echo "usage: scripts/sanitize.sh [address|miri] [FILTER...]" >&2
        exit 2
        ;;
esac

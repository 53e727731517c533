#!/usr/bin/env bash
# Builds the documentation of all packages, as docs.rs does, without warnings. Usage: scripts/docs.sh
#
# target/doc gets it; its index.html leads to the library.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features
printf '<!doctype html>\n<meta http-equiv="refresh" content="0; url=galop/">\n<a href="galop/">galop</a>\n' \
    >"${CARGO_TARGET_DIR:-target}/doc/index.html"

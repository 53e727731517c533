#!/usr/bin/env bash
# Runs the tests with a toolchain. Usage: scripts/test.sh TOOLCHAIN
#
# TOOLCHAIN is a name of rustup, such as `stable`, or `oldest`: the oldest Rust that Cargo.toml allows. rustup installs it.
set -euo pipefail
if [ "$#" -ne 1 ]; then
    echo "usage: scripts/test.sh TOOLCHAIN" >&2
    exit 2
fi
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
toolchain=$1
if [ "$toolchain" = oldest ]; then
    toolchain=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
fi
rustup toolchain install "$toolchain" --profile minimal --no-self-update
cargo "+$toolchain" test --locked

#!/usr/bin/env bash
# Builds the wheel of a release for one target. Usage: scripts/wheels.sh TARGET [FOLDER]
#
# FOLDER (target/wheels) gets the wheel, for CPython 3.10 and newer by the stable ABI. TARGET is a name of Rust:
# *-linux-gnu makes a wheel for manylinux 2.17 (glibc), *-linux-musl one for musllinux 1.2, others one for their system.
# For Linux, zig is the C compiler and linker, so any Linux can build for both processors and for old versions of glibc.
# maturin and zig come from PyPI, into target/wheel-tools; rustup adds the target if it is there.
set -euo pipefail
if [ "$#" -lt 1 ] || [ "$#" -gt 2 ]; then
    echo "usage: scripts/wheels.sh TARGET [FOLDER]" >&2
    exit 2
fi
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
target=$1
out=${2:-target/wheels}

case $target in
    *-linux-gnu) options=(--zig --compatibility manylinux2014) packages=('maturin>=1.9,<2' ziglang) ;;
    *-linux-musl) options=(--zig --compatibility musllinux_1_2) packages=('maturin>=1.9,<2' ziglang) ;;
    *) options=() packages=('maturin>=1.9,<2') ;;
esac

tools=target/wheel-tools
python=$(command -v python3 || command -v python)
[ -d "$tools" ] || "$python" -m venv "$tools"
programs=$tools/bin
[ -d "$programs" ] || programs=$tools/Scripts # Windows
"$programs/python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"
# maturin finds zig as a module of the python on the path.
PATH=$PWD/$programs:$PATH
export PATH
if command -v rustup >/dev/null; then rustup target add "$target"; fi

maturin build --release --locked --manifest-path python/Cargo.toml --target "$target" \
    --out "$out" "${options[@]}"
ls -l "$out"

#!/usr/bin/env bash
# Installs a wheel of galop and runs the tests of the Python package. Usage: scripts/test-wheel.sh PYTHON FOLDER
#
# FOLDER has wheels, one of which is for PYTHON, an interpreter. numpy and pytest are installed if it has none.
set -euo pipefail
if [ "$#" -ne 2 ]; then
    echo "usage: scripts/test-wheel.sh PYTHON FOLDER" >&2
    exit 2
fi
python=$(command -v -- "$1")
case $python in
    /*) ;;
    *) python=$PWD/$python ;;
esac
folder=$(cd -- "$2" && pwd)
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
pip=("$python" -m pip --quiet --disable-pip-version-check install)

"$python" -c 'import numpy, pytest' 2>/dev/null || "${pip[@]}" numpy pytest
"${pip[@]}" --no-index --no-deps --force-reinstall --find-links "$folder" galop

# The tests must find the package that is installed, not the folder beside them. Those on clusters are run by .ci/spark.
tests=$(mktemp -d)
trap 'rm -rf "$tests"' EXIT
cp -r python/tests python/README.md examples "$tests/"
rm -rf "$tests/tests/cluster"
(cd "$tests" && "$python" -m pytest -q -p no:cacheprovider tests)

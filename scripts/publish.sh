#!/usr/bin/env bash
# Makes a draft of a release on GitHub. Usage: scripts/publish.sh TAG FOLDER
#
# FOLDER has the archives of scripts/release.py with their checksums, and the wheels of scripts/wheels.sh. All of them must
# be of the version that TAG names. GH is the program to call (gh); `GH=echo` only prints its arguments.
set -euo pipefail
if [ "$#" -ne 2 ]; then
    echo "usage: scripts/publish.sh TAG FOLDER" >&2
    exit 2
fi
tag=$1
cd -- "$2"
sha256sum --check ./*.sha256
for file in *.tar.gz *.zip *.whl; do
    case $file in
        galop-*-"$tag".tar.gz | galop-*-"$tag".zip | galop-"${tag#v}"-*.whl) ;;
        *) echo "$file is not of the release $tag" >&2 && exit 1 ;;
    esac
done
"${GH:-gh}" release create "$tag" --draft --verify-tag --title "galop ${tag#v}" ./*

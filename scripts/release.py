#!/usr/bin/env python3
"""Packs the program of a release for one target. Usage: scripts/release.py TARGET [FOLDER] [PROGRAM]

FOLDER (target/dist) gets the archive and its SHA-256. The archive has the program, its manual pages, completion scripts and
reference.md (all commands and options), the licences, README.md and CHANGELOG.md. Its name and layout are those that `cargo binstall galop-cli` expects: both
come from crates/cli/Cargo.toml. The same program and commit give the same bytes.

Without PROGRAM, the program is built for TARGET. PROGRAM is a program that was built before. Either must
run on this machine, because it prints its own manual pages. Only the standard library is used.
"""

import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Names of `galop completions`, and the names under which the shells look for the scripts.
SHELLS = {"bash": "galop.bash", "elvish": "galop.elv", "fish": "galop.fish", "powershell": "_galop.ps1", "zsh": "_galop"}
DOCUMENTS = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]


def output(*words):
    return subprocess.run([str(word) for word in words], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def package():
    """What cargo knows of galop-cli, and the folder of what it builds."""
    metadata = json.loads(output("cargo", "metadata", "--no-deps", "--format-version", "1"))
    (found,) = [package for package in metadata["packages"] if package["name"] == "galop-cli"]
    return found, Path(metadata["target_directory"])


def expand(template, values):
    """A template of cargo-binstall. A name that it does not have is an error."""
    return re.sub(r"\{ *([a-z-]+) *\}", lambda name: values[name[1]], template)


def build(target, folder, name):
    words = ["build", "--release", "--locked", "-p", "galop-cli", "--target", target]
    subprocess.run(["cargo", *words], cwd=ROOT, check=True)
    return folder / target / "release" / name


def manual_pages(program):
    """The page of galop, and those that it and its commands refer to, but for `help`, which has none."""
    pages, left = {}, ["galop"]
    while left:
        name = left.pop()
        page = output(program, "man", *name.split("-", 1)[1:])
        pages[f"man/{name}.1"] = page
        names = re.findall(r"(galop-[a-z-]+)\(1\)", page.decode().replace("\\-", "-"))
        left += [name for name in names if not name.endswith("-help") and f"man/{name}.1" not in pages]
    return pages


def pack(path, top, files, time):
    """Writes `files`, which are (name, bytes, mode), below the folder `top`."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content, mode in files:
                entry = zipfile.ZipInfo(f"{top}/{name}")
                entry.external_attr = (0o100000 | mode) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, content)
        return
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, time) as packed:
        with tarfile.open(mode="w", fileobj=packed, format=tarfile.USTAR_FORMAT) as archive:
            for name, content, mode in files:
                entry = tarfile.TarInfo(f"{top}/{name}")
                entry.size, entry.mode, entry.mtime = len(content), mode, time
                archive.addfile(entry, io.BytesIO(content))


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit("usage: scripts/release.py TARGET [FOLDER] [PROGRAM]")
    target = sys.argv[1]
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "target/dist").resolve()
    cli, built = package()

    install = cli["metadata"]["binstall"]
    kind = {**install, **install.get("overrides", {}).get(target, {})}["pkg-fmt"]
    values = {
        "repo": cli["repository"],
        "version": cli["version"],
        "target": target,
        "archive-suffix": {"tgz": ".tar.gz", "zip": ".zip"}[kind],
        "bin": "galop",
        "binary-ext": ".exe" if "windows" in target else "",
    }
    archive = folder / expand(install["pkg-url"], values).rsplit("/", 1)[1]
    top, name = expand(install["bin-dir"], values).rsplit("/", 1)

    program = Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else build(target, built, name)
    version = output(program, "--version").decode().strip()
    if version != f"galop {cli['version']}":
        sys.exit(f"{program} is `{version}`, not version {cli['version']}")

    content = {name: program.read_bytes(), **manual_pages(program)}
    content.update((f"completions/{file}", output(program, "completions", shell)) for shell, file in SHELLS.items())
    content["reference.md"] = output(program, "man", "--reference")
    content.update((document, (ROOT / document).read_bytes()) for document in DOCUMENTS)
    files = [(path, content[path], 0o755 if path == name else 0o644) for path in sorted(content)]

    folder.mkdir(parents=True, exist_ok=True)
    pack(archive, top, files, int(output("git", "log", "-1", "--format=%ct")))
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    archive.with_name(archive.name + ".sha256").write_text(f"{digest}  {archive.name}\n", newline="\n")
    print(archive)


if __name__ == "__main__":
    main()

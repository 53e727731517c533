#!/usr/bin/env bash
# Makes all pictures of the README and the documents from today's program, each in a light and a dark variant.
# Usage: scripts/pictures.sh
#
#   assets/run-*.svg      a million puzzles are made and solved
#   assets/explain-*.svg  a step of an explained puzzle, with the candidates before it
#   assets/compare-*.png  the report of a comparison as Chromium shows it; left out without Chromium
#   assets/page-*.webp    the page of galop serve, with a chain; left out without Chromium
#
# The charts (assets/speed.svg, assets/growth.svg) are measured and drawn by scripts/benchmarks.sh. It takes about a minute
# and needs bash and Python.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
root=$PWD
cargo build --release -p galop-cli
release=$(realpath -- "${CARGO_TARGET_DIR:-target}/release")
PATH=$release:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$root/data" "$work/data"
cd -- "$work"
export CLICOLOR_FORCE=1

# draw NAME COMMAND...: runs the commands and draws what they print, as if in a terminal.
draw() {
    local name=$1 command theme
    shift
    for command in "$@"; do
        printf '$ %s\n' "$command"
        bash -euo pipefail -c "$command" 2>&1
    done >"$name.session"
    # What a terminal shows as a bar that disappears.
    sed -i '/ puzzles made in .* a second$/d' "$name.session"
    for theme in light dark; do
        "$root/scripts/terminal-svg.py" "$theme" <"$name.session" >"$root/assets/$name-$theme.svg"
    done
}

draw run 'galop generate -n 1000000 --seed 1 -o million.txt' 'galop solve million.txt -o solved.txt'
draw explain 'galop explain --draw ......9...63.7.....7.1356.......3.46......38...9.84...327...5........41.1...52... | grep -A 12 hidden.pair:'

if command -v "${BROWSER:-chromium}" >/dev/null; then
    galop compare million.txt -n 100000 --engines lanes,bitboard,norvig --report compare.html -q >/dev/null
    for theme in 1:light 0:dark; do
        timeout 120 "${BROWSER:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run \
            --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$work/profile" \
            --blink-settings="preferredColorScheme=${theme%:*}" --window-size=1000,760 \
            --screenshot="$root/assets/compare-${theme#*:}.png" "file://$work/compare.html" 2>"$work/log" ||
            { cat "$work/log" >&2; exit 1; }
    done
    PYTHONPATH=$root/scripts python3 - "${BROWSER:-chromium}" "$work" "$root/assets" <<'PYTHON'
import base64, pathlib, subprocess, sys
from browser_tab import Tab
program, work, assets = sys.argv[1:]
server = subprocess.Popen(["galop", "serve", "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True)
tab = Tab(program, work)
tab.look(1200, 720, "light")
puzzle = "..732.9.5.....5...9..14..3..6...285.7.......6....9..7.2.9..4..3....1.....1.2.97.8"
tab.call("Page.navigate", url=server.stdout.readline().strip() + "#p=" + puzzle)
tab.wait("typeof game === 'object' && game && hasClues()", "the puzzle")
tab.press("explain")
tab.wait("trail && trail.end", "the explanation")
tab.value("goTo(trail.steps.findIndex(step => step.technique === 'AIC')); document.activeElement.blur()")
for theme in ["light", "dark"]:
    tab.look(1200, 720, theme)
    picture = tab.call("Page.captureScreenshot", format="webp", quality=80)["data"]
    (pathlib.Path(assets) / f"page-{theme}.webp").write_bytes(base64.b64decode(picture))
tab.process.terminate()
server.terminate()
PYTHON
else
    echo "skipped: assets/compare-*.png and assets/page-*.webp, because there is no Chromium" >&2
fi

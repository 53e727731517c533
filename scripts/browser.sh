#!/usr/bin/env bash
# Opens HTML reports in a headless Chromium and takes pictures of them. Usage: scripts/browser.sh FOLDER REPORT...
#
# Writes four PNG files per REPORT to FOLDER: light and dark, 1280 and 390 points wide (a phone), each as high as the
# whole page. Fails if the browser's console prints anything, if a page is wider than its window, or if a page loads
# anything but itself.
#
# Needs Chromium (Debian: apt-get install chromium fonts-dejavu) and Python 3. BROWSER names another program.
set -euo pipefail

if [ "$#" -lt 2 ]; then
    echo "usage: scripts/browser.sh FOLDER REPORT..." >&2
    exit 2
fi
folder=$1
shift
browser=${BROWSER:-}
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$browser" ] || browser=$(command -v "$name" || true)
done
if [ -z "$browser" ]; then
    echo "scripts/browser.sh: no Chromium is installed" >&2
    exit 2
fi
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# chromium ARGUMENT...: runs Chromium without any network activity of its own. Its output goes to $work/log.
chromium() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
        --user-data-dir="$work/profile" --enable-logging=stderr --v=0 "$@" 2>"$work/log"
}

# Writes a page that shows the report in a frame of the given width: a window has a minimum width, a frame has none.
# The script of the page writes the height and width of the report and the number of loaded resources to the title.
frame() { # REPORT WIDTH HEIGHT
    python3 - "$@" <<'PYTHON'
import html, pathlib, sys
report, width, height = sys.argv[1:]
address = html.escape(pathlib.Path(report).resolve().as_uri(), quote=True)
print(f"""<!DOCTYPE html><meta charset="utf-8"><style>body{{margin:0}}iframe{{border:0;display:block}}</style>
<iframe id="page" src="{address}" width="{width}" height="{height}"></iframe>
<script>onload = () => {{
  const inside = document.getElementById("page").contentWindow, root = inside.document.documentElement;
  const loaded = inside.performance.getEntriesByType("resource").map(entry => entry.name);
  document.title = [root.scrollHeight, root.scrollWidth, loaded.length].join(" ");
}}</script>""")
PYTHON
}

status=0
for report in "$@"; do
    name=$(basename -- "$report" .html)
    for width in 1280 390; do
        frame "$report" "$width" 100 >"$work/frame.html"
        chromium --allow-file-access-from-files --dump-dom "file://$work/frame.html" >"$work/dom"
        read -r height wide loaded < <(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' "$work/dom")
        if grep CONSOLE "$work/log"; then
            echo "$report: the console is not silent" >&2
            status=1
        fi
        if [ "$wide" -gt "$width" ]; then
            echo "$report: $wide points wide in a window of $width" >&2
            status=1
        fi
        if [ "$loaded" -ne 0 ]; then
            echo "$report: loads $loaded things" >&2
            status=1
        fi
        frame "$report" "$width" "$height" >"$work/frame.html"
        # 0 is dark, 1 is light.
        for theme in 1:light 0:dark; do
            picture="$folder/$name-$width-${theme#*:}.png"
            chromium --allow-file-access-from-files --blink-settings="preferredColorScheme=${theme%:*}" \
                --window-size="$width,$height" --screenshot="$picture" "file://$work/frame.html"
            [ -s "$picture" ] || { echo "$report: no picture" >&2; status=1; }
        done
    done
    echo "$name: $height points high at $width"
done
exit "$status"

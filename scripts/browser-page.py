#!/usr/bin/env python3
"""Uses the page of `galop serve` in a headless Chromium, as a person would: with the keyboard, the mouse and files.

Usage: scripts/browser-page.py FOLDER [GALOP]

GALOP is the program (default: target/release/galop). Writes PNG files to FOLDER: the page light and dark, 1280 and 390 points
wide. Fails if a feature of the page does not work, if the console prints anything, if the page loads anything but itself, or
if it is wider than its window.

Needs Chromium (Debian: apt-get install chromium fonts-dejavu) and Python 3. BROWSER names another program. Without
Chromium it prints `skipped: ...` and ends with 0.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
# Two clues: cells a king's or a knight's move apart differ, and neighbours are not consecutive.
MIRACLE = "." * 38 + "1" + "." * 12 + "2" + "." * 29
WAIT = 30  # Seconds that something on the page may take.


def browser():
    names = [os.environ.get("BROWSER"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return next((found for found in map(lambda name: name and shutil.which(name), names) if found), None)


class Tab:
    """A tab of Chromium, driven over the DevTools protocol through a pipe: messages end with a zero byte."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.from_, to_write = os.pipe()
        def connect():
            # The protocol's file descriptors are 3 and 4.
            reader, writer = os.dup(to_read), os.dup(to_write)
            os.dup2(reader, 3)
            os.dup2(writer, 4)
        words = [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--remote-debugging-pipe", f"--user-data-dir={folder}/profile", "about:blank"]
        self.process = subprocess.Popen(words, preexec_fn=connect, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.session = b"", 0, None
        self.console, self.loaded = [], []
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for name in ["Page", "Runtime", "Log", "Network", "DOM"]:
            self.call(f"{name}.enable")

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                self.rest += os.read(self.from_, 1 << 20)
            answer, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        name, params = event.get("method"), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            self.console.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        if name == "Runtime.consoleAPICalled":
            self.console.append(str([one.get("value") for one in params["args"]]))
        if name == "Log.entryAdded":
            self.console.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        if name == "Network.requestWillBeSent":
            self.loaded.append(params["request"]["url"])

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, script, what):
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if self.value(script):
                return
            time.sleep(0.02)
        raise AssertionError(f"{what}: not so after {WAIT} s; the page says: {self.value(STATUS)}, {self.value(GRID)}")

    def key(self, key, text=None, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Delete": 46, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, ".": 190}
        code = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = text or {"Enter": "\r", " ": " "}.get(key) or (key if len(key) == 1 else None)
        press = {"type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        if text:
            press["text"] = text
        self.call("Input.dispatchKeyEvent", **press)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code, modifiers=modifiers)

    def tab_to(self, name):
        """Moves the focus with the Tab key only."""
        for _ in range(200):
            if self.value(f"document.activeElement.id === {name!r}"):
                return
            self.key("Tab")
        raise AssertionError(f"the Tab key does not reach {name}")

    def press(self, name):
        """Presses a button with the keyboard only."""
        self.tab_to(name)
        self.key("Enter")

    def place(self, script):
        return self.value(f"""(() => {{ const one = {script}; one.scrollIntoView({{ block: "center" }});
            const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")

    def click(self, script):
        x, y = self.place(script)
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def look(self, width, theme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def picture(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        taken = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(taken["data"]))


STATUS = "document.getElementById('status').textContent"
GRID = "[...document.querySelectorAll('#board td')].map(one => one.querySelector('.marks') ? '.' : one.textContent || '.').join('')"


def says(tab, word):
    tab.wait(f"{STATUS}.includes({json.dumps(word)})", f"the page says {word!r}")


def test(tab, address, folder, work):
    tab.look(1280, "light")
    tab.call("Page.navigate", url=address)
    tab.wait("document.querySelectorAll('#board td').length === 81", "there is an empty grid")

    print("candidates appear as one types, with the keyboard only")
    tab.wait("document.querySelectorAll('#board td')[80].querySelectorAll('.marks span').length === 9", "nine candidates")
    tab.value("document.querySelector('#board td').focus()")
    for key in "53":
        tab.key(key)
        tab.key("ArrowRight")
    tab.wait("document.querySelectorAll('#board td')[2].textContent === '1246789'", "the candidates of a cell")
    label = tab.value("document.querySelectorAll('#board td')[2].getAttribute('aria-label')")
    assert label == "row 1, column 3: blank, candidates 1 2 4 6 7 8 9", label
    assert tab.value("document.activeElement === document.querySelectorAll('#board td')[2]"), "the focus moves with the arrows"

    print("contradictions are shown where they are")
    tab.key("5")
    tab.wait("document.querySelectorAll('#board td.bad').length === 2", "two cells are marked")
    says(tab, "5 occurs twice in row 1")
    tab.picture(folder / "page-contradiction.png")
    tab.key("Delete")
    tab.wait("!document.querySelector('#board td.bad')", "no cell is marked")

    print("candidates appear while a line is typed")
    tab.press("empty")
    tab.wait(f"{GRID} === '.'.repeat(81)", "an empty grid")
    tab.tab_to("text")
    for key in "53..7":
        tab.key(key)
    tab.wait(f"{GRID} === '53..7' + '.'.repeat(76)", "the cells that were typed")
    tab.wait("document.querySelectorAll('#board td')[2].textContent === '124689'", "their candidates")

    print("a puzzle is pasted, solved and counted")
    tab.tab_to("text")
    tab.key("a", modifiers=2)
    tab.call("Input.insertText", text="\n".join(EASY[at:at + 9] for at in range(0, 81, 9)))
    says(tab, "30 clues")
    assert tab.value(GRID) == EASY, tab.value(GRID)
    tab.press("solve")
    says(tab, "the only solution")
    assert tab.value(GRID) == SOLUTION, tab.value(GRID)
    tab.press("count")
    says(tab, "1 solution (")
    tab.press("next")
    says(tab, "Solution 1.")
    tab.value("list = '0'.repeat(32)")
    tab.press("next")
    says(tab, "begin again")
    # Chromium notes the status 410 on the console.
    assert all("410" in note for note in tab.console), tab.console
    tab.console.clear()
    for word in ["Solution 1.", "no more"]:
        tab.press("next")
        says(tab, word)
    tab.press("clear")
    assert tab.value(GRID) == EASY, tab.value(GRID)

    print("the explanation goes back and forth, with the cells marked")
    tab.press("explain")
    says(tab, "Step 1 of ")
    first = tab.value(STATUS)
    assert tab.value("document.querySelectorAll('#board td.placed').length") == 1
    tab.press("forward")
    says(tab, "Step 2 of ")
    tab.picture(folder / "page-step.png")
    tab.press("back")
    says(tab, "Step 1 of ")
    assert tab.value(STATUS) == first
    assert tab.value("document.querySelector('#steps [aria-current]').textContent.startsWith('1. ')")
    tab.press("last")
    says(tab, "Solved")
    assert tab.value(GRID) == SOLUTION
    tab.press("first")
    says(tab, "Step 1 of ")

    print("other kinds and sizes")
    tab.value("document.getElementById('kind').value = 'jigsaw'; document.getElementById('kind').dispatchEvent(new Event('change'))")
    tab.value("document.getElementById('side').value = '6'; document.getElementById('side').dispatchEvent(new Event('change'))")
    tab.wait("document.querySelectorAll('#board td').length === 36", "a grid of 6x6")
    tab.value("document.getElementById('map').value = 'aabbcc aabbcc aabbcc ddeeff ddeeff ddeeff'; document.getElementById('map').dispatchEvent(new Event('input'))")
    tab.wait("document.querySelectorAll('#board td.left').length === 12", "the regions of the map")
    tab.press("solve")
    says(tab, "one of several solutions")
    for kind, side in [("sudoku", 16), ("latin", 5)]:
        tab.value(f"document.getElementById('kind').value = '{kind}'; document.getElementById('kind').dispatchEvent(new Event('change'))")
        tab.value(f"document.getElementById('side').value = '{side}'; document.getElementById('side').dispatchEvent(new Event('change'))")
        tab.wait(f"document.querySelectorAll('#board td').length === {side * side}", f"{kind} {side}")

    print("kinds are combined, with the mouse and the keyboard")
    sizes = "[...document.querySelectorAll('#side option')].map(one => one.value).join(' ')"
    box = "document.querySelector('#constraints [value={}]')".format
    tab.click(box("diagonal"))
    says(tab, "latin+diagonal 5x5, 0 clues.")
    assert tab.value("document.querySelectorAll('#board td.extra').length") == 9
    assert tab.value(sizes).startswith("4 5 6 7 "), tab.value(sizes)
    tab.value("document.getElementById('kind').value = 'sudoku'; document.getElementById('kind').dispatchEvent(new Event('change', { bubbles: true }))")
    says(tab, "diagonal, 0 clues.")
    assert tab.value(sizes).startswith("4 6 8 9 "), tab.value(sizes)
    tab.click(box("windoku"))
    says(tab, "windoku, 0 clues.")
    assert tab.value(sizes) == "9", tab.value(sizes)
    for name in ["windoku", "diagonal", "anti-knight", "anti-king", "non-consecutive"]:
        tab.value(f"{box(name)}.focus()")
        tab.key(" ")
    says(tab, "anti-knight+anti-king+non-consecutive, 0 clues.")
    tab.tab_to("text")
    tab.call("Input.insertText", text=MIRACLE)
    says(tab, "2 clues.")
    tab.press("solve")
    says(tab, "the only solution")
    assert tab.value(GRID).startswith("483726159726159483"), tab.value(GRID)
    tab.picture(folder / "page-combined.png")
    tab.press("example")
    says(tab, "sudoku, 21 clues.")
    assert tab.value("document.querySelectorAll('#constraints :checked').length") == 0

    print("a file is chosen, solved, and its report and answers come")
    tab.value("document.getElementById('kind').value = 'sudoku'; document.getElementById('kind').dispatchEvent(new Event('change'))")
    puzzles = work / "puzzles.txt"
    puzzles.write_text(f"{EASY}\n" * 5000 + "rubbish\n")
    node = tab.call("DOM.querySelector", nodeId=tab.call("DOM.getDocument")["root"]["nodeId"], selector="#file")["nodeId"]
    tab.call("DOM.setFileInputFiles", nodeId=node, files=[str(puzzles)])
    tab.wait("!document.getElementById('report').hidden", "the file is solved")
    said = tab.value("document.getElementById('run-status').textContent")
    assert "5,000 puzzles" in said and "1 malformed" in said, said
    answers = tab.value("fetch(document.getElementById('answers').href).then(answer => answer.text())")
    assert answers == f"{EASY},{SOLUTION}\n" * 5000 + "rubbish,malformed\n", answers[:200]
    report = tab.value("document.getElementById('report').href")

    print("a file is dropped")
    x, y = tab.place("document.querySelector('h1')")
    data = {"items": [], "files": [str(puzzles)], "dragOperationsMask": 1}
    for kind in ["dragEnter", "dragOver", "drop"]:
        tab.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)
    tab.wait(f"document.getElementById('report').href !== {json.dumps(report)} && !document.getElementById('report').hidden", "it is solved too")

    print("labels, a live region, and names of all controls")
    assert tab.value("document.getElementById('status').getAttribute('aria-live')") == "polite"
    unnamed = tab.value("""[...document.querySelectorAll('input, select, textarea, button')].filter(one =>
        !one.textContent.trim() && !one.labels?.length && !one.getAttribute('aria-label')).map(one => one.outerHTML)""")
    assert unnamed == [], unnamed

    tab.press("example")
    says(tab, "21 clues")
    tab.press("explain")
    says(tab, "Step 1 of ")
    tab.wait("document.querySelector('#summary').textContent.includes('ultra-hard')", "how hard it is")
    tab.value("[...document.querySelectorAll('#steps button')].find(one => one.textContent.includes('pointing')).click()")
    tab.wait("!!document.querySelector('#board .marks .eliminates') && !!document.querySelector('#board .marks .because')", "what a step eliminates, and why")
    for width in [1280, 390]:
        for theme in ["light", "dark"]:
            tab.look(width, theme)
            wide = tab.value("document.documentElement.scrollWidth")
            assert wide <= width, f"{wide} points wide in a window of {width}"
            tab.picture(folder / f"page-{width}-{theme}.png")
    outside = [url for url in tab.loaded if not url.startswith((address, "data:", "about:"))]
    assert outside == [], outside

    print("the report opens")
    tab.look(1280, "light")
    tab.call("Page.navigate", url=tab.value("document.getElementById('report').href"))
    tab.wait("document.querySelector('h1')?.textContent.includes('5,000 puzzles')", "the report")
    tab.picture(folder / "page-report.png")
    assert tab.console == [], tab.console


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = browser()
    if program is None:
        print("skipped: the page of galop serve in a browser, because no Chromium is installed")
        return
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    galop = sys.argv[2] if len(sys.argv) == 3 else "target/release/galop"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        server = subprocess.Popen([galop, "serve", "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True)
        tab = None
        try:
            address = server.stdout.readline().strip()
            tab = Tab(program, work)
            test(tab, address, folder, pathlib.Path(work))
        finally:
            server.terminate()
            if tab:
                tab.process.terminate()
                tab.process.wait()
        code = server.wait()
        assert code == 143, f"the server ended with {code}"
    print(f"the page works; pictures are in {folder}")


main()

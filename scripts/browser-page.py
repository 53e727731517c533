#!/usr/bin/env python3
"""Uses the page of `galop serve` in a headless Chromium, as a person would: with the keyboard and the mouse.

Usage: scripts/browser-page.py FOLDER [GALOP]

GALOP is the program (default: target/release/galop). Writes PNG files to FOLDER: states of the page in windows of 1280x800,
1366x657 and 390x844, light and dark. Fails if a feature of the page does not work, if the console prints anything, if the
page loads anything but itself, if it is wider than its window, if the board and the buttons of the steps do not fit into one
window, or if axe-core finds that the page cannot be used with a keyboard or a screen reader.

Needs Chromium (Debian: apt-get install chromium fonts-dejavu) and Python 3. BROWSER names another program. Without
Chromium it prints `skipped: ...` and ends with 0. axe-core comes from npm, once, into target/axe; without npm or without a
network its part is skipped, and the script says so.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from browser_tab import SAYS, Tab, browser

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
# Two clues: cells a king's or a knight's move apart differ, and neighbours are not consecutive.
MIRACLE = "." * 38 + "1" + "." * 12 + "2" + "." * 29
# A pair, pointing and an X-wing; forcing chains.
FISH = "12.6..4.......13.5..3.....2..2.3.15....7.582.5.4...7..84.....3..3.8.2.71.1.3..5.."
FORCING = "....374692....4.87.9..5..2...91.3.5..2..6....831.....6....8.....52...3.........75"
CONTROL, SHIFT = 2, 8  # Modifiers of keys.
WINDOWS = [(1280, 800), (1366, 657), (390, 844)]
# The looks that axe-core checks: the two wide windows differ in sizes only.
CHECKED = [(width, theme) for width in [1280, 390] for theme in ["light", "dark"]]

# A hidden pair in column 4 is next.
CANDIDATES = """\
245   145   1245  | 246   246   8     | 9     3     7
24    6     3     | 24    7     9     | 8     5     1
9     7     8     | 1     3     5     | 6     2     4
------------------+-------------------+------------------
578   158   15    | 579   19    3     | 2     4     6
24567 145   12456 | 2567  126   16    | 3     8     9
26    3     9     | 26    8     4     | 1     7     5
------------------+-------------------+------------------
3     2     7     | 469   1469  16    | 5     69    8
568   589   56    | 3     69    7     | 4     1     2
1     49    46    | 8     5     2     | 7     69    3
"""

# What the board shows: a dot for a blank, with or without candidates.
GRID = "[...document.querySelectorAll('#board .cell')].map(one => one.querySelector('.value')?.textContent || '.').join('')"
CELL = "document.querySelectorAll('#board .cell')[{}]".format
NAME = "document.querySelectorAll('#board .cell')[{}].querySelector('.name').textContent".format
MARKS = "[...document.querySelectorAll('#board .cell')[{}].querySelectorAll('.marks span')].map(one => one.textContent).join('')".format
ID = "document.getElementById('{}')".format
# What a finger presses and is smaller than 44 points, except words of a sentence.
SMALL = """[...document.querySelectorAll('button, select, summary, label:has(input)')].filter(one => !one.closest('#status, #board') && one.checkVisibility())
    .filter(one => !document.querySelector('dialog[open]') || one.closest('dialog'))
    .filter(one => { const box = one.getBoundingClientRect(); return box.width && (box.width < 43.9 || box.height < 43.9); }).map(one => one.outerHTML)"""


def says(tab, word):
    tab.wait(f"{SAYS}.includes({json.dumps(word)})", f"the page says {word!r}")


def equal(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def paste(tab, text, then=""):
    """Puts the text into the field in one go, with the event of pasting, and does `then` in the same moment."""
    tab.value(f"""(() => {{ const text = {ID('text')}; text.value = {json.dumps(text)};
        text.dispatchEvent(new InputEvent('input', {{ inputType: 'insertFromPaste' }})); {then} }})()""")


def choose(tab, name, value):
    tab.value(f"(() => {{ const one = {ID(name)}; one.value = {json.dumps(value)}; one.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()")


def put(tab, puzzle):
    paste(tab, puzzle)
    tab.wait(f"{GRID} === {json.dumps(puzzle)}", "a puzzle")


def begin(tab, level):
    """A new puzzle, of the list on an empty board or of the menu."""
    before = tab.value(GRID)
    if tab.value("document.querySelector('#new').checkVisibility()"):
        tab.click("document.querySelector('#new summary')")
    tab.click(f"document.querySelector('#levels [value={json.dumps(level)}]')")
    tab.wait(f"{GRID} !== {json.dumps(before)}", "another puzzle")
    says(tab, f"{level.capitalize()}, ")
    return tab.value(GRID)


def explained(tab):
    """Waits for the last line of the explanation."""
    tab.wait("trail && trail.end !== null", "the explanation is complete")


def go_to(tab, word):
    """Shows the first step whose text holds the word."""
    tab.value(f"[...document.querySelectorAll('#steps button')].find(one => one.textContent.includes({json.dumps(word)})).click()")
    says(tab, word)


class Axe:
    """The rules of axe-core, if it can be had."""

    def __init__(self):
        folder = pathlib.Path("target/axe")
        self.path = folder / "node_modules/axe-core/axe.min.js"
        if not self.path.exists() and shutil.which("npm"):
            folder.mkdir(parents=True, exist_ok=True)
            words = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(folder), "axe-core@4"]
            try:
                subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
            except subprocess.TimeoutExpired:
                pass
        self.code = self.path.read_text() if self.path.exists() else None
        if self.code is None:
            print("skipped: axe-core, because npm cannot install it")

    def check(self, tab, state):
        if self.code is None:
            return
        if not tab.value("typeof axe === 'object'"):
            tab.value(self.code + "; 0")
        script = "axe.run().then(found => found.violations.map(one => [one.id, one.help, one.nodes.slice(0, 3).map(node => [node.html.slice(0, 150), ...node.any.map(any => any.message)])]))"
        found = tab.value(script)
        assert found == [], f"axe-core, {state}: {json.dumps(found, indent=1)}"


def is_in_window(tab, *ids):
    """Fails unless these elements are wholly visible without scrolling."""
    for name in ids:
        box = tab.value(f"(() => {{ const box = {ID(name)}.getBoundingClientRect(); return [box.top, box.left, innerHeight - box.bottom, innerWidth - box.right, box.width]; }})()")
        assert box[4] > 0 and min(box[:4]) >= -0.5, f"{name} is not in the window: {box}"


def pictures(tab, axe, folder, state, *ids, checked=CHECKED):
    """Pictures of a state in all windows and both themes; `ids` must be in sight in each."""
    for width, height in WINDOWS:
        for theme in ["light", "dark"]:
            tab.look(width, height, theme)
            tab.value("scrollTo(0, 0)")
            wide = tab.value("document.documentElement.scrollWidth")
            assert wide <= width, f"{state}: {wide} points wide in a window of {width}"
            is_in_window(tab, *ids)
            if (width, height) == (1280, 800):
                assert state == "25" or tab.value("document.documentElement.scrollHeight <= innerHeight"), f"{state}: a scroll bar"
            if width == 390:
                equal(tab.value(SMALL), [])
            tab.picture(folder / f"page-{state}-{width}-{theme}.png")
            if (width, theme) in checked:
                axe.check(tab, f"{state}, {width} points wide, {theme}")
    tab.look(1280, 800, "light")


def test_empty(tab, axe, folder):
    print("an empty board, without candidates, and levels to begin with")
    tab.wait("document.querySelectorAll('#board .cell').length === 81", "there is an empty board")
    equal(tab.value("document.querySelectorAll('.marks').length"), 0)
    assert tab.value("document.querySelectorAll('#levels button').length") > 4
    equal(tab.value("document.querySelectorAll('button.primary').length"), 1)
    pictures(tab, axe, folder, "empty", "board", "deck")

    print("a new puzzle of a level")
    puzzles = [begin(tab, level) for level in ["easy", "hard", "hard", "ultra-hard"]]
    assert len(set(puzzles)) == 4 and all("." in one and one.count(".") < 65 for one in puzzles), puzzles
    tab.click("document.querySelector('#new summary')")
    axe.check(tab, "the menu of levels")
    tab.picture(folder / "page-levels.png")
    tab.key("Escape")
    for _ in puzzles:
        tab.press("undo")
    equal(tab.value(GRID), "." * 81)


def test_clues(tab, axe, folder):
    print("clues are typed, with the keyboard only, and candidates appear")
    tab.value(f"{CELL(0)}.focus()")
    for key in "53":
        tab.key(key)
    tab.wait(f"{MARKS(2)} === '1246789'", "the candidates of a cell, to which the focus has moved on")
    equal(tab.value(NAME(2)), "row 1, column 3: blank, candidates 1 2 4 6 7 8 9")
    assert tab.value(f"document.activeElement === {CELL(2)}"), "the focus moves with the arrows"

    print("contradictions are shown where they are")
    tab.key("5")
    tab.wait("document.querySelectorAll('#board .bad').length === 2", "two cells are marked")
    tab.key("ArrowLeft")
    says(tab, "5 occurs twice in row 1")
    pictures(tab, axe, folder, "contradiction", "board")
    tab.key("Delete")
    tab.wait("!document.querySelector('#board .bad')", "no cell is marked")
    for _ in range(7):
        tab.key(".")
    tab.key("6")
    tab.wait(f"{GRID} === '53......' + '.6' + '.'.repeat(71)", "blanks and clues row by row")
    tab.key("ArrowLeft")
    tab.key("ArrowLeft")
    assert tab.value(f"document.activeElement === {CELL(8)}"), "the arrows go from row to row"

    print("candidates appear while a line is typed")
    tab.press("empty")
    tab.wait(f"{GRID} === '.'.repeat(81)", "an empty board")
    tab.tab_to("text")
    for key in "53..7":
        tab.key(key)
    tab.wait(f"{GRID} === '53..7' + '.'.repeat(76)", "the cells that were typed")
    tab.wait(f"{MARKS(2)} === '124689'", "their candidates")


def test_reading(tab):
    print("a malformed puzzle is named in plain words, and the board stays")
    paste(tab, "53..7....6")
    says(tab, "10 cells; a 9x9 puzzle has 81")
    assert tab.value(GRID).startswith("53..7"), tab.value(GRID)
    equal(tab.console, [])

    print("an action right after a paste is not lost")
    lines = "\n".join(EASY[at:at + 9] for at in range(0, 81, 9))
    paste(tab, lines, then=f"{ID('solve')}.click();")
    says(tab, "the only solution")
    equal(tab.value(GRID), SOLUTION)
    assert "1 guesses" not in tab.value(SAYS)
    tab.press("close")
    equal(tab.value(GRID), EASY)

    print("a puzzle is pasted onto the page, counted, and its solutions listed")
    tab.press("empty")
    tab.wait(f"{GRID} === '.'.repeat(81)", "an empty board")
    tab.value(f"""document.body.focus(); (() => {{ const data = new DataTransfer(); data.setData('text/plain', {json.dumps(EASY)});
        document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }})); }})()""")
    says(tab, "Sudoku, 30 clues.")
    tab.value(f"{ID('more')}.open = true")
    tab.press("count-all")
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
    tab.press("close")
    equal(tab.value(GRID), EASY)


def test_play(tab, axe, folder):
    print("cells are filled in and emptied; undo and redo")
    tab.value(f"{CELL(2)}.focus()")
    tab.key("4")
    tab.wait(f"{GRID}[2] === '4'", "an entry")
    tab.key("z", modifiers=CONTROL)
    equal(tab.value(GRID), EASY)
    tab.key("y", modifiers=CONTROL)
    equal(tab.value(f"{GRID}[2]"), "4")
    tab.press("undo")
    equal(tab.value(GRID), EASY)
    says(tab, "Undone; 0 cells filled.")
    tab.press("redo")
    equal(tab.value(f"{GRID}[2]"), "4")
    says(tab, "Redone; 1 cell filled.")
    tab.value(f"{CELL(0)}.focus()")
    tab.key("9")
    says(tab, "This cell is a clue")

    print("check marks what is wrong, and does not show what is right")
    tab.press("check")
    says(tab, "Fine so far; 50 cells are left.")
    tab.value(f"{CELL(3)}.focus()")
    tab.key("2")
    equal(tab.value(SAYS), "")
    tab.press("check")
    says(tab, "1 cell is wrong")
    equal(tab.value("[...document.querySelectorAll('#board .cell')].findIndex(one => one.classList.contains('wrong'))"), 3)
    axe.check(tab, "a wrong entry")
    tab.press("hint")
    says(tab, "A cell is wrong")
    tab.key("z", modifiers=CONTROL)

    print("own pencil marks are kept apart from candidates")
    choose(tab, "marks", "none")
    tab.value(f"{CELL(3)}.focus()")
    tab.key("n")
    for key in "26":
        tab.key(key)
    equal(tab.value(MARKS(3)), "26")
    tab.key("n")
    tab.key("@", modifiers=SHIFT, code="Digit2")
    equal(tab.value(MARKS(3)), "6")
    equal(tab.value(f"{ID('marks')}.value"), "mine")
    equal(tab.value(NAME(3)), "row 1, column 4: blank, notes 6")
    choose(tab, "marks", "clues")
    tab.wait(f"{MARKS(3)} === '26'", "candidates in place of notes")
    choose(tab, "marks", "singles")
    tab.wait(f"{MARKS(3)} === '6'", "candidates after singles")
    choose(tab, "marks", "mine")

    print("everything survives a reload")
    tab.call("Page.reload")
    tab.wait(f"document.readyState === 'complete' && document.querySelectorAll('#board .clue').length === 30 && {GRID}[2] === '4'", "the puzzle and the entry")
    equal(tab.value(MARKS(3)), "6")
    choose(tab, "marks", "clues")

    print("a digit is shown alone")
    choose(tab, "filter", "5")
    equal(tab.value("[...document.querySelectorAll('#board .wanted')].filter(one => !one.textContent.startsWith('5')).length"), 0)
    assert tab.value("document.querySelectorAll('#board .wanted').length") > 5
    tab.picture(folder / "page-filter.png")
    choose(tab, "filter", "")
    tab.value(f"{CELL(0)}.focus()")
    tab.key("f")
    equal(tab.value(f"{ID('filter')}.value"), "5")
    tab.key("f")

    print("a hint comes in two parts, and its step can be taken")
    tab.press("hint")
    says(tab, "Press Hint again for the step.")
    assert "=" not in tab.value(SAYS), "the first part does not give it away"
    equal(tab.value("document.querySelectorAll('#board .unit').length"), 9)
    tab.press("hint")
    tab.wait("!!document.querySelector('#board .placed')", "the step is drawn")
    filled = tab.value("document.querySelectorAll('#board .entry').length")
    equal(tab.value(f"{ID('take')}.textContent"), "Do this step")
    tab.press("take")
    says(tab, "The step is done.")
    tab.wait(f"document.querySelectorAll('#board .entry').length === {filled + 1}", "it is taken")
    tab.key("z", modifiers=CONTROL)
    tab.wait(f"document.querySelectorAll('#board .entry').length === {filled}", "it is taken back")

    print("the last digit ends in the same words, however it is placed")
    def by_hint():
        tab.press("hint")
        says(tab, "Press Hint again")
        tab.press("hint")
        tab.press("take")
    for last in [lambda: tab.key("3"), by_hint]:
        tab.value(f"change({{ ...game, entries: game.puzzle.cells.map((clue, cell) => clue || cell === 72 ? 0 : Number({json.dumps(SOLUTION)}[cell])) }})")
        tab.value(f"{CELL(72)}.focus()")
        last()
        says(tab, "Solved: everything is right.")
        equal(tab.value(GRID), SOLUTION)
        for _ in range(2):
            tab.press("undo")


def test_link(tab, address):
    print("the address names the puzzle")
    link = copied(tab, "link")
    equal(link, tab.value("location.href"))
    assert re.search(r"#p=53\.\.7\.", link), link
    tab.value("localStorage.clear()")
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=link)
    tab.wait(f"document.readyState === 'complete' && typeof game === 'object' && game && {GRID} === {json.dumps(EASY)}", "the puzzle of the link, without entries")
    tab.value(f"location.hash = 'p=' + {json.dumps(SOLUTION[:80])} + '.'")
    tab.wait("document.querySelectorAll('#board .clue').length === 80", "another link in the same page")
    tab.key("z", modifiers=CONTROL)
    tab.wait(f"{GRID} === {json.dumps(EASY)}", "undo covers it")
    outside = tab.value(f"location.href.startsWith({json.dumps(address)})")
    assert outside

    print("a link has the player's own work on demand")
    tab.value(f"{CELL(2)}.focus()")
    tab.key("4")
    tab.value(f"{CELL(3)}.focus()")
    tab.key("n")
    for key in "26":
        tab.key(key)
    tab.key("n")
    link = copied(tab, "mine")
    tab.value("localStorage.clear()")
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=link)
    tab.wait(f"document.readyState === 'complete' && typeof game === 'object' && game && {GRID}[2] === '4' && {MARKS(3)} === '26'", "the entry and the notes of the link")
    assert "&" not in tab.value("location.hash"), "the address names the puzzle alone"
    tab.value(f"location.hash = 'p=' + {json.dumps(EASY)} + '&e=' + '-'.repeat(80) + 'zz'")
    tab.wait(f"{GRID} === {json.dumps(EASY)}", "an entry that is no symbol is left out")
    tab.key("z", modifiers=CONTROL)
    tab.wait(f"{GRID}[2] === '4'", "the game before")
    choose(tab, "marks", "clues")


def copied(tab, what):
    """What the menu of copies writes to the clipboard."""
    tab.value("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async text => { window.written = text; } } })")
    tab.value("delete window.written")
    tab.value("document.querySelector('.menu:has(#copy) summary').focus()")
    tab.key("Enter")
    tab.click(f"document.querySelector('#copy [value={what}]')")
    tab.wait("typeof window.written === 'string'", f"a copy: {what}")
    assert not tab.value("document.querySelector('.menu:has(#copy)').open"), "the menu closes"
    return tab.value("written")


def test_candidates(tab, axe, folder):
    print("the board is copied as a puzzle, a grid and candidates")
    equal(copied(tab, "puzzle"), EASY)
    grid = copied(tab, "grid")
    assert grid.startswith("5 3 4 | . 7 . | . . .\n6 . . | 1 9 5 | . . .\n") and grid.splitlines()[3] == "------+-------+------", grid
    assert "| 26 " in copied(tab, "candidates").splitlines()[0], copied(tab, "candidates")

    print("a grid of candidates is pasted, goes on from there, and is copied again")
    paste(tab, CANDIDATES)
    says(tab, "Sudoku, 50 clues.")
    equal(tab.value(MARKS(0)), "245")
    equal(re.sub(" +", " ", copied(tab, "candidates")), re.sub(" +", " ", CANDIDATES))
    tab.press("explain")
    explained(tab)
    assert "hidden pair: r4c4" in tab.value("document.querySelector('#steps li').textContent")
    tab.press("close")

    print("all steps that are possible now")
    tab.press("possible")
    tab.wait("trail && trail.isList", "a list of steps")
    count = tab.value("document.querySelectorAll('#steps li').length")
    assert count > 5, count
    says(tab, f"Step 1 of {count}: hidden pair: ")
    pictures(tab, axe, folder, "steps", "board", "stepper", "take")
    before = tab.value("String(positionAt(0).marks)")
    tab.press("last")
    says(tab, f"Step {count} of {count}: ")
    equal(tab.value("String(positionAt(trail.at).marks)"), before)
    gone = tab.value("trail.steps[trail.at].eliminates.length + 20 * trail.steps[trail.at].places.length")
    equal(tab.value(f"{ID('take')}.textContent"), "Do this step")
    tab.press("take")
    says(tab, "The step is done.")
    assert gone > 0 and tab.value(f"String(candidatesOf(game.puzzle, cellsNow(), game.gone)) !== {json.dumps(before)}")
    tab.press("undo")


def test_steps(tab, axe, folder):
    print("the explanation goes back and forth, with the keyboard and the mouse")
    put(tab, FISH)
    tab.press("explain")
    explained(tab)
    says(tab, "Step 1 of ")
    first = tab.value(SAYS)
    equal(tab.value("document.activeElement.id"), "forward")
    tab.key("ArrowRight")
    says(tab, "Step 2 of ")
    tab.key("ArrowLeft")
    equal(tab.value(SAYS), first)
    tab.press("forward")
    says(tab, "Step 2 of ")
    tab.press("back")
    assert tab.value("document.querySelector('#steps [aria-current]').textContent.startsWith('1')")
    tab.press("last")
    says(tab, "Solved")
    assert "." not in tab.value(GRID)
    tab.press("first")
    says(tab, "Step 1 of ")
    summary = tab.value(f"{ID('summary')}.textContent")
    assert "X-wing" in summary, summary

    print("units of a fish are shaded, and its cells can be chosen")
    go_to(tab, "X-wing")
    assert tab.value("document.querySelectorAll('#board .unit').length") == 18
    assert tab.value("document.querySelectorAll('#board .cover').length") == 18
    assert tab.value("!!document.querySelector('#board .marks .eliminates') && !!document.querySelector('#board .marks .because')")
    tab.click("document.querySelector('#status .cell-name')")
    equal(tab.value("document.activeElement.getAttribute('role')"), "gridcell")
    tab.click("document.querySelector('#status .technique-name')")
    tab.wait("document.querySelector('#technique h3')?.textContent === 'X-wing'", "the page about its technique")
    tab.key("Escape")
    pictures(tab, axe, folder, "fish", "board", "stepper", "legend")
    tab.value("scrollTo(0, 100000)")
    is_in_window(tab, "board")

    print("one plays on from a step")
    go_to(tab, "pointing")
    before = tab.value(GRID)
    equal(tab.value(f"{ID('take')}.textContent"), "Play from this position")
    tab.press("take")
    equal(tab.value(GRID), before)
    print("a hint knows the eliminations that the player has taken over")
    tab.press("hint")
    says(tab, "Hint: pointing in block ")
    text = tab.value("hint.step.text")
    tab.press("hint")
    says(tab, "because all places of")
    is_in_window(tab, "board", "take")
    tab.key("Enter")
    tab.press("hint")
    says(tab, "Press Hint again")
    assert tab.value("hint.step.text") != text, text
    tab.key("z", modifiers=CONTROL)
    tab.key("z", modifiers=CONTROL)
    tab.wait("!document.querySelector('#board .entry')", "undo takes it back")

    print("chains are drawn")
    put(tab, FORCING)
    tab.press("explain")
    explained(tab)
    assert "Ultra-hard" in tab.value(f"{ID('summary')}.textContent")
    go_to(tab, "forcing chains")
    for name in ["strong", "weak"]:
        assert tab.value(f"document.querySelectorAll('#board .drawing .{name}').length") > 0, name
    for name in ["on", "off"]:
        assert tab.value(f"document.querySelectorAll('#board .marks .{name}').length") > 0, name
    pictures(tab, axe, folder, "chain", "board", "stepper", "legend")

    print("before the last step there is no rating")
    tab.press("close")
    tab.value("""window.fetchAll = window.fetch; window.fetch = async (path, options) => {
        const answer = await fetchAll(path, options);
        if (path !== '/api/explain') return answer;
        const text = await answer.text(), lines = text.trim().split('\\n');
        return new Response(new ReadableStream({ start(stream) {
            window.give = count => { stream.enqueue(new TextEncoder().encode(lines.splice(0, count).join('\\n') + '\\n')); if (!lines.length) stream.close(); };
        } }));
    }""")
    tab.press("explain")
    tab.wait("typeof window.give === 'function'", "the answer begins")
    tab.value("give(3)")
    tab.wait(f"{ID('summary')}.textContent === '3 steps so far, still working ...'", "progress")
    assert "hard" not in tab.value("document.querySelector('main').innerText.split('Paste a puzzle')[0]")
    tab.key("ArrowRight")
    says(tab, "Step 2: ")
    tab.value("give(1000); window.fetch = fetchAll")
    explained(tab)
    says(tab, "Step 2 of ")
    tab.press("close")


def test_kinds(tab, axe, folder):
    print("other kinds and sizes")
    tab.value(f"{ID('kinds')}.open = true")
    choose(tab, "kind", "jigsaw")
    choose(tab, "side-length", "6")
    tab.wait("document.querySelectorAll('#board .cell').length === 36", "a grid of 6x6")
    sample = tab.value(f"{ID('map')}.value")
    assert re.fullmatch("([A-F]{6}\n){5}[A-F]{6}", sample) and any(len(set(row)) > 1 for row in sample.split("\n")), sample
    parts = tab.value("String(board.puzzle.parts)")
    tab.press("other-map")
    tab.wait(f"String(board.puzzle.parts) !== {json.dumps(parts)}", "another map")
    tab.value(f"{ID('map')}.value = 'aabbcc aabbcc aabbcc ddeeff ddeeff ddeeff'; {ID('map')}.dispatchEvent(new Event('input'))")
    tab.wait("board.puzzle.parts[1] === 0 && board.puzzle.parts[2] === 1 && board.puzzle.parts[12] === 0", "the regions of the map")
    tab.press("solve")
    says(tab, "one of several solutions")
    choose(tab, "kind", "latin")
    choose(tab, "side-length", "5")
    tab.wait("document.querySelectorAll('#board .cell').length === 25", "latin 5")
    cut = tab.value(f"[...{ID('kind')}.options].map(one => one.textContent).filter(text => text.length > 14)")
    equal(cut, [])

    print("kinds are combined, with the mouse and the keyboard")
    sizes = "[...document.querySelectorAll('#side-length option')].map(one => one.value).join(' ')"
    box = "document.querySelector('#constraints [value={}]')".format
    tab.click(box("diagonal"))
    says(tab, "Latin+diagonal 5x5: type clues")
    assert tab.value("document.querySelectorAll('#board .extra').length") == 9
    assert tab.value(sizes).startswith("4 5 6 7 "), tab.value(sizes)
    choose(tab, "kind", "sudoku")
    says(tab, "Diagonal: type clues")
    assert tab.value(sizes).startswith("4 6 8 9 "), tab.value(sizes)
    tab.click(box("windoku"))
    says(tab, "indoku: type clues")
    equal(tab.value(sizes), "9")
    for name in ["windoku", "diagonal", "anti-knight", "anti-king", "non-consecutive"]:
        tab.value(f"{box(name)}.focus()")
        tab.key(" ")
    says(tab, "nti-knight+anti-king+non-consecutive: type clues")
    paste(tab, MIRACLE)
    says(tab, "2 clues.")
    tab.press("solve")
    says(tab, "the only solution")
    assert tab.value(GRID).startswith("483726159726159483"), tab.value(GRID)
    tab.picture(folder / "page-combined.png")
    begin(tab, "easy")
    equal(tab.value("document.querySelectorAll('#constraints :checked').length"), 0)

    print("a board of 16x16 is in the window with its buttons, a larger one has a column of its own and readable symbols")
    for side in [16, 25]:
        choose(tab, "side-length", str(side))
        tab.wait(f"document.querySelectorAll('#board .cell').length === {side * side}", f"{side}x{side}")
        tab.value(f"{CELL(0)}.focus()")
        for key in "1A":
            tab.key(key)
        tab.wait("document.querySelectorAll('#board .clue').length === 2", "two clues")
        width, is_below = tab.value(f"[{ID('board')}.getBoundingClientRect().width, {ID('side')}.getBoundingClientRect().top > {ID('board')}.getBoundingClientRect().bottom]")
        assert (width > 600 and not is_below) if side == 16 else (width > 1000 and is_below), (side, width)
        size = tab.value(f"parseFloat(getComputedStyle({CELL(0)}).fontSize)")
        assert size > 22, size
        # Thousands of candidates take axe-core long.
        ids = ["board", "deck", "status"] if side == 16 else ["deck"]
        tab.value(f"{ID('kinds')}.open = false")
        pictures(tab, axe, folder, f"{side}", *ids, checked=[(1280, "light")] if side == 16 else [])


def test_techniques(tab, axe, folder, address):
    print("techniques have pages with examples, and can be switched off")
    put(tab, FISH)
    tab.press("techniques-open")
    tab.wait(f"{ID('techniques')}.open && !!document.querySelector('#technique .board .cell')", "the list and the first page")
    count = tab.value("document.querySelectorAll('#technique-list [data-name]').length")
    assert count >= 26, count
    tab.click("document.querySelector('#technique-list [data-name=\"X-wing\"]')")
    tab.wait("document.querySelector('#technique h3')?.textContent === 'X-wing' && document.querySelectorAll('#technique .board .unit').length === 18", "the page of the X-wing")
    assert tab.value("location.hash") == "#t=X-wing", tab.value("location.hash")
    pictures(tab, axe, folder, "technique", "techniques")
    tab.look(390, 844, "light")
    tab.wait(f"!{ID('technique-fold')}.open", "in a narrow window the list is folded")
    tab.look(1280, 800, "light")
    tab.wait(f"{ID('technique-fold')}.open", "in a wide window it is open")
    names = tab.value("techniques.map(one => one.name)")
    for name in names:
        tab.value(f"showTechnique({json.dumps(name)})")
        tab.wait(f"document.querySelector('#technique h3')?.textContent.toLowerCase() === {json.dumps(name.lower())} && !!document.querySelector('#technique .board .eliminates, #technique .board .placed, #technique .board .places')", f"an example of {name}")
    tab.value("showTechnique('X-wing')")
    tab.wait("document.querySelector('#technique h3')?.textContent === 'X-wing'", "the page of the X-wing")
    for word, heading in [("Next", "Swordfish"), ("Previous", "X-wing")]:
        tab.click(f"[...document.querySelectorAll('#technique button')].find(one => one.textContent.includes({json.dumps(word)}))")
        tab.wait(f"document.querySelector('#technique h3')?.textContent === {json.dumps(heading)}", word)
    tab.click("document.querySelector('#technique-list [aria-label=\"Use X-wing\"]')")
    tab.key("Escape")
    tab.wait(f"!{ID('techniques')}.open", "Escape closes it")
    equal(tab.value("document.activeElement.id"), "techniques-open")
    tab.press("explain")
    explained(tab)
    assert "X-wing" not in tab.value(f"{ID('steps')}.textContent"), "it is switched off"
    tab.press("close")
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=address + "#t=swordfish")
    tab.wait("document.querySelector('#technique h3')?.textContent === 'Swordfish'", "the page that the address names")
    assert tab.value("without.has('X-wing')"), "the switch survives a reload"
    tab.click("[...document.querySelectorAll('#technique button')].find(one => one.textContent === 'Open this puzzle')")
    tab.wait(f"!{ID('techniques')}.open && document.querySelectorAll('#board .clue').length > 16", "its puzzle is on the board")

    print("a new puzzle that needs a technique")
    for name in ["swordfish", "unique rectangle"]:
        tab.value(f"{ID('technique')}.replaceChildren(); openTechniques({json.dumps(name)})")
        tab.wait(f"document.querySelector('#technique h3')?.textContent.toLowerCase() === {json.dumps(name)}", "its page")
        tab.click("[...document.querySelectorAll('#technique button')].find(one => one.textContent === 'New puzzle that needs it')")
        says(tab, f"{name.capitalize()}, ")
        tab.press("explain")
        explained(tab)
        assert name in tab.value(f"{ID('summary')}.textContent"), name
        tab.press("close")


def test(tab, address, folder):
    axe = Axe()
    tab.look(1280, 800, "light")
    tab.call("Page.navigate", url=address)
    test_empty(tab, axe, folder)
    test_clues(tab, axe, folder)
    test_reading(tab)
    test_play(tab, axe, folder)
    test_link(tab, address)
    test_candidates(tab, axe, folder)
    test_steps(tab, axe, folder)
    test_kinds(tab, axe, folder)
    test_techniques(tab, axe, folder, address)
    equal(tab.value(f"{ID('status')}.getAttribute('aria-live')"), "polite")
    equal([url for url in tab.loaded if not url.startswith((address, "data:", "about:"))], [])
    equal(tab.console, [])


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
            test(tab, address, folder)
        finally:
            server.terminate()
            if tab:
                tab.process.terminate()
                tab.process.wait()
        code = server.wait()
        assert code == 143, f"the server ended with {code}"
    print(f"the page works; pictures are in {folder}")


main()

/* --- Playing: symbols and notes, with the keyboard and the buttons. */

/* Puts a symbol into the chosen cell: a clue, an entry, or a note. 0 empties it. Clues are typed row by row: the next cell is
   chosen then. */
function type(symbol, isNote = by("notes").getAttribute("aria-pressed") === "true", goesOn = symbol > 0) {
  if (!game) return;
  if (trail || solution) leaveSteps();
  const { puzzle, entries, notes, rules } = game, cell = chosen, isLast = cell === puzzle.cells.length - 1;
  const put = (list, value) => list.map((old, other) => other === cell ? value : old);
  if (game.isEditing && !isNote) {
    const cells = put(puzzle.cells, symbol);
    const isOther = { rules: { ...rules, crossed: [] }, gone: cells.map(() => 0) };
    change({ ...game, ...isOther, puzzle: { ...puzzle, cells, clues: cells.filter(Boolean).length }, entries: put(entries, 0) });
    fillText();
    if (goesOn && !isLast) choose(cell + 1, board.places.includes(document.activeElement));
    return refresh();
  }
  if (isClue(cell)) return say("This cell is a clue. To change clues, tick “Change clues”.");
  if (!isNote) {
    /* A second time the same symbol takes it back. Notes of cells that see this one lose the symbol. */
    const value = symbol === entries[cell] ? 0 : symbol, left = notes.slice();
    if (value) for (const peer of puzzle.peers[cell]) left[peer] &= ~(1 << (value - 1));
    change({ ...game, entries: put(entries, value), notes: left });
    if (value && !cellsNow().includes(0)) return finish();
  } else if (symbol === 0) change({ ...game, notes: put(notes, 0) });
  else {
    /* If candidates are shown, the first notes start from them. */
    const own = notes.some(Boolean) ? notes : shownMarks() || notes;
    if (!entries[cell]) change({ ...game, notes: put(own, own[cell] ^ (1 << (symbol - 1))) });
    by("marks").value = "mine";
    show();
  }
  refresh();
}
/* The last cell is filled. */
async function finish() {
  await refresh();
  check();
}
onClick("notes", () => toggleNotes());
function toggleNotes() {
  const isOn = by("notes").getAttribute("aria-pressed") !== "true";
  by("notes").setAttribute("aria-pressed", isOn);
  say(isOn ? "Notes: a symbol is pencilled in, or taken out." : "Symbols fill the cell.");
}

function choose(cell, takesFocus) {
  chosen = cell;
  show();
  if (takesFocus) board.places[cell].focus();
}
by("board").addEventListener("keydown", event => {
  if (!game || event.ctrlKey || event.altKey || event.metaKey) return;
  const { side, symbols, cells: { length } } = game.puzzle, column = chosen % side;
  const moves = {
    ArrowLeft: chosen - 1, ArrowRight: chosen + 1, ArrowUp: chosen - side, ArrowDown: chosen + side,
    Home: chosen - column, End: chosen - column + side - 1, PageUp: column, PageDown: length - side + column,
  };
  /* With Shift, the key of a digit gives another character. */
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code), key = event.shiftKey && digit ? digit[1] : event.key.toUpperCase();
  const move = moves[event.key], symbol = key.length === 1 ? symbols.indexOf(key) + 1 : 0;
  if (move !== undefined) choose((move + length) % length, true);
  else if (symbol) event.shiftKey ? type(symbol, true) : type(symbol);
  else if ([" ", "0", "."].includes(event.key)) type(0, undefined, true);
  else if (["Delete", "Backspace"].includes(event.key)) type(0);
  else return;
  event.preventDefault();
  event.stopPropagation();
});
for (const name of ["pointerdown", "focusin"]) by("board").addEventListener(name, event => {
  const cell = board.places.indexOf(event.target.closest(".cell"));
  if (cell >= 0 && (cell !== chosen || name === "pointerdown")) choose(cell, name === "pointerdown");
});
by("marks").addEventListener("change", () => { keep(); show(); });
by("filter").addEventListener("change", show);
by("editing").addEventListener("change", () => {
  change({ ...game, isEditing: by("editing").checked });
  say(game.isEditing ? "Symbols that you type are clues now." : "The clues are fixed; symbols that you type fill in cells.");
});

/* Shortcuts of the whole page, outside of text fields. */
const isField = target => /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== "checkbox";
document.addEventListener("keydown", event => {
  if (isField(event.target) || by("techniques").open || !game) return;
  const key = event.key.toLowerCase(), isUndo = (event.ctrlKey || event.metaKey) && !event.altKey;
  const isFree = !isUndo && !event.altKey && !event.shiftKey && !game.puzzle.symbols.includes(key.toUpperCase());
  if (isUndo && key === "z") event.shiftKey ? redo() : undo();
  else if (isUndo && key === "y") redo();
  else if (trail && ["arrowleft", "arrowright"].includes(key) && !event.shiftKey) goTo(trail.at + (key === "arrowright" ? 1 : -1));
  else if (isFree && key === "n") toggleNotes();
  else if (isFree && key === "f") {
    const value = String(cellsNow()[chosen] || "");
    by("filter").value = by("filter").value === value ? "" : value;
    show();
  } else return;
  event.preventDefault();
});

/* --- Check: which entries differ from the solution. The solution itself is not shown. */
onClick("check", () => check());
async function check() {
  const { puzzle, entries } = game;
  const answer = await compare();
  if (!answer) return;
  const filled = entries.filter(Boolean).length, left = cellsNow().filter(symbol => !symbol).length;
  wrong = new Set(answer.wrong);
  show();
  if (answer.status === "multiple" && !left && !seen?.reason) say("Solved: this is one of several solutions.");
  else if (answer.status !== "solved") say(unsolved[answer.status], answer.status === "none");
  else if (answer.wrong.length) say(plural(answer.wrong.length, "cell is", "cells are") + " wrong; marked on the board.", true);
  else if (!left && filled) say("Solved: everything is right.");
  else say(filled ? "Fine so far; " + plural(left, "cell is", "cells are") + " left." : "Nothing is filled in yet.");
}
const compare = () => ask("/api/check", { ...ofCells(game.puzzle.cells), entries: game.entries, crossed: game.gone });
/* A step from a wrong position would be wrong. */
async function isRight() {
  const answer = await compare();
  if (answer && answer.wrong.length) say("A cell is wrong, so a hint would not help. “Check” shows which.", true);
  return answer && !answer.wrong.length;
}
const unsolved = {
  none: "The clues have no solution.",
  multiple: "The clues have several solutions, so an entry cannot be called wrong.",
  limit: "Whether the clues have one solution was not found out in the time of a request.",
};

/* --- Hint: first the technique and where to look, then the step itself. */
let hint = null;
onClick("hint", async () => {
  if (hint && hint.game === game) return showTrail({ steps: [hint.step], start: hint.start, at: 0, isNow: true });
  if (!await isRight()) return;
  const here = game;
  say("Looking for the next step ...");
  const stop = new AbortController(), isKnown = step => step.places.length === 0 && step.eliminates.every(([cell, symbol]) => !isCandidate(cell, symbol));
  let found = null, end = null;
  const start = { cells: cellsNow(), gone: game.gone, steps: [] };
  try {
    await lines("/api/explain", { ...ofCells(cellsNow()), ...techniqueOptions(), crossed: game.gone }, stop, message => {
      if (message.end) end = message.end;
      if (!message.step) return false;
      if (!isKnown(message.step)) found = message.step;
      else start.steps.push(message.step);
      return found !== null;
    });
  } catch (error) {
    if (!stop.signal.aborted) return say(error.message, true);
  }
  if (game !== here) return;
  if (!found) return say(end && end.is_solved && !cellsNow().includes(0) ? "The puzzle is solved." : end ? end.text : "There is no hint.");
  hint = { step: found, start, game };
  show();
  say("Hint: " + found.technique + " " + found.place + ". Press Hint again for the step.");
});
/* Whether the player's notes have a candidate, or say nothing. */
function isCandidate(cell, symbol) {
  const note = by("marks").value === "mine" && game.notes[cell];
  return !note || Boolean(note >> (symbol - 1) & 1);
}

/* --- All steps that are possible on the board as it is. */
onClick("possible", async () => {
  if (!hasClues()) return say(NO_CLUES, true);
  if (!await isRight()) return;
  say("Looking for steps ...");
  const answer = await ask("/api/steps", { ...ofCells(cellsNow()), ...techniqueOptions(), crossed: game.gone });
  if (!answer) return;
  const { steps } = answer, more = answer.is_complete ? "" : " There may be more: the search took too long.";
  if (!steps.length) return say("No step was found." + more);
  showTrail({ steps, start: { cells: cellsNow(), gone: game.gone, steps: [] }, at: 0, isNow: true, isList: true });
  by("summary").textContent = plural(steps.length, "step is", "steps are") + " possible now, the easiest first; each does something that the ones above it do not." + more;
});

/* --- The game: a puzzle and what the player has done with it. Every change makes a new object, so that undo keeps the old one. */

/* `puzzle` is the puzzle as the server read it: its shape and its clues; `rules` are its kind and map as they were sent. Of each cell: `entries` (0 for none), `notes` (own
   pencil marks, as bits), `gone` (candidates that steps taken over have eliminated). `isEditing`: symbols that are typed are
   clues. */
let game = null;
const past = [], future = [], UNDO_STEPS = 1000;
/* What the server last said of the cells as they are now: contradictions, and candidates after singles. */
let seen = null;
/* The number of the last request; answers to earlier ones come too late. */
let asked = 0;

const isClue = cell => game.puzzle.cells[cell] !== 0;
const hasClues = () => game.puzzle.cells.some(Boolean);
const cellsNow = () => game.puzzle.cells.map((clue, cell) => clue || game.entries[cell]);
const line = (cells, symbols) => cells.map(symbol => symbol ? symbols[symbol - 1] : ".").join("");
function newGame(puzzle, { kind, map }, isEditing) {
  const none = () => puzzle.cells.map(() => 0);
  return { puzzle, rules: { kind, map }, entries: none(), notes: none(), gone: none(), isEditing };
}

/* Changes with the same `kind` one after the other, such as typed letters of a puzzle, are one step of undo. */
let lastKind = null;
function change(next, kind = null) {
  if (game && !(kind && kind === lastKind)) {
    past.push(game);
    if (past.length > UNDO_STEPS) past.shift();
  }
  lastKind = kind;
  future.length = 0;
  enter(next);
}
function enter(next) {
  game = next;
  seen = null;
  wrong = new Set();
  leaveSteps();
  keep();
  show();
}
/* Undo and redo. */
function travel(from, to, word) {
  if (!from.length) return say("There is nothing to " + word + ".");
  to.push(game);
  lastKind = null;
  enter(from.pop());
  setKinds({ ...game.rules, alphabet: "" });
  fillText();
  refresh();
  say(capital(word) + ": " + plural(game.entries.filter(Boolean).length, "cell") + " filled in.");
}
onClick("undo", () => travel(past, future, "undo"));
onClick("redo", () => travel(future, past, "redo"));

/* Asks the server about the cells as they are now. */
async function refresh() {
  const number = ++asked, puzzle = game.puzzle;
  try {
    const answer = await request("POST", "/api/puzzle", { ...ofCells(cellsNow()), marks: by("marks").value === "singles" ? "singles" : "clues" });
    if (number !== asked) return;
    seen = answer;
    show();
    if (answer.reason) say("No solution: " + answer.reason + ".", true);
    else if (game.puzzle === puzzle && by("status").classList.contains("bad-text")) say("");
  } catch (error) {
    if (number === asked) say(error.message, true);
  }
}

/* --- What survives a reload, and the link to share. The address always names the puzzle. */
const KEPT = "galop";
function keep() {
  if (!game) return;
  const { puzzle, entries, notes, gone, isEditing } = game, kept = { ...ofCells(puzzle.cells), entries, notes, gone, isEditing };
  const settings = { marks: by("marks").value, unique: by("unique").checked, without: [...without] };
  try {
    localStorage.setItem(KEPT, JSON.stringify({ kept, settings }));
  } catch (fault) {
    /* Without storage (a private window), the address still keeps the puzzle. */
  }
  if (!by("techniques").open) history.replaceState(null, "", link());
}
by("unique").addEventListener("change", keep);
/* What is stored, unless another version of the page wrote it in another form. */
function stored() {
  try {
    const { kept, settings } = JSON.parse(localStorage.getItem(KEPT)) || {}, lists = kept ? [kept.cells, kept.entries, kept.notes, kept.gone] : [];
    const isWhole = kept && typeof kept.kind === "string" && lists.every(list => Array.isArray(list) && list.length === kept.side ** 2);
    return { kept: isWhole ? kept : null, settings };
  } catch (fault) {
    return {};
  }
}
/* The page's address with the puzzle in it. */
function link() {
  const { puzzle, rules } = game, words = new URLSearchParams();
  if (!hasClues()) return location.pathname;
  words.set("p", line(puzzle.cells, puzzle.symbols));
  if (rules.kind !== "sudoku") words.set("k", rules.kind);
  if (rules.map) words.set("m", rules.map.trim());
  if (puzzle.side > 9) words.set("a", puzzle.alphabet);
  return location.pathname + "#" + words;
}
onClick("share", async () => {
  const address = new URL(link(), location.href).href;
  try {
    await navigator.clipboard.writeText(address);
    say("The link to this puzzle is copied.");
  } catch (fault) {
    say("The link to this puzzle is in the address bar: copy it from there.");
  }
});
/* The puzzle that the address names, as a request; null if it names none. */
function ofAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  return words.has("p") ? { text: words.get("p"), kind: words.get("k") || "sudoku", map: words.get("m") || "", alphabet: words.get("a") || "" } : null;
}
/* Opens the puzzle of the address; else the one that was on the board when the page was left; else an empty board. */
async function open() {
  const { kept, settings } = stored(), asked = ofAddress();
  if (settings) setSettings(settings);
  if (asked) setKinds(asked);
  else if (kept) setKinds(kept);
  if (!asked && !kept) return emptyBoard();
  await read(asked || { cells: kept.cells, side: kept.side, kind: kept.kind, map: kept.map, alphabet: kept.alphabet }, true);
  if (!game) return emptyBoard();
  const isKept = kept && String(kept.cells) === String(game.puzzle.cells) && kept.kind === game.rules.kind;
  if (isKept) {
    const { entries, notes, gone, isEditing } = kept;
    enter({ ...game, entries, notes, gone, isEditing });
    refresh();
  }
}
function setSettings(settings) {
  by("marks").value = settings.marks || "clues";
  by("unique").checked = Boolean(settings.unique);
  for (const name of settings.without || []) without.add(name);
}
window.addEventListener("hashchange", () => {
  const asked = ofAddress();
  if (asked) {
    setKinds(asked);
    read(asked);
  }
  openAddressedTechnique();
});

/* --- The board as the player sees it. */
const board = new Board(by("board"), true);
let chosen = 0, wrong = new Set();

function show() {
  if (!game) return;
  const { puzzle, notes, gone } = game, isNew = board.puzzle === undefined || !isSameShape(board.puzzle, puzzle);
  board.take(puzzle);
  if (isNew) {
    chosen = Math.min(chosen, puzzle.cells.length - 1);
    by("main").classList.toggle("large", puzzle.side > 9);
    buildKeys();
  }
  /* What a reader needs first is on top: a puzzle, or what can be done with it. */
  if (hasClues() === (by("side").firstElementChild === by("welcome"))) hasClues() ? by("kinds").before(by("welcome")) : by("side").prepend(by("welcome"));
  by("editing").checked = game.isEditing;
  by("undo").disabled = !past.length;
  by("redo").disabled = !future.length;
  const filter = Number(by("filter").value) || 0, sets = {}, clues = puzzle.cells;
  if (trail) return showStep(filter);
  const cells = solution || cellsNow(), way = by("marks").value, isBlank = !cells.some(Boolean);
  let marks = null;
  if (solution || way === "none") marks = null;
  else if (way === "mine") marks = notes;
  else if (isBlank) marks = null;
  else if (way === "singles") marks = seen && seen.marks ? seen.marks.map((mask, cell) => cells[cell] ? 0 : mask) : null;
  else marks = candidatesOf(puzzle, cells, gone);
  if (seen && !solution) {
    sets.bad = new Set([...seen.clashes, ...seen.empty]);
    sets.lack = new Set(seen.no_place.flatMap(lack => lack.cells));
    sets.wrong = wrong;
  }
  board.draw({ cells, marks, clues, filter, isOwn: way === "mine", ...sets }, null, chosen);
}
function buildKeys() {
  const { side, symbols } = game.puzzle;
  by("keys").replaceChildren(...[...symbols].map((text, index) => button(text, {}, () => type(index + 1))), button("⌫", { "aria-label": "Erase" }, () => type(0)));
  by("filter").replaceChildren(element("option", "all", { value: "" }), ...[...symbols].map((text, index) => element("option", text, { value: index + 1 })));
}

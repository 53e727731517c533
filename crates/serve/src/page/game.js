/* --- The game: a puzzle and what the player has done with it. Every change makes a new object, so that undo keeps the old one. */

/* `puzzle` is the puzzle as the server read it: its shape and its clues; `rules` are its kind and map as they were sent, and the
   candidates that its text lacks. Of each cell: `entries` (0 for none), `notes` (own
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
  const { crossed, entries } = puzzle, list = of => puzzle.cells.map((_, cell) => of[cell] || 0);
  return { puzzle, rules: { kind, map, crossed }, entries: list(entries), notes: list([]), gone: list(crossed), isEditing };
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
  say("");
  leaveSteps();
  keep();
  show();
}
/* Undo and redo. */
function travel(from, to, word) {
  if (!from.length) return;
  to.push(game);
  lastKind = null;
  enter(from.pop());
  setKinds({ ...game.rules, alphabet: "" });
  fillText();
  refresh();
  say(word + "; " + plural(game.entries.filter(Boolean).length, "cell") + " filled.");
}
const undo = () => travel(past, future, "Undone"), redo = () => travel(future, past, "Redone");
onClick("undo", undo);
onClick("redo", redo);

/* Asks the server about the cells as they are now. */
async function refresh() {
  const number = ++asked;
  try {
    const answer = await request("POST", "/api/puzzle", ofCells(cellsNow()));
    if (number !== asked) return;
    seen = answer;
    show();
    if (answer.reason) say("No solution: " + answer.reason + ".", true);
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
/* The page's address with the puzzle in it; on demand, with what the player has done. */
function link(isMine) {
  const { puzzle, rules, entries, notes, gone } = game, words = new URLSearchParams();
  if (!hasClues()) return location.pathname;
  words.set("p", line(puzzle.cells, puzzle.symbols));
  if (rules.kind !== "sudoku") words.set("k", rules.kind);
  if (rules.map) words.set("m", rules.map.trim());
  if (puzzle.side > 9) words.set("a", puzzle.alphabet);
  if (isMine) for (const [name, list] of [["e", entries], ["n", notes], ["c", gone]]) if (list.some(Boolean)) words.set(name, packed(list));
  return location.pathname + "#" + words;
}
const packed = list => list.map(mask => mask ? mask.toString(36) : "").join("-"), unpacked = text => text.split("-").map(mask => parseInt(mask, 36) || 0);
/* The board as text: a field for each cell, with bars and rules where blocks end. */
function drawn(fields) {
  const { side, parts } = game.puzzle, range = [...Array(side).keys()], width = Math.max(...fields.map(field => field.length));
  const isEnd = (at, cell) => at + 1 < side && range.every(along => parts[cell(at, along)] !== parts[cell(at + 1, along)]);
  const row = (fieldOf, bar, space) => range.map(column => fieldOf(column) + (isEnd(column, (at, along) => side * along + at) ? space + bar : "")).join(space).trimEnd();
  const rule = row(() => "-".repeat(width), "+", "-");
  return range.flatMap(at => [row(column => fields[side * at + column].padEnd(width), "|", " "), ...(isEnd(at, (line, along) => side * line + along) ? [rule] : [])]).join("\n") + "\n";
}
const copies = {
  link: () => new URL(link(), location.href).href,
  mine: () => new URL(link(true), location.href).href,
  puzzle: () => line(game.puzzle.cells, game.puzzle.symbols),
  grid: () => drawn([...line(cellsNow(), game.puzzle.symbols)]),
  candidates: () => {
    const { puzzle: { symbols }, gone } = game, cells = cellsNow(), marks = shownMarks() || candidatesOf(game.puzzle, cells, gone);
    return drawn(cells.map((value, cell) => value ? symbols[value - 1] : [...symbols].filter((_, at) => marks[cell] >> at & 1).join("") || "."));
  },
};
by("copy").addEventListener("click", async ({ target: { value, textContent } }) => {
  if (!copies[value]) return;
  await readTyped();
  const text = copies[value]();
  try {
    await navigator.clipboard.writeText(text);
    say(textContent + ": copied.");
  } catch (fault) {
    by("text").value = text;
    by("text").select();
    say(textContent + ": it is in the text field; copy it from there.");
  }
});
/* The puzzle that the address names, as a request; null if it names none. */
function ofAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const given = { e: "entries", n: "notes", c: "gone" }, mine = {};
  for (const name in given) if (words.has(name)) mine[given[name]] = unpacked(words.get(name));
  return words.has("p") ? { text: words.get("p"), kind: words.get("k") || "sudoku", map: words.get("m") || "", alphabet: words.get("a") || "", mine } : null;
}
/* Opens the puzzle of the address; else the one that was on the board when the page was left; else an empty board. */
async function open() {
  const { kept, settings } = stored(), asked = ofAddress();
  if (settings) setSettings(settings);
  if (asked) setKinds(asked);
  else if (kept) setKinds(kept);
  if (!asked && !kept) return emptyBoard();
  const { cells, side, kind, map, alphabet, crossed } = kept || {};
  await (asked ? openAddressed(asked) : read({ cells, side, kind, map, alphabet, crossed }, true));
  if (!game) return emptyBoard();
  const isKept = kept && String(cells) === String(game.puzzle.cells) && kind === game.rules.kind && !(asked && Object.keys(asked.mine).length);
  if (isKept) {
    const { entries, notes, gone, isEditing } = kept;
    enter({ ...game, entries, notes, gone, isEditing });
    refresh();
  }
}
/* The puzzle of a link, and what a player has done in it. */
async function openAddressed({ mine, ...asked }) {
  const before = game;
  await read(asked, true);
  if (!game || game === before) return;
  const { side, cells } = game.puzzle, end = name => name === "entries" ? side + 1 : 2 ** side;
  const isFit = ([name, list]) => list.length === cells.length && list.every(value => value < end(name));
  const fit = Object.fromEntries(Object.entries(mine).filter(isFit));
  if (!Object.keys(fit).length) return;
  enter({ ...game, ...fit });
  if (fit.notes) by("marks").value = "mine";
  refresh();
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
    openAddressed(asked);
  }
  openAddressedTechnique();
});

/* --- The board as the player sees it. */
const board = new Board(by("board"), true);
let chosen = 0, wrong = new Set();

function show() {
  if (!game) return;
  const { puzzle } = game, isNew = board.puzzle === undefined || !isSameShape(board.puzzle, puzzle);
  board.take(puzzle);
  if (isNew) {
    chosen = Math.min(chosen, puzzle.cells.length - 1);
    by("main").classList.toggle("large", puzzle.side > 9 && puzzle.side <= 16);
    by("main").classList.toggle("huge", puzzle.side > 16);
    buildKeys();
  }
  /* What a reader needs first is on top: a puzzle, or what can be done with it. */
  if (hasClues() === (by("side").firstElementChild === by("welcome"))) hasClues() ? by("kinds").before(by("welcome")) : by("side").prepend(by("welcome"));
  by("new").hidden = !hasClues();
  by("start").hidden = hasClues();
  by(hasClues() ? "new" : "start").append(by("levels"));
  by("editing").checked = game.isEditing;
  by("undo").disabled = !past.length;
  by("redo").disabled = !future.length;
  const filter = Number(by("filter").value) || 0, sets = {}, clues = puzzle.cells;
  if (trail) return showStep(filter);
  const cells = solution || cellsNow(), marks = solution ? null : shownMarks();
  if (seen && !solution) {
    sets.bad = new Set([...seen.clashes, ...seen.empty]);
    sets.lack = new Set(seen.no_place.flatMap(lack => lack.cells));
    sets.wrong = wrong;
  }
  /* The first part of a hint shades the place where to look. */
  const place = hint && hint.game === game && !solution ? { ...noStep, units: hint.step.look } : null;
  board.draw({ cells, marks, clues, filter, isOwn: by("marks").value === "mine", ...sets }, place, chosen);
}
/* The candidates that are shown, if any. */
function shownMarks() {
  const { puzzle, notes, gone } = game, cells = cellsNow(), way = by("marks").value;
  if (way === "mine") return notes;
  if (way === "none" || !cells.some(Boolean)) return null;
  if (way === "clues") return candidatesOf(puzzle, cells, gone);
  return seen && seen.after_singles && seen.after_singles.map((mask, cell) => cells[cell] ? 0 : mask);
}
function buildKeys() {
  const { side, symbols } = game.puzzle, keys = side + 1;
  /* In a narrow window there are rows of up to seven keys. */
  by("keys").style.setProperty("--keys", Math.ceil(keys / Math.ceil(keys / 7)));
  by("keys").replaceChildren(...[...symbols].map((text, index) => button(text, {}, () => type(index + 1))), button("⌫", { "aria-label": "Erase" }, () => type(0)));
  by("filter").replaceChildren(element("option", "all", { value: "" }), ...[...symbols].map((text, index) => element("option", text, { value: index + 1 })));
}

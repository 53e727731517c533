/* --- The puzzle as it is sent and read: text, kinds, sizes, the map of a jigsaw, the examples. */
const isJigsaw = () => by("kind").value === "jigsaw", map = () => isJigsaw() ? by("map").value : "";
const constraints = () => [...by("constraints").querySelectorAll("input")].filter(one => one.checked);
const kind = () => [by("kind"), ...constraints()].map(one => one.value).join("+");
const ofText = () => ({ text: by("text").value, kind: kind(), map: map(), alphabet: by("alphabet").value });
/* Cells under the rules of the game; under the chosen rules. */
const ofCells = cells => ({ cells, side: game.puzzle.side, alphabet: game.puzzle.alphabet, ...game.rules });
const underChosenRules = cells => ({ ...ofCells(cells), kind: kind(), map: map(), crossed: [] });
const blank = (side, alphabet) => ({ cells: new Array(side * side).fill(0), side, alphabet, kind: kind(), map: map() });

/* Reads a puzzle and puts it on the board. A malformed one leaves the board as it is. */
async function read(body, isQuiet, { isEditing = false, undoKind = null } = {}) {
  const number = ++asked;
  try {
    const answer = await request("POST", "/api/puzzle", body);
    if (number !== asked) return;
    change(newGame(answer, body, isEditing), undoKind);
    seen = answer;
    fillText();
    fillKinds();
    show();
    const more = answer.puzzles > 1 ? " This is the first of " + group(answer.puzzles) + " puzzles; galop solve FILE solves all." : "";
    if (answer.reason) say("No solution: " + answer.reason + ".", true);
    else if (!isQuiet) say(answer.clues ? capital(answer.name) + ", " + plural(answer.clues, "clue") + "." + more : capital(answer.name) + ": type clues, or paste a puzzle.");
  } catch (error) {
    if (number === asked) say(error.message, true);
  }
}
function fillText() {
  const { puzzle } = game;
  if (document.activeElement !== by("text")) by("text").value = hasClues() ? line(puzzle.cells, puzzle.symbols) : "";
}

/* A text is read when its typing pauses; a pasted one at once. */
by("text").addEventListener("input", event => {
  ++asked;
  const isTyped = /^(insertText|delete)/.test(event.inputType), cells = isTyped ? started(by("text").value) : null;
  const body = cells ? underChosenRules(cells) : ofText();
  afterTyping(() => read(body, false, { undoKind: isTyped ? "text" : null }), isTyped ? 120 : 0);
});
/* The cells of a text that is being typed, if it is the start of a puzzle of the chosen size. */
function started(text) {
  if (!game) return null;
  const { puzzle } = game, typed = [...text.replace(/\s/g, "").toUpperCase()], cells = puzzle.cells.map(() => 0);
  const isStart = typed.length < cells.length && typed.every(one => puzzle.symbols.includes(one) || ".0*_X?".includes(one));
  if (!isStart) return null;
  typed.forEach((one, cell) => cells[cell] = puzzle.symbols.indexOf(one) + 1);
  return cells;
}
/* A puzzle may be pasted anywhere. */
document.addEventListener("paste", event => {
  if (isField(event.target) || by("techniques").open) return;
  const text = event.clipboardData.getData("text/plain");
  if (!text.trim()) return;
  event.preventDefault();
  by("text").value = text;
  readPuzzle();
});
/* Reads the text at once. */
function readPuzzle() {
  ++asked;
  afterTyping(() => read(ofText()), 0);
  return readTyped();
}
/* A new puzzle of a level, or one that needs a technique. */
async function newPuzzle(name) {
  try {
    const { kind, cells, unique } = await request("GET", "/api/new/" + encodeURIComponent(name)), rules = { kind, map: "", alphabet: "" };
    setKinds(rules);
    if (unique) by("unique").checked = true;
    await read({ cells, ...rules });
    say(capital(name) + ", " + plural(game.puzzle.clues, "clue") + ". Fill it in, or ask for a hint.");
  } catch (error) {
    say(error.message, true);
  }
}
by("levels").addEventListener("click", event => {
  const one = event.target.closest("button");
  if (one) newPuzzle(one.value);
});
onClick("empty", () => emptyBoard());
function emptyBoard() {
  const side = Number(by("side-length").value);
  fillMap(side);
  by("text").value = "";
  return read(blank(side, by("alphabet").value), false, { isEditing: true });
}

/* --- Kinds and sizes. */
function setKinds({ kind, map, alphabet }) {
  const names = kind.split("+"), isDivision = name => [...by("kind").options].some(option => option.value === name);
  by("kind").value = names.find(isDivision) || "sudoku";
  for (const one of by("constraints").querySelectorAll("input")) one.checked = names.includes(one.value);
  by("map").value = map || "";
  fillKinds();
  if (alphabet && ![...by("alphabet").options].some(option => option.value === alphabet)) by("alphabet").append(element("option", alphabet, { value: alphabet }));
  by("alphabet").value = alphabet || "";
}
/* The sizes that the chosen kinds have in common, and what describes the choice. */
function fillKinds() {
  const sidesOf = one => one.dataset.sides.split(" "), wanted = String(game ? game.puzzle.side : 9);
  const sides = sidesOf(by("kind").selectedOptions[0]).filter(side => constraints().every(one => sidesOf(one).includes(side)));
  by("side-length").replaceChildren(...sides.map(side => element("option", side + "x" + side, { value: side })));
  by("side-length").value = sides.includes(wanted) ? wanted : sides.includes("9") ? "9" : sides[0];
  by("map-box").hidden = !isJigsaw();
  const side = Number(by("side-length").value), letter = index => String.fromCharCode(64 + index);
  const names = side > 9 ? ["1-9A-" + letter(side - 9), "0-9A-" + letter(side - 10), "A-" + letter(side)] : [];
  const tidy = names.map(name => name.replace("A-A", "A")), kept = by("alphabet").value;
  by("alphabet").replaceChildren(element("option", "as the text shows", { value: "" }), ...tidy.map(name => element("option", name, { value: name })));
  by("alphabet").value = tidy.includes(kept) ? kept : "";
  by("alphabet-box").hidden = side <= 9;
  by("kind-name").textContent = [by("kind"), ...constraints()].map(one => one.value).join(" + ") + " " + side + "x" + side;
  by("kind-about").textContent = capital(by("kind").selectedOptions[0].dataset.about) + ".";
}
const MAPS = "/*maps*/".trim().split(" ");
/* A map of another size gives way to one of this size; on demand, to the next one. */
function fillMap(side, isOther) {
  const old = by("map").value.replace(/\s/g, ""), maps = MAPS.filter(map => map.length === side * side);
  if (!isJigsaw() || !isOther && old.length === side * side) return;
  const next = maps[(maps.indexOf(old) + 1) % maps.length];
  by("map").value = next.match(new RegExp(".{" + side + "}", "g")).join("\n");
}
onClick("other-map", () => {
  fillMap(Number(by("side-length").value), true);
  emptyBoard();
});
for (const name of ["kind", "constraints"]) by(name).addEventListener("change", () => {
  fillKinds();
  const side = Number(by("side-length").value);
  if (game && side === game.puzzle.side && hasClues()) {
    fillMap(side);
    read(underChosenRules(game.puzzle.cells));
  } else emptyBoard();
});
by("side-length").addEventListener("change", emptyBoard);
by("alphabet").addEventListener("change", () => game && read({ ...ofCells(game.puzzle.cells), alphabet: by("alphabet").value }));
by("map").addEventListener("input", () => {
  if (by("text").value.replace(/[.\s]/g, "")) return read(ofText());
  read(blank(Math.round(Math.sqrt(by("map").value.replace(/\s/g, "").length)), ""), false, { isEditing: true });
});

/* --- A board: cells in a grid, and a drawing over them. The page has one to play on, and one for the example of a technique. */
class Board {
  /* `host` becomes the board. A board to look at has no cells for a screen reader, only `label`. */
  constructor(host, isForPlay) {
    this.host = host;
    this.isForPlay = isForPlay;
    this.places = [];
    host.className = "board";
  }
  /* Takes the shape of a puzzle: sides, blocks or regions, extra units. */
  take(puzzle) {
    if (this.puzzle && isSameShape(this.puzzle, puzzle)) {
      this.puzzle = puzzle;
      return;
    }
    const { side, parts, units } = this.puzzle = puzzle;
    this.across = Math.ceil(Math.sqrt(side));
    const style = { "--side": side, "--across": this.across, "--down": Math.ceil(side / this.across) };
    for (const [name, value] of Object.entries(style)) this.host.style.setProperty(name, value);
    const blocks = Math.max(...parts) > 0 ? side : 0;
    this.extra = new Set(units.slice(2 * side + blocks).flat());
    this.places = Array.from({ length: side * side }, () => element("div", undefined, this.isForPlay ? { role: "gridcell", tabindex: -1 } : {}));
    this.keys = this.places.map(() => "");
    const cells = element("div", undefined, { class: "cells", ...(this.isForPlay ? { role: "grid", "aria-label": "Board" } : { "aria-hidden": "true" }) });
    for (let row = 0; row < side; row++) {
      cells.append(element("div", undefined, { class: "line", ...(this.isForPlay ? { role: "row" } : {}) }, ...this.places.slice(row * side, row * side + side)));
    }
    this.chains = shape("g", {});
    this.host.replaceChildren(cells, shape("svg", { class: "drawing", viewBox: "0 0 " + side + " " + side, "aria-hidden": "true" }, ...this.lines(), this.chains));
  }
  /* Thin lines between cells, thick ones around blocks and the board. */
  lines() {
    const { side, parts } = this.puzzle;
    let thin = "", thick = "M0 0H" + side + "V" + side + "H0Z";
    for (let line = 0; line < side; line++) for (let along = 1; along < side; along++) {
      const across = parts[line * side + along] !== parts[line * side + along - 1], down = parts[along * side + line] !== parts[(along - 1) * side + line];
      const one = "M" + along + " " + line + "v1", other = "M" + line + " " + along + "h1";
      across ? thick += one : thin += one;
      down ? thick += other : thin += other;
    }
    return [shape("path", { class: "thin", d: thin }), shape("path", { class: "thick", d: thick })];
  }
  /* Draws the cells. `seen` has `cells`, `marks` or null, `clues`, and sets of cells by the names of their classes; `step`, if
     there is one, is drawn over them. Cells that look as before are left alone. */
  draw(seen, step, chosen = -1) {
    const { peers } = this.puzzle, { cells, marks, clues, filter } = seen, roles = rolesOf(step);
    const isLinked = chosen >= 0 && !step && !filter && cells.some(Boolean) ? new Set(peers[chosen]) : new Set();
    this.places.forEach((place, cell) => {
      const value = cells[cell], mask = !value && marks ? marks[cell] : 0, role = roles.get(cell) || {};
      const isWanted = filter && (value === filter || mask >> (filter - 1) & 1);
      const classes = ["cell"];
      const add = (name, isSo) => { if (isSo) classes.push(name); };
      add("extra", this.extra.has(cell));
      add("peer", isLinked.has(cell));
      add("same", chosen >= 0 && !step && value && value === cells[chosen] && cell !== chosen);
      for (const name of ["unit", "cover", "set0", "set1"]) add(name, role[name]);
      for (const name of ["lack", "bad", "wrong"]) add(name, seen[name] && seen[name].has(cell));
      add("clue", clues[cell]);
      add("entry", value && !clues[cell]);
      add("placed", role.places);
      add("chosen", cell === chosen);
      add("wanted", isWanted);
      add("dim", filter && !isWanted);
      const shown = filter ? mask & (1 << (filter - 1)) : mask;
      const key = [classes.join(" "), value, shown, mask, seen.isOwn, JSON.stringify(role)].join("|");
      place.tabIndex = this.isForPlay && cell === Math.max(chosen, 0) ? 0 : -1;
      if (!this.isForPlay) place.removeAttribute("tabindex");
      if (this.keys[cell] === key) return;
      this.keys[cell] = key;
      place.className = classes.join(" ");
      const sign = value ? element("span", this.character(value), { class: "value", "aria-hidden": "true" }) : shown ? this.marks(shown, role, seen.isOwn) : "";
      place.replaceChildren(sign, ...(this.isForPlay ? [element("span", this.name(cell, value, mask, role, seen), { class: "name" })] : []));
    });
    this.chains.replaceChildren(...(step ? drawnChains(step, this.puzzle, this.across) : []));
  }
  marks(mask, role, isOwn) {
    const box = element("span", undefined, { class: isOwn ? "marks own" : "marks", "aria-hidden": "true" });
    for (let symbol = 1; symbol <= this.puzzle.side; symbol++) if (mask >> (symbol - 1) & 1) {
      const mark = element("span", this.character(symbol));
      mark.style.gridArea = Math.floor((symbol - 1) / this.across) + 1 + " / " + ((symbol - 1) % this.across + 1);
      if (role.marks && role.marks[symbol]) mark.className = role.marks[symbol];
      box.append(mark);
    }
    return box;
  }
  /* What a screen reader says of a cell. */
  name(cell, value, mask, role, seen) {
    const { side, symbols } = this.puzzle, row = Math.floor(cell / side) + 1, column = cell % side + 1;
    const candidates = [...symbols].filter((_, index) => mask >> index & 1).join(" ");
    const what = value ? this.character(value) + (seen.clues[cell] ? ", clue" : ", filled in") : "blank" + (mask ? ", " + (seen.isOwn ? "notes " : "candidates ") + candidates : "");
    const words = [["bad", "contradiction"], ["wrong", "wrong"]].filter(([name]) => seen[name] && seen[name].has(cell)).map(([, word]) => ", " + word);
    const roles = { places: "placed by this step", eliminates: "a candidate is eliminated", because: "a reason of this step" };
    const why = Object.keys(roles).filter(name => role[name]).map(name => ", " + roles[name]).slice(0, 1);
    return "row " + row + ", column " + column + ": " + what + [...words, ...why].join("");
  }
  character(symbol) { return this.puzzle.symbols[symbol - 1]; }
}
const isSameShape = (one, other) => one.side === other.side && one.symbols === other.symbols && one.kind === other.kind && String(one.parts) === String(other.parts);

/* The candidates that the symbols of `cells` leave, as bits; `gone` are eliminated besides. */
function candidatesOf(puzzle, cells, gone) {
  const { side, peers } = puzzle, all = 2 ** side - 1, marks = cells.map((_, cell) => all & ~(gone ? gone[cell] : 0));
  cells.forEach((symbol, cell) => { if (symbol) exclude(puzzle, marks, cell, symbol); });
  return marks.map((mask, cell) => cells[cell] ? 0 : mask);
}
/* Eliminates what a symbol in a cell excludes. */
function exclude(puzzle, marks, cell, symbol) {
  if (!puzzle.excluded) {
    puzzle.excluded = new Map();
    for (const [one, other] of puzzle.exclusive) for (const [from, to] of [[one, other], [other, one]]) {
      puzzle.excluded.set(from, [...(puzzle.excluded.get(from) || []), to]);
    }
  }
  for (const peer of puzzle.peers[cell]) marks[peer] &= ~(1 << (symbol - 1));
  for (const other of puzzle.excluded.get(puzzle.side * cell + symbol - 1) || []) {
    marks[Math.floor(other / puzzle.side)] &= ~(1 << (other % puzzle.side));
  }
}

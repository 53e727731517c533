/* --- What a step looks like on a board: its cells and candidates in colours, its units shaded, its chains drawn. */

/* Of each cell that a step concerns: which parts it has in it, and the classes of its candidates. In a step with chains, other
   candidates of the reason, such as those of a set, stand beside its nodes. */
const noStep = { units: [], covers: [], sets: [], because: [], chains: [], eliminates: [], places: [] };
function rolesOf(step) {
  const roles = new Map();
  if (!step) return roles;
  const of = cell => {
    if (!roles.has(cell)) roles.set(cell, { marks: {} });
    return roles.get(cell);
  };
  for (const cell of step.units.flat()) of(cell).unit = true;
  for (const cell of step.covers.flat()) of(cell).cover = true;
  step.sets.forEach((cells, number) => cells.forEach(cell => of(cell)["set" + number % 2] = true));
  for (const [cell, symbol] of step.because) {
    of(cell).because = true;
    of(cell).marks[symbol] = step.chains.length ? "beside" : "because";
  }
  for (const node of step.chains.flat()) for (const cell of node.cells) {
    const name = node.true ? "on" : "off", { marks } = of(cell), before = marks[node.symbol];
    marks[node.symbol] = before && before !== "beside" && before !== name ? "both" : name;
  }
  for (const [name, list] of [["eliminates", step.eliminates], ["places", step.places]]) for (const [cell, symbol] of list) {
    of(cell)[name] = true;
    of(cell).marks[symbol] = name;
  }
  return roles;
}

/* The chains of a step as arrows between candidates. A link from a candidate that is false to one that is true is strong: one
   of the two must be true. A link from a true one to a false one is weak: both cannot be true. */
function drawnChains(step, puzzle, across) {
  const { side } = puzzle, down = Math.ceil(side / across), radius = .5 / across;
  const spot = (cell, symbol) => ({
    x: cell % side + ((symbol - 1) % across + .5) / across * .94 + .03,
    y: Math.floor(cell / side) + (Math.floor((symbol - 1) / across) + .5) / down * .94 + .03,
  });
  /* The ends of a link between groups: the cells that are nearest to each other. */
  const ends = (from, to) => {
    const pairs = from.cells.flatMap(one => to.cells.map(other => [spot(one, from.symbol), spot(other, to.symbol)]));
    const length = ([one, other]) => Math.hypot(one.x - other.x, one.y - other.y);
    return pairs.reduce((best, pair) => length(pair) < length(best) ? pair : best);
  };
  const drawn = [], known = new Set();
  for (const chain of step.chains) {
    for (const { cells, symbol } of chain.filter(node => node.cells.length > 1)) {
      const spots = cells.map(cell => spot(cell, symbol));
      drawn.push(shape("path", { class: "group", d: "M" + spots.map(one => one.x + " " + one.y).join("L") }));
    }
    for (const [from, to] of chain.flatMap(to => to.from.map(at => [chain[at], to]))) {
      const key = JSON.stringify([from, to]);
      if (!known.has(key)) drawn.push(...arrow(...ends(from, to), to.strong ? "strong" : "weak", radius));
      known.add(key);
    }
  }
  return drawn;
}
/* A link: bent a little, so that it does not lie on the candidates between its ends. */
function arrow(from, to, name, radius) {
  const dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy);
  if (length < 2.2 * radius) return [];
  const bend = length > 1 ? Math.min(.16 * length, .5) : 0, knee = { x: (from.x + to.x) / 2 - dy / length * bend, y: (from.y + to.y) / 2 + dx / length * bend };
  const towards = (one, other, by) => {
    const away = Math.hypot(other.x - one.x, other.y - one.y);
    return { x: one.x + (other.x - one.x) / away * by, y: one.y + (other.y - one.y) / away * by };
  };
  const start = towards(from, knee, radius), end = towards(to, knee, radius), size = Math.min(.15, length / 3), base = towards(end, knee, size);
  const side = { x: (end.y - base.y) * .45, y: (base.x - end.x) * .45 }, round = one => one.x.toFixed(3) + " " + one.y.toFixed(3);
  const path = "M" + round(start) + "Q" + round(knee) + " " + round(base);
  return [
    shape("path", { class: "halo", d: path }), shape("path", { class: name, d: path }),
    shape("path", { class: "tip", d: "M" + round(end) + "L" + round({ x: base.x + side.x, y: base.y + side.y }) + "L" + round({ x: base.x - side.x, y: base.y - side.y }) + "Z" }),
  ];
}

/* Only the colours that a step has. */
function drawLegend(list, step) {
  const line = name => shape("svg", { class: "drawing", viewBox: "0 0 16 8", "aria-hidden": "true" }, shape("path", { class: name, d: "M1 4H15" }));
  const swatch = name => element("i", undefined, { class: name });
  /* Only of two colours is a false node at a strong link's end. */
  const nodes = step ? step.chains.flat() : [], hasColours = nodes.some(node => node.strong && !node.true), hasLink = name => step.chains.some(chain => chain.some(node => node.from.length && node.strong === (name === "strong")));
  const entries = !step ? [] : [
    [swatch("place"), "placed", step.places.length], [swatch("strike"), "eliminated", step.eliminates.length],
    [swatch("on"), hasColours ? "colour A" : nodes.length ? "true" : "the reason", nodes.some(node => node.true) || (!nodes.length && step.because.length)],
    [swatch("beside"), "other reasons", nodes.length && step.because.some(([cell, symbol]) => !nodes.some(node => node.symbol === symbol && node.cells.includes(cell)))],
    [swatch("off"), hasColours ? "colour B" : "false", nodes.some(node => !node.true)],
    [line("strong"), "strong link", hasLink("strong")], [line("weak"), "weak link", hasLink("weak")],
    [swatch("unit"), step.units.length > 1 ? "units" : "unit", step.units.length], [swatch("cover"), "where it eliminates", step.covers.length],
    [swatch("set0"), step.sets.length > 1 ? "almost locked sets" : "almost locked set", step.sets.length],
  ];
  list.replaceChildren(...entries.filter(([, , isThere]) => isThere).map(([sign, word]) => element("li", undefined, {}, sign, word)));
}

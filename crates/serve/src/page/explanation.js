/* --- The explanation: steps as the server finds them, and the position before each. */

/* `start`: the cells and steps before the first one; `steps`; `at`: the step that is shown, or how many there are, for the end.
   `end` is null until the last line of the answer: before it there is no rating. */
let trail = null, stop = null;

const techniqueOptions = () => ({ unique: by("unique").checked, without: [...without] });
onClick("explain", async () => {
  if (!hasClues()) return say("Paste a puzzle, type clues, or try one of the examples first.", true);
  showTrail({ start: { cells: game.puzzle.cells, steps: [] }, steps: [], at: 0, end: null });
  const mine = trail;
  stop = new AbortController();
  say("Looking for the first step ...");
  by("forward").focus({ preventScroll: true });
  try {
    await lines("/api/explain", { ...ofCells(game.puzzle.cells), ...techniqueOptions() }, stop, message => {
      if (trail !== mine) return true;
      if (message.step) addStep(message.step);
      if (message.end) endTrail(message.end);
      return false;
    });
    if (trail === mine && !mine.end) say("The explanation broke off; is galop serve still running?", true);
  } catch (error) {
    if (trail === mine) say(error.message, true);
  }
});
function addStep(step) {
  trail.steps.push(step);
  by("steps").append(stepItem(step, trail.steps.length - 1));
  by("summary").textContent = plural(trail.steps.length, "step") + " so far, still working ...";
  if (trail.steps.length === 1) goTo(0);
  else showCount();
}
/* The last line. If the puzzle has no solution, it has only the steps that lead to the contradiction. */
function endTrail(end) {
  trail.end = end;
  if (end.steps) {
    trail.steps = end.steps;
    by("steps").replaceChildren(...end.steps.map(stepItem));
  }
  by("summary").replaceChildren(...(end.level ? [element("b", capital(end.level) + ", score " + end.score + ".")] : []), end.summary);
  goTo(Math.min(trail.at, trail.steps.length));
}
function stepItem(step, index) {
  /* Only the step that is shown is reached by the Tab key; the arrow keys go to the others. */
  const item = button(undefined, { tabindex: -1 }, () => goTo(index));
  item.append(element("span", index + 1), inSigns(step.text));
  return element("li", undefined, {}, item);
}

function showTrail(next) {
  leaveSteps();
  trail = next;
  by("explanation").hidden = Boolean(trail.isHint);
  by("steps").replaceChildren();
  by("summary").textContent = "";
  openDeck(true, !trail.isHint);
  if (!trail.isHint) return show();
  goTo(0);
  by("take").focus({ preventScroll: true });
}
/* Back to the game: the steps and a solution are not shown any more, and the server stops looking for further steps. */
function leaveSteps() {
  if (stop) stop.abort();
  stop = trail = solution = null;
  by("explanation").hidden = true;
  drawLegend(by("legend"), null);
  openDeck(false, false);
}
function openDeck(isOpen, hasSteps) {
  by("play-deck").hidden = isOpen;
  by("step-deck").hidden = !isOpen;
  by("stepper").hidden = !hasSteps;
}
onClick("close", () => {
  leaveSteps();
  say("");
  choose(chosen, true);
});

/* Shows step `number`; behind the last step, the end. */
function goTo(number) {
  const { steps, end } = trail;
  trail.at = Math.max(0, Math.min(number, end ? steps.length : steps.length - 1));
  const now = steps[trail.at];
  show();
  for (const one of by("steps").querySelectorAll("[aria-current]")) {
    one.removeAttribute("aria-current");
    one.tabIndex = -1;
  }
  const item = by("steps").children[trail.at];
  if (item) {
    item.firstChild.setAttribute("aria-current", "step");
    item.firstChild.tabIndex = 0;
    reveal(item, by("steps"));
  }
  showCount();
  if (now) sayStep(trail.isHint ? "Hint: " : "Step " + (trail.at + 1) + (end ? " of " + steps.length : "") + ": ", now);
  else if (end) say(end.text, !end.is_solved);
}
function showCount() {
  const { steps, at, end } = trail, count = steps.length;
  by("count").textContent = at < count ? at + 1 + " / " + count + (end ? "" : "…") : end ? "end" : "…";
  /* A button that is `disabled` would lose the focus. */
  for (const [name, isDone] of [["first", at === 0], ["back", at === 0], ["last", end && at === count], ["forward", end && at === count]]) {
    by(name).setAttribute("aria-disabled", Boolean(isDone));
  }
}
for (const [name, goal] of Object.entries({ first: () => 0, back: () => trail.at - 1, forward: () => trail.at + 1, last: () => trail.steps.length })) {
  by(name).addEventListener("click", () => goTo(goal()));
}

/* The position before a step of the trail. */
function positionAt(at) {
  const { puzzle } = game, { start, steps } = trail, cells = start.cells.slice();
  const marks = candidatesOf(puzzle, cells, trail.isHint ? game.gone : null);
  for (const step of [...start.steps, ...steps.slice(0, at)]) take(puzzle, cells, marks, step);
  return { cells, marks };
}
function take(puzzle, cells, marks, step) {
  for (const [cell, symbol] of step.eliminates) marks[cell] &= ~(1 << (symbol - 1));
  for (const [cell, symbol] of step.places) {
    cells[cell] = symbol;
    marks[cell] = 0;
    exclude(puzzle, marks, cell, symbol);
  }
}
function showStep(filter) {
  const { steps, at, end } = trail, now = steps[at] || null, { cells, marks } = positionAt(at);
  const bad = now || !end ? new Set() : new Set(end.bad);
  board.draw({ cells, marks, clues: game.puzzle.cells, filter, bad }, now);
  drawLegend(by("legend"), now);
}
/* The position that is shown becomes the game; after a hint, with its step. */
onClick("take", () => {
  const { puzzle } = game, position = solution ? { cells: solution, marks: puzzle.cells.map(() => 0) } : positionAt(trail.isHint ? trail.at + 1 : trail.at);
  const { cells, marks } = position, possible = candidatesOf(puzzle, cells, null);
  const notes = game.notes.map((mask, cell) => cells[cell] ? 0 : mask & (by("marks").value === "mine" ? marks[cell] : mask));
  change({ ...game, isEditing: false, entries: cells.map((symbol, cell) => puzzle.cells[cell] ? 0 : symbol), gone: possible.map((mask, cell) => cells[cell] ? 0 : mask & ~marks[cell]), notes });
  refresh();
  choose(chosen, true);
  say("You go on from here. Undo takes it back.");
});

/* The signs of a step as people write them. */
const inSigns = text => text.replaceAll("->", "→").replaceAll("<>", "≠");

/* A step in words. The name of its technique opens the page about it. */
function sayStep(before, { technique, text }) {
  say("");
  const name = button(technique, { class: "technique-name" }, () => openTechniques(technique));
  by("status").replaceChildren(before, name, ...withCellNames(text.slice(technique.length)));
}

/* --- Cell names in a text, such as r1c2, choose the cell. */
function withCellNames(text) {
  return inSigns(text).split(/(r\d+c\d+)/).map((part, index) => {
    if (index % 2 === 0) return part;
    return button(part, { class: "cell-name" }, () => {
      const [row, column] = part.slice(1).split("c").map(Number), place = board.places[(row - 1) * game.puzzle.side + column - 1];
      if (place) place.focus({ preventScroll: true });
    });
  });
}

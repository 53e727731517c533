/* --- The explanation: steps as the server finds them, and the position before each. */

/* `start`: the cells, the candidates that are gone, and steps before the first one; `steps`; `at`: the step that is shown, or how
   many there are, for the end. `end` is null until the last line of the answer: before it there is no rating. `isNow`: the steps
   are all possible at the start, a hint or (`isList`) all that were found. */
let trail = null, stop = null;

const NO_CLUES = "Paste a puzzle, type clues, or begin a new one first.";
const techniqueOptions = () => ({ unique: by("unique").checked, without: [...without] });
onClick("explain", async () => {
  if (!hasClues()) return say(NO_CLUES, true);
  showTrail({ start: { cells: game.puzzle.cells, gone: game.rules.crossed, steps: [] }, steps: [], at: 0, end: null });
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
  const isHint = trail.isNow && !trail.isList;
  by("explanation").hidden = isHint;
  by("explanation-title").textContent = trail.isList ? "All steps" : "Explanation";
  by("steps").replaceChildren(...trail.steps.map(stepItem));
  by("summary").textContent = "";
  openDeck(true, !isHint);
  trail.steps.length ? goTo(0) : show();
  if (trail.isNow) by("take").focus({ preventScroll: true });
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
  by("take").textContent = hasSteps && !trail.isNow ? "Play from this position" : solution ? "Fill it in" : "Do this step";
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
  if (now) sayStep(trail.isNow && !trail.isList ? "Hint: " : "Step " + (trail.at + 1) + (end || trail.isNow ? " of " + steps.length : "") + ": ", now);
  else if (end) say(end.text, !end.is_solved);
}
function showCount() {
  const { steps, at, end } = trail, count = steps.length;
  const isWhole = end || trail.isNow, isLast = isWhole && at === (end ? count : count - 1);
  by("count").textContent = at < count ? at + 1 + " / " + count + (isWhole ? "" : "…") : end ? "end" : "…";
  /* A button that is `disabled` would lose the focus. */
  for (const [name, isDone] of [["first", at === 0], ["back", at === 0], ["last", isLast], ["forward", isLast]]) {
    by(name).setAttribute("aria-disabled", Boolean(isDone));
  }
}
for (const [name, goal] of Object.entries({ first: () => 0, back: () => trail.at - 1, forward: () => trail.at + 1, last: () => trail.steps.length })) {
  by(name).addEventListener("click", () => goTo(goal()));
}

/* The position before a step of the trail. */
function positionAt(at) {
  const { puzzle } = game, { start, steps } = trail, cells = start.cells.slice();
  const marks = candidatesOf(puzzle, cells, start.gone);
  for (const step of [...start.steps, ...steps.slice(trail.isNow ? at : 0, at)]) take(puzzle, cells, marks, step);
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
/* What is shown becomes the game: a solution, the position before a step of the explanation, or a step that is possible now. */
onClick("take", () => {
  const { puzzle } = game, isStep = Boolean(trail?.isNow);
  const { cells, marks } = solution ? { cells: solution, marks: [] } : positionAt(trail.at);
  if (isStep) take(puzzle, cells, marks, trail.steps[trail.at]);
  const possible = candidatesOf(puzzle, cells, null);
  const notes = game.notes.map((mask, cell) => cells[cell] ? 0 : mask & (by("marks").value === "mine" ? marks[cell] : mask));
  const word = solution ? "Filled in." : isStep ? "The step is done." : "You play on from this position.";
  change({ ...game, isEditing: false, entries: cells.map((symbol, cell) => puzzle.cells[cell] ? 0 : symbol), gone: possible.map((mask, cell) => cells[cell] ? 0 : mask & ~marks[cell]), notes });
  choose(chosen, true);
  if (!cellsNow().includes(0)) return finish();
  refresh();
  say(word + " Undo takes it back.");
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

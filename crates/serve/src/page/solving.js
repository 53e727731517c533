/* --- Solutions: one, how many, one after the other. They are shown on top of the game, which stays as it is. */
let solution = null, list = null;

/* Asks the server; null if it refused or if the board has changed since. */
async function ask(path, body) {
  if (!game) return null;
  const here = game;
  try {
    const answer = await request("POST", path, body);
    return game === here ? answer : null;
  } catch (error) {
    /* The server does not keep the list of solutions any more: the next request begins again. */
    if (error.status === 410) list = null;
    if (game === here) say(error.message, true);
    return null;
  }
}
function showSolution(cells) {
  leaveSteps();
  solution = cells;
  openDeck(Boolean(cells), false);
  show();
}
onClick("solve", async () => {
  say("Searching ...");
  const answer = await ask("/api/solve", ofCells(game.puzzle.cells));
  if (!answer) return;
  const { status, reason } = answer, effort = " (" + plural(answer.guesses, "guess", "guesses") + ", " + time(answer.nanos) + ")";
  showSolution(answer.solution);
  say({
    solved: "Solved: this is the only solution" + effort + ".",
    multiple: "This is one of several solutions" + effort + ".",
    none: "No solution" + (reason ? ": " + reason : effort) + ".",
    limit: (answer.solution ? "This is a solution; whether there are others" : "Whether there is a solution") + " was not found out in the time of a request" + effort + ".",
  }[status], status === "none");
});
onClick("count-all", async () => {
  say("Counting ...");
  const answer = await ask("/api/count", ofCells(game.puzzle.cells));
  if (!answer) return;
  const words = plural(answer.solutions, "solution");
  say((answer.is_exact ? words : "At least " + words + ": the count stopped at its limit") + " (" + time(answer.nanos) + ").");
});
onClick("next", async () => {
  say("Searching ...");
  const answer = await ask("/api/next", list ? { list } : ofCells(game.puzzle.cells));
  if (!answer) return;
  if (answer.solution) {
    showSolution(answer.solution);
    say("Solution " + group(answer.number) + ".");
  } else if (answer.is_end) say(answer.number ? "There are no more: " + plural(answer.number, "solution") + ". The next one is the first again." : "No solution.", !answer.number);
  else say("No further solution was found yet. Press again to search on.");
  list = answer.list;
});

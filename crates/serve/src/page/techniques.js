/* --- Techniques: a list with switches, and a page for each with an example. `#t=NAME` opens a page. */
const without = new Set();
let techniques = null, example = null;
/* In a narrow window the list is folded, and the page about a technique is the first that one sees. */
const isNarrow = window.matchMedia("(max-width: 40rem)"), fold = () => by("technique-fold").open = !isNarrow.matches;
isNarrow.addEventListener("change", fold);

onClick("techniques-open", () => openTechniques());
by("techniques-close").addEventListener("click", () => by("techniques").close());
by("techniques").addEventListener("close", () => {
  history.replaceState(null, "", game ? link() : location.pathname);
});
async function openTechniques(name) {
  try {
    techniques = techniques || await request("GET", "/api/techniques");
  } catch (error) {
    return say(error.message, true);
  }
  if (!by("techniques").open) by("techniques").showModal();
  fold();
  listTechniques();
  showTechnique(name && techniques.some(one => one.name === name) ? name : techniques[0].name);
}
function openAddressedTechnique() {
  const name = new URLSearchParams(location.hash.slice(1)).get("t");
  if (name) openTechniques(name);
}
function listTechniques() {
  const groups = [...new Set(techniques.map(one => one.level))], all = isOn => () => {
    for (const { name } of techniques) isOn ? without.delete(name) : without.add(name);
    listTechniques();
    keep();
  };
  by("technique-list").replaceChildren(
    element("p", "Only the ticked ones are used in explanations and hints.", { class: "soft small" }),
    element("div", undefined, { class: "row" }, button("All", {}, all(true)), button("None", {}, all(false))),
    ...groups.flatMap(level => [element("h3", capital(level)), ...techniques.filter(one => one.level === level).map(row)]),
  );
}
function row({ name }) {
  const box = element("input", undefined, { type: "checkbox", "aria-label": "Use " + name });
  box.checked = !without.has(name);
  box.addEventListener("change", () => {
    box.checked ? without.delete(name) : without.add(name);
    keep();
  });
  return element("div", undefined, { class: "technique" }, element("label", undefined, { class: "beside" }, box), button(capital(name), { "data-name": name }, () => openTechniques(name)));
}
async function showTechnique(name) {
  for (const one of by("technique-list").querySelectorAll("[data-name]")) {
    if (one.dataset.name === name) {
      one.setAttribute("aria-current", "true");
      reveal(one, by("technique-fold"));
    } else one.removeAttribute("aria-current");
  }
  history.replaceState(null, "", location.pathname + "#" + new URLSearchParams({ t: name }));
  let one;
  try {
    one = await request("GET", "/api/technique/" + encodeURIComponent(name));
  } catch (error) {
    return by("technique").replaceChildren(element("p", error.message, { class: "bad-text" }));
  }
  const at = techniques.findIndex(other => other.name === name), other = (step, word) => {
    const target = techniques[at + step], made = button(word, {}, () => showTechnique(target.name));
    made.disabled = !target;
    return made;
  };
  const facts = capital(one.level) + ", score " + one.score + (one.needs_uniqueness ? "; used only if uniqueness techniques are allowed" : "") + ".";
  const parts = [element("h3", capital(name)), element("p", facts, { class: "soft" }), ...one.description.split("\n\n").map(text => element("p", text))];
  if (one.example) {
    const { puzzle, position, step } = one.example, host = element("div", undefined, { role: "img", "aria-label": "Example: " + step.text });
    const legend = element("ul", undefined, { class: "colours" });
    example = new Board(host, false);
    example.take(puzzle);
    example.draw({ ...position, clues: puzzle.cells }, step);
    drawLegend(legend, step);
    parts.push(host, legend, element("p", "Example: " + inSigns(step.text) + "."));
    const leave = act => () => {
      by("techniques").close();
      act();
    };
    const fresh = one.has_puzzles ? [button("New puzzle that needs it", {}, leave(() => newPuzzle(name)))] : [];
    parts.push(element("div", undefined, { class: "row" }, button("Open this puzzle", {}, leave(() => {
      setKinds({ kind: puzzle.kind, map: "", alphabet: "" });
      by("text").value = line(puzzle.cells, puzzle.symbols);
      readPuzzle();
    })), ...fresh));
  }
  by("technique").replaceChildren(...parts, element("div", undefined, { class: "tools" }, other(-1, "◀\uFE0E Previous"), other(1, "Next ▶\uFE0E")));
  by("technique").scrollTop = 0;
}

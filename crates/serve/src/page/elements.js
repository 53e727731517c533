/* --- Elements of the page, words, and requests to the server. */
const by = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function element(name, text, attributes, ...children) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
function button(text, attributes, act) {
  const made = element("button", text, { type: "button", ...attributes });
  made.addEventListener("click", act);
  return made;
}
/* An element of a drawing. Its look comes from its class: the policy of the page forbids style attributes. */
function shape(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/* Scrolls a list, and only the list, so that `item` is in sight: the board stays where it is. */
function reveal(item, list) {
  const above = item.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  if (above < list.scrollTop || above + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = above - list.clientHeight / 3;
}

const group = number => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const plural = (count, word, words = word + "s") => group(count) + " " + (count === 1 ? word : words);
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
const time = nanos => nanos < 1e6 ? Math.round(nanos / 1e3) + " µs" : (nanos / 1e6).toFixed(1) + " ms";

function say(text, isBad) {
  by("status").replaceChildren(...withCellNames(text));
  by("status").classList.toggle("bad-text", Boolean(isBad));
}

/* A menu closes after a choice, at a click elsewhere, and by Escape. */
for (const menu of document.querySelectorAll(".menu")) {
  const summary = menu.firstElementChild;
  document.addEventListener("click", event => { if (!summary.contains(event.target)) menu.open = false; });
  menu.addEventListener("keydown", event => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
}

/* --- Requests. An unreadable puzzle is answered with 200 and an `error`: it is no fault of the page. */
async function send(method, path, body, signal) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  try {
    return await fetch(path, { method, headers, body: JSON.stringify(body), signal });
  } catch (fault) {
    if (signal && signal.aborted) throw fault;
    throw new Error("the server does not answer; is galop serve still running?");
  }
}
async function request(method, path, body) {
  const response = await send(method, path, body);
  const json = await response.json();
  if (json.error !== undefined) throw Object.assign(new Error(json.error), { status: response.status });
  return json;
}
/* Calls `take` with each line of an answer that comes line by line, until it returns true. Leaving the answer ends the work
   of the server. */
async function lines(path, body, stop, take) {
  const response = await send("POST", path, body, stop.signal);
  if (!response.ok) throw new Error((await response.json()).error);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (message.error) throw new Error(message.error);
      if (take(message)) return stop.abort();
    }
  }
}

/* --- One action at a time. An action waits for the puzzle that is being read: a click right after a paste is not lost. */
let reading = Promise.resolve(), typing = 0, whenTyped = null;
function afterTyping(act, wait) {
  clearTimeout(typing);
  whenTyped = act;
  typing = setTimeout(readTyped, wait);
}
function readTyped() {
  clearTimeout(typing);
  const act = whenTyped;
  whenTyped = null;
  if (act) reading = act();
  return reading;
}
const onClick = (id, act) => by(id).addEventListener("click", async () => {
  await readTyped();
  act();
});

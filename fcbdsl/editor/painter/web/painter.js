// The page of the map painter. It sends strokes, and draws the state that comes back.
const $ = id => document.getElementById(id);
function el(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) typeof value === "function" ? made.addEventListener(key, value) : made.setAttribute(key, value);
  made.append(...inside);
  return made;
}
const NS = "http://www.w3.org/2000/svg";
function shape(name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
const DRAWN = { brush: "B", line: "L", fill: "F", ring: "R", mark: "M", side: "S" };
const GRAPH = { brush: "B", mark: "M", path: "P", place: "A", title: "N", remove: "X" };
const kit = () => state.graph ? GRAPH : DRAWN;
let state, tool = "brush", chosen = { content: 0, mark: 0, side: 0, path: 0, place: 0 }, added = [], stroke = [], anchor = null, rows = null, busy = Promise.resolve();

const say = (word, part = "") => state.texts[word].replace("{0}", part);

// Talking to fcb.

async function ask(path, body) {
  const answer = await fetch(path + location.search, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
  const found = await answer.json();
  if (found.refused) {
    await load();
    $("here").textContent = found.refused;
    return;
  }
  rows = state && rows !== null ? state.rows : found.rows;
  show(found);
}
async function load() {
  const answer = await fetch("state" + location.search), found = await answer.json();
  if (found.refused) { $("here").textContent = found.refused; return; }
  rows = state ? state.rows : found.rows;
  show(found);
}
/** Send one after the other, each for the text that the one before has left. */
const send = (path, body) => { busy = busy.then(() => ask(path, body && { ...body, seal: state.seal })).catch(() => { if (state) $("here").textContent = say("lost"); }); };

// Drawing.

const contents = () => [{ glyph: ".", words: [] }, ...state.palette, ...added];
/** The directions of a path; `way` is null for no path. */
const ways = () => [...state.graph.ways.map(({ way, title }) => ({ way, glyph: way, words: [title] })), { way: "", words: [say("without-way")] }, { way: null, words: [say("no-path")] }];
function choices() {
  if (tool === "mark") return [...(state.graph ? state.terrains : []), ...state.marks, ...state.tokens].map(word => ({ words: [word] }));
  if (tool === "path" || tool === "place") return ways();
  if (tool === "title" || tool === "remove") return [];
  if (tool === "side") return [{ words: [] }, ...state.barriers.map(word => ({ words: [word] }))];
  return contents();
}
const kind = () => tool in chosen ? tool : "content";
const said = words => words.join(", ") || say(tool === "side" ? "nothing" : "plain");
function show(found) {
  const focus = document.activeElement?.getAttribute?.("data-focus");
  state = found;
  added = added.filter(one => !state.palette.some(other => said(other.words) === said(one.words)));
  document.title = state.title;
  $("title").textContent = state.title;
  $("keys").textContent = say(state.graph ? "keys-graph" : "keys");
  $("file").textContent = `${state.file}:${state.row}`;
  $("undo").disabled = !state.undo;
  $("redo").disabled = !state.redo;
  $("names").replaceChildren(...[...state.terrains, ...state.marks, ...state.tokens].map(value => el("option", { value })));
  if (!(tool in kit())) tool = "brush";
  if (anchor && !state.cells.some(one => one.id === anchor)) anchor = null;
  names();
  tools();
  draw();
  const wrong = new Set(state.problems.flatMap(one => one.spaces));
  for (const made of $("plan").querySelectorAll(".space")) made.classList.toggle("wrong", wrong.has(made.dataset.space));
  $("problems").replaceChildren(...state.problems.map(one => el("li", { class: one.severity }, `${one.code}: ${one.text}`, el("small", {}, `${say("at-line", one.line)}${one.help ? ". " + one.help : ""}`))), ...(state.problems.length ? [] : [el("li", {}, say("none"))]));
  $("text").replaceChildren(...state.rows.flatMap((row, at) => [el("b", {}, String(state.row + at).padStart(4) + "  "), rows && !rows.includes(row) ? el("span", { class: "new" }, row) : row, "\n"]));
  if (focus) $("plan").querySelector(`[data-focus="${focus}"]`)?.focus();
}
function tools() {
  $("tool").replaceChildren($("tool").firstElementChild, ...Object.entries(kit()).map(([name, key]) => {
    const radio = el("input", { type: "radio", name: "tool", value: name, change: () => take(name) });
    radio.checked = name === tool;
    return el("label", {}, radio, say(name), el("kbd", {}, key));
  }));
  $("size").hidden = tool !== "ring";
  $("palette").hidden = !choices().length;
  $("entry").hidden = Boolean(state.graph) && !["brush", "mark"].includes(tool);
  $("call").hidden = tool !== "place" && tool !== "title";
  $("palette").replaceChildren($("palette").firstElementChild, ...choices().map((one, at) => {
    const radio = el("input", { type: "radio", name: "paint", value: String(at), change: () => { chosen[kind()] = at; } });
    radio.checked = at === chosen[kind()];
    return el("label", {}, radio, ...(one.glyph ? [el("code", {}, one.glyph)] : []), said(one.words));
  }));
}
function take(name) {
  tool = name;
  anchor = null;
  stroke = [];
  fill();
  tools();
  $("plan").classList.toggle("sides", tool === "side");
  $("plan").classList.toggle("paths", tool === "path");
  for (const made of $("plan").querySelectorAll(".stroke")) made.classList.remove("stroke");
}
/** The fields for the titles of a place, one for each language. */
function names() {
  if (!state.graph || $("call").querySelector("input")) return;
  $("call").prepend(...state.graph.languages.map(language => el("label", {}, `${say("title")} (${language})`, el("input", { name: language, lang: language, autocomplete: "off", maxlength: "60" }))));
}
const fields = () => [...$("call").querySelectorAll("input")];
const titles = () => Object.fromEntries(fields().map(one => [one.name, one.value.trim()]));
function fill() { for (const one of fields()) one.value = (tool === "title" && state.graph.titles[anchor]?.[one.name]) || ""; }
function draw() {
  const plan = $("plan");
  plan.innerHTML = state.svg;
  const drawing = plan.querySelector("svg"), [width, height] = [Number(state.width), Number(state.height)];
  drawing.setAttribute("viewBox", `-3 -3 ${width + 6} ${height + 6}`);
  drawing.insertBefore(shape("rect", { class: "paper", x: -3, y: -3, width: width + 6, height: height + 6 }), drawing.firstChild);
  drawing.querySelector("title")?.remove();
  drawing.setAttribute("role", "group");
  state.cells.forEach((cell, at) => {
    const made = shape("path", { d: cell.path, class: "space", "data-space": cell.id, "data-focus": cell.id, role: "button", tabindex: at ? "-1" : "0", "aria-label": `${cell.id}: ${said(cell.words)}` });
    made.addEventListener("pointerdown", event => { made.focus(); event.preventDefault(); begin(cell.id); });
    made.addEventListener("pointerenter", event => { if (event.buttons & 1) drag(cell.id); });
    made.addEventListener("focus", () => { $("here").textContent = made.getAttribute("aria-label"); });
    if (cell.id === anchor) made.classList.add("stroke");
    drawing.append(made);
  });
  /** A point between two places: the spaces would hide the ends of a path. */
  const between = (first, second, share) => { const [a, b] = [first, second].map(id => state.cells.find(one => one.id === id)); return ["x", "y"].map(way => a[way] * (1 - share) + b[way] * share).join(" "); };
  for (const link of state.graph?.links ?? []) {
    const name = `${link.first}/${link.second}`;
    const made = shape("path", { d: `M${between(link.first, link.second, .36)}L${between(link.first, link.second, .64)}`, class: "edge", "data-focus": name, role: "button", tabindex: "0", "aria-label": [link.first, link.way, link.second].filter(Boolean).join(" ") });
    made.addEventListener("pointerdown", () => join(link.first, link.second));
    made.addEventListener("focus", () => { $("here").textContent = made.getAttribute("aria-label"); });
    drawing.insertBefore(made, drawing.querySelector(".space"));
  }
  for (const edge of state.edges) {
    const name = `${edge.first}/${edge.second}`;
    const made = shape("path", { d: edge.path, class: "edge", "data-focus": name, role: "button", tabindex: "0", "aria-label": `${name}: ${edge.barrier || say("open")}` });
    made.addEventListener("pointerdown", () => side(edge));
    made.addEventListener("focus", () => { $("here").textContent = made.getAttribute("aria-label"); });
    drawing.append(made);
  }
  plan.classList.toggle("sides", tool === "side");
  plan.classList.toggle("paths", tool === "path");
}

// Strokes.

const path = id => $("plan").querySelector(`.space[data-space="${id}"]`);
const paint = () => choices()[chosen[kind()]] || choices()[0];
function join(first, second) {
  const { way } = paint();
  send("stroke", way === null ? { tool: "disconnect", spaces: [first, second] } : { tool: "path", spaces: [first, second], way });
}
/** Add a place with the typed titles, with a path from the chosen place. */
function add() {
  const { way } = paint(), from = way === null || !anchor ? "" : anchor;
  if (!Object.values(titles()).some(Boolean)) {
    $("here").textContent = say("name-first");
    return fields()[0].focus();
  }
  send("stroke", { tool: "place", from, way: way ?? "", titles: titles(), words: (contents()[chosen.content] ?? { words: [] }).words });
  fill();
}
/** Choose a place for the next click, or for the form. */
function mark(id, word) {
  anchor = id;
  for (const made of $("plan").querySelectorAll(".stroke")) made.classList.remove("stroke");
  path(id).classList.add("stroke");
  $("here").textContent = say(word, id);
}
function begin(id) {
  if ((tool === "line" || tool === "path") && anchor === null) return mark(id, tool === "line" ? "line-from" : "path-from");
  if (tool === "path") {
    const from = anchor;
    take("path");
    return from === id ? undefined : join(from, id);
  }
  if (tool === "remove") return send("stroke", { tool, spaces: [id] });
  if (tool === "place") { mark(id, "path-from"); return add(); }
  if (tool === "title") {
    mark(id, "title-of");
    fill();
    return fields()[0].focus();
  }
  if (tool === "line") return end([anchor, id]);
  if (tool === "brush" || tool === "mark") return drag(id);
  end([id]);
}
function drag(id) {
  if (!["brush", "mark"].includes(tool) || stroke.includes(id)) return;
  stroke.push(id);
  path(id).classList.add("stroke");
}
function end(spaces) {
  stroke = [];
  anchor = null;
  if (!spaces.length) return;
  if (tool === "mark") {
    const word = paint().words[0], first = state.cells.find(one => one.id === spaces[0]);
    return send("stroke", { tool: "brush", spaces, mark: word, on: !first.words.includes(word) });
  }
  send("stroke", { tool, spaces, words: paint().words, radius: Number($("radius").value) });
}
const side = edge => send("stroke", { tool: "side", spaces: [edge.first, edge.second], barrier: paint().words[0] || "" });
addEventListener("pointerup", () => { if (stroke.length) end(stroke); });
$("undo").addEventListener("click", () => send("undo", {}));
$("redo").addEventListener("click", () => send("redo", {}));
$("call").addEventListener("submit", event => {
  event.preventDefault();
  if (tool === "place") return add();
  if (anchor) send("stroke", { tool: "title", spaces: [anchor], titles: titles() });
});
$("entry").addEventListener("submit", event => {
  event.preventDefault();
  const words = $("words").value.split(",").map(one => one.trim()).filter(Boolean);
  if (!words.length) return;
  take(kind() === "content" ? tool : "brush");
  const known = contents().findIndex(one => said(one.words) === said(words));
  if (known < 0) added.push({ glyph: say("new"), words });
  chosen.content = known < 0 ? contents().length - 1 : known;
  $("words").value = "";
  tools();
});

// Keys.

const WALKS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function walk([right, down]) {
  const from = state.cells.find(one => one.id === document.activeElement.dataset.space) || state.cells[0];
  const cost = one => {
    const x = one.x - from.x, y = one.y - from.y, along = x * right + y * down;
    return along > 0.5 ? (x * x + y * y) / along : Infinity;
  };
  const to = state.cells.reduce((best, one) => cost(one) < cost(best) ? one : best);
  path(cost(to) === Infinity ? from.id : to.id).focus();
}
document.addEventListener("keydown", event => {
  if (!state || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=radio])")) return;
  const key = event.key, at = document.activeElement, name = Object.keys(kit()).find(one => kit()[one] === key.toUpperCase());
  if (key in WALKS && (at.dataset?.space || at === document.body)) walk(WALKS[key]);
  else if ((key === "Enter" || key === " ") && at.dataset?.space) { begin(at.dataset.space); if (stroke.length) end(stroke); }
  else if ((key === "Enter" || key === " ") && at.classList.contains("edge")) state.graph ? join(...at.dataset.focus.split("/")) : side(state.edges.find(one => `${one.first}/${one.second}` === at.dataset.focus));
  else if (/^[1-9]$/.test(key) && choices()[Number(key) - 1]) { chosen[kind()] = Number(key) - 1; tools(); }
  else if (name) take(name);
  else if (key === "u" && state.undo) send("undo", {});
  else if (key === "y" && state.redo) send("redo", {});
  else if (key === "Escape") { anchor = null; stroke = []; fill(); draw(); }
  else return;
  event.preventDefault();
});
addEventListener("focus", () => { if (state) busy = busy.then(load).catch(() => {}); });
load();

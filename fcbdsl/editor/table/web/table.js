// @ts-check
// The table of one game. It draws the views that it is sent, and sends the numbers of choices.
import { Board, PLAYERS, svg } from "./board.js";

const $ = id => (document.getElementById(id));
/** An element; functions listen, other attributes are set. */
function el(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside.filter(one => one !== "" && one !== null && one !== undefined));
  return made;
}
const [para, bold, head] = ["p", "b", "h3"].map(name => (...inside) => el(name, {}, ...inside));
const press = (attributes, ...inside) => el("button", { type: "button", ...attributes }, ...inside);
const say = (word, ...parts) => (hello.words[word] || word).replace(/\{(\d)\}/g, (_, at) => parts[at] ?? "");

const page = document.body.dataset;
let hello, view, dressing, board, socket;
let log = [], filter = null, noted = "", dressed = "";
/** What the table has foretold of this position: odds by choice, ways to further spaces, and the choice looked at. `pointed`: a space that was tapped once. */
let pointed = -1, odds = new Map(), ways = [], aimed = -1, asking = 0;
const touch = matchMedia("(pointer: coarse)");
const send = message => { if (socket && socket.readyState === 1) socket.send(JSON.stringify(message)); };
const choose = choice => { filter = null; send({ t: "choose", n: view.n, choice }); };
const takeBack = () => send({ t: "undo", n: view.n });
const stored = (name, value) => { try { if (value !== undefined) localStorage.setItem(name, value); return localStorage.getItem(name); } catch { return null; } };

// The connection.

/** In a shared file the game is in the page (`alone.js`). */
const alone = globalThis.fcbAlone;
async function enter() {
  const token = location.hash.slice(1);
  if (token && !alone) {
    await fetch("enter", { method: "POST", body: token });
    history.replaceState(null, "", location.pathname);
  }
  connect();
}
function connect() {
  const wanted = stored("fcb-language") || "";
  const address = `ws://${location.host}${location.pathname}table?language=${encodeURIComponent(wanted)}`;
  socket = alone ? alone.open(wanted) : new WebSocket(address);
  socket.addEventListener("message", async event => {
    const message = JSON.parse(event.data);
    queue = queue.then(() => receive(message));
  });
  socket.addEventListener("close", () => cut());
}
let queue = Promise.resolve();
async function receive(message) {
  if (message.t === "hello") await greet(message);
  else if (message.t === "view") show(message);
  else if (message.t === "refused") { noted = message.text; notice(); }
  else if (view && message.n === view.n && message.t === "odds") { odds.set(message.choice, message); foretell(); }
  else if (view && message.n === view.n && message.t === "why-not") lacks(message.rows ?? []);
  else if (view && message.n === view.n && message.t === "ways") { ways = message.ways || []; paint(); }
}
function cut() {
  if (alone) {
    page.cut = "lost";
    $("asked").textContent = page.trouble;
    $("why").textContent = socket.trouble;
    return;
  }
  if (!hello) {
    page.cut = "token";
    $("asked").textContent = "Open the link that fcb printed. · Ouvrez le lien que fcb a affiché.";
    return;
  }
  page.cut = "lost";
  $("asked").textContent = say("cut");
  $("why").textContent = "";
  $("choices").replaceChildren(press({ click: () => { delete page.cut; connect(); } }, say("again")));
  $("turn").textContent = "";
}

async function greet(message) {
  hello = message;
  document.documentElement.lang = hello.language;
  document.title = hello.mission;
  $("title").textContent = hello.mission;
  if (hello.dressing && hello.dressing !== dressed) {
    dressing = alone ? await alone.dressing(hello.dressing) : await (await fetch("dressing/" + hello.dressing)).json();
    dressed = hello.dressing;
    document.querySelectorAll("style.dressing").forEach(one => one.remove());
    document.head.append(el("style", { class: "dressing" }, dressing.fonts), el("style", { class: "dressing" }, dressing.style));
    $("sprite").innerHTML = dressing.sprite;
    board = dressing.board ? new Board($("plan"), dressing, onSpace, onLook) : null;
    if (board) document.body.style.setProperty("--tall", String(Number(dressing.board.height) / Number(dressing.board.width)));
  }
  dressing = dressing || { looks: {}, tokens: {}, barriers: {}, tracks: {}, passages: [], board: null };
  log = [];
  frame();
}

/** All that changes with the language alone. */
function frame() {
  $("skip").textContent = say("skip");
  $("board-title").textContent = say("board");
  $("log-title").textContent = say("log");
  $("hand-title").textContent = say("cards");
  $("hand").setAttribute("aria-label", say("cards"));
  $("log").setAttribute("aria-label", say("log"));
  $("board").setAttribute("aria-label", say("board"));
  $("side").setAttribute("aria-label", say("question"));
  $("sheet").setAttribute("aria-label", say("mission"));
  $("sheet").replaceChildren(el("h2", {}, dressing.title || hello.mission), ...dressing.passages.flatMap(one => [head(one.title), html(one.html)]));
  $("tabs").setAttribute("aria-label", say("table"));
  $("tabs").replaceChildren(...["board", "cards", "log", "mission"].map(tab => press({ "data-tab": tab, click: () => turn(tab) }, say(tab))));
  const speak = el("select", { "aria-label": say("language"), change: event => { stored("fcb-language", event.target.value); send({ t: "speak", language: event.target.value }); } },
    ...hello.languages.map(one => el("option", { value: one, selected: one === hello.language }, one)));
  const own = !alone ? [] : [["new-game", "↺", () => { if (confirm(say("new-game-why"))) socket.fresh(); }], ["save-log", "⤓", () => socket.save()]]
    .map(([word, sign, click]) => press({ id: word, title: say(word), "aria-label": say(word), click }, sign));
  $("tools").replaceChildren(...(hello.languages.length > 1 ? [speak] : []), ...own, press({ title: say("mission"), "aria-label": say("mission"), click: mission }, "M"), press({ title: say("help"), "aria-label": say("help"), click: help }, "?"));
  turn(page.tab || "board");
}
const html = text => { const made = el("div", {}); made.innerHTML = text; return made; };
function turn(tab) {
  page.tab = tab;
  $("sheet").hidden = tab !== "mission";
  for (const one of $("tabs").children) one.toggleAttribute("aria-current", one.getAttribute("data-tab") === tab);
}
const mission = () => turn(page.tab === "mission" ? "board" : "mission");

// A view.

function show(message) {
  const before = view;
  view = message;
  filter = null;
  fill(view, ["told"]);
  view.start ??= 0;
  if (view.start > log.length) { send({ t: "log" }); }
  log = [...log.slice(0, view.start), ...view.told];
  const question = scene().question;
  if (!before || before.n !== view.n) { noted = ""; pointed = -1; odds = new Map(); ways = []; }
  aimed = -1;
  if (question?.yours && board && view.curtain === undefined && !ways.length) send({ t: "ways", n: view.n });
  curtain();
  header();
  ask();
  paint();
  tell();
  hands();
  const yours = question?.yours;
  document.title = (yours ? "● " : "") + hello.mission;
  page.n = String(view.n);
  page.state = scene().outcome !== undefined ? "over" : yours ? "asked" : "waiting";
}
/** Set lists that a message leaves out when they are empty. */
const LISTS = ["spaces", "sides", "pieces", "tracks", "players", "gauges", "states", "piles", "left", "tokens", "cards", "marks", "tiers", "choices", "why", "causes"];
function fill(one, lists = LISTS) {
  for (const name of lists) one[name] ??= [];
  for (const inner of Object.values(one)) if (inner && typeof inner === "object") for (const below of Array.isArray(inner) ? inner : [inner]) if (below && typeof below === "object") fill(below);
}
const scene = () => view.scene;
const choices = () => scene().question?.choices || [];
const seats = () => view.sitting !== undefined ? [view.sitting] : view.curtain !== undefined ? [] : hello.seats;
const cellName = space => dressing.board ? dressing.board.cells[space].name : String(space + 1);

function curtain() {
  const dialog = ($("curtain"));
  if (view.curtain === undefined) { if (dialog.open) dialog.close(); return; }
  const name = nameOf(view.curtain);
  dialog.querySelector("h2").textContent = say("hand-over", name);
  dialog.querySelector("p").textContent = say("hand-over-why", name);
  const button = (dialog.querySelector("button"));
  button.textContent = say("sit", name);
  button.onclick = () => send({ t: "sit", seat: view.curtain });
  dialog.oncancel = event => event.preventDefault();
  if (!dialog.open) dialog.showModal();
  button.focus();
}
function nameOf(seat) {
  const player = scene().players.find(one => one.seat === seat);
  const own = scene().pieces.filter(one => one.player === seat).map(one => one.name);
  return player ? player.name + (own.length && own.length < 4 ? ` (${own.join(", ")})` : "") : String(seat + 1);
}

const raised = text => text.slice(0, 1).toLocaleUpperCase(hello.language) + text.slice(1);
function header() {
  const state = scene(), question = state.question;
  const status = state.outcome !== undefined ? state.outcome : question?.yours ? say("your-turn")
    : view.moving ? say("bot-moves") : question ? say("waiting", question.asked) : "";
  $("turn").className = state.outcome !== undefined ? "over" : question?.yours ? "yours" : "";
  if ($("turn").textContent !== status) $("turn").textContent = status;
  $("turn").title = status;
  const goals = dressing.passages.filter(one => one.goal).map(one => el("div", {}, bold(one.title + " "), ...html(one.html).childNodes));
  const facts = [...state.left.map(one => [one.name, one.count]), ...state.gauges.map(one => [one.name, one.value])];
  const left = facts.length || state.step ? [el("div", { class: "left" }, ...(state.step ? [bold(state.step), " · "] : []), ...facts.flatMap(([name, count], at) => [at ? " · " : "", raised(name) + " ", bold(String(count))]), ...state.states.map(one => " · " + one))] : [];
  $("goals").replaceChildren(...goals, ...left);
  $("tracks").replaceChildren(...state.tracks.map(track));
}
function track(one) {
  const look = dressing.tracks[one.look] || [], marks = new Set([...one.marks, ...one.tiers.map(tier => tier.at)]);
  const next = [...marks].filter(at => at > one.value).sort((a, b) => a - b)[0];
  const step = look.find(entry => entry.at.includes(next)), tier = one.tiers.find(entry => entry.at === next);
  const on = one.tiers.filter(entry => entry.on).map(entry => entry.name).join(", ");
  const told = next === undefined ? "" : `${say("next-at", String(next))}: ${step ? step.text : tier ? tier.name : ""}`;
  const short = one.high - one.low <= 20;
  const title = `${one.name} ${one.value}/${one.high}` + (on ? ` (${on})` : "");
  return el("div", { class: "track" }, bold(one.name + (on ? ` – ${on}` : ""), short ? "" : `${one.value}/${one.high}`),
    short ? el("div", { role: "img", "aria-label": `${title}. ${told}` }, ...Array.from({ length: one.high - one.low + 1 }, (_, k) => k + one.low).map(k =>
      el("i", { class: [(k <= one.value && k > one.low) ? "on" : "", marks.has(k) ? "marked" : "", k === one.value ? "now" : ""].join(" ") }, String(k)))) : "",
    told ? el("p", { title: told }, told) : "");
}

// The question.

function where(choice) {
  const target = choice.target;
  if (!target) return undefined;
  if (target.space !== undefined) return target.space;
  const actor = scene().pieces.find(one => one.key === target.actor);
  return target.card === undefined && actor ? actor.space : undefined;
}
function ask() {
  const state = scene(), question = state.question, all = choices();
  if (page.cut) delete page.cut;
  $("asked").textContent = state.outcome !== undefined ? state.outcome : !question ? "" : question.yours ? question.text : view.moving ? `${question.asked}: ${say("bot-moves")}` : say("waiting", question.asked);
  $("why").textContent = question?.yours ? question.why.join("\n") : hello.seats.length ? "" : say("watching");
  const kept = all.map((choice, at) => ({ choice, at })).filter(({ at }) => !filter || filter.includes(at));
  const actors = new Set(kept.map(({ choice }) => choice.target?.actor).filter(Boolean));
  const made = [];
  let group = null;
  kept.forEach(({ choice, at }, place) => {
    const actor = choice.short && choice.target?.actor;
    if (actor && actors.size > 1 && actor !== group) made.push(head((scene().pieces.find(one => one.key === actor) || {}).name || ""));
    group = actor || group;
    made.push(button(choice, at, place, Boolean(actor)));
  });
  const named = kept.filter(({ choice }) => !choice.quiet);
  $("choices").className = named.length > 3 && named.every(({ choice }) => choice.target && ["piece", "card", "look", "player", "actor"].every(key => choice.target[key] === undefined) && choice.target.space !== undefined) ? "short" : "";
  $("choices").replaceChildren(...made);
  notice();
}
function notice() {
  const question = scene().question, undo = view.undo === "yes";
  const acts = [];
  if (filter) acts.push(press({ click: () => { filter = null; ask(); } }, say("other-options")));
  if (hello.seats.length) acts.push(press({ id: "undo", disabled: !undo, title: undo ? "" : view.because, click: takeBack }, `↶ ${say("take-back")} `, el("kbd", {}, "U")));
  if (hello.reasons && question?.yours && question.choices.some(one => one.short || one.quiet)) acts.push(press({ id: "why-not", click: whyNot }, say("why-not") + " ", el("kbd", {}, "W")));
  if (view.note) acts.push(el("p", { role: "status" }, view.note));
  if (noted) acts.push(el("p", { role: "alert" }, noted));
  else if (!undo && question?.yours && view.because) acts.push(para(view.because));
  $("acts").replaceChildren(...acts);
}
function icon(look, colour) {
  const made = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  if (look?.drawing && look.drawing !== "plain") made.append(svg("use", { href: "#drawing-" + look.drawing }));
  if (colour) made.style.color = colour;
  return made;
}
function button(choice, at, place, grouped) {
  const target = choice.target || {};
  const piece = scene().pieces.find(one => one.key === target.piece) || scene().pieces.find(one => one.key === target.actor);
  const look = dressing.looks[target.look || (piece?.look) || ""];
  const facts = [];
  if (target.piece && piece) {
    if (piece.space !== undefined) facts.push(cellName(piece.space));
    facts.push(...piece.gauges.filter(one => one.high !== undefined).map(one => `${one.name} ${one.value}/${one.high}`), ...piece.states);
  }
  const space = where(choice);
  const aim = on => {
    if (board && space !== undefined) board.point(space, on);
    if (on && look?.face) read(target.look || piece.look); else if (!on) read("");
    aimAt(on ? at : -1);
  };
  return press({ "data-choice": String(at), class: choice.quiet ? "quiet" : "", click: () => choose(at), mouseenter: () => aim(true), mouseleave: () => aim(false), focus: () => aim(true), blur: () => aim(false) },
    look && look.drawing !== "plain" ? icon(look) : "",
    el("span", {}, grouped && choice.short ? choice.short : choice.label, facts.length ? el("small", {}, facts.join(" · ")) : ""),
    place < 9 ? el("kbd", { "aria-hidden": "true" }, String(place + 1)) : el("span", {}));
}
// What a choice leads to.

/** Look at a choice: ask for its odds after a moment, and show them. */
function aimAt(choice) {
  aimed = choice;
  clearTimeout(asking);
  foretell();
  const n = view.n;
  if (choice >= 0 && !odds.has(choice)) asking = setTimeout(() => { if (view.n === n && aimed === choice) send({ t: "odds", n, choice }); }, 140);
}
function foretell() {
  const known = aimed >= 0 ? odds.get(aimed) : undefined, rows = (known?.rows) || [];
  $("odds").hidden = !rows.length;
  if (board) board.foretell(rows, scene());
  if (!rows.length) return;
  $("odds").replaceChildren(head(say(known.tries ? "odds" : "sure")), ...rows.map(row => known.tries ? el("div", { class: "chance" }, row.text,
    el("meter", { min: "0", max: "100", value: String(row.share), "aria-hidden": "true" }), bold(`${row.share} %`)) : para(row.text)),
  known.more ? para(say("odds-more", String(known.more))) : "", known.tries ? el("small", {}, say("odds-why", String(known.tries))) : "");
}
const whyNot = () => send({ t: "why-not", n: view.n });
function lacks(rows) {
  $("choices").querySelector("#lacks")?.remove();
  const made = el("section", { id: "lacks", tabindex: "-1" }, head(say("not-possible")), ...rows.map(row => para(bold(`${row.actor}: ${row.action}`), say("lacks", row.reasons.join("; ")))), rows.length ? "" : para(say("empty")));
  $("choices").append(made);
  made.focus();
}
/** The ways to a space that is several decisions away, of pieces that may act. */
const waysTo = space => ways.filter(one => one.space === space);
function onSpace(space, event) {
  const here = bySpace().get(space), far = waysTo(space)[0];
  if (!here && far) return walking(far, event);
  if (!here) { filter = null; ask(); return; }
  if (here.length === 1 && !(event.pointerType === "touch" || (touch.matches && event.detail))) return choose(here[0]);
  if (here.length === 1 && filter?.length === 1 && filter[0] === here[0]) return choose(here[0]);
  filter = here;
  turn("board");
  ask();
  if (board) { board.cells.forEach((_, at) => board.point(at, at === space)); }
  const first = ($("choices").querySelector("button"));
  if (first) first.focus({ preventScroll: false });
}
function walking(far, event) {
  const tapped = event.pointerType === "touch" || (touch.matches && event.detail);
  if (!tapped || pointed === far.space) { pointed = -1; return send({ t: "walk", n: view.n, piece: far.piece, space: far.space }); }
  pointed = far.space;
  board.cells.forEach((_, at) => board.point(at, at === far.space));
  noted = `${cellName(far.space)}: ${say("steps", String(far.steps))}. ${say("tap-again")}`;
  notice();
}
const onLook = space => { const here = bySpace().get(space) || []; aimAt(here.length === 1 ? here[0] : -1); };
function bySpace() {
  const out = new Map();
  choices().forEach((choice, at) => {
    const space = where(choice);
    if (space !== undefined) out.set(space, [...(out.get(space) || []), at]);
  });
  return out;
}

// The board.

function onThere(space) {
  const here = scene().pieces.filter(one => one.space === space).map(one => [one.name, ...one.gauges.map(g => `${g.name} ${g.value}${g.high ? "/" + g.high : ""}`), ...one.states].join(" "));
  const lying = scene().spaces.filter(one => one.space === space).flatMap(one => [...(one.ground ? [one.ground] : []), ...one.tokens.map(t => t.count > 1 ? `${t.name} ${t.count}` : t.name), ...one.states]);
  return [...here, ...lying];
}
function paint() {
  if (!board) { $("plan").textContent = ""; return; }
  const by = bySpace(), all = choices();
  const acting = new Set(all.map(one => one.target?.actor).filter(Boolean));
  board.cells.forEach((_, at) => board.point(at, false));
  const far = new Map(ways.map(one => [one.space, one.steps]));
  board.paint(scene(), { choices: by, far, acting, seats: seats(), describe: space => {
    const what = onThere(space).join(", ");
    const does = by.has(space) ? by.get(space).map(at => all[at].label) : far.has(space) ? [say("steps", String(far.get(space)))] : [];
    return `${cellName(space)}${what ? ": " + what : ""}. ${does.join("; ")}`;
  } });
  board.drawing.setAttribute("aria-label", say("board"));
}
function walk(step) {
  const lit = [...new Set([...bySpace().keys(), ...ways.map(one => one.space)])].sort((a, b) => a - b);
  if (!lit.length || !board) return;
  const at = lit.findIndex(space => board.cells[space].hit === document.activeElement);
  const from = at < 0 ? null : board.cells[lit[at]];
  let to = lit[0];
  if (from) {
    const ahead = lit.map(space => ({ space, x: board.cells[space].x - from.x, y: board.cells[space].y - from.y }))
      .filter(one => one.x * step[0] + one.y * step[1] > 0.5)
      .sort((a, b) => (a.x ** 2 + a.y ** 2) * (1 + off(a, step)) - (b.x ** 2 + b.y ** 2) * (1 + off(b, step)));
    if (ahead.length) to = ahead[0].space; else return;
  }
  for (const space of lit) board.cells[space].hit.setAttribute("tabindex", space === to ? "0" : "-1");
  board.cells[to].hit.focus();
}
const off = (one, step) => { const along = one.x * step[0] + one.y * step[1]; return ((one.x ** 2 + one.y ** 2) - along ** 2) / Math.max(along ** 2, 1); };

// The log.

function tell() {
  const fresh = view.fresh || 0;
  const lines = log.map((one, at) => one.level ? el("li", { class: "head" + (one.level === 1 ? " part" : "") }, one.text)
    : el("li", { class: at >= fresh ? "fresh" : "", style: `--depth:${one.depth || 0}` }, one.text,
      one.causes.length ? el("details", {}, el("summary", {}, say("why")), one.causes.join(" ← ")) : ""));
  if (fresh > 0 && fresh < lines.length) lines.splice(fresh, 0, el("li", { class: "head since" }, say("since")));
  $("told").replaceChildren(...lines);
  $("log").scrollTop = $("log").scrollHeight;
}

// Hands.

function read(look) {
  const known = look && dressing.looks[look];
  $("reader").hidden = !(known?.face);
  if (known?.face) $("reader").innerHTML = known.face;
}
const reading = look => ({ mouseenter: () => read(look), mouseleave: () => read(""), focus: () => read(look), blur: () => read("") });
function gauge(one) {
  if (one.high !== undefined) {
    const pips = one.high <= 6 ? "●".repeat(Math.max(0, one.value)) + "○".repeat(Math.max(0, one.high - one.value)) : "";
    return el("div", { class: "gauge" }, el("i", {}, raised(one.name)), pips ? el("span", { class: "pips", "aria-hidden": "true" }, pips) : el("meter", { min: "0", max: String(one.high), value: String(one.value), "aria-label": one.name }), `${one.value}/${one.high}`);
  }
  return el("div", { class: "gauge" }, el("i", {}, raised(one.name)), el("span", {}), String(one.value));
}
function card({ one, count, can }) {
  const look = dressing.looks[one.look];
  const face = look?.face ? html(look.face) : el("span", { class: "plain" }, one.name);
  if (look?.face) { face.className = "faces"; face.setAttribute("aria-hidden", "true"); face.inert = true; }
  const states = one.states.join(", ");
  return press({ class: "held" + (can.length ? " can" : ""), ...reading(one.look),
    click: () => { if ((can.length === 1 || can.length === count) && !touch.matches) choose(can[0]); else if (can.length) { filter = can; turn("board"); ask(); } else { read(one.look); } } }, el("span", { class: "unseen" }, one.name), face, count > 1 ? el("span", { class: "copies" }, `×${count}`) : "", states ? el("span", { class: "tell" }, states) : "");
}
/** Cards with equal cards as one: the first of them, with their number and all their choices. */
function alike(cards, byCard = new Map()) {
  const out = new Map();
  for (const one of cards) {
    const can = byCard.get(one.key) || [], name = JSON.stringify([one.look, one.name, one.states, can.length > 0]);
    const known = out.get(name);
    if (known) { known.count += 1; known.can.push(...can); } else out.set(name, { one, count: 1, can: [...can] });
  }
  return [...out.values()];
}
function hidden(pile) {
  return el("span", { role: "img", "aria-label": say("face-down", String(pile.count)) }, ...Array.from({ length: Math.min(pile.count, 6) }, () => el("span", { class: "back" })), ` ${pile.count}`);
}
const isOpen = pile => pile.open !== false;
function listed(piles) {
  return piles.map(pile => para(bold(raised(pile.name) + " "), ...(isOpen(pile) ? [...(pile.count > pile.cards.length ? [`${pile.count}: … `] : []), ...alike(pile.cards).map(({ one, count }) => press({ class: "chip", ...reading(one.look), click: () => read(one.look) }, one.name + (count > 1 ? ` ×${count}` : "") + (one.states.length ? ` (${one.states.join(", ")})` : "")))] : [hidden(pile)])));
}
function hands() {
  read("");
  const state = scene(), mine = seats(), byCard = new Map();
  choices().forEach((choice, at) => { const key = choice.target?.card; if (key) byCard.set(key, [...(byCard.get(key) || []), at]); });
  const { players, pieces } = state;
  const own = [...players.filter(one => mine.includes(one.seat) && one.piles.length + one.gauges.length + one.states.length), ...pieces.filter(one => mine.includes(one.player))];
  const fans = piles => piles.map(pile => el("div", { class: "pile" }, el("h4", { title: pile.name }, `${pile.name} ${pile.count}`), isOpen(pile) ? el("div", { class: "fan" }, ...alike(pile.cards, byCard).map(card)) : hidden(pile)));
  $("mine").replaceChildren(...own.map(one => el("article", { class: "own" }, el("div", {}, head(one.name), ...one.gauges.map(gauge), one.states.length ? el("p", { class: "states" }, one.states.join(" · ")) : ""), el("div", { class: "piles" }, ...fans(one.piles)))));
  const others = players.filter(one => !mine.includes(one.seat)).map(one => {
    const theirs = pieces.filter(piece => piece.player === one.seat);
    return el("article", { class: "mate" }, head(dot(one.seat), one.name, el("small", {}, say(hello.bots.includes(one.seat) ? "bot" : "person"))), ...facts(one), ...theirs.flatMap(piece => [para(bold(piece.name + " "), [...piece.gauges.map(g => `${g.name} ${g.value}${g.high ? "/" + g.high : ""}`), ...piece.states].join(" · ")), ...listed(piece.piles)]), ...listed(one.piles));
  });
  const rest = pieces.filter(one => one.player === undefined && one.piles.some(pile => isOpen(pile) || one.space === undefined));
  others.push(...rest.map(one => el("article", { class: "mate" }, head(one.name), ...listed(one.piles))));
  const piles = state.piles;
  if (piles.length) others.push(el("article", { class: "mate" }, head(say("table")), ...listed(piles)));
  $("others").replaceChildren(...others);
}
const dot = seat => { const made = el("span", { class: "seat-dot" }); made.style.background = PLAYERS[seat % PLAYERS.length]; return made; };
const facts = one => [...one.gauges, ...one.states].length ? [para([...one.gauges.map(g => `${g.name} ${g.value}`), ...one.states].join(" · "))] : [];

// Keys.

function talk(...inside) {
  const dialog = ($("talk"));
  dialog.querySelector("div").replaceChildren(...inside);
  const button = (dialog.querySelector("button"));
  button.textContent = say("close");
  button.onclick = () => dialog.close();
  dialog.showModal();
}
const help = () => talk(el("h2", {}, say("help")), para(say("keys")), alone ? para(say("alone-why")) : "");
function inWords() {
  const cells = dressing.board ? dressing.board.cells : [];
  const lines = cells.map((cell, space) => [cell.name, onThere(space)]).filter(([, what]) => what.length).map(([name, what]) => say("here", name, what.join(", ")));
  talk(el("h2", {}, say("board")), el("pre", {}, lines.join("\n") || say("empty")));
}
const WALKS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", event => {
  const at = (event.target);
  if (!view || event.ctrlKey || event.metaKey || event.altKey || at.closest("input, select, dialog[open]")) return;
  const key = event.key;
  if (/^[1-9]$/.test(key)) { const made = $("choices").querySelectorAll("button")[Number(key) - 1]; if (made) made.click(); }
  else if (key in WALKS && !at.closest("#log, #hand, #sheet")) walk(WALKS[key]);
  else if ((key === "Enter" || key === " ") && at.classList.contains("hit")) onSpace(Number(at.getAttribute("data-space")), event);
  else if (key === "u" || key === "U") { if (view.undo === "yes") takeBack(); }
  else if (key === "l") { turn("log"); $("log").focus(); }
  else if (key === "c") { turn("cards"); $("hand").focus(); }
  else if (key === "m") mission();
  else if (key === "b") inWords();
  else if (key === "w") $("why-not")?.click();
  else if (key === "?") help();
  else if (key === "Escape") { filter = null; turn("board"); ask(); }
  else return;
  event.preventDefault();
});
document.addEventListener("click", event => { if (!((event.target)).closest(".held, .chip")) read(""); });
enter();

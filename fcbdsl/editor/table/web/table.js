// The table of one game. It draws the views that it is sent, and sends the numbers of choices.
import { Board, PLAYERS, facts, fill, icon } from "./board.js";

const $ = id => document.getElementById(id), put = (id, ...inside) => $(id).replaceChildren(...inside);
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
const hover = call => Object.fromEntries(["mouseenter", "focus", "mouseleave", "blur"].map((name, at) => [name, () => call(at < 2)]));
const press = (attributes, ...inside) => el("button", { type: "button", ...attributes }, ...inside);
const say = (word, ...parts) => (hello.words[word] || word).replace(/\{(\d)\}/g, (_, at) => parts[at] ?? "");

const page = document.body.dataset;
let hello, view, dressing, board, socket;
let log = [], filter = null, noted = "", dressed = "";
/** What the table has foretold of this position; the choice looked at; `pointed`: a space that was tapped once. */
let pointed = -1, odds = new Map(), ways = [], aimed = -1, asking = 0;
const touch = matchMedia("(pointer: coarse)");
const tapped = event => event.pointerType === "touch" || (touch.matches && event.detail);
function send(message) {
  if (socket?.readyState !== 1) return;
  socket.send(JSON.stringify(message));
  if (!alone && ANSWERED.includes(message.t)) waiting ||= setTimeout(drop, SILENCE);
}
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
/** Commands that the table answers at once, within so many milliseconds. */
const ANSWERED = ["choose", "undo", "walk", "sit", "proceed", "turn"], SILENCE = 15000;
let waiting, retrying, lost = 0;
function connect() {
  clearTimeout(retrying);
  const wanted = stored("fcb-language") || "";
  const address = `ws://${location.host}${location.pathname}table?changes&language=${encodeURIComponent(wanted)}`;
  const link = socket = alone ? alone.open(wanted) : new WebSocket(address);
  link.addEventListener("message", event => {
    waiting = clearTimeout(waiting);
    if (link === socket) queue = queue.then(() => receive(JSON.parse(event.data)));
  });
  link.addEventListener("close", () => { if (link === socket) drop(); });
}
/** Give up the present connection, and show that. */
function drop() {
  waiting = clearTimeout(waiting);
  const former = socket;
  socket = null;
  former?.close?.();
  queue = queue.then(() => cut(former));
}
/** Connect again, unless the table no longer knows this browser. */
async function retry() {
  clearTimeout(retrying);
  const answer = await fetch("enter", { cache: "no-store" }).catch(() => null);
  if (answer?.status === 403) return strange();
  if (page.cut && !socket) answer ? connect() : cut();
}
function strange() {
  page.cut = "token";
  put("asked", hello ? say("new-link") : "Open the link that fcb printed. · Ouvrez le lien que fcb a affiché.");
  put("turn");
  put("why");
}
let queue = Promise.resolve();
/** Apply the changes of an object or a list (see `json_changes`). */
function changed(old, changes) {
  if (!(old instanceof Object) || !(changes instanceof Object) || Array.isArray(changes)) return changes;
  const { splice, ...values } = changes, made = Array.isArray(old) ? [...old] : { ...old };
  if (splice) made.splice(...splice);
  for (const [key, value] of Object.entries(values)) value === null ? delete made[key] : made[key] = changed(made[key], value);
  return made;
}
async function receive(message) {
  if (message.t === "hello") await greet(message);
  else if (message.t === "view") show(message);
  else if (message.t === "change") show({ ...changed(view, message.changes), start: message.start, told: message.told });
  else if (message.t === "refused") { noted = message.text; notice(); }
  else if (message.n !== view?.n) return;
  else if (message.t === "odds") { odds.set(message.choice, message); foretell(); }
  else if (message.t === "why-not") lacks(message.rows ?? []);
  else { ways = message.ways || []; paint(); }
}
function cut(former) {
  page.cut = "lost";
  if (alone) {
    put("asked", page.trouble);
    return put("why", former.trouble);
  }
  if (!hello) return strange();
  page.state = "cut";
  put("asked", say("cut"));
  put("why");
  put("odds");
  $("curtain").close();
  put("turn", say("retry"));
  put("choices", press({ click: retry }, say("again")));
  put("acts");
  if (view) { scene().question = null; ways = []; paint(); hands(); }
  retrying = setTimeout(retry, Math.min(500 * 2 ** lost++, 8000));
}
for (const event of ["online", "focus"]) addEventListener(event, () => { if (page.cut === "lost" && !alone) retry(); });
// Another link in the same window changes only the fragment.
addEventListener("hashchange", () => { if (!$(location.hash.slice(1))) location.reload(); });
addEventListener("offline", () => { if (socket && !alone) drop(); });

async function greet(message) {
  hello = message;
  lost = 0;
  document.documentElement.lang = hello.language;
  put("title", hello.mission);
  if (hello.dressing && hello.dressing !== dressed) {
    dressing = alone ? await alone.dressing(hello.dressing) : await (await fetch("dressing/" + hello.dressing)).json();
    dressed = hello.dressing;
    document.querySelectorAll("style.dressing").forEach(one => one.remove());
    document.head.append(el("style", { class: "dressing" }, dressing.fonts), el("style", { class: "dressing" }, dressing.style));
    $("sprite").innerHTML = dressing.sprite;
    board = dressing.board ? new Board($("plan"), dressing, onSpace, onLook) : null;
    if (board) document.body.style.setProperty("--tall", dressing.board.height / dressing.board.width);
  }
  dressing ||= { looks: {}, tracks: {}, passages: [] };
  log = [];
  frame();
}

function frame() {
  for (const one of document.querySelectorAll("[data-word]")) one.textContent = say(one.dataset.word);
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", say(one.dataset.label));
  put("sheet", el("h2", {}, dressing.title || hello.mission), ...dressing.passages.flatMap(one => [head(one.title), html(one.html)]));
  put("tabs", ...["board", "cards", "log", "mission"].map(tab => press({ "data-tab": tab, click: () => turn(tab) }, say(tab))));
  const speak = el("select", { "aria-label": say("language"), change: event => { stored("fcb-language", event.target.value); send({ t: "speak", language: event.target.value }); } },
    ...hello.languages.map(one => el("option", { value: one, selected: one === hello.language }, one)));
  const own = alone ? [["new-game", "↺", () => { if (confirm(say("new-game-why"))) socket.fresh(); }], ["save-log", "⤓", () => socket.save()]] : [];
  put("tools", ...(hello.languages.length > 1 ? [speak] : []), ...[...own, ["mission", "M", mission], ["help", "?", help]].map(([word, sign, click]) => press({ id: word, title: say(word), "aria-label": say(word), click }, sign)));
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
  document.title = (question?.yours ? "● " : "") + hello.mission;
  page.n = view.n;
  page.state = scene().outcome !== undefined ? "over" : question?.yours ? "asked" : "waiting";
}
const scene = () => view.scene;
const pieceOf = key => scene().pieces.find(one => one.key === key);
const choices = () => scene().question?.choices || [];
const seats = () => view.sitting !== undefined ? [view.sitting] : view.curtain !== undefined ? [] : hello.seats;
const cellName = space => dressing.board?.cells[space].name ?? space + 1;

/** Open a dialog with one button. */
function open(dialog, act, click, ...inside) {
  dialog.querySelector("div").replaceChildren(...inside);
  const button = dialog.querySelector("button");
  button.textContent = act;
  button.onclick = click;
  if (!dialog.open) dialog.showModal();
  button.focus();
}
$("curtain").addEventListener("cancel", event => event.preventDefault());
function curtain() {
  const seat = view.curtain;
  if (seat === undefined) return $("curtain").close();
  const name = nameOf(seat);
  open($("curtain"), say("sit", name), () => send({ t: "sit", seat }), el("h2", {}, say("hand-over", name)), para(say("hand-over-why", name)));
}
function nameOf(seat) {
  const own = scene().pieces.filter(one => one.player === seat).map(one => one.name);
  return scene().players.find(one => one.seat === seat).name + (own.length && own.length < 4 ? ` (${own.join(", ")})` : "");
}

const raised = text => text.slice(0, 1).toLocaleUpperCase(hello.language) + text.slice(1);
function header() {
  const state = scene(), question = state.question;
  const over = state.outcome, yours = question?.yours;
  const status = over ?? (yours ? say("your-turn") : view.moving ? say("bot-moves") : question ? say("waiting", question.asked) : "");
  $("turn").className = over !== undefined ? "over" : yours ? "yours" : "";
  if ($("turn").textContent !== status) $("turn").textContent = status;
  $("turn").title = status;
  const goals = dressing.passages.filter(one => one.goal).map(one => el("div", {}, bold(one.title + " "), ...html(one.html).childNodes));
  const counted = [...state.left.map(one => [one.name, one.count]), ...state.gauges.map(one => [one.name, one.value])];
  const left = counted.length || state.step ? [el("div", { class: "left" }, ...(state.step ? [bold(state.step), " · "] : []), ...counted.flatMap(([name, count], at) => [at ? " · " : "", raised(name) + " ", bold(count)]), ...state.states.map(one => " · " + one))] : [];
  put("goals", ...goals, ...left);
  put("tracks", ...state.tracks.map(track));
}
function track(one) {
  const look = dressing.tracks[one.look] || [], marks = new Set([...one.marks, ...one.tiers.map(tier => tier.at)]);
  const next = [...marks].filter(at => at > one.value).sort((a, b) => a - b)[0];
  const step = look.find(entry => entry.at.includes(next)), tier = one.tiers.find(entry => entry.at === next);
  const on = one.tiers.filter(entry => entry.on).map(entry => entry.name).join(", ");
  const told = next === undefined ? "" : `${say("next-at", next)}: ${step ? step.text : tier ? tier.name : ""}`;
  const short = one.high - one.low <= 20, title = one.name + (on ? ` – ${on}` : ""), value = `${one.value}/${one.high}`;
  const steps = Array.from({ length: one.high - one.low + 1 }, (_, at) => at + one.low);
  return el("div", { class: "track" }, bold(title, short ? "" : value),
    short ? el("div", { role: "img", "aria-label": `${title} ${value}. ${told}` }, ...steps.map(k =>
      el("i", { class: (k <= one.value && k > one.low ? "on " : "") + (marks.has(k) ? "marked " : "") + (k === one.value ? "now" : "") }, k))) : "",
    told ? el("p", { title: told }, told) : "");
}

// The question.

function where(choice) {
  const target = choice.target || {};
  return target.space ?? (target.card === undefined ? pieceOf(target.actor)?.space : undefined);
}
function ask() {
  const state = scene(), question = state.question;
  delete page.cut;
  put("asked", state.outcome ?? (!question ? "" : question.yours ? question.text : view.moving ? `${question.asked}: ${say("bot-moves")}` : say("waiting", question.asked)));
  put("why", question?.yours ? question.why.join("\n") : hello.seats.length ? "" : say("watching"));
  const kept = choices().map((choice, at) => ({ choice, at })).filter(({ at }) => !filter || filter.includes(at));
  const actors = new Set(kept.map(({ choice }) => choice.target?.actor).filter(Boolean));
  const made = [];
  let group = null;
  kept.forEach(({ choice, at }, place) => {
    const actor = choice.short && choice.target?.actor;
    if (actor && actors.size > 1 && actor !== group) made.push(head(pieceOf(actor)?.name || ""));
    group = actor || group;
    made.push(button(choice, at, place, Boolean(actor)));
  });
  const named = kept.filter(({ choice }) => !choice.quiet);
  $("choices").className = named.length > 3 && named.every(({ choice }) => Object.keys(choice.target || {}).join() === "space") ? "short" : "";
  if (view.proceed) made.push(press({ click: () => send({ t: "proceed", n: view.n }) }, say("proceed")));
  put("choices", ...made);
  notice();
}
/** Show only some choices; null: all of them. */
function only(some) {
  filter = some;
  turn("board");
  ask();
}
function notice() {
  const question = scene().question, undo = view.undo === "yes", acts = [];
  if (filter) acts.push(press({ click: () => only(null) }, say("other-options")));
  if (hello.seats.length) acts.push(press({ id: "undo", disabled: !undo, title: undo ? "" : view.because, click: takeBack }, `↶ ${say("take-back")} `, el("kbd", {}, "U")));
  if (hello.reasons && question?.yours && question.choices.some(one => one.short || one.quiet)) acts.push(press({ id: "why-not", click: () => send({ t: "why-not", n: view.n }) }, say("why-not") + " ", el("kbd", {}, "W")));
  for (const one of view.turns || []) acts.push(press({ "data-key": one.key, click: () => send({ t: "turn", n: view.n, step: one.step }) }, one.text + " ", el("kbd", {}, one.key)));
  if (view.note) acts.push(el("p", { role: "status" }, view.note));
  if (noted) acts.push(el("p", { role: "alert" }, noted));
  else if (!undo && question?.yours && view.because) acts.push(para(view.because));
  put("acts", ...acts);
}
function button(choice, at, place, grouped) {
  const target = choice.target || {};
  const piece = pieceOf(target.piece) || pieceOf(target.actor);
  const name = target.look || piece?.look, look = dressing.looks[name], space = where(choice);
  const about = target.piece && piece ? [...(piece.space !== undefined ? [cellName(piece.space)] : []), ...facts(piece)] : [];
  const aim = on => {
    board?.point(space, on);
    read(on && !touch.matches ? name : "");
    aimAt(on ? at : -1);
  };
  return press({ "data-choice": at, class: choice.quiet ? "quiet" : "", click: () => choose(at), ...hover(aim) },
    icon(look),
    el("span", {}, grouped && choice.short ? choice.short : choice.label, about.length ? el("small", {}, about.join(" · ")) : ""),
    place < 9 ? el("kbd", { "aria-hidden": "true" }, place + 1) : el("span", {}));
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
  const known = aimed >= 0 ? odds.get(aimed) : undefined, rows = known?.rows || [];
  $("odds").hidden = !rows.length;
  if (board) board.foretell(rows, scene());
  if (!rows.length) return;
  put("odds", head(say(known.tries ? "odds" : "sure")), ...rows.map(row => known.tries ? el("div", { class: "chance" }, row.text,
    el("meter", { min: 0, max: 100, value: row.share, "aria-hidden": "true" }), bold(`${row.share} %`)) : para(row.text)),
  known.more ? para(say("odds-more", known.more)) : "", known.tries ? el("small", {}, say("odds-why", known.tries)) : "");
}
function lacks(rows) {
  $("lacks")?.remove();
  const made = el("section", { id: "lacks", tabindex: "-1" }, head(say("not-possible")), ...rows.map(row => para(bold(`${row.actor}: ${row.action}`), say("lacks", row.reasons.join("; ")))), rows.length ? "" : para(say("empty")));
  $("choices").append(made);
  made.focus();
}
function onSpace(space, event) {
  const here = bySpace().get(space), far = ways.find(one => one.space === space);
  if (!here) return far ? walking(far, event) : only(null);
  if (here.length === 1 && (!tapped(event) || filter?.length === 1 && filter[0] === here[0])) return choose(here[0]);
  only(here);
  board.aim(space);
  $("choices").querySelector("button")?.focus();
}
function walking(far, event) {
  if (!tapped(event) || pointed === far.space) return send({ t: "walk", n: view.n, piece: far.piece, space: far.space });
  pointed = far.space;
  board.aim(far.space);
  noted = `${cellName(far.space)}: ${say("steps", far.steps)}. ${say("tap-again")}`;
  notice();
}
const onLook = space => { const here = bySpace().get(space) || []; aimAt(here.length === 1 ? here[0] : -1); };
/** The numbers of the choices by what `of` returns for them. */
function sorted(of) {
  const out = new Map();
  choices().forEach((choice, at) => {
    const key = of(choice);
    if (key !== undefined) out.set(key, [...(out.get(key) || []), at]);
  });
  return out;
}
const bySpace = () => sorted(where);

// The board.

function onThere(space) {
  const here = scene().pieces.filter(one => one.space === space).map(one => [one.name, ...facts(one)].join(" "));
  const lying = scene().spaces.filter(one => one.space === space).flatMap(one => [one.ground, ...one.tokens.map(t => t.count > 1 ? `${t.name} ${t.count}` : t.name), ...one.states].filter(Boolean));
  return [...here, ...lying];
}
function paint() {
  if (!board) {
    const lists = [["kept", view.kept], ["so-far", view.history]].filter(([, lines]) => lines?.length);
    put("plan", el("div", { class: "journey" }, ...lists.flatMap(([word, lines]) => [head(say(word)), el("ul", {}, ...lines.map(line => el("li", {}, line)))])));
    return;
  }
  const by = bySpace(), all = choices();
  const acting = new Set(all.map(one => one.target?.actor).filter(Boolean));
  board.aim(-1);
  const far = new Map(ways.map(one => [one.space, one.steps]));
  board.paint(scene(), { choices: by, far, acting, seats: seats(), describe: space => {
    const what = onThere(space).join(", ");
    const does = by.has(space) ? by.get(space).map(at => all[at].label) : far.has(space) ? [say("steps", far.get(space))] : [];
    return `${cellName(space)}${what ? ": " + what : ""}. ${does.join("; ")}`;
  } });
  board.drawing.setAttribute("aria-label", say("board"));
}
/** Focus the next lit space in a direction. */
function walk([right, down]) {
  const lit = [...new Set([...bySpace().keys(), ...ways.map(one => one.space)])].sort((a, b) => a - b);
  if (!lit.length || !board) return;
  const { cells } = board, from = cells[lit.find(space => cells[space].hit === document.activeElement)];
  const cost = space => {
    const x = cells[space].x - from.x, y = cells[space].y - from.y, along = x * right + y * down;
    return along > 0.5 ? (x * x + y * y) / along : Infinity;
  };
  const to = from ? lit.reduce((best, one) => cost(one) < cost(best) ? one : best) : lit[0];
  if (from && cost(to) === Infinity) return;
  for (const space of lit) cells[space].hit.setAttribute("tabindex", space === to ? 0 : -1);
  cells[to].hit.focus();
}

// The log.

function tell() {
  const fresh = view.fresh || 0;
  const lines = log.map((one, at) => one.level ? el("li", { class: one.level === 1 ? "head part" : "head" }, one.text)
    : el("li", { class: at >= fresh ? "fresh" : "", style: `--depth:${one.depth || 0}` }, one.text,
      one.causes.length ? el("details", {}, el("summary", {}, say("why")), one.causes.join(" ← ")) : ""));
  if (fresh > 0 && fresh < lines.length) lines.splice(fresh, 0, el("li", { class: "head since" }, say("since")));
  put("told", ...lines);
  $("log").scrollTop = 1e9;
}

// The log shows its end.
new ResizeObserver(() => { $("log").scrollTop = 1e9; }).observe($("log"));

// Hands.

function read(look) {
  const face = dressing.looks[look]?.face;
  $("reader").hidden = !face;
  $("reader").innerHTML = face || "";
}
const reading = look => hover(on => read(on ? look : ""));
function gauge(one) {
  if (one.high !== undefined) {
    const pips = one.high <= 6 ? "●".repeat(Math.max(0, one.value)) + "○".repeat(Math.max(0, one.high - one.value)) : "";
    return el("div", { class: "gauge" }, el("i", {}, raised(one.name)), pips ? el("span", { class: "pips", "aria-hidden": "true" }, pips) : el("meter", { min: 0, max: one.high, value: one.value, "aria-label": one.name }), `${one.value}/${one.high}`);
  }
  return el("div", { class: "gauge" }, el("i", {}, raised(one.name)), el("span", {}), one.value);
}
function card({ one, count, can }) {
  const look = dressing.looks[one.look];
  const face = look?.face ? html(look.face) : el("span", { class: "plain" }, one.name);
  if (look?.face) { face.className = "faces"; face.setAttribute("aria-hidden", "true"); face.inert = true; }
  const states = one.states.join(", ");
  return press({ class: "held" + (can.length ? " can" : ""), ...reading(one.look),
    click: () => { if ((can.length === 1 || can.length === count) && !touch.matches) choose(can[0]); else if (can.length) only(can); else read(one.look); } }, el("span", { class: "unseen" }, one.name), face, count > 1 ? el("span", { class: "copies" }, `×${count}`) : "", states ? el("span", { class: "tell" }, states) : "");
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
  return el("span", { role: "img", "aria-label": say("face-down", pile.count) }, ...Array.from({ length: Math.min(pile.count, 6) }, () => el("span", { class: "back" })), ` ${pile.count}`);
}
const isOpen = pile => pile.open !== false;
function listed(piles) {
  return piles.map(pile => para(bold(raised(pile.name) + " "), ...(isOpen(pile) ? [...(pile.count > pile.cards.length ? [`${pile.count}: … `] : []), ...alike(pile.cards).map(({ one, count }) => press({ class: "chip", ...reading(one.look), click: () => read(one.look) }, one.name + (count > 1 ? ` ×${count}` : "") + (one.states.length ? ` (${one.states.join(", ")})` : "")))] : [hidden(pile)])));
}
function hands() {
  read("");
  const state = scene(), mine = seats(), byCard = sorted(choice => choice.target?.card);
  const { players, pieces } = state;
  const own = [...players.filter(one => mine.includes(one.seat) && one.piles.length + one.gauges.length + one.states.length), ...pieces.filter(one => mine.includes(one.player))];
  const fans = piles => piles.map(pile => el("div", { class: "pile" }, el("h4", { title: pile.name }, `${pile.name} ${pile.count}`), isOpen(pile) ? el("div", { class: "fan" }, ...alike(pile.cards, byCard).map(card)) : hidden(pile)));
  put("mine", ...own.map(one => el("article", { class: "own" }, el("div", {}, head(one.name), ...one.gauges.map(gauge), one.states.length ? el("p", { class: "states" }, one.states.join(" · ")) : ""), el("div", { class: "piles" }, ...fans(one.piles)))));
  const others = players.filter(one => !mine.includes(one.seat)).map(one => {
    const theirs = pieces.filter(piece => piece.player === one.seat);
    return el("article", { class: "mate" }, head(dot(one.seat), one.name, el("small", {}, say(hello.bots.includes(one.seat) ? "bot" : "person"))), para(facts(one).join(" · ")), ...theirs.flatMap(piece => [para(bold(piece.name + " "), facts(piece).join(" · ")), ...listed(piece.piles)]), ...listed(one.piles));
  });
  const rest = pieces.filter(one => one.player === undefined && one.piles.some(pile => isOpen(pile) || one.space === undefined));
  others.push(...rest.map(one => el("article", { class: "mate" }, head(one.name), ...listed(one.piles))));
  const piles = state.piles;
  if (piles.length) others.push(el("article", { class: "mate" }, head(say("table")), ...listed(piles)));
  put("others", ...others);
}
const dot = seat => { const made = el("span", { class: "seat-dot" }); made.style.background = PLAYERS[seat % PLAYERS.length]; return made; };

// Keys.

const talk = (...inside) => open($("talk"), say("close"), () => $("talk").close(), ...inside);
const help = () => talk(el("h2", {}, say("help")), para(say("keys")), alone ? para(say("alone-why")) : "");
function inWords() {
  const cells = dressing.board?.cells || [];
  const lines = cells.map((cell, space) => [cell.name, onThere(space)]).filter(([, what]) => what.length).map(([name, what]) => say("here", name, what.join(", ")));
  talk(el("h2", {}, say("board")), el("pre", {}, lines.join("\n") || say("empty")));
}
const WALKS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEYS = {
  u: () => $("undo")?.click(), w: () => $("why-not")?.click(), m: mission, b: inWords, "?": help, Escape: () => only(null),
  l: () => { turn("log"); $("log").focus(); }, c: () => { turn("cards"); $("hand").focus(); },
};
document.addEventListener("keydown", e => {
  const at = e.target, key = e.key, act = KEYS[key.length > 1 ? key : key.toLowerCase()], step = [...$("acts").children].find(one => one.dataset.key === key);
  if (!view || e.repeat && !WALKS[key] || e.ctrlKey || e.metaKey || e.altKey || at.closest("input, select, dialog[open]")) return;
  if (/^[1-9]$/.test(key)) $("choices").querySelectorAll("button")[Number(key) - 1]?.click();
  else if (key in WALKS && !at.closest("#log, #hand, #sheet")) walk(WALKS[key]);
  else if ((key === "Enter" || key === " ") && at.classList.contains("hit")) onSpace(Number(at.getAttribute("data-space")), e);
  else if (step) step.click();
  else if (act) act();
  else return;
  e.preventDefault();
});
document.addEventListener("click", event => { if (!event.target.closest(".held, .chip")) read(""); });
enter();

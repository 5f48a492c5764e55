// Draws a board from a dressing, and the pieces of a scene on it. It decides nothing: it shows what it is sent.

const NS = "http://www.w3.org/2000/svg";

/** An SVG element. */
export function svg(name, attributes = {}, ...inside) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...inside);
  return made;
}

const layer = (attributes, ...inside) => svg("g", attributes, ...inside);
const circle = attributes => svg("circle", attributes);
const titled = text => svg("title", {}, text);

const label = (text, attributes = {}) => svg("text", attributes, text);
const badge = (x, y, r, text, name = "badge") => layer({ transform: `translate(${x},${y})` }, circle({ r, class: name }), label(text, { y: r / 2, class: "count" }));

/** Set lists that a message leaves out when they are empty. */
const LISTS = ["spaces", "sides", "pieces", "tracks", "players", "gauges", "states", "piles", "left", "tokens", "cards", "marks", "tiers", "choices", "why", "causes"];
export function fill(one, lists = LISTS) {
  for (const name of lists) one[name] ??= [];
  for (const inner of Object.values(one).flat()) if (inner && typeof inner === "object") fill(inner);
}
const gauged = one => `${one.name} ${one.value}${one.high ? "/" + one.high : ""}`;
/** The gauges and states of a piece or a player. */
export const facts = one => [...one.gauges.map(gauged), ...one.states];

/** Black or white, whichever reads better on a colour. */
function inkOn(colour) {
  const [red, green, blue] = (colour.match(/[0-9a-f]{2}/gi) || ["77", "77", "77"]).map(one => parseInt(one, 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? "#14171a" : "#ffffff";
}

/** Colours of players. Shapes, rings and numbers tell pieces apart, too. */
export const PLAYERS = ["#1b7fd0", "#c2571a", "#3f8f3f", "#8a4bb8", "#b03060", "#4f6d7a"];

/** The drawing of a look; nothing if it has none. */
export const icon = (look, attributes) => document.getElementById("drawing-" + look?.drawing) && look.drawing !== "plain"
  ? svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", ...attributes }, svg("use", { href: "#drawing-" + look.drawing })) : null;
/** A drawing, or letters where there is none. */
function emblem(look, code, size, colour) {
  const drawn = icon(look, { x: -size / 2, y: -size / 2, width: size, height: size, style: "color:" + colour });
  if (drawn) return drawn;
  const letters = look?.letter || code || "";
  return label(letters, { class: "code", y: size * 0.2, "font-size": size * (letters.length > 2 ? 0.42 : 0.58), fill: colour });
}

export class Board {
  /** Draw a board into `root`. `pick` and `aim` are called with the space that is clicked, or pointed at (-1: none). */
  constructor(root, dressing, pick, aim = () => {}) {
    const plan = dressing.board;
    Object.assign(this, { looks: dressing.looks, tokens: dressing.tokens, barriers: dressing.barriers });
    root.innerHTML = plan.svg;
    const drawing = this.drawing = root.querySelector("svg");
    drawing.classList.add("plan");
    drawing.setAttribute("role", "group");
    drawing.querySelector("title")?.remove();
    const [width, height] = [Number(plan.width), Number(plan.height)];
    drawing.insertBefore(svg("rect", { class: "paper", x: -3, y: -3, width: width + 6, height: height + 6, rx: 3 }), drawing.firstChild);
    drawing.setAttribute("viewBox", `-3 -3 ${width + 6} ${height + 6}`);
    const layers = ["lit", "grounds", "marks", "fences", "tokens", "pieces", "ghosts", "hits"].map(name => layer({ class: name }));
    [this.under, this.grounds, this.marks, this.fences, this.lying, this.standing, this.ghosts] = layers;
    this.ghosts.setAttribute("aria-hidden", "true");
    const hits = layers[7];
    drawing.append(...layers);
    this.pieces = new Map();
    this.edges = new Map((plan.edges || []).map(one => [one.first + "," + one.second, one]));
    this.cells = plan.cells.map((cell, space) => {
      const hit = svg("path", { d: cell.path, class: "hit", "data-space": space });
      hit.addEventListener("click", event => pick(space, event));
      for (const sort of ["mouseenter", "focus"]) hit.addEventListener(sort, () => aim(space));
      for (const sort of ["mouseleave", "blur"]) hit.addEventListener(sort, () => aim(-1));
      hits.append(hit);
      const lit = svg("path", { d: cell.path, class: "lit-space" });
      this.under.append(lit);
      const box = pathBox(cell.path), x = Number(cell.x), y = Number(cell.y), top = y - Math.min(box.height, 20) * 0.36;
      (cell.marks || []).forEach((mark, line) => this.marks.append(label(mark, { class: "mark", x, y: top + line * 2.4 })));
      if (cell.ground) this.marks.append(layer({ class: "ground-sign", transform: `translate(${x - Math.min(box.width, 20) * 0.36},${top})` },
          circle({ r: 2.2, fill: cell.ground.colour }), emblem(cell.ground, "", 3.4, inkOn(cell.ground.colour)), titled(cell.ground.title)));
      return { ...cell, x, y, hit, lit, box };
    });
  }

  /** Show a scene. `choices`: by space the numbers of the choices there; `acting`: keys of pieces that may act. */
  paint(scene, { choices = new Map(), far = new Map(), acting = new Set(), seats = [], describe = (space) => "" } = {}) {
    fill(scene);
    this.lying.replaceChildren();
    this.grounds.replaceChildren();
    this.fences.replaceChildren(...scene.sides.map(side => this.fence(side)).filter(Boolean));
    for (const space of scene.spaces) this.ground(space);
    const by = new Map();
    for (const piece of scene.pieces) if (piece.space !== undefined) by.set(piece.space, [...(by.get(piece.space) || []), piece]);
    const seen = new Set();
    for (const [space, here] of by) here.forEach((piece, at) => {
      seen.add(piece.key);
      this.stand(piece, space, at, here.length, acting.has(piece.key), seats);
    });
    for (const [key, one] of this.pieces) if (!seen.has(key)) { one.node.remove(); this.pieces.delete(key); }
    this.cells.forEach((cell, space) => {
      const near = choices.has(space), can = near || far.has(space);
      cell.lit.classList.toggle("can", near);
      cell.lit.classList.toggle("far", can && !near);
      cell.hit.classList.toggle("can", can);
      cell.hit.setAttribute("aria-label", describe(space));
      for (const [name, value] of [["role", can && "button"], ["tabindex", can && "-1"], ["aria-hidden", !can]]) value ? cell.hit.setAttribute(name, value) : cell.hit.removeAttribute(name);
    });
    const first = this.cells.findIndex((_, space) => choices.has(space) || far.has(space));
    if (first >= 0) this.cells[first].hit.setAttribute("tabindex", "0");
  }

  fence(side) {
    const edge = this.edges.get(Math.min(side.first, side.second) + "," + Math.max(side.first, side.second));
    if (!edge) return null;
    const look = this.barriers[side.look] || { style: "wall" };
    const group = layer({ class: `fence ${look.style}${side.open ? " open" : ""}` }, svg("path", { d: edge.path, class: "outer" }), svg("path", { d: edge.path, class: "inner" }));
    const told = [...side.gauges.map(one => String(one.value)), ...side.states.map(one => one.slice(0, 1))].join(" ") || look.letter || "";
    if (told) group.append(layer({ transform: `translate(${edge.x},${edge.y})` }, circle({ r: 2.1 }), label(told, { y: 0.95, class: "number" })));
    group.append(titled([side.name, ...facts(side)].join("; ")));
    return group;
  }

  ground(space) {
    const cell = this.cells[space.space];
    if (space.ground !== undefined) {
      this.grounds.append(svg("path", { d: cell.path, class: "changed" }), label(space.ground, { class: "mark", x: cell.x, y: cell.y - 5 }));
    }
    const lying = [...space.tokens, ...space.piles.map(pile => ({ name: pile.name, count: pile.count, pile: true }))];
    lying.forEach((token, at) => {
      const look = this.tokens[token.name];
      const colour = look?.colour || (token.pile ? "#5b4a8a" : "#f4b942");
      const x = cell.x + Math.min(cell.box.width, 22) * 0.27 - at * 4.6, y = cell.y - Math.min(cell.box.height, 22) * 0.24;
      const group = layer({ class: "token", transform: `translate(${x},${y})` }, circle({ r: 2.5, fill: colour }));
      group.append(emblem(look, token.name.slice(0, 1).toUpperCase(), 3.6, inkOn(colour)));
      if (token.count > 1) group.append(badge(2, -2, 1.5, token.count));
      group.append(titled(`${token.name} ${token.count}`));
      this.lying.append(group);
    });
    space.states.forEach((state, at) => this.lying.append(label(state, { class: "mark", x: cell.x, y: cell.y + 4.6 + at * 2.2 })));
  }

  stand(piece, space, at, many, acting, seats) {
    const cell = this.cells[space], look = this.looks[piece.look];
    const across = Math.ceil(Math.sqrt(many * cell.box.width / Math.max(cell.box.height, 1)));
    const columns = Math.max(1, Math.min(many, across)), rows = Math.ceil(many / columns);
    const room = Math.min(cell.box.width / columns, cell.box.height / rows);
    const scale = Math.max(0.5, Math.min(1, room / 15));
    const gap = Math.min(12.5, room) * (many > 1 ? 0.95 : 1);
    const column = at % columns, row = Math.floor(at / columns);
    const inRow = row === rows - 1 ? many - row * columns : columns;
    const x = cell.x + (column - (inRow - 1) / 2) * gap, y = cell.y - 2.4 + (row - (rows - 1) / 2) * gap;
    let one = this.pieces.get(piece.key);
    if (!one) {
      one = { node: layer({ class: "piece arriving" }), drawn: "", place: "" };
      this.standing.append(one.node);
      this.pieces.set(piece.key, one);
    }
    const mine = seats.includes(piece.player), drawn = JSON.stringify([piece, mine]);
    if (drawn !== one.drawn) one.node.replaceChildren(...this.figure(piece, look, mine));
    one.drawn = drawn;
    one.node.classList.toggle("acting", acting);
    const place = `translate(${x.toFixed(2)}px,${y.toFixed(2)}px) scale(${scale.toFixed(2)})`;
    if (one.place && one.place !== place) {
      one.node.classList.remove("moved");
      void one.node.getBoundingClientRect();
      one.node.classList.add("moved");
    }
    one.place = place;
    one.node.style.transform = place;
  }

  figure(piece, look, mine) {
    const owned = piece.player !== undefined;
    const colour = owned ? PLAYERS[piece.player % PLAYERS.length] : look?.colour || "#8c1d18";
    const health = piece.gauges.find(one => one.high !== undefined);
    const parts = [circle({ class: "halo", r: 7 })];
    const square = (name, half, rx, fill) => svg("rect", { class: name, x: -half, y: -half, width: 2 * half, height: 2 * half, rx, fill, transform: `rotate(${health ? 45 : 0})` });
    if (owned) parts.push(circle({ class: "rim", r: 5.6, fill: colour }), circle({ class: "disc", r: 4.7 }));
    else parts.push(square("rim", 4.5, 1.5, colour), square("disc", 3.75, 1.1, ""));
    parts.push(emblem(look, piece.code, owned ? 6.9 : 6.2, colour));
    const copy = (piece.code || "").match(/\d+$/);
    if (copy) parts.push(badge(4.2, -4, 1.9, copy[0]));
    if (owned) parts.push(badge(-4.4, -4, 1.9, piece.player + 1, mine ? "badge you" : "badge"));
    if (health) {
      const full = Math.max(0, Math.min(1, health.value / health.high));
      parts.push(layer({ class: "bar", transform: "translate(0,4.6)" },
        svg("rect", { x: -4.6, y: 0, width: 9.2, height: 2.7, rx: 1.35, class: "trough" }),
        svg("rect", { x: -4.25, y: 0.35, width: Math.max(0, 8.5 * full), height: 2, rx: 1, class: owned ? "fill ally" : "fill" }),
        label(`${health.value}/${health.high}`, { y: 2.1, class: "value" })));
    }
    piece.states.slice(0, 4).forEach((state, at) => parts.push(layer({ class: "state", transform: `translate(${5.4},${-1 + at * 2.9})` },
      circle({ r: 1.5 }), label(state.slice(0, 1), { y: 0.72 }))));
    parts.push(titled([piece.name, ...facts(piece)].join("; ")));
    return parts;
  }

  /** Show where pieces would be: an arrow and a ring for each of them. */
  foretell(rows, scene) {
    this.ghosts.replaceChildren();
    for (const row of rows) {
      const piece = scene.pieces.find(one => one.key === row.piece);
      if (!piece || piece.space === undefined || row.space === undefined || row.space === piece.space) continue;
      const from = this.cells[piece.space], to = this.cells[row.space];
      const length = Math.hypot(to.x - from.x, to.y - from.y) || 1, across = (to.x - from.x) / length, down = (to.y - from.y) / length;
      const tip = { x: to.x - across * 5, y: to.y - 2.4 - down * 5 };
      const side = (turn, back) => `${tip.x - across * back - down * turn},${tip.y - down * back + across * turn}`;
      this.ghosts.append(layer({ class: "ghost", opacity: 0.35 + row.share / 155 },
        svg("line", { x1: from.x + across * 5, y1: from.y - 2.4 + down * 5, x2: tip.x, y2: tip.y }),
        svg("path", { d: `M${tip.x},${tip.y}L${side(1.6, 3)}L${side(-1.6, 3)}Z` }), circle({ cx: to.x, cy: to.y - 2.4, r: 5 }),
        row.share < 100 ? label(`${row.share} %`, { x: to.x, y: to.y - 1.5, class: "share" }) : ""));
    }
  }

  /** Light up a space while a choice is looked at. */
  point(space, on) {
    this.cells[space]?.lit.classList.toggle("aim", on);
  }

  /** Light up one space alone; -1: none. */
  aim(space) {
    this.cells.forEach((_, at) => this.point(at, at === space));
  }
}

/** The box around the points of a path. */
function pathBox(path) {
  const numbers = (path.match(/-?\d+(\.\d+)?/g) || []).map(Number);
  const [width, height] = [0, 1].map(odd => numbers.filter((_, at) => at % 2 === odd)).map(all => Math.max(...all) - Math.min(...all));
  return { width, height };
}

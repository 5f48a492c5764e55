// The page of the editor: the text in CodeMirror, the language server beside it, and what fcb makes of the text.
import {
  Decoration, EditorState, EditorView, StateEffect, StateField, acceptCompletion, autocompletion, codeFolding, completionKeymap, defaultKeymap, drawSelection, foldGutter, foldKeymap, foldService,
  highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, history, historyKeymap, hoverTooltip, indentService, indentUnit, indentWithTab, isolateHistory, keymap, lineNumbers, lintGutter, lintKeymap, redo, redoDepth, search, searchKeymap, setDiagnostics, showTooltip, undo, undoDepth,
} from "./codemirror.js";
import { Language } from "./language.js";
import { markdown } from "./markdown.js";

const $ = id => document.getElementById(id);
function el(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) typeof value === "function" ? made.addEventListener(key, value) : made.setAttribute(key, value);
  made.append(...inside);
  return made;
}
const page = JSON.parse(document.body.dataset.state), texts = page.texts;
const say = (word, ...parts) => parts.reduce((text, part, at) => text.replace(`{${at}}`, part), texts[word]);
const later = (wait, run) => { let timer; return () => { clearTimeout(timer); timer = setTimeout(run, wait); }; };
/** Messages about sources are in English. */
const ENGLISH = { lang: "en" };
/** Text with words between backquotes as code. */
const coded = text => text.split("`").map((part, at) => at % 2 ? el("code", {}, part) : part);
const tell = text => { $("told").textContent = text; };

/** The open texts by file: the state of the editor, what the disk has, what the language server knows. */
const docs = new Map();
/** The problems by address, as the language server publishes them. */
const problems = new Map();
let doc = null, view = null, cures = [], printed = null, report = null, disk = null, going = 0;

// ── places ──────────────────────────────────────────────────────────────────────────────────────

const place = (text, at) => { const line = text.lineAt(at); return { line: line.number - 1, character: at - line.from }; };
function offset(text, { line, character }) {
  if (line >= text.lines) return text.length;
  const found = text.line(line + 1);
  return Math.min(found.from + character, found.to);
}
/** The smallest changes that make another text: row by row if there are as many rows, else one block of rows. */
function changesTo(text, to) {
  const old = text.toString().split("\n"), rows = to.split("\n"), out = [];
  let first = 0, last = 0;
  const least = Math.min(old.length, rows.length);
  while (first < least && old[first] === rows[first]) first += 1;
  while (last < least - first && old[old.length - 1 - last] === rows[rows.length - 1 - last]) last += 1;
  if (old.length === rows.length) {
    for (let at = first; at < rows.length - last; at += 1) {
      const line = text.line(at + 1);
      if (old[at] !== rows[at]) out.push({ from: line.from, to: line.to, insert: rows[at] });
    }
    return out;
  }
  const from = first < text.lines ? text.line(first + 1).from : text.length, end = last ? text.line(text.lines - last + 1).from : text.length;
  const block = rows.slice(first, rows.length - last).map(row => row + "\n").join("");
  if (last) return [{ from, to: end, insert: block }];
  // the block reaches the end: its last row has no line end, and a block without rows takes the one before
  return rows.length === first ? [{ from: from - 1, to: end, insert: "" }] : first < old.length ? [{ from, to: end, insert: block.slice(0, -1) }] : [{ from, to: end, insert: `\n${block.slice(0, -1)}` }];
}

// ── colors ──────────────────────────────────────────────────────────────────────────────────────

const setTokens = StateEffect.define();
const tokens = StateField.define({
  create: () => Decoration.none,
  update(shown, made) {
    shown = shown.map(made.changes);
    for (const effect of made.effects) if (effect.is(setTokens)) shown = Decoration.set(effect.value, true);
    return shown;
  },
  provide: field => EditorView.decorations.from(field),
});
const LEXED = /"(?:[^"\\]|\\.)*"?|(?<=^|\s)#(?= |$).*|(?<![\w-])\d+(?![\w-])|^[a-z][\w-]*|(?<=^\s+)[a-z][\w-]*(?=[^":#]*:)/g;
const SORTS = { '"': "string", "#": "comment" };
/** Strings, comments, numbers and first words need no server. */
const lexed = EditorView.decorations.of(shown => {
  const out = [];
  for (const { from, to } of shown.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = shown.state.doc.lineAt(at);
      for (const found of line.text.matchAll(LEXED)) {
        const sort = SORTS[found[0][0]] ?? (/\d/.test(found[0][0]) ? "number" : found.index ? "key" : "keyword");
        out.push(Decoration.mark({ class: `is-${sort}` }).range(line.from + found.index, line.from + found.index + found[0].length));
      }
      at = line.to + 1;
    }
  }
  return Decoration.set(out);
});
async function color() {
  const { uri, version } = doc, found = await ask("textDocument/semanticTokens/full", { textDocument: { uri } });
  if (!found || doc.uri !== uri || doc.version !== version) return;
  const text = view.state.doc, out = [];
  let line = 0, character = 0;
  for (let at = 0; at < found.data.length; at += 5) {
    const [rows, columns, length, sort, declared] = found.data.slice(at, at + 5);
    character = rows ? columns : character + columns;
    line += rows;
    const from = offset(text, { line, character }), to = Math.min(from + length, text.length);
    if (from < to) out.push(Decoration.mark({ class: `is-${language.tokens[sort]}${declared ? " declares" : ""}` }).range(from, to));
  }
  view.dispatch({ effects: setTokens.of(out) });
}

// ── the language server ─────────────────────────────────────────────────────────────────────────

const ask = (method, params) => language.ask(method, params).catch(() => null);
const here = () => ({ textDocument: { uri: doc.uri }, position: place(view.state.doc, view.state.selection.main.head) });
const refresh = later(120, () => { if (doc && language.ready) { color(); folds(); } });
const print = later(350, async () => {
  if (!doc || !language.ready) return;
  const { uri } = doc, found = await ask("fcb/print", { uri, line: here().position.line });
  if (doc.uri === uri) showPrint(found);
});
function opened(one) {
  language.tell("textDocument/didOpen", { textDocument: { uri: one.uri, languageId: "fcb", version: one.version, text: (one === doc ? view.state : one.state).doc.toString() } });
}
function changed(update) {
  doc.version += 1;
  const before = update.startState.doc, contentChanges = [];
  update.changes.iterChanges((from, to, _, __, text) => contentChanges.unshift({ range: { start: place(before, from), end: place(before, to) }, text: text.toString() }));
  language.tell("textDocument/didChange", { textDocument: { uri: doc.uri, version: doc.version }, contentChanges });
}
async function cure() {
  const { uri, version } = doc, text = view.state.doc;
  const found = await ask("textDocument/codeAction", { textDocument: { uri }, range: { start: { line: 0, character: 0 }, end: place(text, text.length) }, context: { diagnostics: [] } });
  if (doc.uri !== uri || doc.version !== version) return;
  cures = found ?? [];
  underline();
  showProblems();
}
const same = (one, other) => one.code === other.code && one.message === other.message && JSON.stringify(one.range) === JSON.stringify(other.range);
const cureOf = problem => cures.find(one => one.diagnostics.some(other => same(other, problem)));
/** Apply the edits of a fix, of the format … to the open text, which is still the one they were made for. */
function apply(edits) {
  const text = view.state.doc;
  view.dispatch({ changes: edits.map(one => ({ from: offset(text, one.range.start), to: offset(text, one.range.end), insert: one.newText })), userEvent: "input" });
  view.focus();
}
function take(found) {
  if (view.state.readOnly || !found.edit?.changes?.[doc.uri]) return;
  apply(found.edit.changes[doc.uri]);
  tell(found.title);
}
function underline() {
  const text = view.state.doc;
  view.dispatch(setDiagnostics(view.state, (problems.get(doc.uri) ?? []).map(one => {
    const from = offset(text, one.range.start), to = offset(text, one.range.end), found = cureOf(one);
    return {
      from, to: Math.max(to, from), severity: one.severity === 1 ? "error" : "warning", source: one.code, message: one.message,
      actions: found && !view.state.readOnly ? [{ name: found.title, apply: () => take(found) }] : [],
    };
  })));
}
async function format() {
  const { uri, version } = doc;
  try {
    const edits = await language.ask("textDocument/formatting", { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } });
    if (doc.uri !== uri || doc.version !== version) return;
    if (edits?.length) view.dispatch({ changes: changesTo(view.state.doc, edits[0].newText), userEvent: "input" });
    tell(say(edits?.length ? "formatted" : "formatted-already"));
  } catch (why) {
    tell(why.message === "lost" ? say("lost") : why.message);
  }
}
async function complete(context) {
  const word = context.matchBefore(/[^\W\d][\w-]*$/u);
  if (!word && !context.explicit && !context.matchBefore(/: $/)) return null;
  const found = await ask("textDocument/completion", { textDocument: { uri: doc.uri }, position: place(context.state.doc, context.pos) });
  if (!found?.items.length || context.aborted) return null;
  const range = found.items[0].textEdit.range;
  return {
    from: offset(context.state.doc, range.start), filter: false,
    options: found.items.map(one => ({ label: one.label, type: KINDS[one.kind] ?? "constant", detail: one.detail, info: one.documentation || undefined, apply: one.textEdit.newText })),
  };
}
const KINDS = { 2: "method", 3: "function", 5: "property", 6: "variable", 7: "class", 9: "namespace", 14: "keyword", 23: "event", 25: "type" };
async function described(at) {
  const found = await ask("textDocument/hover", { textDocument: { uri: doc.uri }, position: place(view.state.doc, at) });
  if (!found) return null;
  const range = found.range && { pos: offset(view.state.doc, found.range.start), end: offset(view.state.doc, found.range.end) };
  return { pos: at, ...range, above: true, create: () => ({ dom: markdown(found.contents.value) }) };
}
const setSaid = StateEffect.define();
/** The description that F1 shows, until the cursor moves. */
const said = StateField.define({
  create: () => null,
  update(shown, made) {
    for (const effect of made.effects) if (effect.is(setSaid)) return effect.value;
    return made.docChanged || made.selection ? null : shown;
  },
  provide: field => showTooltip.from(field),
});
async function describe() {
  const shown = await described(view.state.selection.main.head);
  view.dispatch({ effects: setSaid.of(shown) });
  tell(shown ? shown.create().dom.textContent : say("no-description"));
}
async function define() {
  const found = await ask("textDocument/definition", here());
  if (!found) return tell(say("no-definition"));
  const file = [...docs.values()].find(one => one.uri === found.uri)?.file ?? page.games.flatMap(game => game.files).map(one => one.file).find(one => found.uri.endsWith(encodeURI(`/${one}`)));
  if (!file) return tell(say("elsewhere", decodeURI(found.uri.replace(/^.*\//, ""))));
  await open(file, found.range.start);
}
const setFolds = StateEffect.define();
const foldable = StateField.define({
  create: () => new Map(),
  update(known, made) {
    for (const effect of made.effects) if (effect.is(setFolds)) known = effect.value;
    return known;
  },
});
async function folds() {
  const { uri, version } = doc, found = await ask("textDocument/foldingRange", { textDocument: { uri } });
  if (found && doc.uri === uri && doc.version === version) view.dispatch({ effects: setFolds.of(new Map(found.map(one => [one.startLine, one.endLine]))) });
}
const language = new Language({
  "textDocument/publishDiagnostics"({ uri, diagnostics, version }) {
    const of = [...docs.values()].find(one => one.uri === uri);
    if (of && version !== null && version !== undefined && version !== of.version) return;
    problems.set(uri, diagnostics);
    if (doc?.uri === uri) { cures = []; underline(); if (diagnostics.length) cure(); }
    showProblems();
    refresh();
    print();
  },
  "window/showMessage": ({ message }) => tell(message),
  "fcb/report": found => { report = found; showTests(); watch(); },
}, () => {
  $("cut").hidden = true;
  problems.clear();
  for (const one of docs.values()) opened(one);
  look();
  refresh();
  print();
  showProblems();
}, full => { $("cut").textContent = say(full ? "full" : "lost"); $("cut").hidden = false; });
function look() {
  if (doc) language.tell("fcb/look", { game: doc.game, file: doc.file, piece: printed?.piece ?? "", open: [...docs.keys()] });
}

// ── files ───────────────────────────────────────────────────────────────────────────────────────

const textOf = one => (one === doc ? view.state : one.state).doc;
const isDirty = one => !textOf(one).eq(one.saved);
async function post(path, body) {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  return answer.json();
}
async function open(file, at = null, focus = true) {
  if (!docs.has(file)) {
    const found = await (await fetch(`/write/text?${new URLSearchParams({ file })}`)).json().catch(() => ({ refused: say("lost") }));
    if (found.refused) { $("file").value = doc?.file ?? ""; return tell(found.refused); }
    const state = EditorState.create({ doc: found.text, extensions: extensions(found) });
    docs.set(file, { ...found, text: undefined, state, saved: state.doc, version: 1 });
    if (language.ready) opened(docs.get(file));
  }
  const known = docs.get(file);
  if (known !== doc) {
    if (doc) doc.state = view.state;
    doc = known;
    cures = [];
    if (view) view.setState(doc.state); else view = new EditorView({ state: doc.state, parent: $("text") });
    $("file").value = file;
    address(file);
    document.title = file;
    hideConflict();
    underline();
    if (problems.get(doc.uri)?.length) cure();
    printed = null;
    showProblems();
    buttons();
    look();
    refresh();
    print();
    watch();
  }
  if (at) {
    const place = offset(view.state.doc, at);
    view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
  }
  if (at || focus) { tab("text"); view.focus(); }
}
const address = file => window.history.replaceState(null, "", `?${new URLSearchParams({ file })}`);
/** Saves wait for one another, so that none is dropped and each goes on top of the one before. */
let turn = Promise.resolve();
const waiting = new Set();
const inTurn = run => { turn = turn.then(run); };
function save() {
  const one = doc;
  if (view.state.readOnly || waiting.has(one)) return;
  waiting.add(one);
  inTurn(() => { waiting.delete(one); return store(one); });
}
async function store(one) {
  going += 1;
  const text = textOf(one), found = await post("/write/save", { file: one.file, seal: one.seal, text: text.toString() }).catch(() => ({ refused: say("lost") }));
  going -= 1;
  if (!found.refused) {
    Object.assign(one, { seal: found.seal, saved: text, undo: found.undo });
    hideConflict();
    tell(say("saved", one.file));
    buttons();
  } else if (found.seal) conflict(one, found);
  else tell(found.refused);
  watch();  // what was reported during the save
}
/** Put the text of the disk in the place of that of the editor, as a change that can be undone. */
function replace(one, { text, seal, undo }) {
  Object.assign(one, { seal, undo: undo ?? one.undo });
  const made = { changes: changesTo(textOf(one), text), annotations: isolateHistory.of("full") };
  if (one === doc) { view.dispatch(made); one.saved = view.state.doc; } else {
    const update = one.state.update(made);
    one.state = update.state;
    one.saved = one.state.doc;
    one.version += 1;
    language.tell("textDocument/didChange", { textDocument: { uri: one.uri, version: one.version }, contentChanges: [{ text }] });
  }
  buttons();
}
function takeBack() {
  const one = doc;
  inTurn(async () => {
    going += 1;
    const found = await post("/write/undo", { file: one.file }).catch(() => ({ refused: say("lost") }));
    going -= 1;
    if (found.refused) tell(found.refused);
    else {
      replace(one, found);
      tell(say("taken-back", one.file));
    }
    watch();
  });
}
let watching = false, watchAgain = false;
/** Look whether the disk has other texts than the page has read: read them, or report the conflict. */
async function watch() {
  watchAgain = true;
  if (watching) return;
  watching = true;
  while (watchAgain) {
    watchAgain = false;
    for (const one of docs.values()) await compare(one);
  }
  watching = false;
}
async function compare(one) {
  const seal = report?.files[one.file], before = one.seal;
  if (going || !seal || seal === before || disk?.seal === seal || (isDirty(one) && one !== doc)) return;
  const found = await fetch(`/write/text?${new URLSearchParams({ file: one.file })}`).then(answer => answer.json()).catch(() => null);
  if (!found || found.refused || found.seal === before || going) return;
  if (one.seal !== before) { watchAgain = true; return; }  // the answer may be older than what the page has saved or read since
  if (isDirty(one)) conflict(one, found);
  else {
    replace(one, found);
    if (one === doc) tell(say("read-again", one.file));
  }
}
function conflict(one, found) {
  if (one !== doc || found.seal === one.seal) return;  // it has been solved meanwhile
  const own = view.state.doc.toString();
  if (own === found.text) return replace(one, found);
  disk = found;
  $("conflict-why").textContent = say("conflict", one.file);
  $("difference").replaceChildren(...difference(own.split("\n"), found.text.split("\n")));
  $("conflict").hidden = false;
  $("take").focus();
}
function hideConflict() { disk = null; $("conflict").hidden = true; }
/** The rows that differ, with their numbers: "+" are those of the page, "−" those of the disk. */
function difference(own, other) {
  let first = 0, last = 0;
  while (first < Math.min(own.length, other.length) && own[first] === other[first]) first += 1;
  while (last < Math.min(own.length, other.length) - first && own.at(-1 - last) === other.at(-1 - last)) last += 1;
  const ours = own.slice(first, own.length - last), theirs = other.slice(first, other.length - last), wide = theirs.length + 1, out = [];
  // the length of the longest common part after each pair of rows; texts with too many pairs are one block
  const common = ours.length * wide < 4e6 ? new Uint16Array((ours.length + 1) * wide) : null;
  if (common) for (let at = ours.length - 1; at >= 0; at -= 1) for (let to = theirs.length - 1; to >= 0; to -= 1) common[at * wide + to] = ours[at] === theirs[to] ? common[(at + 1) * wide + to + 1] + 1 : Math.max(common[(at + 1) * wide + to], common[at * wide + to + 1]);
  for (let at = 0, to = 0, fresh = true; at < ours.length || to < theirs.length;) {
    if (common && at < ours.length && to < theirs.length && ours[at] === theirs[to]) { at += 1; to += 1; fresh = true; continue; }
    if (fresh) out.push(el("b", {}, `${say("at-line", first + at + 1)}\n`));
    fresh = false;
    if (at < ours.length && (to === theirs.length || !common || common[(at + 1) * wide + to] >= common[at * wide + to + 1])) out.push(el("ins", {}, `+ ${ours[at++]}\n`));
    else out.push(el("del", {}, `− ${theirs[to++]}\n`));
  }
  return out;
}

// ── what is beside the text ─────────────────────────────────────────────────────────────────────

function showPrint(found) {
  const moved = found?.piece !== printed?.piece;
  const before = $("faces").querySelector(".faces");
  printed = found;
  $("piece").replaceChildren(...(found ? [found.title || found.piece, ...[["play", found.play], ["paint", found.paint]].filter(([, link]) => link).flatMap(([word, link]) => [" · ", el("a", { href: link, target: "_blank", rel: "noopener" }, say(word))])] : []));
  const kept = found && !found.sound && !moved && before;
  if (found?.html) $("faces").innerHTML = found.html;
  else if (!kept) $("faces").replaceChildren();
  before?.classList.toggle("old", Boolean(kept));
  $("stale").hidden = Boolean(found?.html);
  $("stale").textContent = say(kept ? "before-errors" : found && !found.sound ? "after-errors" : "no-print");
  if (moved) look();
}
const nameOf = uri => [...docs.values()].find(one => one.uri === uri)?.file ?? page.games.flatMap(game => game.files).map(one => one.file).find(one => uri.endsWith(encodeURI(`/${one}`))) ?? decodeURI(uri.replace(/^.*\//, ""));
function showProblems() {
  const all = [...problems].flatMap(([uri, found]) => found.map(one => ({ uri, ...one }))).sort((one, other) => (one.uri !== doc?.uri) - (other.uri !== doc?.uri) || one.severity - other.severity);
  $("count-problems").textContent = all.length ? ` ${all.length}` : "";
  $("fix").disabled = !cures.length || view?.state.readOnly;
  const held = document.activeElement?.closest?.("#found [data-key]")?.dataset.key;
  $("found").replaceChildren(...all.slice(0, 100).map((one, at) => {
    const [message, ...more] = one.message.split("\n"), file = nameOf(one.uri), found = one.uri === doc?.uri && cureOf(one);
    return el("li", { class: one.severity === 1 ? "error" : "warning" },
      el("button", { type: "button", class: "go", "data-key": `go-${at}`, click: () => open(file, one.range.start) }, el("span", { class: `tag ${one.severity === 1 ? "error" : "warning"}` }, say(one.severity === 1 ? "error" : "warning")), " ", el("span", ENGLISH, ...coded(message)), " ", el("small", {}, `${file}:${one.range.start.line + 1} · ${one.code}`)),
      ...more.map(row => el("p", { class: "advice", ...ENGLISH }, ...coded(row))),
      ...(found && !view.state.readOnly ? [el("button", { type: "button", class: "cure", ...ENGLISH, "data-key": `cure-${at}`, click: () => take(found) }, ...coded(found.title))] : []));
  }), ...(all.length ? [] : [el("li", { class: "none" }, say("none"))]));
  if (held) $("found").querySelector(`[data-key="${held}"]`)?.focus();
}
function showTests() {
  const { trouble, ended, sound, running, counted, concerned, run, tests, failed } = report;
  $("tally").textContent = trouble || say(...(ended ? ["tests-ended"] : !sound ? ["tests-wait"] : running && counted ? ["tests-run", run, concerned] : running ? ["tests-look"] : !tests ? ["tests-none"] : failed ? ["tests-failed", failed, tests] : ["tests-passed", tests]));
  $("count-tests").textContent = failed ? ` ${failed}` : "";
  const signs = { failed: ["✗", "test-failed"], waiting: ["…", "test-waiting"], passed: ["✓", "test-passed"] };
  const order = Object.keys(signs), shown = [...report.others, ...report.own].sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  $("ran").replaceChildren(...shown.map(one => el("li", { class: `test ${one.state}` }, el("span", { class: `tag ${one.state}`, role: "img", "aria-label": say(signs[one.state][1]) }, signs[one.state][0]),
    one.text ? el("div", {}, el("button", { type: "button", class: "go", click: () => open(one.file, { line: one.line - 1, character: 0 }) }, `${one.title} `, el("small", {}, `${one.file}:${one.line}`)), el("p", { class: "says", ...ENGLISH }, ...coded(one.text)), ...(one.help ? [el("p", { class: "advice", ...ENGLISH }, ...coded(one.help))] : []), ...(one.notes.length ? [el("pre", { class: "notes", ...ENGLISH, tabindex: "0" }, one.notes.join("\n"))] : [])) : one.title)));
}
function buttons() {
  const one = doc, writes = one && one.writable;
  for (const [id, off] of [["save", !writes || !isDirty(one)], ["format", !writes], ["undo", !undoDepth(view.state)], ["redo", !redoDepth(view.state)], ["take-back", !writes || !one.undo]]) if ($(id)) $(id).disabled = Boolean(off);
  for (const option of $("file").options) option.textContent = option.dataset.name + (docs.has(option.value) && isDirty(docs.get(option.value)) ? " •" : "");
}
function tab(name) {
  document.body.dataset.tab = name;
  for (const one of $("tabs").children) {
    one.setAttribute("aria-selected", String(one.id === `tab-${name}`));
    one.tabIndex = one.id === `tab-${name}` ? 0 : -1;
  }
  if (name === "text") view?.requestMeasure();
}

// ── the editor ──────────────────────────────────────────────────────────────────────────────────

const PHRASES = {
  "Find": "find", "Replace": "replace", "next": "next", "previous": "previous", "all": "all", "match case": "match-case", "regexp": "pattern", "by word": "whole-words", "replace": "replace-one", "replace all": "replace-all", "close": "close",
  "Completions": "completions", "Diagnostics": "problems", "No diagnostics": "none", "Fold line": "fold", "Unfold line": "unfold", "folded code": "folded", "unfold": "unfold", "Go to line": "go-to-line", "go": "go",
};
function fixHere() {
  const { line } = here().position, found = cures.find(one => one.diagnostics.some(other => other.range.start.line <= line && other.range.end.line >= line)) ?? cures[0];
  if (found) take(found);
  return true;
}
const KEYS = [
  { key: "Mod-s", run: () => { save(); return true; } }, { key: "Alt-Enter", run: fixHere }, { key: "Alt-Shift-f", run: () => { if (!view.state.readOnly) format(); return true; } },
  { key: "F1", run: () => { describe(); return true; } }, { key: "F12", run: () => { define(); return true; } }, { key: "Tab", run: acceptCompletion },
];
function extensions(of) {
  return [
    lineNumbers(), foldGutter({ foldingChanged: update => update.transactions.some(made => made.effects.some(one => one.is(setFolds))) }), codeFolding(), lintGutter(), history(), drawSelection(), highlightSpecialChars(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), search({ top: true }),
    EditorState.phrases.of(Object.fromEntries(Object.entries(PHRASES).map(([phrase, word]) => [phrase, texts[word]]))),
    EditorState.tabSize.of(2), indentUnit.of("  "), EditorState.readOnly.of(!of.writable), EditorState.lineSeparator.of("\n"),
    indentService.of((context, at) => { const before = context.lineAt(at, -1).text, indent = /^ */.exec(before)[0].length; return /:\s*(?:\||# .*)?$/.test(before) ? indent + 2 : indent; }),
    foldable, foldService.of((state, from) => { const end = state.field(foldable).get(state.doc.lineAt(from).number - 1); return end === undefined || end >= state.doc.lines ? null : { from: state.doc.lineAt(from).to, to: state.doc.line(end + 1).to }; }),
    ...(matchMedia("(max-width: 900px)").matches ? [EditorView.lineWrapping] : []), tokens, lexed, said, hoverTooltip((_, at) => described(at)), autocompletion({ override: [complete], icons: true }),
    EditorView.contentAttributes.of({ "aria-label": of.file, tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
    keymap.of([...KEYS, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...foldKeymap, ...historyKeymap, ...defaultKeymap, ...(of.writable ? [indentWithTab] : [])]),
    EditorView.updateListener.of(update => {
      if (update.docChanged) { changed(update); refresh(); print(); }
      else if (update.selectionSet) print();
      if (update.docChanged) buttons();
    }),
  ];
}

// ── the page ────────────────────────────────────────────────────────────────────────────────────

for (const game of page.games) {
  const folders = Map.groupBy ? Map.groupBy(game.files, one => one.folder) : new Map([["", game.files]]);
  for (const [folder, files] of folders) $("file").append(el("optgroup", { label: page.games.length > 1 ? `${game.title} – ${folder}` : folder }, ...files.map(one => el("option", { value: one.file, "data-name": one.name }, one.name))));
}
$("file").addEventListener("change", () => open($("file").value, null, false));
const on = (id, run) => $(id)?.addEventListener("click", run);
on("save", save);
on("fix", fixHere);
on("format", format);
on("undo", () => { undo(view); view.focus(); });
on("redo", () => { redo(view); view.focus(); });
on("take-back", takeBack);
on("take", () => { const found = disk; hideConflict(); replace(doc, found); view.focus(); });
on("keep", () => { doc.seal = disk.seal; hideConflict(); save(); view.focus(); });
for (const one of $("tabs").children) {
  one.addEventListener("click", () => tab(one.id.slice(4)));
  one.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], all = [...$("tabs").children];
    if (!step) return;
    const next = all[(all.indexOf(one) + step + all.length) % all.length];
    tab(next.id.slice(4));
    next.focus();
  });
}
addEventListener("keydown", event => { if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); if (doc) save(); } });
addEventListener("beforeunload", event => { if ([...docs.values()].some(isDirty)) event.preventDefault(); });
open(page.file, page.line ? { line: page.line - 1, character: 0 } : null, false);

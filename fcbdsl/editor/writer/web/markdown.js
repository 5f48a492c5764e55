// Shows the Markdown of the language server as elements. Text stays text: no HTML in it is read.
const el = (name, ...inside) => { const made = document.createElement(name); made.append(...inside); return made; };
const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|(?<![\w*])[*_]([^*_]+)[*_](?!\w)|\[((?:[^\]\\]|\\.)+)\]\((https:[^)\s]+)\)|\\([!-/:-@[-`{-~])/g;
function inline(text) {
  const out = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, soft, label, address, plain] = found;
    out.push(text.slice(at, found.index));
    at = found.index + whole.length;
    if (code !== undefined) out.push(el("code", code));
    else if (strong !== undefined) out.push(el("strong", ...inline(strong)));
    else if (soft !== undefined) out.push(el("em", ...inline(soft)));
    else if (plain !== undefined) out.push(plain);
    else {
      const link = el("a", ...inline(label));
      Object.assign(link, { href: address, target: "_blank", rel: "noopener" });
      out.push(link);
    }
  }
  return [...out, text.slice(at)].filter(one => one !== "");
}
/** Return an element with the text of some Markdown: paragraphs, lists, headings and blocks of code. */
export function markdown(text) {
  const made = el("div");
  made.className = "said";
  text.split(/^```.*$/m).forEach((part, at) => {
    if (at % 2) return made.append(el("pre", part.replace(/^\n|\n$/g, "")));
    for (const block of part.split(/\n\s*\n/)) {
      const rows = block.split("\n").filter(row => row.trim());
      if (!rows.length) continue;
      if (rows.every(row => /^\s*[-*] /.test(row))) made.append(el("ul", ...rows.map(row => el("li", ...inline(row.replace(/^\s*[-*] /, ""))))));
      else made.append(el("p", ...rows.flatMap((row, number) => [...(number ? [el("br")] : []), ...inline(row.replace(/^#+ /, "").replace(/\\$/, ""))])));
    }
  });
  return made;
}

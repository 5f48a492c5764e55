// Puts parts of the page in the place of those that were, as the server sends them; keeps what is open and where one is.
"use strict";
{
  const at = id => document.getElementById(id);
  const cut = at("cut");
  let lost = false;
  const put = (id, html) => {
    const part = at(id);
    if (!part) return;
    const seen = new Map([...part.querySelectorAll("details[id]")].map(one => [one.id, one.open]));
    const held = part.contains(document.activeElement) ? document.activeElement : null;
    const name = held && (held.id || held.getAttribute("href") || held.closest("details[id]")?.id);
    part.innerHTML = html;
    for (const one of part.querySelectorAll("details[id]")) if (seen.has(one.id)) one.open = seen.get(one.id);
    const again = name && [...part.querySelectorAll("[id], [href]")].find(one => (one.id || one.getAttribute("href")) === name);
    if (again) (again.matches("details") ? again.querySelector("summary") : again).focus({ preventScroll: true });
  };
  const connect = () => {
    const socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + "/follow" + location.search);
    socket.addEventListener("open", () => {
      if (lost) location.reload();
      document.documentElement.dataset.live = "";
    });
    socket.addEventListener("message", told => {
      for (const [id, html] of Object.entries(JSON.parse(told.data))) put(id, html);
    });
    socket.addEventListener("close", () => {
      lost = true;
      cut.hidden = false;
      setTimeout(connect, 2000);
    });
  };
  const step = by => {
    const links = [...document.querySelectorAll(".pieces a")];
    const next = links[links.findIndex(one => one.hasAttribute("aria-current")) + by];
    if (next) next.click();
  };
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    l: () => at("follow")?.click(),
    p: () => { location.hash = "#problems"; },
    t: () => { location.hash = "#tests"; },
  };
  addEventListener("keydown", event => {
    const typing = event.target.closest("input, select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  connect();
}

// What a reader sees of the page: pieces that hold all words of the search, of one kind, in one language.
"use strict";
{
  const at = id => document.getElementById(id);
  const search = at("search"), kind = at("kind"), found = at("found"), nothing = at("nothing");
  const switches = [...document.querySelectorAll("[name=language]")];
  const groups = [...document.querySelectorAll(".group")].map(group => ({ group, pieces: [...group.querySelectorAll(".piece")] }));
  const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[\u2018\u2019]/g, "'").replace(/\s+/g, " ").toLowerCase();
  const language = () => (switches.find(one => one.checked) ?? {}).value ?? document.documentElement.lang;
  const kept = new Map();
  const words = (piece, said) => {
    const key = said + " " + piece.id;
    if (!kept.has(key)) kept.set(key, plain([...piece.querySelectorAll(".in[lang=" + said + "]")].map(one => one.textContent).join(" ") + " " + piece.id));
    return kept.get(key);
  };
  const show = () => {
    const wanted = plain(search.value).trim().split(" "), said = language();
    let shown = 0, all = 0;
    for (const { group, pieces } of groups) {
      let here = 0;
      for (const piece of pieces) {
        const fits = (!kind.value || kind.value === group.dataset.kind) && wanted.every(word => words(piece, said).includes(word));
        piece.hidden = !fits;
        here += fits;
      }
      group.hidden = !here;
      shown += here;
      all += pieces.length;
    }
    found.textContent = shown + "/" + all;
    nothing.hidden = shown > 0;
  };
  const speak = () => {
    const one = switches.find(each => each.checked);
    if (one) {
      document.documentElement.lang = one.value;
      document.title = one.dataset.title;
    }
    for (const option of kind.options) if (option.value) option.textContent = option.getAttribute("data-" + language());
    show();
  };
  const visit = () => {
    const target = at(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      search.value = kind.value = "";
      show();
      target.scrollIntoView();
    }
  };
  const asked = new URLSearchParams(location.search);
  for (const one of switches) if (one.value === asked.get("lang")) one.checked = true;
  search.value = asked.get("q") ?? "";
  if ([...kind.options].some(option => option.value === asked.get("kind"))) kind.value = asked.get("kind");
  search.addEventListener("input", show);
  kind.addEventListener("input", show);
  for (const one of switches) one.addEventListener("change", speak);
  addEventListener("hashchange", visit);
  addEventListener("keydown", event => {
    const typing = event.target.closest("input[type=search], select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === "Escape" && event.target === search) {
      search.value = "";
      show();
    }
  });
  document.querySelector(".finding").hidden = false;
  speak();
  visit();
}

"""The page of the demo: of each game sources beside their cards, a mission sheet, a campaign map and a game log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

SHOWN = 26
"""The lines of a game log that are shown at first."""


@dataclass(slots=True)
class Corner:
    """The section of a game: its part of `demo.toml`, each command with its output, and whether all succeeded."""

    game: str
    wanted: dict[str, Any]
    said: dict[str, tuple[str, str]] = field(default_factory=dict)
    fine: bool = True

    def last(self, what: str) -> str:
        """Return the last line that a command printed, without the figures for tools at its end."""
        output = self.said[what][1].splitlines() if what in self.said else []
        return re.sub(r" \(decisions: [^)]*\)$", "", output[-1]) if output else ""


STYLE = """
:root { --paper: #fbf9f4; --ink: #1d2b3a; --soft: #5b6875; --line: #ddd5c6; --card: #fff; --accent: #8a4b14;
  --word: #8a2f1d; --text: #2d6a3f; --name: #1f4f8a; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181d; --ink: #e4e2dc; --soft: #9aa5b0; --line: #343c45;
  --card: #1d232a; --accent: #e0a060; --word: #f0917a; --text: #8fce9d; --name: #8fbdf2; } }
* { box-sizing: border-box; }
body { font: 17px/1.55 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--paper); }
header, main, footer { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 3rem; }
h1 { font-size: clamp(1.9rem, 5vw, 3rem); line-height: 1.1; margin: 0 0 .6rem; }
h2 { font-size: 1.9rem; margin: 0; }
h3 { font-size: 1.05rem; margin: 2.2rem 0 .7rem; color: var(--accent); }
h4 { font-size: .95rem; margin: 1rem 0 .2rem; }
.lead { font-size: 1.15rem; max-width: 44rem; color: var(--soft); margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.4rem; }
nav a, .facts li { border: 1px solid var(--line); border-radius: 2rem; padding: .2rem .9rem; background: var(--card); }
nav a { color: var(--ink); text-decoration: none; font-weight: 600; }
section { border-top: 3px solid var(--accent); margin-top: 3.5rem; padding-top: 1.2rem; }
.facts { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: .8rem 0 0;
  font-size: .9rem; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 1.5rem; align-items: center;
  margin-bottom: 1.6rem; }
.cards { display: flex; gap: 1rem; }
figure { margin: 0; }
figcaption { font-size: .8rem; color: var(--soft); text-align: center; }
img { display: block; max-width: 100%; height: auto; }
.cards img { width: 15rem; border-radius: .6rem; box-shadow: 0 2px 10px #0004; background: #fff; }
.sheets { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.2rem; }
.sheets img, .map { background: #fff; border-radius: .4rem; box-shadow: 0 2px 10px #0003; }
.map { display: block; border: 1px solid var(--line); }
.course { display: grid; gap: 1.5rem; align-items: start; grid-template-columns: repeat(2, minmax(0, 1fr)); }
.course > div:only-child { grid-column: 1 / -1; }
pre { font: 14px/1.5 ui-monospace, monospace; background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem;
  overflow-x: auto; white-space: pre-wrap; padding: 1rem; margin: 0; }
pre b { color: var(--word); font-weight: 600; } pre i { color: var(--text); font-style: normal; }
pre u { color: var(--name); text-decoration: none; } pre s { color: var(--soft); text-decoration: none; }
pre span { display: block; }
.log { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .4rem 1.2rem 1rem; }
.log p { margin: .1rem 0; font-size: .93rem; }
.log .big { columns: 22rem; column-gap: 2.5rem; }
.log h4, .log p { break-inside: avoid; } .log h4 { break-after: avoid; }
.end { font-weight: 700; }
details { margin-top: .8rem; } summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
details details pre { max-height: 18rem; overflow: auto; } code { font: 13px ui-monospace, monospace;
  overflow-wrap: anywhere; }
a { color: var(--accent); }
footer { margin-top: 4rem; padding-bottom: 3rem; color: var(--soft); font-size: .9rem; }
@media (max-width: 60rem) { .pair, .course { grid-template-columns: minmax(0, 1fr); } .cards img { width: 100%;
  } .cards figure { flex: 1 1 0; max-width: 15rem; } }
@media (max-width: 36rem) { .sheets { grid-template-columns: minmax(0, 1fr); } header { padding-top: 1.6rem; }
  pre { font-size: 12.5px; } body { font-size: 16px; } }
"""


def page(corners: list[Corner], out: Path, cards: Path) -> str:
    """Return the page on all games; `cards` is the folder with their sources."""
    links = "".join(f'<a href="#{corner.game}">{escape(_title(corner))}</a>' for corner in corners)
    body = "".join("\n".join(_section(corner, out, cards)) for corner in corners)
    return f"""<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Four games, written as text</title>
<style>{STYLE}</style>
<header><h1>Board games, written as text</h1>
<p class="lead">Each source with the cards that fcb prints from it, in two languages. The same source was checked,
tested and played a moment ago, on this machine.</p><nav>{links}</nav></header>
<main>{body}</main>
<footer>This page shows a part. <code>make demo-all</code> runs every test, plays every mission and prints everything.
Unofficial: not affiliated with the publishers of these games.</footer></html>
"""


def _title(corner: Corner) -> str:
    return str(corner.wanted.get("title", corner.game))


def _section(corner: Corner, out: Path, cards: Path) -> Iterator[str]:
    folder = out / corner.game
    yield f'<section id="{corner.game}"><h2>{escape(_title(corner))}</h2>'
    yield f'<p class="lead">{escape(corner.wanted.get("about", ""))}</p>'
    facts = [
        corner.last("checked"),
        corner.last("tested"),
        "" if corner.fine else "Something failed: see the commands.",
    ]
    yield '<ul class="facts">' + "".join(f"<li>{escape(fact)}</li>" for fact in facts if fact) + "</ul>"
    pieces = corner.wanted.get("pieces", ())
    if pieces:
        yield "<h3>A source and its cards</h3>"
    faces = {name: sorted((folder / code).rglob("*card-*-face.png")) for code, name in _LANGUAGES.items()}
    for at, piece in enumerate(pieces):
        shown = "".join(_figure(some[at], out, piece, name) for name, some in faces.items() if at < len(some))
        source = lines_of(excerpt(cards / corner.game, piece))
        yield f'<div class="pair"><pre>{source}</pre><div class="cards">{shown}</div></div>'
    sheets = [
        (path, name) for code, name in _LANGUAGES.items() for path in sorted((folder / code).rglob("mission-*.png"))
    ]
    if sheets:
        yield '<h3>The mission sheet</h3><div class="sheets">'
        yield from (_figure(path, out, "mission sheet", name) for path, name in sheets)
        yield "</div>"
    if (folder / "campaign.svg").exists():
        source = f"{corner.game}/campaign.svg"
        picture = f'<img class="map" src="{source}" loading="lazy" alt="The places of the campaign and their links">'
        yield f'<div class="course"><div><h3>The campaign map</h3><a href="{source}">{picture}</a></div>'
    else:
        yield '<div class="course">'
    if "story" in corner.said:
        yield from _story(corner)
    yield "</div>"
    yield "<details><summary>The commands that made this, with files and hashes</summary>"
    for command, output in corner.said.values():
        yield f"<details><summary><code>{escape(command)}</code></summary><pre>{escape(output)}</pre></details>"
    yield "</details></section>"


_LANGUAGES = {"en": "English", "fr": "French"}


def _figure(path: Path, out: Path, what: str, language: str) -> str:
    source = path.relative_to(out).as_posix()
    picture = f'<img src="{source}" loading="lazy" alt="{escape(what)}, {language}">'
    return f'<figure><a href="{source}">{picture}</a><figcaption>{language}</figcaption></figure>'


def excerpt(folder: Path, piece: str) -> str:
    """Return the definition of `kind/id` from a source below `folder`. Raise ValueError if there is none."""
    head = re.escape(piece.replace("/", " "))
    for path in sorted(folder.rglob("*.fcb")):
        found = re.search(rf"^{head}\s.*\n(?:(?: .*)?\n)*", path.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return found[0].rstrip()
    raise ValueError(f"no source in {folder} defines {piece}")


_MARKS = re.compile(
    r'(?P<s>(?:^|(?<=\s))#.*)|(?P<i>"(?:\\.|[^"\\\n])*")|(?P<u>^\s+[a-z][a-z -]*(?=:))|(?P<b>^[a-z][\w-]*(?= ))',
    re.MULTILINE,
)


def colored(source: str) -> str:
    """Return a source as HTML: comments, texts, fields and kinds in colors."""
    done, at = [], 0
    for mark in _MARKS.finditer(source):
        done += [escape(source[at : mark.start()]), f"<{mark.lastgroup}>{escape(mark[0])}</{mark.lastgroup}>"]
        at = mark.end()
    return "".join(done) + escape(source[at:])


def lines_of(source: str) -> str:
    """Return a colored source line by line: where a line is too long for the page, its rest is indented further."""
    depths = [len(line) - len(line.lstrip()) + 4 for line in source.split("\n")]
    return "".join(
        f'<span style="padding-left:{depth}ch;text-indent:-{depth}ch">{line or " "}</span>'
        for line, depth in zip(colored(source).split("\n"), depths, strict=True)
    )


def _story(corner: Corner) -> Iterator[str]:
    """Yield the game log from the heading that `demo.toml` names, by default from the first round; the rest is
    folded."""
    lines = corner.said["story"][1].splitlines()
    lines = [
        line for line in lines[1:] if line.strip() and not line.endswith(f": the story of {corner.wanted['mission']}")
    ]
    begins = corner.wanted.get("log-from", "")
    heads = [at for at, line in enumerate(lines) if "══" in line and "Set-up" not in line]
    heads = [at for at, line in enumerate(lines) if line.strip("═─ ") == begins] or heads
    first = heads[0] if heads else 0
    until = min(len(lines), first + SHOWN)
    yield f'<div><h3>A game, played by bots</h3><div class="log"><p class="end">{escape(corner.last("played"))}</p>'
    yield f'<div class="big">{_lines(lines[first:until])}</div>'
    if until < len(lines):
        yield f"<details><summary>The rest of the game ({len(lines) - until} lines)</summary>"
        yield f'<div class="big">{_lines(lines[until:])}</div></details>'
    yield f'<p><a href="{corner.game}/story.html">The whole game with its board, step by step</a></p></div></div>'


def _lines(lines: list[str]) -> str:
    return "".join(map(_line, lines))


def _line(line: str) -> str:
    title = re.match(r"\s*[═─]{2} (.*) [═─]{2}$", line)
    if title:
        return f"<h4>{escape(title[1])}</h4>"
    number = re.match(r"\s*\d+\.\d+  ", line)
    rest = line[number.end() :] if number else line.lstrip()
    depth = (len(rest) - len(rest.lstrip())) // 2
    return f'<p style="padding-left:{min(depth, 5) * 0.9}em">{escape(rest.strip())}</p>'

"""Texts of authors are printed unchanged: in pages, drawings and documents they are never markup or code."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pypdf import PdfReader

from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.press.table_sheets import render_aids, render_tokens
from fcbdsl.project.project import check_project

PAYLOADS = {
    "a script": "<script>alert(1)</script>",
    "an image": "<img src=x onerror=a()>",
    "a closed style": "</style></svg><svg onload=a()>",
    "an attribute": '\\" onload=\\"a()\\" x=\\"',
    "an apostrophe": "' onload='a()' x='",
    "an entity": "&lt;b&gt; &#60;i&#62;",
    "a comment": "<!-- --><![CDATA[ ]]>",
    "an import": '#import \\"@preview/x:1.0.0\\": a',
    "a file": '#read(\\"/etc/passwd\\")',
    "a calculation": '#eval(\\"7*7\\") $7 * 7$',
    "a label": "<lab> @lab _it_ `raw` = head",
    "a closed string": '\\\\\\") #panic(\\"x\\")',
    "a Jinja expression": "{{7*7}} {{ self }}",
    "our own expression": "<<7*7>> <<self>>",
    "a block": "<% for x in y %> {% raw %}",
    "an address": "javascript:a() http://x.example/",
}
OF_PAGES = ("an image", "a closed style", "an attribute", "an apostrophe", "an entity", "a comment")
"""Payloads that only browsers understand; the scripts show that documents need no others."""
FOR_DOCUMENTS = [pytest.param(name, marks=pytest.mark.long if name in OF_PAGES else []) for name in PAYLOADS]
PLAIN = "plain words"
CHARM = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{ width }} {{ height }}">
  <title>{{ card.title }}</title><desc>{{ card.flavour }}</desc>
  <rect id="{{ card.title }}" class='{{ card.title }}' width="9" height="{{ card.title | length }}" fill="#ddd"/>
  <rect data-set="title" x="4" y="4" width="55" height="8"/>
  <rect data-say="{{ card.fields.note.value }}" x="4" y="12" width="55" height="6"/>
  <rect data-set="type" x="4" y="18" width="55" height="4"/>
  <rect data-set="text" x="4" y="24" width="55" height="20"/>
  <rect data-set="flavour" x="4" y="50" width="55" height="20"/>
  <rect data-set="foot" x="4" y="80" width="55" height="4"/>
</svg>
"""


def project(folder: Path, text: str) -> Path:
    """Write a small game in which every title and text is `text`."""
    folder.mkdir()
    (folder / "cards").mkdir()
    (folder / "cards" / "charm.svg.j2").write_text(CHARM)
    (folder / "fcb.toml").write_text('language = 2\nname = "shop"\npaths = ["cards"]\n')
    (folder / "cards" / "all.fcb").write_text(
        f"""\
system shop "Shop":
  players: 1..2
  board: hex
  languages: en
enum family: tame, wild
  tame "{text}"
kind tool is card:
  name: "tool", plural "tools"
  field sort: family
  field power "Power": number
terrain bog "{text}":
  cost: 2
token fire "{text}":
  limit: 3
  reminder: "{text}"
mark gate, entry
die coin "{text}":
  faces: heads 1, tails 1
  heads: "{text}"
  tails: "{text}"
keyword Saw "{text}":
  text en: "*Saw*"
  reminder: "It cuts."
  effect: stop
kind hand is piece:
  name: "hand", plural "hands"
  reminder: "{text}"
  field reach: number, default 1
verb rest "{text}":
  reminder: "Nothing is done."
  effect: stop
flow:
  repeat 2 times: rest
action work "{text}":
  reminder: "{text}"
  by: hand
  effect: rest
rule calm "{text}":
  reminder: "{text}"
  always: every hand has +1 reach
variant pace: slow, fast
  text en: "{text}"
kind charm is card:
  name: "charm", plural "charms"
  field note: text
layout charm:
  template: "charm.svg.j2"
charm ring "{text}":
  note: "{text}"
  flavour: "{text}"
  text: "{text}"
layout symbols:
  bog: die, "#2e7d32", "B"
  gate: exit, "#2e7d32", en "{text}"
tool saw "{text}":
  sort: tame
  power: 3
  flavour: "{text}"
  text: "{text}"
mission field "{text}":
  flavour: "{text}"
  map hex:
    legend:
      "b": bog
      "f": fire 2
      "g": gate
    art: |
      g . b
       . f .
"""
    )
    return folder


def printed(folder: Path, text: str, to: str) -> dict[str, Path]:
    """Return the printed files by name."""
    model, problems = check_project(root=project(folder, text))
    assert [problem for problem in problems if problem.severity == "error"] == []
    if to == "html":
        (path,) = render_page(model, (), "en", folder / "out").files
        return {path.name: path}
    made = render(model, (), "en", "a4", to, folder / "out").files
    aids = render_aids(model, "en", to, folder / "out", Options()).files
    assert tuple(path.stem for path in aids)[:2] == ("aid", "reference")
    tokens = render_tokens(model, "en", to, folder / "out", Options()).files
    assert len(tokens) == 1
    return {path.name: path for path in (*made, *aids, *tokens)}


class Skeleton(HTMLParser):
    """The elements of a page with the names of their attributes, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def skeleton(path: Path) -> Skeleton:
    reader = Skeleton()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def said(text: str) -> str:
    """Return a payload as it must be read: with escapes of the language resolved, without blanks."""
    return squeezed(re.sub(r"\\(.)", r"\1", text))


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u00ad\u2010-]", "", text).replace("’", "'").lower()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PAYLOADS)
def test_hostile_text_adds_no_element_or_attribute(tmp_path: Path, name: str) -> None:
    plain, hostile = (printed(tmp_path / sub, text, "html") for sub, text in (("a", PLAIN), ("b", PAYLOADS[name])))
    assert list(plain) == list(hostile)
    assert any("<svg" in path.read_text(encoding="utf-8") for path in hostile.values())
    for file in plain:
        right, injected = skeleton(plain[file]), skeleton(hostile[file])
        kinds = set(right.elements)
        assert set(injected.elements) <= kinds, set(injected.elements) - kinds
        assert not [names for _, names in injected.elements for name in names if name.startswith("on")]
        assert said(PAYLOADS[name]) in squeezed(injected.text)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", FOR_DOCUMENTS)
def test_hostile_text_is_printed_literally(tmp_path: Path, name: str) -> None:
    files = printed(tmp_path / "a", PAYLOADS[name], "pdf")
    text = ""
    for path in files.values():
        reader = PdfReader(path)
        assert not {"/OpenAction", "/AA", "/Names"} & set(reader.trailer["/Root"])
        assert not any("/Annots" in page for page in reader.pages)
        text += "".join(page.extract_text() for page in reader.pages)
    assert said(PAYLOADS[name]) in squeezed(text)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PAYLOADS)
def test_hostile_text_is_literal_in_templates(tmp_path: Path, name: str) -> None:
    model, problems = check_project(root=project(tmp_path / "a", PAYLOADS[name]))
    assert [problem for problem in problems if problem.severity == "error"] == []
    (pdf,) = render(model, ("ring",), "en", "a4", "pdf", tmp_path / "out", Options(backs="none")).files
    reader = PdfReader(pdf)
    assert not {"/OpenAction", "/AA", "/Names"} & set(reader.trailer["/Root"])
    assert squeezed(reader.pages[0].extract_text()).count(said(PAYLOADS[name])) >= 3  # note, text, flavour

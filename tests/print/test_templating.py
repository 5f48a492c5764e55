"""Faces from templates of packs: they show the data of the card, within bounds, and do nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_shop import shop

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.content import Layout
from fcbdsl.language.model.whole import Model
from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.custom_templates import SETS
from fcbdsl.print.pieces.looks import check_looks
from fcbdsl.print.pieces.templating import MOST_STEPS, MOST_WRITTEN, BadTemplate, read_template
from fcbdsl.print.press.press import render
from fcbdsl.print.typeset.folders import TEMPLATES

FACE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{ width }} {{ height }}">
  <rect x="-3" y="-3" width="69" height="94" fill="#eeeeee"/>
  HERE
  <rect data-set="title" x="4" y="4" width="40" height="8"/>
  <rect data-set="type" x="4" y="12" width="40" height="4"/>
  <rect data-set="text" x="4" y="40" width="55" height="30"/>
  <rect data-set="badges" x="4" y="32" width="55" height="6"/>
  <rect data-say="{{ card.corner.value }}" x="50" y="4" width="8" height="8"/>
  <rect data-set="flavour" x="4" y="71" width="55" height="8"/>
  <rect data-set="foot" x="4" y="82" width="55" height="4"/>
</svg>
"""


def templated(folder: Path, face: str) -> Model:
    """Return the shop, whose tools have a template."""
    (folder / "tool.svg.j2").write_text(face, encoding="utf-8")
    model = shop()
    settings = {**model.layouts["tool"].settings, "template": (("tool.svg.j2",),)}
    model.layouts["tool"] = Layout("tool", Span(Source(str(folder / "shop.fcb"), ""), 0, 0), settings)
    return model


def problem_of(folder: Path, face: str) -> Diagnostic:
    """Return the only problem of a card with that face."""
    model = templated(folder, face)
    (problem,) = [*check_looks(model), *card_of(model.definitions["tool", "rope"], model, "en")[1]]
    return problem


def filled(text: str, **values: object) -> str:
    return read_template(text).fill(values)


# ── drawing ────────────────────────────────────────────────────────────────────────────────────


def test_face_template_is_drawn_and_tagged(tmp_path: Path) -> None:
    from pypdf import PdfReader

    model = templated(tmp_path, FACE.replace("HERE", '<circle cx="9" cy="9" r="{{ card.fields.weight.value }}"/>'))
    card, problems = card_of(model.definitions["tool", "rope"], model, "en")
    assert problems == []
    assert card.own is not None
    assert '<circle cx="9" cy="9" r="1">' in card.own.svg
    assert "data-" not in card.own.svg
    assert [slot.what for slot in card.own.slots] == ["title", "type", "text", "badges", "say", "flavour", "foot"]
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path / "out")
    text = PdfReader(made.files[0]).pages[0].extract_text()
    assert all(word in text for word in ("Rope", "Tool · wood", "Shift everything", "QUICK", "Strong", "2/2"))
    page = render_page(model, ("rope",), "en", tmp_path / "web")
    assert "template" in page.notes[0]


def test_face_template_has_disc_and_dials(tmp_path: Path) -> None:
    from pypdf import PdfReader

    disc = '<rect data-set="corner" x="50" y="4" width="8" height="8"/>'
    dials = '<rect data-set="dials" x="4" y="18" width="55" height="9"/>'
    text = '<rect data-say="{{ card.corner.value }}" x="50" y="4" width="8" height="8"/>'
    model = templated(tmp_path, FACE.replace("HERE", dials).replace(text, disc))
    tool = model.layouts["tool"]
    model.layouts["tool"] = Layout("tool", tool.span, {**tool.settings, "dials": (("weight", "3"),)})
    card, problems = card_of(model.definitions["tool", "rope"], model, "en")
    assert problems == []
    assert card.corner is not None
    assert [len(dial.steps) for dial in card.dials] == [4]
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path / "out")
    assert (made.problems, made.left_out) == ((), ())
    text = PdfReader(made.files[0]).pages[0].extract_text()
    assert "WEIGHT" in text
    assert text.count("1") >= 2  # in the disc and on the dial


def test_text_that_does_not_fit_face_is_error(tmp_path: Path) -> None:
    model = templated(tmp_path, FACE.replace('height="30"', 'height="2"'))
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path / "out")
    assert [problem.code for problem in made.problems] == ["FCB0704"]
    assert made.left_out == ("tool/rope",)


@pytest.mark.parametrize("name", ["title", "type", "text", "badges", "flavour", "foot"])
def test_face_template_must_show_everything(tmp_path: Path, name: str) -> None:
    lines = [line for line in FACE.replace("HERE", "").split("\n") if f'data-set="{name}"' not in line]
    problem = problem_of(tmp_path, "\n".join(lines))
    assert (problem.code, problem.arguments["what"]) == ("FCB0732", f"`{name}`")
    assert "`tool/rope` (en)" in problem.message


def test_number_can_be_text_in_template(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, FACE.replace("HERE", "").replace("{{ card.corner.value }}", "heavy"))
    assert (problem.code, problem.arguments["what"]) == ("FCB0732", "`corner`")


def test_template_sets_equal_those_of_press() -> None:
    drawn = (TEMPLATES / "ownface.typ").read_text(encoding="utf-8")
    assert [name for name in (*SETS, "say", "icon") if f'slot.what == "{name}"' not in drawn] == []


# ── mistakes: the line, the card ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("here", "says"),
    [
        ("{{ card.titel }}", "it uses an unknown name: `titel`"),
        ("{{ card.titel.length }}", "it uses an unknown name: `titel`"),
        ("{{ kard }}", "it uses an unknown name: `kard`"),
        ("{% if %}", "Expected an expression"),
        ("{{ 1 // 0 }}", "divides by zero"),
        ("{{ card.title }", "unexpected '}'"),
        ("<script>1</script>", "`script`"),
        ("<foreignObject/>", "`foreignObject`"),
        ("<text>a</text>", "`text`"),
        ('<image href="x.png"/>', "`image`"),
        ('<use href="x.svg#a"/>', "outside itself"),
        ('<g onclick="a()"/>', "runs something"),
        ('<rect fill="url(http://x)"/>', "outside itself"),
        ("<g>", "well-formed"),
        ('<circle data-set="type" r="1"/>', "a place is a `rect`"),
        ('<rect data-set="titel" width="1" height="1"/>', "Did you mean title?"),
        ('<rect data-icon="skul" width="1" height="1"/>', "Did you mean skull?"),
        ('<rect data-say="a" width="1mm" height="1"/>', "millimeters"),
        ('<rect data-say="a" x="1"/>', "has a `width`"),
        ('<rect data-say="a" width="1" height="1" fill="red"/>', "color"),
        ('<rect data-say="a" width="1" height="1" data-size="big"/>', "points"),
        ('<rect data-say="a" width="1" height="1" data-align="middle"/>', "data-align"),
        ('<g transform="scale(2)"><rect data-say="a" width="1" height="1"/></g>', "transform"),
    ],
)
def test_template_error_names_its_line_and_the_card(tmp_path: Path, here: str, says: str) -> None:
    problem = problem_of(tmp_path, FACE.replace("HERE", here))
    assert problem.code == "FCB0731"
    assert says in problem.message
    assert (problem.span.source.name, problem.span.line) == (str(tmp_path / "tool.svg.j2"), 3 if here != "<g>" else 11)
    assert "rope" in problem.message or "any tool" in problem.message
    assert problem.related


def test_template_size_must_equal_piece_size(tmp_path: Path) -> None:
    assert '"0 0 63 88"' in problem_of(tmp_path, FACE.replace("HERE", "").replace("{{ height }}", "89")).message


def test_template_is_beside_source(tmp_path: Path) -> None:
    model = templated(tmp_path, FACE)
    (tmp_path / "tool.svg.j2").unlink()
    (problem,) = check_looks(model)
    assert (problem.code, problem.arguments["card"]) == ("FCB0731", "any tool")
    model.layouts["tool"].settings["template"] = (("../tool.svg.j2",),)
    assert "outside" in check_looks(model)[0].message
    assert render(model, ("rope",), "en", "a4", "pdf", tmp_path / "out").files == ()


# ── limits ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "{% include 'a' %}",
        "{% import 'a' as b %}",
        "{% from 'a' import b %}",
        "{% extends 'a' %}",
        "{% macro a() %}{% endmacro %}",
        "{% call a() %}{% endcall %}",
        "{% filter upper %}a{% endfilter %}",
        "{% set a %}b{% endset %}",
        "{% set a.b = 1 %}",
        "{% block a %}{% endblock %}",
        "{% autoescape false %}{% endautoescape %}",
        "{{ 9 ** 9 }}",
        "{{ 'a' ~ 'b' }}",
        "{{ card.title() }}",
        "{{ range.__class__ }}{{ range() }}{{ lipsum() }}",
        "{{ namespace(a=1) }}",
        "{{ 'a' | safe }}",
        "{{ 'a' | center(9) }}",
        "{{ 'a' | attr('b') }}",
        "{{ {'a': 1} }}",
        "{% for a in b recursive %}{% endfor %}",
        "{{ a is callable }}",
        "{{ 'abc'[0:2] }}",
        "{{ " + "(" * 300 + "1" + ")" * 300 + " }}",
        "{% if a %}" * 60 + "{% endif %}" * 60,
        "{% for a in b %}" * 30 + "{% endfor %}" * 30,
        " " * 70_000,
    ],
)
def test_unlisted_template_features_are_refused_first(text: str) -> None:
    with pytest.raises(BadTemplate):
        read_template(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{% for a in range(1000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}", "steps"),
        ("{% for a in range(9999) %}{% endfor %}", "range"),
        ("{% for a in range(900) %}" + "x" * 900 + "{% endfor %}", "characters"),
        ("{{ 'a' * 99999999 }}", "numbers"),
        ("{{ '%999999d' % 1 }}", "numbers"),
        ("{{ 999999999 * 999999999 }}", "too large"),
        ("{{ card.__class__ }}", "unknown name"),
        ("{{ card.items }}", "unknown name"),
        ("{{ ''.format }}", "unknown name"),
        ("{{ card['keys'] }}", "unknown name"),
        ("{% for a in [1] %}{{ loop.__init__ }}{% endfor %}", "unknown name"),
        ("{{ card }}", "words and numbers"),
        ("{{ [card] }}", "words and numbers"),
        ("{% for a in 5 %}{% endfor %}", "lists"),
        ("{% for a in card %}{% endfor %}", "lists"),
        ("{{ 'a' | round }}", "filled"),
        ("{{ 5 | round(-999999999) }}", "behind the point"),
        ("{{ missing }}", "missing"),
    ],
)
def test_template_beyond_its_limits_is_stopped(text: str, why: str) -> None:
    with pytest.raises(BadTemplate, match=why) as stopped:
        filled("\n" + text, card={"title": "a"})
    assert stopped.value.line == 2 or why == "characters"


def test_growth_of_template_text_is_bounded() -> None:
    lines = "".join(f"{{% set a{at + 1} = a{at} + a{at} %}}" for at in range(40))
    with pytest.raises(BadTemplate, match="too large"):
        filled("{% set a0 = 'ab' %}" + lines)


def test_allowed_template_features_work() -> None:
    text = "{% for a in card.stats if a.value > 1 %}{{ loop.index }}:{{ a.name | upper }}{{ a.value / 4 }},{% endfor %}"
    stats = [{"name": "<a>", "value": 2}, {"name": "b", "value": 1}, {"name": "c", "value": 3}]
    assert filled(text, card={"stats": stats}) == "1:&lt;A&gt;0.5,2:C0.75,"
    assert filled("{% set a = [1, 2][1] %}{{ 'yes' if a is even and not b is defined else 'no' }}{{ a + 1 }}") == "yes3"


def test_stopped_template_can_run_again() -> None:
    program = read_template("{% for a in range(times) %}{% for b in range(900) %}{% endfor %}{% endfor %}")
    assert 20 * 900 > MOST_STEPS > 9 * 900
    for _ in range(3):
        with pytest.raises(BadTemplate):
            program.fill({"times": 20})
        assert program.fill({"times": 9}) == ""


PIECES = (
    "{{ a }}", "{{ b[0] }}", "{{ c.d }}", "{{ ", " }}", "{% ", " %}", "for x in b", "endfor", "if a", "endif",
    "set y = ", "a + a", "c.d * 9", "| upper", "range(9)", "x", "<g>", "</g>", "{#", "#}", "loop.index", "(", ")",
    "[", "]", "'", "**", "~",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join))
def test_random_templates_are_filled_or_refused(text: str) -> None:
    try:
        assert len(filled(text, a="w", b=[1, 2], c={"d": 3})) <= MOST_WRITTEN
    except BadTemplate as refused:
        reason = (refused.line, refused.why)
        assert reason > (0, "")


def test_number_with_too_many_digits_is_reported_at_its_place() -> None:
    with pytest.raises(BadTemplate, match="too many digits") as error:
        read_template("<svg>\n{{ " + "9" * 5000 + " }}</svg>")
    assert error.value.line == 2

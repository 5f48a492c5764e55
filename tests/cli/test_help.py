"""`fcb help` shows the installed pages: whole ones, the section of a word, and what a heading can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from cli_runner import Shell
from games import ROOT

from fcbdsl.base.diagnostics import explain, known_codes
from fcbdsl.tools.docs import topics

MENTION = re.compile(r"`fcb help ([^`]+)`")


def mentions() -> Iterator[str]:
    """Yield the topics that messages and pages of the documentation name."""
    for code in known_codes():
        yield from MENTION.findall(explain(code) or "")
    for section in topics.sections():
        if section.level == 1:
            yield from re.findall(r"\(fcb help ([^)]+)\)", topics.readable(section))


def test_topics_in_messages_exist() -> None:
    named = set(mentions())
    assert {"layouts", "tutorial", "language/effects"} <= named
    assert [name for name in sorted(named) if len(topics.lookup(name)) != 1] == []


def test_messages_name_no_uninstalled_file() -> None:
    pages = {path.name for path in (ROOT / "docs").rglob("*.md")}
    for code in known_codes():
        text = re.sub(r"https://\S+", "", explain(code) or "")
        assert not pages & set(re.findall(r"[\w-]+\.md", text)), code


@pytest.mark.parametrize(
    ("topic", "first"),
    [
        ("", "# fcbdsl documentation"),
        ("tutorial", "# Tutorial: your first mission"),
        ("language/effects", "# Effects and statements"),
        ("Effects and Statements", "# Effects and statements"),
        ("effects#choose", "### `choose`"),
        ("choose", "### `choose`"),
        ("aura", "### Aura: a bonus for everybody near you"),
        ("fcb0417", "FCB0417 (error)"),
        ("render", "Usage: fcb render"),
    ],
)
def test_topics_are_pages_words_codes_and_commands(shell: Shell, topic: str, first: str) -> None:
    done = shell.fcb("help", *topic.split())
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(first)


def test_section_ends_at_next_heading_of_its_level() -> None:
    (section,) = topics.lookup("choose")
    assert "\n### " not in section.text
    assert "hurt target" in section.text


def test_heading_of_several_pages_lists_them(shell: Shell) -> None:
    done = shell.fcb("help", "mark")
    listed = [line.split()[0] for line in done.out.splitlines()[1:]]
    assert len(listed) > 1
    assert [len(topics.lookup(topic)) for topic in listed] == [1] * len(listed)


def test_unknown_topic_suggests_nearest(shell: Shell) -> None:
    done = shell.fcb("help", "countdwn")
    assert done.code == 2
    assert "Did you mean `countdown`?" in done.err


def test_unknown_topic_without_suggestion_names_contents(shell: Shell) -> None:
    done = shell.fcb("help", "xyzzy", "plugh")
    assert done.code == 2
    assert "`fcb help` shows the contents." in done.err


def test_links_and_pictures_are_readable_without_a_browser() -> None:
    shown = topics.readable(topics.lookup("index")[0])
    assert "Install fcb (fcb help install)" in shown
    assert "(picture: The Shove card in English)" in shown
    assert "](" not in re.sub(r"```.*?```", "", shown, flags=re.DOTALL)

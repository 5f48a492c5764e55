"""Stories of games as text for a terminal and as pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from fcbdsl.base import resources
from fcbdsl.play.session.story import Heading, Story, StoryLine

MARGIN = 8
"""Columns of the name of a line."""
_ALL = 1 << 30


def story_text(story: Story, first: int = 0, last: int = _ALL) -> str:
    """Return the story of some steps, for a terminal or a file."""
    out = [story.title]
    for entry in story.between(first, last):
        if isinstance(entry, Heading):
            out += ([""] if entry.level == 1 else []) + [f"{' ' * MARGIN}{_title(entry)}"]
        else:
            out.append(f"{entry.name:>{MARGIN - 2}}  {'  ' * entry.depth}{entry.text}")
    return "\n".join([*out, "", story.outcome]) + "\n"


def _title(heading: Heading) -> str:
    marks = {1: "══ {} ══", 2: "── {} ──"}
    return marks.get(heading.level, "{}").format(heading.text)


def why(story: Story, name: str) -> str:
    """Return the causes of a line, the nearest first, each with its source line."""
    line = next((line for line in story.lines() if line.name == name), None)
    if line is None:
        steps = [line.name for line in story.lines() if line.name.split(".")[0] == name.split(".")[0]]
        explanation = f"step {name.split('.')[0]} has {', '.join(steps)}" if steps else "see `fcb replay --show`"
        raise click.UsageError(f"The story has no line {name!r}: {explanation}.")
    out = [f"{line.name}  {line.text}", *_placed(line.place)]
    for cause in _causes(line):
        out += [f"  because  {cause[0]}", *_placed(cause[1])]
    return "\n".join(out) + "\n"


def _causes(line: StoryLine) -> Iterable[tuple[str, str]]:
    """Yield the causes of a line, each with its place. A cause without a text has the name of its code.

    A cause is left out if it repeats the text and the place of the one before.
    """
    before = ("", line.place)
    for cause in line.causes:
        shown = (cause.text or cause.code, cause.place)
        if shown[1] and shown != before and (cause.text or shown[1] != before[1]):
            yield shown
            before = shown


def _placed(place: str) -> list[str]:
    """Return a place in the sources, with its line if the file exists."""
    return [f"           {place}  {_written(place)}".rstrip()] if place else []


def _written(place: str) -> str:
    """Return the line at a place without its comment, if it is in a source of ours: a program can name any file."""
    from fcbdsl.base.files import CannotRead, read_utf8
    from fcbdsl.project.paths import shipped_path

    file, _, number = place.rpartition(":")
    path = Path(file).resolve()
    ours = any(path.is_relative_to(folder.resolve()) for folder in (Path(), shipped_path("systems")))
    try:
        lines = read_utf8(path).splitlines() if ours and path.suffix == ".fcb" else []
    except CannotRead:
        return ""
    at = int(number) - 1 if number.isdecimal() else -1
    return re.sub(r"\s+#.*$", "", lines[at].strip()) if 0 <= at < len(lines) else ""


def render_story(
    story: Story, language: str, first: int = 0, last: int = _ALL, drawn: Mapping[str, object] | None = None
) -> str:
    """Return the story of some steps as a standalone page without scripts. `drawn`: its boards as drawings (see
    `replay_command.DrawnBoards`)."""
    import jinja2

    from fcbdsl.play.session.strings import play_text

    templates = jinja2.FileSystemLoader(resources.package_folder() / "tools" / "reports" / "templates")
    environment = jinja2.Environment(
        loader=templates, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    boards = {str(step): drawn for step, drawn in story.boards.items()}
    causes = {line.name: list(_causes(line)) for line in story.lines()}
    return environment.get_template("story.html.j2").render(
        story=story,
        entries=list(story.between(first, last)),
        language=language,
        boards=boards,
        causes=causes,
        drawn=drawn,
        words={word: play_text(language, f"page-{word}") for word in ("board", "back", "on", "why", "step", "keys")},
    )

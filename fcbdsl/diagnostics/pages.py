"""What can be read about diagnostics: the page of one, and the reference of all."""

from __future__ import annotations

import re
from itertools import groupby
from textwrap import indent

from fcbdsl.diagnostics.base import AREAS, Diagnostic
from fcbdsl.diagnostics.registry import all_diagnostics, find


def explain(code: str) -> str | None:
    """Return the page of one diagnostic as plain text, or None if there is no such code."""
    cls = find(code)
    if cls is None:
        return None
    parts = [f"{cls.code} ({cls.severity}): {cls.title}", *_prose(cls)]
    for title, example in (("Wrong:", cls.bad), ("Right:", cls.good)):
        if example:
            parts.append(title + "\n\n" + indent(example, "    "))
    return "\n\n".join(parts) + "\n"


def reference() -> str:
    """Return the reference of every diagnostic as Markdown."""
    parts = [
        "# Errors and warnings (diagnostics)",
        "Everything the tools can find wrong, by code. `fcb explain CODE` prints one entry.\n"
        "This page is generated from the classes in `fcbdsl/diagnostics/`.",
    ]
    for area, classes in groupby(all_diagnostics(), key=lambda cls: cls.code[3:5]):
        parts.append(f"## {AREAS[area]}")
        for cls in classes:
            parts += [f"### {cls.code} {cls.title}", *_markdown(cls)]
    return "\n\n".join(parts) + "\n"


def _markdown(cls: type[Diagnostic]) -> list[str]:
    parts = ["*Warning.*"] if cls.severity == "warning" else []
    parts += _prose(cls)
    for title, example in (("Wrong:", cls.bad), ("Right:", cls.good)):
        if example:
            parts.append(f"{title}\n```\n{example}\n```")
    return parts


def _prose(cls: type[Diagnostic]) -> list[str]:
    """The paragraphs of a page; an explanation takes the place of the bare cause and help."""
    if cls.explanation:
        return [cls.explanation]
    return [_plain(cls.cause), _plain(cls.help)] if cls.help else [_plain(cls.cause)]


def _plain(template: str) -> str:
    """A template with its arguments shown as names in angle brackets."""
    articled = re.sub(r"\{(\w+):([aA])\}", r"\2 {\1}", template)
    return articled.replace("{", "<").replace("}", ">")

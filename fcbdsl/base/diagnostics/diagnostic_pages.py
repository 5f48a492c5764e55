"""Documentation of diagnostics: the page of one, and the reference of all."""

from __future__ import annotations

from itertools import groupby
from textwrap import indent

from fcbdsl.base.diagnostics.base import AREAS, Diagnostic, argument_names, fill_message
from fcbdsl.base.diagnostics.entries import ENTRIES, FOLDER
from fcbdsl.base.diagnostics.registry import all_diagnostics, find_diagnostic


def explain(code: str) -> str | None:
    """Return the page of one diagnostic as plain text, or None if there is no such code."""
    cls = find_diagnostic(code)
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
        "This page is generated from the classes in `fcbdsl/base/diagnostics/`.",
    ]
    for area, classes in groupby(all_diagnostics(), key=lambda cls: cls.code[3:5]):
        parts.append(f"## {AREAS[area]}")
        for cls in classes:
            parts += [f"### {cls.code} {cls.title}", *_markdown(cls)]
    return "\n\n".join(parts) + "\n"


def _markdown(cls: type[Diagnostic]) -> list[str]:
    parts = ["*Warning.*"] if cls.severity == "warning" else []
    parts += _prose(cls)
    if cls.code in ENTRIES:
        parts.append(f"See the [language reference]({FOLDER}/{ENTRIES[cls.code]}).")
    for title, example in (("Wrong:", cls.bad), ("Right:", cls.good)):
        if example:
            parts.append(f"{title}\n```\n{example}\n```")
    return parts


def _prose(cls: type[Diagnostic]) -> list[str]:
    """Return the paragraphs of a page: the explanation, or else the cause, and the help if it needs no argument."""
    parts = [cls.explanation or fill_message(cls.cause, {})]
    return [*parts, fill_message(cls.help, {})] if cls.help and not argument_names(cls.help) else parts

"""Where the settings of variants come from, for messages."""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.source import Source, Span


def settings(switches: Mapping[str, str]) -> Span:
    """A span for problems of a project's settings: the list of them."""
    text = "".join(f'{name} = "{value}"\n' for name, value in switches.items())
    return Span(Source("fcb.toml [variants]", text), 0, 0)

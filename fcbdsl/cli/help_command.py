"""``fcb help``."""

from __future__ import annotations

import sys

import click


@click.command("help", epilog="Example: fcb help choose")
@click.argument("topic", nargs=-1)
def command(topic: tuple[str, ...]) -> None:
    """Read the documentation. TOPIC is a page, a word of the language, words of a heading, or a command.

    Without TOPIC, fcb shows the contents. The pages are installed with fcb, so no network is needed.
    """
    from fcbdsl.base.diagnostics import explain
    from fcbdsl.cli.main import COMMANDS, cli
    from fcbdsl.tools.docs import topics

    asked = " ".join(topic)
    code = explain(asked.upper())
    if code is not None:
        _show(code)
        return
    sections = topics.lookup(asked or topics.FRONT)
    if asked in COMMANDS and not any(section.level == 1 for section in sections):
        asked_of = cli.get_command(click.Context(cli, info_name="fcb"), asked)
        assert asked_of is not None
        _show(asked_of.get_help(click.Context(asked_of, info_name=f"fcb {asked}")))
        return
    if not sections:
        near = topics.nearest(asked)
        raise click.UsageError(
            f"The documentation has no page or heading `{asked}`. "
            + (f"Did you mean `{near}`?" if near else "`fcb help` shows the contents.")
        )
    if len(sections) == 1:
        _show(topics.readable(sections[0]))
        return
    click.echo(f"{len(sections)} sections have this heading. Show one with `fcb help TOPIC`:")
    width = max(len(section.topic) for section in sections)
    for section in sections:
        click.echo(f"  {section.topic.ljust(width)}  {section.heading}")


def _show(text: str) -> None:
    """Show a text: a page at a time on a terminal."""
    if sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text.rstrip("\n"))

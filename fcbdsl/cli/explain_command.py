"""``fcb explain``."""

from __future__ import annotations

import click


@click.command("explain", epilog="Example: fcb explain FCB0203")
@click.argument("code")
def command(code: str) -> None:
    """Explain a diagnostic code. CODE is a number such as FCB0203; fcb shows an example and the fix."""
    from fcbdsl.base.diagnostics import explain, known_codes, suggest
    from fcbdsl.base.diagnostics.entries import ENTRIES, FOLDER
    from fcbdsl.base.origin import HOME

    page = explain(code.upper())
    if page is None:
        near = suggest(code.upper(), known_codes())
        raise click.UsageError(f"There is no diagnostic {code}." + (f" Did you mean {near}?" if near else ""))
    click.echo(page.rstrip("\n"))
    if code.upper() in ENTRIES:
        topic = ENTRIES[code.upper()].replace(".md", "")
        click.echo(f"\nRead more: fcb help {topic}, or {HOME}/blob/main/docs/{FOLDER}/{ENTRIES[code.upper()]}")

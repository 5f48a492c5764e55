"""``fcb cache``."""

from __future__ import annotations

import click

from fcbdsl.cli import common


@click.command("cache", epilog="Example: fcb cache clear")
@click.argument("action", required=False, type=click.Choice(["clear"]))
def command(action: str | None) -> None:
    """Show or clear the cache of results. `fcb cache clear` deletes them.

    What is kept saves time only: it may be deleted at any time, also while fcb runs, and is made afresh when it is
    needed. FCB_CACHE names another folder for it, and turns it off if it is empty.
    """
    from fcbdsl import cache

    place = cache.folder()
    if place is None:
        click.echo(f"Nothing is kept between runs: {cache.why_off()}.")
        return
    found = cache.clear(place) if action else cache.kept(place)
    size = sum(one.size for one in found) / 1e6
    said = f"{common.count(len(found), 'result')}, {size:.1f} MB"
    click.echo(f"{place}: cleared of {said}." if action else f"{place}: {said} of {cache.MOST / 1e6:.0f}.")

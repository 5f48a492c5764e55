"""``fcb cache``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.base.cache import CachedFile


@click.command("cache", epilog="Example: fcb cache clear")
@click.argument("action", required=False, type=click.Choice(["clear"]))
def command(action: str | None) -> None:
    """Show or clear the cache of results. `fcb cache clear` deletes them.

    The cache only saves time. You can delete it at any time, also while fcb runs. FCB_CACHE names another folder;
    if it is empty, fcb uses no cache.

    A second line shows how many programs fcb has verified for you, and the folder with that list (FCB_STATE). fcb
    does not verify these again. If fcb can't write to a folder, the line gives the reason.
    """
    from fcbdsl.base import cache

    place = cache.cache_folder()
    if place is None:
        click.echo(f"fcb caches nothing between runs: {cache.why_no_cache()}.")
    elif action:
        click.echo(f"{place}: deleted {_sums(cache.clear(place))}.")
    elif (reason := cache.why_not_written(place)) and not place.is_dir():
        click.echo(f"{place}: fcb cannot use this cache: {reason}.")
    else:
        click.echo(f"{place}: {_sums(cache.cached_files(place))} of {cache.MOST / 1e6:.0f}.")
        if reason:
            click.echo(f"fcb cannot write to this cache: {reason}.")
    if not action:
        click.echo(_verified())


def _sums(files: Sequence[CachedFile]) -> str:
    return f"{common.count(len(files), 'result')}, {sum(file.size for file in files) / 1e6:.1f} MB"


def _verified() -> str:
    """Return the line on the list of verified programs, and whether fcb can write to it."""
    from fcbdsl.machine import verified

    place = verified.records_folder()
    if place is None:
        return f"fcb does not remember verified programs: {verified.why_no_records()}."
    if reason := verified.why_not_recorded(place):
        return f"{place}: fcb cannot remember verified programs there: {reason}."
    return f"{place}: {common.count(verified.record_count(place), 'verified program')}."

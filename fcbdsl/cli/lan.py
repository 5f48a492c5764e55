"""``fcb table --lan``: the address in the network, and links with QR codes."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Sequence

import click

_ELSEWHERE = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737). A UDP socket that is connected to it sends nothing, but has chosen an
interface."""
WARNING = (
    "Everybody in this network can read what the table sends, because it uses HTTP without encryption: use --lan only\n"
    "in a network whose people you trust. A link plays its seat: give it only to the person of this seat."
)


def address_of(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """Return the address for `--lan`; empty: the one that this machine uses. Refuses any but one private address."""
    if given is None:
        return None
    named = given or _own_address()
    try:
        address = ipaddress.IPv4Address(named)
    except ValueError:
        raise click.BadParameter(
            f"{named!r} is not an IPv4 address such as 192.168.1.20. To use the address of this machine, "
            "write --lan after MISSION."
        ) from None
    if address.is_unspecified:
        raise click.BadParameter(f"{named} means all networks of this machine: name its address in one.")
    if address.is_global or address.is_multicast:
        raise click.BadParameter(f"{named} is not an address of a home network: people everywhere could connect.")
    return str(address)


def _own_address() -> str:
    """Return the address of the interface that this machine uses for its network."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_ELSEWHERE)
            address: str = probe.getsockname()[0]
    except OSError:
        address = ""
    if not address or ipaddress.IPv4Address(address).is_loopback:
        raise click.BadParameter("this machine is in no network. If it is, name its address: --lan 192.168.1.20.")
    return address


def print_links(links: Sequence[tuple[str, tuple[int, ...]]], lan: str | None) -> None:
    """Print each link with its seats (none: spectators); for a network (`lan`) with a warning and QR codes."""
    if lan:
        click.echo(WARNING)
    drawn = lan is not None and sys.stdout.isatty()
    for link, seats in links:
        whose = ", ".join(f"player {seat + 1}" for seat in seats) or "spectators"
        click.echo(f"{link}  ({whose}; Ctrl-C ends it)")
        if drawn:
            click.echo(qr_code(link))


def qr_code(link: str) -> str:
    """Return the QR code of a link, two rows of modules a line in black on white; or why there is none."""
    try:
        import segno
    except ModuleNotFoundError:
        from fcbdsl.base.origin import install_advice

        return f"A QR code needs segno. {install_advice('live')}"
    rows = [[*row] for row in segno.make_qr(link, error="l").matrix_iter(border=4)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    lines = ["".join(" ▄▀█"[2 * above + below] for above, below in zip(*pair, strict=True))
             for pair in zip(rows[::2], rows[1::2], strict=True)]  # fmt: skip
    try:
        "".join(lines).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return "This terminal cannot show a QR code: its encoding has no block characters."
    return "\n".join(click.style(line, fg="black", bg="bright_white") for line in lines)

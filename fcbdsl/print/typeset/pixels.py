"""Pages as pixels: their ink use, and pictures without opacity for print shops."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator


def rows_of(png: bytes) -> Iterator[bytes]:
    """Yield the rows of a picture, each pixel as red, green, blue and (if it has one) opacity.

    It reads PNG files as the press writes them: 8 bits, RGB or RGBA, not interlaced.
    """
    width, _, depth, sort, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    if depth != 8 or sort not in (2, 6) or interlaced:
        raise ValueError("not a picture of the press")
    channels = 3 if sort == 2 else 4
    data = zlib.decompress(b"".join(body for name, body in _chunks(png) if name == b"IDAT"))
    stride = width * channels
    above = bytes(stride)
    for start in range(0, len(data), stride + 1):
        above = _unfiltered(data[start], data[start + 1 : start + 1 + stride], above, channels)
        yield above


def _unfiltered(sort: int, row: bytes, above: bytes, channels: int) -> bytes:
    """Return a row without its filter (PNG, section 9)."""
    out = bytearray(row)
    if sort == 1:
        for at in range(channels, len(out)):
            out[at] = (out[at] + out[at - channels]) & 255
    elif sort == 2:
        for at, up in enumerate(above):
            out[at] = (out[at] + up) & 255
    elif sort == 3:
        for at, up in enumerate(above):
            left = out[at - channels] if at >= channels else 0
            out[at] = (out[at] + (left + up) // 2) & 255
    elif sort == 4:
        for at, up in enumerate(above):
            left, corner = (out[at - channels], above[at - channels]) if at >= channels else (0, 0)
            out[at] = (out[at] + _paeth(left, up, corner)) & 255
    return bytes(out)


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    to_left, to_up, to_corner = abs(guess - left), abs(guess - up), abs(guess - corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def opaque(png: bytes) -> bytes:
    """Return a picture of the press as RGB if it is fully opaque; else return it unchanged.

    A PNG filter uses only the bytes of its own channel, so the opacity can be removed from filtered rows. Full opacity
    has known bytes under each filter.
    """
    width, height, _, sort, _, _, _ = struct.unpack(">IIBBBBB", png[16:29])
    if sort != 6:
        return png
    chunks, packed = [], bytearray()
    for name, body in _chunks(png):
        packed += body if name == b"IDAT" else b""
        if name != b"IDAT" and name != b"IEND":
            chunks.append((name, struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0) if name == b"IHDR" else body))
    data, pixels, stride = zlib.decompress(packed), bytearray(), 4 * width + 1
    for at in range(height):
        row = data[at * stride : (at + 1) * stride]
        if row[4::4] != _full(row[0], at == 0, width):
            return png
        colors = bytearray(3 * width)
        for channel in range(3):
            colors[channel::3] = row[1 + channel :: 4]
        pixels += row[:1] + colors
    chunks += [(b"IDAT", zlib.compress(bytes(pixels), 6)), (b"IEND", b"")]
    return _written(png[:8], chunks)


DEUTAN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
"""Red, green and blue (linear) as eyes without the green receptor see them.

The source is Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (2009): deuteranomaly, severity 1."""
GRAY = ((0.2126, 0.7152, 0.0722),) * 3
"""Red, green and blue (linear) as a gray printer prints them: the luminance of sRGB (IEC 61966-2-1)."""
MATRICES = {"deutan": DEUTAN, "gray": GRAY}


def as_seen(png: bytes, sight: str) -> bytes:
    """Return a picture in the colors that a viewer with a sight (one of `MATRICES`) sees. Transparency stays."""
    width, height = struct.unpack(">II", png[16:24])
    channels = 4 if png[25] == 6 else 3
    seen_as: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    rows_seen = bytearray()
    for row in rows_of(png):
        seen = bytearray(row)
        pixels = list(zip(row[::channels], row[1::channels], row[2::channels], strict=True))
        for pixel in {*pixels} - seen_as.keys():
            seen_as[pixel] = _seen(pixel, MATRICES[sight])
        for channel in range(3):
            seen[channel::channels] = bytes([seen_as[pixel][channel] for pixel in pixels])
        rows_seen += b"\0" + seen
    head = struct.pack(">IIBBBBB", width, height, 8, png[25], 0, 0, 0)
    other_chunks = [(name, body) for name, body in _chunks(png) if name not in (b"IHDR", b"IDAT", b"IEND")]
    return _written(
        png[:8], [(b"IHDR", head), *other_chunks, (b"IDAT", zlib.compress(bytes(rows_seen), 6)), (b"IEND", b"")]
    )


def _seen(pixel: tuple[int, int, int], matrix: tuple[tuple[float, ...], ...]) -> tuple[int, int, int]:
    """Return a color after applying a matrix in linear light (with the transfer curve of IEC 61966-2-1)."""
    linear = [value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in pixel]
    mixed = [min(1.0, max(0.0, sum(part * value for part, value in zip(row, linear, strict=True)))) for row in matrix]
    red, green, blue = (
        round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055)) for value in mixed
    )
    return red, green, blue


def _written(magic: bytes, chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return a PNG file of some chunks."""
    return magic + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def _full(sort: int, first: bool, width: int) -> bytes:
    """Return the filtered bytes of a row's full opacity, below a row of the same, or in the first row."""
    begins, goes_on = {
        0: (255, 255),
        1: (255, 0),
        2: (255, 255) if first else (0, 0),
        3: (255, 128) if first else (128, 0),
        4: (255, 0) if first else (0, 0),
    }[sort]
    return bytes([begins]) + bytes([goes_on]) * (width - 1)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a picture: name and body."""
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


METER = 10_000 / 254
"""Inches of a meter, in the unit of `with_density`."""


def with_density(png: bytes, dpi: int) -> bytes:
    """Return a picture that contains its pixels per inch, so that other programs show it in its true size."""
    chunks = [(name, body) for name, body in _chunks(png) if name != b"pHYs"]
    per_meter = round(dpi * METER)
    chunks.insert(1, (b"pHYs", struct.pack(">IIB", per_meter, per_meter, 1)))
    return _written(png[:8], chunks)


def ink_of(png: bytes) -> tuple[float, float]:
    """Return the mean and the highest ink use of a picture, in percent of one solid color.

    It uses the plain rule: cyan, magenta and yellow are the complements of red, green and blue, and their common part
    is printed in black. A printer's own profile uses other amounts.
    """
    whole, most, count = 0, 0, 0
    for row in rows_of(png):
        channels = 4 if png[25] == 6 else 3
        for red, green, blue in zip(row[::channels], row[1::channels], row[2::channels], strict=True):
            spent = 3 * max(red, green, blue) - red - green - blue + 255 - max(red, green, blue)
            whole += spent
            most = max(most, spent)
            count += 1
    return whole / count / 2.55, most / 2.55

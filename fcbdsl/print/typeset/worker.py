"""The process that runs Typst and Pillow on files of a pack, and the messages that it exchanges with fcb.

A picture or a document can crash these libraries or use all memory. In a separate process with limits, that ends only
this process. It reads requests from its standard input and writes answers to its standard output. A message is a JSON
object and any number of byte strings; nothing is unpickled. It writes no files: the limit of their size is 0.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import cache as cached
from typing import IO, Any

MOST_MESSAGE = 1 << 32
"""Most bytes of a message."""
_LENGTH = 8


class Ended(Exception):
    """The other side has gone, or has sent invalid data."""


def send(stream: IO[bytes], head: dict[str, Any], parts: Sequence[bytes] = ()) -> None:
    """Write a message: the length of its JSON, the JSON with the lengths of its parts, and the parts."""
    data = json.dumps({**head, "parts": [len(part) for part in parts]}).encode()
    stream.write(len(data).to_bytes(_LENGTH, "big"))
    stream.write(data)
    for part in parts:
        stream.write(part)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Read a message. Raise Ended if there is none."""
    length = int.from_bytes(_exactly(stream, _LENGTH), "big")
    if length > MOST_MESSAGE:
        raise Ended
    try:
        head = json.loads(_exactly(stream, length))
        lengths = head["parts"]
        if not all(type(length) is int and length >= 0 for length in lengths) or sum(lengths) > MOST_MESSAGE:
            raise Ended
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Ended from error
    return head, [_exactly(stream, length) for length in lengths]


def _exactly(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) != length:
        raise Ended
    return data


# ── in the process ─────────────────────────────────────────────────────────────────────────────


Work = Callable[[dict[str, Any], Sequence[bytes]], tuple[dict[str, Any], list[bytes]]]
"""Answers a request."""


class Undrawable(Exception):
    """A reason why something cannot be drawn or typeset."""


def serve(megabytes: int) -> None:
    """Answer requests until the other side has gone, within a limit of memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that sends requests
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)  # an aborting library prints its own lines; the other side reports how this process ended
    _limit("RLIMIT_AS", megabytes << 20)
    _limit("RLIMIT_FSIZE", 0)
    _limit("RLIMIT_CORE", 0)
    work = {"set": _set, "draw": _in_little_stack(_draw), "clean": _clean}
    with contextlib.suppress(Ended, OSError):
        while True:
            head, parts = receive(requests)
            _limit_time(head["seconds"])
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    answer, results = work[head["do"]](head, parts)
            except Undrawable as error:
                answer, results = {"refused": str(error)}, []
            except MemoryError:
                answer, results = {"refused": f"it takes more than {megabytes} MB of memory"}, []
            except BaseException as panic:  # a panic of Rust: the process may be in any state
                send(answers, {"refused": f"it crashes the typesetter ({type(panic).__name__}: {panic})", "ends": True})
                return
            send(answers, answer, results)


def _limit(name: str, most: int) -> None:
    """Lower a limit of this process, if the system has it."""
    try:
        import resource
    except ImportError:  # no POSIX
        return
    which = getattr(resource, name)
    limits = [limit for limit in resource.getrlimit(which) if limit != resource.RLIM_INFINITY]
    with contextlib.suppress(ValueError, OSError):  # macOS refuses some
        resource.setrlimit(which, (min([most, *limits]), resource.getrlimit(which)[1]))


_allowed: list[int] = []
"""The processor time that the parent process allows this one, once that was read; -1: no limit."""


def _limit_time(seconds: int) -> None:
    """Allow this process so much more processor time; beyond that the system ends it."""
    try:
        import resource
    except ImportError:  # no POSIX
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if not _allowed:
        _allowed.append(soft)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    most = int(spent.ru_utime + spent.ru_stime) + 1 + seconds
    limits = [most, *(limit for limit in (_allowed[0], hard) if limit != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_CPU, (min(limits), hard))


def _set(head: dict[str, Any], parts: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Typeset a document; return its measures, and its pages if wanted."""
    import typst

    source = parts[0]
    if head["fonts"] is None:
        fonts = _fonts(head["shipped"])
    else:
        fonts = typst.Fonts(include_system_fonts=False, font_paths=[head["shipped"], head["fonts"]])
    try:
        compiler = typst.Compiler(source, root=head["root"], font_paths=fonts, sys_inputs=head["inputs"])
        measures = compiler.query(f"<{head['measure']}>", field="value")
        pages: Any = []
        if head["form"]:
            standards: Any = ["ua-1"] if head["form"] == "pdf" else []
            pages = compiler.compile(source, format=head["form"], ppi=head["dpi"], pdf_standards=standards)
    except RuntimeError as error:
        raise Undrawable(str(error).partition("\n")[0]) from error
    page_list = pages if isinstance(pages, list) else [pages]
    return {}, [measures.encode(), *(bytes(page) for page in page_list)]


@cached
def _fonts(shipped: str) -> Any:
    """Return the fonts that come with fcb."""
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=[shipped])


LITTLE = 1 << 20
"""Bytes of stack: half the stack of Typst's own threads, so that a picture that can be drawn alone can be drawn on a
page."""


def _in_little_stack(work: Work) -> Work:
    """Return a function that does the work in a thread with a small stack."""

    def done(head: dict[str, Any], parts: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        from concurrent.futures import ThreadPoolExecutor  # only the worker needs it

        threading.stack_size(LITTLE)
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(work, head, parts).result()

    return done


SMALL = "#set page(width: 1cm, height: 1cm, margin: 0cm, fill: none)\n#set document(title: [A])\n"
SMALL_DPI = 144


def _draw(head: dict[str, Any], parts: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Draw an SVG small, on screen and on paper; refuse one that leaves the page empty."""
    import typst
    from PIL import Image

    try:
        drawing = parts[0].decode().replace("\\", "\\\\").replace('"', '\\"')
    except UnicodeDecodeError as error:
        raise Undrawable("it is not written in UTF-8") from error
    source = f'{SMALL}#image(bytes("{drawing}"), format: "svg", alt: "A")'
    try:
        compiler = typst.Compiler(source.encode(), root=head["root"], font_paths=_fonts(head["shipped"]))
        drawn = compiler.compile(source.encode(), format="png", ppi=SMALL_DPI)
        compiler.compile(source.encode(), format="pdf", pdf_standards=["ua-1"])
    except RuntimeError as error:
        raise Undrawable(str(error).partition("\n")[0].removeprefix("PDF/UA-1 error: ")) from error
    with Image.open(io.BytesIO(drawn if isinstance(drawn, bytes) else b"")) as page:
        if page.convert("RGBA").getchannel("A").getextrema()[1] == 0:
            raise Undrawable("it draws nothing")
    return {}, []


def _clean(head: dict[str, Any], parts: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Decode a PNG or JPEG within the limit of pixels and encode it again, without metadata and color profile."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # the bound is the one of the request
    form = {"png": "PNG", "jpg": "JPEG"}[head["form"]]
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(parts[0]), formats=[form]) as opened:
            pixels = opened.width * opened.height
            if not 0 < pixels <= head["pixels"]:
                raise Undrawable(f"it has {pixels:,} pixels, and {head['pixels']:,} are allowed")
            opened.load()
            image = _in_srgb(ImageOps.exif_transpose(opened) or opened)
            if form == "PNG" and image.mode in ("P", "PA", "CMYK", "YCbCr", "LAB", "HSV"):
                image = image.convert("RGBA" if "transparency" in image.info or image.mode == "PA" else "RGB")
            elif "transparency" in image.info:
                image = image.convert("RGBA")
            plain = Image.new(image.mode, image.size)
            plain.paste(image)
            if form == "JPEG":
                plain.save(out, "JPEG", quality=92, subsampling=0)
            else:
                plain.save(out, "PNG")
    except Undrawable:
        raise
    except MemoryError:
        raise
    except UnidentifiedImageError as error:
        raise Undrawable(f"it cannot be decoded as {form}") from error
    except Exception as error:  # decoders raise many types of exceptions on damaged files
        raise Undrawable(f"it cannot be decoded: {' '.join(str(error).split()) or type(error).__name__}") from error
    return {"pixels": pixels}, [out.getvalue()]


MOST_PROFILE = 1 << 20
"""Most bytes of a color profile."""


def _in_srgb(image: Any) -> Any:
    """Return a picture converted to sRGB, if it has another color profile."""
    from PIL import Image, ImageCms

    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "RGBA"):
        return image
    if len(profile) > MOST_PROFILE:
        raise Undrawable(f"its color profile has more than {MOST_PROFILE:,} bytes")
    source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    converted = ImageCms.profileToProfile(
        image.convert("RGB"), source, ImageCms.createProfile("sRGB"), outputMode="RGB"
    )
    if image.mode == "RGBA" and converted is not None:
        bands = [*converted.split(), image.getchannel("A")]
        return Image.merge("RGBA", bands)
    return converted

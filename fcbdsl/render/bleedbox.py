"""The BleedBox of pages of print shops: Typst writes where a page is cut (TrimBox), not how far it is printed beyond.

By the standard (ISO 32000, 14.11.2) a page without a BleedBox bleeds as far as it goes, which is what ours do; but some
shops' checks ask for it in so many words."""

from __future__ import annotations

import re

_CUT_PAGE = re.compile(rb"(\n\d+ 0 obj\n<</Type/Page/[^>]*?/MediaBox(\[[^\]]*\]))(?=/TrimBox\[)")
_TABLE = re.compile(
    rb"(\nxref\n0 (\d+)\n)((?:\d{10} \d{5} [nf]\r\n)+)(trailer\n.*\nstartxref\n)(\d+)(\n%%EOF\s*)\Z", re.DOTALL
)


def with_bleed_boxes(pdf: bytes) -> bytes:
    """A PDF of Typst's whose pages that are to be cut say that they are printed to their edges; another one is left as
    it is. Raises ValueError if it is not as Typst writes it: with a plain table of where its objects begin."""
    grown: list[tuple[int, int]] = []  # where something was put in, and how long it is
    for page in _CUT_PAGE.finditer(pdf):
        grown.append((page.end(), len(b"/BleedBox" + page[2])))
    if not grown:
        return pdf
    table = _TABLE.search(pdf)
    if table is None:
        raise ValueError("a PDF without a plain table of its objects")

    def moved(at: int) -> int:
        return at + sum(length for where, length in grown if where <= at)

    rows = [
        row if row.endswith(b"f\r") else b"%010d%s" % (moved(int(row[:10])), row[10:])
        for row in table[3].split(b"\n")
        if row
    ]
    told = _CUT_PAGE.sub(rb"\1/BleedBox\2", pdf[: table.start()])
    return told + table[1] + b"".join(row + b"\n" for row in rows) + table[4] + b"%d" % moved(int(table[5])) + table[6]

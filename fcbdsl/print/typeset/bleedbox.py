"""The BleedBox of pages of print shops: Typst writes where a page is cut (TrimBox), not how far it is printed beyond.

By the standard (ISO 32000, 14.11.2) a page without a BleedBox bleeds as far as it goes, which is what ours do; but some
shops' checks ask for it in so many words."""

from __future__ import annotations

from io import BytesIO


def with_bleed_boxes(pdf: bytes) -> bytes:
    """A PDF whose pages that are to be cut say that they are printed to their edges; another one is left as it is."""
    if b"/TrimBox" not in pdf:  # Typst packs no pages away: to look into each document would take longer
        return pdf
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf)))
    for page in writer.pages:
        if "/TrimBox" in page:
            page.bleedbox = page.mediabox
    made = BytesIO()
    writer.write(made)
    return made.getvalue()

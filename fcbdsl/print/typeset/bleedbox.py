"""The BleedBox of pages for print shops: Typst writes where a page is cut (TrimBox), but not how far it is printed.

By the standard (ISO 32000, 14.11.2) a page without a BleedBox bleeds up to its edges, which is right for ours. But some
shops check for an explicit one.
"""

from __future__ import annotations

from io import BytesIO


def with_bleed_boxes(pdf: bytes) -> bytes:
    """Return a PDF whose pages with a TrimBox have a BleedBox as large as the page; other PDFs are returned
    unchanged."""
    if b"/TrimBox" not in pdf:  # Typst does not compress page objects; parsing each document would take longer
        return pdf
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf)))
    for page in writer.pages:
        if "/TrimBox" in page:
            page.bleedbox = page.mediabox
    output = BytesIO()
    writer.write(output)
    return output.getvalue()

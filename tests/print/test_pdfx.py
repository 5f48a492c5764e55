"""PDF/X-4: the parts that fcb adds for a press, and the check for missing ones."""

from __future__ import annotations

import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, RectangleObject, StreamObject
from small_shop import shop

from fcbdsl.print.press.options import Options, refusals
from fcbdsl.print.press.pdfx import NoProfile, lacking, profile_in
from fcbdsl.print.press.press import Rendered, render


def profile_of(
    folder: Path, name: str = "Coated", sort: bytes = b"prtr", space: bytes = b"CMYK", version: int = 2
) -> Path:
    """Return a file that begins like a profile and contains only a name."""
    description = name.encode() + b"\0"
    if version == 4:
        words = name.encode("utf-16-be")
        tag = struct.pack(">4s4xII4sII", b"mluc", 1, 12, b"enUS", len(words), 28) + words
    else:
        tag = struct.pack(">4s4xI", b"desc", len(description)) + description
    head = bytearray(128)
    head[8], head[12:16], head[16:20], head[36:40] = version, sort, space, b"acsp"
    data = bytes(head) + struct.pack(">I4sII", 1, b"desc", 144, len(tag)) + tag
    path = folder / f"{name}.icc"
    path.write_bytes(struct.pack(">I", len(data)) + data[4:])
    return path


def pressed(folder: Path, **more: object) -> Rendered:
    options = Options(one_up=True, prepress=True, profile=profile_of(folder), **more)  # type: ignore[arg-type]
    return render(shop(), ("rope",), "en", "a4", "pdf", folder / "out", options)


def test_pdfx_contains_output_intent_and_profile(tmp_path: Path) -> None:
    made = pressed(tmp_path)
    assert [note for note in made.notes if "is PDF/X-4 for “Coated”" in note]
    assert not [note for note in made.notes if "no PDF/X" in note]
    data = made.files[0].read_bytes()
    assert lacking(data) == []
    read = PdfReader(made.files[0])
    assert (read.pdf_header, read.trailer["/Info"]["/Trapped"]) == ("%PDF-1.6", "/False")  # type: ignore[index]
    (intent,) = read.trailer["/Root"]["/OutputIntents"]  # type: ignore[index]
    assert intent["/OutputConditionIdentifier"] == "Coated"
    assert intent["/DestOutputProfile"].get_data() == profile_of(tmp_path).read_bytes()
    metadata = read.trailer["/Root"]["/Metadata"].get_object().get_data()  # type: ignore[index]
    assert b"<pdfxid:GTS_PDFXVersion>PDF/X-4<" in metadata
    assert b"<pdfuaid:part>1<" in metadata  # it is accessible all the same
    plain = render(shop(), ("rope",), "en", "a4", "pdf", tmp_path / "plain", Options(one_up=True, prepress=True))
    assert "ROPE" in read.pages[0].extract_text() == PdfReader(plain.files[0]).pages[0].extract_text()
    assert pressed(tmp_path).files[0].read_bytes() == data


def without(name: str, held: Callable[[PdfWriter], DictionaryObject]) -> Callable[[PdfWriter], object]:
    """Return a change that removes an entry."""
    return lambda writer: held(writer).pop(NameObject(name))


def root_of(writer: PdfWriter) -> DictionaryObject:
    return writer.root_object


def info_of(writer: PdfWriter) -> DictionaryObject:
    assert writer._info is not None
    return writer._info


def first_page(writer: PdfWriter) -> DictionaryObject:
    return writer.pages[0]


def strip(writer: PdfWriter) -> None:
    """Remove a font from the first page."""
    fonts = writer.pages[0]["/Resources"]["/Font"]  # type: ignore[index]
    (descendant,) = fonts[next(iter(fonts))]["/DescendantFonts"]
    descriptor = descendant.get_object()["/FontDescriptor"]
    for name in [name for name in descriptor if name.startswith("/FontFile")]:
        del descriptor[name]


def paint(writer: PdfWriter) -> None:
    """Draw something in red on the first page."""
    red = DecodedStreamObject()
    red.set_data(b"1 0 0 rg 0 0 9 9 re f")
    writer.pages[0][NameObject("/Contents")] = writer._add_object(red)


def rename(writer: PdfWriter) -> None:
    """Change the title in its metadata."""
    metadata = root_of(writer)["/Metadata"]
    assert isinstance(metadata, StreamObject)
    metadata.set_data(metadata.get_data().replace(b">PDF/X-4<", b">PDF/X-9<"))


BOXES = "pages that say where they are cut, within where they are printed"
DEVICES = "colors by a profile: some are those of a device"
CHANGES: list[tuple[Callable[[PdfWriter], object], str]] = [
    (lambda writer: setattr(writer, "pdf_header", "%PDF-1.7"), "a version of PDF up to 1.6"),
    (lambda writer: setattr(writer, "_ID", None), "an identifier"),
    (lambda writer: writer.encrypt("key"), "to be read without a key"),
    (without("/OutputIntents", root_of), "the profile of a press"),
    (without("/S", lambda writer: root_of(writer)["/OutputIntents"][0].get_object()), "the profile of a press"),  # type: ignore[index]
    (rename, "metadata that call it PDF/X-4"),
    (without("/Metadata", root_of), "metadata that call it PDF/X-4"),
    (without("/Trapped", info_of), "`/Trapped`"),
    (without("/CreationDate", info_of), "`/CreationDate`"),
    (lambda writer: setattr(writer.pages[0], "trimbox", RectangleObject((-8, 0, 9, 9))), BOXES),
    (without("/BleedBox", first_page), BOXES),
    (strip, "all fonts embedded"),
    (lambda writer: first_page(writer).update({NameObject("/CS"): NameObject("/DeviceRGB")}), DEVICES),
    (paint, DEVICES),
    (
        lambda writer: root_of(writer).update({NameObject("/OpenAction"): NameObject("/Go")}),
        "to do without `/OpenAction`",
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("change", "lack"), CHANGES)
def test_missing_requirements_of_pdfx_are_reported(
    tmp_path: Path, change: Callable[[PdfWriter], object], lack: str
) -> None:
    writer = PdfWriter(clone_from=pressed(tmp_path).files[0])
    writer.pdf_header = "%PDF-1.6"
    change(writer)
    made = BytesIO()
    writer.write(made)
    assert lacking(made.getvalue()) == [lack]


def test_invalid_pdfx_does_not_claim_conformance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcbdsl.print.press.press.lacking", lambda _: ["an identifier"])
    made = pressed(tmp_path)
    assert [note for note in made.notes if note.endswith("is no PDF/X-4: it lacks an identifier.")]
    assert b"GTS_PDFX" not in made.files[0].read_bytes()


def test_icc_profiles_of_both_versions_have_names(tmp_path: Path) -> None:
    assert profile_in(profile_of(tmp_path, "Coated")).title == "Coated"
    assert profile_in(profile_of(tmp_path, "Gestrichen", version=4)).title == "Gestrichen"


def test_wrong_icc_profile_is_refused(tmp_path: Path) -> None:
    makings: list[dict[str, Any]] = [{"sort": b"mntr"}, {"space": b"RGB "}, {"version": 5}]
    for at, making in enumerate(makings):
        with pytest.raises(NoProfile):
            profile_in(profile_of(tmp_path, f"wrong-{at}", **making))
    short = tmp_path / "short.icc"
    short.write_bytes(profile_of(tmp_path).read_bytes()[:140])
    with pytest.raises(NoProfile):
        profile_in(short)
    (refusal,) = refusals(Options(one_up=True, prepress=True, profile=short), "pdf")
    assert "`short.icc` can't be the profile of a press" in refusal


def test_profile_needs_one_up_and_prepress(tmp_path: Path) -> None:
    sound = profile_of(tmp_path)
    assert "--one-up or --shop" in next(refusals(Options(prepress=True, profile=sound), "pdf"))
    assert "--prepress" in next(refusals(Options(one_up=True, profile=sound), "pdf"))
    assert list(refusals(Options(prepress=True, profile=sound, shop="mb-print"), "pdf")) == []

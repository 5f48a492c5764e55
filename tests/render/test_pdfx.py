"""PDF/X-4: what is put into a document for a press, and what is noticed if it lacks."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from small_shop import shop

from fcbdsl.render.options import Options, refusals
from fcbdsl.render.pdfx import NoProfile, lacking, profile_in
from fcbdsl.render.press import Rendered, render


def profile_of(
    folder: Path, name: str = "Coated", sort: bytes = b"prtr", space: bytes = b"CMYK", version: int = 2
) -> Path:
    """A file that begins as a profile does, and has nothing but a name."""
    said = name.encode() + b"\0"
    if version == 4:
        words = name.encode("utf-16-be")
        tag = struct.pack(">4s4xII4sII", b"mluc", 1, 12, b"enUS", len(words), 28) + words
    else:
        tag = struct.pack(">4s4xI", b"desc", len(said)) + said
    head = bytearray(128)
    head[8], head[12:16], head[16:20], head[36:40] = version, sort, space, b"acsp"
    data = bytes(head) + struct.pack(">I4sII", 1, b"desc", 144, len(tag)) + tag
    path = folder / f"{name}.icc"
    path.write_bytes(struct.pack(">I", len(data)) + data[4:])
    return path


def pressed(folder: Path, **more: object) -> Rendered:
    options = Options(one_up=True, prepress=True, profile=profile_of(folder), **more)  # type: ignore[arg-type]
    return render(shop(), ("rope",), "en", "a4", "pdf", folder / "out", options)


def test_what_is_for_a_press_says_for_which_and_bears_its_profile(tmp_path: Path) -> None:
    made = pressed(tmp_path)
    assert [one for one in made.notes if "is PDF/X-4 for “Coated”" in one]
    assert not [one for one in made.notes if "no PDF/X" in one]
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


@pytest.mark.parametrize(
    ("said", "instead", "lack"),
    [
        (b"%PDF-1.6", b"%PDF-1.7", "a version of PDF up to 1.6"),
        (b"/ID[", b"/Id[", "an identifier"),
        (b"/S/GTS_PDFX", b"/S/GTS_PDFA", "the profile of a press"),
        (b"/OutputIntents", b"/OutputIntends", "the profile of a press"),
        (b">PDF/X-4<", b">PDF/X-9<", "metadata that call it PDF/X-4"),
        (b"/Trapped/False", b"/Trepped/False", "`/Trapped`"),
        (b"/CreationDate", b"/CreatianDate", "`/CreationDate`"),
        (b"/TrimBox[8.5", b"/TrimBox[-8.", "pages that say where they are cut, within where they are printed"),
        (b"/BleedBox", b"/BlaadBox", "pages that say where they are cut, within where they are printed"),
        (b"/FontFile", b"/FontFole", "all fonts embedded"),
        (b"/ICCBased ", b"/DeviceRGB ", "colors by a profile: some are those of a device"),
        (b"/ViewerPreferences", b"/OpenAction/Preferences", "to do without `/OpenAction`"),
        (b"/Root ", b"/Encrypt 1 0 R/Root ", "to be read without a key"),
        (
            b"%PDF-1.6\n",
            b"%PDF-1.6\n9999 0 obj\n<</Length 10>>\nstream\n1 0 0 rg f\nendstream\nendobj\n",
            "colors by a profile: some are those of a device",
        ),
    ],
)
def test_what_a_document_lacks_is_noticed(tmp_path: Path, said: bytes, instead: bytes, lack: str) -> None:
    data = pressed(tmp_path).files[0].read_bytes()
    assert said in data
    assert lack in lacking(data.replace(said, instead))


def test_what_can_not_be_called_so_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcbdsl.render.press.lacking", lambda _: ["an identifier"])
    made = pressed(tmp_path)
    assert [one for one in made.notes if one.endswith("is no PDF/X-4: it lacks an identifier.")]
    assert b"GTS_PDFX" not in made.files[0].read_bytes()


def test_profiles_of_both_versions_tell_their_names(tmp_path: Path) -> None:
    assert profile_in(profile_of(tmp_path, "Coated")).title == "Coated"
    assert profile_in(profile_of(tmp_path, "Gestrichen", version=4)).title == "Gestrichen"


def test_what_is_no_profile_of_a_press_is_refused(tmp_path: Path) -> None:
    makings: list[dict[str, Any]] = [{"sort": b"mntr"}, {"space": b"RGB "}, {"version": 5}]
    for at, making in enumerate(makings):
        with pytest.raises(NoProfile):
            profile_in(profile_of(tmp_path, f"wrong-{at}", **making))
    short = tmp_path / "short.icc"
    short.write_bytes(profile_of(tmp_path).read_bytes()[:140])
    with pytest.raises(NoProfile):
        profile_in(short)
    (told,) = refusals(Options(one_up=True, prepress=True, profile=short), "pdf")
    assert "`short.icc` can't be the profile of a press" in told


def test_a_profile_is_for_pages_that_are_cut_and_for_the_press(tmp_path: Path) -> None:
    sound = profile_of(tmp_path)
    assert "--one-up or --shop" in next(refusals(Options(prepress=True, profile=sound), "pdf"))
    assert "--prepress" in next(refusals(Options(one_up=True, profile=sound), "pdf"))
    assert list(refusals(Options(prepress=True, profile=sound, shop="mb-print"), "pdf")) == []

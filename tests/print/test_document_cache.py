"""Documents are typeset once and then read from the cache."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fcbdsl.print.layout.views import Picture
from fcbdsl.print.typeset import typesetting, worker_client
from fcbdsl.print.typeset.folders import ICONS
from fcbdsl.print.typeset.typesetting import Typeset, typeset

SOURCE = '#set document(title: [A], date: none)\n#set page(width: 3cm, height: 2cm)\n{a} #metadata((a: "{a}"))<measure>'


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the requests to the typesetting process; the cache is empty and templates are short."""
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(typesetting, "typst_source", lambda name, values: SOURCE.replace("{a}", str(values["a"])))
    made: list[str] = []
    real = worker_client.ask
    monkeypatch.setattr(worker_client, "ask", lambda do, *more, **how: (made.append(do), real(do, *more, **how))[1])
    return made


def small(a: object = 1, form: str = "png", dpi: int = 36, **more: Any) -> Typeset:
    return typeset("", {"a": a}, form, dpi, **more)


def test_document_is_equal_with_and_without_cache(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    first = {form: small(form=form) for form in ("png", "pdf")}
    assert {form: small(form=form) for form in ("png", "pdf")} == first
    assert len(asked) == 2
    monkeypatch.setenv("FCB_CACHE", "")
    assert {form: small(form=form) for form in ("png", "pdf")} == first
    assert len(asked) == 4


@pytest.mark.parametrize(
    "other",
    [
        lambda: small(2),
        lambda: small(dpi=72),
        lambda: small(form="pdf"),
        lambda: small(ink="save"),
        lambda: small(prepress=True),
        lambda: small(bare=True),
    ],
    ids=["text", "dpi", "form", "ink", "prepress", "bare"],
)
def test_changed_document_is_typeset_again(asked: list[str], other: Callable[[], Typeset]) -> None:
    small()
    other()
    assert len(asked) == 2


@pytest.mark.parametrize("what", ["FONTS", "ICONS", "TEMPLATES"])
def test_changed_font_icon_or_template_is_typeset_again(
    what: str, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small()
    shutil.copytree(getattr(typesetting, what), tmp_path / "own")
    monkeypatch.setattr(typesetting, what, tmp_path / "own")
    typesetting._press.cache_clear()
    small()
    assert len(asked) == 1  # the same files at another place
    changed = sorted(path for path in (tmp_path / "own").iterdir() if path.suffix in (".ttf", ".svg", ".j2"))[0]
    changed.write_bytes(changed.read_bytes() + b"\n")
    typesetting._press.cache_clear()
    small()
    assert len(asked) == 2
    monkeypatch.undo()
    typesetting._press.cache_clear()


def test_other_typst_version_typesets_again(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    small()
    monkeypatch.setattr(typesetting, "installed_version", lambda package: "0.0")
    typesetting._press.cache_clear()
    small()
    assert len(asked) == 2
    typesetting._press.cache_clear()


def test_changed_picture_is_typeset_again(asked: list[str], tmp_path: Path) -> None:
    drawn = tmp_path / "one.svg"
    drawn.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', encoding="utf-8")
    shown = Picture(name="one.svg", alt="", credit="", place=drawn)
    for _ in range(2):
        typeset("", {"a": 1, "art": shown}, "png", 36)
    assert len(asked) == 1
    drawn.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"/>', encoding="utf-8")
    typeset("", {"a": 1, "art": shown}, "png", 36)
    assert len(asked) == 2


def test_entry_under_other_name_is_refused(asked: list[str], tmp_path: Path) -> None:
    def entries() -> set[Path]:
        return set((tmp_path / "kept").iterdir())

    one = small(1)
    before = entries()
    two = small(2)
    sizes = {path: path.stat().st_size for path in entries()}
    document = max(before, key=lambda path: sizes[path])
    other = max(entries() - before, key=lambda path: sizes[path])
    shutil.copy(document, other)
    assert small(2) == two != one
    assert len(asked) == 3


def test_malformed_entry_is_refused(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made = small()
    stored: list[tuple[str, object]] = []
    monkeypatch.setattr(typesetting.cache, "store_result", lambda name, result: stored.append((name, result)))
    monkeypatch.setattr(typesetting.cache, "load_result", lambda name, fits: next(
        (entry for entry in [(name, (b"no picture",), ()), (name, (), ()), ("", made.files, ())] if fits(entry)), None
    ))  # fmt: skip
    assert small() == made
    assert len(asked) == 2


def test_large_document_is_not_cached(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetting, "LARGEST_KEPT", 10)
    small()
    small()
    assert len(asked) == 2


def test_only_drawings_that_a_document_names_are_copied() -> None:
    always = typesetting.drawings_named_in("")
    assert typesetting.drawings_named_in('(drawing: "anvil", title: "The anvil is an alarm")') == sorted(
        {*always, "anvil"}
    )
    assert len(always) < 20
    folder = typesetting.desk()
    typesetting._lay_drawings(folder, ["anvil"])
    assert (folder / "anvil.svg").read_bytes() == (ICONS / "anvil.svg").read_bytes()

"""`fcb i18n`: its files, messages and exit codes."""

from __future__ import annotations

import json
import re

from cli_runner import Shell


def test_translations_are_exported_imported_and_counted(project: Shell) -> None:
    assert project.fcb("i18n", "export", "de", "-o", "de.po").out == "de.po\n"
    file = project.folder / "de.po"
    text = file.read_text(encoding="utf-8")
    assert 'msgctxt "trick/puddle/title"\nmsgid "Puddle"\nmsgstr ""' in text
    file.write_text(text.replace('msgid "Puddle"\nmsgstr ""', 'msgid "Puddle"\nmsgstr "Pfütze"'), encoding="utf-8")
    tried = project.fcb("i18n", "import", "de.po", "--check")
    assert (tried.code, tried.out) == (0, "translations/de.po\n")
    assert not (project.folder / "translations").exists()
    done = project.fcb("i18n", "import", "de.po")
    assert (done.code, done.out) == (0, tried.out)
    assert "1 already in the translation files" in done.err
    assert 'msgstr "Pfütze"' in project.fcb("i18n", "export", "de").out
    assert "Pfütze" not in project.fcb("i18n", "export", "de", "--open").out

    status = project.fcb("i18n", "status", "de", "--list")
    assert re.match(r"de: 17 of \d+ texts", status.out)  # one text of the project, and fifteen of the language itself
    assert "missing: trick/gift/title" in status.out
    assert (status.code, project.fcb("i18n", "status", "de", "--strict").code) == (0, 1)
    data = json.loads(project.fcb("i18n", "status", "--format", "json").out)
    assert [row["language"] for row in data] == ["fr", "de"]
    assert data[1]["total"] - len(data[1]["open"]) == 17
    assert data[1]["files"]["cards/pond.fcb"] == {"translated": 1, "missing": 6, "stale": 0, "fuzzy": 0}


def test_texts_that_cannot_be_imported_are_reported(project: Shell) -> None:
    po = project.folder / "de.po"
    po.write_text('msgid ""\nmsgstr "Language: de\\n"\n\nmsgctxt "no/such"\nmsgid "A"\nmsgstr "B"\n')
    refused = project.fcb("i18n", "import", "de.po")
    assert (refused.code, refused.out) == (1, "")
    assert "no/such: there is no such text" in refused.err
    po.write_text("nonsense\n")
    assert "FCB0721" in project.fcb("i18n", "import", "de.po").out
    po.write_text('msgid ""\nmsgstr "Language: en\\n"\n')
    assert project.fcb("i18n", "import", "de.po").code == 2
    assert project.fcb("i18n", "export", "en").code == 2
    assert project.fcb("i18n", "export", "german").code == 2


def test_seals_are_saved_and_reported(project: Shell) -> None:
    done = project.fcb("i18n", "seal", "fr")
    assert done.code == 0
    assert done.out.startswith("translations/fr.seals: ")
    cards = project.folder / "cards" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace('"Puddle"', '"Deep Puddle"'), encoding="utf-8")
    assert "FCB0723" in project.fcb("check").out
    assert "stale: trick/puddle/title" in project.fcb("i18n", "status", "--list").out

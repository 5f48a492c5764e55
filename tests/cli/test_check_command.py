"""`fcb check`: its reports, their formats, and exit codes."""

from __future__ import annotations

import json

import pytest
from cli_runner import Shell

TOML = 'language = 2\nlanguages = ["en", "fr"]\n'
GATE = 'kind toad is card:\n  name: "toad"\n'


@pytest.fixture
def pack(shell: Shell) -> Shell:
    """Return a project with a warning: a title without its French translation."""
    (shell.folder / "cards").mkdir()
    (shell.folder / "fcb.toml").write_text(TOML)
    write(shell, GATE)
    return shell


def write(shell: Shell, text: str, name: str = "a") -> None:
    (shell.folder / "cards" / f"{name}.fcb").write_text(text)


def findings_of(shell: Shell, *arguments: str) -> list[tuple[str, str]]:
    """Return the severity and the code of each finding."""
    done = shell.fcb("check", "--format", "json", *arguments)
    return [(problem["severity"], problem["code"]) for problem in json.loads(done.out)]


def test_project_sets_severity_of_warnings(pack: Shell) -> None:
    assert findings_of(pack) == [("warning", "FCB0315")]
    (pack.folder / "fcb.toml").write_text(TOML + '[severity]\nFCB0315 = "error"\n')
    assert findings_of(pack) == [("error", "FCB0315")]
    assert pack.fcb("compile", "-o", "x.fcbc").code == 1
    (pack.folder / "fcb.toml").write_text(TOML + '[severity]\nFCB0315 = "off"\n')
    assert findings_of(pack) == []


@pytest.mark.parametrize("line", ['FCB0301 = "off"', 'FCB0315 = "of"', 'FCB9999 = "off"', "FCB0315 = 1"])
def test_severity_of_errors_is_fixed(pack: Shell, line: str) -> None:
    (pack.folder / "fcb.toml").write_text(f"{TOML}[severity]\n{line}\n")
    assert ("error", "FCB0803") in findings_of(pack)


def test_comment_allows_warning_at_its_line(pack: Shell) -> None:
    write(pack, "# fcb: allow FCB0315 (the name is the same)\n\n# of the mill\n" + GATE)
    assert findings_of(pack) == []
    write(pack, GATE.replace(":\n", ":  # fcb: allow FCB0315, FCB0611\n"))
    assert findings_of(pack) == [("warning", "FCB0815")]
    write(pack, "mark  # fcb: allow FCB0301, FCB9999\n")
    assert [code for _, code in findings_of(pack)].count("FCB0816") == 2


def test_needless_allow_comment_is_removed(pack: Shell) -> None:
    write(pack, "# fcb: allow FCB0611\n" + GATE + '\nmark way "Way":  # fcb: allow FCB0611\n  fr: "Voie"\n')
    done = pack.fcb("check", "--diff")
    assert done.code == 1
    assert "-# fcb: allow FCB0611\n" in done.out
    assert findings_of(pack, "--fix") == [("warning", "FCB0315")]
    assert (pack.folder / "cards" / "a.fcb").read_text() == GATE + '\nmark way "Way":\n  fr: "Voie"\n'
    assert pack.fcb("check", "--diff").code == 0


def test_fix_keeps_line_endings(pack: Shell) -> None:
    (pack.folder / "cards" / "a.fcb").write_bytes(
        b'\xef\xbb\xbfmark gate "Gate":\r\n  # fcb: allow FCB0611\r\n  fr: "P"\r\n'
    )
    pack.fcb("check", "--fix", "--select", "FCB0815")
    assert (pack.folder / "cards" / "a.fcb").read_bytes() == b'\xef\xbb\xbfmark gate "Gate":\r\n  fr: "P"\r\n'


def test_codes_are_selected_and_ignored(pack: Shell) -> None:
    assert findings_of(pack, "--select", "FCB03") == [("warning", "FCB0315")]
    assert findings_of(pack, "--select", "FCB07") == findings_of(pack, "--ignore", "FCB0315") == []
    done = pack.fcb("check", "--select", "FCB0399")
    assert (done.code, "Did you mean" in done.err) == (2, True)


def test_problem_of_baseline_is_reported_again_when_it_changes(pack: Shell) -> None:
    assert pack.fcb("check", "--write-baseline", "known.json").code == 0
    assert findings_of(pack, "--baseline", "known.json") == []
    write(pack, "\n\n" + GATE)
    assert findings_of(pack, "--baseline", "known.json") == []
    write(pack, GATE + 'kind way is card:\n  name: "way"\n')
    assert findings_of(pack, "--baseline", "known.json") == [("warning", "FCB0315")]
    write(pack, "")
    done = pack.fcb("check", "--baseline", "known.json")
    assert (done.code, "1 problem of known.json" in done.err) == (0, True)
    (pack.folder / "known.json").write_text('{"version": 1, "findings": {"x": {"count": -1}}}')
    assert pack.fcb("check", "--baseline", "known.json").code == 2


@pytest.mark.parametrize("form", ["github", "sarif", "junit"])
def test_report_formats_have_clean_output(pack: Shell, form: str) -> None:
    done = pack.fcb("check", "--strict", "--format", form)
    assert done.code == 1
    assert "FCB0315" in done.out
    assert done.out.startswith({"github": "::warning ", "sarif": "{", "junit": "<?xml"}[form])

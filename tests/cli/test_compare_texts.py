"""`fcb render --compare`: texts of authors beside the generated ones."""

from __future__ import annotations

from cli_runner import Shell


def test_compare_shows_written_beside_generated_texts(project: Shell) -> None:
    assert project.fcb("render", "--compare").out == "None: no text is written by hand.\n"
    cards = project.folder / "cards" / "pond.fcb"
    text = cards.read_text(encoding="utf-8")
    own = '  text: "Catch <7> flies."\n  text fr: "Attrapez les mouches."\n  effect:\n    choose spots'
    cards.write_text(text.replace("  effect:\n    choose spots", own), encoding="utf-8")
    done = project.fcb("render", "--compare")
    assert done.code == 0
    lines = [line.strip() for line in done.out.splitlines()]
    assert lines[:3] == ["trick/gift “Gift of flies” (cards/pond.fcb:12)", "en", "by hand    Catch <7> flies."]
    assert lines[3].startswith("generated")
    assert "up to 2" in lines[3]
    assert any("FCB0719" in line and "7" in line for line in lines)
    assert "Attrapez" not in project.fcb("render", "--compare", "--lang", "en").out
    assert project.fcb("render", "--compare", "puddle").out == "None: no text is written by hand.\n"
    assert project.fcb("render", "--compare", "puddles").code == 2

    assert project.fcb("render", "--compare", "-o", "out").code == 0
    assert (project.folder / "out" / "compare.pdf").read_bytes().startswith(b"%PDF")
    assert "out/compare.html\n" in project.fcb("render", "--compare", "--to", "html", "-o", "out").out
    page = (project.folder / "out" / "compare.html").read_text(encoding="utf-8")
    assert "Catch &lt;7&gt; flies." in page
    assert project.fcb("render").code == 2

"""The page of failing tests: what was expected and seen, the trace, the board; one file that runs nothing."""

from __future__ import annotations

import re

from cli_runner import Shell


def broken(project: Shell) -> str:
    """Return the page when one of two tests fails, with a hostile title."""
    tests = project.folder / "tests" / "pond.fcb"
    text = tests.read_text(encoding="utf-8")
    text = text.replace("green-frog's energy = 2", "green-frog's energy = 7").replace(
        "A hop costs", "A <b>hop</b> costs"
    )
    tests.write_text(text, encoding="utf-8")
    done = project.fcb("test", "--html", "failed.html")
    assert (done.code, done.out.splitlines()[-1]) == (1, "2 tests: 1 passed, 1 failed.")
    return (project.folder / "failed.html").read_text(encoding="utf-8")


def test_failure_page_shows_lines_trace_and_board(project: Shell) -> None:
    html = broken(project)
    assert "<title>1 failed, 1 passed</title>" in html
    assert html.count("<article") == 1
    assert "tests/pond.fcb:12:3 · POND-HOP-01" in html
    assert "<dt>Expected</dt><dd>the condition holds</dd>" in html
    assert "energy is 2" in html
    assert re.search(r"<mark>  12    expect green-frog&#39;s energy = 7</mark>", html)
    assert "Events so far:" in html
    spaces = re.findall(r"<title>([A-Z]\d[^<]*)</title>", html)
    assert spaces == ["A1", "B1, Green Frog", "C1"]
    assert html.count("<path") == 3
    assert re.search(r'<text class="code"[^>]*>GF</text>', html)
    assert "Green Frog, B1; energy 2/3" in html


def test_failure_page_has_no_script_and_no_request(project: Shell) -> None:
    html = broken(project)
    assert "A &lt;b&gt;hop&lt;/b&gt; costs" in html
    assert "<b>" not in html
    assert "<script" not in html
    assert "default-src 'none'" in html
    assert not re.search(r'(?:src|href)="(?!#)', html)


def test_failure_page_reports_that_all_pass(project: Shell) -> None:
    assert project.fcb("test", "--html", "passed.html").code == 0
    assert "All 2 passed" in (project.folder / "passed.html").read_text(encoding="utf-8")
    assert project.fcb("test", "--html", "none/such/x.html", "--format", "json").code == 0

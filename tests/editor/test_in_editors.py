"""The blocks of `docs/editors.md`, as they are written, in Neovim and Emacs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from opened import LANTERNS, TRICKS

pytestmark = pytest.mark.long

PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
WAIT = 60
"""Seconds to wait for a problem before the test fails."""
NEOVIM = """
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.FCB_FILE))
vim.wait(%d, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, one in ipairs(vim.diagnostic.get(0)) do io.stdout:write("FOUND " .. one.message .. "\\n") end
vim.cmd("qall!")
"""
EMACS = """
(package-initialize)
(require 'eglot)
(setq eglot-sync-connect t eglot-autoreconnect nil eglot-autoshutdown t)
(load "%s")
(find-file (getenv "FCB_FILE"))
(unless (eglot-managed-p) (call-interactively #'eglot))
(with-timeout (%d)
  (while (not (flymake-diagnostics)) (accept-process-output nil 0.1) (flymake-start)))
(dolist (one (flymake-diagnostics)) (princ (format "FOUND %%s\\n" (flymake-diagnostic-text one))))
(kill-emacs 0)
"""


def blocks(language: str) -> list[str]:
    """Return the blocks of the page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def neovims() -> list[str]:
    """Return the installed Neovims: those of FCB_NVIM, and that on the path."""
    named = [name for name in os.environ.get("FCB_NVIM", "").split(os.pathsep) if name]
    return [*named, *([path] if (path := shutil.which("nvim")) else [])]


def version(nvim: str) -> tuple[int, ...]:
    version_text = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"NVIM v(\d+)\.(\d+)", version_text)
    assert match is not None, version_text
    return int(match[1]), int(match[2])


def problems(folder: Path, command: Sequence[str]) -> str:
    """Run an editor on a file with a mistake; return the problems that it shows."""
    project = folder / "My Pack é #1"
    shutil.copytree(LANTERNS, project)
    file = project / TRICKS
    text = file.read_text(encoding="utf-8")
    assert "Shove foe" in text
    file.write_text(text.replace("Shove foe", "Shov foe", 1), encoding="utf-8")
    home = folder / "home"
    home.mkdir()
    scripts = folder / "bin"
    scripts.mkdir()
    fcb = scripts / "fcb"
    fcb.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fcbdsl "$@"\n', encoding="utf-8")
    fcb.chmod(0o755)
    env = {**os.environ, "HOME": str(home), "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "FCB_FILE": str(file)}
    env |= {f"XDG_{name}_HOME": str(home / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=2 * WAIT, stdin=subprocess.DEVNULL
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("current", [True, False], ids=["0.11 or later", "older"])
def test_neovim_configuration_shows_problems(tmp_path: Path, current: bool) -> None:
    fitting = [path for path in neovims() if (version(path) >= (0, 11)) == current]
    if not fitting:
        pytest.skip(f"no Neovim {'0.11 or later' if current else 'before 0.11'} is installed (FCB_NVIM names others)")
    (block,) = (block for block in blocks("lua") if ("vim.lsp.config" in block) == current)
    init = tmp_path / "init.lua"
    init.write_text(block, encoding="utf-8")
    after = tmp_path / "after.lua"
    after.write_text(NEOVIM % (WAIT * 1000), encoding="utf-8")
    report = problems(tmp_path, [fitting[0], "--headless", "-u", str(init), "-c", f"luafile {after}"])
    assert re.search(r"FOUND .*Shov", report), report


def test_emacs_configuration_shows_problems(tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("no Emacs is installed")
    locate = '(progn (package-initialize) (kill-emacs (if (locate-library "eglot") 0 1)))'
    if subprocess.run([emacs, "--batch", "--eval", locate], capture_output=True).returncode:
        pytest.skip("this Emacs has no eglot (Debian: elpa-eglot)")
    (block,) = blocks("elisp")
    init, after = tmp_path / "init.el", tmp_path / "after.el"
    init.write_text(block, encoding="utf-8")
    after.write_text(EMACS % (init, WAIT), encoding="utf-8")
    report = problems(tmp_path, [emacs, "--batch", "-l", str(after)])
    assert re.search(r"FOUND .*Shov", report), report

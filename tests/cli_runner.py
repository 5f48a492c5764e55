"""Runs the command line in this process, as a shell would."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from fcbdsl.cli.main import main


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a run: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


class Shell:
    """A working folder in which commands run."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._patch = patch
        self._capture = capture

    def fcb(self, *arguments: str | Path, stdin: str = "") -> Done:
        """Run ``fcb`` with these arguments."""
        self._patch.chdir(self.folder)
        self._patch.setattr(sys, "argv", ["fcb", *map(str, arguments)])
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        self._capture.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        out, err = self._capture.readouterr()
        assert "Traceback" not in out + err
        assert isinstance(left.value.code, int)
        return Done(left.value.code, out, err)

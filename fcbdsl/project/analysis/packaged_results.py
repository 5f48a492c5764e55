"""``python -m fcbdsl.project.analysis.packaged_results FOLDER``: reads the shipped games for the packs of ``fcb new``.

The build of a wheel runs it (`hatch_build.py`) and adds the files in FOLDER to the wheel.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fcbdsl.base import bounds, shipped_results
from fcbdsl.base.files import PROJECT_FILE, read_regular, write_atomically
from fcbdsl.project.analysis.lent_aids import lent_digests
from fcbdsl.project.analysis.lent_reading import packaged_reading
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import Loader, load_project

LANGUAGES = (("en",), ("fr",), ("en", "fr"))
"""The languages of new packs."""


def starter_packs(folder: Path) -> Iterator[Path]:
    """Yield a pack for each game, template and choice of languages of ``fcb new``, written into a folder."""
    starters = shipped_path("starters")
    settings = read_regular(starters / "common" / PROJECT_FILE, bounds.SETTINGS_BYTES).decode()
    templates = sorted(path for path in starters.glob("*/*") if (path / "missions").is_dir())
    for at, template in enumerate(templates):
        for languages in LANGUAGES:
            pack = folder / f"{at}-{'-'.join(languages)}"
            shutil.copytree(template, pack)
            words = {"languages": ", ".join(f'"{language}"' for language in languages)}
            text = re.sub(r"@(\w+)@", lambda match, words=words: words.get(match[1], "pack"), settings)  # type: ignore[misc]
            write_atomically(pack / PROJECT_FILE, text.encode())
            yield pack


def make_results(pack: Loader) -> None:
    """Make the results about the shipped sources that a pack uses, unless the package contains them."""
    packaged_reading(pack)
    for language in pack.project.languages:
        lent_digests(pack, language)


def main(folder: Path) -> None:
    """Write all results into a folder."""
    shipped_results.write_to(folder)
    with tempfile.TemporaryDirectory() as temporary:
        for pack in starter_packs(Path(temporary).resolve()):
            make_results(load_project(root=pack, tests=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

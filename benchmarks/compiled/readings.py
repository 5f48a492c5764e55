"""Digests of what is read of a game."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics.base import Diagnostic
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.program import Program


def digests(model: Model, problems: Sequence[Diagnostic], program: Program) -> list[str]:
    """Return hashes for a game, tests included: of its problems, its typed tree, its program, and its texts.

    The program is hashed without the paths of its systems, which differ by installation. Texts are those in each
    language, with their problems.
    """
    from fcbdsl.base.diagnostics.report import findings_to_text
    from fcbdsl.language.model.dump import dump
    from fcbdsl.language.prose import LANGUAGES, rules_text
    from fcbdsl.machine.vm import fcbc
    from fcbdsl.project.paths import PACKAGE

    def placed(said: str) -> str:
        return said.replace(str(PACKAGE), PACKAGE.name).replace(os.path.relpath(PACKAGE), PACKAGE.name)

    files = tuple(placed(name) for name in program.files)
    portable = replace(program, files=files, hash="")
    out = [_hash(placed(findings_to_text(problems))), _hash(placed(dump(model))), _hash(fcbc.dump(portable))]
    for language in LANGUAGES:
        texts = [
            rules_text(thing, model, language, generated=generated)
            for thing in (*model.definitions.values(), *model.actions.values(), *model.rules.values())
            for generated in (False, True)
        ]
        out.append(_hash("\n".join(text.plain() + placed(findings_to_text(text.problems)) for text in texts)))
    return out


def _hash(said: str | bytes) -> str:
    return hashlib.blake2b(said if isinstance(said, bytes) else said.encode(), digest_size=16).hexdigest()

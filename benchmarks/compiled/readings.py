"""Reads all shipped content; prints which reader it used, and hashes of the results."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace


def all_digests() -> list[str]:
    """Return hashes for each game, tests included: of its problems, its typed tree, its program, and its texts.

    The program is hashed without the paths of its systems, which differ by installation. Texts are those in each
    language, with their problems.
    """
    from fcbdsl.base.diagnostics.report import findings_to_text
    from fcbdsl.language.compiler import lower
    from fcbdsl.language.model.dump import dump
    from fcbdsl.language.prose import LANGUAGES, rules_text
    from fcbdsl.machine.vm import fcbc
    from fcbdsl.project.paths import PACKAGE
    from fcbdsl.project.project import check_loaded, load_all

    def placed(said: str) -> str:
        return said.replace(str(PACKAGE), PACKAGE.name).replace(os.path.relpath(PACKAGE), PACKAGE.name)

    out = []
    for loader in load_all():
        model, problems = check_loaded(loader)
        model.lent = ()  # the systems beside the build are not the project's own: problems would have other places
        program = lower(model)
        files = tuple(placed(name) for name in program.files)
        program = replace(program, files=files, hash="")
        out += [_hash(placed(findings_to_text(problems))), _hash(placed(dump(model))), _hash(fcbc.dump(program))]
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


if __name__ == "__main__":
    from fcbdsl.language.model import check

    print(check.__file__, *all_digests())

"""Hashes of a project's sources: one of the game, one of each test."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.lines import keyword_of
from fcbdsl.language.syntax.tree import File
from fcbdsl.play.testing.impact import TestKey


@dataclass(frozen=True, slots=True)
class Seals:
    """Hashes of the inputs of a mutation run. `game`: everything but the tests, with the settings and the code of the
    engine; `tests`: each test, by its place."""

    game: str
    tests: Mapping[TestKey, str]


def hash_sources(files: Iterable[File], proofs: Iterable[str], settings: bytes) -> Seals:
    """Return the hashes of a project's files. `proofs`: the names of test files, whose other declarations belong to the
    game; `settings`: everything else that play depends on."""
    holding = frozenset(proofs)
    parts = [settings]
    tests: dict[TestKey, str] = {}
    for file in files:
        name, text = file.source.name, file.source.text
        parts.append(name.encode())
        if name not in holding:
            parts.append(text.encode())
            continue
        for line in file.lines:
            content = line.source.text[line.offset : line.whole.end].encode()
            if keyword_of(line) == "test":
                tests[name, line.span.line] = hash_parts([name.encode(), content])
            else:
                parts.append(content)
    return Seals(hash_parts(parts), tests)


def hash_parts(parts: Iterable[bytes]) -> str:
    """Return the hash of some parts, which depends on where each of them ends."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()

"""The aids and tokens of a game that a pack plays and does not change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcbdsl.base import cache
from fcbdsl.project.analysis.lent_reading import shipped_model, without_pack
from fcbdsl.project.project import Loader, project_key

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model

KEPT = "digests of lent aids"
"""The purpose for which the digests of a game's own aids are kept."""


def unchanged_aids(loader: Loader, model: Model, languages: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Return which aids of a pack's game the pack does not change: pairs of a language and ``aid``, ``reference`` or
    ``tokens``. Titles and footers do not count. The aids of a project that uses no shipped game are its own."""
    from fcbdsl.print.press.table_sheets import aid_digests

    plain = without_pack(loader)
    if plain is None:
        return frozenset()
    key = project_key(plain, f"{KEPT}: {' '.join(languages)}")
    known: dict[tuple[str, str], str] | None = cache.load_result(key, _are_digests)
    if known is None:
        base = shipped_model(loader)
        if base is None:
            return frozenset()
        known = {(language, name): one for language in languages for name, one in aid_digests(base, language).items()}
        cache.store_result(key, known)
    own = {(language, name): one for language in languages for name, one in aid_digests(model, language).items()}
    return frozenset(one for one, digest in own.items() if known.get(one) == digest)


def _are_digests(found: object) -> bool:
    """Return whether a cached result is a table of digests."""
    return isinstance(found, dict) and all(
        isinstance(name, tuple) and isinstance(one, str) for name, one in found.items()
    )

"""The aids and tokens of a game that a pack plays and does not change."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcbdsl.base import cache, shipped_results
from fcbdsl.project.analysis.lent_reading import package_places, packaged_name, shipped_model, without_pack
from fcbdsl.project.project import Loader, asset_paths, project_key

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model

KEPT = "digests of lent aids"
"""The purpose for which the digests of a game's own aids are kept."""
_DIGESTS = dict[str, str]
"""The shape of cached digests: by the name of the aid."""


def unchanged_aids(loader: Loader, model: Model, languages: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Return which aids of a pack's game the pack does not change: pairs of a language and ``aid``, ``reference`` or
    ``tokens``. Titles and footers do not count. The aids of a project that uses no shipped game are its own."""
    from fcbdsl.print.press.table_sheets import aid_digests

    shipped: dict[tuple[str, str], str] = {}
    for language in languages:
        digests = lent_digests(loader, language)
        if digests is None:
            return frozenset()
        shipped |= {(language, name): digest for name, digest in digests.items()}
    own = {(language, name): digest for language in languages for name, digest in aid_digests(model, language).items()}
    return frozenset(key for key, digest in own.items() if shipped.get(key) == digest)


def lent_digests(loader: Loader, language: str) -> dict[str, str] | None:
    """Return the digests of the aids of a pack's game in a language, from the package or the cache.

    Return None if it uses no shipped sources, or these have errors. In a checkout, missing digests become part of the
    package.
    """
    from fcbdsl.print.press.table_sheets import aid_digests

    plain = without_pack(loader)
    if plain is None:
        return None
    purpose, name = f"{KEPT}: {language}", ""
    if not any(os.path.lexists(path) for source in plain.sources for _, path in asset_paths(source)):
        name = packaged_name(plain, package_places(plain), purpose, shipped_results.PRESS)
    digests: dict[str, str] | None = (
        shipped_results.load_packaged(name, cache.shape_check(_DIGESTS), {}) if name else None
    )
    key = project_key(plain, purpose)
    digests = cache.load_result(key, cache.shape_check(_DIGESTS)) if digests is None else digests
    if digests is None:
        base = shipped_model(loader)
        if base is None:
            return None
        digests = aid_digests(base, language)
        if not (name and shipped_results.writable() and shipped_results.store_packaged(name, digests, {})):
            cache.store_result(key, digests)
    return digests

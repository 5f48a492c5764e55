"""Ids that look alike: they differ only in case, or in letters of similar shape."""

from __future__ import annotations

import unicodedata
from typing import Final

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import LookalikeIds
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.context import Context

_FOREIGN: Final = "авекмнорстухіѕјԁһԛѡүαβεηικμνορτυχгı10"
_LATIN: Final = "abekmhopctyxisjdhqwyabenikmvoptuxrilo"
_SAME: Final = str.maketrans(_FOREIGN, _LATIN)
"""Cyrillic, Greek and Turkish letters, and digits, that look like a Latin letter."""


def confusable_key(name: str) -> str:
    """Return a key of a name's look: names that readers could confuse have the same key."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_SAME)


def lookalikes(context: Context) -> None:
    """Report definitions of one kind whose ids read alike."""
    seen: dict[tuple[str, str], Declaration] = {}
    for declaration in context.index.all:
        if declaration.sort not in context.model.kinds or not declaration.id:
            continue
        first = seen.setdefault((declaration.sort, confusable_key(declaration.id)), declaration)
        if first.id != declaration.id:
            related = [Related(first.span, "the other one")]
            context.report(
                LookalikeIds(
                    declaration.span, sort=declaration.sort, name=declaration.id, other=first.id, related=related
                )
            )

"""A thing some of whose methods are others: for classes that, once compiled, can be neither patched nor inherited."""

from __future__ import annotations

from typing import Any


class Instead:
    """Stands before a thing and answers as it does, but for what it is given by name."""

    def __init__(self, thing: Any, **others: Any) -> None:
        self._thing = thing
        self._others = others

    def __getattr__(self, name: str) -> Any:
        others = self.__dict__["_others"]
        return others[name] if name in others else getattr(self.__dict__["_thing"], name)

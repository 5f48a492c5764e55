"""Public methods have docstrings, unless they override a method with one. (ruff checks modules, classes, functions.)"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest
from imports import ROOT, module_of

GRAMMAR = (ROOT.parent / "grammar" / "fcb.lark").read_text(encoding="utf-8")
MODULES = [module_of(path) for path in sorted(ROOT.rglob("*.py")) if path.stem != "__main__"]


def classes(name: str) -> Iterator[type]:
    """Return the public classes that a module defines."""
    for value in vars(importlib.import_module(name)).values():
        if isinstance(value, type) and value.__module__ == name and not value.__name__.startswith("_"):
            yield value


def undocumented(cls: type) -> list[str]:
    """Return the public methods and properties of a class without a docstring."""
    return [name for name, made in vars(cls).items() if not name.startswith("_") and not _is_said(cls, name, made)]


def _is_said(cls: type, name: str, made: Any) -> bool:
    """Return whether a method, or one that it overrides, has a docstring. Callbacks of the parser are explained by
    their rule."""
    if not isinstance(made, (cached_property, property, classmethod, staticmethod)) and not inspect.isfunction(made):
        return True
    if cls.__module__ == "fcbdsl.language.syntax.nodes" and re.search(rf"\b{name}\b", GRAMMAR):
        return True
    return any((vars(base).get(name).__doc__ or "").strip() for base in cls.__mro__ if name in vars(base))


@pytest.mark.parametrize("name", MODULES)
def test_every_public_method_has_docstring(name: str) -> None:
    assert {cls.__name__: missing for cls in classes(name) if (missing := undocumented(cls))} == {}


def test_method_without_docstring_is_found_unless_it_overrides() -> None:
    class Base:
        def said(self) -> None:
            """Say it."""

        def silent(self) -> None: ...

    class Derived(Base):
        def said(self) -> None: ...

        @property
        def odd(self) -> int:
            return 1

    assert undocumented(Base) == ["silent"]
    assert undocumented(Derived) == ["odd"]

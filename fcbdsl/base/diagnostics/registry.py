"""All diagnostics: the classes in the modules of this package."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from fcbdsl.base.diagnostics.base import Diagnostic, diagnostic_classes


@cache
def all_diagnostics() -> tuple[type[Diagnostic], ...]:
    """Return every class in order of code, importing the modules of this package first."""
    import pkgutil  # slow to import

    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        import_module(f"fcbdsl.base.diagnostics.{module.name}")
    return tuple(_imported())


def _imported() -> Iterator[type[Diagnostic]]:
    """Yield the classes imported so far, without those that a user of the package has defined."""
    return (cls for cls in diagnostic_classes() if cls.__module__.startswith("fcbdsl."))


def find_diagnostic(code: str) -> type[Diagnostic] | None:
    """Return the class of a code, or None. All modules are imported only if no other one has the code."""
    imported = next((cls for cls in _imported() if cls.code == code), None)
    return imported or next((cls for cls in all_diagnostics() if cls.code == code), None)


def known_codes() -> list[str]:
    """Return every code in order."""
    return [cls.code for cls in all_diagnostics()]

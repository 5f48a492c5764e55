"""All diagnostics: the classes in the modules of this package."""

from __future__ import annotations

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
    return tuple(cls for cls in diagnostic_classes() if cls.__module__.startswith("fcbdsl."))


def find_diagnostic(code: str) -> type[Diagnostic] | None:
    """Return the class of a code, or None."""
    return next((cls for cls in all_diagnostics() if cls.code == code), None)


def known_codes() -> list[str]:
    """Return every code in order."""
    return [cls.code for cls in all_diagnostics()]

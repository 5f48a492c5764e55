"""The folders of templates and drawings in the package."""

from __future__ import annotations

from fcbdsl.base import resources

HERE = resources.package_folder() / "print"
ICONS = HERE / "icons"
TEMPLATES = HERE / "templates"

"""Migrates sources from an older version of the language to the current one."""

from fcbdsl.base.edits import TextEdit, apply_edits
from fcbdsl.tools.migration.migration import Migration, Unclear
from fcbdsl.tools.migration.run import MIGRATIONS, Migrated, Outcome, migrate, migrations_from, set_language

__all__ = [
    "MIGRATIONS",
    "Migrated",
    "Migration",
    "Outcome",
    "TextEdit",
    "Unclear",
    "apply_edits",
    "migrate",
    "migrations_from",
    "set_language",
]

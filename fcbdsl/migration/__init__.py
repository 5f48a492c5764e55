"""Bringing sources in an older version of the language into the current one."""

from fcbdsl.edits import TextEdit, edited
from fcbdsl.migration.edits import Migration, Unclear
from fcbdsl.migration.run import MIGRATIONS, Migrated, Outcome, migrate, migrations_from, set_language

__all__ = [
    "MIGRATIONS",
    "Migrated",
    "Migration",
    "Outcome",
    "TextEdit",
    "Unclear",
    "edited",
    "migrate",
    "migrations_from",
    "set_language",
]

"""Tools on sources and programs: coverage, mutation, diff, import and export, migration, translation, reports."""

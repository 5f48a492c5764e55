"""Translations between sources and gettext files: export, import, progress."""

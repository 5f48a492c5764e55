"""The editor in the page: texts with the language server, what they print, their problems and tests."""

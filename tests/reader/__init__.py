"""A reader of the English that fcb prints: a test tool, no way to write cards."""

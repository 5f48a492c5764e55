"""The map painter: strokes on a map become edits of its text."""

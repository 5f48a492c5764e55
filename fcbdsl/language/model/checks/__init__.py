"""Checks of a whole model: `lints` and `dead` of all of it, `missions` of what is played."""

"""One game from start to end, its record, and its description to a person."""

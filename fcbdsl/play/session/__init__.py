"""A game from its beginning to its end, its record, and how it is told to a person."""

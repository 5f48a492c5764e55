"""A game as its seats see it: scenes, the table that owns the game, and the messages between the two."""

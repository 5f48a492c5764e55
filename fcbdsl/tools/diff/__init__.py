"""The differences between two versions of a game's sources, for players at the table and for campaigns under way."""

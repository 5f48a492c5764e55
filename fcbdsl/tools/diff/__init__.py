"""What a change of a game's sources comes to for those who sit at the table, and for campaigns under way."""

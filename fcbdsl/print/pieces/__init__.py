"""What is printed: cards, sheets, maps, tokens, player aids, and how their kinds look."""

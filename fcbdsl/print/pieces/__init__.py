"""Views of printed pieces: cards, sheets, maps, tokens, player aids, and the looks of their kinds."""

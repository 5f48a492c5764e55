"""Cards, boards and mission sheets on paper and on the web."""

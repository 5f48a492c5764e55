"""Web pages, Tabletop Simulator, and rules text beside the author's own."""

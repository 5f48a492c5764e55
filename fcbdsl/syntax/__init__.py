"""From text to the tree of a file: `reading.read_source`, then `parser.parse`."""

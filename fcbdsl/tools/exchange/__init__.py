"""Content as plain data, for other tools: its schema, records out of sources, and sources out of records."""

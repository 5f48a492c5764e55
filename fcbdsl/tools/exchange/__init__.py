"""Content as plain data for other tools: its schema, export to records, and import from records."""

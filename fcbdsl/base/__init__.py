"""Foundations for every other package: text and spans, files, diagnostics, records, the cache."""

"""What every other package needs: text and spans, files, diagnostics, records, the cache."""

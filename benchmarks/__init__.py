"""Measuring what is fast, small and short enough; see `docs/performance.md`."""

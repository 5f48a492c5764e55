"""What fcb does, shown on the content that comes with it: ``python -m demo build/demo``."""

"""A project: its settings and files, its checks, its state while it is edited."""

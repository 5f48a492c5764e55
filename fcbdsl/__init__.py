"""fcbdsl: a language, compiler, virtual machine and printing press for tabletop missions and cards."""

__version__ = "0.3.0"

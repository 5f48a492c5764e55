"""From text to the tree of a file: `read_source`, then `parse`."""

from fcbdsl.syntax.parser import parse
from fcbdsl.syntax.reading import read_source

__all__ = ["parse", "read_source"]

"""From text to the tree of a file: `decoding.read_source`, then `parser.parse`."""

from fcbdsl.base.native import refuse_changed

refuse_changed("language/syntax")

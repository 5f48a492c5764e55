"""Cards, boards and mission sheets on paper and on the web."""

from fcbdsl.render.press import FORMS, Rendered, render
from fcbdsl.render.proofs import printable

__all__ = ["FORMS", "Rendered", "printable", "render"]

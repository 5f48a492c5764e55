"""Cards, boards and mission sheets on paper and on the web."""

from fcbdsl.render.press import FORMS, Rendered, printable, render

__all__ = ["FORMS", "Rendered", "printable", "render"]

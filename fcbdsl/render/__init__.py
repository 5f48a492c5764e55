"""Cards, boards and mission sheets on paper and on the web."""

from fcbdsl.render.options import FORMS, Options
from fcbdsl.render.press import Rendered, calibrate, render
from fcbdsl.render.proofs import printable
from fcbdsl.render.webpage import render_page

__all__ = ["FORMS", "Options", "Rendered", "calibrate", "printable", "render", "render_page"]

"""Geometry of boards, search on them, and random numbers."""

from fcbdsl.base.native import refuse_changed

refuse_changed("machine/geometry")

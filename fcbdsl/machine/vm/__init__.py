"""Programs, the images that run them, and games."""

from fcbdsl.base.native import refuse_changed

refuse_changed("machine/vm")

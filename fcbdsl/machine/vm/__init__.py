"""Programs, the images in which they are run, and games."""

from fcbdsl.base.native import refuse_changed

refuse_changed("machine/vm")

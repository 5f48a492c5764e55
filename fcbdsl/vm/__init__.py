"""Programs, the images in which they are run, and games."""

from fcbdsl.native import refuse_changed

refuse_changed("vm")

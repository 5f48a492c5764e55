"""How boards lie, and what can be searched on them; chance."""

from fcbdsl.base.native import refuse_changed

refuse_changed("machine/geometry")

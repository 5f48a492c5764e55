"""Who answers questions without knowing any game, and what they may guess."""

from fcbdsl.base.native import refuse_changed

refuse_changed("play/bots")

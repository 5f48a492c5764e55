"""Bots: they answer the questions of a game without knowing its rules, and guess what is hidden from them."""

from fcbdsl.base.native import refuse_changed

refuse_changed("play/bots")

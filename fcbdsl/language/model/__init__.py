"""The typed model of the content that an author has written."""

from fcbdsl.base.native import refuse_changed

refuse_changed("language/model")

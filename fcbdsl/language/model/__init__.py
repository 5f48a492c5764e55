"""What a model is: what an author has written, once it is understood."""

from fcbdsl.base.native import refuse_changed

refuse_changed("language/model")

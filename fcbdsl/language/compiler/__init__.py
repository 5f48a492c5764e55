"""The compiler: `lower` turns a model into a program."""

from fcbdsl.base.native import refuse_changed
from fcbdsl.language.compiler.context import KeptLowering
from fcbdsl.language.compiler.lowering import BothLowerings, FollowedLowering, Relowering, lower, probed, unsealed
from fcbdsl.language.compiler.natives import signature_problems
from fcbdsl.language.compiler.purity import looking_problems

refuse_changed("language/compiler")

__all__ = [
    "BothLowerings",
    "FollowedLowering",
    "KeptLowering",
    "Relowering",
    "looking_problems",
    "lower",
    "probed",
    "signature_problems",
    "unsealed",
]

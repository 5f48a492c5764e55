"""Models to programs: `lower`."""

from fcbdsl.compiler.looking import looking_problems
from fcbdsl.compiler.lowering import BothLowerings, Relowering, lower, probed, unsealed
from fcbdsl.compiler.natives import signature_problems
from fcbdsl.compiler.unit import KeptLowering
from fcbdsl.native import refuse_changed

refuse_changed("compiler")

__all__ = [
    "BothLowerings",
    "KeptLowering",
    "Relowering",
    "looking_problems",
    "lower",
    "probed",
    "signature_problems",
    "unsealed",
]

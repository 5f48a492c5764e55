"""Models to programs: `lower`."""

from fcbdsl.compiler.looking import looking_problems
from fcbdsl.compiler.lowering import BothLowerings, Relowering, lower, probed, unsealed
from fcbdsl.compiler.signatures import signature_problems

__all__ = ["BothLowerings", "Relowering", "looking_problems", "lower", "probed", "signature_problems", "unsealed"]

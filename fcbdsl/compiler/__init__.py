"""Models to programs: `lower`."""

from fcbdsl.compiler.looking import looking_problems
from fcbdsl.compiler.lowering import BothLowerings, Relowering, lower, unsealed
from fcbdsl.compiler.signatures import signature_problems

__all__ = ["BothLowerings", "Relowering", "looking_problems", "lower", "signature_problems", "unsealed"]

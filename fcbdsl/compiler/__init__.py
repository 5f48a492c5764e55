"""Models to programs: `lower`."""

from fcbdsl.compiler.looking import looking_problems
from fcbdsl.compiler.lowering import lower
from fcbdsl.compiler.signatures import signature_problems

__all__ = ["looking_problems", "lower", "signature_problems"]

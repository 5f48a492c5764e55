"""Models to programs: `lower`."""

from fcbdsl.compiler.lowering import lower
from fcbdsl.compiler.signatures import signature_problems

__all__ = ["lower", "signature_problems"]

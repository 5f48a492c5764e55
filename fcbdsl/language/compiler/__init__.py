"""The compiler: `lower` turns a model into a program."""

from fcbdsl.base.native import refuse_changed
from fcbdsl.language.compiler.lowering import (
    BothLowerings,
    FollowedLowering,
    Relowering,
    instrumented_program,
    linked_program,
    lower,
    program_without_hash,
)
from fcbdsl.language.compiler.lowering_context import KeptLowering
from fcbdsl.language.compiler.native_forms import signature_problems
from fcbdsl.language.compiler.purity import looking_problems

refuse_changed("language/compiler")

__all__ = [
    "BothLowerings",
    "FollowedLowering",
    "KeptLowering",
    "Relowering",
    "instrumented_program",
    "linked_program",
    "looking_problems",
    "lower",
    "program_without_hash",
    "signature_problems",
]

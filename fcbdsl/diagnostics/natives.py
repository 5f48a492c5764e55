"""Forms that bind native ops."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class UnknownOp(Diagnostic):
    code = "FCB0801"
    title = "Unknown native op"
    cause = "The machine has no op called `{name}`."
    help = "The ops are listed in docs/bytecode.md."
    bad = """
        relation beside:
          takes: a (thing), b (thing)
          op: neighborly
    """
    good = """
        relation beside:
          takes: a (thing), b (thing)
          op: beside
    """


class OpMismatch(Diagnostic):
    code = "FCB0802"
    title = "A form does not fit its op"
    cause = "`{form}` does not take or give what its op `{name}` does: {expected}."
    help = "Declare one parameter per operand, in order; `r` is a single value, `s` a list, `:out` what is given."
    bad = """
        relation beside:
          takes: a (thing)
          op: beside
    """
    good = """
        relation beside:
          takes: a (thing), b (thing)
          op: beside
    """

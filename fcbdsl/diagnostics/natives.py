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


class Disturbing(Diagnostic):
    code = "FCB0811"
    title = "A look that is more than a look"
    cause = "`{phrase}` asks, rolls or changes something, and here it decides {use}."
    help = "Looks happen often and out of turn. Do it in an effect (`let x = …`), and keep what came of it in a stat."
    explanation = """
Conditions, costs, limits, formulas, modifiers, invariants and what a test expects are looked at at any time and any
number of times, by the machine, by bots and for what is on show. So they may use no measure or relation that rolls a
die, asks somebody or changes something.
"""
    bad = """
        die coin "coin":
          faces: 1..2
        kind pawn is piece:
          name: "pawn", plural "pawns"
        measure luck:
          gives: number
          effect:
            roll x: coin
            answer x
        action hop "Hop":
          by: pawn
          form: hops
          needs: luck > 1
          effect: win
    """
    good = """
        die coin "coin":
          faces: 1..2
        kind pawn is piece:
          name: "pawn", plural "pawns"
        measure luck:
          gives: number
          effect:
            roll x: coin
            answer x
        action hop "Hop":
          by: pawn
          form: hops
          effect:
            let chance = luck
            if chance > 1: win
    """

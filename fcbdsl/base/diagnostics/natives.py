"""Forms that bind native ops."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class UnknownOp(Diagnostic):
    code = "FCB0801"
    title = "Unknown native op"
    cause = "There is no native op `{name}`."
    help = "Choose one of the ops in `fcb help bytecode`."
    explanation = """
        `op:` connects a form to an operation of the virtual machine. Systems use it; cards and missions rarely need it.
    """
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
    title = "Form that does not fit its native op"
    cause = "`{form}` has other parameters or another result than its op `{name}`: {expected}."
    help = (
        "Declare one parameter for each operand, in this order: `r` is one value, `s` is a list, `:out` is the result."
    )
    explanation = """
        `fcb help bytecode` lists the operands of each op.
    """
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
    title = "Condition or formula with a side effect"
    cause = "`{phrase}` asks, rolls or changes something, but fcb also evaluates it for {use}."
    help = "Do it in an effect (`let x = …`), store the result in a stat, and use the stat here."
    explanation = """
        fcb evaluates conditions, costs, limits, formulas, modifiers and invariants at any time and any number of times.
        So they cannot roll a die, ask a player or change the game.
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

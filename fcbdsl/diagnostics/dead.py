"""What is written and can never happen."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


def _napping(row: str) -> str:
    """A verb that rolls, with a row of its own."""
    head = ["die coin:", "  faces: heads 1, tails 1", "kind hero is piece:", "  stat HP: number 0..", "verb nap:"]
    body = ["takes: who (hero)", "effect:", "  roll coin:", "    heads: who's HP +1", f"    tails: {row}"]
    return "\n".join([*head, *("  " + line for line in [*body, "  who's HP +1"])])


class DoubleForm(Diagnostic):
    code = "FCB0321"
    title = "Two forms that nothing tells apart"
    cause = "Another {sort} `{name}` takes the same."
    help = "Forms may share their words if what they take differs; give one of them another name, or take it away."
    bad = """
        verb nap:
          takes: who (piece)
          effect: stop
        verb nap:
          takes: sleeper (piece)
          effect: stop
        """
    good = """
        verb nap:
          takes: who (piece)
          effect: stop
        verb nap:
          takes: who (card)
          effect: stop
        """


class NeverReached(Diagnostic):
    code = "FCB0610"
    severity = "warning"
    title = "Statement that is never reached"
    cause = "Nothing gets here: the `{word}` above ends what is being done."
    help = "Put it before the `{word}`, or take it away."
    explanation = """
        `stop`, `answer`, `win`, `lose` and `draw` end an effect, `break` ends a loop; so does an `if` whose branches
        all end. What stands behind them in the same block never happens. (`cancel` only calls off the event that is
        being listened to: its own effect goes on.)
        """
    bad = 'verb nap:\n  effect:\n    lose "Asleep."\n    stop'
    good = 'verb nap:\n  effect:\n    lose "Asleep."'


class CutOff(Diagnostic):
    code = "FCB0611"
    severity = "warning"
    title = "Row that ends the whole effect"
    cause = "`stop` ends the whole effect, also what follows the block."
    help = "Write `nothing` if only this row is without effect; else put what follows under the rows that want it."
    explanation = """
        In a row of a roll, an option of `choose one` or a row of `play`, a lone `stop` mostly wants to say that nothing
        happens there. It says more: what stands behind the block is not done either. (In an `if` it is the way to go
        on under a condition only.)
        """
    bad = _napping("stop")
    good = _napping("nothing")

"""What is written and can never happen."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


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

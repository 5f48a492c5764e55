"""Mistakes in content tests."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class UnknownStep(Diagnostic):
    code = "FCB0601"
    title = "Not a step of a test"
    cause = "`{word}` begins no step of a test."
    help = "Steps begin with given, dice, play, do, answer, refuse or expect; `use mission NAME` or `map …:` say where."
    bad = 'test "nothing":\n  hope 1 = 1'
    good = 'test "nothing":\n  expect 1 = 1'


class UnknownAction(Diagnostic):
    code = "FCB0602"
    title = "Unknown action"
    cause = "`{words}` is no action's form."
    help = "Write the actor, then the words of the action's `form:`, then what answers its questions. Known: {known}."
    bad = 'kind hero is piece:\n  field might: number\nhero bo "Bo":\n  might: 1\ntest "t":\n  play bo sings'
    good = """
        kind hero is piece:
          field might: number
        hero bo "Bo":
          might: 1
        action sing:
          by: hero
          form: sings
          effect: stop
        test "t":
          play bo sings
        """


class NoPlaceToPlay(Diagnostic):
    code = "FCB0603"
    title = "Test without a board"
    cause = "This step needs a board, but the test has neither a map nor a mission."
    help = "Begin the test with `map …:` or `use mission NAME`."
    bad = 'kind hero is piece:\n  field might: number\nhero bo "Bo":\n  might: 1\ntest "t":\n  given bo at A1'
    good = """
        kind hero is piece:
          field might: number
        hero bo "Bo":
          might: 1
        test "t":
          map hex:
            art: |
              . .
          given bo at A1
        """


class UnknownFace(Diagnostic):
    code = "FCB0604"
    title = "Unknown face"
    cause = "No die shows `{name}`."
    help = "Scripted dice are named by the symbols or the numbers of their faces."
    bad = 'die coin:\n  faces: heads 1, tails 1\ntest "t":\n  dice: edge'
    good = 'die coin:\n  faces: heads 1, tails 1\ntest "t":\n  dice: heads'


class NoZoneFor(Diagnostic):
    code = "FCB0605"
    title = "Nowhere to put it"
    cause = "{kind:A} has no zone that holds {held:a}."
    help = "Give it one with `zone NAME of {held}` in its kind."
    bad = """
        kind club is card:
          field hands: number
        kind hero is piece:
          field might: number
        hero bo "Bo":
          might: 1
        club oak "Oak":
          hands: 1
        test "t":
          map hex:
            art: |
              . .
          given bo at A1 with oak
        """
    good = """
        kind club is card:
          field hands: number
        kind hero is piece:
          field might: number
          zone clubs of club: any
        hero bo "Bo":
          might: 1
        club oak "Oak":
          hands: 1
        test "t":
          map hex:
            art: |
              . .
          given bo at A1 with oak
        """

"""Mistakes in content tests."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class UnknownStep(Diagnostic):
    code = "FCB0601"
    title = "Not a step of a test"
    cause = "`{word}` begins no step of a test."
    help = (
        "Steps begin with given, dice, lot, play, do, answer, decline, refuse, expect or as PLAYER; "
        "`use mission NAME` or `map …:` say where."
    )
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


class UnknownScriptedFace(Diagnostic):
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


class FaceOfAnotherDie(Diagnostic):
    code = "FCB0606"
    title = "Face of another die"
    cause = "The die `{die}` does not show `{face}`."
    help = "A scripted die is one of its own faces; without its name any die may show it."
    bad = 'die coin:\n  faces: heads 1, tails 1\ndie d6:\n  faces: 1..6\ntest "t":\n  dice: coin 4'
    good = 'die coin:\n  faces: heads 1, tails 1\ndie d6:\n  faces: 1..6\ntest "t":\n  dice: coin heads, d6 4'


class NoSeatLeft(Diagnostic):
    code = "FCB0607"
    title = "More figures than players"
    cause = "Each of the {players} players has a figure already: nobody is left to play `{name}`."
    help = "Say whose it is, too: `given {name} at A1 for player 1`."
    explanation = """
        Figures of a kind that says `played: one each` belong to a player each, in the order in which a test gives them:
        the first to player 1, the second to player 2.
        """
    bad = """
        kind hero is piece:
          played: one each
        hero bo "Bo":
          copies: 2
        test "t":
          map hex:
            art: |
              . .
          given bo#1 at A1
          given bo#2 at B1
        """
    good = """
        kind hero is piece:
          played: one each
        hero bo "Bo":
          copies: 2
        test "t":
          map hex:
            art: |
              . .
          given bo#1 at A1
          given bo#2 at B1 for player 1
        """


class NotSoManyPlayers(Diagnostic):
    code = "FCB0619"
    title = "Not so many can play"
    cause = "{players} can't play this game: it is for {fewest} to {most}."
    help = "Say how many play the test (`players: {most}`), or leave the line out."
    explanation = """
        A test is played by as many players as the game is for at most, unless it says how many: `players: 2` beside
        `use mission NAME` or the map.
        """
    bad = """
        system duel "Duel":
          players: 2..3
        test "t":
          map hex:
            art: |
              . .
          players: 4
          expect player#2 is player#2
        """
    good = """
        system duel "Duel":
          players: 2..3
        test "t":
          map hex:
            art: |
              . .
          players: 2
          expect player#2 is player#2
        """


class NothingToCarry(Diagnostic):
    code = "FCB0618"
    title = "Nothing to carry over"
    cause = "Only from one part of a campaign to the next is anything carried over: this test plays no campaign."
    help = "Let the test say `use campaign NAME`."
    explanation = """
        A step of a campaign, like a mission in it, begins in a fresh world that knows nothing but what is kept.
        `carry over` begins one in a test of a campaign, so that it can look at what is kept and what is not.
        """
    bad = """
        kind hero is piece:
          stat fame: number 0.., kept
        hero bo "Bo"
        test "Fame stays":
          map hex:
            art: |
              .
          given bo's fame = 2
          carry over
          expect bo's fame = 2
        """
    good = """
        kind hero is piece:
          stat fame: number 0.., kept
        hero bo "Bo"
        campaign road "The Road"
        journey:
          win "Home."
        test "Fame stays":
          use campaign road
          given bo's fame = 2
          carry over
          expect bo's fame = 2
        """


class OfAnotherTest(Diagnostic):
    code = "FCB0608"
    title = "Declared in another file of tests"
    cause = "`{name}` is declared in {file}: it is no part of this test's world."
    help = "Declare what several files of tests need in the content of the project, or each its own."
    explanation = """
        What a file of tests declares enters the world of its own tests alone: its cards lie in no deck of another test,
        its actions are offered in none. Words (verbs, relations, measures) may be shared.
        """
    bad = ""
    good = 'kind hero is piece:\n  field might: number\nhero bo "Bo":\n  might: 1\ntest "t":\n  expect bo\'s might = 1'


class NobodyActs(Diagnostic):
    code = "FCB0609"
    title = "Step of a test in which nobody is `self`"
    cause = "This speaks of `self` (`{name}`), and the test does not say who that is."
    help = "Say who acts: `as PIECE: do …`. What is only looked at has no `self`."
    explanation = """
        A form sees its caller's `self`. In a test there is none; relations of nothing are false and its measures 0:
        such a step would do next to nothing, and what follows it would hold for no reason.
        """
    bad = """
        kind hero is piece:
          stat HP: number 0.., starts 3
        hero bo "Bo":
          copies: 1
        verb rest:
          effect: self's HP +1
        test "t":
          map hex:
            art: |
              . .
          given bo at A1
          do rest
        """
    good = """
        kind hero is piece:
          stat HP: number 0.., starts 3
        hero bo "Bo":
          copies: 1
        verb rest:
          effect: self's HP +1
        test "t":
          map hex:
            art: |
              . .
          given bo at A1
          as bo: do rest
        """


class FaultOfNothing(Diagnostic):
    code = "FCB0612"
    title = "Fault without a step"
    cause = "No step that can stop with a fault comes before `expect fault`."
    help = "Write `expect fault` right after the `given`, `do`, `play`, `answer`, `decline` or `lot:` that must stop."
    explanation = """
A fault ends the game. `expect fault` looks at the step directly before it. No other step can fail unnoticed.
"""
    bad = 'test "t":\n  expect 1 = 1\n  expect fault'
    good = """
        kind hero is piece:
          stat HP: number 0.., starts 3
        hero bo "Bo":
          copies: 1
        verb share:
          takes: parts (number)
          effect: bo's HP becomes 6 / parts
        test "t":
          map hex:
            art: |
              . .
          given bo at A1
          do share 0
          expect fault
        """


class NothingIsSelf(Diagnostic):
    code = "FCB0620"
    severity = "warning"
    title = "No `self` here"
    cause = "Nothing is `self` in these lines, but `{name}` uses it."
    help = "Name the thing in an argument, or call `{name}` from an action or an effect of the thing that acts."
    explanation = """
        A form sees the `self` of its caller. Set-up, flow, journey, rules and invariants belong to no thing, so `self`
        is nothing there: an effect on it does nothing, and its values are 0. A parameter with `default self` needs an
        argument in these lines.
        """
    bad = """
        kind hero is piece:
          stat HP: number 0.., starts 3
        hero bo "Bo"
        verb rest:
          takes: who (hero, default self)
          effect: who's HP +1
        flow: rest
        """
    good = """
        kind hero is piece:
          stat HP: number 0.., starts 3
        hero bo "Bo"
        verb rest:
          takes: who (hero, default self)
          effect: who's HP +1
        flow:
          for each hero: rest hero
        """


class NeverPlaced(Diagnostic):
    code = "FCB0621"
    title = "Place of a thing that is never on a map"
    cause = "`{name}` has no place: {kind:a} is never on a map."
    help = "Name the figure whose place you want."
    explanation = """
        In an effect or a formula of a mission, `self` is the mission. Only pieces and other things on the map have a
        place.
        """
    bad = """
        kind foe is piece
        kind mission:
          field skull: formula
        foe wolf "Wolf"
        mission m "M":
          skull: number of (foe on self's place)
        """
    good = """
        kind foe is piece
        kind mission:
          field skull: formula
        foe wolf "Wolf"
        mission m "M":
          skull: number of (foe on board)
        """

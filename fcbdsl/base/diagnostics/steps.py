"""Mistakes in content tests."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class UnknownStep(Diagnostic):
    code = "FCB0601"
    title = "Unknown step of a test"
    cause = "`{word}` does not begin a step of a test."
    help = "Begin the step with given, dice, lot, play, do, answer, decline, refuse, expect or `as PLAYER:`."
    explanation = """
        `use mission NAME` or `map …:` gives the test a board. Then `given` prepares the game, `play`, `do` and `answer`
        play it, and `expect` checks the result.
    """
    bad = 'test "nothing":\n  hope 1 = 1'
    good = 'test "nothing":\n  expect 1 = 1'


class UnknownAction(Diagnostic):
    code = "FCB0602"
    title = "Unknown action"
    cause = "No action has the words `{words}`."
    help = "Write the actor, then the `form:` of the action, then the answers to its questions. Actions: {known}."
    explanation = """
        `play bo sings` plays the action whose form is `sings`.
    """
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
          map hex:
            art: |
              . .
          given bo at A1
          play bo sings
          expect bo is on A1
        """


class NoPlaceToPlay(Diagnostic):
    code = "FCB0603"
    title = "Test without a board"
    cause = "This step needs a board, but the test has no map and no mission."
    help = "Write `map …:` or `use mission NAME` at the beginning of the test."
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
          expect bo is on A1
        """


class UnknownScriptedFace(Diagnostic):
    code = "FCB0604"
    title = "Unknown face of a die in a test"
    cause = "No die has the face `{name}`."
    help = "Write the symbols or numbers of faces, in the order of the rolls: `dice: heads, tails`."
    explanation = """
        The `dice:` lines of a test set the results of its rolls.
    """
    bad = 'die coin:\n  faces: heads 1, tails 1\ntest "t":\n  dice: edge'
    good = 'die coin:\n  faces: heads 1, tails 1\ntest "t":\n  dice: heads\n  expect no question'


class NoZoneFor(Diagnostic):
    code = "FCB0605"
    title = "Missing zone for a card"
    cause = "{kind:A} has no zone for {held:a}."
    help = "Add `zone NAME of {held}: any` to `kind {kind}`."
    explanation = """
        `given PIECE at SPACE with CARD` puts the card into a zone of the piece.
    """
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
          expect oak#1 in clubs of bo
        """


class FaceOfAnotherDie(Diagnostic):
    code = "FCB0606"
    title = "Face of another die in a test"
    cause = "The die `{die}` has no face `{face}`."
    help = "Write a face of `{die}`, or leave out the name of the die."
    explanation = """
        Without a name, a face in a `dice:` line counts for the next die that has it.
    """
    bad = 'die coin:\n  faces: heads 1, tails 1\ndie d6:\n  faces: 1..6\ntest "t":\n  dice: coin 4'
    good = """
        die coin:
          faces: heads 1, tails 1
        die d6:
          faces: 1..6
        test "t":
          dice: coin heads, d6 4
          expect no question
        """


class NoSeatLeft(Diagnostic):
    code = "FCB0607"
    title = "More figures than players"
    cause = "Each of the {players} players already has a figure, so nobody can play `{name}`."
    help = "Name the player of this one, too: `given {name} at A1 for player 1`."
    explanation = """
        With `played: one each`, each player has one figure. A test gives them out in order: the first to player 1, the
        second to player 2.
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
          expect bo#2 is on B1
        """


class NotSoManyPlayers(Diagnostic):
    code = "FCB0619"
    title = "Too many or too few players"
    cause = "{what} is for {counts}, not for {players}."
    help = "Write `players: {most}`, or remove the line."
    explanation = """
        Without a `players:` line, a test has the highest number of players that its mission allows, or else its game.
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
    title = "Use of `carry over` outside a campaign"
    cause = "This test plays no campaign, so `carry over` has nothing to keep."
    help = "Write `use campaign NAME` in the test."
    explanation = """
        Each part of a campaign begins a new game that only has the kept values. `carry over` begins the next part in a
        test, so that the test can check them.
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
    title = "Name from another file of tests"
    cause = "`{name}` is declared in {file}, so this test cannot use it."
    help = "Move the declaration to a file of cards or missions, or repeat it in this file."
    explanation = """
        The cards and actions of a test file exist in its own tests only. Verbs, relations and measures can be shared.
    """
    bad = ""
    good = 'kind hero is piece:\n  field might: number\nhero bo "Bo":\n  might: 1\ntest "t":\n  expect bo\'s might = 1'


class NobodyActs(Diagnostic):
    code = "FCB0609"
    title = "Test step without `self`"
    cause = "`{name}` uses `self`, but this step does not say who acts."
    help = "Write who acts: `as PIECE: do …`. Write conditions without `self`."
    explanation = """
        In an effect, `self` is the card or piece with that effect. A test step has none, so the step would do almost
        nothing.
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
          expect bo's HP = 4
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
          expect bo's HP = 4
        """


class FaultOfNothing(Diagnostic):
    code = "FCB0612"
    title = "Fault expected without a step before it"
    cause = "There is no step before `expect fault` that could stop with an error."
    help = "Write `expect fault` right after the `given`, `do`, `play`, `answer`, `decline` or `lot:` that must stop."
    explanation = """
        A fault is a runtime error: it ends the game. `expect fault` checks the step before it, and any other fault
        fails the test.
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


class BrokenTitle(Diagnostic):
    code = "FCB0613"
    title = "Line break in the title of a test"
    cause = "The title of this test has a line break."
    help = "Write the title on one line, without `\\n`."
    explanation = """
        Reports and lists show a test by its title, on one line.
    """
    bad = 'test "Two\\nlines":\n  expect 1 = 1'
    good = 'test "One line":\n  expect 1 = 1'


class ExpectsNothing(Diagnostic):
    code = "FCB0614"
    severity = "warning"
    title = "Test without an expectation"
    cause = "The test `{title}` expects nothing."
    help = "Add a line that checks the result, such as `expect CONDITION`, `expect win` or `refuse ACTION`."
    explanation = """
        Steps such as `given`, `do` and `play` only bring the game into a state. A test checks something by `expect` and
        `refuse`. Without one of them it passes whatever the game does.
    """
    bad = """
        kind hero is piece:
          stat HP: number 0..5
        hero bo "Bo"
        test "Bo rests":
          map square:
            art: |
              +--+
              |. |
              +--+
          given bo at A1
          do bo's HP becomes 3
        """
    good = """
        kind hero is piece:
          stat HP: number 0..5
        hero bo "Bo"
        test "Bo rests":
          map square:
            art: |
              +--+
              |. |
              +--+
          given bo at A1
          do bo's HP becomes 3
          expect bo's HP = 3
        """


class NothingIsSelf(Diagnostic):
    code = "FCB0620"
    severity = "warning"
    title = "Effect without `self`"
    cause = "`{name}` uses `self`, but these lines belong to no piece or card."
    help = "Give `{name}` an argument, or use it in an action or in the effect of a piece or card."
    explanation = """
        The setup, the flow, rules and invariants have no `self`. An effect on it does nothing there, and its values are
        0. A parameter with `default self` needs an argument.
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
    title = "Place of a thing that is not on the map"
    cause = "`{name}` has no place, because {kind:a} is never on a map."
    help = "Name the piece whose place you want."
    explanation = """
        In an effect or formula of a mission, `self` is the mission. Only pieces and other things on the map have a
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

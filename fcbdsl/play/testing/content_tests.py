"""Runs the tests written in content. Each is played twice: the second time with a save and a load at every decision.

A test is a staged game: dice come from the script, shuffles keep their order, and every choice is asked, so that the
test states all of them. A step's references answer the questions that its effect raises. A question that is open at the
next action, or at the end of the test, fails it: declining needs an explicit step. Expectations change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import limits, loading, setup
from fcbdsl.machine.vm.carry_over import carry_over, give
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.ops.asking import by_chance
from fcbdsl.machine.vm.program import Read, Step
from fcbdsl.machine.vm.teams import EVERYBODY, deciding_seats
from fcbdsl.machine.vm.world import (
    ACTION,
    DICE_SCRIPTED,
    DONE,
    ENDINGS,
    L_EVENT,
    L_ROLL,
    LISTENER,
    NONE,
    OPENING,
    ORDER_KEPT,
    RANDOM_ASKED,
    SINGLES_ASKED,
    TAGS,
    Ask,
    Option,
)
from fcbdsl.play.session.log_text import given, placed_happenings
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.view import View
from fcbdsl.play.testing.references import Referee, Reference

SCRIPTED = RANDOM_ASKED | ORDER_KEPT | DICE_SCRIPTED | SINGLES_ASKED
ACTING = ("dice", "given", "do", "opening", "play", "answer", "lot", "decline", "carry")
"""Steps that change the game; all others are expectations."""
MOST_TOLD = 16
"""Most lines of the log that a failure shows."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure: where (a span of the program), the expectation, the observation, and the position in lines.

    `looked`: it failed at an expectation, and not by a fault; or another die was rolled than the one it names.
    """

    span: int
    expected: str
    seen: str
    notes: tuple[str, ...] = ()
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a test of the program."""

    number: int
    title: str
    covers: tuple[str, ...]
    decisions: int
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Mend:
    """A line to add before a step (its span; -1: at the end of the test), so that the test states its decision."""

    span: int
    text: str


class Unmet(Exception):
    """A step that does not go as written. It becomes the test's `Failure`; `span`: at another step than this.

    `looked`: whether it may be a failed expectation.
    """

    def __init__(
        self, expected: str, seen: str, span: int = -1, notes: Sequence[str] = (), looked: bool = True
    ) -> None:
        super().__init__(f"{expected}; {seen}")
        self.expected = expected
        self.seen = seen
        self.span = span
        self.notes = tuple(notes)
        self.looked = looked


class NotOffered(Unmet):
    """The action of a step is not on offer."""


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """A reference of a step, and the question that it answers by name (""): any."""

    reference: Reference
    question: str = ""


def run_test(
    image: Image,
    number: int,
    *,
    once: bool = False,
    most: int | None = None,
    seen: Callable[[Game], object] = lambda game: None,
    steps: Sequence[Step] | None = None,
) -> Result:
    """Run a test of the image's program by its number.

    `once`: do not play it again with saves and loads. `most`: it fails if it takes more decisions. `seen` is called
    with the game after setup and at the end. `steps`: only these of its steps are taken.
    """
    test = image.program.tests[number]
    first = _Staging(image, number, most=most, steps=steps)
    seen(first.game)
    failure = first.play()
    seen(first.game)
    if failure is None and not once:
        failure = _Staging(image, number, first.digests, steps=steps).play()
    return Result(number, test.title, test.covers, len(first.digests), failure)


def position_in(image: Image, number: int, decisions: int | None = None) -> tuple[Game, int, Failure | None]:
    """Play a test of the image's program up to a number of decisions (None: to its end).

    Return the game at that point, the number of decisions, and the failure before it, if any.
    """
    staging = _Staging(image, number, most=decisions)
    failure = staging.play()
    stopped = decisions is not None and len(staging.digests) == decisions
    return staging.game, len(staging.digests), None if stopped else failure


def mend_test(image: Image, number: int) -> tuple[list[Mend], Failure | None]:
    """Return the `decline` lines that an older test lacks, where open questions used to be declined implicitly.

    Return also the failure that remains with them, if any.
    """
    mends: list[Mend] = []
    failure = _Staging(image, number, mends=mends).play()
    return mends, failure


class _Staging:
    """One playing of a test. `known`: the states at each decision of an earlier playing, which must be the same.

    `mends`: a list for missing `decline` steps, which then do not fail the test. `most`: the most decisions.
    """

    def __init__(
        self,
        image: Image,
        number: int,
        known_names: list[str] | None = None,
        mends: list[Mend] | None = None,
        most: int | None = None,
        steps: Sequence[Step] | None = None,
    ) -> None:
        self.image = image
        self.number = number
        self.most = most
        self.steps = image.program.tests[number].steps if steps is None else steps
        self.names = Names(image)
        self._view: View | None = None
        self.referee = Referee(image)
        self.known = known_names
        self.mends = mends
        self.digests: list[str] = []
        self.alone: list[Option] = []
        """Options that were taken as the only ones of their question, since the last step that acted."""
        self.asked: list[Option] = []
        """Options of all questions that a step met."""
        self.answered: list[str] = []
        """The answers since the last step that acted, in words."""
        self.scripted: list[tuple[int, int]] = []
        """Each step of dice (its span), and the number of dice scripted up to it."""
        self.colours: list[int] = []
        """The die of each scripted face, or -1."""
        self.begun = 0
        """The length of the log when the last step that acted began."""
        self.played: tuple[int, Game] | None = None
        """The span of the last play and the game before it, until the check that it changed something."""
        self.game = setup.stage(image, number)
        self.game.script((), SCRIPTED)

    @property
    def view(self) -> View:
        """Return the view of the world, made on demand: few tests need it."""
        if self._view is None:
            self._view = View(self.image)
        return self._view

    def play(self) -> Failure | None:
        """Take every step; return the first failure."""
        for number, step in enumerate(self.steps, 1):
            try:
                self._step(step)
                if step is self.steps[-1]:
                    self._settled("the end of the test", -1)
                    self._effective()
            except Unmet as unmet:
                after = self.steps[number].sort if number < len(self.steps) else ""
                if after != "fault" or self.game.world.fault is None:
                    return self._failure(step, unmet)
                self.played = None
        unrolled = self._unrolled() if self.game.world.fault is None else None
        return self._miscoloured() or unrolled

    def _failure(self, step: Step, unmet: Unmet) -> Failure:
        wrong_die = self._miscoloured()
        if wrong_die is not None:
            return wrong_die
        span = step.span if unmet.span < 0 else unmet.span
        looked = unmet.looked and step.sort not in ACTING and (self.game.world.fault is None or step.sort == "fault")
        return Failure(span, unmet.expected, unmet.seen, (*unmet.notes, *self._circumstances()), looked)

    def _unrolled(self) -> Failure | None:
        """Return a failure if scripted dice were not rolled: such a test does not play as written."""
        left = len(self.game.world.script)
        if not left:
            return None
        rolled = self.scripted[-1][1] - left
        span = next(span for span, until in self.scripted if until > rolled)
        return Failure(span, "every given die result is rolled", f"{left} left over of {self.scripted[-1][1]}")

    def _miscoloured(self) -> Failure | None:
        """Return a scripted face of one die that another die showed."""
        if all(die < 0 for die in self.colours):
            return None
        dice = self.image.program.dice
        rolls = [node.data for node in self.game.world.history() if node.what == L_ROLL]
        rolled = [die for die, _ in rolls if len(dice[die].values) > 1]
        for place, (meant, die) in enumerate(zip(self.colours, rolled, strict=False)):
            if meant not in (-1, die):
                span = next(span for span, until in self.scripted if until > place)
                names = [self.names.value(self.game, "die", number) for number in (meant, die)]
                return Failure(
                    span, f"die {place + 1} is the {names[0]} die", f"the {names[1]} die was rolled", looked=True
                )
        return None

    def _step(self, step: Step) -> None:
        if self.game.world.outcome and step.sort in ("given", "do", "opening", "play", "refuse", "carry"):
            raise Unmet("a game that is not over yet", self.view.outcome(self.game))
        if self.mends is not None and step.sort in ("expect", "outcome"):
            self._settled("an expectation", step.span)
        match step.sort:
            case "dice":
                before = self.scripted[-1][1] if self.scripted else 0
                self.scripted.append((step.span, before + len(step.values)))
                self.colours += step.dice
                self.game.script(step.values)
            case "given" | "do" | "opening":
                self._settled(f"`{'do' if step.sort == 'opening' else step.sort}`", step.span)
                self._act()
                if step.sort == "opening":
                    self.game.world.flags |= OPENING
                if step.code >= 0:
                    who = self.game.test(step.who) if step.who >= 0 else -1
                    self.game.begin(step.code, who, self.game.world.mission)
                self._advance([])
            case "carry":
                self._settled("`carry over`", step.span)
                self._act()
                self._carry_over()
            case "play":
                self._play(step)
            case "answer" | "lot":
                self._answers(step)
            case "decline":
                self._declines(step)
            case "refuse":
                self._refuse(step)
            case "expect":
                self._expect(step)
            case "outcome":
                self._ended(step)
            case "counted":
                self._counts(step)
            case "known" | "unknown":
                self._may_know(step)
            case "told" | "untold":
                self._check_log(step)
            case "happened":
                self._happened(step)
            case "fault":
                self._faulted(step)
            case "unchanged":
                self._nothing_changed()
            case "faces":
                self._faces(step)
            case _:
                self._look(step)

    def _ended(self, step: Step) -> None:
        """Check how the game ended; for a player or team, if the step names one."""
        world = self.game.world
        side = self.game.test(step.who) if step.who >= 0 else -1
        named = [answer.reference[1] for answer in self._references(step)]
        is_whose = step.who < 0 or side in (world.side, *world.others)
        if world.outcome_name() == step.words[0] and is_whose and (not named or world.ending in named):
            return
        whose = [side] if side >= 0 else []
        titles = ", ".join(self.names.thing(self.game, thing) for thing in [*whose, *named])
        wanted = f"{step.words[0]} ({titles})" if titles else step.words[0]
        raise Unmet(f"the game ends with: {wanted}", self.view.outcome(self.game))

    def _check_log(self, step: Step) -> None:
        """Check whether the log of the last acting step shows a player a line with a text."""
        view, who = self._onlooker(step)
        lines = [line for line, _ in placed_happenings(view, self.game, self.begun)]
        shown = any(step.words[0].casefold() in line.casefold() for line in lines)
        if shown != (step.sort == "told"):
            name = self.names.player(self.game, who)
            wish = f"{name} is {'' if step.sort == 'told' else 'not '}told “{step.words[0]}”"
            raise Unmet(wish, f"shown is: {'; '.join(lines[-MOST_TOLD:]) or 'nothing'}")

    def _happened(self, step: Step) -> None:
        """Check that these events happened in this order in the last step that acts."""
        values = [scripted.reference[1] for scripted in self._references(step)]
        wanted: list[tuple[str, dict[int, int]]] = [(name, {}) for name in step.words]
        for at, value in enumerate(values):
            number, param = step.values[2 * at : 2 * at + 2]
            wanted[number][1][param] = value
        rows = self.image.program.events
        entries = [
            (rows[node.data[0]].name, given(rows[node.data[0]], node.data))
            for node in self.game.world.history(self.begun)
            if node.what == L_EVENT
        ]
        left = iter(entries)
        for number, (name, params) in enumerate(wanted):
            if not any(name == met and all(had[at] == (value,) for at, value in params.items()) for met, had in left):
                after = f" after `{wanted[number - 1][0]}`" if number else ""
                met_names = dict.fromkeys(met for met, _ in entries)
                raise Unmet(f"`{name}` happens{after}", f"what happened: {', '.join(met_names) or 'nothing'}")

    def _faulted(self, step: Step) -> None:
        """Check that the step before stopped with a fault, whose message contains the given text, if any."""
        fault = self.game.world.fault
        if fault is None:
            raise Unmet("the step stops with a fault", "it came to its end")
        if step.words and step.words[0].casefold() not in fault.reason.casefold():
            raise Unmet(f"the fault says “{step.words[0]}”", fault.reason)

    def _faces(self, step: Step) -> None:
        """Check that a die has exactly these faces, with these counts."""
        die = step.dice[0]
        shown = sorted(self.image.program.dice[die].values)
        if sorted(step.values) != shown:
            tag = "number" if self.image.program.dice[die].numbered else "face"
            counts = [f"{self.names.value(self.game, tag, face)} {shown.count(face)}" for face in dict.fromkeys(shown)]
            raise Unmet("the die has these faces", f"it has {', '.join(counts)}")

    def _carry_over(self) -> None:
        """Begin the next part of a campaign: a game at its start, with the data that this one keeps."""
        before, carried = self.game.world, carry_over(self.game)
        self.game = setup.stage(self.image, self.number)
        give(self.game, carried)
        self.game.world.log, self.game.world.happened = before.log, before.happened
        self.game.script(tuple(before.script), SCRIPTED)
        self.begun = self.game.world.happened

    def _act(self) -> None:
        """Begin a step that acts, after checking the one before it."""
        self.game.world.flags &= ~OPENING
        self._effective()
        self.alone.clear()
        self.answered.clear()
        self.begun = self.game.world.happened

    # ── questions ──────────────────────────────────────────────────────────────────────────────

    def _advance(self, bag: list[ScriptedAnswer]) -> None:
        """Run while the bag's references answer the questions.

        The only option of a question is taken without an answer. It uses up the next reference if that names it.
        """
        while (ask := self._run()) is not None:
            self.asked += ask.options
            if len(ask.options) > 1 or any(
                scripted.question == self._called(ask) for scripted in bag if scripted.question
            ):
                if not self._take(ask, bag, bag):
                    return
            elif not self._take(ask, bag[:1], bag):
                self.alone.append(ask.options[0])
                self.answered.append(f"{self._asks(ask)}: only {self.names.option(self.game, ask.options[0])}")
                self._choose(0)

    def _take(self, ask: Ask, may: Sequence[ScriptedAnswer], bag: list[ScriptedAnswer]) -> bool:
        """Answer the question by the first reference that may do so, and remove it from the bag. Return False if none
        does."""
        may = [scripted for scripted in may if scripted.question in ("", self._called(ask))]
        match_found = self.referee.find(ask.options, [scripted.reference for scripted in may])
        if match_found is None:
            return False
        scripted = may[match_found.reference]
        bag.remove(scripted)
        self.answered.append(f"{self._asks(ask)}: {self._name(scripted.reference)}")
        self._choose(match_found.option)
        return True

    def _called(self, ask: Ask) -> str:
        """Return the name of a question: that of the local to which it gives a value."""
        return self.image.program.texts[ask.why].get("en", "") if ask.why >= 0 else ""

    def _asks(self, ask: Ask) -> str:
        return f"`{self._called(ask)}`" if self._called(ask) else f"a question ({ask.kind})"

    def _run(self) -> Ask | None:
        ask = self.game.run()
        if ask is None and self.game.world.flags & OPENING and not self.game.world.outcome:
            self.game.world.flags &= ~OPENING  # listeners whose condition became true during setup run now
            self.game.has_new_changes = self.game.hears_changes
            ask = self.game.run()
        if self.game.world.fault is not None:
            raise Unmet("the effect runs to its end", self.view.outcome(self.game))
        return ask

    def _choose(self, index: int) -> None:
        """Take an option; in the second playing, from a game that has been saved and loaded."""
        if self.most is not None and len(self.digests) >= self.most:
            raise Unmet("the test ends", f"more than {self.most} decisions")
        before = self.game
        if self.known is not None:
            self.game = loading.load_game(self.image, json.loads(json.dumps(before.save())))
        digest = self.game.digest()
        if self.known is not None and self.known[len(self.digests) : len(self.digests) + 1] != [digest]:
            same = before.digest() == digest
            when = "when the test is played again" if same else "after saving and loading"
            raise Unmet(f"the same state {when}", f"another one at {self._question()}")
        self.digests.append(digest)
        self.game.answer(index)

    def _question(self) -> str:
        """Return the pending question with its options."""
        ask = self.game.world.ask
        if ask is None:
            return "no question"
        asked = self.view.question(self.game, ask).split("\n", maxsplit=1)[0]
        called = f" (`{self._called(ask)}`)" if self._called(ask) else ""
        return f"{asked}{called} Options: {'; '.join(self.view.options(self.game, ask))}"

    def _pending(self) -> Ask:
        ask = self.game.world.ask
        if ask is None:
            raise Unmet("a question", "none is asked")
        return ask

    def _settled(self, where: str, span: int) -> None:
        """Check that no question is open at a step that acts (`where`, its `span`)."""
        while (ask := self.game.world.ask) is not None:
            way_out = _way_out(ask.options)
            if self.mends is None or way_out < 0:
                wish = f"an answer to the open question, or `decline`, before {where}"
                raise Unmet(wish, self._question(), looked=False)
            self.mends.append(Mend(span, self._declined(ask)))
            self._choose(way_out)
            self._advance([])

    def _declined(self, ask: Ask) -> str:
        """Return the step that declines a question, naming what is offered if that has plain names."""
        names = list(dict.fromkeys(self._source_name(option) for option in ask.options[:-1]))
        return "decline" + (f" {', '.join(names)}" if all(names) and len(names) <= 3 else "")

    def _source_name(self, option: Option) -> str:
        """Return an option as a test names it; empty if it has no plain name."""
        thing = option[3] if option[0] == LISTENER else option[1] if TAGS[option[0]] == "thing" else -1
        layout = self.image.layout
        if thing < 0:
            return ""
        if layout.spaces_low <= thing < layout.spaces_high:
            return self.names.thing(self.game, thing)
        number = layout.definition_of[thing]
        if number < 0 or layout.parts[layout.kind_of[thing]]:
            return ""
        id_ = self.image.program.definitions[number].id
        low, high = layout.range_of("piece")
        return f"{id_}#{self.names.copy(thing)}" if low <= thing < high and layout.instances[number] > 1 else id_

    def _asked_of(self, step: Step, ask: Ask) -> None:
        """Check that the question is for the player or team that the step names, if it names one."""
        if step.who < 0:
            return
        if step.sort == "asks" and by_chance(self.game):
            raise Unmet("a player is asked", f"chance decides: {self._question()}")
        thing = self.game.test(step.who)
        who = self.game.controller(thing) if thing >= 0 else EVERYBODY
        if thing >= 0 and who == EVERYBODY:
            raise Unmet("somebody who decides", f"{self.names.thing(self.game, thing)} belongs to no player")
        if who != ask.who:
            raise Unmet(f"{self.names.player(self.game, who)} is asked", self._question())

    def _answers(self, step: Step) -> None:
        """Answer the questions by the references in order; one may name an option that was the only one."""
        for scripted in self._references(step):
            ask = self.game.world.ask
            if step.sort == "lot" and not by_chance(self.game):
                raise Unmet(f"chance draws {self._name(scripted.reference)}", self._question())
            alone = self.referee.find(tuple(self.alone), [scripted.reference])
            if ask is not None and self.referee.find(ask.options, [scripted.reference]) is not None:
                self._asked_of(step, ask)
                if not self._take(ask, [scripted], [scripted]):
                    raise Unmet(
                        f"a question called `{scripted.question}`", self._question(), notes=self._answers_so_far()
                    )
                self._advance([])
            elif alone is not None:
                del self.alone[alone.option]
            else:
                raise self._unanswerable(scripted)

    def _unanswerable(self, scripted: ScriptedAnswer) -> Unmet:
        called = f" called `{scripted.question}`" if scripted.question else ""
        wanted = f"a question{called} that {self._name(scripted.reference)} answers"
        notes = [*self._answers_so_far(), *self._why_silent(scripted.reference)]
        return Unmet(wanted, self._question(), notes=notes)

    def _answers_so_far(self) -> list[str]:
        return ["Answered so far:", *(f"  {line}" for line in self.answered)] if self.answered else []

    def _declines(self, step: Step) -> None:
        """Decline the pending question; things that the step names must be among its options."""
        ask = self._pending()
        self._asked_of(step, ask)
        for scripted in self._references(step):
            if self.referee.find(ask.options, [scripted.reference]) is None:
                raise Unmet(f"{self._name(scripted.reference)} is offered", self._question())
        way_out = _way_out(ask.options)
        if way_out < 0:
            raise Unmet("a question that may be declined", self._question())
        self.answered.append(f"{self._asks(ask)}: declined")
        self._choose(way_out)
        self._advance([])

    # ── actions ────────────────────────────────────────────────────────────────────────────────

    def _play(self, step: Step) -> None:
        """Take an action; the references answer its questions, all of them."""
        if self.game.world.ask is not None and self.game.world.ask.kind != "action":
            self._settled("`play`", step.span)
        (actor, *bag) = self._references(step)
        self._act()
        before = self.game.clone()
        try:
            self._begin(step, actor.reference[1], bag)
        except NotOffered:
            if self.mends is None or self.game.world.ask is None:
                raise
            self._settled("`play`", step.span)
            self._begin(step, actor.reference[1], bag)
        self.played = (step.span, before)
        self._advance(bag)
        for scripted in self._unnamed(bag):
            raise self._unanswerable(scripted)

    def _unnamed(self, bag: list[ScriptedAnswer]) -> list[ScriptedAnswer]:
        """Return a bag without the references to options that were the only ones of their question."""
        left = []
        alone = self.alone[:]
        for scripted in bag:
            named_option = self.referee.find(tuple(alone), [scripted.reference]) if not scripted.question else None
            if named_option is None:
                left.append(scripted)
            else:
                del alone[named_option.option]
        return left

    def _begin(self, step: Step, actor: int, bag: list[ScriptedAnswer]) -> None:
        """Take the action where it is offered: in the pending question, or at will if no question is pending."""
        ask = self.game.world.ask
        offered = ask.options if ask is not None else tuple(self.game.actions((actor,)))
        chosen = self._action(offered, step.words, actor, bag)
        if chosen < 0:
            shown = "; ".join(self.names.options(self.game, offered)) or "nothing"
            raise NotOffered("the action is offered", f"offered is: {shown}", notes=self._why_not(step.words, actor))
        if ask is not None:
            self._choose(chosen)
        else:
            self.game.begin_action(offered[chosen])

    def _why_not(self, words: tuple[str, ...], actor: int) -> list[str]:
        """Return the unmet requirements of an action that is not offered, with their lines."""
        image, out = self.image, []
        for action in image.program.actions:
            if action.words != words:
                continue
            failed = [require for require in action.requires if not self.game.test(require.code, actor)]
            used = not limits.is_free(self.game, action.limit, actor, -1)
            lacks = [(f"`{requirement.text}`", requirement.span) for requirement in failed[:1]] or [
                ("its limit, which is used up", action.span)
            ] * used
            title = self.names.text(action.title, action.name)
            for what, span in lacks:
                out.append(f"{title} lacks {what} ({self.names.place(span)})")
        return out

    def _why_silent(self, reference: Reference) -> list[str]:
        """Return why a card that could answer events is not offered, as far as that does not depend on the event."""
        image, game = self.image, self.game
        tag, thing = reference
        if tag != "thing" or not 0 <= thing < image.layout.things:
            return []
        name = self.names.thing(game, thing)
        self_, this = game.selves(thing)
        out = []
        for row in image.program.listeners:
            if (
                row.offered
                and row.scope in ("kind", "definition")
                and thing in range(*image.scope_range(row.scope, row.owner))
            ):
                if not game.world.live[thing]:
                    why = "it is not in play, or no player has it"
                elif not limits.is_free(game, row.limit, self_, this):
                    why = "its limit is used up"
                elif row.usable >= 0 and not game.test(row.usable, self_, this):
                    why = "it is not usable"
                else:
                    why = "it answers no event that has happened, or its effect could not begin"
                out.append(f"{name}: {why} ({self.names.place(row.span)})")
        return out

    def _action(
        self, offered: tuple[Option, ...], words: tuple[str, ...], actor: int, bag: list[ScriptedAnswer]
    ) -> int:
        """Return the option that is the actor's action of those words, with the subject named in the bag; -1 if none
        is.

        A subject that is not named is fine if only one fits and the bag names none that the words take.
        """
        actions = self.image.program.actions
        rows = [
            (index, option[3])
            for index, option in enumerate(offered)
            if option[0] == ACTION and option[2] == actor and (not words or actions[option[1]].words == words)
        ]
        references = [scripted.reference for scripted in bag]
        subject = self.referee.subject([this for _, this in rows], references)
        if subject is not None:
            del bag[subject.reference]
            return rows[subject.option][0]
        meant = [action for action in actions if action.words == words] if words else []
        if len(rows) != 1 or self.referee.names_subject(meant, references):
            return -1
        return rows[0][0]

    def _refuse(self, step: Step) -> None:
        """Check that the action is not offered, or not with these references. A die that it would roll is not
        scripted."""
        ask = self.game.world.ask
        if ask is not None and ask.kind != "action":
            if self.mends is None:
                raise Unmet("no open question (`expect not offered` looks at one)", self._question())
            self._settled("`refuse`", step.span)
        (actor, *bag) = self._references(step)
        self._here(step, (actor, *bag))
        state = self.game, self.digests, self.known, self.alone, self.asked, self.answered
        self.game, self.digests, self.known, self.alone = self.game.clone(), [], None, []
        self.asked, self.answered = [], []
        try:
            self._begin(step, actor.reference[1], bag)
            self._advance(bag)
            bag = self._unnamed(bag)
        except NotOffered:
            return
        except Unmet:
            if self.game.world.fault is None:
                raise
        finally:
            asked = self.asked
            self.game, self.digests, self.known, self.alone, self.asked, self.answered = state
        if not bag:
            raise Unmet("the action is not offered", "it can be taken with these references")
        astray = [scripted.reference for scripted in bag if not self.referee.fits(asked, scripted.reference)]
        if astray:
            shown = "; ".join(dict.fromkeys(self.names.options(self.game, asked))) or "nothing"
            raise Unmet(f"a question of the sort that {self._name(astray[0])} answers", f"asked for is: {shown}")

    def _here(self, step: Step, scripted: Sequence[ScriptedAnswer]) -> None:
        """Check that things of a `refuse` are in play, unless it has ``out of play``: their absence alone would refuse
        it."""
        things = [answer.reference[1] for answer in scripted if answer.reference[0] == "thing"]
        absent = [thing for thing in things if not self._is_there(thing)]
        if absent and not step.absent:
            name = self.names.thing(self.game, absent[0])
            raise Unmet("what is refused is there (else add `out of play`)", f"{name} is not in play")
        if step.absent and not absent:
            raise Unmet("something that is out of play", "all of it is in play")

    def _is_there(self, thing: int) -> bool:
        return 0 <= thing < self.image.layout.things and self.game.in_play(thing)

    # ── whether something changed ──────────────────────────────────────────────────────────────

    def _effective(self) -> None:
        """Check that the last play changed something, unless no change was expected."""
        if self.played is None:
            return
        span, before = self.played
        self.played = None
        if _same(before, self.game):
            wish = "the play changes something (else write `expect no change`)"
            raise Unmet(wish, "nothing has changed", span, self._answers_so_far(), looked=False)

    def _nothing_changed(self) -> None:
        if self.played is None:
            raise Unmet("a play before `expect no change`", "none")
        _, before = self.played
        self.played = None
        if not _same(before, self.game):
            raise Unmet("nothing has changed since the play", "something has")

    # ── looking ────────────────────────────────────────────────────────────────────────────────

    def _look(self, step: Step) -> None:
        """Check an expectation of the pending question."""
        if step.sort == "quiet":
            if self.game.world.ask is not None:
                raise Unmet("no question", self._question())
            return
        ask = self._pending()
        self._asked_of(step, ask)
        left = list(ask.options)
        for scripted in self._references(step):
            seen_option = self.referee.find([_looked_at(option) for option in left], [scripted.reference])
            seen_option = seen_option or self.referee.titled(left, scripted.reference)
            if step.sort == "withheld" and seen_option is not None:
                raise Unmet(f"{self._name(scripted.reference)} is not offered", self._question())
            if step.sort != "withheld" and seen_option is None:
                why = self._why_silent(scripted.reference)
                raise Unmet(f"{self._name(scripted.reference)} is offered", self._question(), notes=why)
            if seen_option is not None:
                del left[seen_option.option]
        if step.sort == "withheld":
            self._could_be(step)
        if step.sort == "options" and left:
            raise Unmet("no other options", f"also offered: {'; '.join(self.names.options(self.game, left))}")

    def _could_be(self, step: Step) -> None:
        """Check that a thing that is not offered is in play: its absence alone would be the reason."""
        for scripted in self._references(step):
            tag, thing = scripted.reference
            if tag == "thing" and not self._is_there(thing):
                raise Unmet("what is not offered is there", f"{self.names.thing(self.game, thing)} is not in play")

    def _may_know(self, step: Step) -> None:
        """Check whether a player may know a stat of a thing, a thing itself, or the contents of a zone."""
        image, game = self.image, self.game
        thing = game.test(step.code)
        view, who = self._onlooker(step)
        is_zone = step.tags[0] == "zone"
        if not 0 <= thing < (len(image.layout.zone_row) if is_zone else image.layout.things):
            raise Unmet("something to know", "there is no such thing")
        if is_zone:
            open_ = view.sees(game, thing)
        elif step.field >= 0:
            row = image.program.fields[step.field]
            open_ = not row.secret or view.knows(game, thing, row)
        elif not game.in_play(thing):
            raise Unmet("something to know", f"{self.names.thing(game, thing)} is not in play")
        else:
            zone = game.zone_of(thing)
            open_ = zone <= 0 or view.sees(game, zone)
        if open_ != (step.sort == "known"):
            name = self.names.player(game, who)
            raise Unmet(
                f"{name} {'knows' if step.sort == 'known' else 'does not know'} that", "it is the other way round"
            )

    def _onlooker(self, step: Step) -> tuple[View, int]:
        """Return the view of the player who looks on, and the number of that player."""
        who = self.game.controller(self.game.test(step.who))
        if who == EVERYBODY:
            raise Unmet("a player who looks on", "no player plays that")
        return View(self.image, seats=deciding_seats(self.game, who)), who

    def _counts(self, step: Step) -> None:
        """Check that a player sees how many things are in a zone, but not which."""
        view, who = self._onlooker(step)
        zone = self.game.test(step.code)
        if not 0 <= zone < len(self.image.layout.zone_row):
            raise Unmet("a zone to look at", "there is none")
        if view.sees(self.game, zone):
            raise Unmet(
                "a zone of which this player only sees the number of cards",
                f"{self.names.player(self.game, who)} knows them",
            )
        shown = view.contents(self.game, zone)
        if shown != str(step.values[0]):
            raise Unmet(f"{step.values[0]} things are seen there", shown)

    def _references(self, step: Step) -> list[ScriptedAnswer]:
        if step.code < 0:
            return []
        values = self.game.references(step.code)
        if len(values) != len(step.tags):
            raise Unmet(f"{len(step.tags)} references", f"their code answers {len(values)}")
        return [
            ScriptedAnswer((tag, value), question)
            for tag, value, question in zip(step.tags, values, step.questions, strict=True)
        ]

    def _expect(self, step: Step) -> None:
        """Check that the condition is true."""
        if step.code < 0 or self.game.test(step.code):
            return
        values = [(read.text, self._value(read)) for read in step.reads]
        read = [f"{text} is {value}" for text, value in values if value != text]  # a constant explains nothing
        raise Unmet("the condition holds", "it does not" + (f": {'; '.join(read)}" if read else ""))

    def _value(self, read: Read) -> str:
        """Return a value that an expectation has read, in words."""
        if read.many:
            listed = self.game.references(read.code)
            return ", ".join(self.names.value(self.game, read.tag, value, read.enum) for value in listed) or "nothing"
        value = self.game.test(read.code)
        if read.tag != "place":
            return self.names.value(self.game, read.tag, value, read.enum)
        layout = self.image.layout
        if not 0 <= value < layout.body:
            return self.names.thing(self.game, value)
        if self.game.cell(value) >= 0:
            return f"on {self.names.space(self.game, self.game.cell(value))}"
        zone = self.game.zone_of(value)
        return f"in {self.names.zone(self.game, zone)}" if zone > 0 else "not in play" if zone == 0 else "nowhere"

    def _circumstances(self) -> list[str]:
        """Return the position when a test fails: the board, the log of the step, the question."""
        lines = self.view.board(self.game).rstrip("\n").split("\n") if self.game.world.board >= 0 else []
        if self.game.world.ask is not None:
            lines.append(f"Open is: {self._question()}")
        happenings = placed_happenings(self.view, self.game, self.begun)
        if happenings:
            lines.append(
                "Events so far:"
                if len(happenings) <= MOST_TOLD
                else f"The last of {len(happenings)} things that happened:"
            )
        for line, span in happenings[-MOST_TOLD:]:
            place = self.names.place(span)
            lines.append(f"  {line}" + (f" ({place})" if place else ""))
        return lines

    def _name(self, reference: Reference) -> str:
        tag, value = reference
        if tag in _RESULTS:
            return f"`{tag} as {self.names.thing(self.game, value)}`" if value else f"`{tag}`"
        return f"`{self.names.value(self.game, *reference)}`"


_RESULTS = frozenset(TAGS[tag] for tag in ENDINGS)


def _looked_at(option: Option) -> Option:
    """Return an option as expectations name it: an action with a subject by its subject."""
    return (TAGS.index("thing"), option[3]) if option[0] == ACTION and option[3] >= 0 else option


def _way_out(options: Sequence[Option]) -> int:
    """Return the option that declines a question, or -1."""
    return next((index for index, option in enumerate(options) if option[0] in (NONE, DONE)), -1)


def _same(before: Game, after: Game) -> bool:
    """Return whether two games are alike in all that players can see or feel; allowances that were used up aside."""
    was, now = before.world, after.world
    return (
        was.mem == now.mem
        and was.zones == now.zones
        and was.effects == now.effects
        and was.markers == now.markers
        and was.outcome == now.outcome
    )

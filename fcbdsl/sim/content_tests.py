"""Runs the tests written in content. Each is played, and played again with a save and a load at every decision.

A test is a staged game: dice come from the script, shuffles keep their order, and every choice is asked, so that a
test says what it means. A step's references are answers to the questions that its effect raises.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from fcbdsl.sim.naming import Names
from fcbdsl.sim.references import Referee, Reference
from fcbdsl.sim.view import View
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.program import Step
from fcbdsl.vm.world import (
    ACTION,
    DICE_SCRIPTED,
    DONE,
    NONE,
    ORDER_KEPT,
    RANDOM_ASKED,
    SINGLES_ASKED,
    Ask,
    Option,
)

SCRIPTED = RANDOM_ASKED | ORDER_KEPT | DICE_SCRIPTED | SINGLES_ASKED


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a test fails (a span of the program), what was expected there, and what was seen."""

    span: int
    expected: str
    seen: str


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a test of the program."""

    number: int
    title: str
    covers: tuple[str, ...]
    decisions: int
    failure: Failure | None = None


class Unmet(Exception):
    """A step that does not go as it is written. It becomes the test's `Failure`."""

    def __init__(self, expected: str, seen: str) -> None:
        super().__init__(f"{expected}; {seen}")
        self.expected = expected
        self.seen = seen


class NotOffered(Unmet):
    """The action of a step is not on offer."""


def run_test(machine: Machine, number: int) -> Result:
    """Run a test of the machine's program by its number."""
    test = machine.program.tests[number]
    first = _Staging(machine, number)
    failure = first.play()
    if failure is None:
        failure = _Staging(machine, number, first.digests).play()
    return Result(number, test.title, test.covers, len(first.digests), failure)


class _Staging:
    """One playing of a test. `known`: the states at each decision of an earlier playing, to be met again."""

    def __init__(self, machine: Machine, number: int, known: list[str] | None = None) -> None:
        self.machine = machine
        self.steps = machine.program.tests[number].steps
        self.names = Names(machine)
        self.referee = Referee(machine)
        self.known = known
        self.digests: list[str] = []
        self.alone: list[Option] = []
        """Options that were the only ones and took themselves, since the last step that acted."""
        self.asked: list[Option] = []
        """Options of all questions that a step met."""
        self.scripted: list[tuple[int, int]] = []
        """Each step of dice (its span) and how many were scripted up to it."""
        self.world = machine.stage(number)
        machine.script(self.world, (), SCRIPTED)

    def play(self) -> Failure | None:
        """Take every step; return the first that fails."""
        for step in self.steps:
            try:
                self._step(step)
                if step is self.steps[-1]:
                    self._settle()
            except Unmet as unmet:
                return Failure(step.span, unmet.expected, unmet.seen)
        return self._unrolled()

    def _unrolled(self) -> Failure | None:
        """Dice that were scripted and never rolled: the test does not play what it says."""
        left = len(self.world.script)
        if not left:
            return None
        rolled = self.scripted[-1][1] - left
        span = next(span for span, until in self.scripted if until > rolled)
        return Failure(span, "every scripted die is rolled", f"{left} left over of {self.scripted[-1][1]}")

    def _step(self, step: Step) -> None:
        if self.world.outcome and step.sort in ("given", "do", "play", "refuse"):
            raise Unmet("a game that is not over yet", View(self.machine).outcome(self.world))
        match step.sort:
            case "dice":
                before = self.scripted[-1][1] if self.scripted else 0
                self.scripted.append((step.span, before + len(step.values)))
                self.machine.script(self.world, step.values)
            case "given" | "do":
                self._settle()
                self.alone.clear()
                if step.code >= 0:
                    self.machine.begin(self.world, step.code, -1, self.world.mission)
                self._advance([])
            case "play":
                self.alone.clear()
                (_, actor), *bag = self._references(step)
                self._begin(step, actor, bag)
                self._advance(bag)
                if bag:
                    raise Unmet(f"a question that {self._name(bag[0])} answers", self._question())
            case "answer":
                self._answers(step)
            case "refuse":
                self._refuse(step)
            case "expect":
                self._settle()
                self._expect(step)
            case "outcome":
                self._settle()
                if self.world.outcome_name() != step.words[0]:
                    raise Unmet(f"the game ends with: {step.words[0]}", View(self.machine).outcome(self.world))

    # ── questions ──────────────────────────────────────────────────────────────────────────────

    def _advance(self, bag: list[Reference]) -> None:
        """Play on while the bag's references answer what is asked; the only option of a question takes itself."""
        while (ask := self._run()) is not None:
            self.asked += ask.options
            found = self.referee.find(ask.options, bag)
            if found is not None:
                del bag[found.reference]
                self._choose(found.option)
            elif len(ask.options) == 1:
                self.alone.append(ask.options[0])
                self._choose(0)
            else:
                return

    def _run(self) -> Ask | None:
        ask = self.machine.run(self.world)
        if self.world.fault is not None:
            raise Unmet("the effect runs to its end", self.world.fault.reason)
        return ask

    def _choose(self, index: int) -> None:
        """Take an option; on the second playing from a world that has been saved and loaded."""
        digest = self.machine.digest(self.world)
        if self.known is not None:
            if self.known[len(self.digests) : len(self.digests) + 1] != [digest]:
                raise Unmet("the same state when the test is played again", f"another one at {self._question()}")
            self.world = self.machine.load(json.loads(json.dumps(self.machine.save(self.world))))
            if self.machine.digest(self.world) != digest:
                raise Unmet("the same state after saving and loading", f"another one at {self._question()}")
        self.digests.append(digest)
        self.machine.answer(self.world, index)

    def _question(self) -> str:
        """The pending question with its options."""
        ask = self.world.ask
        if ask is None:
            return "no question"
        view = View(self.machine)
        asked = view.question(self.world, ask).split("\n", maxsplit=1)[0]
        return f"{asked} Options: {'; '.join(view.options(self.world, ask))}"

    def _settle(self) -> None:
        """Decline what is still asked; a question that can't be declined fails the test."""
        while self.world.ask is not None:
            self._decline(self.world.ask)

    def _decline(self, ask: Ask) -> None:
        for index, option in enumerate(ask.options):
            if option[0] in (NONE, DONE):
                self._choose(index)
                self._advance([])
                return
        raise Unmet("an answer to the question", self._question())

    def _answers(self, step: Step) -> None:
        """The references answer the questions in order; one may name what was the only option."""
        for reference in self._references(step):
            found = self.referee.find(self.world.ask.options, [reference]) if self.world.ask is not None else None
            alone = self.referee.find(tuple(self.alone), [reference])
            if found is not None:
                self._choose(found.option)
                self._advance([])
            elif alone is not None:
                del self.alone[alone.option]
            else:
                raise Unmet(f"a question that {self._name(reference)} answers", self._question())

    # ── actions ────────────────────────────────────────────────────────────────────────────────

    def _begin(self, step: Step, actor: int, bag: list[Reference], now: bool = False) -> None:
        """Take the action where it is on offer: in the pending question, or after declining what is asked, at will.

        `now`: of a pending offer it must be part, or it is none."""
        while True:
            ask = self.world.ask
            offered = ask.options if ask is not None else tuple(self.machine.actions(self.world, (actor,)))
            found = self._action(offered, step.words, actor, bag)
            if found >= 0 and ask is not None:
                self._choose(found)
                return
            if found >= 0:
                self.machine.begin_action(self.world, offered[found])
                return
            if ask is None or (now and ask.kind == "action"):
                shown = "; ".join(self.names.options(self.world, offered)) or "nothing"
                raise NotOffered("the action is offered", f"offered is: {shown}")
            self._decline(ask)

    def _action(self, offered: tuple[Option, ...], words: tuple[str, ...], actor: int, bag: list[Reference]) -> int:
        """The option that is the actor's action of those words, with the subject named in the bag; -1 if none is.

        A subject that is not named is fine if only one fits and the bag names none that the words take."""
        actions = self.machine.program.actions
        rows = [
            (index, option[3])
            for index, option in enumerate(offered)
            if option[0] == ACTION and option[2] == actor and (not words or actions[option[1]].words == words)
        ]
        subject = self.referee.subject([this for _, this in rows], bag)
        if subject is not None:
            del bag[subject.reference]
            return rows[subject.option][0]
        meant = [action for action in actions if action.words == words] if words else []
        if len(rows) != 1 or self.referee.names_subject(meant, bag):
            return -1
        return rows[0][0]

    def _refuse(self, step: Step) -> None:
        """The action must not be offered, or not with these references. A die that it would roll is not scripted."""
        kept = self.world, self.digests, self.known, self.alone, self.asked
        self.world, self.digests, self.known, self.alone = self.machine.clone(self.world), [], None, []
        self.asked = []
        (_, actor), *bag = self._references(step)
        try:
            self._begin(step, actor, bag, now=True)
            self._advance(bag)
        except NotOffered:
            return
        except Unmet:
            if self.world.fault is None:
                raise
        finally:
            asked = self.asked
            self.world, self.digests, self.known, self.alone, self.asked = kept
        if not bag:
            raise Unmet("the action is not offered", "it can be taken with these references")
        astray = [reference for reference in bag if not self.referee.fits(asked, reference)]
        if astray:
            shown = "; ".join(dict.fromkeys(self.names.options(self.world, asked))) or "nothing"
            raise Unmet(f"a question of the sort that {self._name(astray[0])} answers", f"asked for is: {shown}")

    # ── values ─────────────────────────────────────────────────────────────────────────────────

    def _references(self, step: Step) -> list[Reference]:
        if step.code < 0:
            return []
        return list(zip(step.tags, self.machine.references(self.world, step.code), strict=True))

    def _expect(self, step: Step) -> None:
        """The condition must hold."""
        if step.code < 0 or self.machine.test(self.world, step.code):
            return
        if not step.sides:
            raise Unmet("the condition holds", "it does not")
        left, right = (
            self.names.value(self.world, tag, self.machine.test(self.world, code))
            for tag, code in zip(step.tags, step.sides, strict=True)
        )
        raise Unmet("the comparison holds", f"the left side is {left}, the right side {right}")

    def _name(self, reference: Reference) -> str:
        return f"`{self.names.value(self.world, *reference)}`"

"""The Copse: a small game with words in two languages, and a seeded author who writes effects for its cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.tree import File
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

SYSTEM = """system copse "The Copse":
  fr: "Le Bosquet"
  players: 1..4
  board: square

die acorn "acorn die":
  fr: "dé gland", m
  faces: 1..6
status Cold "Cold":
  fr: "Transi[e]"
  on: beast
  limit: 1
status Sharp "Sharp":
  fr: "Aiguisé[e]"
  on: beast
  limit: 3

kind game:
  stat dusk "dusk": number 0..
    fr: "crépuscule", m
kind beast is piece:
  name: "beast", plural "beasts"
  fr: "bête", f, plural "bêtes"
  stat HP "HP": number 0.., starts 3
    fr: "PV", m
  stat MP "MP": number 0.., starts 3
    fr: "PM", m
kind fox is beast:
  name: "fox", plural "foxes"
  fr: "renard", m, plural "renards"
  zone hand "hand" of trick: any
    fr: "main", f
kind owl is beast:
  name: "owl", plural "owls"
  fr: "chouette", f, plural "chouettes"
kind trick is card:
  name: "trick", plural "tricks"
  fr: "tour", m, plural "tours"
  held by: fox
  field effect: effect, optional
kind mission:
  field goal: number 0.., default 3

relation near:
  takes: a (beast), b (beast)
  is: a's place adjacent to b's place
  text en: "near {b}"
  text fr: "près de {b}"
relation hurt:
  takes: a (beast)
  is: a's HP < 3
  text en: "hurt"
  text fr: "blessé[e][s]"

event turn start:
  form: turn starts
  text en: "At the start of a turn / once per turn"
  text fr: "Au début d'un tour / une fois par tour"
event bite:
  takes: biter (beast), prey (beast), harm (number)
  form: biter bites prey
  text en: "{biter} [bites|bite] {prey}"
  text fr: "{biter} {^prey}[mord|mordent|mordez] {prey}"

verb nip:
  takes: target (beast), amount (number)
  effect: target's HP becomes target's HP - amount
  text en: "deal {amount} damage to {target}"
  text fr: "infligez {amount} dégât[s] à {target}"
verb warm:
  takes: target (beast), amount (number)
  effect: target's HP becomes target's HP + amount
  text en: "give {amount} HP to {target}"
  text fr: "rendez {amount} PV à {target}"
verb chase:
  takes: target (beast)
  effect: mark Cold on target
  text en: "chase {target}"
  text fr: "poursuivez {target}"

action act "Act":
  fr: "Agir"
  by: fox
  form: acts
  effect: dusk +1

flow:
  repeat:
    announce turn start
    offer fox, until done
"""
PIECES = """use copse

fox rex "Rex":
  fr: "Rex", m
fox vix "Vix":
  fr: "Vix", f
owl hoo "Hoo":
  fr: "Hoo", f
mission glade "The Glade":
  fr: "La Clairière"
  map square:
    art: |
      +--+
      |. |
      +--+
"""

Pick = Callable[[int], int]
"""Return a number below the one given."""


class Tape:
    """Decisions: first those that are given, then those of a seeded generator. All of them are kept in `made`."""

    def __init__(self, given: Sequence[int], chance: Callable[[int], int]) -> None:
        self.given = given
        self.chance = chance
        self.made: list[tuple[int, int]] = []

    def __call__(self, below: int) -> int:
        at = len(self.made)
        number = self.given[at] % below if at < len(self.given) else self.chance(below)
        self.made.append((number, below))
        return number


class Author:
    """Writes the lines of one card, decision by decision."""

    def __init__(self, pick: Pick) -> None:
        self.pick = pick
        self.names = 0

    def one_of(self, options: Sequence[str]) -> str:
        return options[self.pick(len(options))]

    def card(self) -> list[str]:
        if self.pick(4):
            return ["  effect:", *self.block(["self"], [], 2, 4, in_effect=True)]
        prey = self.one_of(["owl", "fox", "self", "rex", "hoo"])
        biter = self.one_of(["owl", "beast", "self", "vix"])
        names = [name for name in dict.fromkeys(["self", biter, prey]) if name not in ("rex", "hoo", "vix")]
        if biter == prey:
            names = ["self"]
        condition = f", if {self.condition(names, [])}" if self.pick(2) else ""
        lead = self.one_of(["when", "before", "instead of"])
        return [f"  {lead} {biter} bites {prey}{condition}:", *self.block(names, ["harm"], 1, 4)]

    def block(self, names: list[str], numbers: list[str], deep: int, indent: int, in_effect: bool = False) -> list[str]:
        names, numbers = list(names), list(numbers)
        lines: list[str] = []
        for _ in range(1 + self.pick(3)):
            lines += self.statement(names, numbers, deep, indent)
        return lines

    def statement(self, names: list[str], numbers: list[str], deep: int, indent: int) -> list[str]:
        pad = " " * indent
        sort = self.pick(18 if deep else 6)
        if sort < 2:
            return [f"{pad}{self.one_of(['nip', 'warm'])} {self.one_of(names)} {self.argument(names, numbers)}"]
        if sort == 2:
            return [f"{pad}chase {self.one_of(names)}"]
        if sort == 3:
            name = self.name("pick")
            lines = [f"{pad}choose {name}: {self.selection(names, numbers)}"]
            names.append(name)
            return lines
        if sort == 4:
            name = self.name("sum")
            lines = [f"{pad}let {name} = {self.formula(names, numbers, 2)}"]
            numbers.append(name)
            if self.pick(2):
                lines += self.statement(names, numbers, 0, indent)
            return [*lines, f"{pad}{self.one_of(['nip', 'warm'])} {self.one_of(names)} {name}"]
        if sort == 5:
            stat = self.one_of(["HP", "MP"])
            return [f"{pad}{self.one_of(names)}'s {stat} {self.one_of(['+1', '-1', '+2', 'becomes 0', 'becomes 3'])}"]
        if sort in (6, 7):
            lines = [f"{pad}if {self.condition(names, numbers)}:"]
            lines += self.block(names, numbers, deep - 1, indent + 2)
            if self.pick(2):
                lines += [f"{pad}else:", *self.block(names, numbers, deep - 1, indent + 2)]
            return lines
        if sort == 8:
            name = self.name("each")
            lines = [f"{pad}for each {name} in {self.selection(names, numbers)}:"]
            return lines + self.block([*names, name], numbers, deep - 1, indent + 2)
        if sort == 9:
            lines = [f"{pad}roll acorn:"]
            low = 1 + self.pick(5)
            lines += [f"{pad}  {low}..:", *self.block(names, numbers, deep - 1, indent + 4)]
            return lines
        if sort == 10:
            return [f"{pad}repeat {2 + self.pick(2)} times:", *self.block(names, numbers, deep - 1, indent + 2)]
        if sort == 11:
            lines = [f"{pad}choose one{self.one_of(['', ', or none'])}:"]
            for label in ("Run", "Rest"):
                lines += [f'{pad}  "{label}", fr "{label}":', *self.block(names, numbers, deep - 1, indent + 4)]
            return lines
        if sort in (12, 13):
            lines = [f"{pad}may:", *self.block(names, numbers, deep - 1, indent + 2)]
            if self.pick(2):
                lines += [f"{pad}then:", *self.block(names, numbers, deep - 1, indent + 2)]
            if len(lines) > 2 and self.pick(2) and f"{pad}then:" in lines:
                lines += [f"{pad}else:", *self.block(names, numbers, deep - 1, indent + 2)]
            return lines
        if sort == 14:
            name = self.name("thrown")
            against = self.one_of(["", " against acorn", " against acorn + 1"])
            lines = [f"{pad}roll {name}: {self.one_of(['acorn', '2 acorn', 'acorn + 1'])}{against}"]
            numbers.append(name)
            return lines + self.statement(names, numbers, 0, indent)
        if sort == 15:
            return self.lasting(names, indent)
        if sort == 16:
            bag, each = self.name("bag"), self.name("each")
            lines = [f"{pad}let {bag} = {self.selection(names, numbers)}"]
            change = self.one_of(["remove {} from {}", "add {} to {}", ""])
            lines += [pad + change.format(self.one_of(names), bag)] if change else []
            return [
                *lines,
                f"{pad}for each {each} in {bag}:",
                *self.block([*names, each], numbers, deep - 1, indent + 2),
            ]
        lines = [f"{pad}for each {self.one_of(['owl', 'fox'])}, in any order:"]
        return [*lines, *self.block(names, numbers, deep - 1, indent + 2)]

    def lasting(self, names: list[str], indent: int) -> list[str]:
        """Return a lasting effect with a modifier or a listener."""
        pad = " " * indent
        who = self.one_of(["self", "owl", "owl near self", "beast where it is hurt"])
        change = self.one_of(["+1", "-1", "at most 2", "at least 2"])
        lines = [f"{pad}until turn starts:"]
        if self.pick(2):
            condition = f"while {self.condition(['self'], [])}: " if self.pick(2) else ""
            lines.append(f"{pad}  {condition}{who} has {change} {self.one_of(['HP', 'MP'])}")
        if self.pick(2) or len(lines) == 1:
            biter, prey = self.one_of(["owl", "beast"]), self.one_of(["fox", "self"])
            lines.append(f"{pad}  {self.one_of(['when', 'before', 'instead of'])} {biter} bites {prey}:")
            lines += self.block(["self", biter, *([prey] if prey != "self" else [])], ["harm"], 0, indent + 4)
        return lines

    def name(self, word: str) -> str:
        self.names += 1
        return f"{word}-{'abcdefghijklmnopqrstuvwxyz'[self.names % 26]}{'abcdefghij'[self.names // 26 % 10]}"

    def argument(self, names: list[str], numbers: list[str]) -> str:
        formula = self.formula(names, numbers, 1)
        return formula if formula.isdigit() or formula in numbers else f"({formula})"

    def formula(self, names: list[str], numbers: list[str], deep: int) -> str:
        sort = self.pick(6 if deep else 4)
        if sort == 0:
            return str(1 + self.pick(4))
        if sort in (1, 2) or (sort == 3 and not numbers):
            return f"{self.one_of(names)}'s {self.one_of(['HP', 'MP', 'Sharp'])}"
        if sort == 3:
            return self.one_of(numbers)
        left, right = self.formula(names, numbers, deep - 1), self.formula(names, numbers, deep - 1)
        if sort == 4:
            return f"{self.bracketed(left)} {self.one_of(['+', '-', '*', '/'])} {self.bracketed(right)}"
        if self.pick(2):
            return f"{self.one_of(['lowest', 'highest'])} of {self.bracketed(left)}, {self.bracketed(right)}"
        return f"number of ({self.selection(names, numbers)})"

    def bracketed(self, formula: str) -> str:
        return f"({formula})" if " " in formula.replace("'s ", "") and self.pick(2) else formula

    def selection(self, names: list[str], numbers: list[str]) -> str:
        noun = self.one_of(["beast", "fox", "owl"])
        sort = self.pick(7)
        if sort == 0:
            return noun
        if sort == 1:
            return f"{noun} near {self.one_of(names)}"
        if sort == 2:
            return f"{noun} except {self.one_of(self.alike(noun, names))}"
        if sort == 3:
            return f"{noun} where it is {self.one_of(['hurt', 'Cold', 'not hurt', 'not Cold'])}"
        if sort == 4:
            return (
                f"{noun} where it's {self.one_of(['HP', 'MP'])} {self.one_of(['<', '>', '<=', '='])} {1 + self.pick(4)}"
            )
        if sort == 5:
            bound = self.one_of(["most", "fewest"])
            return f"{noun}, by {bound} {self.one_of(['HP', 'MP'])}"
        return f"{noun} near {self.one_of(names)} except {self.one_of(self.alike(noun, names))}"

    def alike(self, noun: str, names: list[str]) -> list[str]:
        """Return the names of things that can be of the kind of a noun."""
        return [name for name in names if noun != "owl" or name != "self"] or ["hoo"]

    def condition(self, names: list[str], numbers: list[str]) -> str:
        sort = self.pick(8)
        who = self.one_of(names)
        if sort == 0:
            return f"{who} is {self.one_of(['hurt', 'Cold', 'not hurt', 'not Cold'])}"
        if sort == 1:
            who = self.one_of([name for name in names if name.startswith(("beast", "pick", "each"))] or names)
            return f"{who} is {self.one_of(['owl', 'fox', 'rex', 'hoo', 'not fox', 'not rex'])}"
        if sort in (2, 3):
            stat = self.one_of(["HP", "MP"])
            return f"{who}'s {stat} {self.one_of(['<', '<=', '>', '>=', '=', '!='])} {self.formula(names, numbers, 0)}"
        if sort == 4:
            return f"{who} near {self.one_of(names)}"
        if sort == 5:
            return f"{self.one_of(['any', 'no'])} {self.selection(names, numbers)}"
        both = f"{self.condition(names, numbers)} {self.one_of(['and', 'or'])} {self.condition(names, numbers)}"
        return f"({both})" if self.pick(2) else both


@cache
def system() -> tuple[File, ...]:
    """The core, the system and its pieces, read."""
    loader = Loader(Project())
    loader.use("core")
    files = list(loader.files())
    for name, text in (("copse.fcb", SYSTEM), ("pieces.fcb", PIECES)):
        file, problems = parse(Source(name, text))
        assert not problems, problems
        files.append(file)
    return tuple(files)


def cards_of(written: Sequence[list[str]]) -> tuple[Model, dict[int, Definition]]:
    """Check cards with these lines; return those that make sense, by their numbers."""
    lines = ["use copse", ""]
    starts: list[int] = []
    for number, body in enumerate(written):
        starts.append(len(lines) + 1)
        lines += [f'trick card-n{number} "Card":', '  fr: "Carte", f', *body, ""]
    file, problems = parse(Source("cards.fcb", "\n".join(lines)))
    model, reported = check([*system(), file])
    wrong = [problem for problem in [*problems, *reported] if problem.severity == "error"]
    assert all(problem.span.source.name == "cards.fcb" for problem in wrong), [
        (problem.span.source.name, problem.span.line, problem.message)
        for problem in wrong
        if problem.span.source.name != "cards.fcb"
    ]
    lines_wrong = {problem.span.line for problem in wrong}
    good: dict[int, Definition] = {}
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(lines) + 1
        if not any(start <= line < end for line in lines_wrong):
            good[number] = model.definitions["trick", f"card-n{number}"]
    return model, good

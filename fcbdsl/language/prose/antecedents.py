"""References in a text: the value of a slot is introduced once (« a character ») and then pointed at (« that »)."""

from __future__ import annotations

from dataclasses import field, replace

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.ir import Expr
from fcbdsl.language.prose.phrase import Noun, NounPhrase


@dataclass(slots=True)
class Referent:
    """The meaning of a slot.

    `intro`: the phrase for its first mention. `value`: an expression that the text describes in its place (a `let`).
    `many`: it is a list. `definite`: it is « the result », not « that result ». `each`: a loop or a selection goes
    through things, and this is the current one. `led`: only the lead of the loop has mentioned it. `chosen`: somebody
    has chosen it. `met`: the position of its first mention among all referents, from 1; 0: not mentioned yet. `gone`:
    the things that had left play when a `value` was bound.
    """

    noun: Noun | None = None
    intro: NounPhrase | None = None
    always: NounPhrase | None = None
    value: Expr | None = None
    many: bool = False
    definite: bool = False
    each: bool = False
    led: bool = False
    chosen: bool = False
    met: int = 0
    gone: tuple[Expr, ...] = ()


@dataclass(slots=True)
class Discourse:
    """The slots of one body and the unknowns (X, Y) of the sentence being made."""

    self_phrase: NounPhrase
    this_phrase: NounPhrase
    referents: dict[int, Referent] = field(default_factory=dict)
    unknowns: list[tuple[str, NounPhrase]] = field(default_factory=list)
    held: list[tuple[str, NounPhrase]] = field(default_factory=list)
    """The unknowns of the lead above the sentence, which explains them."""
    candidates: dict[int, bool] = field(default_factory=dict)
    """Slots of the candidates of selections, and whether these are in the plural."""

    def pending(self, slot: int) -> bool:
        """Return whether the slot has been chosen but not yet mentioned."""
        referent = self.referents.get(slot)
        return referent is not None and referent.intro is not None

    def meet(self, slot: int, referent: Referent) -> None:
        """Set the meaning of a slot that has just been mentioned."""
        self.referents.pop(slot, None)
        self.mention(referent)
        self.referents[slot] = referent

    def mention(self, referent: Referent) -> None:
        """Record the first mention of a referent."""
        if not referent.met:
            referent.met = 1 + max((other.met for other in self.referents.values()), default=0)

    def rivals(self, referent: Referent) -> list[Referent]:
        """Return all referents with the same noun, in the order of their mention, including `referent`."""
        referents = [
            rival
            for rival in self.referents.values()
            if rival is referent
            or (
                rival.met
                and rival.noun is not None
                and rival.value is None
                and rival.always is None
                and _alike(rival, referent)
            )
        ]
        return sorted(referents, key=lambda referent: referent.met)

    def known_by(self, noun: Noun) -> list[int]:
        """Return the slots of single things that have been mentioned by a noun."""
        return [
            slot
            for slot, referent in self.referents.items()
            if referent.met
            and not referent.many
            and referent.value is None
            and referent.noun is not None
            and referent.noun.one == noun.one
        ]

    def goes_through(self, noun: str) -> bool:
        """Return whether a loop goes through things with that noun, and only its lead has mentioned them."""
        return any(
            referent.led and referent.noun is not None and referent.noun.one == noun
            for referent in self.referents.values()
        )

    def fork(self) -> Discourse:
        """Return a copy of the discourse for trials."""
        copy = {slot: replace(referent) for slot, referent in self.referents.items()}
        unknowns, held = list(self.unknowns), list(self.held)
        return Discourse(self.self_phrase, self.this_phrase, copy, unknowns, held, dict(self.candidates))


def _alike(one: Referent, other: Referent) -> bool:
    assert one.noun is not None
    assert other.noun is not None
    if one.many != other.many or one.definite != other.definite:
        return False
    return one.noun.many == other.noun.many if one.many else one.noun.one == other.noun.one

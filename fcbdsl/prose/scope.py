"""Whom the words of a text refer to: slots are introduced once (« a character ») and then pointed at (« that »)."""

from __future__ import annotations

from dataclasses import field

from fcbdsl.model.ir import Expr
from fcbdsl.prose.phrase import Noun, NounPhrase
from fcbdsl.records import dataclass


@dataclass(slots=True)
class Referent:
    """What a slot stands for. `intro` is how it is said the first time, until it has been; `value` is an
    expression to read in its place (a `let`)."""

    noun: Noun | None = None
    intro: NounPhrase | None = None
    always: NounPhrase | None = None
    value: Expr | None = None


@dataclass(slots=True)
class Discourse:
    """The slots of one body and the unknowns (X, Y) of the sentence being made."""

    self_phrase: NounPhrase
    this_phrase: NounPhrase
    referents: dict[int, Referent] = field(default_factory=dict)
    unknowns: list[tuple[str, NounPhrase]] = field(default_factory=list)
    candidates: dict[int, bool] = field(default_factory=dict)
    """Slots of the candidates of selections; whether they are spoken of as several."""

    def pending(self, slot: int) -> bool:
        """Whether the slot has been chosen but not yet mentioned."""
        referent = self.referents.get(slot)
        return referent is not None and referent.intro is not None

    def fork(self) -> Discourse:
        """The same referents, to be changed without consequence."""
        copy = {slot: Referent(r.noun, r.intro, r.always, r.value) for slot, r in self.referents.items()}
        return Discourse(self.self_phrase, self.this_phrase, copy, list(self.unknowns), dict(self.candidates))

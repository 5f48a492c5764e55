"""Finds the option of a question that a reference of a test means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Action
from fcbdsl.machine.vm.world import ACTION, DONE, ENDINGS, LISTENER, NONE, TAGS, Option

Reference = tuple[str, int]
"""A tag (see `world.TAGS`) and a value."""

WIDEST = ("thing", "card")
"""Kinds that are too general to identify an option."""


@dataclass(frozen=True, slots=True)
class Found:
    """An option and the reference that means it, by their indices."""

    option: int
    reference: int


class Referee:
    """Compares references with options."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.program = image.program

    def find(self, options: Sequence[Option], bag: Sequence[Reference]) -> Found | None:
        """Return the first reference that means an option: exactly, or as another copy of the same card."""

        def exactly(reference: Reference, option: Option) -> bool:
            return self._is(reference, option, options)

        return self._first(options, bag, exactly) or self._first(options, bag, self._is_copy)

    def titled(self, options: Sequence[Option], reference: Reference) -> Found | None:
        """Return the first option that is an action with the title that a reference quotes."""

        def has_title(reference: Reference, option: Option) -> bool:
            if reference[0] != "text" or option[0] != ACTION:
                return False
            return self._says(self.program.actions[option[1]].title) == self._says(reference[1])

        return self._first(options, [reference], has_title)

    def subject(self, subjects: Sequence[int], bag: Sequence[Reference]) -> Found | None:
        """Return the first reference to one of `subjects`, or to another copy of such a thing."""
        return self.find([(TAGS.index("thing"), thing) for thing in subjects], bag)

    def names_subject(self, actions: Sequence[Action], bag: Sequence[Reference]) -> bool:
        """Return whether the references in `bag` name a thing that one of these actions takes as its subject."""
        layout = self.image.layout
        kinds = [action.subject for action in actions if action.subject >= 0]
        things = [value for tag, value in bag if tag == "thing"]
        return any(layout.low[kind] <= thing < layout.high[kind] for kind in kinds for thing in things)

    def fits(self, options: Sequence[Option], reference: Reference) -> bool:
        """Return whether a reference has the tag of one of these options, so that only the rules exclude it."""
        return any(self._sort_fits(reference, option) for option in options)

    def _sort_fits(self, reference: Reference, option: Option) -> bool:
        tag, value = reference
        if tag == "done":
            return True
        if tag == "text":
            return TAGS[option[0]] in ("label", "text") or self._marker(option) >= 0
        if tag == "flag":
            return option[0] not in (NONE, DONE)
        if tag != "thing":
            return TAGS[option[0]] in (tag, "thing")
        if value < 0:
            return False
        if TAGS[option[0]] == "definition":
            return True
        things = option[2:] if option[0] == LISTENER else option[1:2] if TAGS[option[0]] == "thing" else ()
        return any(thing >= 0 and self._family(thing) == self._family(value) for thing in things)

    def _family(self, thing: int) -> int:
        """Return the widest kind of a thing that still identifies it: pieces as one kind, cards by their sort."""
        kind = self.image.layout.kind_of[thing]
        while (parent := self.program.kinds[kind].parent) >= 0 and self.program.kinds[parent].name not in WIDEST:
            kind = parent
        return kind

    def _first(
        self, options: Sequence[Option], bag: Sequence[Reference], means: Callable[[Reference, Option], bool]
    ) -> Found | None:
        for place, reference in enumerate(bag):
            for index, option in enumerate(options):
                if means(reference, option):
                    return Found(index, place)
        return None

    def _is(self, reference: Reference, option: Option, options: Sequence[Option]) -> bool:
        """Return whether a reference means exactly that option."""
        tag, value = reference
        if tag == "done" or reference == ("flag", 0):
            return option[0] in (NONE, DONE) or self._is_value("flag", 0, option)
        if option[0] in (NONE, DONE) or reference == ("thing", -1):
            return False
        if option[0] in ENDINGS:
            return tag == TAGS[option[0]] and value == (option[-1] if option[2:] else 0)
        if tag == "flag" and value:
            others = [other for other in options if other[0] not in (NONE, DONE)]
            return self._is_value("flag", 1, option) or (len(others) == 1 and len(options) > 1)
        if tag == "text":
            if (marker := self._marker(option)) >= 0:
                row = self.program.fields[marker]
                return self._says(value) == (self._says(row.title) or row.name)
            return TAGS[option[0]] in ("label", "text") and self._says(option[1]) == self._says(value)
        if tag == "thing" and option[0] == LISTENER:
            return value in option[2:]
        return self._is_value(tag, value, option) or self._bears(tag, value, option)

    def _is_value(self, tag: str, value: int, option: Option) -> bool:
        return TAGS[option[0]] == tag and option[1] == value

    def _bears(self, tag: str, value: int, option: Option) -> bool:
        """Return whether a thing has the definition meant, or is a part with the value (``ranged`` for an attack)."""
        layout = self.image.layout
        if TAGS[option[0]] == "definition":
            return tag == "thing" and value >= 0 and layout.definition_of[value] == option[1]
        if TAGS[option[0]] != "thing" or option[1] < 0 or tag == "thing":
            return False
        number = layout.definition_of[option[1]]
        if number < 0 or not layout.parts[layout.kind_of[option[1]]]:
            return False
        return any(
            self.program.fields[field].tag == tag and printed == value
            for field, printed in self.program.definitions[number].values
        )

    def _is_copy(self, reference: Reference, option: Option) -> bool:
        """Return whether a reference and an option are things of one definition. Figures are individuals."""
        tag, value = reference
        thing = option[3] if option[0] == LISTENER else option[1] if TAGS[option[0]] == "thing" else -1
        low, high = self.image.layout.range_of("piece")
        if tag != "thing" or min(value, thing) < 0 or low <= value < high:
            return False
        definition_of = self.image.layout.definition_of
        return 0 <= definition_of[value] == definition_of[thing]

    def _marker(self, option: Option) -> int:
        """Return the counter whose trigger an option is; -1 for other options."""
        row = self.program.listeners[option[1]] if option[0] == LISTENER else None
        return row.owner if row is not None and row.scope == "counter" else -1

    def _says(self, text: int) -> str:
        return self.program.texts[text].get("en", "") if text >= 0 else ""

"""Compares two versions of a game: new, removed and changed definitions, and other changes that players see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler import lower
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.machine.vm.fingerprint import comparison_form, program_difference
from fcbdsl.machine.vm.program import Program
from fcbdsl.print.layout.views import Card, Sheet
from fcbdsl.print.pieces.campaign_sheets import campaign_of, is_campaign, story_sheet
from fcbdsl.print.pieces.printables import is_sheet, languages_on_request, printable
from fcbdsl.print.press.proofs import render_piece
from fcbdsl.tools.diff.campaign_impact import CampaignBreak, breaks
from fcbdsl.tools.diff.map_facts import board_facts
from fcbdsl.tools.diff.piece_facts import Fact, Sort, campaign_facts, facts_of, looks_changed, story_facts
from fcbdsl.tools.diff.semantics import Lines, behavior_lines, shared_declarations, without_words

Key = tuple[str, str]
"""Kind and id of a definition."""


@dataclass(frozen=True, slots=True)
class FactChange:
    """A changed fact in these languages (none: it has no language). An empty `before` is a new fact, an empty `after` a
    removed one."""

    sort: Sort
    label: str
    languages: tuple[str, ...]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A new or removed definition with its titles; `other`: the key of its likely former or later form under another
    id."""

    key: Key
    titles: Mapping[str, str]
    other: Key | None = None


@dataclass(frozen=True, slots=True)
class AlteredDefinition:
    """A changed definition. `plays`: its own behavior has changed; `prints`: its card or sheet has; `gone` and `new`:
    lines of its typed tree."""

    key: Key
    titles: Mapping[str, str]
    shifts: tuple[FactChange, ...]
    plays: bool
    prints: bool
    gone: Lines
    new: Lines


@dataclass(frozen=True, slots=True)
class SharedChange:
    """A new, removed or changed rule of the game that is no definition: a kind, a verb, a rule."""

    name: str
    gone: Lines
    new: Lines


@dataclass(frozen=True, slots=True)
class GameChanges:
    """All differences between two versions of a game. `same_play`: both compile to equivalent programs."""

    added: tuple[Listed, ...]
    removed: tuple[Listed, ...]
    altered: tuple[AlteredDefinition, ...]
    rules: tuple[SharedChange, ...]
    breaks: tuple[CampaignBreak, ...]
    same_play: bool

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.altered or self.rules or self.breaks) or not self.same_play


def changes_between(before: Model, after: Model) -> GameChanges:
    """Compare two models without errors, in the languages that both can be printed in."""
    old, new = _listed(before), _listed(after)
    programs = lower(before), lower(after)
    same = _same(*programs)
    languages = [code for code in languages_on_request(after) if code in languages_on_request(before)]
    sides = _Side(before), _Side(after)
    altered = [_altered(key, *sides, languages, same) for key in new if key in old]
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    renamed = _renamed(gone, come, old, new)
    back = {now: then for then, now in renamed.items()}
    return GameChanges(
        tuple([Listed(key, new[key].name.title, back.get(key)) for key in come]),
        tuple([Listed(key, old[key].name.title, renamed.get(key)) for key in gone]),
        tuple(_by_kind([change for change in altered if change is not None], after)),
        tuple(_shared(shared_declarations(before), shared_declarations(after))),
        tuple(breaks(before, after, *programs)),
        same,
    )


def _by_kind(altered: Sequence[AlteredDefinition], model: Model) -> list[AlteredDefinition]:
    """Return changes sorted: campaigns and missions first, then the kinds in order of their first change."""
    kinds = dict.fromkeys(definition.key[0] for definition in altered)
    grand = ("campaign", "mission")
    above = {kind: [ancestor.id for ancestor in model.kinds[kind].lineage()] for kind in kinds}
    ranks = [kind for name in grand for kind in kinds if name in above[kind]]
    order = {kind: number for number, kind in enumerate(dict.fromkeys([*ranks, *kinds]))}
    return sorted(altered, key=lambda change: order[change.key[0]])


def _same(old: Program, new: Program) -> bool:
    a, b = comparison_form(old), comparison_form(new)
    return not program_difference(a, b) and not program_difference(b, a)


def _listed(model: Model) -> dict[Key, Definition]:
    """Return the definitions of a game, without parts (these belong to their owners) and those that only tests
    declare."""
    parts = {id(part) for definition in model.definitions.values() for part in definition.parts}
    return {
        key: definition
        for key, definition in model.definitions.items()
        if id(definition) not in parts and definition.kind.part_of is None and not model.proof_of(definition.span)
    }


def _renamed(
    gone: Sequence[Key], come: Sequence[Key], old: Mapping[Key, Definition], new: Mapping[Key, Definition]
) -> dict[Key, Key]:
    """Return the removed definitions with their likely new ids.

    The new one behaves the same. It has a former title, or no other one behaves the same.
    """
    renamed: dict[Key, Key] = {}
    for key in gone:
        same = [
            other
            for other in come
            if other[0] == key[0] and other not in renamed.values() and _like(old[key], new[other])
        ]
        if same:
            renamed[key] = same[0]
    return renamed


def _like(one: Definition, other: Definition) -> bool:
    titles = one.name.title.items() & other.name.title.items()
    return bool(titles) or (one.name.title == other.name.title and behavior_lines(one)[1:] == behavior_lines(other)[1:])


# ── one definition ─────────────────────────────────────────────────────────────────────────────


class _Side:
    """One of the two versions."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.printed = {(definition.kind.id, definition.id) for definition in printable(model)}

    def view(self, key: Key, language: str) -> Card | Sheet | None:
        """Return the card or sheet of a definition; None if it has none."""
        return render_piece(self.model.definitions[key], self.model, language).view if key in self.printed else None


def _altered(key: Key, old: _Side, new: _Side, languages: Sequence[str], same_play: bool) -> AlteredDefinition | None:
    """Return the differences of a definition; None if there are none."""
    before, after = old.model.definitions[key], new.model.definitions[key]
    shifts: list[tuple[str, FactChange]] = []
    prints = (key in old.printed) != (key in new.printed)
    looks: list[str] = []
    for language in languages:
        views = old.view(key, language), new.view(key, language)
        altered = list(
            _shifts(
                _visible_facts(key, old, views[0], language), _visible_facts(key, new, views[1], language), language
            )
        )
        shifts += altered
        if views[0] is not None and views[1] is not None:
            looks += [name for name in looks_changed(views[0], views[1]) if name not in looks]
        prints = prints or bool(altered)
    prints = prints or bool(looks)
    rows = _merged(shifts)
    maps = [board for board in (before.board, after.board) if board is not None]
    if maps:
        boards = [board_facts(board) if board is not None else [] for board in (before.board, after.board)]
        rows += [shift for _, shift in _shifts(boards[0], boards[1], "")]
    moved = any(row.sort == "map" for row in rows)
    rows += [FactChange("look", name, (), "", "") for name in looks if not (name == "map" and moved)]
    lines = behavior_lines(before), behavior_lines(after)
    gone = tuple([line for line in lines[0] if line not in lines[1]])
    came = tuple([line for line in lines[1] if line not in lines[0]])
    plays = not same_play and (without_words(lines[0]) != without_words(lines[1]) or moved)
    if not plays and lines[0] != lines[1] and (gone or came):
        rows.append(FactChange("told", "told in play", (), "\n".join(gone).strip(), "\n".join(came).strip()))
    if not rows and not plays and not prints:
        return None
    return AlteredDefinition(
        key, after.name.title, tuple(rows), plays, prints, gone if plays else (), came if plays else ()
    )


def _visible_facts(key: Key, side: _Side, view: Card | Sheet | None, language: str) -> list[Fact]:
    """Return the facts of a definition that players see, in a language."""
    definition = side.model.definitions[key]
    travels = is_campaign(definition)
    sheets = campaign_facts(campaign_of(definition, side.model, language)[0]) if travels else []
    if view is not None:
        facts = facts_of(view)
        if is_sheet(definition):
            facts += story_facts(story_sheet(definition, side.model, language)[0])
        return [*facts, *sheets]
    title = definition.name.title.get(language, "")
    facts = [Fact("title", "title", "title", title)] if title else []
    if definition.text or definition.listeners or definition.modifiers:
        text = rules_text(definition, side.model, language).plain()
        facts += [Fact("text", "text", "rules text", text)] if text else []
    return [*facts, *sheets]


def _shifts(before: Iterable[Fact], after: Iterable[Fact], language: str) -> Iterator[tuple[str, FactChange]]:
    """Yield the differences between two lists of facts, each with a language-independent place.

    Facts of a group are matched by their labels. The rest are matched in order: their labels have changed.
    """
    languages = (language,) if language else ()
    old, new = _grouped(before), _grouped(after)
    for group in dict.fromkeys([*new, *old]):
        was, now = dict(old.get(group, {})), dict(new.get(group, {}))
        lost = [key for key in was if key not in now]
        gained = [key for key in now if key not in was]
        for number, (key, fact) in enumerate(now.items()):
            if key in was:
                other: Fact | None = was[key]
            else:
                other = was[lost.pop(0)] if len(lost) == len(gained) and lost else None
                gained.remove(key)
            if other is None:
                yield f"{group} {number}", FactChange(fact.sort, fact.label, languages, "", fact.text)
            elif (other.label, other.text) != (fact.label, fact.text):
                named = other.label != fact.label and fact.sort != "map"
                lines = [
                    f"{fact.label}: {fact.text}" if named and fact.label != fact.text else fact.text
                    for fact in (other, fact)
                ]
                yield f"{group} {number}", FactChange(fact.sort, fact.label, languages, lines[0], lines[1])
        for number, key in enumerate(lost):
            fact = was[key]
            yield f"{group} gone {number}", FactChange(fact.sort, fact.label, languages, fact.text, "")


def _grouped(facts: Iterable[Fact]) -> dict[str, dict[tuple[str, int], Fact]]:
    """Return facts by group, and within it by label and by the number of earlier facts with that label."""
    groups: dict[str, dict[tuple[str, int], Fact]] = {}
    for fact in facts:
        group = groups.setdefault(fact.group, {})
        number = sum(label == fact.label for label, _ in group)
        group[fact.label, number] = fact
    return groups


def _merged(shifts: Iterable[tuple[str, FactChange]]) -> list[FactChange]:
    """Return the changes with equal ones in several languages (mostly numbers) merged."""
    rows: dict[tuple[str, str, str], FactChange] = {}
    for place, shift in shifts:
        key = (place, shift.before, shift.after)
        first = rows.get(key)
        if first is None:
            rows[key] = shift
        else:
            rows[key] = FactChange(
                shift.sort, first.label, (*first.languages, *shift.languages), shift.before, shift.after
            )
    return list(rows.values())


# ── shared declarations ────────────────────────────────────────────────────────────────────────


def _shared(before: Mapping[str, Lines], after: Mapping[str, Lines]) -> Iterator[SharedChange]:
    for name in dict.fromkeys([*after, *before]):
        old, new = before.get(name, ()), after.get(name, ())
        if old != new:
            gone = tuple([line for line in old if line not in new])
            came = tuple([line for line in new if line not in old])
            yield SharedChange(name, gone, came)

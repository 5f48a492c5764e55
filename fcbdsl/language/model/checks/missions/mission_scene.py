"""One mission with everything that belongs to it: its map, and the texts that may run while it is played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.checks.missions.behavior_references import (
    Bound,
    Handed,
    Name,
    References,
    Use,
    effects_on_tracks,
    parameter,
)
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Form, Trait
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.whole import Model


def opens(form: Form) -> bool:
    """Return whether a form may remove an obstacle on the map."""
    return Trait.SETS_BARRIER in form.traits or Trait.SETS_TERRAIN in form.traits


Move = tuple[ir.Do, Bound]
"""A statement of content that opens something or puts a piece somewhere, and the values of its body's locals."""


class Scenes:
    """The missions of a model, and the references in its behavior.

    `actors`: kinds of pieces that players move. `once`: events that are announced once in a game, before any
    repetition. `by_owner`: references, by the identity of their declaration.
    """

    def __init__(self, context: Context, all: Sequence[Facts]) -> None:
        """Collect the references from the facts of the whole model."""
        self.context = context
        self.missions = [
            definition for definition in context.model.definitions.values() if is_mission_definition(definition)
        ]
        self.references = [text for facts in all for text in facts.texts()]
        self.handed: Handed = effects_on_tracks(self.references)
        self.actors = _actors(context.model)
        self.once = _once(context.model, self.references)
        self.by_owner: dict[int, list[References]] = {}
        self._systems = {declaration.line.source.name: None for declaration in context.index.all if declaration.system}
        self._moves: dict[int, list[Move]] = {}
        self._links: dict[tuple[str, ...], Links] = {}
        self._placing = _placing(context.model.forms, self.references)
        for references in self.references:
            self._take(references)

    def _take(self, text: References) -> None:
        """Index one text by its owner, and record the moves in it."""
        self.by_owner.setdefault(id(text.owner), []).append(text)
        calls = [call for call in text.calls if call.form in self._placing or opens(call.form)]
        content = [call for call in calls if self.is_content(call.span.source.name)]
        moves = [(call, bound) for call in content for bound in text.bound(call)]
        if moves:
            self._moves[id(text)] = moves

    def renew(self, before: Facts, after: Facts) -> None:
        """Replace the facts of a declaration by new ones that differ only in numbers."""
        self.by_owner.pop(id(before.owner), None)
        swapped = {id(old): new for old, new in zip(before.texts(), after.texts(), strict=True)}
        self.references = [swapped.get(id(references), references) for references in self.references]
        for references in swapped.values():
            self._take(references)
        for links in self._links.values():
            links.renew(swapped)

    def is_content(self, file: str) -> bool:
        """Return whether a file belongs to no system."""
        return file not in self._systems

    def moves(self, text: References) -> Sequence[Move]:
        """Return the statements of a text of content that open spaces or put pieces somewhere."""
        return self._moves.get(id(text), ())

    def concerns(self, call: ir.Do) -> bool:
        """Return whether a statement may change reachability: it opens something, or puts a piece of the players."""
        if opens(call.form):
            return True
        given = [arg.type for arg in call.args if arg is not None and arg.type.base in {"thing", "definition"}]
        pieces = [type.name for type in given if type.name != "space"]
        related = self.context.vocabulary.related
        return not pieces or any(related(name, actor) for name in pieces for actor in self.actors)

    def links_of(self, listed: tuple[str, ...]) -> Links:
        """Return which texts bring others into play. `listed`: kinds of which only named definitions come into play."""
        links = self._links.get(listed)
        if links is None:
            links = self._links[listed] = Links(self, listed)
        return links

    def scene_of(self, mission: Definition) -> Scene:
        """Return the scene of a mission."""
        named = [
            definition for definition in _named(self.context.model, mission) if not is_mission_definition(definition)
        ]
        own = [text for owner in (mission, *named) for text in self.by_owner.get(id(owner), ())]
        aimed = [definition for definition in self.context.model.definitions.values() if definition.target is mission]
        return Scene(self, mission, named, aimed, self.links_of(()).closed(own))

    def heard_in(self, mission: Definition) -> Heard:
        """Return the texts that may run while a mission is played."""
        listed = _listed(mission)
        links = self.links_of(listed)
        theirs = () if _is_any(mission, listed) else self.by_owner.get(id(mission), ())
        return Heard(self, links.closed(theirs, links.common), links.common)


class Heard:
    """Texts that may run in a mission, and their combined references.

    `names`: names that they use. `makes`: names that they may add to a map. `uses`: their uses of tracks, except of
    tracks that are arguments. `moves`: statements that open spaces or put players' pieces. `turns`: statements that
    change terrain.
    """

    def __init__(self, all: Scenes, text: Iterable[References], before: Heard | None = None) -> None:
        """Add texts to those of `before`."""
        self._ids: dict[int, None] = dict(before._ids) if before is not None else {}
        self.names: dict[Name, None] = dict(before.names) if before is not None else {}
        self.makes: dict[Name, None] = dict(before.makes) if before is not None else {}
        self.hears_tracks: bool = before is not None and before.hears_tracks
        self.uses: list[Use] = list(before.uses) if before is not None else []
        self.moves: list[Move] = list(before.moves) if before is not None else []
        self.turns: list[tuple[References, ir.Do]] = list(before.turns) if before is not None else []
        for references in text:
            self._ids[id(references)] = None
            self.names.update(dict.fromkeys(references.names))
            self.makes.update(references.makes)
            self.hears_tracks = self.hears_tracks or references.hears_tracks
            self.uses += [use for use in references.tracks if parameter(references, use.track) is None]
            self.moves += [move for move in all.moves(references) if all.concerns(move[0])]
            self.turns += [(references, call) for call in references.calls if Trait.SETS_TERRAIN in call.form.traits]

    def __contains__(self, text: References) -> bool:
        return id(text) in self._ids

    def among(self, texts: Iterable[References]) -> list[References]:
        """Return those of some texts that may run."""
        return [text for text in texts if id(text) in self._ids]


@dataclass(slots=True)
class Scene:
    """A mission with its texts.

    `own`: its texts, those of the definitions it names (`named`), and the forms of content that they use. `aimed`:
    definitions whose target it is. `heard`: all texts, except those of other missions and of things that only other
    missions bring into play.
    """

    all: Scenes
    mission: Definition
    named: list[Definition]
    aimed: list[Definition]
    own: list[References]
    _heard: Heard | None = None
    _heard_texts: list[References] | None = None

    @property
    def heard(self) -> Heard:
        """Return all texts that may run while the mission is played."""
        if self._heard is None:
            self._heard = self.all.heard_in(self.mission)
        return self._heard

    @property
    def heard_texts(self) -> Sequence[References]:
        """Return all texts that may run while the mission is played, in order of declaration."""
        if self._heard_texts is None:
            self._heard_texts = self.heard.among(self.all.references)
        return self._heard_texts

    @property
    def context(self) -> Context:
        """Return the check under way."""
        return self.all.context


def is_mission_definition(definition: Definition) -> bool:
    """Return whether a definition is a mission."""
    return definition.kind.is_a("mission")


class Links:
    """The texts that bring other texts into play: those that use a form of content, or name a definition of a `listed`
    kind."""

    def __init__(self, all: Scenes, listed: Sequence[str]) -> None:
        self._waiting: dict[object, list[References]] = {}
        begun: list[References] = []
        for text in all.references:
            owner = text.owner
            if isinstance(owner, Form) and all.is_content(owner.span.source.name):
                self._wait(owner, text)
            elif isinstance(owner, Definition) and _is_any(owner, listed):
                self._wait((owner.kind.id, owner.id), text)
                for kind in owner.kind.lineage():
                    self._wait(kind.id, text)
            elif not isinstance(owner, Definition) or not is_mission_definition(owner):
                begun.append(text)
        self._all, self._begun = all, begun
        self._common: Heard | None = None

    @property
    def common(self) -> Heard:
        """Return the texts that may run in any mission."""
        if self._common is None:
            self._common = Heard(self._all, self.closed(self._begun))
        return self._common

    def renew(self, swapped: Mapping[int, References]) -> None:
        """Replace texts by new ones, by the identity of the old ones."""
        for key, texts in self._waiting.items():
            self._waiting[key] = [swapped.get(id(text), text) for text in texts]
        self._begun = [swapped.get(id(references), references) for references in self._begun]

    def _wait(self, key: object, text: References) -> None:
        """Record that a text comes into play with the thing that `key` identifies."""
        self._waiting.setdefault(key, []).append(text)

    def closed(self, begun: Sequence[References], before: Heard | None = None) -> list[References]:
        """Return texts with all texts that they bring into play, directly or indirectly, without those of `before`.

        `before` must be closed.
        """
        out = {id(text): text for text in begun if before is None or text not in before}
        queue = list(out.values())
        for text in queue:
            for key in (*text.forms, *text.definitions, *text.sorts):
                for references in self._waiting.get(key, ()):
                    if id(references) not in out and (before is None or references not in before):
                        out[id(references)] = references
                        queue.append(references)
        return list(out.values())


def _listed(mission: Definition) -> tuple[str, ...]:
    """Return the kinds of things that a mission lists as its supply; others of them never come into play by
    themselves."""
    columns = [column for kind in mission.kind.lineage() for column in kind.fields.values()]
    return tuple(dict.fromkeys(column.type.name for column in columns if column.spent_by))


def _is_any(definition: Definition, kinds: Sequence[str]) -> bool:
    """Return whether a definition is of one of some kinds."""
    return any(kind.id in kinds for kind in definition.kind.lineage())


def _named(model: Model, mission: Definition) -> Iterator[Definition]:
    """Yield the definitions that a mission's fields list: its cards."""
    for value in mission.values.values():
        for node in walk(value.expr):
            if isinstance(node, ir.Def):
                definition = model.definitions.get((node.kind, node.id))
                if definition is not None:
                    yield definition


def _actors(model: Model) -> dict[str, None]:
    """Return the kinds of pieces that players move.

    Only the most specific kinds that take actions count. More general kinds act only where a text makes them.
    """
    by = {action.by.type.name: None for action in model.actions.values() if action.by is not None}
    wider = {above.id: None for name in by if name in model.kinds for above in model.kinds[name].lineage()[1:]}
    own = [name for name in by if name not in wider]
    return {kind.id: None for kind in model.kinds.values() if any(above.id in own for above in kind.lineage())}


def _placing(forms: Sequence[Form], text: Sequence[References]) -> dict[Form, None]:
    """Return the forms that place a piece, or use one that does."""
    out = {form: None for form in forms if Trait.PLACES in form.traits}
    users = [
        (references.owner, references)
        for references in text
        if isinstance(references.owner, Form) and references.root is references.owner.body
    ]
    grown = True
    while grown:
        more = [form for form, references in users if form not in out and any(used in out for used in references.forms)]
        out.update(dict.fromkeys(more))
        grown = bool(more)
    return out


# ── before the first decision ─────────────────────────────────────────────────────────────────

_DEEPEST = 6


def _once(model: Model, text: Sequence[References]) -> dict[str, None]:
    """Return the events that are announced once in a game, before any repetition."""
    announced = [id for references in text for id in references.announces]
    flow = model.flow.statements if model.flow is not None else ()
    begun = [*(statement for body in model.setup for statement in body.statements), *flow]
    return {id: None for id in _announced(begun, 0) if announced.count(id) == 1}


def _announced(statements: list[ir.Stmt] | tuple[ir.Stmt, ...], depth: int) -> Iterator[str]:
    for statement in statements:
        if isinstance(statement, ir.Repeat):
            return
        if isinstance(statement, ir.Announce):
            yield statement.event.id
        elif isinstance(statement, ir.Do) and statement.form.body is not None and depth < _DEEPEST:
            yield from _announced(statement.form.body.statements, depth + 1)

"""What belongs to one mission: its map, and all that is said on its behalf."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fcbdsl.model import ir
from fcbdsl.model.checks.facts import Facts
from fcbdsl.model.checks.missions.handing import Handed, handed
from fcbdsl.model.checks.missions.said import Bound, Said, bound_calls
from fcbdsl.model.content import Definition
from fcbdsl.model.declarations import Form, Trait
from fcbdsl.model.declaring.context import Context
from fcbdsl.model.ir import walk


def opens(form: Form) -> bool:
    """Whether what a form does may make a way."""
    return Trait.SETS_BARRIER in form.traits or Trait.SETS_TERRAIN in form.traits


@dataclass(slots=True)
class Scenes:
    """The missions of a model. `systems`: names of files that belong to one. `moving`: statements of content that open
    something or put a piece somewhere, with what says them and what its locals are bound to. `by_owner`: what is said,
    by the identity of what says it."""

    context: Context
    said: list[Said]
    systems: dict[str, None]
    handed: Handed
    moving: list[tuple[Said, ir.Do, Bound]] = field(default_factory=list)
    missions: list[Definition] = field(default_factory=list)
    by_owner: dict[int, list[Said]] = field(default_factory=dict)
    _links: dict[tuple[str, ...], Links] = field(default_factory=dict)

    def is_content(self, file: str) -> bool:
        """Whether a file belongs to no system."""
        return file not in self.systems

    def links_of(self, listed: tuple[str, ...]) -> Links:
        """Which texts bring others into play, where definitions of the `listed` kinds come into play only if named."""
        known = self._links.get(listed)
        if known is None:
            known = self._links[listed] = Links(self, listed)
        return known


@dataclass(slots=True)
class Scene:
    """A mission. `own`: what it says itself, what the definitions it names say (`named`), and the forms of content that
    they use; `heard`: all that may be said while it is played: everything but the texts of other missions, and of what
    only other missions bring into play."""

    all: Scenes
    mission: Definition
    named: list[Definition]
    own: list[Said]
    heard: list[Said]

    @property
    def context(self) -> Context:
        """The check under way."""
        return self.all.context


def scenes(context: Context, all: Sequence[Facts]) -> Scenes:
    """Gather what is said, and the missions; `all`: the facts of everything."""
    systems = {one.line.source.name: None for one in context.index.all if one.system}
    found = [one for one in context.model.definitions.values() if is_mission(one)]
    said = [one for facts in all for one in facts.said]
    said += [facts.constant for facts in all if facts.constant is not None]
    out = Scenes(context, said, systems, handed(said), missions=found)
    placing = _placing(context.model.forms, said)
    for one in said:
        out.by_owner.setdefault(id(one.owner), []).append(one)
        calls = [call for call in one.calls if opens(call.form) or id(call.form) in placing]
        content = [call for call in calls if out.is_content(call.span.source.name)]
        out.moving += [(one, call, bound) for call, bound in bound_calls(one, content)]
    return out


def _placing(forms: Sequence[Form], said: Sequence[Said]) -> dict[int, None]:
    """Forms that place a piece, or use one that does."""
    out = {id(form): None for form in forms if Trait.PLACES in form.traits}
    users = [one for one in said if isinstance(one.owner, Form) and one.root is one.owner.body]
    grown = True
    while grown:
        more = [id(one.owner) for one in users if id(one.owner) not in out and any(key in out for key in one.forms)]
        out.update(dict.fromkeys(more))
        grown = bool(more)
    return out


def is_mission(definition: Definition) -> bool:
    """Whether a definition is a mission."""
    return any(kind.id == "mission" for kind in definition.kind.lineage())


def scene_of(all: Scenes, mission: Definition) -> Scene:
    """What belongs to a mission."""
    named = [one for one in _named(all, mission) if not is_mission(one)]
    own = [said for owner in (mission, *named) for said in all.by_owner.get(id(owner), ())]
    listed = _listed(mission)
    links = all.links_of(listed)
    theirs = () if _is_any(mission, listed) else all.by_owner.get(id(mission), ())
    return Scene(all, mission, named, all.links_of(()).closed(own), links.closed(theirs, links.common))


def _listed(mission: Definition) -> tuple[str, ...]:
    """Kinds of which a mission lists what it uses up: no other definition of them comes into play by itself."""
    columns = [column for kind in mission.kind.lineage() for column in kind.fields.values()]
    return tuple(dict.fromkeys(column.type.name for column in columns if column.spent_by))


def _is_any(owner: object, kinds: Sequence[str]) -> bool:
    """Whether something is a definition of one of some kinds."""
    return isinstance(owner, Definition) and any(kind.id in kinds for kind in owner.kind.lineage())


class Links:
    """Which texts bring others into play: those that use a form of content, and those that name a definition of one of
    the `listed` kinds. `common`: what may be said in any mission whatever it is."""

    def __init__(self, all: Scenes, listed: Sequence[str]) -> None:
        waiting: dict[object, list[Said]] = {}
        begun: list[Said] = []
        for said in all.said:
            owner = said.owner
            if isinstance(owner, Form) and all.is_content(owner.span.source.name):
                waiting.setdefault(id(owner), []).append(said)
            elif _is_any(owner, listed):
                assert isinstance(owner, Definition)
                waiting.setdefault((owner.kind.id, owner.id), []).append(said)
                for kind in owner.kind.lineage():
                    waiting.setdefault(kind.id, []).append(said)
            elif not isinstance(owner, Definition) or not is_mission(owner):
                begun.append(said)
        self._brings: dict[int, list[Said]] = {}
        for said in all.said:
            brought = [one for key in (*said.forms, *said.definitions, *said.sorts) for one in waiting.get(key, ())]
            if brought:
                self._brings[id(said)] = brought
        self.common = self.closed(begun)

    def closed(self, begun: Sequence[Said], before: Sequence[Said] = ()) -> list[Said]:
        """Texts, what they bring into play, and so on, behind those of `before`, which are closed."""
        out = {id(said): said for said in before}
        out |= {id(said): said for said in begun}
        queue = list(begun)
        for said in queue:
            for one in self._brings.get(id(said), ()):
                if id(one) not in out:
                    out[id(one)] = one
                    queue.append(one)
        return list(out.values())


def _named(all: Scenes, mission: Definition) -> Iterator[Definition]:
    """The definitions that a mission's fields list: its cards."""
    for value in mission.values.values():
        for node in walk(value.expr):
            if isinstance(node, ir.Def):
                found = all.context.model.definitions.get((node.kind, node.id))
                if found is not None:
                    yield found

"""What belongs to one mission: its map, and all that is said on its behalf."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fcbdsl.model import ir
from fcbdsl.model.checks.missions.handing import Handed, handed
from fcbdsl.model.checks.missions.said import Bound, Said, all_said, bound_calls
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
    something or put a piece somewhere, with what says them and what its locals are bound to."""

    context: Context
    said: list[Said]
    systems: dict[str, None]
    handed: Handed
    moving: list[tuple[Said, ir.Do, Bound]] = field(default_factory=list)
    missions: list[Definition] = field(default_factory=list)

    def is_content(self, file: str) -> bool:
        """Whether a file belongs to no system."""
        return file not in self.systems


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


def scenes(context: Context) -> Scenes:
    """Gather what is said, and the missions."""
    systems = {one.line.source.name: None for one in context.index.all if one.system}
    found = [one for one in context.model.definitions.values() if is_mission(one)]
    said = all_said(context)
    out = Scenes(context, said, systems, handed(said), missions=found)
    placing = _placing(context.model.forms, said)
    for one in said:
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
    firm = {id(one) for one in (mission, *named)}
    own = _closed(all, [said for said in all.said if id(said.owner) in firm], {})
    listed = _listed(mission)
    common = [said for said in all.said if not _apart(all, said, mission)]
    heard = [said for said in common if not _is_any(said.owner, listed)]
    return Scene(all, mission, named, own, _closed(all, heard, listed))


def _apart(all: Scenes, said: Said, mission: Definition) -> bool:
    """Whether something is said by another mission, or by a form of content that somebody must use first."""
    owner = said.owner
    if isinstance(owner, Form):
        return all.is_content(owner.span.source.name)
    return isinstance(owner, Definition) and owner is not mission and is_mission(owner)


def _listed(mission: Definition) -> dict[str, None]:
    """Kinds of which a mission lists what it uses up: no other definition of them comes into play by itself."""
    columns = [column for kind in mission.kind.lineage() for column in kind.fields.values()]
    return {column.type.name: None for column in columns if column.spent_by}


def _is_any(owner: object, kinds: dict[str, None]) -> bool:
    """Whether something is a definition of one of some kinds."""
    return isinstance(owner, Definition) and any(kind.id in kinds for kind in owner.kind.lineage())


def _closed(all: Scenes, begun: Sequence[Said], listed: dict[str, None]) -> list[Said]:
    """What is said, what the forms of content say that it uses, and what the definitions of the `listed` kinds say
    that it names, and so on."""
    waiting: dict[object, list[Said]] = {}
    for said in all.said:
        owner = said.owner
        if isinstance(owner, Form) and all.is_content(owner.span.source.name):
            waiting.setdefault(id(owner), []).append(said)
        elif isinstance(owner, Definition) and _is_any(owner, listed):
            waiting.setdefault((owner.kind.id, owner.id), []).append(said)
            for kind in owner.kind.lineage():
                waiting.setdefault(kind.id, []).append(said)
    out = {id(said): said for said in begun}
    queue = list(begun)
    for said in queue:
        for key in (*said.forms, *said.definitions, *said.sorts):
            more = [one for one in waiting.pop(key, ()) if id(one) not in out]
            out.update((id(one), one) for one in more)
            queue += more
    return list(out.values())


def _named(all: Scenes, mission: Definition) -> Iterator[Definition]:
    """The definitions that a mission's fields list: its cards."""
    for value in mission.values.values():
        for node in walk(value.expr):
            if isinstance(node, ir.Def):
                found = all.context.model.definitions.get((node.kind, node.id))
                if found is not None:
                    yield found

"""Preferences: scores that the heuristic bot gives to answers, in the words of a game.

A line consists of a subject, an optional condition and a score: ``swing, if self is hale: 5 + this's weight``, ``choose
spot (space) in walk: 0 - range from spot to den``, ``choose "Aside": 3``, ``answer card (trick): 2``. Lines in
``preferences for MISSION:`` apply only to that mission, and can use the spaces of its map.
"""

from __future__ import annotations

from fcbdsl.base.diagnostics.declarations import WrongPlace
from fcbdsl.base.records import dataclass
from fcbdsl.base.words import PreferenceSort
from fcbdsl.language.model.content import Definition, Preference
from fcbdsl.language.model.declarations import Action, Param
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.context import THING, Context
from fcbdsl.language.model.ir import FLAG, NUMBER, Type
from fcbdsl.language.model.lines import atoms, first_word, tail_clause, without_first_word
from fcbdsl.language.model.resolve import parameters
from fcbdsl.language.model.resolve.scope import THIS, Scope, own_scope
from fcbdsl.language.syntax.tree import Atom, Clause, Group, Line, Part, Phrase, String, Word

FORM = 'ACTION: VALUE`, `choose NAME (KIND): VALUE`, `choose "LABEL": VALUE` or `answer NAME (KIND): VALUE'
ASKED = Type("thing", "player")
"""The type of `self` when no piece acts: the player who is asked."""


def read_preferences(context: Context) -> list[Preference]:
    """Read all preferences: those for a mission, then those of content, then those of its system."""
    preferences: list[Preference] = []
    for declaration in sorted(
        context.index.of("preferences"), key=lambda declaration: (declaration.target is None, bool(declaration.system))
    ):
        if declaration.line.source.name in context.model.proofs:
            what = "Bots do not play tests, so preferences in a file of tests do nothing."
            context.report(
                WrongPlace(declaration.span, what=what, cure="Move them to the system, a card file or a mission.")
            )
        else:
            preferences += _block(context, declaration)
    return preferences


def _block(context: Context, declaration: Declaration) -> list[Preference]:
    mission = None
    if declaration.target is not None:
        missions = {id: mission for (kind, id), mission in context.model.definitions.items() if kind == "mission"}
        mission = missions.get(declaration.target.text)
        if mission is None:
            span = declaration.line.span_of(declaration.target)
            context.unknown(span, "mission", declaration.target.text, missions)
            return []
    lines = [line for line in declaration.line.block if not line.broken]
    return [preference for line in lines if (preference := PreferenceLine(context, line, mission).read()) is not None]


@dataclass(frozen=True, slots=True)
class PreferenceLine:
    """Reads one line of preferences."""

    context: Context
    line: Line
    mission: Definition | None

    def read(self) -> Preference | None:
        """Return the preference of the line; None (and a report) if it could not be read."""
        clause = self.line.head
        if clause is None or not clause.parts or tail_clause(self.line) is None or self.line.block:
            return self._malformed()
        phrase = list(atoms(clause))
        if clause.lead == "choose":
            return self._choice(phrase)
        if clause.lead == "answer":
            return self._answer(phrase)
        word = phrase[0] if len(phrase) == 1 else None
        if clause.lead is not None or not isinstance(word, Word):
            return self._malformed()
        action = self._action(word)
        return None if action is None else self._made("act", action, self._of_action(action))

    def _malformed(self) -> Preference | None:
        self.context.malformed(self.line.span, "a preference", FORM)
        return None

    def _choice(self, phrase: list[Atom]) -> Preference | None:
        """Read ``choose NAME (TYPE)[ in ACTION]`` or ``choose "LABEL"[ in ACTION]``."""
        action, scope = None, self._scope(ASKED)
        in_action = len(phrase) > 2 and isinstance(phrase[-2], Word) and phrase[-2].text == "in"
        if in_action and isinstance(last := phrase[-1], Word):
            action = self._action(last)
            if action is None:
                return None
            scope = self._of_action(action)
            phrase = phrase[:-2]
        match phrase:
            case [String(value=label)]:
                return self._made("label", action, scope, label)
            case [Word(), Group()]:
                return self._bound("choose", action, scope, self._param(phrase))
        return self._malformed()

    def _answer(self, phrase: list[Atom]) -> Preference | None:
        """Read ``answer NAME (KIND)``: `self` is the one who may answer, as in the texts of that kind."""
        param = self._param(phrase) if [type(atom) for atom in phrase] == [Word, Group] else None
        kinds = self.context.model.kinds
        kind = kinds.get(param.type.name) if param is not None and param.type.base == "thing" else None
        if kind is None:
            return self._malformed()
        return self._bound("answer", None, self._scope(own_scope(kind, self.context.model)[0]), param)

    def _action(self, word: Word) -> Action | None:
        actions = self.context.model.actions
        if word.text not in actions:
            self.context.unknown(self.line.span_of(word), "action", word.text, actions)
        return actions.get(word.text)

    def _scope(self, self_type: Type, this_type: Type | None = None) -> Scope:
        return Scope(self_type, this_type, mode="pure", board=self.mission.board if self.mission is not None else None)

    def _of_action(self, action: Action) -> Scope:
        """Return the scope of lines of an action: the actor is `self`, the subject is `this` and its noun."""
        actor = action.by.type.one() if action.by is not None else THING
        if action.subject is None:
            return self._scope(actor)
        subject = action.subject.type.one()
        scope = self._scope(actor, subject)
        scope.alias(action.subject_word, THIS, subject)
        return scope

    def _param(self, named: list[Atom]) -> Param | None:
        """Read ``NAME (TYPE)``: the chosen thing, by the word that the choice has for it."""
        phrase = Phrase(named[0].start, named[-1].end, tuple(named))
        part = Part(phrase.start, phrase.end, None, phrase)
        params = parameters.params(self.context.reader, self.line, Clause(part.start, part.end, None, (part,)))
        return params[0] if params else None

    def _bound(
        self, sort: PreferenceSort, action: Action | None, scope: Scope, param: Param | None
    ) -> Preference | None:
        if param is None:
            return None
        scope.bind(param.name, param.type)
        return self._made(sort, action, scope, param.name, param.type)

    def _made(
        self, sort: PreferenceSort, action: Action | None, scope: Scope, name: str = "", type: Type | None = None
    ) -> Preference | None:
        """Read the condition and the score, and return the preference."""
        line, reader, condition = self.line, self.context.reader, None
        assert line.head is not None
        if len(line.head.parts) > 1:
            first = line.head.parts[1]
            test = without_first_word(first) if first_word(first) == "if" else None
            if test is None:
                form = "WHAT, if CONDITION: VALUE"
                self.context.malformed(line.span_of(first), "the condition of a preference", form)
                return None
            condition = reader.answer(line, (test, *line.head.parts[2:]), scope.child(), FLAG)
        worth = reader.answer(line, line.tail[0], scope, NUMBER)
        return Preference(line.span, self.mission, sort, action, name, type, condition, worth)

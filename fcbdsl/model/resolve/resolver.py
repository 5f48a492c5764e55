"""Stage 3, the way in: phrases, the effects that they make up, and the behaviour that waits for its moment.

Every method reports at most one problem per clause and returns None (or what could be read) then; none raises.
"""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.model.declarations import Event, Param
from fcbdsl.model.ir import Body, Expr, Listener, Modifier, Type
from fcbdsl.model.resolve import events, modifiers, parameters, statements
from fcbdsl.model.resolve.core import Resolver
from fcbdsl.model.resolve.scope import Scope
from fcbdsl.model.resolve.tokens import Readable
from fcbdsl.syntax.tree import Clause, Line


class DeclarationResolver(Resolver):
    """Reads what stands in declarations: values, types, parameters, effects and behaviour."""

    def type_of(self, line: Line, node: Readable, enum_id: str = "") -> Type | None:
        """Read a type; ``one of a, b`` declares an enum called `enum_id`."""
        return parameters.type_of(self, line, node, enum_id)

    def params(self, line: Line, clause: Clause) -> list[Param]:
        """Read the parameters of a form or event: ``target (unit), from origin (space, default self)``."""
        return parameters.params(self, line, clause)

    def body(self, lines: Sequence[Line], scope: Scope) -> Body:
        """Read the lines of an effect."""
        scope.frame.unsound |= statements.lost(lines)
        scope.frame.later |= statements.bound(lines)
        return Body(statements.block(self, lines, scope), scope.slots())

    def clauses_body(self, line: Line, clauses: Sequence[Clause], block: Sequence[Line], scope: Scope) -> Body:
        """Read statements that stand behind a colon, and the block below them."""
        scope.frame.unsound |= statements.lost(block)
        scope.frame.later |= statements.bound(block) | statements.bound_by(clauses)
        return Body(statements.inline(self, line, clauses, block, scope), scope.slots())

    def moment(self, line: Line, scope: Scope) -> Listener | None:
        """Read a listener: a line led by when, before, instead or at."""
        return statements.listener(self, line, scope, captured=False)

    def modifiers(self, line: Line, scope: Scope) -> list[Modifier]:
        """Read ``while CONDITION:`` or ``always:`` with the modifiers below it."""
        return modifiers.waiting(self, line, scope)

    def modifier_lines(self, lines: Sequence[Line], condition: Expr | None, scope: Scope) -> list[Modifier]:
        """Read lines of modifiers under a condition that has been read already (in slots self and this)."""
        return modifiers.lines(self, lines, condition, scope)

    def event(self, line: Line, node: Readable, scope: Scope) -> Event | None:
        """Read the name or phrase of an event (``once per turn start``)."""
        return events.named(self, line, node, scope)

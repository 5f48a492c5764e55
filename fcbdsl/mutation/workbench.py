"""A model of files in which single declarations are tried in other words, and put back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from fcbdsl.catalog import Catalog
from fcbdsl.model.check import Checker
from fcbdsl.model.declarations import Action, Form
from fcbdsl.model.declaring.plays import read_action, read_rule
from fcbdsl.model.declaring.signatures import BODIES, read_body
from fcbdsl.model.declaring.units import FormUnit
from fcbdsl.model.lines import key_of
from fcbdsl.syntax.tree import File, Line


class Workbench:
    """A model of files in which single declarations can be read again, from other lines. What is seen only in the whole
    (lints, missions that can't be won) is not looked for. `problems`: those of the files as they are."""

    def __init__(
        self,
        files: Sequence[File],
        switches: Mapping[str, str],
        spoken: Sequence[str],
        proofs: Sequence[str] = (),
        catalogs: Sequence[Catalog] = (),
    ) -> None:
        checker = Checker(switches, spoken, proofs, catalogs)
        self.model = checker.update(files)
        self.problems = checker.problems(whole=False)
        self._context = checker.context
        self._context.problems.taken()
        self._forms = {id(unit.declaration.line): unit.draft for unit in checker.units() if isinstance(unit, FormUnit)}
        self._others = {id(one.line): one for one in self._context.index.of("action", "rule")}

    def change(self, old: Line, new: Line, at: int) -> Change | None:
        """Read the declaration that stands on the line `old` again from `new`, whose block differs in its line number
        `at` alone. None if more than that declaration may depend on it."""
        key = key_of(old.block[at])
        draft, declaration = self._forms.get(id(old)), self._others.get(id(old))
        if draft is not None and key in BODIES and len(new.block) == len(old.block):
            form, body = draft.form, draft.form.body
            form.body = read_body(self._context, form, new.block[at], key)
            return self._changed((form,), lambda: setattr(form, "body", body))
        if declaration is None or key == "form":
            return None
        renewed = replace(declaration, line=new)
        if declaration.sort == "rule":
            rules, rule = self.model.rules, self.model.rules[declaration.id]
            read_rule(self._context, renewed)
            return self._changed((), lambda: rules.__setitem__(declaration.id, rule))
        actions, action = self.model.actions, self.model.actions[declaration.id]
        actions[declaration.id] = Action(action.id, action.span, renewed.named(), system=action.system)
        read_action(self._context, renewed)
        return self._changed((), lambda: actions.__setitem__(declaration.id, action))

    def _changed(self, forms: tuple[Form, ...], undo: Callable[[], None]) -> Change:
        found = self._context.problems.taken()
        return Change(forms, not any(problem.severity == "error" for problem in found), undo)


@dataclass(frozen=True, slots=True)
class Change:
    """A declaration of a workbench that was read again: the forms that have another body now, whether it makes sense,
    and how it is undone."""

    forms: tuple[Form, ...]
    sound: bool
    undo: Callable[[], None]

"""From files to a model: `check`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from fcbdsl import bounds
from fcbdsl.diagnostics.base import Diagnostic
from fcbdsl.diagnostics.problems import Problems
from fcbdsl.diagnostics.suggestions import comparing
from fcbdsl.model.builtins import declare_builtins
from fcbdsl.model.checks.dropped import report_dropped
from fcbdsl.model.checks.lints import lint
from fcbdsl.model.checks.missions.run import check_missions
from fcbdsl.model.checks.using import check_uses
from fcbdsl.model.declarations import Action, Form
from fcbdsl.model.declaring.boards import check_sort, declare_ground
from fcbdsl.model.declaring.collect import check_heads, collect
from fcbdsl.model.declaring.components import declare_components, declare_systems, languages
from fcbdsl.model.declaring.context import Context
from fcbdsl.model.declaring.definitions import declare_definitions, read_boards, read_definition
from fcbdsl.model.declaring.kinds import declare_columns, declare_kinds, declare_nouns
from fcbdsl.model.declaring.plays import (
    declare_actions,
    read_action,
    read_invariant,
    read_programs,
    read_prospect,
    read_rule,
)
from fcbdsl.model.declaring.scripts import declare_tests, read_test
from fcbdsl.model.declaring.signatures import (
    BODIES,
    FormDraft,
    declare_forms,
    read_body,
    read_form,
    read_signatures,
    read_variant_texts,
)
from fcbdsl.model.lines import key_of
from fcbdsl.model.resolve.resolver import DeclarationResolver
from fcbdsl.model.resolve.vocabulary import Vocabulary
from fcbdsl.model.whole import Model
from fcbdsl.syntax.pausing import collector_paused
from fcbdsl.syntax.tree import File, Line


def check(
    files: Sequence[File],
    *,
    switches: Mapping[str, str] | None = None,
    spoken: Sequence[str] = (),
    proofs: Sequence[str] = (),
) -> tuple[Model, list[Diagnostic]]:
    """Make a model of files (`core` among them) and report everything that is wrong with them.

    `switches`: the project's settings of variants. `spoken`: the project's languages (none: as its systems say).
    `proofs`: names of those files that hold the project's tests.
    Never raises for what an author wrote.
    """
    problems = Problems()
    with collector_paused(), comparing(bounds.LETTERS_COMPARED):
        context = _context(files, problems, switches or {}, spoken)
        context.model.proofs = tuple(proofs)
        _declare(context)
        report_dropped(files, context.reader, problems)
        lint(context)
        check_uses(context, files)
        check_missions(context)
    return context.model, problems.sorted()


class Workbench:
    """A model of files in which single declarations can be read again, from other lines. What is seen only in the whole
    (lints, missions that can't be won) is not looked for. `problems`: those of the files as they are."""

    def __init__(
        self, files: Sequence[File], switches: Mapping[str, str], spoken: Sequence[str], proofs: Sequence[str] = ()
    ) -> None:
        found = Problems()
        with collector_paused():
            self._context = _context(files, found, switches, spoken)
            self._context.model.proofs = tuple(proofs)
            forms = _declare(self._context)
        self.model = self._context.model
        self.problems = found.sorted()
        found.taken()
        self._forms = {id(draft.declaration.line): draft for draft in forms}
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


def declare(
    files: Sequence[File],
    *,
    switches: Mapping[str, str] | None = None,
    spoken: Sequence[str] = (),
    proofs: Sequence[str] = (),
) -> tuple[Model, list[Diagnostic]]:
    """Make a model like `check`, without looking for what only the whole shows: lints, missions that can't be won."""
    problems = Problems()
    with collector_paused():
        context = _context(files, problems, switches or {}, spoken)
        context.model.proofs = tuple(proofs)
        _declare(context)
    return context.model, problems.sorted()


def _context(files: Sequence[File], problems: Problems, switches: Mapping[str, str], spoken: Sequence[str]) -> Context:
    """Begin a check: collect the declarations, and make an empty model with its reader."""
    model = Model()
    declare_builtins(model)
    index = collect(files, problems)
    vocabulary = Vocabulary(model)
    context = Context(model, problems, index, vocabulary, DeclarationResolver(vocabulary, problems), switches)
    languages(context, spoken)
    check_heads(index, problems)
    return context


def _declare(context: Context) -> list[FormDraft]:
    """Declare everything, then read what needs everything declared; return the forms."""
    index = context.index
    declare_systems(context)
    declare_kinds(context)
    declare_components(context)
    declare_ground(context.model)
    drafts = declare_definitions(context)
    declare_columns(context)
    boards = read_boards(context, drafts)
    tests = declare_tests(context)
    check_sort(context, [*boards, *(test.board for test, _ in tests if test.board is not None)])
    declare_nouns(context)
    declare_actions(context)
    forms = declare_forms(context)
    read_signatures(context, forms)
    read_variant_texts(context)
    for reading in context.later:
        reading()
    for form in forms:
        read_form(context, form)
    for declaration in index.of("action"):
        read_action(context, declaration)
    for declaration in index.of("rule"):
        read_rule(context, declaration)
    for declaration in index.of("invariant"):
        read_invariant(context, declaration)
    for declaration in index.of("prospect"):
        read_prospect(context, declaration)
    read_programs(context)
    for draft in drafts:
        read_definition(context, draft)
    for test, declaration in tests:
        read_test(context, test, declaration)
    return forms

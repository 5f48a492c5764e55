"""From files to a model: `check`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fcbdsl import bounds
from fcbdsl.diagnostics.base import Diagnostic
from fcbdsl.diagnostics.problems import Problems
from fcbdsl.diagnostics.suggestions import comparing
from fcbdsl.model.builtins import declare_builtins
from fcbdsl.model.checks.dropped import report_dropped
from fcbdsl.model.checks.lints import lint
from fcbdsl.model.checks.missions.run import check_missions
from fcbdsl.model.checks.using import check_uses
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
from fcbdsl.model.declaring.signatures import declare_forms, read_form, read_signatures, read_variant_texts
from fcbdsl.model.phrases.reader import Reader
from fcbdsl.model.phrases.vocabulary import Vocabulary
from fcbdsl.model.whole import Model
from fcbdsl.syntax.pausing import collector_paused
from fcbdsl.syntax.tree import File


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


def declare(
    files: Sequence[File],
    *,
    switches: Mapping[str, str] | None = None,
    spoken: Sequence[str] = (),
) -> tuple[Model, list[Diagnostic]]:
    """Make a model like `check`, without looking for what only the whole shows: lints, missions that can't be won."""
    problems = Problems()
    with collector_paused():
        context = _context(files, problems, switches or {}, spoken)
        _declare(context)
    return context.model, problems.sorted()


def _context(files: Sequence[File], problems: Problems, switches: Mapping[str, str], spoken: Sequence[str]) -> Context:
    """Begin a check: collect the declarations, and make an empty model with its reader."""
    model = Model()
    declare_builtins(model)
    index = collect(files, problems)
    vocabulary = Vocabulary(model)
    context = Context(model, problems, index, vocabulary, Reader(vocabulary, problems), switches)
    languages(context, spoken)
    check_heads(index, problems)
    return context


def _declare(context: Context) -> None:
    """Declare everything, then read what needs everything declared."""
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

"""A model in which single declarations can be replaced by changed versions and restored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fcbdsl.base.catalog import Catalog
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source
from fcbdsl.language.model.check import Checker
from fcbdsl.language.model.declarations import Action, Form
from fcbdsl.language.model.declaring.plays import read_action, read_rule
from fcbdsl.language.model.declaring.signatures import BODIES, read_body
from fcbdsl.language.model.declaring.units import FormUnit
from fcbdsl.language.model.lines import keyword_of
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.pieces import FilePiece, Pieces, cut_pieces, read_pieces
from fcbdsl.language.syntax.tree import File, Line
from fcbdsl.tools.mutation.mutants import Mutant


class Workbench:
    """A model of files in which single declarations can be read again, from other lines.

    It skips checks of the whole (lints, missions that can't be won). `problems`: those of the unchanged files.
    """

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
        self._others = {id(declaration.line): declaration for declaration in self._context.index.of("action", "rule")}

    def change(self, old: Line, new: Line, at: int) -> Change | None:
        """Read the declaration of the line `old` again from `new`, whose block differs only in the line with index
        `at`.

        Return None if more than that declaration may depend on it.
        """
        key = keyword_of(old.block[at])
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
        problems = self._context.problems.taken()
        return Change(forms, not any(problem.severity == "error" for problem in problems), undo)


@dataclass(frozen=True, slots=True)
class Change:
    """A replaced declaration of a workbench: the forms with another body, whether it is valid, and how to restore
    it."""

    forms: tuple[Form, ...]
    sound: bool
    undo: Callable[[], None]


class Follower:
    """Files that are changed by one mutant after another, with an incremental checker: it reads only what a mutant
    changes and what mentions that."""

    def __init__(
        self,
        files: Sequence[File],
        switches: Mapping[str, str],
        spoken: Sequence[str],
        proofs: Sequence[str] = (),
        catalogs: Sequence[Catalog] = (),
    ) -> None:
        self._pieces = {file.source.name: read_pieces(file.source) for file in files}
        self._files = {name: pieces.file() for name, pieces in self._pieces.items()}
        self._checker = Checker(switches, spoken, proofs, catalogs)
        self._moved: list[tuple[FilePiece, int]] = []  # pieces moved by a mutant, with their old places
        self._last: tuple[Mutant, list[File] | None] | None = None

    def prepare(self) -> None:
        """Read the unchanged files, so that a mutant needs only its change to be read."""
        self._checker.update(list(self._files.values()))

    def changed(self, mutant: Mutant) -> list[File] | None:
        """Return the files with a change; None if it can't be parsed. This invalidates the files of an earlier mutant,
        which share lines."""
        if self._last is None or self._last[0] != mutant:
            self._last = mutant, self._changed(mutant)
        return self._last[1]

    def model(self, files: Sequence[File], whole: bool) -> tuple[Model, list[Diagnostic]]:
        """Return the model of files, and its problems (`whole`: with checks of the whole). It is valid until the next
        call."""
        return self._checker.update(files), self._checker.problems(whole)

    def _changed(self, mutant: Mutant) -> list[File] | None:
        for piece, above in self._moved:
            piece.source.above = above
        name = mutant.key.file
        own = self._pieces[name].pieces
        places = [(piece, piece.source.above) for piece in own]
        source = Source(name, mutant.applied(self._pieces[name].source.text))
        pieces = _read_over(source, own)
        self._moved = [(piece, above) for piece, above in places if piece.source.above != above]
        if any(problem.severity == "error" for problem in pieces.problems()):
            return None
        return [pieces.file() if of == name else file for of, file in self._files.items()]


def _read_over(source: Source, own: Sequence[FilePiece]) -> Pieces:
    """Read a changed file and reuse the pieces of the unchanged one; only their positions may change."""
    texts = set(cut_pieces(source.text))
    return read_pieces(source, [piece for piece in own if piece.source.text in texts])

"""Checks for wordings that readers cannot distinguish, and for wordings that use the title of something else."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import field

from fcbdsl.base.diagnostics import Diagnostic, Related
from fcbdsl.base.diagnostics.print import BorrowedTitle, SharedWording
from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Event, Field, Form, Kind, Name, Param, Wording
from fcbdsl.language.model.ir.operators import reads_slot
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.language import Language
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.text_templates import template_words
from fcbdsl.language.prose.titles import without_agreement

CORE = "core"
COUNTERS = ("status", "token")

Titled = Kind | Field | Form
"""Things whose title is a term in rules text: kinds, statuses, tokens, keywords."""


def ambiguities(
    model: Model, languages: Sequence[str], printed: Sequence[Definition] | None = None
) -> list[Diagnostic]:
    """Return a diagnostic for each pair of declarations whose wordings readers cannot distinguish.

    A form of the core counts if an action or a definition in `printed` (None: any) uses it.
    """
    speech = _Speech(model, model.definitions.values() if printed is None else printed)
    problems: dict[frozenset[int], Diagnostic] = {}
    for code in languages:
        for which, problem in (*_shared(speech, code), *_namesakes(speech, code), *_borrowed(speech, code)):
            problems.setdefault(which, problem)
    return list(problems.values())


@dataclass(slots=True)
class _Meant:
    """The subjects of a form, including those of the forms that it uses.

    `kinds`: kinds of the things that it reads. `selected`: kinds of the things that it selects. `named`: ids of fields,
    forms and labels.
    """

    kinds: set[str] = field(default_factory=set)
    selected: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)


def _reserved_words(form: Form) -> set[str]:
    """Return the kinds of a form's parameters and of its result."""
    return {param.type.name for param in form.params} | {form.gives.name}


class _Speech:
    """The subjects of a model's forms, and the forms that content uses."""

    def __init__(self, model: Model, printed: Iterable[Definition]) -> None:
        self.model = model
        self.printed = printed
        self._meant: dict[int, _Meant] = {}
        self._used: dict[int, list[ir.Do | ir.Apply]] | None = None
        self._narrower: dict[int, set[str]] = {}

    def meant(self, form: Form) -> _Meant:
        """Return the subjects of a form."""
        if id(form) not in self._meant:
            own = self._meant[id(form)] = _Meant(named={form.id})
            own.kinds |= _reserved_words(form)
            for node in ir.walk(form.body):
                self._read(node, own)
        return self._meant[id(form)]

    def _read(self, node: ir.Node, own: _Meant) -> None:
        if isinstance(kind := getattr(node, "type", None), ir.Type):
            own.kinds.add(kind.name)
        match node:
            case ir.Select():
                own.selected.add(node.type.name)
            case ir.IsA() | ir.Def() | ir.Instance():
                own.kinds.add(node.kind)
                own.selected |= {node.kind} if isinstance(node, ir.IsA) else set()
            case ir.Const():
                own.named.add(node.label)
            case ir.Get() | ir.Modifier():
                own.named.add(node.field.id)
            case ir.Do() | ir.Apply():
                inner = self.meant(node.form)
                own.named |= inner.named
                own.kinds |= inner.kinds
                own.selected |= inner.selected

    def uses(self, form: Form) -> list[ir.Do | ir.Apply]:
        """Return the uses of a form in definitions, and in actions without a reminder."""
        if self._used is None:
            self._used = {}
            roots: list[object] = [action.body for action in self.model.actions.values() if not action.name.reminder]
            for definition in self.printed:
                roots += [value.body for value in definition.values.values() if value.body is not None]
                roots.append((tuple(definition.listeners), tuple(definition.modifiers)))
            for node in (node for root in roots for node in ir.walk(root)):
                if isinstance(node, ir.Do | ir.Apply):
                    self._used.setdefault(id(node.form), []).append(node)
        return self._used.get(id(form), [])

    def given(self, owner: Form | Event, shown: Sequence[Param]) -> list[list[ir.Type]]:
        """Return the types of possible arguments in some slots of a wording.

        For a form of the core these are the types of content's arguments, for others those of the parameters.
        """
        if isinstance(owner, Form) and owner.system == CORE:
            at = [owner.params.index(param) for param in shown]
            rows = [[use.args[place] for place in at] for use in self.uses(owner)]
            return [
                [param.type if arg is None else arg.type for param, arg in zip(shown, row, strict=True)] for row in rows
            ]
        return [[param.type for param in shown]]

    def narrower(self, kind: Kind) -> set[str]:
        """Return a kind and all that descend from it."""
        if not self._narrower:
            for descendant in self.model.kinds.values():
                for above in descendant.lineage():
                    self._narrower.setdefault(id(above), set()).add(descendant.id)
        return self._narrower.get(id(kind), set())

    def overlap(self, mine: ir.Type, theirs: ir.Type) -> bool:
        """Return whether the same thing could be of two types."""
        if (mine.base, mine.many) != (theirs.base, theirs.many):
            return False
        if mine.base != "thing":  # a definition is printed by its title, which shows its kind
            return mine.name == theirs.name or mine.base == "zone"
        if not (mine.name and theirs.name):
            return True
        kinds = self.model.kinds
        left, right = kinds.get(mine.name), kinds.get(theirs.name)
        if left is None or right is None:
            return mine.name == theirs.name
        return left in right.lineage() or right in left.lineage()


# ── two meanings of the same words ────────────────────────────────────────────────────────────


def _shared(speech: _Speech, code: str) -> Iterator[tuple[frozenset[int], Diagnostic]]:
    """Report pairs of forms of one sort, or of events, that print the same words for different meanings."""
    seen: dict[Hashable, list[tuple[Form | Event, Wording, list[list[ir.Type]]]]] = {}
    spoken: list[Form | Event] = list(speech.model.forms)
    spoken += [event for event in speech.model.events.values() if event.verb is None]
    if all(speech.model.is_lent(text.span) for owner in spoken for text in owner.texts if text.language == code):
        return  # authors cannot change them
    for owner in spoken:
        sort = _sort(owner)
        place = "order" if sort in ("verb", "keyword") else sort
        for text in owner.texts:
            parts = text.template.split(" / ") if text.language == code and text.template else []
            for part in parts if sort == "measure" else parts[:1]:
                words, shown = _pattern(part, owner, text.condition)
                given = speech.given(owner, shown)
                key = (place, text.template.startswith("{"), len(shown), words)
                for other, earlier, taken in seen.setdefault(key, []):
                    pairs = [(row, column) for row in given for column in taken]
                    alike = any(all(map(speech.overlap, row, column)) for row, column in pairs)
                    if other is owner or not alike or not _differ(owner, other):
                        continue
                    if speech.model.is_lent(text.span):  # report what the author can change
                        yield _pair(other, owner, earlier, text, code)
                    else:
                        yield _pair(owner, other, text, earlier, code)
                seen[key].append((owner, text, given))


def _pattern(template: str, owner: Form | Event, condition: ir.Expr | None) -> tuple[str, list[Param]]:
    """Return the words of a template with numbered slots, and the parameters in the slots, in reading order.

    A relation without a slot for its subject has it before the words. Parameters in the text's condition count, too.
    """
    by_name = {param.name: param for param in owner.params}
    shown: list[Param] = []
    numbers: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        name = match[0]
        if name in by_name and name not in numbers:
            numbers[name] = str(len(numbers))
            shown.append(by_name[name])
        return numbers.get(name, name)

    words = re.sub(r"\{[#^-][^{}]*\}", "", template).replace("*", "").casefold()
    words = re.sub(r"(?<=[{ ^>-])[\w-]+(?=['}>])", number, words)
    if isinstance(owner, Form) and owner.sort == "relation" and owner.params[:1] and owner.params[0] not in shown:
        shown.insert(0, owner.params[0])
    shown += [
        param for at, param in enumerate(owner.params, start=2) if param not in shown and reads_slot(condition, at)
    ]
    return " ".join(words.split()), shown


def _differ(one: Form | Event, other: Form | Event) -> bool:
    """Return whether two declarations have different meanings."""
    if not (isinstance(one, Form) and isinstance(other, Form)):
        return True
    if one.system == other.system == CORE:
        return False
    if one.op is not None or other.op is not None:
        if one.op == other.op:
            return False
    elif ir.equal_trees(_statements(one), _statements(other), numbers=True):
        return False
    return not (_is_alias(one, other) or _is_alias(other, one))


def _statements(form: Form) -> tuple[ir.Stmt, ...]:
    return form.body.statements if form.body is not None else ()


def _is_alias(one: Form, other: Form) -> bool:
    """Return whether a form is only another name for another form."""
    statements = _statements(one)
    only = statements[0] if len(statements) == 1 else None
    used = only.value if isinstance(only, ir.Answer) else only
    return isinstance(used, ir.Do | ir.Apply) and used.form is other


def _pair(
    one: Form | Event, other: Form | Event, text: Wording, earlier: Wording, code: str
) -> tuple[frozenset[int], Diagnostic]:
    related = [Related(earlier.span, f"`{other.id}` has the same words here")] if earlier.span.source.text else []
    problem = SharedWording(
        text.span,
        sort=_sort(one),
        name=one.id,
        other=other.id,
        words=_plain_words(text.template),
        language=code,
        related=related,
    )
    return frozenset((id(one), id(other))), problem


def _sort(owner: Form | Event) -> str:
    return owner.sort if isinstance(owner, Form) else "event"


def _plain_words(template: str) -> str:
    """Return the words of a template for a message."""
    return template.split(" / ")[0].replace("*", "")


# ── titles ────────────────────────────────────────────────────────────────────────────────────


def _terms(model: Model) -> list[tuple[Name, Titled]]:
    """Return the things whose title is a term in rules text."""
    terms: list[tuple[Name, Titled]] = []
    for kind in model.kinds.values():
        terms.append((kind.name, kind))
        terms += [
            (field.name, field) for field in kind.fields.values() if field.kind == kind.id and field.sort in COUNTERS
        ]
    terms += [(form.name, form) for form in model.forms if form.sort == "keyword"]
    return terms


def _titles(name: Name, language: Language) -> list[str]:
    """Return a title in singular and plural, in lower case."""
    title, many = (
        without_agreement(name.title.get(language.code, "")),
        without_agreement(name.plural.get(language.code, "")),
    )
    return list(dict.fromkeys(noun.casefold() for noun in (title, many or language.many(title)) if title))


def _namesakes(speech: _Speech, code: str) -> Iterator[tuple[frozenset[int], Diagnostic]]:
    """Report statuses, tokens and keywords with the same title, unless one of them gives or tests the other."""
    seen: dict[str, list[Field | Form]] = {}
    for name, owner in _terms(speech.model):
        if isinstance(owner, Kind) or not name.title.get(code):
            continue
        title = without_agreement(name.title[code]).casefold()
        for other in seen.setdefault(title, []):
            if not (owner.id == other.id or _speaks_of(speech, owner, other) or _speaks_of(speech, other, owner)):
                sort = owner.sort
                related = [Related(other.span, f"`{other.id}` has the same title")] if other.span.source.text else []
                yield (
                    frozenset((id(owner), id(other))),
                    SharedWording(
                        owner.span,
                        sort=sort,
                        name=owner.id,
                        other=other.id,
                        words=without_agreement(name.title[code]),
                        language=code,
                        related=related,
                    ),
                )
        seen[title].append(owner)


def _speaks_of(speech: _Speech, one: Field | Form, other: Field | Form) -> bool:
    return isinstance(one, Form) and other.id in speech.meant(one).named


def _borrowed(speech: _Speech, code: str) -> Iterator[tuple[frozenset[int], Diagnostic]]:
    """Report wordings that use the title of a kind, status or keyword which is not a subject of their form.

    A kind's title counts if the form has a wider kind as subject; a keyword's if the wording begins with it.
    """
    language, model = LANGUAGES[code], speech.model
    worded = [
        (form, text, template_words(text.template).casefold())
        for form in model.forms
        if form.op is None and form.system != CORE
        for text in form.texts
        if text.language == code and not model.is_lent(text.span)  # authors cannot change shared texts
    ]
    terms: dict[str, list[Titled]] = {}
    everything = "\n".join([words for _, _, words in worded])
    for name, owner in _terms(model) if worded else ():
        for title in _titles(name, language):
            if title in everything:
                terms.setdefault(title, []).append(owner)
    if not terms:
        return
    longest_first = sorted(terms, key=len, reverse=True)
    term = re.compile(rf"(?<![\w’'-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w’'-])")
    for form, text, words in worded:
        is_marked = text.template.startswith("*") and form.sort == "verb"  # it means the keyword's reminder
        for match in term.finditer(words):
            at_start = not words[: match.start()].strip() and not is_marked
            owners = terms[match[0]]
            wrong = [owner for owner in owners if _is_borrowed(speech, form, owner, match[0], code, at_start=at_start)]
            if len(wrong) == len(owners):
                related = [Related(wrong[0].span, "This has the title.")] if wrong[0].span.source.text else []
                yield (
                    frozenset((id(form), id(wrong[0]))),
                    BorrowedTitle(
                        text.span,
                        form=form.id,
                        title=match[0],
                        sort=wrong[0].sort if not isinstance(wrong[0], Kind) else "kind",
                        name=wrong[0].id,
                        language=code,
                        related=related,
                    ),
                )


def _is_borrowed(speech: _Speech, form: Form, owner: Titled, title: str, code: str, *, at_start: bool) -> bool:
    """Return whether a form uses the title of `owner` although `owner` is none of its subjects."""
    meant = speech.meant(form)
    if owner is form or owner.id in meant.named:
        return False
    if isinstance(owner, Kind):
        wider = {kind.id for kind in owner.lineage()[1:]} - {"thing"}
        return not meant.kinds & speech.narrower(owner) and bool((meant.selected | _reserved_words(form)) & wider)
    if isinstance(owner, Form):
        own = form.name.title.get(code, "").casefold()
        return at_start and form.sort in ("verb", "keyword") and not own.startswith(title)
    return form.sort in ("relation", "verb", "keyword")

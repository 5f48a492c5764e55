"""First pass: the declarations in the files, by their head lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import (
    BareKind,
    DuplicateDeclaration,
    MalformedDeclaration,
    TakenName,
    WrongPlace,
)
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.records import PlainRecord, dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import ADDED_LAYOUTS, LAYOUT_ALIASES
from fcbdsl.language.model.declarations import Name
from fcbdsl.language.model.lines import atoms, clause_words, keyword_of, leading, read_more_titles, single_word
from fcbdsl.language.syntax.tree import Clause, File, Line, Part, String, Word

META = (
    "system", "part", "use", "kind", "noun", "enum", "status", "terrain", "barrier", "token", "mark", "die", "ladder",
    "table", "variant", "event", "verb", "keyword", "relation", "measure", "action", "rule", "flow", "setup", "test",
    "zone", "layout", "legend", "invariant", "journey", "prospect", "window",
    "preferences",
)  # fmt: skip
"""Built-in sorts of declarations."""

INVARIANT = 'invariant NAME "What must hold": CONDITION'
"""Usage of an invariant."""

_PHRASE_NAMED = {"verb", "keyword", "relation", "measure", "event", "table", "window"}
"""Declarations whose name may have several words."""

PROSPECT = 'prospect NAME "never comes to it" for KIND: CONDITION'
"""Usage of a prospect."""

_EXTENDED = frozenset(["game", "mission", "campaign", "player", "space", "team", "ending"])
"""Built-in kinds that several systems may extend."""

_NAMELESS = {"flow", "setup", "journey", "test", "part", "use", "legend", "preferences"}


@dataclass(frozen=True, slots=True)
class Declaration(PlainRecord):
    """A head line taken apart: ``SORT NAME "Title"[, flag]* [for TARGET] [of KIND | is KIND] [covers ID, …]``."""

    sort: str
    id: str
    line: Line
    system: str
    title: str | None = None
    target: Word | None = None  # after `for`
    parent: Word | None = None  # after `is` or `of`
    flags: tuple[Word, ...] = ()
    covers: tuple[str, ...] = ()
    name_span: Span | None = None
    broken: bool = False  # its head was reported: it counts as declared, and its head is not reported again
    titles: tuple[Part, ...] = ()  # what the head says behind the title: its plural, and titles in other languages

    @property
    def span(self) -> Span:
        """Return the span of the name."""
        return self.name_span or self.line.span

    def named(self) -> Name:
        """Return a name with the title of the head line."""
        name = Name({} if self.title is None else {"en": self.title})
        read_more_titles(name, self.titles, "en")
        return name


@dataclass(slots=True)
class Index:
    """All declarations, in order, and by sort."""

    all: list[Declaration] = field(default_factory=list)
    by_sort: dict[str, list[Declaration]] = field(default_factory=dict)
    _by_line: dict[int, Declaration] = field(default_factory=dict)

    def add(self, declaration: Declaration) -> None:
        """Add a declaration behind the others."""
        self.all.append(declaration)
        self.by_sort.setdefault(declaration.sort, []).append(declaration)
        self._by_line[id(declaration.line)] = declaration

    def at(self, line: Line) -> Declaration | None:
        """Return the declaration on a line; None if there is none."""
        return self._by_line.get(id(line))

    def replace(self, old: Declaration, new: Declaration) -> None:
        """Put a declaration of the same sort in the place of another one."""
        for declarations in (self.all, self.by_sort[old.sort]):
            declarations[next(at for at, declaration in enumerate(declarations) if declaration is old)] = new
        del self._by_line[id(old.line)]
        self._by_line[id(new.line)] = new

    def of(self, *sorts: str) -> Iterator[Declaration]:
        """Yield the declarations of some sorts, in order of their sorts, then of the files."""
        for sort in sorts:
            yield from self.by_sort.get(sort, ())


Heads = dict[int, tuple[Line, Declaration]]
"""Cache of head lines that were parsed without problems, by the identity of their lines."""


def collect_heads(files: Sequence[File], problems: Problems, heads: Heads, lent: Collection[str] = ()) -> Index:
    """Parse the head lines of all files; report missing names and duplicate declarations.

    `heads` contains the heads parsed before; it is updated. `lent` contains the names of shipped files: of two
    declarations, the one outside of them is reported.
    """
    index = Index()
    heads_before = dict(heads)
    heads.clear()
    seen: dict[tuple[str, str], Declaration] = {}
    for file in files:
        system = system_of(file)
        for line in file.lines:
            declaration = _head(line, system, problems, heads_before, heads)
            if declaration is None:
                continue
            key = (_namespace(declaration.sort), declaration.id)
            if declaration.id and key in seen and not (_extends(declaration) or _changes(declaration, seen[key], lent)):
                first, second = seen[key], declaration
                if file.source.name in lent:
                    first, second = second, first
                related = [Related(first.span, "the other one is here")]
                problems.add(DuplicateDeclaration(second.span, sort=second.sort, name=second.id, related=related))
                continue
            seen.setdefault(key, declaration)
            index.add(declaration)
    return index


def _head(line: Line, system: str, problems: Problems, heads_before: Heads, heads: Heads) -> Declaration | None:
    """Return the declaration of a head line, from the cache if it is unchanged."""
    before = heads_before.get(id(line))
    if before is not None and before[0] is line and before[1].system == system:
        heads[id(line)] = before
        return before[1]
    own = Problems()
    declaration = read_head(line, system, own)
    head_problems = own.taken()
    if declaration is not None and not head_problems:
        heads[id(line)] = line, declaration
    problems.extend(head_problems)
    return declaration


def read_head(line: Line, system: str, problems: Problems) -> Declaration | None:
    """Take the head line of a declaration in a file of `system` apart."""
    if line.broken:
        return _salvaged(line, system)
    return _declaration(line, system, problems) if leading(line) is not None else None


def _namespace(sort: str) -> str:
    """Return the namespace of a sort: statements share one; so do status and token."""
    return {"keyword": "verb", "table": "verb", "token": "status"}.get(sort, sort)


def _extends(declaration: Declaration) -> bool:
    """Return whether a declaration may repeat an earlier one.

    ``kind game:`` can occur in several systems, ``layout symbols:`` and similar ones in any file; forms with the same
    words can differ in their parameters.
    """
    if declaration.sort in {"verb", "keyword", "relation", "measure"}:
        return True
    if declaration.sort == "layout" and declaration.id in ADDED_LAYOUTS:
        return True
    return declaration.sort == "kind" and declaration.id in _EXTENDED


def _changes(declaration: Declaration, other: Declaration, lent: Collection[str]) -> bool:
    """Return whether one of two layouts is of the project and changes the other one, which is shipped with fcb."""
    names = (declaration.span.source.name, other.span.source.name)
    return declaration.sort == "layout" and sum(name in lent for name in names) == 1


def system_of(file: File) -> str:
    """Return the system a file belongs to; empty for content."""
    for line in file.lines:
        clause = leading(line) if keyword_of(line) in ("system", "part") else None
        if clause is None:
            continue
        words = clause_words(clause)
        if words[:1] == ("system",) and len(words) > 1:
            return words[1]
        if words[:2] == ("part", "of") and len(words) > 2:
            return words[2]
    return ""


def _declaration(line: Line, system: str, problems: Problems) -> Declaration | None:
    clause = leading(line)
    assert clause is not None
    word = keyword_of(line)
    if not word:
        problems.add(MalformedDeclaration(line.span, what="a declaration", form='KIND NAME "Title":'))
        return None
    if word == "use":
        _use(line, problems)
        return None
    if word == "part":
        if len(clause_words(clause)) != 3:
            problems.add(MalformedDeclaration(line.span, what="the head of a system's file", form="part of SYSTEM"))
        return None
    return _named(word, line, clause, system, problems)


_HEAD = re.compile(r"([^\W\d]\w*(?:-\w+)*)\s+([^\W\d]\w*(?:-\w+)*(?: [^\W\d]\w*(?:-\w+)*)*)")
_PARENT = re.compile(r" is ([^\W\d]\w*(?:-\w+)*)")


def _salvaged(line: Line, system: str) -> Declaration | None:
    """Return the most likely declaration of a broken head, so that mentions of it are not reported too."""
    match = _HEAD.match(line.source.text, line.offset, line.end)
    if match is None or match[1] in _NAMELESS:
        return None
    words: list[Word] = []
    for word in match[2].split():
        if _closes_name(match[1], word, words):
            break
        words.append(Word(0, 0, word))
    id_words = words if match[1] in _PHRASE_NAMED else words[:1]
    parent_match = _PARENT.search(line.source.text, line.offset, line.end)
    parent = Word(0, 0, parent_match[1]) if parent_match is not None else None
    return Declaration(match[1], " ".join(word.text for word in id_words), line, system, parent=parent, broken=True)


def _use(line: Line, problems: Problems) -> None:
    """Check that ``use NAME`` reads so; the project's loader has followed it."""
    name = single_word(line.tail[0].parts[0]) if line.head is None and line.tail[0].parts else None
    if name is None:
        problems.add(MalformedDeclaration(line.span, what="the name of a system", form="use NAME"))


def _named(word: str, line: Line, clause: Clause, system: str, problems: Problems) -> Declaration | None:
    """Take a head with a name apart."""
    parts = clause.parts
    clause_atoms = list(atoms(parts[0])) if parts else []
    if clause.lead is None:
        clause_atoms = clause_atoms[1:]
    id_words: list[Word] = []
    for atom in clause_atoms:
        if not isinstance(atom, Word) or _closes_name(word, atom.text, id_words):
            break
        id_words.append(atom)
    clause_atoms = clause_atoms[len(id_words) :]
    title = None
    if clause_atoms and isinstance(clause_atoms[0], String):
        title = clause_atoms[0].value
        clause_atoms = clause_atoms[1:]
    tail, covers_open = _tail(clause_atoms)
    if tail is None or (len(id_words) > 1 and word not in _PHRASE_NAMED):
        problems.add(MalformedDeclaration(line.span, what=f"the head of a `{word}`", form=_form(word)))
        return _salvaged(line, system)
    if not id_words and word not in _NAMELESS:
        problems.add(BareKind(line.span, sort=word))
        return None
    if id_words and word in {"flow", "setup", "journey", "legend", "preferences"}:
        problems.add(MalformedDeclaration(line.span, what=f"`{word}`", form=f"{word}:"))
        return None
    titles, rest = _titles(parts[1:]) if title is not None else ([], parts[1:])
    flags, covers = _flags(rest, covers_open)
    span = _span(line, id_words)
    why = _why_taken(word, [id_word.text for id_word in id_words])
    if why:
        taken = id_words[0]
        problems.add(TakenName(line.span_of(taken), sort=word, name=taken.text, why=why))
    name = " ".join(w.text for w in id_words)
    if word == "layout":
        name = LAYOUT_ALIASES.get(name, name)
    return Declaration(
        word, name, line, system, title, tail.get("for"), tail.get("is"), flags,
        (*(w.text for w in (tail.get("covers"),) if w), *covers), span, titles=tuple(titles),
    )  # fmt: skip


STATEMENTS = frozenset(
    ("if", "else", "for", "repeat", "choose", "may", "roll", "until", "let", "require", "stop", "break", "cancel",
     "answer", "announce", "offer")
)  # fmt: skip
"""Words that begin a statement of the language; only asked for membership."""
COPULAS = ("is", "are", "has")
"""Words between a subject and its predicate."""


def _why_taken(sort: str, words: Sequence[str]) -> str:
    """Return why a name is not available for a declaration; empty if it is."""
    if sort == "kind" and len(words) == 1 and words[0] in META:
        return f"`{words[0]} NAME` already declares something else"
    if sort in {"verb", "keyword", "table"} and words and words[0] in STATEMENTS:
        return f"`{words[0]}` begins a statement of the language"
    if sort in {"verb", "keyword", "table"} and list(words) == ["play"]:
        return "`play MISSION` is a statement of the language; add a second word"
    if sort == "relation" and words and (words[0] in COPULAS or words[0] == "not"):
        return f"a condition skips `{words[0]}` before a relation"
    return ""


def _closes_name(sort: str, word: str, so_far: Sequence[Word]) -> bool:
    """Return whether a word ends the name before it."""
    if word == "covers" or (word == "for" and sort not in _PHRASE_NAMED):
        return True
    return bool(so_far) and word in {"is", "of"} and sort in {"kind", "zone"}


def _tail(tail: Sequence[object]) -> tuple[dict[str, Word] | None, bool]:
    """Read ``for X``, ``is X``, ``of X``, ``covers X`` after a name; the flag shows that a list of ids has begun."""
    out: dict[str, Word] = {}
    rest = list(tail)
    while rest:
        if len(rest) < 2 or not isinstance(rest[0], Word) or not isinstance(rest[1], Word):
            return None, False
        key = {"of": "is"}.get(rest[0].text, rest[0].text)
        if key not in {"for", "is", "covers"} or key in out:
            return None, False
        out[key] = rest[1]
        rest = rest[2:]
    return out, "covers" in out


def _titles(parts: Sequence[Part]) -> tuple[list[Part], list[Part]]:
    """Split the comma-separated rest of a head: titles with their genders, and all else."""
    titles: list[Part] = []
    for part in parts:
        match atoms(part):
            case (Word(text=word), String()) if word in {"plural", "feminine"} or len(word) == 2:
                titles.append(part)
            case (Word(text="m" | "f" | "n"),) if titles:
                titles.append(part)
            case _:
                break
    return titles, list(parts[len(titles) :])


def _flags(parts: Sequence[Part], covers_open: bool) -> tuple[tuple[Word, ...], list[str]]:
    """Read the comma-separated rest of a head: flags, and the ids of the rules it covers."""
    flags: list[Word] = []
    covers: list[str] = []
    for part in parts:
        words = [atom for atom in atoms(part) if isinstance(atom, Word)]
        if not words:
            continue
        if covers_open:
            covers.append(words[0].text)
        elif len(words) > 1 and words[1].text == "covers":
            flags.append(words[0])
            covers += [word.text for word in words[2:]]
            covers_open = True
        else:
            flags.append(words[0])
    return tuple(flags), covers


def _span(line: Line, id_words: Sequence[Word]) -> Span:
    if not id_words:
        return line.span
    return Span(line.source, line.offset + id_words[0].start, line.offset + id_words[-1].end)


def _form(word: str) -> str:
    """Return the usage of a declaration of that sort."""
    if word == "kind":
        return "kind NAME is PARENT:"
    if word == "zone":
        return "zone NAME of KIND: any"
    if word == "invariant":
        return INVARIANT
    if word == "prospect":
        return PROSPECT
    return f'{word} NAME "Title":'


def check_heads(index: Index, problems: Problems) -> None:
    """Report files of a system that is not declared."""
    systems = {declaration.id for declaration in index.of("system")}
    reported: set[str] = set()
    for declaration in index.all:
        system = declaration.system
        if system and system not in systems and system not in reported:
            reported.add(system)
            problems.add(
                WrongPlace(
                    declaration.span,
                    what=f"This file is part of `{system}`, but no file declares that system.",
                    cure=f'Write `system {system} "Title":` in one file.',
                )
            )

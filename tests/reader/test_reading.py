"""The printed texts of the shipped games, read back: what is read is what they were printed from, in normal form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from games import GAMES, PROJECTS, ROOT, looked_through

from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.project.project import load_project
from fcbdsl.tools.mutation.mutants import Mutant, mutants, sample_mutants
from fcbdsl.tools.mutation.sites import SourceMeanings
from fcbdsl.tools.mutation.workbench import Follower
from reader.matching import Matcher
from reader.reading import CannotRead, Reader

UNREAD = Path(__file__).parent / "unread"
FLOOR = {"far-cry-beyond": 211, "fireteam-zero": 51, "escape": 39, "beast": 130}
"""How many texts are read as their trees, at least. It may only rise."""
ACCEPTED = {"far-cry-beyond": 0, "fireteam-zero": 0, "escape": 0, "beast": 0}
"""How many mutants of the sample are read from the text of what they were made from, at most. It may only fall."""
MUTANTS = 60
"""How many mutants with other words are tried in a game."""


def printed(definition: Definition, model: Model) -> str:
    """Return the generated English of a definition; empty if its author wrote it, or it is a map."""
    if definition.text.get("en") or definition.board is not None:
        return ""
    return rules_text(definition, model, "en").plain()


@dataclass
class Coverage:
    """The result for each text of a game, with the reason."""

    agreeing: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)

    def read(self, name: str, text: str, definition: Definition, matcher: Matcher) -> None:
        """Read a text, and compare it with its tree."""
        try:
            trees = matcher.reader.read(text)
        except CannotRead as sentence:
            self.unread.append(f"{name}: no sentence of the grammar: {sentence}")
            return
        if matcher.agrees(trees, definition):
            self.agreeing.append(name)
        else:
            self.differing.append(
                f"{name}: {matcher.stuck or 'no reading is its tree'}: {' / '.join(text.splitlines())}"
            )

    def report(self) -> str:
        """Return the texts that do not agree, with the reasons."""
        return "\n".join(
            ["# Sentences that the grammar cannot read.", *self.unread, "# Read as another tree.", *self.differing, ""]
        )


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_texts_are_read_back_as_their_trees(game: str, update: bool) -> None:
    model, _ = looked_through(game)
    matcher, coverage = Matcher(Reader(model)), Coverage()
    for definition in model.definitions.values():
        text = printed(definition, model)
        if text:
            coverage.read(f"{definition.kind.id} {definition.id}", text, definition, matcher)
    good, total = len(coverage.agreeing), sum(map(len, vars(coverage).values()))
    print(f"{game}: {good} of {total} texts agree ({100 * good / total:.1f} %)")
    if update:
        UNREAD.mkdir(exist_ok=True)
        (UNREAD / f"{game}.txt").write_text(coverage.report(), encoding="utf-8")
    assert good >= FLOOR[game], coverage.report()


@dataclass
class Trial:
    """Mutants of a game whose printed texts can be read."""

    game: str

    def __post_init__(self) -> None:
        loader = load_project(root=ROOT, game=self.game, tests=False)
        files, project = loader.files(), PROJECTS[self.game]
        self.follower = Follower(files, project.variants, project.languages, (), loader.translations())
        self.model, _ = self.follower.model(files, whole=False)
        vocabulary = SourceMeanings(self.model)
        self.found = [
            mutant for file in files for mutant in mutants(file, vocabulary) if self.printed_by(mutant) is not None
        ]
        self.texts = {key: printed(definition, self.model) for key, definition in self.model.definitions.items()}
        self.matcher = Matcher(Reader(self.model))

    def printed_by(self, mutant: Mutant) -> tuple[str, str] | None:
        """Return the definition that contains a change, if it has generated words."""
        near = [
            (definition.span.line, key)
            for key, definition in self.model.definitions.items()
            if definition.span.source.name == mutant.key.file and definition.span.line <= mutant.line
        ]
        key = max(near, default=(0, None))[1]
        if key is None or self.model.definitions[key].id not in mutant.key.of.split():
            return None
        return key

    def changed(self, number: int, seed: int) -> Iterator[tuple[Mutant, str, Definition, str]]:
        """Yield so many mutants, each with the old text, the new definition, and its text."""
        tried = 0
        for mutant in sample_mutants(self.found, min(len(self.found), number * 6), seed):
            key = self.printed_by(mutant)
            files = self.follower.changed(mutant)
            if key is None or files is None or not self.texts[key]:
                continue
            model, problems = self.follower.model(files, whole=False)
            if key not in model.definitions or any(problem.severity == "error" for problem in problems):
                continue
            tried += 1
            yield mutant, self.texts[key], model.definitions[key], printed(model.definitions[key], model)
            if tried == number:
                return


def accepted(trial: Trial, number: int, seed: int = 1) -> tuple[list[str], int, int]:
    """Return the mutants that are read from the text before, how many print the same, and how many were tried."""
    taken, silent, tried = [], 0, 0
    for mutant, before, definition, after in trial.changed(number, seed):
        tried += 1
        try:
            agrees = trial.matcher.agrees(trial.matcher.reader.read(before), definition)
        except CannotRead:
            agrees = False
        silent += before == after
        if agrees and before != after:
            taken.append(f"{mutant.key.of}: {mutant.key.text}: {mutant.key.change}: {before!r} -> {after!r}")
    return taken, silent, tried


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_texts_are_not_read_as_the_trees_of_mutants(game: str) -> None:
    taken, silent, tried = accepted(Trial(game), MUTANTS)
    print(f"{game}: {len(taken)} of {tried} mutants accepted, {silent} print the same")
    assert tried >= MUTANTS // 2
    assert len(taken) <= ACCEPTED[game], "\n".join(taken)


def test_short_texts_have_one_reading() -> None:
    """A text agrees with its own tree, and not with that of another card."""
    model, _ = looked_through("beast")
    matcher = Matcher(Reader(model))
    texts: dict[str, Definition] = {}
    for definition in model.definitions.values():
        text = printed(definition, model)
        if text and len(text) < 24:
            texts[text] = definition
    chosen = sorted(texts)[:12]
    assert len(chosen) == 12
    for text in chosen:
        for other in chosen:
            assert matcher.agrees(matcher.reader.read(text), texts[other]) == (text == other), (text, other)

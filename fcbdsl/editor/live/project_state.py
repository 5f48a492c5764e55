"""The state of a project in the live preview: the selected file and piece, and all results."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.editor.live.background_runner import (
    Found,
    GameChecked,
    GamePlayed,
    Lost,
    TestName,
    TestRan,
    TestsKnown,
    TestsPlanned,
)
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import Paragraph
from fcbdsl.print.layout.views import Card, Sheet
from fcbdsl.print.pieces.looks import check_looks
from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.printables import languages_on_request, printable
from fcbdsl.print.press.proofs import drawn_map, render_piece
from fcbdsl.project.paths import shown_name
from fcbdsl.project.project import NoProject, SeveralGames, UnknownGame
from fcbdsl.project.workspace import Workspace

TEST = "test"
"""The sort of declarations that are tests."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The selected piece of a file of a game. Without a file: the file that was saved last."""

    game: str = ""
    file: str = ""
    piece: str = ""


@dataclass(frozen=True, slots=True)
class LiveFace:
    """The printed form of a piece in a language: a card, or a sheet with its map; for other pieces their text."""

    language: str
    view: Card | Sheet | None = None
    map: str = ""
    words: tuple[Paragraph, ...] = ()


@dataclass(slots=True)
class GameDesk:
    """One game of the project, and the results from its background runner.

    `problems`: None until the runner has more than the workspace. `concerned`, `run`: tests to run, and those that have
    run. `faces`: the faces of pieces in the last state that could be drawn.
    """

    space: Workspace
    problems: tuple[Diagnostic, ...] | None = None
    tests: tuple[TestName, ...] = ()
    counted: bool = False
    failed: dict[TestName, Diagnostic] = field(default_factory=dict)
    reached: dict[str, tuple[TestName, ...]] = field(default_factory=dict)
    concerned: int = 0
    run: dict[TestName, None] = field(default_factory=dict)
    running: bool = True
    games: int = 0
    missions: tuple[str, ...] = ()
    lost: list[Lost] = field(default_factory=list)
    faces: dict[str, tuple[LiveFace, ...]] = field(default_factory=dict)
    fresh: dict[str, None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the name of the game; empty if the project has a single one."""
        return self.space.loader.project.game

    def findings(self) -> list[Diagnostic]:
        """Return the problems that are known so far."""
        return list(self.problems) if self.problems is not None else self.space.problems()

    @property
    def sound(self) -> bool:
        """Return whether there are no errors."""
        return not any(diagnostic.severity == "error" for diagnostic in self.findings())


class Desk:
    """An open project. Its methods may be called from several threads."""

    def __init__(self, spaces: Sequence[Workspace]) -> None:
        self.games = [GameDesk(space) for space in spaces]
        self._lock = threading.RLock()
        self._texts = self._all_texts()
        self.saved = self._first()
        self.paints = False
        """Whether the page links to the map painter."""
        self.editor = ""
        """The words of the link to the editor in the page; empty without one."""
        self.reads = 0
        """How often the disk was read again."""
        self.trouble = ""
        """Why the project can't be read at present."""
        self.ended = False
        """Whether checks and tests have stopped because of an internal or system error."""

    # ── events ─────────────────────────────────────────────────────────────────────────────────

    def refresh(self, files: Sequence[Path]) -> None:
        """Read the disk again after some files were saved, and select the last one that changed."""
        with self._lock:
            self.reads += 1
            self.trouble = ""
            for game in self.games:
                try:
                    game.space.refresh()
                except (NoProject, SeveralGames, UnknownGame) as error:
                    self.trouble = f"fcb.toml has changed ({error}): stop fcb serve and start it again."
                game.problems = None
                game.running = True
                game.fresh.clear()
                game.games, game.missions = 0, ()
                game.lost.clear()
            before, self._texts = self._texts, self._all_texts()
            for path in files:
                self._look_at(shown_name(path), before)

    def _look_at(self, name: str, before: dict[tuple[str, str], str]) -> None:
        """Select the changed place of a file."""
        for game in self.games:
            text = self._texts.get((game.name, name))
            if text is not None and game.space.owns(name):
                line = _first_difference(before.get((game.name, name), ""), text)
                self.saved = Choice(game.name, name, self._piece_at(game, name, line))
                return

    def note(self, result: Found) -> None:
        """Store a result of the background runner."""
        with self._lock:
            game = next(game for game in self.games if game.name == result.game)
            match result:
                case GameChecked(problems=problems, sound=sound):
                    game.problems = problems
                    game.running = sound
                case TestsPlanned(concerned=concerned):
                    game.concerned = concerned
                    game.run.clear()
                case TestRan(test=test, failure=failure):
                    game.run[test] = None
                    game.failed.pop(test, None)
                    if failure is not None:
                        game.failed[test] = failure
                case TestsKnown(tests=tests, failed=failed, reached=reached):
                    game.tests, game.failed, game.reached = tests, dict(failed), dict(reached)
                    game.running, game.counted = False, True
                case GamePlayed(games=games, missions=missions, lost=lost):
                    game.games, game.missions = games, missions
                    if lost is not None:
                        game.lost.append(lost)

    def end(self) -> None:
        """Record that no more checks and tests will run."""
        with self._lock:
            self.ended = True
            for game in self.games:
                game.running = False

    # ── the selection ──────────────────────────────────────────────────────────────────────────

    def __enter__(self) -> Desk:
        self._lock.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def shown(self, choice: Choice) -> tuple[GameDesk, Choice]:
        """Return the game and the place of a choice; a missing file or piece is replaced by an existing one."""
        wanted = choice if choice.file else self.saved
        game = next((game for game in self.games if game.name == wanted.game), self.games[0])
        if wanted.file not in game.space.files:
            return game, Choice(game.name)
        pieces = [piece_key(declaration) for declaration in self.pieces(game, wanted.file)]
        piece = wanted.piece if wanted.piece in pieces else next(iter(pieces), "")
        return game, replace(wanted, game=game.name, piece=piece)

    def game_of(self, file: str) -> GameDesk | None:
        """Return the game that owns a file, or else the first that uses it; None if there is none."""
        using = [game for game in self.games if file in game.space.files]
        return next((game for game in using if game.space.owns(file)), next(iter(using), None))

    def files(self, game: GameDesk) -> list[str]:
        """Return the project's own files."""
        return sorted(name for name in game.space.files if game.space.owns(name))

    def pieces(self, game: GameDesk, name: str) -> list[Declaration]:
        """Return the declarations of a file except for tests, in order."""
        return [
            declaration
            for declaration in game.space.declarations()
            if declaration.span.source.name == name and declaration.sort != TEST
        ]

    def faces(self, game: GameDesk, choice: Choice) -> tuple[tuple[LiveFace, ...], bool]:
        """Return the printed forms of a piece in each language, and whether they are current: a game with errors keeps
        its former ones."""
        key = choice.piece
        if game.sound and key not in game.fresh:
            piece = next((piece for piece in self.pieces(game, choice.file) if piece_key(piece) == key), None)
            game.faces[key] = faces_of(game.space, piece) if piece is not None else ()
            game.fresh[key] = None
        return game.faces.get(key, ()), key in game.fresh

    def tests_of(self, game: GameDesk, choice: Choice) -> list[TestName]:
        """Return the tests that run code of a piece; for a file of tests, the tests in it."""
        if choice.piece in game.reached:
            wanted = game.reached[choice.piece]
            return [test for test in game.tests if test in wanted]
        return [test for test in game.tests if test[0] == choice.file]

    def lost(self, name: str, seed: int) -> Lost | None:
        """Return a game that failed since the last change."""
        with self._lock:
            games = [lost for game in self.games if game.name == name for lost in game.lost]
            return next((game for game in games if game.seed == seed), None)

    def _all_texts(self) -> dict[tuple[str, str], str]:
        return {(game.name, name): game.space.text(name) for game in self.games for name in game.space.files}

    def _first(self) -> Choice:
        """Return the initial selection: the first printed piece."""
        for game in self.games:
            for name in self.files(game):
                for piece in self.pieces(game, name):
                    if (piece.sort, piece.id) in game.space.model.definitions:
                        return Choice(game.name, name, piece_key(piece))
        return Choice(self.games[0].name)

    def _piece_at(self, game: GameDesk, name: str, line: int) -> str:
        """Return the piece at a line of a file."""
        above = [piece for piece in self.pieces(game, name) if piece.line.span.line <= line]
        return piece_key(above[-1]) if above else ""


def piece_key(piece: Declaration) -> str:
    """Return the key of a piece: ``trick/gift``."""
    return f"{piece.sort}/{piece.id}"


def _first_difference(before: str, now: str) -> int:
    """Return the first line (from 1) that has changed."""
    old = before.split("\n")
    rows = now.split("\n")
    return next((at for at, row in enumerate(rows) if at >= len(old) or row != old[at]), len(rows) - 1) + 1


def faces_of(space: Workspace, piece: Declaration) -> tuple[LiveFace, ...]:
    """Return the printed forms of a declaration of a model without errors, in each language."""
    model = space.model
    if any(problem.severity == "error" for problem in check_looks(model)):
        return ()
    definition = model.definitions.get((piece.sort, piece.id))
    languages = languages_on_request(model)
    if definition is not None and definition in printable(model):
        register = PieceRegister(model, printable(model))
        return tuple(_printed(model, register, definition.kind.id, definition.id, language) for language in languages)
    declared = space.declared(piece.span.source.name, piece.line.span.line)
    if declared is None:
        return ()
    versions = [(language, space.rules_text(declared, language).paragraphs) for language in languages]
    return tuple(LiveFace(language, words=words) for language, words in versions if words)


def _printed(model: Model, register: PieceRegister, kind: str, id: str, language: str) -> LiveFace:
    proof = render_piece(model.definitions[kind, id], model, language)
    if isinstance(proof.view, Sheet):
        return LiveFace(language, proof.view, drawn_map(proof.view))
    return LiveFace(language, register.piece(proof.definition, proof.view, "one").card)

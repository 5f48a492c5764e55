"""Views of what the games of the repository print: each is made once in a process and not changed."""

from __future__ import annotations

from functools import cache

from games import model

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.language.model.content import Definition
from fcbdsl.print.layout.views import Aid, Card, Sheet, Supplies
from fcbdsl.print.pieces import aids, cards, sheets, token_pieces


def card_in(game: str, definition: Definition, language: str) -> Card:
    """Return the view of a card or board of a game."""
    return _card(game, definition.kind.id, definition.id, language)


def sheet_in(game: str, definition: Definition, language: str) -> Sheet:
    """Return the view of a mission sheet of a game."""
    return _sheet(game, definition.kind.id, definition.id, language)


@cache
def _card(game: str, kind: str, id: str, language: str) -> Card:
    return cards.card_of(model(game).definitions[kind, id], model(game), language)[0]


@cache
def _sheet(game: str, kind: str, id: str, language: str) -> Sheet:
    return sheets.sheet_of(model(game).definitions[kind, id], model(game), language)[0]


@cache
def aid_in(game: str, language: str) -> tuple[Aid, list[Diagnostic]]:
    """Return the player aid of a game and its problems."""
    return aids.aid_of(model(game), language)


@cache
def reference_in(game: str, language: str) -> tuple[Aid, list[Diagnostic]]:
    """Return the reference of a game and its problems."""
    return aids.reference_of(model(game), language)


@cache
def supplies_in(game: str, language: str) -> tuple[Supplies, list[Diagnostic]]:
    """Return everything to cut out of a game, and its problems."""
    return token_pieces.supplies_of(model(game), language)

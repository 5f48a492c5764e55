"""Wordings that readers cannot distinguish are reported, and no shipped game has one."""

from __future__ import annotations

import games
import pytest
from card_shop import made_of

from fcbdsl.language.prose.ambiguity import ambiguities

SHARED, BORROWED = "FCB0735", "FCB0736"


def ambiguities_of(declarations: str) -> list[tuple[int, str]]:
    """Return line and code of each finding in some declarations; lines count from 1."""
    model = made_of(declarations)
    problems = ambiguities(model, ["en", "fr"])
    assert {problem.span.source.name for problem in problems} <= {"cards.fcb"}
    return [(problem.span.line - 1, problem.code) for problem in problems]


@pytest.mark.parametrize("game", games.GAMES)
def test_shipped_wordings_are_unambiguous(game: str) -> None:
    assert [problem.message for problem in ambiguities(games.model(game), ["en", "fr"])] == []


CLOAKED = """
relation cloaked from:
  takes: a (unit), b (unit)
  is: a not in sight of b
  text en: "veiled from {b}"
  text fr: "%s {b}"
relation shrouded from:
  takes: who (unit), eye (unit)
  is: %s
  text en: "%s {eye}"
  text fr: "voilé[e][s] pour {eye}"
"""


@pytest.mark.long
def test_relations_with_equal_words_are_reported() -> None:
    other = "who not in sight of eye or who behind cover from eye"
    assert ambiguities_of(CLOAKED % ("caché[e][s] à", other, "veiled from")) == [(10, SHARED)]
    assert ambiguities_of(CLOAKED % ("voilé[e][s] pour", other, "hidden from")) == [(11, SHARED)]
    assert ambiguities_of(CLOAKED % ("caché[e][s] à", other, "hidden from")) == []


def test_relations_of_equal_meaning_can_share_words() -> None:
    assert ambiguities_of(CLOAKED % ("voilé[e][s] pour", "who not in sight of eye", "veiled from")) == []


@pytest.mark.long
def test_relation_with_words_of_game_is_reported_at_own_text() -> None:
    relation = "relation tucked away from:\n  takes: a (unit), b (unit)\n  is: a's HP > b's HP\n  text en: \"%s {b}\"\n"
    assert ambiguities_of("\n" + relation % "behind cover from") == [(5, SHARED)]
    assert ambiguities_of("\n" + relation % "stronger than") == []


@pytest.mark.long
def test_verbs_keywords_measures_and_events_are_compared() -> None:
    verbs = """
verb dab:
  takes: who (unit)
  effect: wound who 1
  text en: "dab {who}"
keyword Dab "Dab":
  fr: "Tapotement"
  takes: who (unit)
  effect: wound who 2
  text en: "*Dab* {who}"
"""
    assert ambiguities_of(verbs) == [(10, SHARED)]
    of_space = verbs.replace("takes: who (unit)\n  effect: wound who 2", "takes: who (space)\n  effect: nothing")
    assert ambiguities_of(of_space) == [(5, BORROWED)]  # “dab” still begins with the keyword
    measures = """
measure vigor:
  takes: of a (unit)
  gives: number
  value: a's HP
  text en: "the vigor of {a}"
measure verve:
  takes: of a (unit)
  gives: number
  value: a's MP
  text en: "the vigor of {a}"
"""
    assert ambiguities_of(measures) == [(11, SHARED)]
    events = """
event bell:
  takes: who (unit)
  text en: "{who} [hears|hear] the bell"
event gong:
  takes: who (unit)
  text en: "{who} [hears|hear] the bell"
"""
    assert ambiguities_of(events) == [(7, SHARED)]


@pytest.mark.long
def test_title_of_subkind_is_not_used_for_parent() -> None:
    measure = """
measure pals:
  takes: of a (unit)
  gives: many unit
  value: %s, by range from a to it
  text en: "%s closest to {a}"
"""
    assert ambiguities_of(measure % ("player-character except a", "the companion")) == [(6, BORROWED)]
    assert ambiguities_of(measure % ("pet except a", "the companion")) == []
    assert ambiguities_of(measure % ("player-character except a", "the player character")) == []


@pytest.mark.long
def test_wording_does_not_start_with_title_of_other_keyword() -> None:
    verb = 'verb shove:\n  takes: who (unit)\n  effect: wound who 1\n  text en: "%s {who} hard"\n'
    assert ambiguities_of("\n" + verb % "push") == [(5, BORROWED)]
    assert ambiguities_of("\n" + verb % "jostle") == []


@pytest.mark.long
def test_status_title_is_not_used_for_other_status() -> None:
    relation = 'relation dazed:\n  takes: a (unit)\n  is: %s\n  text en: "stunned"\n'
    assert ambiguities_of("\n" + relation % "a is Impaired") == [(5, BORROWED)]
    assert ambiguities_of("\n" + relation % "a is Stunned") == []


@pytest.mark.long
def test_statuses_with_equal_titles_are_reported() -> None:
    status = 'status Woozy "%s":\n  fr: "sonné[e][s]"\nstatus Giddy "giddy":\n  fr: "étourdi[e][s]"\n'
    assert ambiguities_of("\n" + status % "giddy") == [(4, SHARED)]
    assert ambiguities_of("\n" + status % "woozy") == []


def test_wordings_of_shared_sources_are_not_compared() -> None:
    model = made_of(
        CLOAKED % ("voilé[e][s] pour", "who not in sight of eye or who behind cover from eye", "veiled from")
    )
    assert [problem.code for problem in ambiguities(model, ["en", "fr"])] == [SHARED]
    shared = {text.span.source.name for form in model.forms for text in form.texts}
    model.lent = (*shared, *(text.span.source.name for event in model.events.values() for text in event.texts))
    assert ambiguities(model, ["en", "fr"]) == []

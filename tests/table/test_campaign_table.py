"""A campaign at a table: from mission to mission, with the file of `fcb campaign`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import games
import pytest
from starlette.testclient import TestClient
from test_table_server import FIRST, HOST, SECOND, WATCH, heard, sitting

from fcbdsl.editor.table.table_server import TableHost, make_table_app
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.campaign import store
from fcbdsl.play.campaign.journey import begin_campaign, campaigns
from fcbdsl.play.campaign.logbook import Logbook
from fcbdsl.play.campaign.saved import journey_to_json
from fcbdsl.play.campaign.store import Store, create, export_store
from fcbdsl.play.session.playout import Record, close_record
from fcbdsl.play.session.view import View
from fcbdsl.play.soak.soak import Wanderer
from fcbdsl.play.table.campaign_table import CampaignTable

PLAYED = ("escape", "fireteam-zero")
"""Games whose campaign begins with a question."""


@pytest.fixture(autouse=True)
def _any_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client of Starlette runs the server in a separate thread, and the test opens the file."""
    monkeypatch.setattr(store.sqlite3, "connect", partial(sqlite3.connect, check_same_thread=False))


@contextmanager
def kept_in(file: Path, game: str, seed: int = 3) -> Iterator[Logbook]:
    image = games.image(game)
    if not file.exists():
        journey = begin_campaign(image, campaigns(image)[0], 2, seed)
        create(file, [(-1, journey_to_json(journey), image.program.hash)])
    with Store(file) as opened:
        yield Logbook(image, opened)


def nobody(record: Record) -> dict[int, object]:
    return {}


def by_hand(log: Logbook, answers: list[list[int]]) -> None:
    """Answer as `fcb campaign choose` and `fcb campaign play` do: each list is a question or a mission."""
    view = View(log.image, "en", range(log.journey.players))
    for decisions in answers:
        if not log.journey.mission:
            ask = log.journey.ask
            assert ask is not None
            log.choose(decisions[0], view.options(log.journey.game, ask)[decisions[0]])
            continue
        game, record = log.embark()
        for index in decisions:
            game.run()
            game.answer(index)
            record.decisions.append(index)
            log.decide(record)
        game.run()
        close_record(game, record)
        log.arrive(game, record, f"{view.mission(record.mission)}: {view.outcome(game)}")


@pytest.mark.long
@pytest.mark.parametrize("game", PLAYED)
def test_a_campaign_ends_as_at_the_terminal(game: str, tmp_path: Path) -> None:
    wanderer, answers = Wanderer(5), []
    with kept_in(tmp_path / "table", game) as log:
        campaign = CampaignTable(log, "en", nobody)  # type: ignore[arg-type]
        while len(answers) < 4 and (campaign.table.ask is not None or not campaign.is_between):
            table = campaign.table
            if table.ask is None:
                answers.append([*table.record.decisions])
                assert campaign.proceed((0, 1), table.n) == ""
                continue
            between = campaign.is_between
            seats = deciding_seats(table.session.game, table.ask.who)
            assert table.choose(seats, table.n, wanderer.choose(table.session.game, table.ask)) == ""
            if between:
                answers.append([*table.record.decisions])
            campaign.save()
        assert len(answers) == 4
    with kept_in(tmp_path / "hand", game) as log:
        by_hand(log, answers)
    with Store(tmp_path / "table") as one, Store(tmp_path / "hand") as other:
        assert export_store(one) == export_store(other)
        assert one.answers() == other.answers()
        assert one.decisions() == other.decisions() == []


@contextmanager
def hosted(
    file: Path, game: str = "escape", persons: tuple[int, ...] = (0, 1)
) -> Iterator[tuple[TestClient, TableHost]]:
    with kept_in(file, game) as log:
        campaign = CampaignTable(
            log, "en", lambda record: {seat: make_bot("random", seat) for seat in range(2) if seat not in persons}
        )
        links = {token: (seat,) for seat, token in enumerate((FIRST, SECOND)) if seat in persons} | {WATCH: ()}
        host = TableHost(
            campaign.table, links, lambda language: None, ("en", "fr"), campaign.save, pace=0, campaign=campaign
        )
        with TestClient(make_table_app(host, [HOST], 8000), base_url=f"http://{HOST}") as client:
            yield client, host


def test_a_choice_between_missions_leads_to_the_mission_for_all_browsers(tmp_path: Path) -> None:
    with hosted(tmp_path / "c") as (client, host), ExitStack() as stack:
        sockets = [stack.enter_context(sitting(client, token)) for token in (FIRST, SECOND, WATCH)]
        for socket in sockets:
            assert heard(socket)["mission"] == host.table.title("en")
            view = heard(socket)
            assert view["history"] == []
            socket.send_json({"t": "proceed", "n": 0})
            assert heard(socket)["reason"] == "not-yours"
            heard(socket)
        asked = host.table.asked()
        sockets[asked[0]].send_json({"t": "choose", "n": 0, "choice": 0})
        for socket in sockets:
            hello, view = heard(socket), heard(socket)
            assert hello["mission"] == host.table.title("en")
            assert view["n"] == 2
            assert "history" not in view
            assert not view.get("proceed", False)
        assert host.campaign is not None
        assert not host.campaign.is_between
        with sqlite3.connect(f"file:{tmp_path / 'c'}?mode=ro", uri=True) as base:
            assert base.execute("SELECT count(*) FROM answer").fetchone() == (1,)


def test_finished_mission_waits_until_a_player_continues(tmp_path: Path) -> None:
    with hosted(tmp_path / "c") as (client, host):
        table = host.table
        assert table.choose(table.asked(), 0, 0) == ""
        host._keep(host._save)
        assert host.campaign is not None
        table = host.table = host.campaign.table
        wanderer = Wanderer(2)
        while table.ask is not None:
            assert table.choose(table.asked(), table.n, wanderer.choose(table.session.game, table.ask)) == ""
        host._keep(host._save)
        with sitting(client, WATCH) as watcher, sitting(client, SECOND) as second:
            heard(watcher), heard(second)
            assert "proceed" not in heard(watcher)
            assert heard(second)["proceed"] is True
            watcher.send_json({"t": "proceed", "n": table.n})
            assert heard(watcher)["reason"] == "not-yours"
            heard(watcher)
            second.send_json({"t": "proceed", "n": table.n + 1})
            assert heard(second)["reason"] == "stale"
            heard(second)
            second.send_json({"t": "proceed", "n": table.n})
            for socket in (watcher, second):
                assert heard(socket)["t"] == "hello"
                assert heard(socket)["n"] == table.n + 1
    with Store(tmp_path / "c") as campaign:
        assert len(campaign.points()) == 2 or campaign.answers()


def test_the_first_person_answers_for_bots_between_missions(tmp_path: Path) -> None:
    with hosted(tmp_path / "c", persons=(1,)) as (client, _host):
        with sitting(client, SECOND) as socket:
            assert heard(socket)["seats"] == [0, 1]
            assert heard(socket)["scene"]["question"]["yours"] is True
            socket.send_json({"t": "choose", "n": 0, "choice": 0})
            hello = heard(socket)
            assert (hello["seats"], hello["bots"]) == ([1], [0])
        with sitting(client, WATCH) as socket:
            assert heard(socket)["seats"] == []


def test_a_choice_that_cannot_be_saved_is_asked_again(tmp_path: Path) -> None:
    with hosted(tmp_path / "c") as (client, host), sitting(client, FIRST) as one, sitting(client, SECOND) as two:
        sockets = (one, two)
        for socket in sockets:
            heard(socket), heard(socket)
        assert host.campaign is not None
        file = host.campaign._log.store
        saved, troubles = file.answer, [sqlite3.OperationalError("disk is full")]

        def answer(*arguments: object) -> None:
            if troubles:
                raise troubles.pop()
            saved(*arguments)  # type: ignore[arg-type]

        file.answer = answer  # type: ignore[method-assign, assignment]
        question = host.table.scene((), "en").question
        asked = sockets[host.table.asked()[0]]
        asked.send_json({"t": "choose", "n": 0, "choice": 0})
        for socket in sockets:
            assert heard(socket)["t"] == "hello"
            view = heard(socket)
            assert "disk is full" in view["note"]
            assert view["history"] == []
        assert host.table.scene((), "en").question == question
        assert file.answers() == []
        asked.send_json({"t": "choose", "n": view["n"], "choice": 0})
        for socket in sockets:
            heard(socket)
            assert heard(socket).get("note", "") == ""
        assert len(file.answers()) == 1

"""Foretells the results of choices of a seat: odds, the ends of moves, and spaces that are several decisions away.

All of it is tried in worlds that `determinize.guess` makes from what the seat knows, with other chance. So an answer
never depends on a secret, nor on the dice that the real game will show.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from fcbdsl.base.locales import interface_texts
from fcbdsl.base.records import dataclass
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.teams import deciding_seats as seats_of
from fcbdsl.machine.vm.world import ACTION, NONE, Ask, Option
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.session.routes import MOST_FANNED, movable
from fcbdsl.play.table.reasons import ActionReasons
from fcbdsl.play.table.scene import Gauge, PieceView, SceneMaker, SceneView
from fcbdsl.play.table.table_protocol import OddsAnswer, OddsRow, WayRow, WaysAnswer, WhyNotAnswer, WhyNotRow

TRIES = 48
"""Worlds in which a choice is tried when chance decides."""
SURE = 4
"""Worlds after which a choice without chance counts as certain."""
MOST_ROWS = 8
"""Most rows of an answer; the rarest ones are left out."""
MOST_FOLLOWING = 12
"""Most questions that are declined after a choice."""
MOST_TRIED = 300
"""Most decisions that are tried to find spaces several decisions away."""
MOST_STEPS = 8
"""Most decisions of a way."""


@dataclass(frozen=True, slots=True)
class ForeseenStep:
    """A decision of a way: the question as it must be asked, and the option."""

    kind: str
    options: tuple[Option, ...]
    choice: int


Way = tuple[ForeseenStep, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    """A difference that a choice makes. `space`: where its piece is afterwards."""

    text: str
    piece: str | None = None
    space: int | None = None


class Foresight:
    """The position of a game, as the seat of a screen knows it. It stays valid while the game goes on."""

    def __init__(self, game: Game, scene: SceneMaker, seats: tuple[int, ...], n: int, decisions: int) -> None:
        """`seats`: those of the screen. `n` and `decisions`: the number of the position, and of decisions before."""
        self._n = n
        self._decisions = decisions
        self._scene = scene.fork()
        self._game = game.clone()
        ask = game.world.ask
        asked = [seat for seat in seats_of(game, ask.who) if seat in seats] if ask is not None else []
        self._seat = asked[0] if asked else None

    @property
    def asked(self) -> bool:
        """Return whether the screen answers the pending question."""
        return self._seat is not None

    def _guessed(self, chance: Generator) -> Game:
        """Return a world that the seat cannot tell from the real one."""
        assert self._seat is not None
        other = self._game.clone()
        guess(other, self._seat, chance)
        other.reseed(chance.below(1 << 62))
        return other

    # ── odds ───────────────────────────────────────────────────────────────────────────────────

    def odds(self, choice: int, tries: int = TRIES) -> OddsAnswer:
        """Return what changes until the next question that cannot be declined, and how often."""
        ask = self._game.world.ask
        if self._seat is None or ask is None or not 0 <= choice < len(ask.options):
            return OddsAnswer("odds", self._n, choice)
        chance = Generator(self._decisions, f"odds {choice}")
        tally: Counter[_Change] = Counter()
        tried, varied = 0, False
        while tried < (tries if varied else min(SURE, tries)):
            world = self._guessed(chance)
            before, shown = self._scene.fork().look(world, world.world.ask), world.world.reveals
            world.answer(choice)
            _decline(world)
            after = self._scene.fork().look(world, world.world.ask)
            changes = set(self._changes(before, after, world))
            varied = varied or world.world.reveals != shown or (tried > 0 and changes != set(tally))
            tally.update(changes)
            tried += 1
        ordered = sorted(tally.items(), key=lambda row: (-row[1], row[0].text))
        rows = [
            OddsRow(change.text, round(100 * count / tried), change.piece, change.space)
            for change, count in ordered[:MOST_ROWS]
        ]
        return OddsAnswer("odds", self._n, choice, tuple(rows), tried if varied else 0, len(ordered) - len(rows))

    def _changes(self, before: SceneView, after: SceneView, game: Game) -> Iterator[_Change]:
        """Yield the differences between two views of the same seat."""
        now = {piece.key: piece for piece in after.pieces}
        earlier = {piece.key for piece in before.pieces}
        for piece in before.pieces:
            yield from self._of_piece(piece, now.get(piece.key), game)
        for piece in after.pieces:
            if piece.key not in earlier and piece.space is not None:
                yield _Change(f"{piece.name} → {self._space(game, piece.space)}", None, piece.space)
        rows = {track.look: track for track in before.tracks}
        for track in after.tracks:
            old = rows.get(track.look)
            if old is not None and old.value != track.value:
                yield _Change(f"{track.name} {old.value} → {track.value}")
        for one, two in zip(before.players, after.players, strict=True):
            yield from _of_gauges(one.name, one.gauges, two.gauges, None, None)
        if after.outcome is not None:
            yield _Change(after.outcome)

    def _of_piece(self, old: PieceView, new: PieceView | None, game: Game) -> Iterator[_Change]:
        say = interface_texts("table", self._scene.view.names.language)
        if new is None or (old.space is not None and new.space is None):
            yield _Change(say["leaves"].format(old.name), old.key, old.space)
            return
        if new.space is not None and new.space != old.space:
            yield _Change(f"{old.name} → {self._space(game, new.space)}", old.key, new.space)
        yield from _of_gauges(old.name, old.gauges, new.gauges, old.key, new.space)
        for state in new.states:
            if state not in old.states:
                yield _Change(f"{old.name}: {state}", old.key, new.space)

    def _space(self, game: Game, space: int) -> str:
        return self._scene.view.names.thing(game, game.space(space))

    # ── why not ────────────────────────────────────────────────────────────────────────────────

    def why_not(self, reasons: ActionReasons, tries: int = SURE) -> WhyNotAnswer:
        """Return the actions that the pieces of the seat cannot take now. Requirements that depend on a secret are left
        out: they do not fail in all worlds that the seat can imagine."""
        ask, names = self._game.world.ask, self._scene.view.names
        if self._seat is None or ask is None or ask.kind != "action" or not reasons.fits(self._game.image):
            return WhyNotAnswer("why-not", self._n)
        chance, say = Generator(self._decisions, "why not"), interface_texts("table", names.language)
        worlds = [self._guessed(chance) for _ in range(tries)]
        texts, rows = reasons.texts.get(names.language) or reasons.texts["en"], []
        for actor in movable(self._game, ask) or self._own():
            offered = {option[1] for option in ask.options if option[0] == ACTION and option[2] == actor}
            failing = [dict(reasons.lacking(world, actor, offered)) for world in worlds]
            for number, failed in failing[0].items():
                if any(guess.get(number) != failed for guess in failing):
                    continue
                why = [say["used-up"] if at < 0 else texts[number][at] for at in failed] or [say["no-target"]]
                row = reasons.image.program.actions[number]
                title = names.text(reasons.image.program.actions[number].title, row.name)
                rows.append(WhyNotRow(names.thing(self._game, actor), title, tuple(why)))
        rows.sort(key=lambda row: len(row.reasons))
        return WhyNotAnswer("why-not", self._n, tuple(rows))

    def _own(self) -> list[int]:
        """Return the pieces on the board that the seat decides for."""
        return [
            thing
            for thing in self._game.placed_pieces()
            if self._seat in seats_of(self._game, self._game.controller(thing))
        ]

    # ── several decisions at once ──────────────────────────────────────────────────────────────

    def ways(self, most: int = MOST_TRIED) -> tuple[WaysAnswer, dict[tuple[str, int], Way]]:
        """Return the spaces that a piece of the seat reaches by several decisions without revealing anything, and the
        ways there by the key of the piece and the space."""
        ways_by_goal: dict[tuple[str, int], Way] = {}
        if self._seat is not None:
            world = self._guessed(Generator(self._decisions, "ways"))
            ask = world.world.ask
            assert ask is not None
            self._scene.look(world, ask)
            tried = 0
            for piece in movable(world, ask):
                key = self._scene.key_of(piece)
                actions = dict.fromkeys(o[1] for o in ask.options if o[0] == ACTION and o[2] == piece and o[3] < 0)
                for action in actions or (-1,):
                    tried = _walked(world, ask, piece, action, self._seat, most, tried, ways_by_goal, key or "")
        rows = tuple(WayRow(piece, space, len(way)) for (piece, space), way in ways_by_goal.items() if len(way) > 1)
        return WaysAnswer("ways", self._n, rows), ways_by_goal


def _walked(
    world: Game,
    ask: Ask,
    piece: int,
    action: int,
    seat: int,
    most: int,
    tried: int,
    ways: dict[tuple[str, int], Way],
    key: str,
) -> int:
    """Find the spaces that a piece reaches by one action, repeated; return how many decisions were tried."""
    start, shown = world.space_of(piece), world.world.reveals
    visited = {_place(world, ask, piece)}
    front: deque[tuple[Game, Ask, Way]] = deque([(world, ask, ())])
    while front:
        here, question, way = front.popleft()
        if len(way) >= MOST_STEPS or len(question.options) > MOST_FANNED:
            continue
        options = tuple(question.options)
        for index, option in enumerate(options):
            if not _is_step(option, piece, action):
                continue
            if tried >= most:
                return tried
            tried += 1
            there = here.clone()
            there.answer(index)
            following = there.run()
            if following is None or there.world.fault is not None or there.world.reveals != shown:
                continue
            if seat not in seats_of(there, following.who):
                continue
            gone = (*way, ForeseenStep(question.kind, options, index))
            place = there.space_of(piece)
            if place >= 0 and place != start:
                known_way = ways.get((key, there.cell(piece)))
                if known_way is None or len(gone) < len(known_way):
                    ways[key, there.cell(piece)] = gone
            if (at := _place(there, following, piece)) not in visited:
                visited.add(at)
                front.append((there, following, gone))
    return tried


def _is_step(option: Option, piece: int, action: int) -> bool:
    if option[0] == ACTION:
        return action >= 0 and option[1] == action and option[2] == piece and option[3] < 0
    return option[0] > NONE and option[0] < ACTION


def _place(game: Game, ask: Ask, piece: int) -> tuple[int, str, int, int]:
    return game.space_of(piece), ask.kind, ask.why, ask.span


def _decline(game: Game) -> None:
    """Play on; decline the questions that can be declined."""
    for _ in range(MOST_FOLLOWING):
        ask = game.run()
        if ask is None or ask.kind == "action":
            return
        refusals = [index for index, option in enumerate(ask.options) if option[0] == NONE]
        if not refusals:
            return
        game.answer(refusals[0])
    game.run()


def _of_gauges(
    name: str, old: tuple[Gauge, ...], new: tuple[Gauge, ...], piece: str | None, space: int | None
) -> Iterator[_Change]:
    """Yield the changes of numbers; a number that is not shown is 0."""
    before, after = ({gauge.name: gauge.value for gauge in gauges} for gauges in (old, new))
    for title in dict.fromkeys([*before, *after]):
        first, last = before.get(title, 0), after.get(title, 0)
        if first != last:
            yield _Change(f"{name}: {title} {first} → {last}", piece, space)

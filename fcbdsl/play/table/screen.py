"""One screen at a table: the seats that play there, its language, and what it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fcbdsl.base.locales import interface_texts
from fcbdsl.base.records import dataclass
from fcbdsl.play.table.foresight import Way
from fcbdsl.play.table.reasons import ActionReasons
from fcbdsl.play.table.table import GameTable, Reason
from fcbdsl.play.table.table_protocol import (
    PROTOCOL,
    AskOdds,
    AskWays,
    AskWhyNot,
    ChooseCommand,
    ForesightCommand,
    Greeting,
    OddsAnswer,
    Proceed,
    Recall,
    Refusal,
    Sit,
    Speak,
    TableView,
    TakeBack,
    TurnTo,
    Walk,
    WaysAnswer,
    WhyNotAnswer,
)


@dataclass(frozen=True, slots=True)
class Audience:
    """The seats that a page shows. `curtain` and `sitting`: see `TableView`."""

    seats: tuple[int, ...]
    language: str
    together: bool = False
    curtain: int | None = None
    sitting: int | None = None


class Screen:
    """One open page. `sitting`: of several seats at one screen the one whose person sits there now."""

    def __init__(self, table: GameTable, seats: tuple[int, ...], language: str, languages: tuple[str, ...]) -> None:
        """`languages`: those that the page may ask for; the first one replaces an unknown `language`."""
        self.table = table
        self.seats = seats
        self.languages = languages
        self.language = language if language in languages else languages[0]
        self.sitting: int | None = None
        self._ways: tuple[int, dict[tuple[str, int], Way]] = (-1, {})

    def playing(self) -> tuple[int, ...]:
        """Return the seats for which this page decides now."""
        if not self.table.is_parted(self.seats):
            return self.seats
        return (self.sitting,) if self.sitting is not None else ()

    def greeting(self, dressing: str) -> Greeting:
        """Return the first message to the page, with what does not change during the game. `dressing`: the name of the
        looks."""
        return Greeting(
            t="hello",
            protocol=PROTOCOL,
            mission=self.table.title(self.language),
            players=len(self.table.scene((), self.language).players),
            seats=self.seats,
            bots=self.table.bots(),
            language=self.language,
            languages=self.languages,
            dressing=dressing,
            words=interface_texts("table", self.language),
        )

    def audience(self) -> Audience:
        """Return who looks at the page now. Seats of one screen that must not see each other's secrets sit there in
        turn."""
        table = self.table
        if not table.is_parted(self.seats):
            return Audience(self.seats, self.language, together=len(self.seats) > 1 and not table.is_story)
        asked = [seat for seat in table.asked() if seat in self.seats]
        if asked and self.sitting not in asked and not table.session.waits():
            return Audience((), self.language, curtain=asked[0])
        seats = (self.sitting,) if self.sitting is not None else ()
        return Audience(seats, self.language, sitting=self.sitting)

    def view(self, whole: bool, seen: int = 0) -> TableView:
        """Return what the page sees now. `seen`: the number of lines of the log that it has."""
        to = self.audience()
        view = self.table.view(to.seats, to.language, to.together, whole, seen)
        return replace(view, curtain=to.curtain, sitting=to.sitting)

    def decide(self, command: ChooseCommand | TakeBack | Walk | Proceed | TurnTo) -> Reason:
        """Carry out a command that changes the game; return why it has no effect. Only the host of a campaign can
        proceed, and only that of a story can turn."""
        if isinstance(command, Proceed | TurnTo):
            return "not-yours"
        if isinstance(command, Walk):
            n, ways = self._ways
            way = ways.get((command.piece, command.space))
            if command.n != self.table.n or n != command.n:
                return "stale"
            return self.table.walk(self.playing(), n, way) if way else "no-choice"
        if isinstance(command, ChooseCommand):
            return self.table.choose(self.playing(), command.n, command.choice)
        return self.table.undo(self.playing(), command.n)

    def foresee(
        self, command: ForesightCommand, reasons: ActionReasons | None = None
    ) -> Callable[[], OddsAnswer | WaysAnswer | WhyNotAnswer] | None:
        """Return a function that answers a question about choices, and may run in any thread. None: the screen does
        not decide, or the position is another one. `reasons`: those of the game, if the table has them."""
        seats, table = self.playing(), self.table
        if command.n != table.n or table.session.waits() or (table.is_story and isinstance(command, AskWays)):
            return None
        together = len(self.seats) > 1 and not table.is_story and not table.is_parted(self.seats)
        foresight = table.foresight(seats, self.language, together)
        if not foresight.asked:
            return None

        def answer() -> OddsAnswer | WaysAnswer | WhyNotAnswer:
            if isinstance(command, AskWhyNot):
                return foresight.why_not(reasons) if reasons is not None else WhyNotAnswer("why-not", command.n)
            if isinstance(command, AskOdds):
                return foresight.odds(command.choice)
            answer, ways = foresight.ways()
            self._ways = command.n, ways
            return answer

        return answer

    def turn(self, command: Sit | Speak | Recall, dressing: str) -> list[Greeting | TableView]:
        """Carry out a command that changes only this page; return what to send to it. `dressing`: the name of the looks
        in the language that the command asks for."""
        match command:
            case Sit(seat=seat):
                if seat in self.seats:
                    self.sitting = seat
                return [self.view(whole=True)]
            case Speak(language=language):
                if language not in self.languages:
                    return []
                self.language = language
                return [self.greeting(dressing), self.view(whole=True)]
            case Recall():
                return [self.view(whole=True)]

    def refusal(self, reason: str, *parts: str) -> Refusal:
        """Return why a command had no effect."""
        text = interface_texts("table", self.language)[f"refused-{reason}"].format(*parts)
        return Refusal("refused", self.table.n, reason, text)

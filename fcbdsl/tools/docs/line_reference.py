"""First words of lines of the language itself: their syntax and purpose."""

from __future__ import annotations

from fcbdsl.base.records import dataclass


@dataclass(frozen=True, slots=True)
class LineWord:
    """A word that begins a line: `sort` is its context, `written` its syntax, `doc` its purpose."""

    word: str
    sort: str
    written: str
    doc: str


def _table(sort: str, rows: str) -> tuple[LineWord, ...]:
    """Read rows ``WRITTEN | DOC``; the word ends before the first colon, capital or quote."""
    words: list[LineWord] = []
    for row in rows.strip().splitlines():
        written, _, doc = (part.strip() for part in row.partition(" | "))
        words.append(LineWord(" ".join(_plain(written)), sort, written, doc))
    return tuple(words)


def _plain(written: str) -> list[str]:
    """Return the literal words up to the first placeholder."""
    literal: list[str] = []
    for word in written.replace(":", " :").replace(",", " ,").split():
        if not word.islower():
            break
        literal.append(word)
    return literal


MAP_WORDS = _table(
    "map line",
    """
    art: DRAWING | Draws the map in letters, below `art: |`.
    legend: LETTERS | Says what each letter of `art` is: terrain, marks, tokens and pieces.
    zone ID: SPACES | Names some spaces of the map.
    route ID: SPACES | Names a way along spaces, in order.
    places: NAMES | Lists the spaces of a map of places (`map graph`).
    paths: PLACE PLACE | Links the places of a map of places.
    """,
)
TRACK_WORDS = _table(
    "track line",
    """
    countdown ID "Title": | Declares a track that moves by one when `advance countdown` is done.
    gauge ID "Title": | Declares a track that effects move up and down.
    length: NUMBER | Sets the last value of a countdown.
    range: LOW..HIGH | Sets the first and last value of a gauge.
    at NUMBER: EFFECT | Does something when the track reaches a value; `at end` is the last.
    tier NUMBER "Title": | Names a part of a gauge and what holds there.
    """,
)
KIND_WORDS = _table(
    "kind line",
    """
    field ID "Title": TYPE | Declares a value that each definition of the kind gives.
    stat ID "Title": TYPE | Declares a value that play changes.
    part ID: FIELDS; many | Declares lines of their own below a definition, such as attacks.
    zone ID of KIND: OPTIONS | Declares a place where things lie, such as a hand or a deck.
    held by: KIND | Says who holds such a card; `self` is the holder in its texts.
    played: one each | Lets each player play one such figure.
    stands: alone | Keeps two such pieces from starting on one space.
    answers: offered | Asks the holder before the card answers an event.
    usable: CONDITION | Says when the holder may use the card.
    spends: EFFECT | Says what becomes of a card that was used.
    limit: EVENT | Allows one use until an event happens.
    keeps: NAMES | Lists what its things keep from mission to mission.
    blocks: WHAT | Says what its pieces stop where they are: movement or sight.
    doc: "Sentence." | Explains a field, stat, status or token to authors.
    reminder: "Sentence." | Explains something to players; the rules print it.
    """,
)
LEAD_WORDS = _table(
    "lead word",
    """
    if CONDITION: EFFECT | Does something only if a condition holds.
    else: EFFECT | Does something if the condition before does not hold.
    for each KIND: EFFECT | Does something for each thing of a kind, one after the other.
    repeat NUMBER times: EFFECT | Does something several times; without a number until `break`.
    choose NAME: THINGS | Lets a player choose one or more things.
    choose one: OPTIONS | Lets a player choose one of the options below.
    let NAME = VALUE | Gives a value a name for the lines that follow.
    may: EFFECT | Lets a player do something or not.
    then: EFFECT | Does something if the step before was done.
    when EVENT: EFFECT | Does something after an event.
    before EVENT: EFFECT | Does something before an event; `cancel` stops it.
    instead of EVENT: EFFECT | Does something in place of an event.
    whenever CONDITION: EFFECT | Does something each time a condition becomes true.
    while CONDITION: CHANGE | Changes values as long as a condition holds.
    always: CHANGE | Changes values as long as the card is in play.
    until EVENT: EFFECT | Listens or changes values until an event happens.
    roll DIE: ROWS | Rolls dice and does what the row of the result says.
    require CONDITION | Stops an effect, as not done, if a condition does not hold.
    stop | Ends the effect of this verb or card.
    break | Ends the loop around it.
    cancel | Stops the event that a `before` listens to.
    answer VALUE | Gives the value of a measure or relation.
    announce EVENT | Lets listeners hear of an event.
    offer KIND, until done | Lets players take actions until they say that they are done.
    win "Why." | Ends the game: the players, or the side named, win.
    lose "Why." | Ends the game: the players lose.
    draw "Why." | Ends the game without a winner.
    """,
)
LINES = (*LEAD_WORDS, *KIND_WORDS, *TRACK_WORDS, *MAP_WORDS)
"""Every word that begins a line of a map, a track, a kind, or an effect."""

"""After an edit, only the rows of moved texts are made again, and the table is the same as a new one."""

from __future__ import annotations

from random import Random

from fcbdsl.base.source import Source, Span
from fcbdsl.language.compiler.interning import Spans


def content(table: Spans) -> tuple[object, ...]:
    return table.rows(), table.files.values(), table._known, table.snapshot()


def test_rows_of_moved_texts_are_made_again() -> None:
    chance = Random(5)
    sources = [Source("pond.fcb", f"frog{number}\n  croak\n", number * 2) for number in range(8)]
    table = Spans()
    for _ in range(200):
        source = chance.choice(sources)
        start = chance.randrange(6)
        table.number(Span(source, start, chance.randrange(start, 12)))
    for _ in range(40):
        match chance.randrange(3):
            case 0:
                at = chance.randrange(len(sources))
                for source in sources[at:]:
                    source.above += 1
            case 1:
                at = chance.randrange(len(sources))
                old = sources[at]
                sources[at] = Source(old.name, old.text.replace("croak", "croaks twice"), old.above)
                old.succeeded(sources[at])
            case _:
                table.number(Span(chance.choice(sources), 1, chance.randrange(2, 14)))
        fresh = Spans.of(table.files.values(), table.snapshot()[1])
        table = table.again()
        assert content(table) == content(fresh)
        assert table.distinct == (len(set(table.rows())) == len(table.rows()))

"""The page on mutation, made from the operators."""

from __future__ import annotations

from fcbdsl.mutation.operators import OPERATORS

_HEAD = """# Mutation testing

Made from the operators in `fcbdsl/mutation` by `make docs`; a test compares.

A test that passes says little as long as it is not known whether it could fail. `fcb mutate` changes the sources of
a game in small ways, one at a time, and runs the tests. A change that no test notices is a *survivor*: a rule that
could be broken without anybody seeing it, and a test to write.

```sh
fcb mutate                                   # every change of the project's own content and systems
fcb mutate systems/ --sample 300 --seed 2    # 300 of them, by lot: the same for the same seed
fcb mutate cards/tricks.fcb --operator limit   # one kind of change in one file
fcb mutate --json                            # for tools
```

## What becomes of a change
| fate | means |
|---|---|
| invalid | the check refuses the changed game: an author could not have written it |
| killed | a test fails: at an expectation, at a step that can't be taken any more, by a fault or without end; or the \
check refuses something in the files of the tests, and nothing of the game |
| equivalent | it is explained (below), and not tried; or the compiled game is the same |
| survived | every test that can notice it passes |

Each test is played once on the unchanged game, and what it runs is noted (and kept in the cache; new tests are added).
A change is tried on some tests that run its line, those first that speak of what it changes. If none fails, the
compiled games are compared, and all tests follow that run, or could read, anything that differs: a survivor has been
tried on every test that can tell. What a check finds in the whole (missions that can't be won, campaigns that get
stuck) is looked for then, too.

The cache remembers which test killed a change: the next run tries that one first, and believes nothing. What survived,
or was refused, is taken from there while the changed game, all tests and the engine are the same (the last line says
how many), and a survivor is tried on new tests alone. So a run that is broken off goes on where it was.

Changes are made to what is played. Texts, titles, looks, maps, variants and enums, what invariants, prospects and
`outlook` say, and forms and values of fields that only these use, are left alone: no play shows them.

## Explained survivors
A survivor that no state of the game can show is entered, with the reason, in `equivalent.toml` in the folder that
`fcb.toml` names as `mutation` (the default is `mutation`). `fcb mutate --entries` prints survivors in that form.

```toml
[[equivalent]]
file = "systems/yard.fcb"
of = "verb stroke"                      # the head of the declaration
text = "let best = highest of 1, times" # the line; `which = 2` if it is the second of its kind there
change = "`1` → `0`"
reason = "Nobody strokes less than once: every use of the verb says how often."
```

Nothing in it shifts when other lines come and go. When its own line changes the entry has *lapsed*: that is told, the
exit code is 1, and what it explained is tried again.

## What guards a rule
`fcb mutate --guards` looks, for each clause of the project's catalogue of rules (`rules` in `fcb.toml`) that is not
proven elsewhere, for a change that guards it. A change guards a clause under four conditions:

- A test that covers the clause fails.
- Every test that fails covers the clause's rule.
- Each of them fails at an expectation, not by a fault, an open question or a step that cannot be taken.
- The change guards no more than three clauses.

A clause with passing tests and without such a change is *tested*, not guarded. What the search finds is kept in
`guards.json` beside `equivalent.toml`: the clause, the test with a seal of its steps, the line, the change, and how
many tests fail. An entry lapses when the line changes, or what the test does and expects; comments and the other rules
that it covers do not matter. What holds is not looked for again, and where an entry has lapsed the same change is tried
first. Lines that few tests run come first, and changes that are quickly tried; of the
others (of terrain, dice or a card's numbers) a few for each clause, first where something is declared that its tests
name. What was found is kept when the search is broken off (by Ctrl-C, or as `timeout` does). `fcb rules --coverage`
tells the rules that are guarded from those that are only tested.

## Changes that print the same
`fcb mutate --print` proves that print and play agree. It changes printed effects, and reports each change that plays
differently but prints the same: a *silent* change. No test runs.

```sh
fcb mutate --print --game escape --sample 300 --seed 2
```
```text
cards/barn.fcb:7: statement: without `tidy` (en, fr)
    tidy
    prints in en: Stroke yourself 2 times.
552 of 552 changes of printed effects: 115 invalid, 402 printed, 12 with the same play, 23 explained.
Silent in en: 0.
Silent in fr: 0.
Not tried: 3723 in effects that the author words, 4 in definitions that no paper prints.
```

- A *printed effect* is a declaration that fcb puts into words itself. These are definitions with a card or sheet,
  actions and rules of a mission's file, costs and limits of actions, statuses, tokens and ground without `reminder`.
- Verbs, relations, measures, keywords, and effects with a `text` or `reminder` print their author's words. fcb does not
  try them and counts them in the last line.
- A change *plays differently* if the compiled game differs in more than the numbers of registers, codes and texts.
- A change is *silent in a language* if every card, sheet, story, campaign map, aid, reference and token page reads the
  same there, as many copies of each card are printed, and no new problem with its words is reported.

`--print` uses the operators below except `kin`, `side`, `asked` and `until`. Two more look for what words easily miss:

| operator | what it does |
|---|---|
| referent | a local, a parameter or a bound noun becomes another one of its type |
| bracket | brackets go |

Explain a silent change in `silent.toml` beside `equivalent.toml`. `fcb mutate --print --entries` prints the entries. An
`[[unprinted]]` entry explains all lines that begin with some words.

```toml
[[silent]]
file = "cards/barn.fcb"
of = "trick hello"
text = "tidy"
change = "without `tidy`"
reason = "Every trick tidies."

[[unprinted]]
begins = "tidy"
reason = "The system leaves it unsaid: every trick tidies."
```

The figures of the shipped games are in [Mutation testing results](mutation-figures.md).

## Operators
| operator | what it does | before | after |
|---|---|---|---|
"""


def reference() -> str:
    """Return the page."""
    rows = [
        f"| {one.name} | {one.does} | `{one.before}` | {f'`{one.after}`' if one.after else '*gone*'} |"
        for one in OPERATORS
    ]
    return _HEAD + "\n".join(rows) + "\n"

"""The page on mutation, made from the operators."""

from __future__ import annotations

from fcbdsl.tools.mutation.mutation_operators import OPERATORS

_HEAD = """# Mutation testing

Find rules that you could break without a failing test. `fcb mutate` changes your game in small ways, one at a time, and
runs the tests. A change that no test notices is a *survivor*: it shows you a test to write.

```sh
fcb mutate                                   # every change of the project's own content and systems
fcb mutate systems/ --sample 300 --seed 2    # 300 of them at random; the same seed gives the same 300
fcb mutate cards/tricks.fcb --operator limit # one kind of change in one file
fcb mutate --json                            # for tools
```

```text
systems/ebb/board.fcb:7: property: without `blocks: movement`
```

This survivor shows that no test walks into the creek of that game.

## The result of a change
| result | meaning |
|---|---|
| invalid | `fcb check` refuses the changed game |
| killed | a test fails: by an expectation, an action that is impossible, a runtime error, or a game without end; or \
`fcb check` refuses only the test files |
| equivalent | the compiled game is the same, or you [explained](#explain-a-survivor) the survivor |
| survived | all tests that could notice the change pass |

fcb first runs each test once on the unchanged game, and records which lines it runs. Then it tries each change on some
tests that run its line, beginning with those that name the changed thing. If these pass, fcb compares the compiled
games, and runs every test that runs or could read anything that differs. It also looks for missions without a win and
for campaigns that get stuck.

The cache keeps these results, so that you can stop the run and continue later. The last line counts the cached ones.
A cached result is valid only for the same changed game, tests and engine. fcb tries a survivor again on new tests.

fcb changes only what is played. It leaves alone texts, titles, layouts, maps, variants, enums, invariants, prospects,
`supposing` and `outlook`, because no test of play can notice these.

## Explain a survivor
Some survivors change nothing that a game can show. Write them with the reason into `equivalent.toml`, in the folder
`mutation` (`mutation = "…"` in `fcb.toml` names another one). `fcb mutate --entries` prints survivors in this form.

```toml
[[equivalent]]
file = "systems/yard.fcb"
of = "verb stroke"                      # the first line of the declaration
text = "let best = highest of 1, times" # the line; add `which = 2` for the second such line there
change = "`1` → `0`"
reason = "Every use of the verb gives a number of at least 1."
```

Changes of other lines do not matter. If the line itself changes, the entry has *lapsed*: fcb reports it, tries the
change again, and exits with 1.

## Which test guards a rule?
`fcb mutate --guards` takes each clause of your rule catalog (`rules` in `fcb.toml`) and looks for a change that
breaks this clause alone. Such a change *guards* the clause:

- Every test that fails covers the clause, and they have no other clause in common.
- Each of them fails at an expectation, not by a runtime error, an open question or an impossible action.

If the tests have several clauses in common, an author can read the change and write `"read": true` into its entry.
This states that the change breaks the clause of the entry.

A clause with passing tests and without such a change is *tested*, not guarded. `fcb rules --coverage` counts both. fcb
leaves out clauses that the catalog lists as proven elsewhere.

fcb stores the result in `guards.json` beside `equivalent.toml`: the clause, the test, the line, the change, and the
number of failing tests. An entry lapses when its line changes, or the steps of its test. fcb then tries the same
change first. It does not search again for valid entries, and keeps the results of a run that you stop. It begins with
lines that few tests run. For terrain, dice and numbers of cards it tries only a few changes for each clause.

## Changes that print the same
`fcb mutate --print` shows whether print and play agree. It changes printed effects, and reports each change that plays
differently but prints the same: a *silent* change. It runs no test.

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

`--print` uses the operators below except `kin`, `side`, `asked` and `until`, and two more:

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
reason = "Every trick tidies, and the rules explain it once."
```

[Mutation testing results](mutation-figures.md) has the figures of the shipped games.

## Operators
`make docs` in a copy of the project writes this table from the code.

| operator | what it does | before | after |
|---|---|---|---|
"""


def reference() -> str:
    """Return the page."""
    rows = []
    for operator in OPERATORS:
        after = f"`{operator.after}`" if operator.after else "*gone*"
        rows.append(f"| {operator.name} | {operator.does} | `{operator.before}` | {after} |")
    return _HEAD + "\n".join(rows) + "\n"
